/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_route.c - `sfabric route A B`: both directions, hop by hop
 *
 * The columns dlids and routes show how busy the tables make a link when every end port sends
 * to every other.
 *
 * Hosts may have several ports and planes; then each pair of ports within a plane has its own
 * path.  The tables are followed as packets would go, so a loop or a missing entry is seen
 * where it is, and makes the exit status 3.
 */

#include <stddef.h>
#include <stdlib.h>

#include "core/fabric/route.h"
#include "tools/cmd/cmd.h"
#include "tools/site/hosts.h"
#include "tools/site/site.h"
#include "tools/ui/answer.h"
#include "tools/ui/link_columns.h"
#include "tools/ui/xalloc.h"

static const struct column columns[] = {
	{ "source", "host where the path begins", COLUMN_TEXT, 0, SHOWN },
	{ "destination", "host where it should end", COLUMN_TEXT, 0, SHOWN },
	{ "fabric", "plane", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "hop", "number of the link on the path", COLUMN_COUNT, 0, SHOWN },
	{ "switch", "where the link begins", COLUMN_TEXT, 0, SHOWN },
	{ "guid", "node GUID there", COLUMN_GUID, 0, SHOWN_IF_ASKED },
	{ "port", "out port there", COLUMN_COUNT, 0, SHOWN },
	{ "to", "where it leads", COLUMN_TEXT, 0, SHOWN },
	{ "to_port", "port there", COLUMN_COUNT, 0, SHOWN },
	{ "kind", "inject, isl or eject", COLUMN_TEXT, 0, SHOWN },
	{ "share", "of the flow that takes this link",
	  COLUMN_NUMBER, 2, SHOWN },
	{ "dlids", "destination LIDs through it, all end ports sending",
	  COLUMN_COUNT, 0, SHOWN },
	{ "routes", "source-destination pairs through it, all end ports",
	  COLUMN_NUMBER, 0, SHOWN },
	{ "capacity_gbs", "GB/s of data", COLUMN_NUMBER, 2, SHOWN },
	{ 0 }
};

struct route {
	struct options options;
	const char *end[2];
};

static const struct option_group groups[] = { OPTIONS_OF_TABLE, { 0 } };

static error_t parse_route_option(int key, char *arg, struct argp_state *state)
{
	struct route *r = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (state->arg_num > 1)
			return ARGP_ERR_UNKNOWN;
		r->end[state->arg_num] = arg;
		return 0;
	case ARGP_KEY_END:
		if (state->arg_num < 2 && !r->options.helpformat)
			argp_error(state, "two ends are needed: names of hosts");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct command_line usage = {
	.groups = groups, .common = offsetof(struct route, options), .parse = parse_route_option,
	.args = "A B",
	.doc = "Follow the forwarding tables from host A to host B and back.",
};

struct shown_routes {
	const struct site *site;
	uint32_t *dlids;		/* by link, over all pairs of end ports */
	double *routes;			/* by link, over all pairs of end ports */
	struct answer *answer;
	struct table *t;
	uint32_t nroutes, lost;		/* examined; of these, not arriving */
};

/*
 * Add a row for each hop; hop 1 is the source's own link.  A route that does not arrive is
 * counted as well: it makes the exit status 3.  -1: no memory.
 */
static int add_route_rows(struct shown_routes *shown, uint32_t src, uint32_t dst,
			  struct sfab_err *err)
{
	const struct sfab_fabric *f = shown->site->f;
	const char *from = f->hosts[f->ports[src].host].name;
	const char *to = f->hosts[f->ports[dst].host].name;
	struct sfab_route route = { 0 };
	int rc = sfab_route_ports(f, src, dst, &route);

	shown->nroutes++;
	if (rc != 0)
		sfab_no_memory(err);
	/* Rows like "n1 n65 2 leaf-1 19 spine-2 1 isl 1.00 12 216 12.12". */
	for (uint32_t i = 0; rc == 0 && i < route.n; i++) {
		uint32_t link = route.hop[i].link;

		table_row(shown->t);
		table_text(shown->t, "source", from);
		table_text(shown->t, "destination", to);
		table_count(shown->t, "hop", 1 + i);
		link_columns_cells(shown->t, f, link);
		table_number(shown->t, "share", route.hop[i].share);
		table_count(shown->t, "dlids", shown->dlids[link]);
		table_number(shown->t, "routes", shown->routes[link]);
	}
	if (rc == 0 && route.status != SFAB_ROUTE_OK) {
		shown->lost++;
		reply_warning(&shown->answer->reply, "%s > %s: %s at %s", from, to,
			      sfab_route_status_text(route.status),
			      route.at_switch == SFAB_NONE ? "the host" :
			      f->switches[route.at_switch].name);
	}
	sfab_route_clear(&route);
	return rc;
}

/* Add routes from each port of one host to each of the other, in every plane that they share. */
static int add_routes(struct shown_routes *shown, uint32_t from, uint32_t to, struct sfab_err *err)
{
	const struct sfab_fabric *f = shown->site->f;
	const struct sfab_host *a = &f->hosts[from], *b = &f->hosts[to];

	for (uint32_t i = a->port0; i < a->port0 + a->nports; i++)
		for (uint32_t k = b->port0; k < b->port0 + b->nports; k++)
			if (f->ports[i].plane == f->ports[k].plane &&
			    add_route_rows(shown, i, k, err) != 0)
				return -1;
	return 0;
}

/* Add both directions, as answers need not take the route that questions took. */
static int add_both_directions(struct shown_routes *shown, const struct route *r,
			       struct sfab_err *err)
{
	const struct sfab_fabric *f = shown->site->f;
	uint32_t a = hosts_find(f, r->end[0], err);
	uint32_t b = a == SFAB_NONE ? a : hosts_find(f, r->end[1], err);

	if (b == SFAB_NONE)
		return -1;
	if (a == b)
		return sfab_fail(err, SFAB_EINVAL, "%s: the same host twice",
				 r->end[0]);
	if (add_routes(shown, a, b, err) != 0 || add_routes(shown, b, a, err) != 0)
		return -1;
	if (!shown->nroutes)
		return sfab_fail(err, SFAB_ENOENT, "%s and %s have no plane in "
				 "common", r->end[0], r->end[1]);
	return shown->lost ? STATUS_FOUND : STATUS_FINE;
}

/* Print both directions, each link with its counts over all pairs of the fabric. */
static int run_route(void *ctx, struct answer *answer, struct sfab_err *err)
{
	struct route *r = ctx;
	struct site site;
	struct shown_routes shown = { .site = &site, .answer = answer };
	int rc, status;

	if (site_open(&site, &r->options, &answer->reply, err) != 0)
		return -1;
	shown.dlids = xcalloc(site.f->nlinks, sizeof(*shown.dlids));
	shown.routes = xcalloc(site.f->nlinks, sizeof(*shown.routes));
	shown.t = table_create(columns);
	rc = sfab_route_counts(site.f, NULL, NULL, shown.dlids, shown.routes, NULL);
	if (rc != 0)
		sfab_no_memory(err);
	status = rc ? rc : add_both_directions(&shown, r, err);
	if (status < 0)
		table_destroy(shown.t);
	else if (answer_table(answer, "hops", shown.t, err) != 0)
		status = -1;
	free(shown.dlids);
	free(shown.routes);
	site_close(&site);
	return status;
}

int cmd_route(int argc, char **argv)
{
	struct route r = { 0 };

	options_parse(&usage, argc, argv, &r);
	options_columns(&r.options, columns, NULL);
	return answer_run("route", &r.options, run_route, &r);
}
