/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conffile.c - sfabric.conf is read, its modes are published; see conffile.h
 *
 * A thread of its own looks at sfabric.conf.  The loader's thread may be busy with a
 * large snapshot, or hang with its file system; Mode=off must take effect anyway.
 * So modes go directly to the asking thread, and the whole configuration goes to the
 * loader.
 */

#include "place/state/conffile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/log_once.h"
#include "io/thread.h"
#include "place/state/watch.h"

struct sfab_conffile {
	struct sfab_place_options o;
	char *path;
	struct sfab_handoff *handoff;
	struct sfab_watch file;
	struct sfab_conf *modes;	/* reported last, or NULL */
	_Atomic(struct sfab_conf *) next;	/* for the loader */
	struct sfab_said said;

	struct sfab_worker worker, *loader;	/* NULL: no thread to wake */
};

/* Log the mode of @partition (NULL: the default) if it is not the one logged last. */
static void tell_mode(struct sfab_conffile *cf, const struct sfab_conf *is,
		      const char *partition)
{
	const struct sfab_conf *was = cf->modes;
	enum sfab_mode mode = sfab_conf_mode(is, partition);
	char line[200];

	if (!cf->o.log || (was && mode == sfab_conf_mode(was, partition)))
		return;
	snprintf(line, sizeof(line), "mode%s%.60s is %s%s",
		 partition ? " of partition " : "", partition ? partition : "",
		 was ? "now " : "", sfab_mode_name(mode));
	cf->o.log(SFAB_LOG_INFO, line);
}

/* Takes over @conf.  -1: no memory, and nothing changed. */
static int publish_conf(struct sfab_conffile *cf, struct sfab_conf *conf)
{
	/* Two copies: one goes to the asking thread, one is compared with the next. */
	struct sfab_conf *modes = sfab_conf_modes(conf);
	struct sfab_conf *told = sfab_conf_modes(conf);
	const struct sfab_conf *was;

	if (!modes || !told) {
		sfab_conf_destroy(modes);
		sfab_conf_destroy(told);
		sfab_conf_destroy(conf);
		return -1;
	}
	/* Modes first: they must not wait until the loader makes a generation. */
	sfab_handoff_publish_modes(cf->handoff, modes);
	/*
	 * Log what changed, for the default and for partitions with a mode of
	 * their own.
	 */
	was = cf->modes;
	tell_mode(cf, told, NULL);
	for (uint32_t i = 0; i < told->partitions.n; i++)
		tell_mode(cf, told, told->partitions.pair[i].name);
	for (uint32_t i = 0; was && i < was->partitions.n; i++)
		if (!sfab_conf_names_partition(told, was->partitions.pair[i].name))
			tell_mode(cf, told, was->partitions.pair[i].name);
	sfab_conf_destroy(cf->modes);
	cf->modes = told;
	sfab_conf_destroy(atomic_exchange(&cf->next, conf));
	if (cf->loader)
		sfab_worker_wake(cf->loader);
	return 0;
}

void sfab_conffile_step(struct sfab_conffile *cf)
{
	struct sfab_err err = { 0 };
	struct sfab_conf *conf;

	if (!sfab_watch_changed(&cf->file, cf->path))
		return;
	conf = sfab_conf_load(cf->path, &cf->o.trust, &err);
	if (conf && publish_conf(cf, conf)) {
		sfab_fail(&err, SFAB_ENOMEM, "%s: out of memory", cf->path);
		cf->file.seen = 0;	/* try again */
	}
	if (sfab_said_anew(&cf->said, err.text) && *err.text && cf->o.log)
		cf->o.log(SFAB_LOG_ERROR, err.text);
}

struct sfab_conf *sfab_conffile_take(struct sfab_conffile *cf)
{
	return atomic_exchange(&cf->next, NULL);
}

/* The thread: looks at the file until the service ends. */
static void *run_conf_watcher(void *arg)
{
	struct sfab_conffile *cf = arg;

	while (sfab_worker_goes_on(&cf->worker)) {
		sfab_conffile_step(cf);
		sfab_worker_nap(&cf->worker, cf->o.tick_ms);
	}
	return NULL;
}

struct sfab_conffile *sfab_conffile_create(const struct sfab_place_options *o,
					   struct sfab_handoff *handoff,
					   struct sfab_err *err)
{
	struct sfab_conffile *cf = calloc(1, sizeof(*cf));

	if (cf)
		cf->path = strdup(o->conf_path);
	if (!cf || !cf->path) {
		free(cf);
		sfab_no_memory(err);
		return NULL;
	}
	cf->o = *o;
	cf->o.tick_ms = o->tick_ms ? o->tick_ms : SFAB_PLACE_TICK_MS;
	cf->handoff = handoff;
	if (!sfab_worker_init(&cf->worker, err))
		return cf;
	free(cf->path);
	free(cf);
	return NULL;
}

int sfab_conffile_stop(struct sfab_conffile *cf)
{
	return cf ? sfab_worker_stop(&cf->worker) : 0;
}

int sfab_conffile_destroy(struct sfab_conffile *cf)
{
	if (!cf)
		return 0;
	if (sfab_conffile_stop(cf))
		return -1;
	sfab_conf_destroy(sfab_handoff_adopt_modes(cf->handoff));
	sfab_conf_destroy(sfab_conffile_take(cf));
	sfab_conf_destroy(cf->modes);
	sfab_worker_clear(&cf->worker);
	free(cf->path);
	free(cf);
	return 0;
}

int sfab_conffile_start(struct sfab_conffile *cf, struct sfab_worker *loader,
			struct sfab_err *err)
{
	cf->loader = loader;
	return sfab_worker_start(&cf->worker, "sfab-conf", run_conf_watcher, cf,
				 err);
}
