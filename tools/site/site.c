/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site.c - the fabric and the settings that a command works on; see site.h
 *
 * Uses the functions of place/ that the plugin's loader uses (site view, script, history),
 * without the checks of owners: what a user may read, the user may try.  Where the plugin
 * leaves something out with a line in its log, a command warns.
 */

#include "tools/site/site.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/learn/found_traffic.h"
#include "place/state/feedback.h"
#include "place/state/snapfiles.h"
#include "tools/site/hosts.h"
#include "tools/ui/reply.h"
#include "tools/ui/say.h"
#include "tools/ui/xalloc.h"

struct sfab_conf *site_conf(const struct options *o, struct sfab_err *err)
{
	char path[PATH_MAX];
	struct sfab_conf *conf;

	sfab_conf_path(NULL, path, sizeof(path));
	if (o->conf) {
		conf = sfab_conf_load(o->conf, NULL, err);
	} else if (access(path, F_OK) == 0) {
		conf = sfab_conf_load(path, NULL, err);
	} else {
		conf = sfab_conf_create();
		if (!conf)
			sfab_no_memory(err);
	}
	if (conf)
		conf->nodes = roles_slurm_nodes();
	return conf;
}

/*
 * Return the path of the snapshot: the option's, else the environment's, else the conf's.
 * NULL: the conf names several fabrics.
 */
static const char *snapshot_path(const struct options *o,
				 const struct sfab_conf *conf)
{
	const char *env = getenv("SFABRIC_SNAPSHOT");

	if (o->snapshot)
		return o->snapshot;
	if (env && *env)
		return env;
	return conf->fabrics.n ? NULL : conf->snapshot;
}

/* Find the roles.  The script decides about hosts if it gave any of them another role. */
static void find_roles(struct site *site, const uint8_t *snapshot_role)
{
	char *nodes = roles_slurm_nodes();
	struct role_facts facts = {
		.f = site->f, .snapshot_role = snapshot_role, .io = site->io,
		.conf = site->conf, .nodes = nodes,
	};

	for (uint32_t h = 0; site->view.script && h < site->f->nhosts; h++)
		facts.has_script |= site->f->hosts[h].role != snapshot_role[h];
	roles_find(&site->roles, &facts);
	free(nodes);
}

void site_warn_of_names(const struct site *site, struct reply *r)
{
	const struct roles *roles = &site->roles;

	if (roles->nnamed)
		reply_warning(r, "%u hosts are no compute nodes by their names, for "
			      "example %s is %s: Role of sfabric.conf, or "
			      "--compute HOSTLIST, says what they are",
			      roles->nnamed, site->f->hosts[roles->named_host].name,
			      role_name(site_role(site, roles->named_host)));
}

/* Set hosts that are not for computing to "other".  IO hosts keep their role, which says more. */
void site_apply_roles(struct site *site)
{
	for (uint32_t h = 0; h < site->f->nhosts; h++)
		if (site->f->hosts[h].role == SFAB_HOST_COMPUTE &&
		    site_role(site, h) != ROLE_COMPUTE &&
		    site_role(site, h) != ROLE_IO)
			sfab_fabric_set_role(site->snapshot->fabric, h,
					     SFAB_HOST_OTHER);
}

/*
 * Find roles and IO sets as the plugin determines them.  A faulty script is a warning, like any
 * trouble that the plugin would only log.
 */
static int find_site_view(struct site *site, struct reply *r, struct sfab_err *err)
{
	const struct sfab_fabric *f = site->snapshot->fabric;
	/* Roles as in the snapshot, to see what conf and script change. */
	uint8_t *snapshot_role = xcalloc(f->nhosts, sizeof(*snapshot_role));
	struct sfab_intent_site facts;
	struct sfab_feedback feedback = { .history = NULL };
	struct sfab_err wrong = { 0 };
	char text[400];

	for (uint32_t h = 0; h < f->nhosts; h++)
		snapshot_role[h] = (uint8_t) f->hosts[h].role;
	if (*site->conf->policy)
		site->script = sfab_script_load(site->conf->policy, NULL,
						&wrong);
	if (sfab_site_view_make(&site->view, site->snapshot, site->conf,
				site->script, err) != 0) {
		free(snapshot_role);
		return -1;
	}
	site->f = site->snapshot->fabric;
	site->io = site->view.io;
	find_roles(site, snapshot_role);
	free(snapshot_role);
	if (wrong.code)
		reply_warning(r, "%s", wrong.text);
	if (site->view.script_err.code)
		reply_warning(r, "%s", site->view.script_err.text);
	if (site->view.script) {
		site->script_cache = sfab_script_cache_create(site->view.script,
							      site->conf);
		if (!site->script_cache)
			return sfab_no_memory(err);
	}
	/* Like the plugin, go on without a history that cannot be used. */
	if (sfab_feedback_read_history(&feedback, site->conf->history, site->f, NULL, &wrong) < 0)
		reply_warning(r, "%s", wrong.text);
	site->history = feedback.history;
	facts = (struct sfab_intent_site){ .conf = site->conf, .f = site->f, .io = site->io };
	if (*sfab_intent_lacking(&facts, text, sizeof(text)))
		reply_warning(r, "%s", text);
	return 0;
}

struct sfab_model *site_model(const struct site *site)
{
	return xnonnull(sfab_site_view_model(site->f, site->io, site->conf));
}

double site_followed(const struct sfab_conf *conf, uint64_t fingerprint)
{
	struct sfab_found *found = sfab_found_load(conf->found_traffic, NULL, NULL);
	double followed = found && found->fingerprint == fingerprint ? found->followed : -1;

	sfab_found_destroy(found);
	return followed;
}

struct sfab_intent_site site_intent(const struct site *site)
{
	return (struct sfab_intent_site){
		.conf = site->conf, .modes = site->conf,
		.script_cache = site->script_cache,
		.f = site->f, .io = site->io,
		.history = site->history,
	};
}

struct sfab_traffic site_traffic(const struct site *site)
{
	struct sfab_intent_site facts = site_intent(site);
	const struct sfab_intent_job any = { 0 };
	struct sfab_traffic traffic;

	/* The default alone: script and history decide about single jobs. */
	facts.script_cache = NULL;
	facts.history = NULL;
	sfab_intent_traffic(&facts, &any, SFAB_HINT_NONE, NULL, &traffic, NULL);
	return traffic;
}

/*
 * Add --compute as one more Role line; its hosts must exist.  It replaces Role lines about
 * compute hosts, and no others.
 */
static int add_compute_role(struct site *site, const char *hosts,
			    struct sfab_err *err)
{
	uint8_t *flags;
	uint32_t n;

	if (!hosts)
		return 0;
	flags = hosts_flags(site->snapshot->fabric, hosts, &n, err);
	if (!flags)
		return sfab_fail_prefix(err, "--compute");
	free(flags);
	sfab_conf_clear_roles(site->conf, "compute");
	return sfab_conf_add_role(site->conf, "compute", hosts, err);
}

int site_open(struct site *site, const struct options *o, struct reply *r,
	      struct sfab_err *err)
{
	char name[200];

	memset(site, 0, sizeof(*site));
	site->conf = site_conf(o, err);
	if (!site->conf)
		return -1;
	site->jobs = o->jobs;
	site->path = snapshot_path(o, site->conf);
	site->snapshot = site->path ?
			 sfab_snapshot_load(site->path, NULL, err) :
			 sfab_snapfiles_load(NULL, site->conf, NULL, err);
	/* The first error that a new user sees, so it suggests what to do. */
	if (!site->snapshot && err->code == SFAB_ENOENT) {
		struct sfab_err missing = *err;

		sfab_fail(err, SFAB_ENOENT, "%s (a snapshot is named by "
			  "--snapshot FILE, $SFABRIC_SNAPSHOT or Snapshot of "
			  "sfabric.conf; sfabric import or collect makes one)",
			  missing.text);
	}
	if (!site->snapshot || add_compute_role(site, o->compute, err) != 0 ||
	    find_site_view(site, r, err) != 0) {
		site_close(site);
		return -1;
	}
	reply_snapshot(r, site->snapshot);
	if (o->verbose)
		say("%s: %u switches, %u hosts, %u links", site->path ?
		    site->path : sfab_snapfiles_name(site->conf, name, sizeof(name)),
		    site->f->nswitches, site->f->nhosts, site->f->nlinks);
	return 0;
}

/* Free all parts: those that borrow from the snapshot go before it. */
void site_close(struct site *site)
{
	sfab_script_cache_destroy(site->script_cache);
	sfab_history_destroy(site->history);
	roles_free(&site->roles);
	sfab_site_view_clear(&site->view);
	sfab_script_destroy(site->script);
	if (!site->is_lent) {
		sfab_snapshot_destroy(site->snapshot);
		sfab_conf_destroy(site->conf);
	}
	memset(site, 0, sizeof(*site));
}
