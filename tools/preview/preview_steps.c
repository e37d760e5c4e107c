/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preview_steps.c - collectives in steps on a set of hosts; see preview.h
 *
 * Twice: for the job alone, and with the traffic of the running jobs.  A set's figures are
 * comparable with those of other sets because ranks are always in the order of names.
 */

#include "tools/preview/preview.h"

#include <string.h>

#include "tools/ui/link_columns.h"

static const struct column step_columns[] = {
	{ "pattern", "alltoall, allreduce, ring or uniform", COLUMN_TEXT, 0, SHOWN },
	{ "weight", "weight in its mpi traffic", COLUMN_NUMBER, 2, SHOWN_IF_ANY },
	{ "total", "steps that it has", COLUMN_COUNT, 0, SHOWN },
	{ "looked", "steps that were looked at", COLUMN_COUNT, 0, SHOWN },
	{ "conflicts", "of these, slower for a link between switches",
	  COLUMN_COUNT, 0, SHOWN },
	{ "mean", "time over that without links between switches, of all steps",
	  COLUMN_NUMBER, 2, SHOWN },
	{ "among", "the same beside what the running jobs send",
	  COLUMN_NUMBER, 2, SHOWN },
	{ "worst", "of the slowest step", COLUMN_NUMBER, 2, SHOWN },
	{ "worst_step", "which one that is, from 1", COLUMN_COUNT, 0, SHOWN },
	LINK_COLUMNS,
	{ 0 }
};

/*
 * Run all patterns, beside what @c says; @out is the result of each.  A ring that is not part
 * of the mix (neighbor traffic) is run by itself, since the mix has no weight for it.
 */
static int run_patterns(struct sfab_stepper *sp, struct preview *v,
			const struct sfab_collective *c, struct sfab_mixed *out,
			struct sfab_err *err)
{
	if (sfab_stepper_take(sp, c, err) != 0 ||
	    sfab_stepper_mixed(sp, v->mix, out, err) != 0)
		return -1;
	if (!v->has_pattern[SFAB_RING] || v->mix[SFAB_RING] > 0)
		return 0;
	return sfab_stepper_steps(sp, SFAB_RING, &out->pattern[SFAB_RING], NULL,
				  err);
}

/*
 * Run the job's patterns alone and among the others.  The context has a stepper since the set
 * was certified.
 */
int preview_steps(struct preview_context *p, struct preview *v, struct sfab_err *err)
{
	struct sfab_collective c = { .n = v->choice.n, .host = v->choice.host, .share = 1 };
	const struct sfab_traffic *t = &p->traffic;
	int rc;

	v->has_steps = 1;
	/* The patterns of the job's traffic; neighbor traffic has only the ring. */
	sfab_traffic_mix(t, p->model->mix, v->mix);
	for (int k = 0; k < SFAB_NPATTERNS; k++)
		v->has_pattern[k] = v->mix[k] > 0;
	for (uint32_t i = 0; i < t->nparts; i++)
		/* Neighbors exchange as a ring does. */
		v->has_pattern[SFAB_RING] |= t->part[i].class == SFAB_NEIGHBOR;
	rc = run_patterns(p->stepper, v, &c, &v->steps_alone, err);
	c.background = sfab_jobs_background(p->jobs);
	if (rc == 0)
		rc = run_patterns(p->stepper, v, &c, &v->steps_among, err);
	return rc;
}

struct table *preview_steps_table(const struct preview_context *p, const struct preview *v)
{
	struct table *t = table_create(step_columns);

	for (int i = 0; i < SFAB_NPATTERNS; i++) {
		const struct sfab_steps *x = &v->steps_alone.pattern[i];

		if (!v->has_pattern[i])
			continue;
		table_row(t);
		table_text(t, "pattern", sfab_pattern_name((enum sfab_pattern) i));
		if (v->mix[i] > 0)
			table_number(t, "weight", v->mix[i]);
		table_count(t, "total", x->nsteps);
		table_count(t, "looked", x->nsampled);
		table_count(t, "conflicts", x->conflicts);
		table_number(t, "mean", x->mean);
		table_number(t, "among", v->steps_among.pattern[i].mean);
		table_number(t, "worst", x->worst.slowdown);
		if (x->worst.worst_link == SFAB_NONE)
			continue;
		table_count(t, "worst_step", x->worst.step + 1);
		link_columns_cells(t, p->site.f, x->worst.worst_link);
	}
	return t;
}

/* For all choices only the means: one column for each pattern, and all of mpi. */
static const struct column mean_columns[] = {
	{ "choice", "who chose", COLUMN_TEXT, 0, SHOWN },
	{ "alltoall", "mean over its steps", COLUMN_NUMBER, 2, SHOWN_IF_ANY },
	{ "allreduce", "mean over its steps", COLUMN_NUMBER, 2, SHOWN_IF_ANY },
	{ "ring", "mean over its steps", COLUMN_NUMBER, 2, SHOWN_IF_ANY },
	{ "uniform", "all at once", COLUMN_NUMBER, 2, SHOWN_IF_ANY },
	{ "mpi", "mean of these by weight", COLUMN_NUMBER, 2, SHOWN_IF_ANY },
	{ 0 }
};

void preview_steps_print(const struct preview_context *p, const struct preview *shown,
			 uint32_t n, FILE *out)
{
	struct table *t;

	/* One host has nobody to exchange with. */
	if (memchr(shown->has_pattern, 1, sizeof(shown->has_pattern)) == NULL ||
	    shown->choice.n < 2)
		return;
	t = table_create(mean_columns);
	for (const struct preview *v = shown; v < shown + n; v++) {
		int has_mpi = 0;

		table_row(t);
		table_text(t, "choice", v->name);
		for (unsigned i = 0; i < SFAB_NPATTERNS; i++) {
			if (v->has_pattern[i])
				table_number(t, sfab_pattern_name((enum sfab_pattern) i),
					     v->steps_alone.pattern[i].mean);
			has_mpi |= v->mix[i] > 0;
		}
		if (has_mpi)
			table_number(t, "mpi", v->steps_alone.mean);
	}
	fputs("\nTime of collectives in steps, the job alone, 1 is without a "
	      "conflict\n", out);
	table_take_print(t, out);
	fprintf(out, "\nSteps of %s\n", shown->name);
	table_take_print(preview_steps_table(p, shown), out);
}
