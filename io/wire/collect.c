/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * collect.c - a sweep over a subnet; see collect.h
 *
 * Hosts cabled to each other are not part of the fabric, nor are ports whose rate
 * is unknown.
 */

#include "io/wire/collect.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/nodedesc.h"

struct sweep {
	struct sfab_wire *w;
	struct sfab_builder *b;
	uint32_t plane;
	const struct sfab_namemap *map;
	struct sfab_sweep *count;
	struct sfab_err *err;
};

/* Does this cable connect a switch with something else of the fabric? */
static int is_ours(const struct sfab_wire_node *node,
		   const struct sfab_wire_port *port)
{
	return (node->kind == SFAB_WIRE_SWITCH ||
		port->to_kind == SFAB_WIRE_SWITCH) && port->rate > 0;
}

/* The host's name follows from the description, as for dump files. */
static int give_swept_port(struct sweep *s, const struct sfab_wire_node *node,
			   const struct sfab_wire_port *port)
{
	const char *desc = sfab_namemap_name(s->map, node->guid, node->desc);
	char host[SFAB_NODEDESC_HOST_SIZE];

	return sfab_builder_port(s->b, s->plane, node->guid, port->num,
				 port->guid, desc,
				 sfab_nodedesc_host(desc, node->guid, host),
				 port->lid, port->lmc, s->err);
}

static int give_node_ports(struct sweep *s, const struct sfab_wire_node *node)
{
	for (uint32_t i = 0; i < node->n; i++) {
		const struct sfab_wire_port *port = &node->port[i];

		if (!is_ours(node, port))
			continue;
		if (node->kind != SFAB_WIRE_SWITCH &&
		    give_swept_port(s, node, port) < 0)
			return -1;
		if (sfab_builder_link(s->b, s->plane, node->guid, port->num,
				      port->to_guid, port->to_num, port->rate,
				      port->up, s->err) < 0)
			return -1;
	}
	return 0;
}

static int give_swept_node(struct sweep *s, const struct sfab_wire_node *node)
{
	if (node->kind != SFAB_WIRE_SWITCH) {
		s->count->hosts++;
		return give_node_ports(s, node);
	}
	s->count->switches++;
	if (sfab_builder_switch(s->b, s->plane, node->guid,
				sfab_namemap_name(s->map, node->guid, node->desc),
				node->nports, node->lid, s->err) < 0)
		return -1;
	sfab_builder_device(s->b, s->plane, node->guid, node->vendor, node->id);
	return give_node_ports(s, node);
}

/*
 * The table of switch @i.  One that does not answer for a block is only counted:
 * the rest of the fabric is still of use.
 */
static int give_table(struct sweep *s, uint32_t i,
		      const struct sfab_wire_node *node)
{
	unsigned n = node->nblocks * SFAB_LFT_BLOCK;
	uint8_t *table = malloc((size_t) node->nblocks * SFAB_LFT_BLOCK + 1);
	uint32_t block = 0;
	int rc = 0;

	if (!table)
		return sfab_no_memory(s->err);
	/*
	 * All blocks or none: a table with a gap would look like routes that are
	 * missing.
	 */
	while (block < node->nblocks &&
	       sfab_wire_lft(s->w, i, block,
			     table + (size_t) block * SFAB_LFT_BLOCK) >= 0)
		block++;
	/* The last block may go beyond the LIDs that a subnet can have. */
	if (n > SFAB_IB_LID_MAX + 1u)
		n = SFAB_IB_LID_MAX + 1u;
	if (block < node->nblocks)
		s->count->tableless++;
	else
		rc = sfab_builder_lft(s->b, s->plane, node->guid, 0, table, n,
				      s->err);
	free(table);
	return rc;
}

/*
 * Nodes first, then tables: the builder wants to know a switch before its
 * entries.
 */
int sfab_collect_fabric(struct sfab_wire *w, struct sfab_builder *b,
			uint32_t plane, const struct sfab_namemap *map,
			struct sfab_sweep *count, struct sfab_err *err)
{
	struct sweep s = { w, b, plane, map, count, err };
	const struct sfab_wire_node *node;
	uint32_t n;

	if (sfab_wire_discover(w, err) < 0)
		return -1;
	n = sfab_wire_nodes(w, &node);
	count->silent += sfab_wire_silent(w);
	sfab_builder_sm(b, plane, sfab_wire_sm(w));
	for (uint32_t i = 0; i < n; i++)
		if (give_swept_node(&s, &node[i]) < 0)
			return -1;
	for (uint32_t i = 0; i < n; i++)
		if (node[i].kind == SFAB_WIRE_SWITCH &&
		    give_table(&s, i, &node[i]) < 0)
			return -1;
	return 0;
}

/* counters */

static uint32_t count_ports(const struct sfab_wire *w)
{
	const struct sfab_wire_node *node;
	uint32_t n = sfab_wire_nodes(w, &node), ports = 0;

	for (uint32_t i = 0; i < n; i++)
		ports += node[i].n;
	return ports;
}

/*
 * Append a row if the port can be read, or could be before.  An old row keeps
 * its old time, so nobody takes it for new.
 */
static void read_port(struct sfab_wire *w, uint32_t i, uint8_t port, int clear,
		      const struct sfab_counters *before,
		      struct sfab_counters *c, struct sfab_sweep *s)
{
	struct sfab_counter *row = &c->row[c->n];
	const struct sfab_counter *old;

	if (sfab_wire_count(w, i, port, row) == 0) {
		c->n++;
		s->ports++;
		s->stuck += (row->flags & SFAB_COUNTER_STUCK) != 0;
		if (clear && row->flags & SFAB_COUNTER_STUCK)
			sfab_wire_clear_wait(w, i, port);
		return;
	}
	s->missed++;
	old = before ? sfab_counters_find(before, row->guid, port) : NULL;
	if (old) {
		*row = *old;
		c->n++;
	}
}

static void read_ports(struct sfab_wire *w, int clear,
		       const struct sfab_counters *before,
		       struct sfab_counters *c, struct sfab_sweep *s)
{
	const struct sfab_wire_node *node;
	uint32_t n = sfab_wire_nodes(w, &node);

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < node[i].n; k++)
			if (node[i].port[k].up && is_ours(&node[i], &node[i].port[k]))
				read_port(w, i, node[i].port[k].num, clear,
					  before, c, s);
}

/* Time is that of the end of the sweep; each row has its own as well. */
struct sfab_counters *sfab_collect_counters(struct sfab_wire *const *w,
					    uint32_t n,
					    const struct sfab_counters *before,
					    int clear, struct sfab_sweep *s,
					    struct sfab_err *err)
{
	struct sfab_counters *c;
	uint32_t room = 0;
	struct timespec now;

	for (uint32_t i = 0; i < n; i++)
		room += count_ports(w[i]);
	c = sfab_counters_create(room);
	if (!c) {
		sfab_no_memory(err);
		return NULL;
	}
	c->n = 0;
	for (uint32_t i = 0; i < n; i++)
		read_ports(w[i], clear, before, c, s);
	strcpy(c->source, "collect");
	c->missed = s->missed;
	clock_gettime(CLOCK_REALTIME, &now);
	c->time_ms =
	    (uint64_t) now.tv_sec * 1000 + (uint64_t) now.tv_nsec / 1000000;
	if (sfab_counters_sort(c, err) == 0)
		return c;
	sfab_counters_destroy(c);
	return NULL;
}
