/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_packing.c - what jobs lose by each packing, and which one is used; see show.h
 *
 * The same streams of jobs are played as when slurmctld loads the snapshot
 * (core/search/play_stream.h), so the packing that loses least here is the one that
 * Packing=auto finds there.
 */

#include "tools/show/show.h"

#include "place/state/site_view.h"
#include "tools/ui/reply.h"

static const struct column packing_columns[] = {
	{ "packing", "what is kept whole; tree: placement by Slurm's topology/tree",
	  COLUMN_TEXT, 0, SHOWN },
	{ "loss", "of a node, part of its time", COLUMN_NUMBER, 3, SHOWN },
	{ "of_tree", "loss / loss by tree placement", COLUMN_NUMBER, 2, SHOWN },
	{ "used", "for the term later of the score", COLUMN_YES, 0, SHOWN },
	{ "why", "why it is used, or has no loss", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ 0 }
};

static void add_loss_cells(struct table *t, double loss, double tree)
{
	table_number(t, "loss", loss);
	if (tree > 0)
		table_number(t, "of_tree", loss / tree);
}

/*
 * Add a row for tree placement and one for each packing.  @set: 1 + the index of the packing
 * that Packing of sfabric.conf names; 0: the best one is used.
 */
static void add_packing_rows(const struct sfab_packings *played, int set, struct table *t)
{
	uint32_t used = set ? (uint32_t) set - 1 : played->best;
	int is_played = played->trial[0].is_played;	/* without leaves nothing is played */

	table_row(t);
	table_text(t, "packing", "tree");
	table_yes(t, "used", 0);
	if (is_played)
		add_loss_cells(t, played->tree, played->tree);
	for (uint32_t i = 0; i < SFAB_PACKINGS; i++) {
		const struct sfab_packing_trial *x = &played->trial[i];

		table_row(t);
		table_text(t, "packing", x->name);
		if (x->is_played)
			add_loss_cells(t, x->loss, played->tree);
		table_yes(t, "used", i == used);
		if (is_played && !x->is_played)
			table_text(t, "why", "no port classes");
		else if (i == used)
			table_text(t, "why", set ? "set by Packing" :
				   is_played ? "found" : "not played");
	}
}

static int fill_packing(const struct show_request *rq, struct table *t, struct sfab_err *err)
{
	const struct site *site = rq->site;
	struct sfab_model *m = site_model(site);
	struct sfab_packings played;
	int rc = sfab_site_view_play(m, site->conf, &played, err) < 0 ? -1 : 0;

	if (rc == 0 && !played.trial[0].is_played)
		reply_warning(rq->r, "nothing was played: fewer than %u compute hosts, or "
			      "jobs that send nothing (DefaultTraffic)", SFAB_PACKING_MIN);
	if (rc == 0)
		add_packing_rows(&played, site->conf->packing, t);
	if (rc == 0 && rq->o->keeps_packing)
		rc = site->path ? sfab_site_view_keep(site->path, m, site->conf, &played, err) :
		     sfab_fail(err, SFAB_EINVAL, "--keep: there are several fabrics, and what is "
			       "kept stands beside the snapshot of one");
	sfab_model_destroy(m);
	return rc;
}

const struct show_table show_packing = {
	"packing", "packings", packing_columns, NULL, fill_packing
};
