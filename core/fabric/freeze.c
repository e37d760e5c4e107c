/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * freeze.c - check what a builder collected and make the fabric; see builder.h
 *
 * The steps: sort everything into the order of fabric.h, number the LIDs, make the tables,
 * resolve the ends of links, let sfab_fabric_index() derive the rest, look for loops.  Every
 * error names the file and line of the bad input.
 */

#include "core/ascending.h"
#include "core/fabric/builder_private.h"
#include "core/fabric/fabric_arrays.h"
#include "core/fabric/route.h"

#include <stdlib.h>
#include <string.h>

struct freeze {
	struct sfab_builder *b;
	struct sfab_fabric *f;
	struct sfab_err *err;
};

static int compare_built_nodes(const struct built_node *x, const struct built_node *y)
{
	return sfab_ascending_keys((uint64_t[]){ x->key.plane, x->key.guid },
				   (uint64_t[]){ y->key.plane, y->key.guid }, 2);
}

/* Compare port GUIDs.  Node GUID and port number only matter for ports without one. */
static int compare_port_guids(const struct built_port *x, const struct built_port *y)
{
	return sfab_ascending_keys((uint64_t[]){ x->key.plane, x->port_guid,
						 x->key.node_guid, x->key.num },
				   (uint64_t[]){ y->key.plane, y->port_guid,
						 y->key.node_guid, y->key.num }, 4);
}

static int compare_eports(const struct built_port *x, const struct built_port *y)
{
	int c = sfab_fabric_name_cmp(x->host, y->host);

	return c ? c : compare_port_guids(x, y);
}

/* Extend the range of a plane's LIDs by those of a port. */
static void span_lids(struct freeze *z, uint64_t plane, unsigned lid,
		      unsigned lmc)
{
	struct sfab_plane *pl = (struct sfab_plane *) &z->f->planes[plane];
	uint32_t end = lid ? lid + (1u << lmc) : 0;

	if (end > pl->lid_end)
		pl->lid_end = end;
}

/* Add the switches in order, without their tables. */
static int add_built_switches(struct freeze *z)
{
	uint32_t n = HASH_COUNT(z->b->nodes), id = 0;
	struct sfab_switch *sw = sfab_arena_take(&z->f->mem, n, sizeof(*sw));

	if (!sw)
		return sfab_no_memory(z->err);
	for (struct built_node *x = z->b->nodes; x; x = x->hh.next) {
		if (!x->is_switch)
			return sfab_builder_fail(&x->lft_origin, z->err, SFAB_EFORMAT,
						 "forwarding table of switch 0x%016llx (expected a "
						 "switch of the topology: files of two fabrics?)",
						 (unsigned long long) x->key.guid);
		if (!x->has_lft && !(z->b->flags & SFAB_BUILD_PARTIAL))
			return sfab_builder_fail(&x->origin, z->err, SFAB_EFORMAT,
						 "switch %s (0x%016llx) has no forwarding table "
						 "(expected one in the table files: files of two "
						 "fabrics?)",
						 x->name,
						 (unsigned long long) x->key.guid);
	}
	HASH_SORT(z->b->nodes, compare_built_nodes);
	z->f->switches = sw;
	z->f->nswitches = n;
	for (struct built_node *x = z->b->nodes; x; x = x->hh.next) {
		x->id = id++;
		sw[x->id] = (struct sfab_switch){
			.guid = x->key.guid, .plane = (uint32_t) x->key.plane, .lid = x->lid,
			.nports = (uint8_t) x->nports,
			.name = x->name,
		};
		span_lids(z, x->key.plane, x->lid, 0);
	}
	return 0;
}

/*
 * Refuse a port GUID that is twice in a plane: most likely files of different dates.  The error
 * names the later line and refers to the earlier one.
 */
static int check_port_guids(struct freeze *z)
{
	HASH_SORT(z->b->eports, compare_port_guids);
	for (const struct built_port *e = z->b->eports; e && e->hh.next; e = e->hh.next) {
		const struct built_port *p = e, *q = e->hh.next;

		if (!p->port_guid || p->port_guid != q->port_guid || p->key.plane != q->key.plane)
			continue;
		if (p->origin.line > q->origin.line) {
			p = e->hh.next;
			q = e;
		}
		return sfab_builder_fail(&q->origin, z->err, SFAB_EFORMAT,
					 "duplicate GUID 0x%016llx: %s, node 0x%016llx "
					 "port %u (expected it once; %s, node "
					 "0x%016llx port %u has it too)",
					 (unsigned long long) q->port_guid, q->desc,
					 (unsigned long long) q->key.node_guid, q->key.num,
					 p->desc, (unsigned long long) p->key.node_guid,
					 p->key.num);
	}
	return 0;
}

/* Add the end ports and their hosts, both in order.  There are no more hosts than ports. */
static int add_built_ports(struct freeze *z)
{
	const struct built_port *before = NULL;
	uint32_t n = HASH_COUNT(z->b->eports);
	struct sfab_host *h = sfab_arena_take(&z->f->mem, n, sizeof(*h));
	struct sfab_port *p = sfab_arena_take(&z->f->mem, n, sizeof(*p));

	if (!h || !p)
		return sfab_no_memory(z->err);
	z->f->hosts = h;
	z->f->ports = p;
	if (check_port_guids(z) < 0)
		return -1;
	HASH_SORT(z->b->eports, compare_eports);
	for (struct built_port *e = z->b->eports; e; before = e, e = e->hh.next) {
		/* SHARP aggregation nodes are inside switches and run no jobs. */
		if (!before || strcmp(e->host, before->host) != 0)
			h[z->f->nhosts++] = (struct sfab_host){
				.name = e->host, .role = e->is_router ? SFAB_HOST_OTHER :
				strstr(e->desc, "Aggregation Node") ? SFAB_HOST_SHARP :
								      SFAB_HOST_COMPUTE,
			};
		e->id = z->f->nports++;
		p[e->id] = (struct sfab_port){
			.guid = e->port_guid, .node_guid = e->key.node_guid,
			.desc = e->desc,
			.host = z->f->nhosts - 1, .plane = e->key.plane,
			.num = (uint8_t) e->key.num, .lid = e->lid, .lmc = (uint8_t) e->lmc,
		};
		span_lids(z, e->key.plane, e->lid, e->lmc);
	}
	return 0;
}

/* -- tables ----------------------------------------------------------------- */

/* Check that the ports of a table exist, and that its LIDs have an owner. */
static int check_entries(struct freeze *z, const struct built_node *n)
{
	const uint8_t *marks = z->b->plane[n->key.plane].marks, *port;
	uint32_t lid0 = 0;

	for (; (port = sfab_lid_pages_next(&n->lft, &lid0)); lid0 += SFAB_LID_PAGE)
		for (uint32_t i = 0; i < SFAB_LID_PAGE; i++) {
			uint32_t lid = lid0 + i;
			struct built_origin origin;

			if (port[i] == SFAB_PORT_NONE ||
			    (port[i] <= n->nports && marks[lid] & LID_OWNED))
				continue;
			if (port[i] <= n->nports &&
			    (z->b->forget_unknown || n->facts & SFAB_SWITCH_GROUPS_READ)) {
				z->b->forgotten++;
				continue;
			}
			origin = sfab_builder_entry_at(n, lid);
			if (port[i] > n->nports)
				return sfab_builder_fail(&origin, z->err, SFAB_EFORMAT,
							 "switch %s, LID 0x%x: port %u (expected "
							 "0-%u)",
							 n->name, lid, port[i], n->nports);
			return sfab_builder_fail(&origin, z->err, SFAB_EFORMAT,
						 "switch %s: unknown LID 0x%x (expected a LID of "
						 "the topology: files of two fabrics?)",
						 n->name, lid);
		}
	return 0;
}

/* Copy the groups of a switch, and which of them each LID uses. */
static int copy_groups(struct freeze *z, const struct built_node *n,
		       struct sfab_switch *sw, const struct sfab_plane *pl)
{
	struct sfab_group *g;
	uint16_t *by_entry;

	g = sfab_arena_take(&z->f->mem, n->ngroups, sizeof(*g));
	by_entry = sfab_arena_take(&z->f->mem, pl->nlids, sizeof(*by_entry));
	if (!g || !by_entry)
		return sfab_no_memory(z->err);
	for (uint32_t i = 0; i < n->ngroups; i++)
		for (uint32_t k = 0; k < n->group[i].nports; k++)
			if (n->group[i].port[k] < 1 || n->group[i].port[k] > n->nports)
				return sfab_builder_fail(&n->lft_origin, z->err, SFAB_EFORMAT,
							 "switch %s: group port %u (expected 1-%u)",
							 n->name, n->group[i].port[k], n->nports);
	for (uint32_t e = 0; e < pl->nlids; e++)
		if (sw->lft[e] != SFAB_PORT_NONE)
			by_entry[e] = sfab_lid_pages_group(&n->lft, pl->lid[e]);
	sw->groups = memcpy(g, n->group, n->ngroups * sizeof(*g));
	sw->ngroups = n->ngroups;
	sw->lft_group = by_entry;
	return 0;
}

/* Store the table of a switch.  LIDs without an owner are dropped: they have no entry. */
static int add_built_table(struct freeze *z, struct built_node *n, struct sfab_switch *sw)
{
	const struct sfab_plane *pl = &z->f->planes[sw->plane];
	uint8_t *lft = sfab_arena_take(&z->f->mem, pl->nlids, 1);

	if (!lft)
		return sfab_no_memory(z->err);
	if (check_entries(z, n) < 0)
		return -1;
	for (uint32_t e = 0; e < pl->nlids; e++)
		lft[e] = sfab_lid_pages_port(&n->lft, pl->lid[e]);
	sw->lft = lft;
	sw->has_lft = n->has_lft != 0;
	if (n->ngroups && copy_groups(z, n, sw, pl) < 0)
		return -1;
	/*
	 * Free each table once copied: all of them twice would be most of the memory of an
	 * import.
	 */
	sfab_lid_pages_free(&n->lft);
	free(n->group);
	n->group = NULL;
	n->ngroups = 0;
	return 0;
}

/* -- links ------------------------------------------------------------------ */

/* Find the node at one end of a cable.  0: *@id is a switch; 1: it is an end port; -1 with *err. */
static int find_cable_end(struct freeze *z, const struct built_cable *c,
			  uint64_t guid, unsigned num, uint32_t *id)
{
	const struct built_node *sw = sfab_builder_find_node(z->b, c->plane, guid);
	const struct built_port *e = sfab_builder_find_eport(z->b, c->plane, guid, num);

	/* Ports of a switch are numbered from 1; port 0 has no cable. */
	if (sw && (num < 1 || num > sw->nports))
		return sfab_builder_fail(&c->origin, z->err, SFAB_EFORMAT,
					 "switch %s: port %u (expected 1-%u)",
					 sw->name, num, sw->nports);
	if (sw || e) {
		*id = sw ? sw->id : e->id;
		return !sw;
	}
	return sfab_builder_fail(&c->origin, z->err, SFAB_EFORMAT,
				 "link to or from 0x%016llx port %u (expected a node of this "
				 "fabric)",
				 (unsigned long long) guid, num);
}

/* Set the ends of a link from those of its cable.  They decide what kind of link it is. */
static int resolve_link(struct freeze *z, const struct built_cable *c,
			struct sfab_link *l)
{
	int injects = find_cable_end(z, c, c->guid, c->num, &l->from);
	int ejects = injects < 0 ? -1 : find_cable_end(z, c, c->to_guid, c->to_num, &l->to);

	if (ejects < 0)
		return -1;
	if (injects && ejects)
		return sfab_builder_fail(&c->origin, z->err, SFAB_EFORMAT,
					 "%s is cabled to %s (expected a switch at one end)",
					 z->f->ports[l->from].desc, z->f->ports[l->to].desc);
	l->kind = injects ? SFAB_LINK_INJECT : ejects ? SFAB_LINK_EJECT : SFAB_LINK_ISL;
	l->from_port = (uint8_t) c->num;
	l->to_port = (uint8_t) c->to_num;
	l->capacity = c->capacity;
	l->up = c->state != SFAB_CABLE_DOWN;
	return 0;
}

static int compare_cables(const void *a, const void *b)
{
	const struct built_cable *x = a, *y = b;

	return sfab_ascending_keys((uint64_t[]){ x->plane, x->guid, x->num },
				   (uint64_t[]){ y->plane, y->guid, y->num }, 3);
}

/* Check that every cable is listed in both directions. */
static int check_both_ways(struct freeze *z)
{
	struct sfab_builder *b = z->b;

	for (uint32_t i = 0; i < b->ncables; i++) {
		const struct built_cable *c = &b->cable[i];
		const struct built_cable *reverse;
		struct built_cable key = {
		    .plane = c->plane, .guid = c->to_guid, .num = c->to_num};

		if (c->state == SFAB_CABLE_DIRECTED)
			continue;
		reverse = bsearch(&key, b->cable, b->ncables, sizeof(key),
				  compare_cables);
		if (!reverse)
			return sfab_builder_fail(&c->origin, z->err, SFAB_EFORMAT,
						 "one-way link 0x%016llx port %u -> 0x%016llx port "
						 "%u (expected the opposite direction too)",
						 (unsigned long long) c->guid, c->num,
						 (unsigned long long) c->to_guid,
						 c->to_num);
		if (reverse->to_guid != c->guid || reverse->to_num != c->num)
			return sfab_builder_fail(&c->origin, z->err, SFAB_EFORMAT,
						 "one-way link 0x%016llx port %u -> 0x%016llx port "
						 "%u (that port leads to 0x%016llx port %u)",
						 (unsigned long long) c->guid, c->num,
						 (unsigned long long) c->to_guid,
						 c->to_num,
						 (unsigned long long) reverse->to_guid,
						 reverse->to_num);
	}
	return 0;
}

/* Add the links in order.  A cable that sources list twice becomes one link. */
static int add_built_links(struct freeze *z)
{
	struct sfab_builder *b = z->b;
	struct sfab_link *l = sfab_arena_take(&z->f->mem, b->ncables, sizeof(*l));
	uint32_t n = 0;

	if (!l)
		return sfab_no_memory(z->err);
	/* Repeated cables become neighbors, and check_both_ways() can search. */
	if (b->ncables)
		qsort(b->cable, b->ncables, sizeof(*b->cable), compare_cables);
	for (uint32_t i = 0; i < b->ncables; i++) {
		if (resolve_link(z, &b->cable[i], &l[n]) < 0)
			return -1;
		if (n == 0 || l[n].kind != l[n - 1].kind ||
		    l[n].from != l[n - 1].from ||
		    l[n].from_port != l[n - 1].from_port)
			n++;	/* a new link; else a repeated one */
		else if (l[n].to != l[n - 1].to || l[n].to_port != l[n - 1].to_port)
			return sfab_builder_fail(&b->cable[i].origin, z->err,
						 SFAB_EFORMAT,
						 "0x%016llx port %u has two links (expected one)",
						 (unsigned long long) b->cable[i].guid,
						 b->cable[i].num);
	}
	qsort(l, n, sizeof(*l), sfab_fabric_link_cmp);
	z->f->links = l;
	z->f->nlinks = n;
	return check_both_ways(z);
}

/*
 * Reject input whose tables have a loop: it would hang real traffic and makes every route
 * through it meaningless.  Needs the derived arrays, so it runs after sfab_fabric_index().
 */
static int check_loops(struct freeze *z)
{
	const struct sfab_switch *s;
	struct built_origin origin;
	uint32_t sw, lid;
	int rc;

	for (uint32_t p = 0; p < z->f->nplanes; p++) {
		rc = sfab_route_find_loop(z->f, p, &sw, &lid);
		if (rc < 0)
			return sfab_no_memory(z->err);
		if (!rc)
			continue;
		s = &z->f->switches[sw];
		origin = sfab_builder_entry_at(sfab_builder_find_node(z->b, p, s->guid), lid);
		return sfab_builder_fail(&origin, z->err, SFAB_EFORMAT,
					 "route loop: LID 0x%x comes back to switch %s (expected "
					 "to arrive)",
					 lid, s->name);
	}
	return 0;
}

static int add_built_planes(struct freeze *z)
{
	struct sfab_plane *pl = sfab_arena_take(&z->f->mem, z->b->nplanes, sizeof(*pl));

	if (!pl)
		return sfab_no_memory(z->err);
	for (uint32_t i = 0; i < z->b->nplanes; i++)
		pl[i] = z->b->plane[i].result;
	z->f->planes = pl;
	z->f->nplanes = z->b->nplanes;
	return 0;
}

/*
 * Build the fabric, in an order that matters.  LMCs decide which LIDs have an owner, and GUID
 * names decide how ports sort into hosts, so both precede the sorting.  Ports and links use the
 * ids that sorting assigns, tables the entries of LIDs.
 */
static int freeze_fabric(struct freeze *z)
{
	z->f->adaptive = (uint8_t) sfab_builder_adaptive_state(z->b);
	z->f->time = z->b->time;
	z->f->source = z->b->source;
	if (sfab_builder_find_lmcs(z->b, z->err) < 0 ||
	    sfab_builder_name_twins(z->b, z->err) < 0 || add_built_planes(z) < 0 ||
	    add_built_switches(z) < 0 || add_built_ports(z) < 0 ||
	    sfab_fabric_index_nodes(z->f, z->err) < 0)
		return -1;
	/* Tables need the entries of LIDs. */
	for (struct built_node *n = z->b->nodes; n; n = n->hh.next)
		if (add_built_table(z, n, (struct sfab_switch *) &z->f->switches[n->id]) < 0)
			return -1;
	if (add_built_links(z) < 0 || sfab_fabric_index(z->f, z->err) < 0)
		return -1;
	return check_loops(z);
}

struct sfab_fabric *sfab_builder_freeze(struct sfab_builder *b,
					struct sfab_err *err)
{
	struct freeze z = { .b = b, .f = sfab_fabric_create(), .err = err };
	int rc = z.f ? freeze_fabric(&z) : sfab_no_memory(z.err);

	if (rc < 0) {
		sfab_fabric_destroy(z.f);
		return NULL;
	}
	/* The fabric takes over the builder's arena, for its texts and groups. */
	HASH_CLEAR(hh, b->nodes);
	HASH_CLEAR(hh, b->eports);
	sfab_arena_take_over(&z.f->mem, &b->mem);
	sfab_arena_free(&b->scratch);
	return z.f;
}
