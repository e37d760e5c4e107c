/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow.c - each new counters.snap becomes a sample; see follow.h
 *
 * Each half second a loop checks whether counters.snap is another file.  A step that fails
 * leaves the files of the step before, and its reason is said once.
 *
 * The snapshot is read again when it changes, the history only at the start.
 */

#include "tools/learn/follow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>

#include "io/counters/counters.h"
#include "io/log_once.h"
#include "tools/ui/say.h"
#include "tools/ui/xalloc.h"

#define CHECK_MS 500		/* from one check of the files to the next */
#define TRAFFIC_MODE 0640	/* it has all jobs, also where PrivateData hides them */
#define HISTORY_MODE 0600	/* it has the names of users' jobs */

/* -- the history ------------------------------------------------------------ */

const char *follow_history_path(const struct follow_options *o, const struct sfab_conf *conf)
{
	return o->history ? o->history : conf->history;
}

/*
 * Rename the file and say so.  The new name has the time in it, so that files which were
 * renamed before stay.  A link is not renamed, and a device such as /dev/null has nothing to
 * lose.
 */
static int set_aside(const char *path, const char *why, struct sfab_err *err)
{
	char *from = realpath(path, NULL), *renamed;
	struct stat st;
	int rc;

	if (from && stat(from, &st) == 0 && !S_ISREG(st.st_mode)) {
		free(from);
		return 0;
	}
	renamed = xstrfmt("%s.%llu", from ? from : path, (unsigned long long) time(NULL));
	rc = rename(from ? from : path, renamed);
	free(from);
	if (rc != 0)
		sfab_fail(err, SFAB_EIO, "%s: %s, and it cannot be renamed to %s", path,
			  why, renamed);
	else
		say("%s: set aside as %s: %s", path, renamed, why);
	free(renamed);
	return rc;
}

struct sfab_history *follow_history(const struct follow_options *o, const struct site *site,
				    struct sfab_err *err)
{
	const char *path = follow_history_path(o, site->conf);
	struct sfab_err why = { 0 };
	struct sfab_history *h = sfab_history_load(path, NULL, &why);
	size_t prefix = strlen(path) + 2;
	uint64_t salt;

	if (!h && why.code == SFAB_EIO) {
		*err = why;
		return NULL;
	}
	if (h && !sfab_history_knows(h, site->f)) {
		sfab_history_destroy(h);
		h = NULL;
		why.code = SFAB_ESTALE;
		snprintf(why.text, sizeof(why.text), "%s: it is of another fabric", path);
	}
	if (!h && why.code != SFAB_ENOENT &&
	    /* The text begins with "PATH: ", which set_aside() says itself. */
	    set_aside(path, strlen(why.text) > prefix ? why.text + prefix : why.text, err) != 0)
		return NULL;
	/* A salt from the clock is weaker than a random one, but better than no history. */
	if (!h && getrandom(&salt, sizeof(salt), 0) != sizeof(salt))
		salt = (uint64_t) time(NULL);
	if (!h)
		h = xnonnull(sfab_history_create(salt));
	sfab_history_adopt(h, site->f);
	if (o->hides_names)
		sfab_history_hide_names(h);
	return h;
}

/* -- a sample --------------------------------------------------------------- */

static const char *counters_path(const struct follow_options *o, const struct site *site)
{
	return o->counters ? o->counters : site->conf->counters;
}

/* Learn from the counters.  The time of the sample is theirs, not now. */
static int sample_counters(struct learner *l, const struct follow_options *o,
			   const struct site *site, const struct sfab_counters *c,
			   struct sfab_err *err)
{
	struct sfab_model *m = site_model(site);
	struct sfab_measured *ms;
	struct learner_job *jobs = NULL;
	uint64_t taken_s = c->time_ms / 1000;
	uint32_t unknown, n;
	uint32_t nfresh = 0;	/* links whose rate is known and young */
	int rc = -1;

	ms = xnonnull(sfab_counters_measure(c, site->f, &unknown));
	for (uint32_t e = 0; e < ms->f->nlinks; e++)
		nfresh += ms->rate[e] >= 0 && ms->time_s[e] + SFAB_MEASURED_FRESH_S >= taken_s;
	if (c->n && unknown == c->n)
		sfab_fail(err, SFAB_ESTALE, "%s: none of its ports is in the snapshot",
			  counters_path(o, site));
	else if (!nfresh)
		sfab_fail(err, SFAB_ESTALE, "%s: no port has a rate of the last %d s (first "
			  "sample, reset, or old): nothing is learned from it",
			  counters_path(o, site), SFAB_MEASURED_FRESH_S);
	else if (o->options->jobs)
		jobs = learn_jobs_read(o->options->jobs, site->f, site->conf, &n, err);
	else
		jobs = learn_jobs_ask(site->f, &n, err);
	if (jobs)
		rc = learner_sample(l, m, ms, site->snapshot ? site->snapshot->fingerprint : 0,
				    jobs, n, taken_s, err);
	sfab_measured_destroy(ms);
	sfab_model_destroy(m);
	return rc;
}

int follow_once(struct learner *l, const struct follow_options *o,
		const struct site *site, struct sfab_err *err)
{
	const char *path = counters_path(o, site);
	struct sfab_counters *c = sfab_counters_load(path, NULL, err);
	uint64_t now_ms = (uint64_t) time(NULL) * 1000;
	int rc = -1;

	if (!c)
		return -1;
	/* Old counters would be attributed to the jobs that run now. */
	if (c->time_ms + SFAB_MEASURED_FRESH_S * 1000 < now_ms)
		sfab_fail(err, SFAB_ESTALE, "%s: the counters are old (taken more than "
			  "%d s ago): nothing is learned from them", path,
			  SFAB_MEASURED_FRESH_S);
	else
		rc = sample_counters(l, o, site, c, err);
	sfab_counters_destroy(c);
	return rc;
}

/* -- the service ------------------------------------------------------------ */

struct follower {
	const struct follow_options *o;
	struct site site;
	struct learner *l;
	struct stat counters, snapshot;		/* as they were read */
	uint32_t ended;				/* in the history that was written */
	struct sfab_log_once reported;
	int has_reported_left_out;
};

static const char *traffic_path(const struct follower *f)
{
	return f->o->traffic ? f->o->traffic : f->site.conf->found_traffic;
}

/* Print @text if it is new; "" is new only after another message. */
static void report_once(struct follower *f, const char *text)
{
	if (sfab_log_once_record(&f->reported, text))
		say("%s", *text ? text : "learning again");
}

/* Set *@seen to the state of the file, if that is another.  Return 1 if it is. */
static int note_change(const char *path, struct stat *seen)
{
	struct stat current;

	if (!path || stat(path, &current) != 0)
		return 0;
	/* A file that was replaced has another inode, also if it has the same size and time. */
	if (current.st_ino == seen->st_ino && current.st_size == seen->st_size &&
	    current.st_mtim.tv_sec == seen->st_mtim.tv_sec &&
	    current.st_mtim.tv_nsec == seen->st_mtim.tv_nsec)
		return 0;
	*seen = current;
	return 1;
}

/* Open the site and create the learner.  On failure follow_for_ever() frees what was made. */
static int open_follower(struct follower *f, struct reply *r, struct sfab_err *err)
{
	struct sfab_err why = { 0 };
	struct sfab_history *h;
	struct sfab_found *found;

	if (site_open(&f->site, f->o->options, r, err) != 0)
		return -1;
	note_change(f->site.path, &f->snapshot);
	h = follow_history(f->o, &f->site, err);
	if (!h)
		return -1;
	/* Jobs that run since before the start go on with what traffic.snap says of them. */
	found = sfab_found_load(traffic_path(f), NULL, &why);
	if (!found && why.code != SFAB_ENOENT)
		say("%s", why.text);		/* the next sample replaces it */
	f->l = learner_create(h, found);
	return 0;
}

/*
 * Take a sample and save what was learned.  traffic.snap is written at each sample, the history
 * only when a job has ended: it is large.
 */
static int take_sample(struct follower *f, struct reply *r, struct sfab_err *err)
{
	struct site reopened = { 0 };

	/* A new snapshot; if it cannot be read, the last one goes on. */
	if (note_change(f->site.path, &f->snapshot)) {
		if (site_open(&reopened, f->o->options, r, err) != 0)
			return -1;
		site_close(&f->site);
		f->site = reopened;
		sfab_history_adopt(f->l->history, f->site.f);
	}
	if (follow_once(f->l, f->o, &f->site, err) != 0)
		return -1;
	if (sfab_found_save(f->l->found, traffic_path(f), TRAFFIC_MODE, err) < 0)
		return -1;
	if (f->l->ended == f->ended)
		return 0;
	if (sfab_history_save(f->l->history, follow_history_path(f->o, f->site.conf),
			      HISTORY_MODE, err) < 0)
		return -1;
	f->ended = f->l->ended;
	return 0;
}

int follow_for_ever(const struct follow_options *o, const volatile sig_atomic_t *stop,
		    struct reply *r, struct sfab_err *err)
{
	static const struct timespec pause = { 0, CHECK_MS * 1000000L };
	struct follower f = { .o = o };
	int rc = open_follower(&f, r, err);

	while (rc == 0 && !*stop) {
		struct sfab_err why = { 0 };

		if (!note_change(counters_path(o, &f.site), &f.counters)) {
			nanosleep(&pause, NULL);
			continue;
		}
		if (take_sample(&f, r, &why) != 0) {
			report_once(&f, why.text);
		} else {
			uint32_t left_out = f.l->stats.left_out;

			report_once(&f, "");
			/*
			 * Say it once, and again only after a sample without it: the number
			 * changes all the time.
			 */
			if (left_out && !f.has_reported_left_out)
				say("there are more than %u jobs: nothing is found of %u "
				    "small ones", SFAB_ESTIMATE_JOBS_MAX, left_out);
			f.has_reported_left_out = left_out > 0;
		}
		if (o->options->verbose)
			say("%u jobs, %u added to the history, noise %.2f",
			    f.l->found->n, f.l->ended, f.l->stats.noise);
	}
	learner_destroy(f.l);
	site_close(&f.site);
	return rc;
}
