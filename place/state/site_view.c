/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site_view.c - what a site says of the fabric in a snapshot; see site_view.h */

#include "place/state/site_view.h"

#include <string.h>

/*
 * Roles and IO sets by the script.  If it fails, g->script_err says why and all is
 * as without it.
 */
static void ask_script_hosts(struct sfab_ground *g, struct sfab_snapshot *snap,
			     const struct sfab_script *script)
{
	struct sfab_script_hosts hosts;

	if (!script ||
	    sfab_script_hosts(script, snap->fabric, &hosts, &g->script_err) < 0)
		return;
	g->script = script;
	for (uint32_t h = 0; hosts.role && h < snap->fabric->nhosts; h++)
		sfab_fabric_set_role(snap->fabric, h,
				     (enum sfab_host_role) hosts.role[h]);
	g->own = hosts.io;
	hosts.io = NULL;
	sfab_script_hosts_clear(&hosts);
}

int sfab_ground_make(struct sfab_ground *g, struct sfab_snapshot *snap,
		     const struct sfab_conf *conf,
		     const struct sfab_script *script, struct sfab_err *err)
{
	memset(g, 0, sizeof(*g));
	ask_script_hosts(g, snap, script);
	if (sfab_conf_set_roles(conf, snap->fabric, err) < 0)
		return -1;
	/* IoSet lines replace the script's sets; either replaces the snapshot's. */
	if (conf->niosets) {
		sfab_iosets_destroy(g->own);
		g->own = sfab_conf_iosets(conf, snap->fabric, &g->io_missing,
					  err);
		if (!g->own)
			return -1;
	}
	g->io = g->own ? g->own : snap->iosets;
	return 0;
}

struct sfab_model *sfab_ground_model(const struct sfab_fabric *f,
				     const struct sfab_iosets *io,
				     const struct sfab_conf *conf)
{
	struct sfab_model *m = sfab_model_create(f, io);

	if (!m)
		return NULL;
	memcpy(m->mix, conf->mix, sizeof(m->mix));
	m->by_steps = conf->mpi_score;
	return m;
}

void sfab_ground_clear(struct sfab_ground *g)
{
	sfab_iosets_destroy(g->own);
	memset(g, 0, sizeof(*g));
}
