/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare.c - two routings of the same nodes; see compare.h
 *
 * Rates come in two ways: by max-min fairness, as flows that adapt would share
 * links, and in lockstep, where all send at the rate of the slowest.
 */

#include "tools/whatif/compare.h"

#define GB 1e9

enum { C_MEASURE, C_SET, C_NOW, C_THEN, C_UNIT };

const struct column compare_columns[] = {
	{ "measure", "what is compared; see the man page", COLUMN_TEXT, 0,
	  SHOWN },
	{ "set", "IO set", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "now", "the unchanged fabric as OpenSM routes it", COLUMN_NUMBER, 2,
	  SHOWN },
	{ "then", "the changed one", COLUMN_NUMBER, 2, SHOWN },
	{ "unit", "of both", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

static void add_compare_row(struct table *t, const char *measure,
			    const char *set, double now, double then,
			    const char *unit)
{
	table_row(t);
	table_text(t, C_MEASURE, measure);
	if (set)
		table_text(t, C_SET, set);
	table_number(t, C_NOW, now);
	table_number(t, C_THEN, then);
	table_text(t, C_UNIT, unit);
}

static void rate_rows(struct table *t, const struct routing_facts *now,
		      const struct routing_facts *then, uint32_t set,
		      enum sfab_class class)
{
	static const char *const names[2][3] = {
		{ "io-write-all", "io-write-job", "io-write-job-lockstep" },
		{ "io-read-all", "io-read-job", "io-read-job-lockstep" },
	};
	const char *const *name = names[class == SFAB_IO_READ];
	const char *set_name = now->m->io->set[set].name;
	const struct sfab_io_rates *a = facts_rates(now, set, class);
	const struct sfab_io_rates *b = facts_rates(then, set, class);

	if (!a || !b)
		return;
	add_compare_row(t, name[0], set_name, a->all.lockstep / GB,
			b->all.lockstep / GB, "GB/s");
	if (!a->block.n || !b->block.n)
		return;
	add_compare_row(t, name[1], set_name, a->block.maxmin / GB,
			b->block.maxmin / GB, "GB/s");
	add_compare_row(t, name[2], set_name, a->block.lockstep / GB,
			b->block.lockstep / GB, "GB/s");
}

/* Fewest distinct uplinks of a leaf toward the set. */
static double fewest_uplinks(const struct routing_facts *x, uint32_t set)
{
	uint32_t fewest = UINT32_MAX;

	for (uint32_t i = 0; i < x->audit.nuplinks; i++)
		if (x->audit.uplinks[i].set == set &&
		    x->audit.uplinks[i].used < fewest)
			fewest = x->audit.uplinks[i].used;
	return fewest == UINT32_MAX ? 0 : fewest;
}

struct table *compare(const struct routing_facts *now,
		      const struct routing_facts *then)
{
	struct table *t = table_create(compare_columns);
	const struct sfab_iosets *io = now->m->io;

	for (uint32_t s = 0; s < io->nsets; s++) {
		rate_rows(t, now, then, s, SFAB_IO_WRITE);
		rate_rows(t, now, then, s, SFAB_IO_READ);
		add_compare_row(t, "uplinks", io->set[s].name,
				fewest_uplinks(now, s), fewest_uplinks(then, s),
				"links");
		add_compare_row(t, "spine-ports", io->set[s].name,
				now->spine_ports[s], then->spine_ports[s],
				"ports");
		add_compare_row(t, "mixed", io->set[s].name, now->mixed[s],
				then->mixed[s], "share");
	}
	add_compare_row(t, "bisect", NULL, now->bisect, then->bisect, "share");
	add_compare_row(t, "rotate", NULL, now->rotate, then->rotate, "share");
	return t;
}
