/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site_view.c - what a site says of the fabric in a snapshot; see site_view.h
 *
 * Roles and IO sets have three sources: the snapshot, the script, sfabric.conf.  They
 * are applied in this order, and the later one wins, so that a line in sfabric.conf
 * can correct a script that is wrong.
 */

#include "place/state/site_view.h"
#include "core/search/play_stream.h"

#include <string.h>

#include "io/conf/conf_found.h"

/*
 * Roles and IO sets by the script.  If it fails, view->script_err says why and all is
 * as without it.
 */
static void ask_script_hosts(struct sfab_site_view *view,
			     struct sfab_snapshot *snap,
			     const struct sfab_script *script)
{
	struct sfab_script_hosts hosts;

	if (!script ||
	    sfab_script_hosts(script, snap->fabric, &hosts, &view->script_err) < 0)
		return;
	view->script = script;
	for (uint32_t h = 0; hosts.role && h < snap->fabric->nhosts; h++)
		sfab_fabric_set_role(snap->fabric, h,
				     (enum sfab_host_role) hosts.role[h]);
	view->own = hosts.io;
	hosts.io = NULL;
	sfab_script_hosts_clear(&hosts);
}

int sfab_site_view_make(struct sfab_site_view *view, struct sfab_snapshot *snap,
			const struct sfab_conf *conf,
			const struct sfab_script *script, struct sfab_err *err)
{
	memset(view, 0, sizeof(*view));
	sfab_conf_set_adaptive(conf, snap->fabric);
	ask_script_hosts(view, snap, script);
	if (sfab_conf_set_roles(conf, snap->fabric, err) < 0)
		return -1;
	/* IoSet lines replace the script's sets; either replaces the snapshot's. */
	if (conf->niosets) {
		const struct sfab_io_facts facts = {
			.nodes = conf->nodes, .before = snap->iosets,
			.before_f = snap->fabric,
		};

		sfab_iosets_destroy(view->own);
		view->own = sfab_conf_iosets_found(conf, snap->fabric, &facts,
						   &view->io_missing, err);
		if (!view->own)
			return -1;
	}
	view->io = view->own ? view->own : snap->iosets;
	return 0;
}

struct sfab_model *sfab_site_view_model(const struct sfab_fabric *f,
					const struct sfab_iosets *io,
					const struct sfab_conf *conf)
{
	struct sfab_model *m = sfab_model_create(f, io);

	if (!m)
		return NULL;
	memcpy(m->mix, conf->mix, sizeof(m->mix));
	return m;
}

int sfab_site_view_play(const struct sfab_model *m, const struct sfab_conf *conf,
			struct sfab_packings *out, struct sfab_err *err)
{
	struct sfab_packing packing = { .most_leaves = conf->max_leaves };
	struct sfab_scorer *sc = sfab_scorer_create(m);
	int rc;

	if (!sc)
		return sfab_no_memory(err);
	sfab_scorer_set_packing(sc, &packing);
	rc = sfab_packings_play(m, sc, &conf->default_traffic, out, err);
	sfab_scorer_destroy(sc);
	return rc;
}

int sfab_site_view_packing(const struct sfab_model *m, const struct sfab_conf *conf,
			   struct sfab_packing *out, struct sfab_err *err)
{
	struct sfab_packings played = { .best = 0 };
	int rc = 0;

	if (conf->packing)
		*out = sfab_packing_trials[conf->packing - 1].packing;
	else if ((rc = sfab_site_view_play(m, conf, &played, err)) == 0)
		*out = played.trial[played.best].packing;
	out->most_leaves = conf->max_leaves;
	return rc;
}

void sfab_site_view_clear(struct sfab_site_view *view)
{
	sfab_iosets_destroy(view->own);
	memset(view, 0, sizeof(*view));
}
