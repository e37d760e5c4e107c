/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_packing.c - what jobs lose by each packing, and which one is used; see show.h
 *
 * The same streams of jobs are played as when slurmctld loads the snapshot
 * (core/search/play_stream.h), so the packings that lose least here are those that
 * Packing=auto uses there.
 */

#include "tools/show/show.h"

#include <stdio.h>

#include "place/state/site_view.h"
#include "tools/ui/json.h"

/* Columns by index, in the order of the rows below. */
enum { G_JOBS, G_PACKING, G_LOSS, G_OF_TREE, G_USED, G_WHY };

const struct column show_packing_columns[] = {
	{ "jobs", "what they do, in parts of their time: all that DefaultTraffic says, and its "
	  "exchange or its IO alone", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "packing", "what is kept whole; tree: placement by Slurm's topology/tree",
	  COLUMN_TEXT, 0, SHOWN },
	{ "loss", "of a node, part of its time", COLUMN_NUMBER, 3, SHOWN },
	{ "of_tree", "loss / loss by tree placement", COLUMN_NUMBER, 2, SHOWN },
	{ "used", "for the term later of the score", COLUMN_YES, 0, SHOWN },
	{ "why", "why it is used, or has no loss; or that it is best for these jobs", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ 0 }
};

/* A row for what jobs that do @sending lose under @packing; @loss NULL: it was not played. */
static void put_row(struct table *t, const double *sending, const char *packing,
		    const double *loss, double tree, int is_used)
{
	char mpi[32] = "", io[32] = "", jobs[64];

	table_row(t);
	if (sending && sending[0] > 0)
		snprintf(mpi, sizeof(mpi), "mpi=%.10g", sending[0]);
	if (sending && sending[1] > 0)
		snprintf(io, sizeof(io), "%sio=%.10g", *mpi ? "+" : "", sending[1]);
	snprintf(jobs, sizeof(jobs), "%s%s", mpi, io);
	if (sending)
		table_text(t, G_JOBS, jobs);
	table_text(t, G_PACKING, packing);
	table_yes(t, G_USED, is_used);
	if (!loss)
		return;
	table_number(t, G_LOSS, *loss);
	if (tree > 0)
		table_number(t, G_OF_TREE, *loss / tree);
}

/* NULL: there is nothing to say. */
static const char *why_of(const struct sfab_packings *all, uint32_t i, int is_used, int is_best)
{
	if (all->nmixes && !all->trial[i].is_played)
		return "no port classes";
	if (!is_used)
		return is_best && !all->set ? "best for these jobs" : NULL;
	return all->set ? "set by Packing" : all->nmixes ? "found" : "not played";
}

static void put_mix(const struct sfab_packings *all, int mix, struct table *t)
{
	const double sending[2] = { mix == SFAB_MIX_IO ? 0 : all->share[0],
				    mix == SFAB_MIX_MPI ? 0 : all->share[1] };
	const double *known = all->nmixes ? sending : NULL;
	uint32_t best = sfab_packings_best(all, (enum sfab_mix) mix);
	double tree = all->tree[mix];

	put_row(t, known, "tree", known ? &tree : NULL, tree, 0);
	for (uint32_t i = 0; i < SFAB_PACKINGS; i++) {
		const struct sfab_packing_trial *x = &all->trial[i];
		int is_used = i == best && mix == (int) all->mix;
		const char *why = why_of(all, i, is_used, i == best);

		put_row(t, known, x->name, x->is_played ? &x->loss[mix] : NULL, tree, is_used);
		if (why)
			table_text(t, G_WHY, why);
	}
}

/* The packings of @site, played on @m. */
static int play_packings(const struct site *site, const struct sfab_model *m,
			 struct report *r, struct table *t, struct sfab_err *err)
{
	struct sfab_packings played;

	if (sfab_site_view_play(m, site->conf, 1, &played, err) < 0)
		return -1;
	if (!played.nmixes)
		report_warning(r, "nothing was played: fewer than %u compute hosts",
			       SFAB_PACKING_LEAST);
	for (int mix = 0; mix < 1 || mix < (int) played.nmixes; mix++)
		put_mix(&played, mix, t);
	return 0;
}

int show_packing(const struct planner_options *o, struct report *r,
		 struct table *t, struct sfab_err *err)
{
	struct site site;
	struct sfab_model *m;
	int rc;

	if (site_open(&site, &o->options, r, err) != 0)
		return -1;
	m = site_model(&site);
	rc = m ? play_packings(&site, m, r, t, err) : sfab_no_memory(err);
	sfab_model_destroy(m);
	site_close(&site);
	return rc;
}
