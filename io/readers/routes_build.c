/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * routes_build.c - a fabric from hosts, cables and routes; see routes.h
 *
 * LIDs are the hosts' numbers from 1 on; switches have none.  GUIDs are invented, 0x02...
 * (locally administered): number of the node, then which part of it.
 */

#include "io/readers/routes.h"

#include <stdio.h>
#include <stdlib.h>

enum { PART_HOST, PART_IN, PART_OUT };

struct routes_build {
	const struct sfab_routes *r;
	const struct sfab_reader_ctx *ctx;
	struct sfab_err *err;
};

/*
 * Make the GUID of a part of a node.  With 8 bits for the part each node has 256 GUIDs of its
 * own.
 */
static uint64_t guid_of(uint32_t node, unsigned part)
{
	return 0x0200000000000000 | (uint64_t) node << 8 | part;
}

static int is_attached_host(const struct sfab_routes_node *n)
{
	return !n->is_switch && n->leaf != SFAB_NONE;
}

/* Number the hosts from 1, since LID 0 is none. */
static unsigned lid_of_host(const struct sfab_routes_node *n)
{
	return n->host + 1;
}

/* Return what a host sends: at most what all its cables carry. */
static double rate_of_host(const struct sfab_routes_node *n)
{
	return n->rate > 0 ? n->rate : n->cables;
}

/* Return where routes of other hosts leave the node (PART_OUT), or enter it (PART_IN). */
static uint64_t guid_at(const struct routes_build *build, uint32_t node, unsigned part)
{
	const struct sfab_routes_node *n = &build->r->node[node];

	return guid_of(node, n->is_switch || is_attached_host(n) ? PART_HOST : part);
}

/* Give a switch.  @part: what is added to the name of a host that becomes several nodes. */
static int give_switch(const struct routes_build *build, uint64_t guid, const char *name,
		       const char *part, uint32_t nports)
{
	char text[SFAB_ROUTES_NAME_SIZE + 8];

	snprintf(text, sizeof(text), "%s%s", name, part);
	return sfab_builder_add_switch(build->ctx->builder, build->ctx->plane, guid, text, nports,
				       0, build->err);
}

static int give_directed(const struct routes_build *build, uint64_t from, unsigned port,
			 uint64_t to, unsigned to_port, double capacity)
{
	return sfab_builder_add_link(build->ctx->builder, build->ctx->plane, from, port, to,
				     to_port, capacity, SFAB_CABLE_DIRECTED, build->err);
}

/*
 * Give a switch as it is, and a host with one cable as an end port.  A host with several cables
 * becomes an end port between two switches: "out", which it sends to, and "in", which it
 * receives from.
 */
static int give_routes_node(const struct routes_build *build, uint32_t node)
{
	const struct sfab_routes_node *n = &build->r->node[node];
	uint64_t guid = guid_of(node, PART_HOST);
	uint64_t in_guid, out_guid;
	unsigned host_port = n->nports + 1, pass_port = n->nports + 2;

	sfab_builder_set_origin(build->ctx->builder, build->ctx->file, n->line);
	if (n->is_switch)
		return give_switch(build, guid, n->name, "", n->nports);
	if (sfab_builder_add_port(build->ctx->builder, build->ctx->plane, guid, 1, guid, n->name,
				  NULL, lid_of_host(n), 0, build->err))
		return -1;
	if (is_attached_host(n))
		return 0;
	/* "in" and "out", with the host's own port and the capacity that it forwards */
	in_guid = guid_of(node, PART_IN);
	out_guid = guid_of(node, PART_OUT);
	if (n->ncables == 0)
		return 0;
	if (give_switch(build, in_guid, n->name, " in", n->nports + 2) ||
	    give_switch(build, out_guid, n->name, " out", n->nports + 2) ||
	    give_directed(build, guid, 1, out_guid, host_port, rate_of_host(n)) ||
	    give_directed(build, in_guid, host_port, guid, 1, rate_of_host(n)))
		return -1;
	return n->forward > 0 ? give_directed(build, in_guid, pass_port, out_guid, pass_port,
					      n->forward) : 0;
}

/* Return the port at an end.  An attached host has a single one, whatever number it is given. */
static unsigned port_at(const struct routes_build *build,
			const struct sfab_routes_cable *c, unsigned end)
{
	return is_attached_host(&build->r->node[c->node[end]]) ? 1 : c->port[end];
}

/* Set one entry at a time: tables from hand-written files are small. */
static int set_entry(const struct routes_build *build, uint64_t guid, unsigned lid,
		     unsigned port)
{
	uint8_t entry = (uint8_t) port;

	return sfab_builder_add_lft(build->ctx->builder, build->ctx->plane, guid, lid, &entry, 1,
				    build->err);
}

/*
 * Give the route to @to: one port as a plain table entry, several as a group with shares.  A
 * host that forwards has two parts: its "in" part sends everything to the "out" part, over the
 * link that has the forwarding capacity.
 */
static int give_route(const struct routes_build *build, uint32_t node,
		      const struct sfab_routes_route *route, uint32_t to)
{
	const struct sfab_routes_node *n = &build->r->node[node];
	unsigned lid = lid_of_host(&build->r->node[to]);
	const uint8_t *port = build->r->port + route->first;
	int rc;

	for (uint32_t i = 0; i < route->n; i++)
		if (!n->is_cabled[port[i]])
			return sfab_fail(build->err, SFAB_EFORMAT, "%s:%u: port %u "
					 "of %s has no cable (expected a link "
					 "line with it)", build->ctx->file,
					 route->line, port[i], n->name);
	sfab_builder_set_origin(build->ctx->builder, build->ctx->file, route->line);
	if (route->n == 1)
		rc = set_entry(build, guid_at(build, node, PART_OUT), lid, port[0]);
	else
		rc = sfab_builder_add_group(build->ctx->builder, build->ctx->plane,
					    guid_at(build, node, PART_OUT), lid, port,
					    build->r->share + route->first,
					    route->n, build->err);
	if (rc || n->is_switch || !(n->forward > 0))
		return rc;
	return set_entry(build, guid_at(build, node, PART_IN), lid, n->nports + 2);
}

/* Give the entries for a switch's own hosts, and for a host itself. */
static int give_own(const struct routes_build *build, uint32_t node)
{
	const struct sfab_routes_node *n = &build->r->node[node], *h;

	sfab_builder_set_origin(build->ctx->builder, build->ctx->file, n->line);
	if (set_entry(build, guid_at(build, node, PART_OUT), 0, SFAB_PORT_NONE))
		return -1;	/* an empty table must exist as well */
	if (!n->is_switch)
		return set_entry(build, guid_at(build, node, PART_IN), lid_of_host(n),
				 n->nports + 1);
	for (uint32_t i = 0; i < build->r->nnodes; i++) {
		h = &build->r->node[i];
		if (is_attached_host(h) && h->leaf == node &&
		    set_entry(build, guid_at(build, node, PART_OUT), lid_of_host(h), h->leaf_port))
			return -1;
	}
	return 0;
}

/*
 * Give the route of @node to each host: its own line, else the line with "*".  @route: the @n
 * routes of the node.
 */
static int give_routes(const struct routes_build *build, uint32_t node,
		       const struct sfab_routes_route *route, uint32_t n)
{
	const struct sfab_routes_route *end = n ? route + n : NULL;
	const struct sfab_routes_route *all = n && end[-1].to == SFAB_ROUTES_ALL ? end - 1 : NULL;

	for (uint32_t i = 1; i < n; i++)
		if (route[i].to == route[i - 1].to)
			return sfab_fail(build->err, SFAB_EFORMAT, "%s:%u: a "
					 "second route of %s to %s (the first "
					 "is in line %u)", build->ctx->file,
					 route[i].line, build->r->node[node].name,
					 route[i].to == SFAB_ROUTES_ALL ? "*" :
					 build->r->node[route[i].to].name,
					 route[i - 1].line);
	for (uint32_t to = 0; to < build->r->nnodes; to++) {
		const struct sfab_routes_node *host = &build->r->node[to];
		const struct sfab_routes_route *line = route < end && route->to == to ? route++ :
						      all;

		if (line && !host->is_switch && host->ncables && to != node &&
		    !(is_attached_host(host) && host->leaf == node) &&
		    give_route(build, node, line, to))
			return -1;
	}
	return 0;
}

/* Sort by node and destination, "*" last, and equal ones by line. */
static int compare_routes(const void *a, const void *b)
{
	const struct sfab_routes_route *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Give the tables of all nodes.  Routes are sorted by node: each node takes those at @first. */
static int give_tables(const struct routes_build *build, const struct sfab_routes *r)
{
	for (uint32_t i = 0, first = 0, n; i < r->nnodes; i++, first += n) {
		int has_choice = !is_attached_host(&r->node[i]) && r->node[i].ncables;

		for (n = 0; first + n < r->nroutes && r->route[first + n].node == i;)
			n++;
		if (n && !has_choice)
			return sfab_fail(build->err, SFAB_EFORMAT, "%s:%u: %s has no choice "
					 "(expected a host with several cables, or a "
					 "switch)", build->ctx->file, r->route[first].line,
					 r->node[i].name);
		if (has_choice &&
		    (give_own(build, i) || give_routes(build, i, n ? &r->route[first] : NULL, n)))
			return -1;
	}
	return 0;
}

int sfab_routes_build(struct sfab_routes *r, const struct sfab_reader_ctx *ctx,
		      struct sfab_err *err)
{
	struct routes_build build = { r, ctx, err };

	if (r->nroutes)
		qsort(r->route, r->nroutes, sizeof(*r->route), compare_routes);
	for (uint32_t i = 0; i < r->nnodes; i++)
		if (give_routes_node(&build, i))
			return -1;
	for (uint32_t i = 0; i < r->ncables; i++) {
		const struct sfab_routes_cable *c = &r->cable[i];

		sfab_builder_set_origin(build.ctx->builder, build.ctx->file, c->line);
		for (unsigned end = 0; end < 2; end++)
			if (give_directed(&build, guid_at(&build, c->node[end], PART_OUT),
					  port_at(&build, c, end),
					  guid_at(&build, c->node[!end], PART_IN),
					  port_at(&build, c, !end), c->capacity))
				return -1;
	}
	sfab_builder_set_engine(ctx->builder, ctx->plane, "static");
	return give_tables(&build, r);
}
