/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * freeze.c - check what a builder collected and make the fabric
 *
 * The steps: sort everything into the order of fabric.h, number the LIDs, make the
 * tables (freeze_tables.c), resolve the ends of links, let sfab_fabric_index() derive
 * the rest, look for loops.  Every error names the file and line of the bad input.
 */

#include "core/fabric/builder_private.h"
#include "core/fabric/fabric_private.h"
#include "core/fabric/freeze_private.h"
#include "core/fabric/route.h"

#include <stdlib.h>
#include <string.h>

static int compare_keys(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_switch_nodes(const void *a, const void *b)
{
	const struct node *x = *(struct node *const *) a;
	const struct node *y = *(struct node *const *) b;
	int c = compare_keys(x->key.plane, y->key.plane);

	return c ? c : compare_keys(x->key.guid, y->key.guid);
}

/* Node GUID and port number only matter for ports without a GUID. */
static int compare_eports(const void *a, const void *b)
{
	const struct eport *x = *(struct eport *const *) a;
	const struct eport *y = *(struct eport *const *) b;
	int c = sfab_name_cmp(x->host, y->host);

	if (c == 0)
		c = compare_keys(x->key.plane_num >> 8, y->key.plane_num >> 8);
	if (c == 0)
		c = compare_keys(x->port_guid, y->port_guid);
	if (c == 0)
		c = compare_keys(x->key.node_guid, y->key.node_guid);
	return c ? c : compare_keys(x->key.plane_num, y->key.plane_num);
}

/* The greatest LID of a plane. */
static void span_lids(struct freeze *z, uint64_t plane, unsigned lid,
		      unsigned lmc)
{
	struct sfab_plane *pl = (struct sfab_plane *) &z->f->planes[plane];
	uint32_t end = lid ? lid + (1u << lmc) : 0;

	if (end > pl->lid_end)
		pl->lid_end = end;
}

static int sort_nodes(struct freeze *z)
{
	struct node *n, *next;
	uint32_t k = 0;

	z->sw = calloc(HASH_COUNT(z->b->nodes) + 1u, sizeof(struct node *));
	if (!z->sw)
		return sfab_no_memory(z->err);
	HASH_ITER(hh, z->b->nodes, n, next) {
		if (!n->is_switch)
			return sfab_builder_fail(&n->lft_at, z->err, SFAB_EFORMAT,
					    "forwarding table of switch 0x%016llx (expected a switch of the topology: files of two fabrics?)",
					    (unsigned long long) n->key.guid);
		if (!n->has_lft && !(z->b->flags & SFAB_BUILD_PARTIAL))
			return sfab_builder_fail(&n->at, z->err, SFAB_EFORMAT,
					    "switch %s (0x%016llx) has no forwarding table (expected one in the table files: files of two fabrics?)",
					    n->name,
					    (unsigned long long) n->key.guid);
		z->sw[k++] = n;
	}
	qsort(z->sw, k, sizeof(struct node *), compare_switch_nodes);
	z->f->nswitches = k;
	for (uint32_t i = 0; i < k; i++) {
		z->sw[i]->id = i;
		span_lids(z, z->sw[i]->key.plane, z->sw[i]->lid, 0);
	}
	return 0;
}

static int compare_port_guids(const void *a, const void *b)
{
	const struct eport *x = *(struct eport *const *) a;
	const struct eport *y = *(struct eport *const *) b;
	int c = compare_keys(x->key.plane_num >> 8, y->key.plane_num >> 8);

	return c ? c : compare_keys(x->port_guid, y->port_guid);
}

/*
 * A port GUID twice in a plane: most likely files of different dates.  The
 * error names the later line and refers to the earlier one.
 */
static int check_port_guids(struct freeze *z)
{
	const struct eport *p, *q;
	int rc = 0;

	qsort(z->ep, z->f->nports, sizeof(struct eport *), compare_port_guids);
	for (uint32_t i = 1; i < z->f->nports && rc == 0; i++) {
		p = z->ep[i - 1];
		q = z->ep[i];
		if (!p->port_guid || compare_port_guids(&p, &q) != 0)
			continue;
		if (p->at.line > q->at.line) {
			p = z->ep[i];
			q = z->ep[i - 1];
		}
		rc = sfab_builder_fail(&q->at, z->err, SFAB_EFORMAT,
				       "duplicate GUID 0x%016llx: %s, node 0x%016llx "
				       "port %u (expected it once; %s, node "
				       "0x%016llx port %u has it too)",
				       (unsigned long long) q->port_guid, q->desc,
				       (unsigned long long) q->key.node_guid,
				       (unsigned) (q->key.plane_num & 0xFF), p->desc,
				       (unsigned long long) p->key.node_guid,
				       (unsigned) (p->key.plane_num & 0xFF));
	}
	return rc;
}

static int sort_eports(struct freeze *z)
{
	struct eport *p, *next;
	uint32_t k = 0, hosts = 0;

	z->ep = calloc(HASH_COUNT(z->b->eports) + 1u, sizeof(struct eport *));
	if (!z->ep)
		return sfab_no_memory(z->err);
	HASH_ITER(hh, z->b->eports, p, next)
		z->ep[k++] = p;
	z->f->nports = k;
	if (check_port_guids(z) < 0)
		return -1;
	qsort(z->ep, k, sizeof(struct eport *), compare_eports);
	for (uint32_t i = 0; i < k; i++) {
		p = z->ep[i];
		hosts += i == 0 || strcmp(p->host, z->ep[i - 1]->host) != 0;
		p->id = i;
		p->host_id = hosts - 1;
		span_lids(z, p->key.plane_num >> 8, p->lid, p->lmc);
	}
	z->f->nhosts = hosts;
	return 0;
}

static int put_ports(struct freeze *z)
{
	struct sfab_host *h;
	struct sfab_port *p;

	h = sfab_arena_take(&z->f->mem, z->f->nhosts, sizeof(*h));
	p = sfab_arena_take(&z->f->mem, z->f->nports, sizeof(*p));
	if (!h || !p)
		return sfab_no_memory(z->err);
	z->f->hosts = h;
	z->f->ports = p;
	for (uint32_t i = 0; i < z->f->nports; i++) {
		const struct eport *e = z->ep[i];

		p[i].guid = e->port_guid;
		p[i].node_guid = e->key.node_guid;
		p[i].desc = sfab_arena_strdup(&z->f->mem, e->desc);
		p[i].host = e->host_id;
		p[i].plane = (uint32_t) (e->key.plane_num >> 8);
		p[i].num = (uint8_t) e->key.plane_num;
		p[i].lid = e->lid;
		p[i].lmc = (uint8_t) e->lmc;
		if (!h[e->host_id].name) {
			h[e->host_id].name = sfab_arena_strdup(&z->f->mem, e->host);
			/* SHARP aggregation nodes are inside switches and run no jobs. */
			h[e->host_id].role = e->is_router ? SFAB_HOST_OTHER :
					     strstr(e->desc, "Aggregation Node") ?
					     SFAB_HOST_SHARP : SFAB_HOST_COMPUTE;
		}
		if (!p[i].desc || !h[e->host_id].name)
			return sfab_no_memory(z->err);
	}
	return 0;
}

static int put_switches(struct freeze *z)
{
	struct sfab_switch *sw;

	sw = sfab_arena_take(&z->f->mem, z->f->nswitches, sizeof(*sw));
	if (!sw)
		return sfab_no_memory(z->err);
	z->f->switches = sw;
	for (uint32_t i = 0; i < z->f->nswitches; i++) {
		const struct node *n = z->sw[i];

		sw[i].guid = n->key.guid;
		sw[i].plane = (uint32_t) n->key.plane;
		sw[i].lid = n->lid;
		sw[i].nports = (uint8_t) n->nports;
		sw[i].name = sfab_arena_strdup(&z->f->mem, n->name);
		if (!sw[i].name)
			return sfab_no_memory(z->err);
	}
	return 0;
}

/* The node at one end of a cable. */
struct link_end {
	const struct node *sw;	/* NULL: an end port */
	const struct eport *ep;	/* NULL: a switch */
};

static int find_cable_end(struct freeze *z, const struct cable *c,
			  uint64_t guid, unsigned num, struct link_end *e)
{
	e->ep = NULL;
	e->sw = sfab_builder_find_node(z->b, c->plane, guid);
	if (e->sw) {
		/*
		 * Ports of a switch are numbered from 1; port 0 has no cable.
		 */
		if (num >= 1 && num <= e->sw->nports)
			return 0;
		return sfab_builder_fail(&c->at, z->err, SFAB_EFORMAT,
				    "switch %s: port %u (expected 1-%u)",
				    e->sw->name, num, e->sw->nports);
	}
	e->ep = sfab_builder_find_eport(z->b, c->plane, guid, num);
	if (e->ep)
		return 0;
	return sfab_builder_fail(&c->at, z->err, SFAB_EFORMAT,
			    "link to or from 0x%016llx port %u (expected a node of this fabric)",
			    (unsigned long long) guid, num);
}

/*
 * Order of fabric.h: links of switches by switch and port, then inject links.
 */
static int compare_links_by_port(const void *a, const void *b)
{
	const struct sfab_link *x = a, *y = b;
	int xi = x->kind == SFAB_LINK_INJECT, yi = y->kind == SFAB_LINK_INJECT;

	if (xi != yi)
		return xi - yi;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->from_port != y->from_port)
		return x->from_port < y->from_port ? -1 : 1;
	return x->to != y->to ? (x->to < y->to ? -1 : 1)
			      : (int) x->to_port - (int) y->to_port;
}

static int put_link(struct freeze *z, const struct cable *c,
		    struct sfab_link *l)
{
	struct link_end a, b;

	if (find_cable_end(z, c, c->guid, c->num, &a) < 0 ||
	    find_cable_end(z, c, c->to_guid, c->to_num, &b) < 0)
		return -1;
	if (a.ep && b.ep)
		return sfab_builder_fail(&c->at, z->err, SFAB_EFORMAT,
				    "%s is cabled to %s (expected a switch at one end)",
				    a.ep->desc, b.ep->desc);
	l->from = a.sw ? a.sw->id : a.ep->id;
	l->to = b.sw ? b.sw->id : b.ep->id;
	l->kind = a.ep ? SFAB_LINK_INJECT : b.ep ? SFAB_LINK_EJECT : SFAB_LINK_ISL;
	l->from_port = (uint8_t) c->num;
	l->to_port = (uint8_t) c->to_num;
	l->capacity = c->capacity;
	l->up = c->up != 0;
	return 0;
}

static int compare_cables(const void *a, const void *b)
{
	const struct cable *x = a, *y = b;
	int c = compare_keys(x->plane, y->plane);

	if (c == 0)
		c = compare_keys(x->guid, y->guid);
	if (c == 0)
		c = compare_keys(x->num, y->num);
	return c;
}

/* Every cable must be listed in both directions. */
static int check_both_ways(struct freeze *z)
{
	struct sfab_builder *b = z->b;

	for (uint32_t i = 0; i < b->ncables; i++) {
		const struct cable *c = &b->cable[i];
		const struct cable *r;
		struct cable key = {
		    .plane = c->plane, .guid = c->to_guid, .num = c->to_num};

		if (c->is_directed)
			continue;
		r = bsearch(&key, b->cable, b->ncables, sizeof(key),
			    compare_cables);
		if (!r)
			return sfab_builder_fail(&c->at, z->err, SFAB_EFORMAT,
					    "one-way link 0x%016llx port %u -> 0x%016llx port %u (expected the opposite direction too)",
					    (unsigned long long) c->guid, c->num,
					    (unsigned long long) c->to_guid,
					    c->to_num);
		if (r->to_guid != c->guid || r->to_num != c->num)
			return sfab_builder_fail(&c->at, z->err, SFAB_EFORMAT,
					    "one-way link 0x%016llx port %u -> 0x%016llx port %u (that port leads to 0x%016llx port %u)",
					    (unsigned long long) c->guid, c->num,
					    (unsigned long long) c->to_guid,
					    c->to_num,
					    (unsigned long long) r->to_guid,
					    r->to_num);
	}
	return 0;
}

static int put_fabric_links(struct freeze *z)
{
	struct sfab_builder *b = z->b;
	struct sfab_link *l = sfab_arena_take(&z->f->mem, b->ncables, sizeof(*l));
	uint32_t n = 0;

	if (!l)
		return sfab_no_memory(z->err);
	if (b->ncables)
		/*
		 * Repeated cables become neighbors, and find_cable() can
		 * search.
		 */
		qsort(b->cable, b->ncables, sizeof(*b->cable), compare_cables);
	for (uint32_t i = 0; i < b->ncables; i++) {
		if (put_link(z, &b->cable[i], &l[n]) < 0)
			return -1;
		if (n == 0 || l[n].kind != l[n - 1].kind ||
		    l[n].from != l[n - 1].from ||
		    l[n].from_port != l[n - 1].from_port)
			n++;	/* a new link; else a repeated one */
		else if (l[n].to != l[n - 1].to || l[n].to_port != l[n - 1].to_port)
			return sfab_builder_fail(&b->cable[i].at, z->err,
					    SFAB_EFORMAT,
					    "0x%016llx port %u has two links (expected one)",
					    (unsigned long long) b->cable[i].guid,
					    b->cable[i].num);
	}
	qsort(l, n, sizeof(*l), compare_links_by_port);
	z->f->links = l;
	z->f->nlinks = n;
	return check_both_ways(z);
}

/*
 * A loop would hang real traffic and makes every route through it meaningless,
 * so the input is rejected.  Needs the derived arrays: runs after
 * sfab_fabric_index().
 */
static int check_loops(struct freeze *z)
{
	struct origin at;
	uint32_t sw, lid;
	int rc;

	for (uint32_t p = 0; p < z->f->nplanes; p++) {
		rc = sfab_route_find_loop(z->f, p, &sw, &lid);
		if (rc < 0)
			return sfab_no_memory(z->err);
		if (!rc)
			continue;
		at = sfab_builder_entry_at(z->sw[sw], lid);
		return sfab_builder_fail(&at, z->err, SFAB_EFORMAT,
				    "route loop: LID 0x%x comes back to switch %s (expected to arrive)",
				    lid, z->f->switches[sw].name);
	}
	return 0;
}

/*
 * The order matters.  LMCs decide which LIDs have an owner, and GUID names
 * decide how ports sort into hosts; both precede the sorting.  Ports
 * and links use the ids that sorting assigns, tables the entries of LIDs.
 */
static int fill_fabric(struct freeze *z)
{
	struct sfab_plane *pl;

	z->f->adaptive = (uint8_t) sfab_builder_adaptive_state(z->b);
	z->f->time = z->b->time;
	if (z->b->source)
		z->f->source = sfab_arena_strdup(&z->f->mem, z->b->source);
	if (!z->f->source)
		return sfab_no_memory(z->err);
	if (sfab_builder_find_lmcs(z->b, z->err) < 0 ||
	    sfab_builder_name_twins(z->b, z->err) < 0)
		return -1;
	pl = sfab_arena_take(&z->f->mem, z->b->nplanes, sizeof(*pl));
	if (!pl)
		return sfab_no_memory(z->err);
	for (uint32_t i = 0; i < z->b->nplanes; i++) {
		const struct plane *p = &z->b->plane[i];

		pl[i].name = sfab_arena_strdup(&z->f->mem, p->name);
		pl[i].engine =
		    sfab_arena_strdup(&z->f->mem, p->engine ? p->engine : "");
		pl[i].asked =
		    sfab_arena_strdup(&z->f->mem, p->asked ? p->asked : "");
		pl[i].sm_guid = p->sm_guid;
		pl[i].lid_end = 1;
		if (!pl[i].name || !pl[i].engine || !pl[i].asked)
			return sfab_no_memory(z->err);
	}
	z->f->planes = pl;
	z->f->nplanes = z->b->nplanes;
	if (sort_nodes(z) < 0 || sort_eports(z) < 0 || put_switches(z) < 0 ||
	    put_ports(z) < 0 || sfab_fabric_index_nodes(z->f, z->err) < 0 ||
	    sfab_freeze_tables(z) < 0 || put_fabric_links(z) < 0 ||
	    sfab_fabric_index(z->f, z->err) < 0)
		return -1;
	return check_loops(z);
}

struct sfab_fabric *sfab_builder_freeze(struct sfab_builder *b,
					struct sfab_err *err)
{
	struct freeze z = { .b = b, .f = sfab_fabric_create(), .err = err };
	int rc = z.f ? fill_fabric(&z) : sfab_no_memory(z.err);

	free(z.sw);
	free(z.ep);
	if (rc == 0)
		return z.f;
	sfab_fabric_destroy(z.f);
	return NULL;
}
