/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * collect.c - a sweep over a subnet; see collect.h
 *
 * Hosts cabled to each other are not part of the fabric, nor are ports whose rate is unknown.
 */

#include "io/wire/collect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/clock.h"
#include "io/nodedesc.h"
#include "io/wire/adaptive.h"

#define SILENT_SWITCHES_MAX 4	/* after so many in a row no switch is asked whether it adapts */

struct sweep {
	struct sfab_wire *w;
	struct sfab_builder *b;
	uint32_t plane;
	const struct sfab_namemap *map;
	struct sfab_sweep *count;
	struct sfab_err *err;
	struct sfab_ar_tables *ar;	/* of one switch after the other */
	unsigned silent_switches;	/* switches in a row that did not say whether they adapt */
};

/* Return the other end, if the cable connects a switch with something else of the fabric. */
static const struct sfab_wire_node *other_end(const struct sfab_discovery *d,
					      const struct sfab_wire_node *node,
					      const struct sfab_wire_port *port)
{
	const struct sfab_wire_node *to;

	if (port->to == SFAB_WIRE_NOBODY || !(port->rate > 0))
		return NULL;
	to = &d->node[port->to];
	return node->kind == SFAB_WIRE_SWITCH || to->kind == SFAB_WIRE_SWITCH ? to : NULL;
}

static int is_link_up(const struct sfab_wire_port *port, const struct sfab_wire_node *to)
{
	return port->state == SFAB_WIRE_ACTIVE &&
	       to->port[port->to_num].state == SFAB_WIRE_ACTIVE;
}

/*
 * Give the cables of a node, each port as one direction, and before them the end ports of a
 * host.
 */
static int give_node_ports(struct sweep *s, const struct sfab_wire_node *node)
{
	const char *desc = sfab_namemap_name(s->map, node->guid, node->desc);
	char host[SFAB_NODEDESC_HOST_SIZE];

	for (unsigned p = 1; p <= node->nports; p++) {
		const struct sfab_wire_port *port = &node->port[p];
		const struct sfab_wire_node *to = other_end(sfab_wire_found(s->w), node, port);

		if (!to)
			continue;
		/* The host's name follows from the description, as for dump files. */
		if (node->kind != SFAB_WIRE_SWITCH &&
		    sfab_builder_add_port(s->b, s->plane, node->guid, p, port->guid,
					  desc, sfab_nodedesc_host(desc, node->guid, host),
					  port->lid, port->lmc, s->err) < 0)
			return -1;
		if (sfab_builder_add_link(s->b, s->plane, node->guid, p, to->guid,
					  port->to_num, port->rate, is_link_up(port, to),
					  s->err) < 0)
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
	if (sfab_builder_add_switch(s->b, s->plane, node->guid,
				    sfab_namemap_name(s->map, node->guid, node->desc),
				    node->nports, node->port[0].lid, s->err) < 0)
		return -1;
	sfab_builder_set_device(s->b, s->plane, node->guid, node->vendor, node->id);
	return give_node_ports(s, node);
}

/*
 * Give the table of switch @i, all blocks or none: one with a gap would look like routes that
 * are missing.  A switch that does not answer is only counted: the rest of the fabric is still
 * of use.
 */
static int give_plain_table(struct sweep *s, uint32_t i,
			    const struct sfab_wire_node *node)
{
	uint8_t *table = s->ar->port;	/* its room is that of all LIDs */

	for (uint32_t block = 0; block < node->nblocks; block++)
		if (sfab_wire_lft(s->w, i, block, table + block * SFAB_LFT_BLOCK) < 0) {
			s->count->tableless++;
			return 0;
		}
	return sfab_builder_add_lft(s->b, s->plane, node->guid, 0, table,
				    node->nblocks * SFAB_LFT_BLOCK, s->err);
}

/* Give the table with even shares: what the switch chooses is known to nobody. */
static int give_adaptive_table(struct sweep *s, const struct sfab_wire_node *node)
{
	const struct sfab_ar_tables *t = s->ar;
	double even[SFAB_SWITCH_PORTS_MAX];

	for (unsigned i = 0; i < SFAB_SWITCH_PORTS_MAX; i++)
		even[i] = 1.0;
	if (sfab_builder_add_lft(s->b, s->plane, node->guid, 0, t->port, t->nlids, s->err) < 0)
		return -1;
	sfab_builder_add_fact(s->b, s->plane, node->guid, SFAB_SWITCH_GROUPS_READ);
	for (uint32_t lid = 0; lid < t->nlids; lid++) {
		const struct sfab_ar_group *g;

		if (!t->group[lid])
			continue;
		g = &t->groups[t->group[lid] - 1];
		sfab_builder_set_adaptive(s->b, SFAB_ADAPTIVE_GROUPS);
		if (sfab_builder_add_group(s->b, s->plane, node->guid, lid, g->port, even,
					   g->n, s->err) < 0)
			return -1;
	}
	return 0;
}

/*
 * Give the table of switch @i, with its groups if it adapts.  After some silent switches in a
 * row no other is asked whether it does, since each costs a time-out.
 */
static int give_table(struct sweep *s, uint32_t i,
		      const struct sfab_wire_node *node)
{
	enum sfab_ar_answer answer = SFAB_AR_UNSUPPORTED;

	if (s->silent_switches < SILENT_SWITCHES_MAX &&
	    sfab_builder_has_fact(s->b, s->plane, node->guid, SFAB_SWITCH_CAN_ADAPT)) {
		answer = sfab_wire_adaptive(s->w, i, s->ar);
		s->silent_switches = answer == SFAB_AR_MUTE ? s->silent_switches + 1 : 0;
	}
	if (answer == SFAB_AR_OFF)
		sfab_builder_add_fact(s->b, s->plane, node->guid, SFAB_SWITCH_ADAPTS_NOT);
	if ((answer == SFAB_AR_UNCLEAR || answer == SFAB_AR_MUTE) && !s->count->unclear++)
		snprintf(s->count->unclear_why, sizeof(s->count->unclear_why), "%s %s",
			 sfab_namemap_name(s->map, node->guid, node->desc), s->ar->reason);
	if (answer == SFAB_AR_UNCLEAR)
		sfab_builder_set_adaptive(s->b, SFAB_ADAPTIVE_UNKNOWN);
	if (answer != SFAB_AR_ON && answer != SFAB_AR_UNCLEAR)
		return give_plain_table(s, i, node);
	for (unsigned trait = 0; trait < SFAB_AR_TRAITS; trait++)
		s->count->trait_switches[trait] += s->ar->traits >> trait & 1;
	return s->ar->nlids ? give_adaptive_table(s, node) : give_plain_table(s, i, node);
}

/* Give nodes first, then tables: the builder wants to know a switch before its entries. */
int sfab_collect_fabric(struct sfab_wire *w, struct sfab_builder *b,
			uint32_t plane, const struct sfab_namemap *map,
			struct sfab_sweep *count, struct sfab_err *err)
{
	struct sweep s = { w, b, plane, map, count, err, NULL, 0 };
	const struct sfab_discovery *d;
	int rc = 0;

	if (sfab_wire_discover(w, err) < 0)
		return -1;
	d = sfab_wire_found(w);
	count->silent += d->silent;
	sfab_builder_set_sm(b, plane, d->sm_guid);
	for (uint32_t i = 0; i < d->n; i++)
		if (give_swept_node(&s, &d->node[i]) < 0)
			return -1;
	s.ar = malloc(sizeof(*s.ar));
	if (!s.ar)
		return sfab_no_memory(err);
	for (uint32_t i = 0; i < d->n && rc == 0; i++)
		if (d->node[i].kind == SFAB_WIRE_SWITCH)
			rc = give_table(&s, i, &d->node[i]);
	free(s.ar);
	return rc;
}

/* -- counters --------------------------------------------------------------- */

/* Is the port up and part of the fabric, so that it is counted? */
static int is_counted(const struct sfab_discovery *d, const struct sfab_wire_node *node,
		      unsigned port)
{
	const struct sfab_wire_node *to = other_end(d, node, &node->port[port]);

	return to && is_link_up(&node->port[port], to);
}

/*
 * Append a row for a port, if it can be read or could be before.  An old row keeps its old
 * time, so nobody takes it for new.
 */
static void read_port(struct sfab_wire *w, uint32_t i, uint8_t port, int clear,
		      const struct sfab_counters *previous, struct sfab_counters *c,
		      struct sfab_sweep *count)
{
	struct sfab_counter *row = &c->row[c->n];
	const struct sfab_counter *old;

	if (sfab_wire_count(w, i, port, row) == 0) {
		c->n++;
		count->ports++;
		count->stuck += (row->flags & SFAB_COUNTER_STUCK) != 0;
		if (clear && row->flags & SFAB_COUNTER_STUCK)
			sfab_wire_clear_wait(w, i, port);
		return;
	}
	count->missed++;
	old = previous ? sfab_counters_find(previous, row->guid, port) : NULL;
	if (old) {
		*row = *old;
		c->n++;
	}
}

/* Set the time to the end of the sweep.  Each row has its own as well. */
struct sfab_counters *sfab_collect_counters(struct sfab_wire *const *wires,
					    uint32_t nwires,
					    const struct sfab_counters *previous,
					    int clear, struct sfab_sweep *count,
					    struct sfab_err *err)
{
	struct sfab_counters *c;
	uint32_t capacity = 0;

	for (uint32_t i = 0; i < nwires; i++)
		for (uint32_t k = 0; k < sfab_wire_found(wires[i])->n; k++)
			capacity += sfab_wire_found(wires[i])->node[k].nports;
	c = sfab_counters_create(capacity);
	if (!c) {
		sfab_no_memory(err);
		return NULL;
	}
	c->n = 0;
	for (uint32_t i = 0; i < nwires; i++) {
		const struct sfab_discovery *d = sfab_wire_found(wires[i]);

		for (uint32_t k = 0; k < d->n; k++)
			for (unsigned p = 1; p <= d->node[k].nports; p++)
				if (is_counted(d, &d->node[k], p))
					read_port(wires[i], k, (uint8_t) p, clear, previous, c,
						  count);
	}
	strcpy(c->source, "collect");
	c->missed = count->missed;
	c->time_ms = sfab_clock_realtime_ms();
	if (sfab_counters_sort(c, err) == 0)
		return c;
	sfab_counters_destroy(c);
	return NULL;
}
