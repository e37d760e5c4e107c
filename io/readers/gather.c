/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gather.c - nodes, ports and links, then the builder; see gather.h
 *
 * Some formats list nodes, ports and links in sections of their own, in any order.  All of it
 * is gathered first, sorted by GUID, and then given to the builder in the order that it wants:
 * switches, and with each cable its end ports.  So a port without a cable never reaches the
 * builder.
 */

#include "io/readers/gather.h"

#include <stdlib.h>

#include "io/nodedesc.h"
#include "io/portkey.h"
#include "io/rate.h"

/* What all functions here need. */
struct gather_output {
	const struct sfab_gather *g;
	const struct sfab_reader_ctx *ctx;
	struct sfab_err *err;
};

static int compare_gathered_nodes(const void *a, const void *b)
{
	const struct sfab_gather_node *x = a, *y = b;

	return sfab_portkey_compare(x->guid, 0, y->guid, 0);
}

static int compare_gathered_ports(const void *a, const void *b)
{
	const struct sfab_gather_port *x = a, *y = b;

	return sfab_portkey_compare(x->guid, x->num, y->guid, y->num);
}

static const struct sfab_gather_port *find_port(const struct sfab_gather *g,
						uint64_t guid, unsigned num)
{
	struct sfab_gather_port key = { .guid = guid, .num = num };

	return g->nports ? bsearch(&key, g->port, g->nports, sizeof(key),
				   compare_gathered_ports) : NULL;
}

int sfab_gather_give_port(const struct sfab_reader_ctx *ctx, const struct sfab_end_port *p,
			  struct sfab_err *err)
{
	const char *name = sfab_namemap_name(ctx->map, p->node, p->desc);
	char host[SFAB_NODEDESC_HOST_SIZE];

	if (sfab_builder_add_port(ctx->builder, ctx->plane, p->node, p->num, p->guid, name,
				  sfab_nodedesc_host(name, p->node, host), p->lid, p->lmc, err))
		return -1;
	if (p->is_router)
		sfab_builder_mark_router(ctx->builder, ctx->plane, p->node, p->num);
	return 0;
}

/* Both ends of a link: the port and the node it belongs to. */
struct link_ends {
	const struct sfab_gather_link *link;
	const struct sfab_gather_node *node[2];
	const struct sfab_gather_port *port[2];
};

/*
 * Give one direction of a cable, and the end port where it begins.  A link that is down may
 * have no rate.  It gets the least there is, and nothing is routed over it.
 */
static int give_direction(const struct gather_output *output, const struct link_ends *e,
			  unsigned from)
{
	const struct sfab_reader_ctx *ctx = output->ctx;
	const struct sfab_gather_link *l = e->link;
	const struct sfab_gather_node *n = e->node[from];
	int up = e->port[0]->is_active && e->port[1]->is_active;
	double rate = e->port[from]->rate;

	if (n->kind != SFAB_GATHER_SWITCH) {
		const struct sfab_gather_port *p = e->port[from];
		const struct sfab_end_port end = {
			.node = n->guid, .guid = p->port_guid, .desc = n->desc,
			.num = p->num, .lid = p->lid, .lmc = p->lmc,
			.is_router = n->kind == SFAB_GATHER_ROUTER,
		};

		sfab_builder_set_origin(ctx->builder, ctx->file, p->line);
		if (sfab_gather_give_port(ctx, &end, output->err))
			return -1;
	}
	if (!up && rate <= 0)
		rate = sfab_rate_lane("SDR");
	sfab_builder_set_origin(ctx->builder, ctx->file, l->line);
	return sfab_builder_add_link(ctx->builder, ctx->plane, l->guid[from],
				     l->num[from], l->guid[!from], l->num[!from],
				     rate, up, output->err);
}

/* Give both directions of a cable, which the file has once. */
static int give_link(const struct gather_output *output, const struct sfab_gather_link *l)
{
	struct link_ends e = {.link = l};

	for (unsigned i = 0; i < 2; i++) {
		struct sfab_gather_node key = { .guid = l->guid[i] };

		e.node[i] = output->g->nnodes
				? bsearch(&key, output->g->node, output->g->nnodes,
					  sizeof(key), compare_gathered_nodes)
				: NULL;
		e.port[i] = find_port(output->g, l->guid[i], l->num[i]);
		if (!e.port[i] || !e.node[i])
			return sfab_fail(output->err, SFAB_EFORMAT, "%s:%u: link of "
					 "unknown 0x%016llx port %u (expected a node "
					 "and port that the file lists)",
					 output->ctx->file, l->line,
					 (unsigned long long) l->guid[i], l->num[i]);
	}
	if (e.node[0]->kind != SFAB_GATHER_SWITCH &&
	    e.node[1]->kind != SFAB_GATHER_SWITCH)
		return 0;	/* hosts cabled to each other */
	return give_direction(output, &e, 0) || give_direction(output, &e, 1) ? -1 : 0;
}

int sfab_gather_give(struct sfab_gather *g, const struct sfab_reader_ctx *ctx,
		     struct sfab_err *err)
{
	struct gather_output output = { g, ctx, err };

	if (g->nnodes)
		qsort(g->node, g->nnodes, sizeof(*g->node), compare_gathered_nodes);
	if (g->nports)
		qsort(g->port, g->nports, sizeof(*g->port), compare_gathered_ports);
	/*
	 * Switches first: the builder wants to know a node before its ports.  A switch has its
	 * LID on port 0.
	 */
	for (uint32_t i = 0; i < g->nnodes; i++) {
		const struct sfab_gather_node *n = &g->node[i];
		const struct sfab_gather_port *p = find_port(g, n->guid, 0);

		if (n->kind != SFAB_GATHER_SWITCH)
			continue;
		sfab_builder_set_origin(ctx->builder, ctx->file, n->line);
		if (sfab_builder_add_switch(ctx->builder, ctx->plane, n->guid,
					    sfab_namemap_name(ctx->map, n->guid, n->desc),
					    n->nports, p ? p->lid : 0, err))
			return -1;
		sfab_builder_set_device(ctx->builder, ctx->plane, n->guid, n->vendor, n->device);
	}
	for (uint32_t i = 0; i < g->nlinks; i++)
		if (give_link(&output, &g->link[i]))
			return -1;
	return 0;
}

void sfab_gather_free(struct sfab_gather *g)
{
	free(g->node);
	free(g->port);
	free(g->link);
}
