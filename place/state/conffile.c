/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conffile.c - sfabric.conf is read, its modes are published; see conffile.h
 *
 * A thread of its own looks at sfabric.conf.  The loader's thread may be busy with a large
 * snapshot, or hang with its file system; Mode=off must take effect anyway.  So modes go
 * directly to the asking thread, and the whole configuration goes to the loader.
 */

#include "place/state/conffile.h"

#include "place/log/say_log.h"

/* Log the mode of @partition (NULL: the default) unless it was the one logged last. */
static void log_mode(struct sfab_conffile *cf, const struct sfab_conf *conf, const char *partition)
{
	const struct sfab_conf *old = cf->modes;
	enum sfab_mode mode = sfab_conf_mode(conf, partition);

	if (!old || mode != sfab_conf_mode(old, partition))
		sfab_say(cf->o->log, SFAB_LOG_INFO, "mode%s%.60s is %s%s",
			 partition ? " of partition " : "", partition ? partition : "",
			 old ? "now " : "", sfab_mode_name(mode));
}

/* Publish @conf, which is taken over. */
static void publish_conf(struct sfab_conffile *cf, struct sfab_conf *conf)
{
	const struct sfab_conf *old = cf->modes;

	/* Modes first: they must not wait until the loader makes a generation. */
	sfab_handoff_publish_modes(cf->handoff, sfab_conf_share(conf));
	log_mode(cf, conf, NULL);
	for (uint32_t i = 0; i < conf->partitions.n; i++)
		log_mode(cf, conf, conf->partitions.pair[i].name);
	for (uint32_t i = 0; old && i < old->partitions.n; i++)
		if (!sfab_conf_names_partition(conf, old->partitions.pair[i].name))
			log_mode(cf, conf, old->partitions.pair[i].name);
	sfab_conf_destroy(cf->modes);
	cf->modes = sfab_conf_share(conf);
	sfab_conf_destroy(atomic_exchange(&cf->new_conf, conf));
	sfab_worker_wake(cf->loader);
}

void sfab_conffile_step(struct sfab_conffile *cf)
{
	struct sfab_err err = { 0 };
	struct sfab_conf *conf;

	if (!sfab_watch_check(&cf->file, cf->o->conf_path))
		return;
	conf = sfab_conf_load(cf->o->conf_path, &cf->o->trust, &err);
	if (conf)
		publish_conf(cf, conf);
	if (sfab_log_once_record(&cf->logged, err.text) && *err.text)
		sfab_say(cf->o->log, SFAB_LOG_ERROR, "%s", err.text);
}

struct sfab_conf *sfab_conffile_take(struct sfab_conffile *cf)
{
	return atomic_exchange(&cf->new_conf, NULL);
}

/* Run the thread: look at the file until the service ends. */
static void *run_conf_watcher(void *arg)
{
	struct sfab_conffile *cf = arg;

	while (sfab_worker_goes_on(&cf->worker)) {
		sfab_conffile_step(cf);
		sfab_worker_nap(&cf->worker, cf->o->tick_ms);
	}
	return NULL;
}

int sfab_conffile_start(struct sfab_conffile *cf, struct sfab_err *err)
{
	return sfab_worker_start(&cf->worker, "sfab-conf", run_conf_watcher, cf, err);
}

void sfab_conffile_clear(struct sfab_conffile *cf)
{
	sfab_conf_destroy(sfab_handoff_adopt_modes(cf->handoff));
	sfab_conf_destroy(sfab_conffile_take(cf));
	sfab_conf_destroy(cf->modes);
}
