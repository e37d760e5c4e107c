/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * discover.c - breadth first over directed routes; see discover.h
 *
 * Attributes are decoded at the byte offsets of IBA 1.4 (14.2.5).
 */

#include "io/wire/discover.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "core/resize.h"
#include "io/rate.h"

#define NODE_DESC 0x10u
#define NODE_INFO 0x11u
#define SWITCH_INFO 0x12u
#define PORT_INFO 0x15u
#define MLNX_PORT_INFO 0xFF90u	/* NVIDIA's: distinguishes FDR10 from QDR */

/* By device: from these ids on, all models of a kind can run FDR10. */
#define BULL 0x119Fu
#define MELLANOX 0x2C9u

/* Where the fields of NodeInfo begin, in bytes (IBA 1.4, 14.2.5.3). */
#define NODE_TYPE 2
#define NODE_NUM_PORTS 3
#define NODE_GUID 12
#define NODE_PORT_GUID 20
#define NODE_DEVICE_ID 30
#define NODE_LOCAL_PORT 36
#define NODE_VENDOR_ID 37	/* 24 bits */

#define TYPE_SWITCH 2
#define TYPE_ROUTER 3
#define PHYS_LINK_UP 5		/* PortPhysicalState */
#define SPEED_QDR 4		/* LinkSpeedActive */
#define LID_UNSET 0xFFFF	/* a port that no SM has configured yet */

struct known_node {
	uint64_t guid;
	uint32_t node;		/* its index */
};

struct node_search {
	const struct sfab_smp_channel *channel;
	struct sfab_err *err;
	struct sfab_discovery *found;	/* what is found so far */
	void *known;			/* tree of struct known_node, by GUID */
	uint32_t ports;
};

static unsigned get_be16(const uint8_t *bytes)
{
	return (unsigned) bytes[0] << 8 | bytes[1];
}

static uint64_t get_be64(const uint8_t *bytes)
{
	uint64_t v = 0;

	for (int i = 0; i < 8; i++)
		v = v << 8 | bytes[i];
	return v;
}

/* -- nodes by GUID ---------------------------------------------------------- */

static int compare_known_nodes(const void *a, const void *b)
{
	const struct known_node *x = a, *y = b;

	return x->guid < y->guid ? -1 : x->guid > y->guid;
}

/* Add a node not seen before, at the end of @path. */
static int add_node_found(struct node_search *search, const struct sfab_smp_path *path,
			  const uint8_t *info)
{
	struct sfab_discovery *found = search->found;
	unsigned nports = info[NODE_NUM_PORTS];
	struct known_node *known;
	struct sfab_wire_node *node;

	if (found->n == SFAB_DISCOVER_NODES || search->ports > SFAB_DISCOVER_PORTS)
		return sfab_fail(search->err, SFAB_ELIMIT, "more than %u nodes or %u "
				 "ports answer: no subnet has so many LIDs",
				 SFAB_DISCOVER_NODES, SFAB_DISCOVER_PORTS);
	known = malloc(sizeof(*known));
	if (!known || sfab_resize_one_more(&found->node, found->n, sizeof(*found->node)) < 0) {
		free(known);
		return sfab_no_memory(search->err);
	}
	*known = (struct known_node){ get_be64(info + NODE_GUID), found->n };
	if (!tsearch(known, &search->known, compare_known_nodes)) {
		free(known);
		return sfab_no_memory(search->err);
	}
	node = &found->node[found->n];
	*node = (struct sfab_wire_node){
		.path = *path, .guid = known->guid, .nports = (uint8_t) nports,
		.vendor = (uint32_t) info[NODE_VENDOR_ID] << 16 |
			  get_be16(info + NODE_VENDOR_ID + 1),
		.id = (uint16_t) get_be16(info + NODE_DEVICE_ID), .own_num = info[NODE_LOCAL_PORT],
		.kind = info[NODE_TYPE] == TYPE_SWITCH ? SFAB_WIRE_SWITCH :
			info[NODE_TYPE] == TYPE_ROUTER ? SFAB_WIRE_ROUTER : SFAB_WIRE_CA,
		.used = found->used, .port = calloc(nports + 1, sizeof(*node->port)),
	};
	if (!node->port)
		return sfab_no_memory(search->err);
	for (unsigned p = 0; p <= nports; p++) {
		node->port[p].guid = get_be64(info + NODE_PORT_GUID);
		node->port[p].to = SFAB_WIRE_NOBODY;
	}
	found->n++;
	search->ports += nports;
	return 0;
}

/* -- what they say ---------------------------------------------------------- */

static enum sfab_smp_answer ask_attribute(const struct node_search *search,
					  const struct sfab_smp_path *to,
					  unsigned id, unsigned mod, uint8_t *out)
{
	memset(out, 0, SFAB_SMP_SIZE);
	return search->channel->ask(search->channel->ctx, to, id, mod, out);
}

static int call_off(const struct node_search *search)
{
	return sfab_fail(search->err, SFAB_ELIMIT, "discovery of the subnet took too "
			 "long: %u nodes answered", search->found->n);
}

/* Return the fastest that is set, since a link can do several. */
static unsigned top_bit(unsigned bits)
{
	unsigned top = bits ? 1 : 0;

	while (bits >>= 1)
		top <<= 1;
	return top;
}

/*
 * Ask for PortInfo, and where QDR could also be FDR10 for NVIDIA's own attribute.  Only devices
 * that know it are asked, so that others need not refuse it.
 */
static enum sfab_smp_answer ask_port(struct node_search *search, uint32_t i,
				     const struct sfab_smp_path *path, unsigned p)
{
	const struct sfab_wire_node *node = &search->found->node[i];
	struct sfab_wire_port *port = &node->port[p];
	uint8_t info[SFAB_SMP_SIZE], more[SFAB_SMP_SIZE] = { 0 };
	enum sfab_smp_answer answer = ask_attribute(search, path, PORT_INFO, p, info);
	int tells_fdr10 = node->vendor == BULL ||
			  (node->vendor == MELLANOX &&
			   ((node->id >= 0x1003 && node->id < 0x2000) || node->id >= 0xC738));

	if (answer != SFAB_SMP_ANSWER)
		return answer;
	port->lid = (uint16_t) get_be16(info + 16);
	if (node->kind != SFAB_WIRE_SWITCH && port->lid == LID_UNSET)
		port->lid = 0;
	port->sm_lid = (uint16_t) get_be16(info + 18);
	port->state = info[32] & 15;
	port->phys = info[33] >> 4;
	port->lmc = info[34] & 7;
	if (tells_fdr10 && port->phys == PHYS_LINK_UP && !(info[62] >> 4) &&
	    info[35] >> 4 == SPEED_QDR)
		answer = ask_attribute(search, path, MLNX_PORT_INFO, p, more);
	/* LinkWidthActive, LinkSpeedActive, LinkSpeedExtActive; what NVIDIA says of FDR10 */
	port->rate = sfab_rate_codes(top_bit(info[31]), top_bit(info[35] >> 4),
				     top_bit(info[62] >> 4),
				     answer == SFAB_SMP_ANSWER && more[15] & 1);
	return answer == SFAB_SMP_REFUSED ? SFAB_SMP_ANSWER : answer;
}

/* Forget the cable of @port, at both ends. */
static void unplug_cable(struct sfab_discovery *d, const struct sfab_wire_port *port)
{
	if (port->to != SFAB_WIRE_NOBODY)
		d->node[port->to].port[port->to_num].to = SFAB_WIRE_NOBODY;
}

/* Connect port @p of node @a with port @q of @b, and unplug what was there before. */
static void plug_cable(struct sfab_discovery *d, uint32_t a, unsigned p,
		       uint32_t b, unsigned q)
{
	struct sfab_wire_port *x = &d->node[a].port[p], *y = &d->node[b].port[q];

	unplug_cable(d, x);
	unplug_cable(d, y);
	x->to = b;
	x->to_num = (uint8_t) q;
	y->to = a;
	y->to_num = (uint8_t) p;
}

/* Is a NodeInfo consistent, in itself and with what is known about node @i? */
static int is_node_info(const struct node_search *search, uint32_t i, const uint8_t *info)
{
	const struct sfab_wire_node *node = i != SFAB_WIRE_NOBODY ? &search->found->node[i] : NULL;
	unsigned nports = node ? node->nports : info[NODE_NUM_PORTS];
	unsigned local = info[NODE_LOCAL_PORT];
	int is_switch = node ? node->kind == SFAB_WIRE_SWITCH : info[NODE_TYPE] == TYPE_SWITCH;

	return nports && nports < 255 && local <= nports && (local || is_switch);
}

/*
 * Identify the node at the end of @path, which leaves node @from by its port @num
 * (SFAB_WIRE_NOBODY: our own).  Ports of hosts are asked right away, because no other route
 * leads to them.
 */
static int meet_node(struct node_search *search, const struct sfab_smp_path *path,
		     uint32_t from, unsigned num)
{
	struct sfab_discovery *found = search->found;
	uint8_t info[SFAB_SMP_SIZE];
	enum sfab_smp_answer answer = ask_attribute(search, path, NODE_INFO, 0, info);
	const struct known_node key = { .guid = get_be64(info + NODE_GUID) };
	struct known_node *const *seen = tfind(&key, &search->known, compare_known_nodes);
	uint32_t i = seen ? (*seen)->node : SFAB_WIRE_NOBODY;	/* not seen before */

	if (answer == SFAB_SMP_OVER)
		return call_off(search);
	/* An answer that cannot be true counts as none: it must not cost more MADs. */
	if (answer != SFAB_SMP_ANSWER || !is_node_info(search, i, info))
		return 0;
	if (i == SFAB_WIRE_NOBODY) {
		i = found->n;
		if (add_node_found(search, path, info) < 0)
			return -1;
	}
	/* LocalPortNum 0: it was not entered through a cable. */
	if (from != SFAB_WIRE_NOBODY && info[NODE_LOCAL_PORT])
		plug_cable(found, from, num, i, info[NODE_LOCAL_PORT]);
	if (found->node[i].kind == SFAB_WIRE_SWITCH)
		return 0;
	found->node[i].port[info[NODE_LOCAL_PORT]].guid = get_be64(info + NODE_PORT_GUID);
	answer = ask_port(search, i, path, info[NODE_LOCAL_PORT]);
	return answer == SFAB_SMP_OVER ? call_off(search) : 0;
}

/*
 * Ask a node for its name, and a switch for its table size.  Without answers: no name, one
 * block.
 */
static int ask_self(struct node_search *search, uint32_t i)
{
	struct sfab_wire_node *node = &search->found->node[i];
	uint8_t out[SFAB_SMP_SIZE];
	enum sfab_smp_answer answer = ask_attribute(search, &node->path, NODE_DESC, 0, out);
	size_t n = 0;

	if (answer == SFAB_SMP_ANSWER) {
		memcpy(node->desc, out, sizeof(out));
		n = strlen(node->desc);
		while (n && node->desc[n - 1] == ' ')	/* OpenSM trims them too */
			node->desc[--n] = '\0';
	}
	if (node->kind == SFAB_WIRE_SWITCH && answer != SFAB_SMP_OVER) {
		answer = ask_attribute(search, &node->path, SWITCH_INFO, 0, out);
		if (answer == SFAB_SMP_ANSWER)
			node->nblocks = get_be16(out + 6) / SFAB_LFT_BLOCK;
		node->nblocks = node->nblocks < SFAB_LFT_BLOCKS ? node->nblocks + 1 :
			     SFAB_LFT_BLOCKS;
	}
	return answer == SFAB_SMP_OVER ? call_off(search) : 0;
}

/*
 * Ask all ports before any is followed: a port whose cable became known from the other end is
 * not followed again.
 */
static int explore_ports(struct node_search *search, uint32_t i)
{
	struct sfab_discovery *found = search->found;
	enum sfab_smp_answer answer = SFAB_SMP_ANSWER;

	if (ask_self(search, i) < 0)
		return -1;
	/* A switch that does not answer for one port is not asked about the others. */
	for (unsigned p = 0; found->node[i].kind == SFAB_WIRE_SWITCH &&
			     p <= found->node[i].nports && answer != SFAB_SMP_SILENT; p++) {
		answer = ask_port(search, i, &found->node[i].path, p);
		if (answer == SFAB_SMP_OVER)
			return call_off(search);
	}
	for (unsigned p = 1; p <= found->node[i].nports; p++) {
		const struct sfab_wire_node *node = &found->node[i];
		struct sfab_smp_path path = node->path;

		/* Hosts do not forward; only our own port, on the first node, leads on. */
		if (node->port[p].phys != PHYS_LINK_UP ||
		    node->port[p].to != SFAB_WIRE_NOBODY || path.hops >= SFAB_SMP_HOPS ||
		    (node->kind != SFAB_WIRE_SWITCH && (i || p != node->own_num)))
			continue;
		path.port[++path.hops] = (uint8_t) p;
		if (meet_node(search, &path, i, p) < 0)
			return -1;
	}
	return 0;
}

/* -- what follows from it --------------------------------------------------- */

/* Note blocks in use, the subnet manager, and cables behind which nobody answered. */
static void note_port(struct sfab_discovery *d, const struct sfab_wire_node *node,
		      unsigned p, uint32_t manager)
{
	const struct sfab_wire_port *port = &node->port[p];
	uint32_t low = port->lid, end = low && low <= SFAB_IB_LID_MAX ? low + (1u << port->lmc) : 0;

	for (uint32_t lid = low; lid < end && lid <= SFAB_IB_LID_MAX; lid++)
		d->used[lid / SFAB_LFT_BLOCK] = 1;
	if (!d->sm_guid && (p == 0 || node->kind != SFAB_WIRE_SWITCH) && manager &&
	    manager >= low && manager < end)
		d->sm_guid = port->guid;
	d->silent += p > 0 && port->to == SFAB_WIRE_NOBODY && port->phys == PHYS_LINK_UP;
}

/*
 * Search breadth first, so that paths are shortest: a directed route has at most SFAB_SMP_HOPS
 * hops.
 */
static int find_all(struct node_search *search)
{
	const struct sfab_smp_path here = { 0 };
	struct sfab_discovery *found = search->found;
	const struct sfab_wire_node *own;
	uint32_t manager;

	if (meet_node(search, &here, SFAB_WIRE_NOBODY, 0) < 0)
		return -1;
	if (!found->n)
		return sfab_fail(search->err, SFAB_EIO, "the port does not answer");
	/* d->n grows in the loop: the list of nodes is the queue of the search. */
	for (uint32_t i = 0; i < found->n; i++)
		if (explore_ports(search, i) < 0)
			return -1;
	/* Our own port knows the LID of its subnet manager. */
	own = &found->node[0];
	manager = own->port[own->kind == SFAB_WIRE_SWITCH ? 0 : own->own_num].sm_lid;
	if (manager > SFAB_IB_LID_MAX)
		manager = 0;
	for (uint32_t i = 0; i < found->n; i++)
		for (unsigned p = 0; p <= found->node[i].nports; p++)
			note_port(found, &found->node[i], p, manager);
	return 0;
}

struct sfab_discovery *sfab_discover(const struct sfab_smp_channel *channel,
				     struct sfab_err *err)
{
	struct node_search s = { channel, err, calloc(1, sizeof(*s.found)), NULL, 0 };
	int rc = s.found ? find_all(&s) : sfab_no_memory(err);

	tdestroy(s.known, free);
	if (rc == 0)
		return s.found;
	sfab_discovery_destroy(s.found);
	return NULL;
}

void sfab_discovery_destroy(struct sfab_discovery *d)
{
	if (!d)
		return;
	for (uint32_t i = 0; i < d->n; i++)
		free(d->node[i].port);
	free(d->node);
	free(d);
}
