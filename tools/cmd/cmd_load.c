/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_load.c - `sfabric load --from SET --to SET`: what each link carries
 *
 * It knows neither jobs nor time: all hosts of one set send to all of the other, and the tables
 * say over which links.  Plans of cables or of routing are judged by it.  plot draws the same
 * figures.
 */

#include <stddef.h>
#include <stdlib.h>

#include "tools/cmd/cmd.h"
#include "tools/site/hostset.h"
#include "tools/site/linkload.h"
#include "tools/site/site.h"
#include "tools/ui/answer.h"
#include "tools/ui/kind.h"
#include "tools/ui/link_columns.h"

static const struct column columns[] = {
	LINK_COLUMNS,
	{ "kind", "isl (switch to switch), eject (to host), inject (from host)",
	  COLUMN_TEXT, 0, SHOWN },
	{ "dlids", "destination LIDs through it", COLUMN_COUNT, 0, SHOWN },
	{ "routes", "source-destination pairs through it",
	  COLUMN_NUMBER, 0, SHOWN },
	{ "load_gbs", "GB/s on it if every source sends at full rate, evenly to all "
		      "destinations", COLUMN_NUMBER, 2, SHOWN },
	{ "capacity_gbs", "GB/s of data it can carry",
	  COLUMN_NUMBER, 2, SHOWN },
	{ 0 }
};

struct load {
	struct options options;
	const char *from, *to;	/* sets, as hostset.h reads them */
	const char *sort;
	uint32_t top;		/* 0: all */
	int kind;		/* enum sfab_link_kind, -1: all */
};

static const struct option_row rows[] = {
	{ "from", "SET", 1, "Sources: all (default), compute, io, an IO set, job:ID or a "
	  "hostlist", KEEP_TEXT, .offset = offsetof(struct load, from) },
	{ "to", "SET", 1, "Destinations, likewise", KEEP_TEXT,
	  .offset = offsetof(struct load, to) },
	{ "kind", KIND_CHOICES, 1, "Only links of this kind",
	  KEEP_KIND(offsetof(struct load, kind)) },
	{ "sort", "[-]FIELD,...", 1, "Sort by these fields; '-' puts the largest first",
	  KEEP_TEXT, .offset = offsetof(struct load, sort) },
	{ "top", "N", 1, "Print only the first N links; without --sort those with the largest "
	  "load", KEEP_COUNT, .offset = offsetof(struct load, top), 1, UINT32_MAX },
	{ 0 }
};

static const struct option_group groups[] = { OPTIONS_OF_SETS, OPTIONS_OF_TABLE, { 0 } };

static const struct command_line usage = {
	.options = rows, .groups = groups, .common = offsetof(struct load, options),
	.doc = "Count what each link carries if one set of hosts sends to another.",
};

/* Print the table, sorted before it is cut: whoever asks for the first rows wants the largest. */
static int print_loads(const struct load *l, const struct sfab_fabric *f,
		       const struct linkload *ll, struct answer *a,
		       struct sfab_err *err)
{
	const char *sort = !l->sort && l->top ? "-load_gbs" : l->sort;
	struct table *t = table_create(columns);

	/* Rows like "leaf-1 0x... 19 spine-2 1 isl 12 216 1.50 12.12". */
	for (uint32_t i = 0; i < f->nlinks; i++) {
		if (l->kind >= 0 && f->links[i].kind != l->kind)
			continue;
		table_row(t);
		link_columns_cells(t, f, i);
		table_count(t, "dlids", ll->dlids[i]);
		table_number(t, "routes", ll->routes[i]);
		table_gbs(t, "load_gbs", ll->bytes[i]);
	}
	if (sort && table_sort(t, sort, err) != 0) {
		table_destroy(t);
		return -1;
	}
	if (l->top)
		table_top(t, l->top);
	return answer_table(a, "links", t, err);
}

/* Print the loads of links.  A set without hosts is an error. */
static int run_load(void *ctx, struct answer *a, struct sfab_err *err)
{
	struct load *l = ctx;
	struct site site;
	struct linkload ll;
	int rc;
	uint8_t *src;
	uint8_t *dst;

	if (site_open(&site, &l->options, &a->reply, err) != 0)
		return -1;
	src = hostset_ports(&site, l->from, err);
	/* One error is enough, so the other set is not read without sources. */
	dst = src ? hostset_ports(&site, l->to, err) : NULL;
	rc = dst ? linkload_count(site.f, src, dst, &ll, err) : -1;
	free(src);
	free(dst);
	if (rc == 0) {
		/* Only end ports with a route count; those without are warned of. */
		json_add(a->reply.data, "pairs",
			 json_object_new_uint64(ll.pairs));
		linkload_warn(&ll, &a->reply);
		rc = print_loads(l, site.f, &ll, a, err);
		linkload_free(&ll);
	}
	site_close(&site);
	return rc;
}

int cmd_load(int argc, char **argv)
{
	struct load l = { .from = "all", .to = "all", .kind = -1 };

	options_parse(&usage, argc, argv, &l);
	options_columns(&l.options, columns, l.sort);
	return answer_run("load", &l.options, run_load, &l);
}
