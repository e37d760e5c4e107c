/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site_view.c - what a site says of the fabric in a snapshot; see site_view.h
 *
 * Roles and IO sets have three sources: the snapshot, the script, sfabric.conf.  They are
 * applied in this order, and the later one wins, so that a line in sfabric.conf can correct a
 * script that is wrong.
 */

#include "place/state/site_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "io/conf/conf_guess.h"
#include "io/hash.h"

/*
 * Ask the script for roles and IO sets.  If it fails, view->script_err says why and all is as
 * without it.
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
	view->site_iosets = hosts.io;
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
			.nodes = conf->nodes, .last_sets = snap->iosets,
			.last_fabric = snap->fabric,
		};

		sfab_iosets_destroy(view->site_iosets);
		view->site_iosets = sfab_conf_iosets(conf, snap->fabric, &facts,
						     &view->io_missing, err);
		if (!view->site_iosets)
			return -1;
	}
	view->io = view->site_iosets ? view->site_iosets : snap->iosets;
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
	struct sfab_packing packing = { .max_leaves = conf->max_leaves };
	struct sfab_scorer *sc = sfab_scorer_create(m);
	int rc;

	if (!sc)
		return sfab_no_memory(err);
	sc->packing = packing;
	rc = sfab_packings_play(sc, &conf->default_traffic, out, err);
	sfab_scorer_destroy(sc);
	return rc;
}

static void add_to_key(uint64_t *key, const void *p, size_t n)
{
	const uint64_t both[] = { *key, sfab_hash64(p, n) };

	*key = sfab_hash64((const uint8_t *) both, sizeof(both));
}

/* Hash everything on which the losses of packings depend. */
static int packing_key(const struct sfab_model *m, const struct sfab_conf *conf,
		       uint64_t *key, struct sfab_err *err)
{
	const struct sfab_traffic *t = &conf->default_traffic;

	if (sfab_snapshot_hash(m->f, m->io, key, err) < 0)
		return -1;
	add_to_key(key, SFAB_VERSION, sizeof(SFAB_VERSION));
	add_to_key(key, sfab_packings_rules, sizeof(sfab_packings_rules));
	add_to_key(key, m->mix, sizeof(m->mix));
	add_to_key(key, &conf->max_leaves, sizeof(conf->max_leaves));
	for (uint32_t i = 0; i < t->nparts; i++) {
		const struct sfab_traffic_part *part = &t->part[i];
		const uint32_t what[] = { part->class, part->pattern };

		add_to_key(key, what, sizeof(what));
		add_to_key(key, &part->share, sizeof(part->share));
		add_to_key(key, part->set, strlen(part->set));
	}
	return 0;
}

static void write_kept(char *text, uint64_t key, uint32_t packing)
{
	snprintf(text, SFAB_PACKING_TEXT, "sfabric-packing 1\npacking %s\nfor 0x%016" PRIx64 "\n",
		 sfab_packing_trials[packing].name, key);
}

/* Take the packing from @kept if that is for the same model, or play them all. */
static int find_packing(const struct sfab_model *m, const struct sfab_conf *conf,
			const char *kept, uint32_t *packing, struct sfab_err *err)
{
	char text[SFAB_PACKING_TEXT];
	struct sfab_packings played;
	uint64_t key;

	if (*kept) {
		if (packing_key(m, conf, &key, err) < 0)
			return -1;
		/* No match: the text is for another model, or damaged. */
		for (*packing = 0; *packing < SFAB_PACKINGS; ++*packing) {
			write_kept(text, key, *packing);
			if (strcmp(text, kept) == 0)
				return 0;
		}
	}
	if (sfab_site_view_play(m, conf, &played, err) < 0)
		return -1;
	*packing = played.best;
	return 0;
}

int sfab_site_view_packing(const struct sfab_model *m, const struct sfab_conf *conf,
			   const char *kept, struct sfab_packing *out, struct sfab_err *err)
{
	uint32_t packing = (uint32_t) conf->packing - 1;

	if (!conf->packing && find_packing(m, conf, kept, &packing, err) < 0)
		return -1;
	*out = sfab_packing_trials[packing].packing;
	out->max_leaves = conf->max_leaves;
	return 0;
}

int sfab_site_view_keep(const char *snapshot, const struct sfab_model *m,
			const struct sfab_conf *conf, const struct sfab_packings *played,
			struct sfab_err *err)
{
	char text[SFAB_PACKING_TEXT];
	uint64_t key;

	if (packing_key(m, conf, &key, err) < 0)
		return -1;
	write_kept(text, key, played->best);
	return sfab_snapshot_keep_packing(snapshot, text, err);
}

void sfab_site_view_clear(struct sfab_site_view *view)
{
	sfab_iosets_destroy(view->site_iosets);
	memset(view, 0, sizeof(*view));
}
