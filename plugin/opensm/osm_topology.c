/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * osm_topology.c - a copy of OpenSM's tables -> builder -> fabric
 *
 * Same rules as io/readers/read_subnet_lst.c has for the file: a node is there if it has a link
 * to or from a switch; a link that is down may have no rate.
 */

#include "plugin/opensm/osm_topology.h"

#include <stdlib.h>
#include <string.h>

#include "core/fabric/builder.h"
#include "io/nodedesc.h"
#include "io/rate.h"
#include "io/scan.h"

#define DESC_SIZE 256

struct topology_build {
	const struct sfab_topology *t;
	const struct sfab_namemap *map;
	struct sfab_builder *b;
	uint32_t plane;
};

/* Fill the arrays, to bring their pages into memory. */
struct sfab_topology *sfab_topology_create(const struct sfab_topology *counts)
{
	struct sfab_topology *t = malloc(sizeof(*t));

	if (!t)
		return NULL;
	*t = *counts;
	t->node = sfab_arena_take_ones(&t->arena, t->nnodes, sizeof(*t->node));
	t->port = sfab_arena_take_ones(&t->arena, t->nports, sizeof(*t->port));
	t->lft = sfab_arena_take_ones(&t->arena, t->nlft, 1);
	t->names = sfab_arena_take_ones(&t->arena, t->nnames, 1);
	if (!t->arena.failed)
		return t;
	sfab_topology_destroy(t);
	return NULL;
}

void sfab_topology_destroy(struct sfab_topology *t)
{
	if (t)
		sfab_arena_free(&t->arena);
	free(t);
}

static int add_topology_switch(const struct topology_build *m,
			       const struct sfab_topo_node *n, const char *name,
			       struct sfab_err *err)
{
	if (sfab_builder_add_switch(m->b, m->plane, n->guid, name, n->nports,
				    n->lid, err))
		return -1;
	if (!n->nlft)
		return 0;
	return sfab_builder_add_lft(m->b, m->plane, n->guid, 0, m->t->lft + n->lft,
				    n->nlft, err);
}

static int add_port(const struct topology_build *m, const struct sfab_topo_node *n,
		    const struct sfab_topo_port *p, const char *name,
		    struct sfab_err *err)
{
	char host[SFAB_NODEDESC_HOST_SIZE];

	return sfab_builder_add_port(m->b, m->plane, n->guid, p->num, p->guid, name,
				     sfab_nodedesc_host(name, n->guid, host),
				     p->lid, p->lmc, err);
}

/*
 * Add a node with its links.  A node is known once a link of it counts.  Links between two
 * hosts do not count, and a link that is down may have no rate.
 */
static int add_topology_node(const struct topology_build *m,
			     const struct sfab_topo_node *n,
			     struct sfab_err *err)
{
	const char *raw = m->t->names + n->name, *name;
	const struct sfab_topo_port *p = m->t->port + n->first_port;
	char desc[DESC_SIZE];
	int known = 0;

	sfab_scan_copy(desc, sizeof(desc), raw, raw + strlen(raw));
	name = sfab_namemap_name(m->map, n->guid, desc);
	for (uint32_t i = 0; i < n->nlisted; i++, p++) {
		double rate;

		if (!n->is_switch && !p->to_switch)
			continue;	/* hosts cabled to each other */
		if (!n->is_switch && add_port(m, n, p, name, err))
			return -1;
		if (n->is_switch && !known &&
		    add_topology_switch(m, n, name, err))
			return -1;
		known = 1;
		rate =
		    sfab_rate_codes(p->width, p->speed, p->extended_speed, p->fdr10);
		if (!(rate > 0) && p->is_up)
			return sfab_fail(
			    err, SFAB_EFORMAT,
			    "0x%016llx port %u: bad link rate (found width %u, "
			    "speed %u, extended speed %u)",
			    (unsigned long long) n->guid, p->num, p->width,
			    p->speed, p->extended_speed);
		if (!(rate > 0))
			rate = sfab_rate_lane("SDR");
		if (sfab_builder_add_link(m->b, m->plane, n->guid, p->num,
					  p->to_guid, p->to_num, rate, p->is_up, err))
			return -1;
	}
	return 0;
}

struct sfab_fabric *sfab_topology_fabric(const struct sfab_topology *t,
					 const char *plane,
					 const struct sfab_namemap *map,
					 const struct sfab_fabric *past,
					 struct sfab_err *err)
{
	struct topology_build m = { .t = t, .map = map };
	struct sfab_fabric *f = NULL;
	int id, failed;

	m.b = sfab_builder_create(SFAB_BUILD_PARTIAL);
	if (!m.b) {
		sfab_no_memory(err);
		return NULL;
	}
	sfab_builder_set_past(m.b, past);
	id = sfab_builder_add_plane(m.b, plane, err);
	failed = id < 0;
	m.plane = (uint32_t) id;
	if (!failed) {
		sfab_builder_set_engine(m.b, m.plane, t->engine);
		sfab_builder_set_engines_asked(m.b, m.plane, t->engines_asked);
		sfab_builder_set_sm(m.b, m.plane, t->sm_guid);
		sfab_builder_set_source(m.b, t->source);
		sfab_builder_set_time(m.b, t->time_ms / 1000);
		sfab_builder_forget_unknown(m.b);
	}
	for (uint32_t i = 0; i < t->nnodes && !failed; i++)
		failed = add_topology_node(&m, &t->node[i], err);
	if (!failed)
		f = sfab_builder_freeze(m.b, err);
	sfab_builder_destroy(m.b);
	return f;
}
