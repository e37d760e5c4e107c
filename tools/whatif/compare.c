/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare.c - two routings of the same nodes; see compare.h
 *
 * Rates come in two ways: by max-min fairness, as flows that adapt would share links, and in
 * lockstep, where all send at the rate of the slowest.
 */

#include "tools/whatif/compare.h"

#include <math.h>

#define SAME 0.01		/* a smaller part of a value is no difference */

const struct column compare_columns[] = {
	{ "measure", "what is compared; see the man page", COLUMN_TEXT, 0,
	  SHOWN },
	{ "set", "IO set", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "now", "on the tables of the snapshot", COLUMN_NUMBER, 2, SHOWN },
	{ "base", "on the unchanged fabric as OpenSM routes it here, if that differs",
	  COLUMN_NUMBER, 2, SHOWN_IF_ANY },
	{ "then", "on the changed one", COLUMN_NUMBER, 2, SHOWN },
	{ "unit", "of all", COLUMN_TEXT, 0, SHOWN },
	{ "verdict", "better, worse or same, within 1 %", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

/* The figures that are compared: of an IO set up to M_MIXED, changed of all compute hosts. */
enum measure {
	M_WRITE_ALL, M_WRITE_JOB, M_WRITE_LOCKSTEP, M_READ_ALL, M_READ_JOB,
	M_READ_LOCKSTEP, M_UPLINKS, M_SPINE_PORTS, M_MIXED, M_BISECT, M_ROTATE, M_ALL_TO_ALL,
	NMEASURES,
};

static const struct {
	const char *name, *unit;
	int is_cost;		/* less is better */
} measures[] = {
	[M_WRITE_ALL] = { "io-write-all", "GB/s" },
	[M_WRITE_JOB] = { "io-write-job", "GB/s" },
	[M_WRITE_LOCKSTEP] = { "io-write-job-lockstep", "GB/s" },
	[M_READ_ALL] = { "io-read-all", "GB/s" },
	[M_READ_JOB] = { "io-read-job", "GB/s" },
	[M_READ_LOCKSTEP] = { "io-read-job-lockstep", "GB/s" },
	[M_UPLINKS] = { "uplinks", "links" },
	[M_SPINE_PORTS] = { "spine-ports", "ports" },
	[M_MIXED] = { "mixed", "share", 1 },
	[M_BISECT] = { "bisect", "share" },
	[M_ROTATE] = { "rotate", "share" },
	[M_ALL_TO_ALL] = { "all-to-all", "slowdown", 1 },
};

/* Return the fewest distinct uplinks that a leaf uses toward the set; 0: no leaf is listed. */
static double fewest_uplinks(const struct routing_facts *x, uint32_t set)
{
	uint32_t fewest = UINT32_MAX;

	for (uint32_t i = 0; i < x->audit.nuplinks; i++)
		if (x->audit.uplinks[i].set == set &&
		    x->audit.uplinks[i].used < fewest)
			fewest = x->audit.uplinks[i].used;
	return fewest == UINT32_MAX ? 0 : fewest;
}

/* Set *@value to that measure of @x.  Return 0 if @x does not have it. */
static int find_measure(const struct routing_facts *x, enum measure m, uint32_t set, double *value)
{
	const double plain[] = {
		[M_UPLINKS] = fewest_uplinks(x, set),
		[M_SPINE_PORTS] = x->spine_ports[set],
		[M_MIXED] = x->mixed[set],
		[M_BISECT] = x->bisect,
		[M_ROTATE] = x->rotate,
		[M_ALL_TO_ALL] = x->all_to_all,
	};
	int is_all = m == M_WRITE_ALL || m == M_READ_ALL;
	const struct sfab_io_rates *r;

	if (m >= M_UPLINKS) {
		*value = plain[m];
		return 1;
	}
	r = routing_facts_rates(x, set, m < M_READ_ALL ? SFAB_IO_WRITE : SFAB_IO_READ);
	if (!r || (!r->block.n && !is_all))
		return 0;
	*value = is_all ? r->all.lockstep :
		 m == M_WRITE_JOB || m == M_READ_JOB ? r->block.maxmin : r->block.lockstep;
	*value /= SFAB_GB;
	return 1;
}

/* Add the row of a measure, if both ends of the comparison have it. */
static void add_measure(struct table *t, enum measure m, const char *set_name, uint32_t set,
			const struct routing_facts *current, const struct routing_facts *base,
			const struct routing_facts *changed)
{
	double old_value, new_value, base_value;

	if (!find_measure(current, m, set, &old_value) ||
	    !find_measure(changed, m, set, &new_value))
		return;
	table_row(t);
	table_text(t, "measure", measures[m].name);
	table_text(t, "set", set_name);
	table_number(t, "now", old_value);
	if (base && find_measure(base, m, set, &base_value)) {
		table_number(t, "base", base_value);
		old_value = base_value;
	}
	table_number(t, "then", new_value);
	table_text(t, "unit", measures[m].unit);
	table_text(t, "verdict",
		   fabs(new_value - old_value) <= SAME * fmax(old_value, new_value) ? "same" :
		   (new_value < old_value) == measures[m].is_cost ? "better" : "worse");
}

struct table *compare_routings(const struct routing_facts *current,
			       const struct routing_facts *base,
			       const struct routing_facts *changed)
{
	struct table *t = table_create(compare_columns);
	const struct sfab_iosets *io = current->m->io;

	for (uint32_t s = 0; s < io->nsets; s++)
		for (enum measure m = 0; m < M_BISECT; m++)
			add_measure(t, m, io->set[s].name, s, current, base, changed);
	for (enum measure m = M_BISECT; m < NMEASURES; m++)
		add_measure(t, m, NULL, 0, current, base, changed);
	return t;
}
