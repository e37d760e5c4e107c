/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site.h - the fabric and the settings that a command works on */
#ifndef SFAB_SITE_H
#define SFAB_SITE_H

#include "core/err.h"
#include "io/conf/conf.h"
#include "io/snapshot/snapshot.h"
#include "lua/script.h"
#include "place/request/intent.h"
#include "place/state/site_view.h"
#include "tools/site/roles.h"
#include "tools/ui/options.h"

struct reply;

struct site {
	struct sfab_conf *conf;
	struct sfab_snapshot *snapshot;		/* NULL: not opened */
	const char *path;			/* of it, borrowed; NULL: several fabrics */
	const char *jobs;			/* --jobs, borrowed; NULL: not given */
	const struct sfab_fabric *f;		/* of the snapshot */
	const struct sfab_iosets *io;		/* from the conf, script or snapshot */
	struct sfab_script *script;		/* NULL: no script, or a faulty one */
	struct sfab_site_view view;		/* what conf and script say about hosts */
	struct sfab_script_cache *script_cache;	/* what the script says about jobs; NULL: none */
	struct sfab_history *history;		/* what jobs sent before; NULL: nothing */
	struct roles roles;			/* of the hosts of @f */
	int is_lent;				/* 1: the service owns conf and snapshot now */
};

/*
 * Read sfabric.conf: --conf, which must exist, else the usual path.  If that file does not
 * exist, all defaults apply.  Slurm's nodes are those of slurm.conf.
 */
struct sfab_conf *site_conf(const struct options *o, struct sfab_err *err);

/*
 * Open the conf and the snapshot: --snapshot, else $SFABRIC_SNAPSHOT, else the conf's Snapshot.
 * The facts go into @r.  The script that the conf names is read; a faulty script is only a
 * warning, as for the plugin.  On failure nothing is left open.
 */
int site_open(struct site *site, const struct options *o, struct reply *r, struct sfab_err *err);
void site_close(struct site *site);		/* twice is fine */

/* Make the model of the open fabric; the caller owns it. */
struct sfab_model *site_model(const struct site *site);

/*
 * The part of the measured bytes that follow the routes of the snapshot with this fingerprint,
 * as the file FoundTraffic has it; < 0: not known.
 */
double site_followed(const struct sfab_conf *conf, uint64_t fingerprint);

/* The facts that decide what a job sends; borrowed. */
struct sfab_intent_site site_intent(const struct site *site);
/* What a job is assumed to send if nothing is known about it. */
struct sfab_traffic site_traffic(const struct site *site);

/* What a host is here (roles.h).  Jobs are placed on compute hosts only. */
static inline enum role site_role(const struct site *site, uint32_t host)
{
	return (enum role) site->roles.role[host];
}

/* Warn if names alone say that hosts are no compute nodes. */
void site_warn_of_names(const struct site *site, struct reply *r);

/*
 * Set the roles of the fabric's hosts to those found here, so that its compute hosts are
 * Slurm's nodes.  Commands that must do as the plugin do not call it.
 */
void site_apply_roles(struct site *site);

#endif
