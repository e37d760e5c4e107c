/* SPDX-License-Identifier: GPL-2.0-or-later */
/* collect_wire.c - MADs through libibnetdisc and libibmad; see wire.h */

#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <infiniband/ibnetdisc.h>
#include <infiniband/mad.h>

#include "rate.h"

#define TRIES 3
#define QP1 1
#define MAD_ROOM 1024		/* bytes that the library may write */
#define PORT_ACTIVE 4		/* PortState (IBA 1.4, 14.2.5.6) */
#define PORT_LINK_UP 5		/* PortPhysicalState */

/* ClassPortInfo of performance agents (IBA 1.4, 16.1.3.1). */
#define CAP_EXT_WIDTH 0x0600u	/* IsExtendedWidthSupported, ...NoIETF */
#define CAP_XMIT_WAIT 0x1000u	/* PortXmitWait */
#define CAP2_MORE_EXT 0x2u	/* IsAdditionalPortCountersExtendedSupported */
#define SELECT_XMIT_WAIT 0x10000u	/* CounterSelect2, bit 0 */

struct agent {			/* the agents of a node */
	int dead;		/* gave no answer in this sweep */
	int known;
	uint32_t cap, cap2;	/* of the performance agent */
};

struct sfab_wire {
	struct sfab_wire_options o;
	char *ca;
	struct ibmad_port *mad;
	struct ibnd_fabric *fabric;
	uint32_t n;
	struct sfab_wire_node *node;
	ibnd_node_t **found;	/* the library's, by our index */
	struct agent *agent;
	uint32_t silent;
	uint64_t sm, mads;
	struct timespec next;	/* the next MAD goes not before this */
};

/* Wait as long as the limit of MADs a second wants. */
static void pace(struct sfab_wire *w)
{
	struct timespec now;

	w->mads++;
	if (!w->o.rate)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (now.tv_sec > w->next.tv_sec || (now.tv_sec == w->next.tv_sec &&
					    now.tv_nsec > w->next.tv_nsec))
		w->next = now;
	else
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &w->next, NULL);
	w->next.tv_nsec += 1000000000L / w->o.rate;
	if (w->next.tv_nsec >= 1000000000L) {
		w->next.tv_nsec -= 1000000000L;
		w->next.tv_sec++;
	}
}

static void close_port(struct sfab_wire *w)
{
	if (w->mad)
		mad_rpc_close_port(w->mad);
	w->mad = NULL;
}

static int open_port(struct sfab_wire *w, struct sfab_err *err)
{
	static int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS,
				 IB_PERFORMANCE_CLASS };
	char port[16] = "any port";

	w->mad = mad_rpc_open_port(w->ca, w->o.port, classes,
				   (int) (sizeof(classes) / sizeof(classes[0])));
	if (!w->mad) {
		if (w->o.port)
			snprintf(port, sizeof(port), "port %d", w->o.port);
		return sfab_fail(err, SFAB_EIO, "%s, %s: cannot be opened (is "
				 "it up, and may you use /dev/infiniband/umad*?)",
				 w->ca ? w->ca : "InfiniBand", port);
	}
	mad_rpc_set_retries(w->mad, TRIES);
	mad_rpc_set_timeout(w->mad, (int) (w->o.timeout_ms / TRIES));
	return 0;
}

struct sfab_wire *sfab_wire_open(const struct sfab_wire_options *o,
				 struct sfab_err *err)
{
	struct sfab_wire *w = calloc(1, sizeof(*w));

	if (!w || (o->ca && !(w->ca = strdup(o->ca)))) {
		free(w);
		sfab_fail(err, SFAB_ENOMEM, "out of memory");
		return NULL;
	}
	w->o = *o;
	w->o.ca = w->ca;
	if (open_port(w, err) == 0)
		return w;
	sfab_wire_close(w);
	return NULL;
}

static void forget(struct sfab_wire *w)
{
	for (uint32_t i = 0; w->node && i < w->n; i++)
		free(w->node[i].port);
	free(w->node);
	free(w->found);
	free(w->agent);
	if (w->fabric)
		ibnd_destroy_fabric(w->fabric);
	w->node = NULL;
	w->found = NULL;
	w->agent = NULL;
	w->fabric = NULL;
	w->n = 0;
	w->silent = 0;
}

void sfab_wire_close(struct sfab_wire *w)
{
	if (!w)
		return;
	forget(w);
	close_port(w);
	free(w->ca);
	free(w);
}

/* topology */

static uint32_t field(const uint8_t *info, enum MAD_FIELDS f)
{
	return mad_get_field((void *) info, 0, f);
}

static enum sfab_wire_kind kind_of(const ibnd_node_t *node)
{
	return node->type == IB_NODE_SWITCH ? SFAB_WIRE_SWITCH :
	       node->type == IB_NODE_ROUTER ? SFAB_WIRE_ROUTER : SFAB_WIRE_CA;
}

/* LinkWidthActive and the speeds that may be active, by bit. */
static const unsigned widths[] = { 1, 4, 8, 12, 2 };
static const char *const speeds[] = { "SDR", "DDR", "QDR" };
static const char *const ext_speeds[] = { "FDR", "EDR", "HDR", "NDR", "XDR" };

static unsigned highest_bit(uint32_t bits)
{
	unsigned n = 0;

	while (bits >>= 1)
		n++;
	return n;
}

/* Name of what bit set @bits means, NULL: none of the @n names. */
static const char *speed_name(uint32_t bits, const char *const *names, size_t n)
{
	return bits && highest_bit(bits) < n ? names[highest_bit(bits)] : NULL;
}

static double rate_of(ibnd_port_t *port)
{
	uint32_t width = field(port->info, IB_PORT_LINK_WIDTH_ACTIVE_F);
	const char *speed = speed_name(
		field(port->info, IB_PORT_LINK_SPEED_EXT_ACTIVE_F), ext_speeds,
		sizeof(ext_speeds) / sizeof(ext_speeds[0]));

	if (!speed && field(port->ext_info, IB_MLNX_EXT_PORT_LINK_SPEED_ACTIVE_F) & 1)
		speed = "FDR10";
	if (!speed)
		speed = speed_name(field(port->info, IB_PORT_LINK_SPEED_ACTIVE_F),
				   speeds, sizeof(speeds) / sizeof(speeds[0]));
	if (!width || highest_bit(width) >= sizeof(widths) / sizeof(widths[0]))
		return 0;
	return speed ? sfab_rate_lane(speed) * widths[highest_bit(width)] : 0;
}

static void take_port(struct sfab_wire_node *node, ibnd_port_t *port)
{
	ibnd_port_t *to = port->remoteport;
	struct sfab_wire_port *p = &node->port[node->n++];

	p->guid = port->guid;
	p->num = (uint8_t) port->portnum;
	p->lid = port->base_lid == 0xFFFF ? 0 : port->base_lid;
	p->lmc = port->lmc;
	p->to_guid = to->node->guid;
	p->to_num = (uint8_t) to->portnum;
	p->to_kind = (uint8_t) kind_of(to->node);
	p->rate = rate_of(port);
	p->up = field(port->info, IB_PORT_STATE_F) == PORT_ACTIVE &&
		field(to->info, IB_PORT_STATE_F) == PORT_ACTIVE;
}

/* Without blanks behind it, as OpenSM writes it. */
static const char *trim(char *desc)
{
	size_t n = strlen(desc);

	while (n && desc[n - 1] == ' ')
		desc[--n] = '\0';
	return desc;
}

static int take_node(struct sfab_wire *w, ibnd_node_t *from)
{
	struct sfab_wire_node *node = &w->node[w->n];

	if (from->numports < 1 || from->numports > 254)
		return 0;
	w->found[w->n++] = from;
	node->guid = from->guid;
	node->desc = trim(from->nodedesc);
	node->kind = kind_of(from);
	node->lid = from->smalid;
	node->nports = (uint8_t) from->numports;
	if (node->kind == SFAB_WIRE_SWITCH)
		node->nblocks = field(from->switchinfo, IB_SW_LINEAR_FDB_TOP_F) /
				SFAB_LFT_BLOCK + 1;
	node->port = calloc((size_t) from->numports, sizeof(*node->port));
	if (!node->port)
		return -1;
	for (int i = 1; i <= from->numports; i++) {
		ibnd_port_t *port = from->ports[i];

		if (port && port->remoteport)
			take_port(node, port);
		else if (port && field(port->info, IB_PORT_PHYS_STATE_F) ==
				 PORT_LINK_UP)
			w->silent++;
	}
	return 0;
}

static uint32_t count_nodes(const ibnd_fabric_t *fabric)
{
	uint32_t n = 0;

	for (const ibnd_node_t *node = fabric->nodes; node; node = node->next)
		n++;
	return n;
}

static int take_nodes(struct sfab_wire *w)
{
	size_t room = count_nodes(w->fabric) + 1u;

	w->node = calloc(room, sizeof(*w->node));
	w->found = calloc(room, sizeof(*w->found));
	w->agent = calloc(room, sizeof(*w->agent));
	if (!w->node || !w->found || !w->agent)
		return -1;
	for (ibnd_node_t *node = w->fabric->nodes; node; node = node->next)
		if (take_node(w, node) < 0)
			return -1;
	return 0;
}

/* Owner of the LID that the port we sit on takes for its subnet manager's. */
static uint64_t find_sm(const ibnd_fabric_t *fabric)
{
	ibnd_port_t *own = fabric->from_node->ports[fabric->from_portnum], *port;
	uint32_t lid = own ? field(own->info, IB_PORT_SMLID_F) : 0;

	if (!lid || lid > IB_MAX_UCAST_LID)
		return 0;
	port = ibnd_find_port_lid((ibnd_fabric_t *) fabric, (uint16_t) lid);
	return port ? port->guid : 0;
}

/*
 * The library opens the port for itself, and two users of a port in one
 * program are one too many for the simulated wire: ours is closed meanwhile.
 */
int sfab_wire_discover(struct sfab_wire *w, struct sfab_err *err)
{
	struct ibnd_config config = {
		.timeout_ms = w->o.timeout_ms / TRIES,
		.retries = TRIES - 1,
		.flags = IBND_CONFIG_MLX_EPI,	/* tells FDR10 from QDR */
	};

	forget(w);
	close_port(w);
	w->fabric = ibnd_discover_fabric(w->ca, w->o.port, NULL, &config);
	if (open_port(w, err) < 0)
		return -1;
	if (!w->fabric)
		return sfab_fail(err, SFAB_EIO, "%s: the subnet cannot be "
				 "discovered", w->ca ? w->ca : "InfiniBand");
	w->mads += w->fabric->total_mads_used;
	w->sm = find_sm(w->fabric);
	if (take_nodes(w) == 0)
		return 0;
	forget(w);
	return sfab_fail(err, SFAB_ENOMEM, "out of memory");
}

uint32_t sfab_wire_nodes(const struct sfab_wire *w,
			 const struct sfab_wire_node **node)
{
	*node = w->node;
	return w->n;
}

uint32_t sfab_wire_silent(const struct sfab_wire *w)
{
	return w->silent;
}

uint64_t sfab_wire_sm(const struct sfab_wire *w)
{
	return w->sm;
}

uint64_t sfab_wire_mads(const struct sfab_wire *w)
{
	return w->mads;
}

/* tables */

int sfab_wire_lft(struct sfab_wire *w, uint32_t node, uint32_t block,
		  uint8_t out[SFAB_LFT_BLOCK])
{
	uint8_t data[IB_SMP_DATA_SIZE] = { 0 };

	if (w->agent[node].dead)
		return -1;
	pace(w);
	if (!smp_query_via(data, &w->found[node]->path_portid,
			   IB_ATTR_LINEARFORWTBL, block, 0, w->mad)) {
		w->agent[node].dead = 1;
		return -1;
	}
	memcpy(out, data, SFAB_LFT_BLOCK);
	return 0;
}

/* counters */

/* LID under which port number @port is asked: a switch has one, 0: none. */
static uint16_t lid_of(const struct sfab_wire_node *n, uint8_t port)
{
	if (n->kind == SFAB_WIRE_SWITCH)
		return n->lid;
	for (uint32_t i = 0; i < n->n; i++)
		if (n->port[i].num == port)
			return n->port[i].lid;
	return 0;
}

/* Ask the performance agent of a node, or tell it (@clear: a counter select). */
static int ask_agent(struct sfab_wire *w, uint32_t node, uint8_t port,
		     unsigned id, unsigned clear, uint8_t *data)
{
	uint16_t lid = lid_of(&w->node[node], port);
	ib_portid_t to = { 0 };
	const uint8_t *got;

	if (!lid || w->agent[node].dead)
		return -1;
	ib_portid_set(&to, lid, QP1, 0);
	pace(w);
	got = clear ? performance_reset_via(data, &to, port, clear, 0, id, w->mad)
		    : pma_query_via(data, &to, port, 0, id, w->mad);
	w->agent[node].dead = !got;
	return got ? 0 : -1;
}

static int meet_agent(struct sfab_wire *w, uint32_t node, uint8_t port)
{
	uint8_t data[MAD_ROOM] = { 0 };
	struct agent *a = &w->agent[node];

	if (a->known)
		return 0;
	if (ask_agent(w, node, port, CLASS_PORT_INFO, 0, data) < 0)
		return -1;
	a->cap = field(data, IB_CPI_CAPMASK_F);
	a->cap2 = field(data, IB_CPI_CAPMASK2_F);
	a->known = 1;
	return 0;
}

static const enum MAD_FIELDS errors[] = {
	IB_PC_ERR_SYM_F, IB_PC_LINK_RECOVERS_F, IB_PC_LINK_DOWNED_F,
	IB_PC_ERR_RCV_F, IB_PC_ERR_PHYSRCV_F, IB_PC_ERR_SWITCH_REL_F,
	IB_PC_ERR_XMTCONSTR_F, IB_PC_ERR_RCVCONSTR_F, IB_PC_ERR_LOCALINTEG_F,
	IB_PC_ERR_EXCESS_OVR_F, IB_PC_VL15_DROPPED_F,
};
static const enum MAD_FIELDS ext_errors[] = {
	IB_PC_EXT_ERR_SYM_F, IB_PC_EXT_LINK_RECOVERS_F,
	IB_PC_EXT_LINK_DOWNED_F, IB_PC_EXT_ERR_RCV_F, IB_PC_EXT_ERR_PHYSRCV_F,
	IB_PC_EXT_ERR_SWITCH_REL_F, IB_PC_EXT_ERR_XMTCONSTR_F,
	IB_PC_EXT_ERR_RCVCONSTR_F, IB_PC_EXT_ERR_LOCALINTEG_F,
	IB_PC_EXT_ERR_EXCESS_OVR_F, IB_PC_EXT_VL15_DROPPED_F,
};

/* PortCounters: all that an old agent has; they stay at their maximum. */
static void read_short(const uint8_t *data, const struct agent *a,
		       struct sfab_counter *c)
{
	c->xmit_words = field(data, IB_PC_XMT_BYTES_F);
	c->rcv_words = field(data, IB_PC_RCV_BYTES_F);
	c->discards = field(data, IB_PC_XMT_DISCARDS_F);
	c->errors = 0;
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		c->errors += field(data, errors[i]);
	if (a->cap & CAP_XMIT_WAIT)
		c->wait_ticks = field(data, IB_PC_XMT_WAIT_F);
	else
		c->flags |= SFAB_COUNTER_NO_WAIT;
	if (c->wait_ticks >= UINT32_MAX)
		c->flags |= SFAB_COUNTER_STUCK | SFAB_COUNTER_NO_WAIT;
	if (c->xmit_words >= UINT32_MAX || c->rcv_words >= UINT32_MAX)
		c->flags |= SFAB_COUNTER_NO_RATE;
}

static uint64_t field64(const uint8_t *data, enum MAD_FIELDS f)
{
	return mad_get_field64((void *) data, 0, f);
}

/* PortCountersExtended: data in 64 bits, and with newer agents all else. */
static void read_wide(const uint8_t *data, const struct agent *a,
		      struct sfab_counter *c)
{
	c->xmit_words = field64(data, IB_PC_EXT_XMT_BYTES_F);
	c->rcv_words = field64(data, IB_PC_EXT_RCV_BYTES_F);
	c->flags &= (uint8_t) ~SFAB_COUNTER_NO_RATE;
	if (!(a->cap2 & CAP2_MORE_EXT))
		return;
	c->discards = field64(data, IB_PC_EXT_XMT_DISCARDS_F);
	c->errors = 0;
	for (size_t i = 0; i < sizeof(ext_errors) / sizeof(ext_errors[0]); i++)
		c->errors += field64(data, ext_errors[i]);
	c->wait_ticks = field64(data, IB_PC_EXT_XMT_WAIT_F);
	c->flags = 0;
}

int sfab_wire_count(struct sfab_wire *w, uint32_t node, uint8_t port,
		    struct sfab_counter *c)
{
	uint8_t data[MAD_ROOM] = { 0 };
	const struct agent *a = &w->agent[node];
	struct timespec now;

	memset(c, 0, sizeof(*c));
	c->guid = w->node[node].guid;
	c->port = port;
	if (meet_agent(w, node, port) < 0)
		return -1;
	if (!(a->cap2 & CAP2_MORE_EXT)) {
		if (ask_agent(w, node, port, IB_GSI_PORT_COUNTERS, 0, data) < 0)
			return -1;
		read_short(data, a, c);
	}
	if (a->cap & CAP_EXT_WIDTH || a->cap2 & CAP2_MORE_EXT) {
		if (ask_agent(w, node, port, IB_GSI_PORT_COUNTERS_EXT, 0, data) < 0)
			return -1;
		read_wide(data, a, c);
	}
	clock_gettime(CLOCK_REALTIME, &now);
	c->time_ms = (uint64_t) now.tv_sec * 1000 + (uint64_t) now.tv_nsec / 1000000;
	return 0;
}

int sfab_wire_clear_wait(struct sfab_wire *w, uint32_t node, uint8_t port)
{
	uint8_t data[MAD_ROOM] = { 0 };
	unsigned id = w->agent[node].cap2 & CAP2_MORE_EXT ?
		      IB_GSI_PORT_COUNTERS_EXT : IB_GSI_PORT_COUNTERS;

	return ask_agent(w, node, port, id, SELECT_XMIT_WAIT, data);
}
