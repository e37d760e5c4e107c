/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mads.c - agents that lie, behind the functions of libibumad; see mads.h */

#include "tests/fuzz/mads.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>

#include <infiniband/mad.h>
#include <infiniband/umad.h>

#include "tests/fuzz/fuzz.h"

#define NODES 12
#define PORTS 8
#define LIES 24
#define QUEUE 16
#define ASKED_MAX 400000		/* MADs that twelve nodes cost in a sweep */
#define NOBODY NODES

struct node {
	int is_switch;
	unsigned nports;
	unsigned peer[PORTS + 1], peer_port[PORTS + 1];	/* NOBODY: no cable */
};

enum how { SET, FILL, SILENT, REFUSE };

struct lie {
	unsigned attr;		/* index in kinds[]; behind them: a cable */
	int any_port, second;
	enum how how;
	unsigned node, port, offset;
	uint8_t value;
};

struct mad_reply {
	int agent;
	struct ib_user_mad umad;	/* the header of it */
	uint8_t mad[IB_MAD_SIZE];
};

static struct {
	unsigned hosts, leaves, spines, n;
	struct node node[NODES];
	unsigned nlies;
	struct lie lie[LIES];
	int sweep;
	unsigned asked;		/* MADs of this sweep */
	unsigned nwaiting;	/* answers that nobody took yet */
	struct mad_reply waiting[QUEUE];
} net;

/* -- the subnet: hosts, leaves, spines -------------------------------------- */

static void cable(unsigned a, unsigned a_port, unsigned b, unsigned b_port)
{
	net.node[a].peer[a_port] = b;
	net.node[a].peer_port[a_port] = b_port;
	net.node[b].peer[b_port] = a;
	net.node[b].peer_port[b_port] = a_port;
}

static void draw(uint8_t shape)
{
	unsigned each = 1 + shape % 3;

	net.leaves = 1 + shape / 3 % 3;
	net.spines = shape / 9 % 3;
	net.hosts = net.leaves * each;
	if (net.hosts + net.leaves + net.spines > NODES)
		net.spines = 0;
	net.n = net.hosts + net.leaves + net.spines;
	for (unsigned i = 0; i < NODES; i++) {
		net.node[i].is_switch = i >= net.hosts;
		net.node[i].nports = net.node[i].is_switch ? PORTS : 1;
		for (unsigned p = 0; p <= PORTS; p++)
			net.node[i].peer[p] = NOBODY;
	}
	for (unsigned h = 0; h < net.hosts; h++)
		cable(h, 1, net.hosts + h / each, 1 + h % each);
	for (unsigned l = 0; l < net.leaves; l++)
		for (unsigned s = 0; s < net.spines; s++)
			cable(net.hosts + l, each + 1 + s,
			      net.hosts + net.leaves + s, l + 1);
}

static unsigned lid_of(unsigned node)
{
	return node + 1;
}

/* Port of switch @node towards @lid. */
static uint8_t way(unsigned node, unsigned lid)
{
	unsigned each = net.hosts / net.leaves, to = lid - 1;

	if (!lid || to >= net.n)
		return 0xFF;
	if (to == node)
		return 0;
	if (node >= net.hosts + net.leaves)
		return (uint8_t) (to < net.hosts ? to / each + 1 :
				  to < net.hosts + net.leaves ?
				  to - net.hosts + 1 : 0xFF);
	if (to < net.hosts && net.hosts + to / each == node)
		return (uint8_t) (1 + to % each);
	return (uint8_t) (net.spines ? each + 1 + lid % net.spines : 0xFF);
}

/* -- answers ---------------------------------------------------------------- */

static void set(uint8_t *data, enum MAD_FIELDS f, uint32_t value)
{
	mad_set_field(data, 0, f, value);
}

static void node_info(uint8_t *data, unsigned node, unsigned port)
{
	set(data, IB_NODE_BASE_VERS_F, 1);
	set(data, IB_NODE_CLASS_VERS_F, 1);
	set(data, IB_NODE_TYPE_F, net.node[node].is_switch ? 2 : 1);
	set(data, IB_NODE_NPORTS_F, net.node[node].nports);
	mad_set_field64(data, 0, IB_NODE_SYSTEM_GUID_F, 0x1000 + 16 * node);
	mad_set_field64(data, 0, IB_NODE_GUID_F, 0x1000 + 16 * node);
	mad_set_field64(data, 0, IB_NODE_PORT_GUID_F, 0x1000 + 16 * node +
			!net.node[node].is_switch);
	set(data, IB_NODE_DEVID_F, 0x1013);
	set(data, IB_NODE_VENDORID_F, 0x2C9);
	set(data, IB_NODE_LOCAL_PORT_F, port);
}

static void node_desc(uint8_t *data, unsigned node, unsigned port)
{
	snprintf((char *) data, IB_SMP_DATA_SIZE, "%s%u HCA-1",
		 net.node[node].is_switch ? "switch" : "n", node + 1);
}

static void switch_info(uint8_t *data, unsigned node, unsigned port)
{
	set(data, IB_SW_LINEAR_FDB_CAP_F, 0xC000);
	set(data, IB_SW_LINEAR_FDB_TOP_F, lid_of(net.n));
}

static void port_info(uint8_t *data, unsigned node, unsigned port)
{
	int cabled = port && port <= PORTS && net.node[node].peer[port] != NOBODY;

	set(data, IB_PORT_LID_F, lid_of(node));
	set(data, IB_PORT_SMLID_F, lid_of(0));
	set(data, IB_PORT_LOCAL_PORT_F, port);
	set(data, IB_PORT_STATE_F, cabled || !port ? 4 : 1);
	set(data, IB_PORT_PHYS_STATE_F, cabled || !port ? 5 : 2);
	set(data, IB_PORT_LINK_WIDTH_ACTIVE_F, 2);
	set(data, IB_PORT_LINK_SPEED_ACTIVE_F, 4);
	set(data, IB_PORT_CAPMASK_F, 1 << 14);	/* extended speeds */
	set(data, IB_PORT_LINK_SPEED_EXT_ACTIVE_F, 2);
}

static void ext_port_info(uint8_t *data, unsigned node, unsigned port)
{
	set(data, IB_MLNX_EXT_PORT_LINK_SPEED_ACTIVE_F, node & 1);
}

static void table(uint8_t *data, unsigned node, unsigned block)
{
	for (unsigned i = 0; i < 64; i++)
		data[i] = way(node, block * 64 + i);
}

/* Old agents, such with wide counters, such with all of them. */
static void class_port_info(uint8_t *data, unsigned node, unsigned port)
{
	set(data, IB_CPI_CAPMASK_F, node % 3 ? 0x1600 : 0x1000);
	set(data, IB_CPI_CAPMASK2_F, node % 3 == 2 ? 2 : 0);
}

static void counters(uint8_t *data, unsigned node, unsigned port)
{
	set(data, IB_PC_PORT_SELECT_F, port);
	set(data, IB_PC_XMT_BYTES_F, 1000 * node + 500 * net.sweep);
	set(data, IB_PC_RCV_BYTES_F, 2000 * node + 700 * net.sweep);
	set(data, IB_PC_XMT_WAIT_F, 10 * node);
}

static void wide_counters(uint8_t *data, unsigned node, unsigned port)
{
	mad_set_field64(data, 0, IB_PC_EXT_XMT_BYTES_F, 1000 + 500 * net.sweep);
	mad_set_field64(data, 0, IB_PC_EXT_RCV_BYTES_F, 2000 + 700 * net.sweep);
	mad_set_field64(data, 0, IB_PC_EXT_XMT_WAIT_F, 10 * net.sweep);
}

static const struct kind {
	int is_pm;
	unsigned id;
	void (*answer)(uint8_t *data, unsigned node, unsigned port);
} kinds[] = {
	{ 0, IB_ATTR_NODE_INFO, node_info },
	{ 0, IB_ATTR_NODE_DESC, node_desc },
	{ 0, IB_ATTR_SWITCH_INFO, switch_info },
	{ 0, IB_ATTR_PORT_INFO, port_info },
	{ 0, IB_ATTR_LINEARFORWTBL, table },
	{ 0, IB_ATTR_MLNX_EXT_PORT_INFO, ext_port_info },
	{ 1, CLASS_PORT_INFO, class_port_info },
	{ 1, IB_GSI_PORT_COUNTERS, counters },
	{ 1, IB_GSI_PORT_COUNTERS_EXT, wide_counters },
};
#define NKINDS (sizeof(kinds) / sizeof(kinds[0]))

/* -- lies ------------------------------------------------------------------- */

/* A cable to elsewhere; what hung there hangs in the air. */
static void move_cable(const struct lie *l)
{
	unsigned port = 1 + l->port % net.node[l->node].nports;
	unsigned to = l->offset % net.n;

	cable(l->node, port, to, 1 + l->value % net.node[to].nports);
}

static void take_lie(struct bytes *in, struct lie *l)
{
	uint8_t what = take8(in), where = take8(in);

	l->attr = what % (NKINDS + 1);
	l->how = where / 16 % 8 > 5 ? SILENT : where / 16 % 8 == 5 ? REFUSE :
		 where / 16 % 8 == 4 ? FILL : SET;
	l->any_port = what / 16 % 2;
	l->second = where >= 128;
	l->node = where % 16 % net.n;
	l->port = take8(in);
	l->offset = take8(in);
	l->value = take8(in);
	if (l->attr == NKINDS)
		move_cable(l);
}

void mads_begin(struct bytes *in)
{
	memset(&net, 0, sizeof(net));
	draw(take8(in));
	while (in->nleft && net.nlies < LIES)
		take_lie(in, &net.lie[net.nlies++]);
}

void mads_next(void)
{
	net.sweep++;
	net.asked = 0;
}

/* 0: an answer, however wrong; else the status of one that does not come. */
static unsigned lie_about(unsigned attr, unsigned node, unsigned port, uint8_t *mad)
{
	uint8_t *data = mad + IB_SMP_DATA_OFFS;

	for (unsigned i = 0; i < net.nlies; i++) {
		const struct lie *l = &net.lie[i];

		if (l->attr != attr || l->node != node ||
		    (l->second && !net.sweep) ||
		    (!l->any_port && l->port % 16 != port % 16))
			continue;
		if (l->how == SILENT)
			return ETIMEDOUT;
		if (l->how == REFUSE)
			mad[5] = l->value;
		else if (l->how == FILL)
			memset(data + l->offset % 64, l->value,
			       64 - l->offset % 64);
		else
			data[l->offset % 128] = l->value;
	}
	return 0;
}

/* Node at the end of a directed route and the port of it; NOBODY: none. */
static unsigned walk(const uint8_t *mad, unsigned *port)
{
	unsigned at = 0, hops = mad[7];	/* HopCount, and the path at 128 */

	*port = 1;
	for (unsigned i = 1; i <= hops && i < 64; i++) {
		unsigned out = mad[128 + i], next;

		if (!out || out > PORTS)
			return NOBODY;
		next = net.node[at].peer[out];
		if (next == NOBODY)
			return NOBODY;
		*port = net.node[at].peer_port[out];
		at = next;
	}
	return at;
}

static unsigned answer(const struct ib_user_mad *umad, uint8_t *mad)
{
	unsigned id = mad_get_field(mad, 0, IB_MAD_ATTRID_F), i = 0;
	unsigned mod = mad_get_field(mad, 0, IB_MAD_ATTRMOD_F), port = 0;
	unsigned class = mad_get_field(mad, 0, IB_MAD_MGMTCLASS_F), node;
	int is_pm = class == IB_PERFORMANCE_CLASS;
	uint8_t *data = mad + IB_SMP_DATA_OFFS;

	if (is_pm)
		mod = data[1];		/* PortSelect */
	node = class == IB_SMI_DIRECT_CLASS ? walk(mad, &port) :
	       ntohs(umad->addr.lid) - 1u;
	while (i < NKINDS && (kinds[i].is_pm != is_pm || kinds[i].id != id))
		i++;
	if (i == NKINDS || node >= net.n)
		return ETIMEDOUT;
	if (id != IB_ATTR_NODE_INFO || is_pm)
		port = mod;
	memset(data, 0, 64);
	kinds[i].answer(data, node, port);
	mad[3] = IB_MAD_METHOD_GET_RESPONSE;
	return lie_about(i, node, port, mad);
}

/* -- libibumad -------------------------------------------------------------- */

int umad_init(void)
{
	return 0;
}

int umad_open_port(const char *ca_name, int portnum)
{
	net.nwaiting = 0;
	return 3;
}

int umad_close_port(int portid)
{
	return 0;
}

int umad_register(int portid, int mgmt_class, int mgmt_version,
		  uint8_t rmpp_version, long method_mask[16 / sizeof(long)])
{
	return mgmt_class & 0x1F;
}

int umad_send(int portid, int agentid, void *umad, int length, int timeout_ms,
	      int retries)
{
	struct mad_reply *to = &net.waiting[net.nwaiting];

	if (net.nwaiting == QUEUE || length > IB_MAD_SIZE)
		return -EIO;
	fuzz_check(++net.asked <= ASKED_MAX);
	net.nwaiting++;
	to->agent = agentid;
	memcpy(&to->umad, umad, umad_size());
	memcpy(to->mad, umad_get_mad(umad), (size_t) length);
	to->umad.status = answer(&to->umad, to->mad);
	return 0;
}

/* Where the MAD is behind the header depends on the kernel: umad_get_mad(). */
int umad_recv(int portid, void *umad, int *length, int timeout_ms)
{
	int agent = net.waiting[0].agent;

	if (!net.nwaiting || *length < IB_MAD_SIZE) {
		errno = ETIMEDOUT;
		return -ETIMEDOUT;
	}
	memcpy(umad, &net.waiting[0].umad, umad_size());
	memcpy(umad_get_mad(umad), net.waiting[0].mad, IB_MAD_SIZE);
	*length = IB_MAD_SIZE;
	net.nwaiting--;
	memmove(&net.waiting[0], &net.waiting[1],
		net.nwaiting * sizeof(net.waiting[0]));
	return agent;
}
