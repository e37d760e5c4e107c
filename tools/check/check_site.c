/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check_site.c - sfabric.conf, the snapshot, and Slurm's nodes on it; see check.h
 *
 * Files are read as slurmctld would read them, with the same trust: owned by root or SlurmUser,
 * writable by nobody else.
 */

#include "tools/check/check.h"

#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/learn/found_traffic.h"
#include "io/snapshot/snapshot.h"
#include "io/spelling.h"
#include "place/state/site_view.h"
#include "place/state/snapfiles.h"
#include "tools/site/roles.h"
#include "tools/site/warnings.h"
#include "tools/slurm/cluster.h"
#include "tools/ui/duration.h"
#include "tools/ui/xalloc.h"

/* Load sfabric.conf.  NULL: it cannot be used, and the table says why.  The caller destroys it. */
static struct sfab_conf *check_conf(struct check *c)
{
	/* As the controller determines it: next to its slurm.conf. */
	const char *slash = c->has_slurm ? strrchr(c->slurm.conf, '/') : NULL;
	char *path, usual[PATH_MAX];
	struct sfab_conf *conf;
	struct sfab_err err;

	if (c->options->conf)
		path = xstrdup(c->options->conf);
	else if (slash && !getenv("SFABRIC_CONF"))
		path = xstrfmt("%.*s/sfabric.conf",
			       (int) (slash - c->slurm.conf), c->slurm.conf);
	else
		path = xstrdup(sfab_conf_path(NULL, usual, sizeof(usual)));
	conf = sfab_conf_load(path, &c->trust, &err);
	if (conf)
		conf->nodes = roles_slurm_nodes();
	if (conf)
		check_add(c, "conf", VERDICT_FINE, "%s", path);
	else
		check_add(c, "conf", VERDICT_WRONG, "%s", err.text);
	free(path);
	return conf;
}

/*
 * Add a row of the modes, and one for each partition in sfabric.conf that Slurm does not have.
 * That is a typing error: the partition that was meant then has no mode.
 */
static void check_modes(struct check *c, const struct sfab_conf *conf)
{
	char *modes = xstrdup(sfab_mode_name(conf->mode));
	struct cluster cluster;
	struct sfab_err err;

	for (uint32_t i = 0; i < conf->partitions.n; i++)
		xjoin(&modes, ", ", "%s in %s", conf->partitions.pair[i].value,
		      conf->partitions.pair[i].name);
	check_add(c, "mode", VERDICT_FINE, "%s", modes);
	free(modes);
	if (!c->has_slurm || !conf->partitions.n || cluster_ask(&cluster, &err) != 0)
		return;
	for (uint32_t i = 0; i < conf->partitions.n; i++) {
		const char *name = conf->partitions.pair[i].name;
		struct sfab_spelling spelling = sfab_spelling_start(name);

		if (cluster_partition(&cluster, name))
			continue;
		for (uint32_t k = 0; k < cluster.partitions.n; k++)
			sfab_spelling_offer(&spelling, cluster.partitions.partition[k].name);
		check_add(c, "mode", VERDICT_WRONG,
			  "PartitionMode: Slurm has no partition %s%s", name,
			  sfab_spelling_question(&spelling));
	}
	cluster_free(&cluster);
}

/*
 * Load the snapshot of --snapshot, else the conf's.  NULL: there is none that can be used, and
 * the table says why.  The caller destroys it.
 */
static struct sfab_snapshot *check_snapshot(struct check *c,
					    const struct sfab_conf *conf,
					    struct sfab_snapfiles *files)
{
	const char *path = c->options->snapshot;
	struct sfab_snapshot *s;
	struct sfab_err err;
	struct stat st;
	char name[200];

	sfab_snapfiles_reset(files, conf);
	s = path ? sfab_snapshot_load(path, &c->trust, &err) :
		   sfab_snapfiles_load(files, conf, &c->trust, &err);
	if (!path)
		path = sfab_snapfiles_name(conf, name, sizeof(name));
	if (!s) {
		check_add(c, "snapshot", VERDICT_WRONG, "%s%s", err.text,
			  c->options->snapshot || err.code == SFAB_ENOENT ? "" :
			  "; slurmctld keeps the last good one, only until it restarts");
		return NULL;
	}
	check_add(c, "snapshot", VERDICT_FINE,
		  "%s: %u hosts, %u switches, routed by %s", path,
		  s->fabric->nhosts, s->fabric->nswitches,
		  s->fabric->nplanes && *s->fabric->planes[0].engine ?
			s->fabric->planes[0].engine : "an unknown engine");
	/* Only shown: a file that slurmctld would not trust fails when it is read. */
	if (stat(path, &st) == 0) {
		const struct passwd *user = getpwuid(st.st_uid);

		check_add(c, "owner", VERDICT_FINE, "%s, mode %04o",
			  user ? user->pw_name : "an unknown user", st.st_mode & 07777);
	}
	return s;
}

/*
 * Check the age of the snapshot.  It counts from the last confirmation by the source
 * (fabric.alive), else from the time when the fabric was read.
 */
static void check_age(struct check *c, const struct sfab_conf *conf,
		      const struct sfab_snapshot *s,
		      struct sfab_snapfiles *files)
{
	uint64_t since = s->fabric->time, now = (uint64_t) time(NULL);
	const char *what = "read";
	struct sfab_err err;
	int64_t confirmed = 0;
	char *text;
	int is_late;

	/* fabric.alive confirms the snapshot of the conf, not one named on the command line. */
	if (!c->options->snapshot)
		sfab_snapfiles_confirm(files, conf, &c->trust, (int64_t) now,
				       &confirmed, &err);
	if (confirmed > (int64_t) since) {
		since = (uint64_t) confirmed;
		what = "confirmed by its source";
	}
	text = duration_text(now > since ? now - since : 0);
	is_late = conf->max_snapshot_age_s && now > since &&
	       now - since > conf->max_snapshot_age_s;
	if (is_late)
		check_add(c, "age", VERDICT_WRONG, "%s %s ago: too old to be "
			  "used (MaxSnapshotAge is %u s)", what, text,
			  conf->max_snapshot_age_s);
	else
		check_add(c, "age", VERDICT_FINE, "%s %s ago", what, text);
	free(text);
}

/*
 * Find IO sets and roles as the plugin does.  A faulty script has the row "policy".  Return the
 * script, which @view refers to and the caller destroys; NULL: none.
 */
static struct sfab_script *make_site_view(struct check *c,
					  struct sfab_site_view *view,
					  const struct sfab_conf *conf,
					  struct sfab_snapshot *s)
{
	struct sfab_script *script = NULL;
	struct sfab_err err = { 0 };

	if (*conf->policy)
		script = sfab_script_load(conf->policy, &c->trust, &err);
	if (err.code)
		check_add(c, "policy", VERDICT_WRONG, "%s", err.text);
	memset(view, 0, sizeof(*view));
	if (sfab_site_view_make(view, s, conf, script, &err) != 0)
		check_add(c, "conf", VERDICT_WRONG, "%s", err.text);
	else if (view->script_err.code)
		check_add(c, "policy", VERDICT_WRONG, "%s", view->script_err.text);
	return script;
}

/* Check that all nodes of Slurm are on the fabric.  If Slurm does not answer, it is unknown. */
static void check_nodes(struct check *c, const struct sfab_fabric *f, const struct sfab_iosets *io)
{
	struct nodes_found found;
	struct sfab_err err;
	char *list = cluster_hostlist(&err);

	if (!list || warnings_find_nodes(&found, f, io, list, &err) != 0)
		check_add(c, "nodes", VERDICT_UNKNOWN, "%s", err.text);
	else if (found.portless.n)
		check_add(c, "nodes", VERDICT_WRONG,
			  "%u of Slurm's %u nodes are not on the fabric, for example "
			  "%s", found.portless.n, found.portless.names,
			  found.portless.name);
	else
		check_add(c, "nodes", VERDICT_FINE,
			  "all %u nodes of Slurm are on the fabric", found.portless.names);
	if (list)
		warnings_of_hosts(c->reply, &found);
	free(list);
}

/* Check that packets go where the tables say: `sfabric learn` compares counters with the routes. */
static void check_followed(struct check *c, const struct sfab_conf *conf, uint64_t fingerprint)
{
	struct sfab_err err = { 0 };
	struct sfab_found *f = sfab_found_load(conf->found_traffic, NULL, &err);
	int strays = sfab_found_strays(f, fingerprint, conf->min_followed);

	if (!f && err.code == SFAB_ENOENT)
		check_add(c, "tables", VERDICT_UNKNOWN, "whether packets follow them is not "
			  "measured: no %s (sfabric learn)", conf->found_traffic);
	else if (!f)
		check_add(c, "tables", err.code == SFAB_EIO ? VERDICT_UNKNOWN : VERDICT_WRONG,
			  "%s", err.text);
	else if (f->fingerprint != fingerprint || !(f->followed >= 0))
		check_add(c, "tables", VERDICT_UNKNOWN, "too little was measured with them to "
			  "say whether packets follow them");
	else
		check_add(c, "tables", strays ? VERDICT_WRONG : VERDICT_FINE,
			  "%.0f %% of the measured bytes are where the tables say%s",
			  100 * f->followed, strays ? ": jobs are only observed (adaptive "
			  "routing, an old snapshot, a wrong IoSet, or MinFollowed)" : "");
	sfab_found_destroy(f);
}

/* Look for an IO set.  Without one, jobs are placed, but not by what they read and write. */
static void check_io(struct check *c, const struct sfab_conf *conf,
		     const struct sfab_fabric *f, const struct sfab_iosets *io)
{
	if (io && io->nsets)
		check_add(c, "io", VERDICT_FINE, "%u IO sets with %u ports", io->nsets,
			  io->nioports);
	else
		check_add(c, "io", VERDICT_UNKNOWN, "no IO set: what jobs read and write "
			  "does not count (IoSet in sfabric.conf)");
	warnings_of_counted_io(c->reply, conf, f, io, conf->counters);
}

/*
 * Add the rows about the site.  Each part needs those before it: without a conf nothing else is
 * checked, without a snapshot only the modes are.
 */
void check_site(struct check *c)
{
	struct sfab_conf *conf = check_conf(c);
	struct sfab_snapfiles files = { 0 };
	struct sfab_snapshot *s;
	struct sfab_script *script;
	struct sfab_site_view view;

	if (!conf)
		return;
	check_modes(c, conf);
	s = check_snapshot(c, conf, &files);
	if (!s) {
		sfab_conf_destroy(conf);
		return;
	}
	check_age(c, conf, s, &files);
	script = make_site_view(c, &view, conf, s);
	if (s->fabric->adaptive == SFAB_ADAPTIVE_UNKNOWN)
		check_add(c, "adaptive", VERDICT_WRONG, "switches adapt, or can, over unknown "
			  "ports: the plugin only observes");
	/* Warnings, as jobs are placed nevertheless. */
	warnings_of_fabric(c->reply, s->fabric);
	warnings_of_iosets(c->reply, s->fabric, s->iosets);
	warnings_of_source(c->reply, s->fabric, conf, c->options->snapshot);
	/* What the plugin knows of the fabric's use, and whether that is right. */
	check_io(c, conf, s->fabric, view.io);
	check_counters(c, conf, s->fabric);
	check_learning(c, conf, s->fabric);
	check_decision_log(c, conf);
	if (c->has_slurm)
		check_nodes(c, s->fabric, view.io);
	check_followed(c, conf, s->fingerprint);
	sfab_site_view_clear(&view);
	sfab_script_destroy(script);
	sfab_snapshot_destroy(s);
	sfab_conf_destroy(conf);
}
