/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * discover.c - breadth first over directed routes; see discover.h
 *
 * Attributes are decoded at the byte offsets of IBA 1.4 (14.2.5).
 */

#include "io/wire/discover.h"

#include <stdlib.h>
#include <string.h>

#include "core/fabric/fabric.h"
#include "io/hash.h"
#include "io/rate.h"

#define NODE_DESC 0x10u
#define NODE_INFO 0x11u
#define SWITCH_INFO 0x12u
#define PORT_INFO 0x15u
#define MLNX_PORT_INFO 0xFF90u	/* NVIDIA's: distinguishes FDR10 from QDR */

/* By device: from these ids on, all models of a kind can run FDR10. */
#define BULL 0x119Fu
#define MELLANOX 0x2C9u

#define TYPE_SWITCH 2
#define TYPE_ROUTER 3
#define STATE_ACTIVE 4		/* PortState */
#define PHYS_LINK_UP 5		/* PortPhysicalState */
#define SPEED_QDR 4		/* LinkSpeedActive */
#define NOBODY UINT32_MAX
#define MAX_BLOCKS ((SFAB_IB_LID_MAX + SFAB_LFT_BLOCK) / SFAB_LFT_BLOCK)

struct smp_port {		/* a port; a switch also has number 0 */
	uint64_t guid;
	double rate;
	uint32_t to;		/* device at the other end */
	uint16_t lid, sm_lid;
	uint8_t to_num, lmc, state, phys;
};

struct smp_node {
	struct sfab_smp_path path;
	uint64_t guid, port_guid;
	char desc[SFAB_SMP_SIZE + 1];
	enum sfab_wire_kind kind;
	uint32_t vendor;
	uint16_t id;
	uint8_t nports, own_num;	/* of the first device: our own port */
	int tells_fdr10;
	uint32_t blocks;
	struct smp_port *seat;	/* [nports + 1] */
};

struct sfab_discovery {
	const struct sfab_smp_door *door;
	struct sfab_err *err;
	uint32_t n, room, ports, silent;
	struct smp_node *device;
	uint32_t *slot;		/* [2 room] hash by GUID: index, NOBODY: free */
	struct sfab_wire_node *node;	/* [n] */
	uint8_t used[MAX_BLOCKS];	/* blocks of a table: has anybody a LID of it? */
};

static unsigned get_be16(const uint8_t *at)
{
	return (unsigned) at[0] << 8 | at[1];
}

static uint64_t get_be64(const uint8_t *at)
{
	uint64_t v = 0;

	for (int i = 0; i < 8; i++)
		v = v << 8 | at[i];
	return v;
}

/* devices by GUID */

/* Open addressing; the table has twice as many slots as devices, so one is free. */
static uint32_t *slot_of(const struct sfab_discovery *d, uint64_t guid)
{
	uint32_t i = (uint32_t) sfab_hash64((const uint8_t *) &guid, sizeof(guid));

	for (i %= 2 * d->room; d->slot[i] != NOBODY; i = (i + 1) % (2 * d->room))
		if (d->device[d->slot[i]].guid == guid)
			break;
	return &d->slot[i];
}

/* The table is filled anew, because positions depend on its size. */
static int grow_nodes(struct sfab_discovery *d)
{
	uint32_t room = d->room ? 2 * d->room : 64;
	struct smp_node *device = realloc(d->device, room * sizeof(*device));
	uint32_t *slot = malloc(2 * (size_t) room * sizeof(*slot));

	if (device)
		d->device = device;
	if (!device || !slot) {
		free(slot);
		return sfab_fail(d->err, SFAB_ENOMEM, "out of memory");
	}
	free(d->slot);
	d->slot = slot;
	d->room = room;
	memset(slot, 0xFF, 2 * (size_t) room * sizeof(*slot));
	for (uint32_t i = 0; i < d->n; i++)
		*slot_of(d, device[i].guid) = i;
	return 0;
}

/* Add a device not seen before, at the end of @path. */
static int add_node_found(struct sfab_discovery *d,
			  const struct sfab_smp_path *path, const uint8_t *info)
{
	uint32_t vendor = (uint32_t) info[37] << 16 | get_be16(info + 38);
	unsigned nports = info[3], id = get_be16(info + 30);
	int is_fdr10 = (id >= 0x1003 && id < 0x2000) || id >= 0xC738;
	struct smp_node *v;

	if (d->n == SFAB_DISCOVER_NODES || d->ports > SFAB_DISCOVER_PORTS)
		return sfab_fail(d->err, SFAB_ELIMIT, "more than %u nodes or %u "
				 "ports answer: no subnet has so many LIDs",
				 SFAB_DISCOVER_NODES, SFAB_DISCOVER_PORTS);
	if (d->n == d->room && grow_nodes(d) < 0)
		return -1;
	v = &d->device[d->n];
	*v = (struct smp_node){
	    .path = *path,
	    .guid = get_be64(info + 12),
	    .nports = (uint8_t) nports,
	    .port_guid = get_be64(info + 20),
	    .vendor = vendor,
	    .id = (uint16_t) id,
	    .tells_fdr10 = vendor == BULL || (vendor == MELLANOX && is_fdr10),
	    .kind = info[2] == TYPE_SWITCH   ? SFAB_WIRE_SWITCH
		    : info[2] == TYPE_ROUTER ? SFAB_WIRE_ROUTER
					     : SFAB_WIRE_CA,
	    .own_num = info[36],
	    .seat = calloc(nports + 1, sizeof(*v->seat)),
	};
	if (!v->seat)
		return sfab_fail(d->err, SFAB_ENOMEM, "out of memory");
	for (unsigned p = 0; p <= nports; p++) {
		v->seat[p].guid = v->port_guid;
		v->seat[p].to = NOBODY;
	}
	*slot_of(d, v->guid) = d->n++;
	d->ports += nports;
	return 0;
}

/* what they say */

static enum sfab_smp_answer ask_attribute(const struct sfab_discovery *d,
					  const struct sfab_smp_path *to,
					  unsigned id, unsigned mod,
					  uint8_t *out)
{
	memset(out, 0, SFAB_SMP_SIZE);
	return d->door->ask(d->door->ctx, to, id, mod, out);
}

static int call_off(const struct sfab_discovery *d)
{
	return sfab_fail(d->err, SFAB_ELIMIT, "discovery of the subnet took too "
			 "long: %u nodes answered", d->n);
}

/* Of what a link can do, the fastest that is set counts. */
static unsigned top_bit(unsigned bits)
{
	unsigned top = bits ? 1 : 0;

	while (bits >>= 1)
		top <<= 1;
	return top;
}

static enum sfab_smp_answer ask_port(struct sfab_discovery *d, uint32_t i,
				     const struct sfab_smp_path *path, unsigned p)
{
	struct smp_node *v = &d->device[i];
	struct smp_port *s = &v->seat[p];
	uint8_t info[SFAB_SMP_SIZE], more[SFAB_SMP_SIZE] = { 0 };
	enum sfab_smp_answer got = ask_attribute(d, path, PORT_INFO, p, info);

	if (got != SFAB_SMP_ANSWER)
		return got;
	s->lid = (uint16_t) get_be16(info + 16);
	s->sm_lid = (uint16_t) get_be16(info + 18);
	s->state = info[32] & 15;
	s->phys = info[33] >> 4;
	s->lmc = info[34] & 7;
	if (v->tells_fdr10 && s->phys == PHYS_LINK_UP && !(info[62] >> 4) &&
	    info[35] >> 4 == SPEED_QDR)
		got = ask_attribute(d, path, MLNX_PORT_INFO, p, more);
	/* LinkWidthActive, LinkSpeedActive, LinkSpeedExtActive; what NVIDIA says of FDR10 */
	s->rate = sfab_rate_codes(top_bit(info[31]), top_bit(info[35] >> 4),
				  top_bit(info[62] >> 4),
				  got == SFAB_SMP_ANSWER && more[15] & 1);
	return got == SFAB_SMP_REFUSED ? SFAB_SMP_ANSWER : got;
}

/* Connect port @p of device @a and port @q of @b; unplugs what was there before. */
static void plug_cable(struct sfab_discovery *d, uint32_t a, unsigned p,
		       uint32_t b, unsigned q)
{
	struct smp_port *x = &d->device[a].seat[p], *y = &d->device[b].seat[q];

	if (x->to != NOBODY)
		d->device[x->to].seat[x->to_num].to = NOBODY;
	if (y->to != NOBODY)
		d->device[y->to].seat[y->to_num].to = NOBODY;
	x->to = b;
	x->to_num = (uint8_t) q;
	y->to = a;
	y->to_num = (uint8_t) p;
}

/*
 * Identify the device at the end of @path, which leaves device @from by its port
 * @num (NOBODY: our own).  Ports of hosts are asked right away, because no other
 * route leads to them.
 */
static int meet_node(struct sfab_discovery *d, const struct sfab_smp_path *path,
		     uint32_t from, unsigned num)
{
	uint8_t info[SFAB_SMP_SIZE];
	enum sfab_smp_answer got = ask_attribute(d, path, NODE_INFO, 0, info);
	uint32_t i;
	uint32_t known;
	unsigned nports;
	int is_switch;

	if (got == SFAB_SMP_OVER)
		return call_off(d);
	/* An answer that cannot be true counts as none: it must not cost more MADs. */
	if (got != SFAB_SMP_ANSWER)
		return 0;
	/*
	 * Is a NodeInfo consistent, in itself and with what is known about the
	 * device?
	 */
	known = d->n ? *slot_of(d, get_be64(info + 12)) : NOBODY;
	nports = known == NOBODY ? info[3] : d->device[known].nports;
	is_switch = known == NOBODY ? info[2] == TYPE_SWITCH :
			d->device[known].kind == SFAB_WIRE_SWITCH;
	if (!nports || nports >= 255 || info[36] > nports ||
	    (!info[36] && !is_switch))
		return 0;
	i = d->n ? *slot_of(d, get_be64(info + 12)) : NOBODY;
	if (i == NOBODY) {
		i = d->n;
		if (add_node_found(d, path, info) < 0)
			return -1;
	}
	/* LocalPortNum 0: it was not entered through a cable. */
	if (from != NOBODY && info[36])
		plug_cable(d, from, num, i, info[36]);
	if (d->device[i].kind == SFAB_WIRE_SWITCH)
		return 0;
	d->device[i].seat[info[36]].guid = get_be64(info + 20);
	return ask_port(d, i, path, info[36]) == SFAB_SMP_OVER ? call_off(d) : 0;
}

/* A switch that does not answer for one port is not asked about the others. */
static int ask_ports(struct sfab_discovery *d, uint32_t i)
{
	const struct sfab_smp_path path = d->device[i].path;
	enum sfab_smp_answer got = SFAB_SMP_ANSWER;

	for (unsigned p = 0; p <= d->device[i].nports && got != SFAB_SMP_SILENT; p++) {
		got = ask_port(d, i, &path, p);
		if (got == SFAB_SMP_OVER)
			return call_off(d);
	}
	return 0;
}

/* Name, and table size of a switch.  Without answers: no name, one block. */
static int ask_self(struct sfab_discovery *d, uint32_t i)
{
	struct smp_node *v = &d->device[i];
	uint8_t out[SFAB_SMP_SIZE];
	enum sfab_smp_answer got =
	    ask_attribute(d, &v->path, NODE_DESC, 0, out);
	size_t n = 0;

	if (got == SFAB_SMP_ANSWER) {
		memcpy(v->desc, out, sizeof(out));
		n = strlen(v->desc);
		while (n && v->desc[n - 1] == ' ')	/* OpenSM trims them too */
			v->desc[--n] = '\0';
	}
	if (v->kind == SFAB_WIRE_SWITCH && got != SFAB_SMP_OVER) {
		got = ask_attribute(d, &v->path, SWITCH_INFO, 0, out);
		if (got == SFAB_SMP_ANSWER)
			v->blocks = get_be16(out + 6) / SFAB_LFT_BLOCK;
		v->blocks = v->blocks < MAX_BLOCKS ? v->blocks + 1 : MAX_BLOCKS;
	}
	return got == SFAB_SMP_OVER ? call_off(d) : 0;
}

/*
 * Ports are asked before any is followed: a port whose cable became known from the
 * other end (seat.to) is not followed again.
 */
static int explore_ports(struct sfab_discovery *d, uint32_t i)
{
	if (ask_self(d, i) < 0)
		return -1;
	if (d->device[i].kind == SFAB_WIRE_SWITCH && ask_ports(d, i) < 0)
		return -1;
	for (unsigned p = 1; p <= d->device[i].nports; p++) {
		struct sfab_smp_path path = d->device[i].path;
		const struct smp_node *v = &d->device[i];

		/*
		 * Hosts do not forward; only our own port, on the first device,
		 * leads on.
		 */
		if (v->seat[p].phys != PHYS_LINK_UP ||
		    v->seat[p].to != NOBODY || v->path.hops >= SFAB_SMP_HOPS ||
		    (v->kind != SFAB_WIRE_SWITCH && (i || p != v->own_num)))
			continue;
		path.port[++path.hops] = (uint8_t) p;
		if (meet_node(d, &path, i, p) < 0)
			return -1;
	}
	return 0;
}

/* as others see it */

static void mark_lids(struct sfab_discovery *d, const struct smp_port *s)
{
	uint32_t end = s->lid + (1u << s->lmc);

	for (uint32_t lid = s->lid; s->lid && lid < end && lid <= SFAB_IB_LID_MAX; lid++)
		d->used[lid / SFAB_LFT_BLOCK] = 1;
}

static int take_device(struct sfab_discovery *d, uint32_t i)
{
	const struct smp_node *v = &d->device[i];
	struct sfab_wire_node *node = &d->node[i];

	*node = (struct sfab_wire_node){
		.guid = v->guid, .desc = v->desc, .kind = v->kind,
		.lid = v->kind == SFAB_WIRE_SWITCH ? v->seat[0].lid : 0,
		.vendor = v->vendor, .id = v->id,
		.nports = v->nports, .nblocks = v->blocks, .used = d->used,
		.port = calloc(v->nports, sizeof(*node->port)),
	};
	if (!node->port)
		return sfab_fail(d->err, SFAB_ENOMEM, "out of memory");
	for (unsigned p = 0; p <= v->nports; p++)
		mark_lids(d, &v->seat[p]);
	for (unsigned p = 1; p <= v->nports; p++)
		if (v->seat[p].to != NOBODY) {
			const struct smp_port *s = &v->seat[p];
			const struct smp_node *to = &d->device[s->to];
			uint16_t lid = v->kind == SFAB_WIRE_SWITCH
					   ? v->seat[0].lid
					   : s->lid;

			node->port[node->n++] = (struct sfab_wire_port){
			    .guid = s->guid,
			    .to_guid = to->guid,
			    .rate = s->rate,
			    .lid = lid == 0xFFFF ? 0 : lid,
			    .lmc = v->kind == SFAB_WIRE_SWITCH ? v->seat[0].lmc
							       : s->lmc,
			    .num = (uint8_t) p,
			    .to_num = s->to_num,
			    .to_kind = (uint8_t) to->kind,
			    .up = s->state == STATE_ACTIVE &&
				  to->seat[s->to_num].state == STATE_ACTIVE,
			};
		} else if (v->seat[p].phys == PHYS_LINK_UP) {
			d->silent++;
		}
	return 0;
}

/*
 * Breadth first, so that paths are shortest: a directed route has at most
 * SFAB_SMP_HOPS hops.
 */
static int find_all(struct sfab_discovery *d)
{
	const struct sfab_smp_path here = { 0 };

	if (meet_node(d, &here, NOBODY, 0) < 0)
		return -1;
	if (!d->n)
		return sfab_fail(d->err, SFAB_EIO, "the port does not answer");
	/* d->n grows in the loop: the list of devices is the queue of the search. */
	for (uint32_t i = 0; i < d->n; i++)
		if (explore_ports(d, i) < 0)
			return -1;
	d->node = calloc(d->n, sizeof(*d->node));
	if (!d->node)
		return sfab_fail(d->err, SFAB_ENOMEM, "out of memory");
	for (uint32_t k = 0; k < d->n; k++)
		if (take_device(d, k) < 0)
			return -1;
	return 0;
}

struct sfab_discovery *sfab_discover(const struct sfab_smp_door *door,
				     struct sfab_err *err)
{
	struct sfab_discovery *d = calloc(1, sizeof(*d));
	int rc;

	if (!d) {
		sfab_fail(err, SFAB_ENOMEM, "out of memory");
		return NULL;
	}
	d->door = door;
	d->err = err;
	rc = find_all(d);
	d->door = NULL;	/* both belong to the caller and end here */
	d->err = NULL;
	if (rc == 0)
		return d;
	sfab_discovery_destroy(d);
	return NULL;
}

void sfab_discovery_destroy(struct sfab_discovery *d)
{
	if (!d)
		return;
	for (uint32_t i = 0; i < d->n; i++) {
		free(d->device[i].seat);
		if (d->node)
			free(d->node[i].port);
	}
	free(d->device);
	free(d->slot);
	free(d->node);
	free(d);
}

uint32_t sfab_discovery_nodes(const struct sfab_discovery *d,
			      const struct sfab_wire_node **node)
{
	*node = d->node;
	return d->n;
}

const struct sfab_smp_path *sfab_discovery_path(const struct sfab_discovery *d,
						uint32_t node)
{
	return &d->device[node].path;
}

uint32_t sfab_discovery_silent(const struct sfab_discovery *d)
{
	return d->silent;
}

/*
 * Our own port knows the LID of its subnet manager; who has that LID was found
 * in the sweep.
 */
uint64_t sfab_discovery_sm(const struct sfab_discovery *d)
{
	const struct smp_node *own = &d->device[0];
	uint32_t lid = own->seat[own->kind == SFAB_WIRE_SWITCH ? 0 :
				 own->own_num].sm_lid;

	for (uint32_t i = 0; lid && lid <= SFAB_IB_LID_MAX && i < d->n; i++) {
		const struct smp_node *v = &d->device[i];
		unsigned last = v->kind == SFAB_WIRE_SWITCH ? 0 : v->nports;

		for (unsigned p = 0; p <= last; p++)
			if (v->seat[p].lid && v->seat[p].lid <= SFAB_IB_LID_MAX &&
			    lid >= v->seat[p].lid &&
			    lid < v->seat[p].lid + (1u << v->seat[p].lmc))
				return v->seat[p].guid;
	}
	return 0;
}
