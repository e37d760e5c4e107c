/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check_feedback.c - counters, what was learned, and the decision log; see check.h
 *
 * Jobs are placed without any of these.  So a file that was never there is "unknown" and not
 * "wrong", and the row says what the site misses.  A service that worked and stopped is
 * "wrong".
 */

#include "tools/check/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/counters/counters.h"
#include "io/learn/found_traffic.h"
#include "io/learn/history.h"
#include "place/request/reason.h"
#include "tools/log/declog.h"
#include "tools/ui/duration.h"
#include "tools/ui/reply.h"

#define LOG_TAIL (1l << 20)	/* bytes; a few thousand jobs */

/* Add the row for a file that is missing or cannot be used. */
static void add_unread(struct check *c, const char *what, const struct sfab_err *err,
		       const char *costs)
{
	if (err->code == SFAB_ENOENT)
		check_add(c, what, VERDICT_UNKNOWN, "%s: %s", err->text, costs);
	else
		check_add(c, what, VERDICT_WRONG, "%s", err->text);
}

/* Add the row of counters of this fabric: they are too old, have no rates yet, or are fine. */
static void add_rates_row(struct check *c, const char *path, const struct sfab_counters *count,
			  const struct sfab_measured *ms)
{
	uint64_t now_s = (uint64_t) time(NULL), read_s = count->time_ms / 1000;
	char *age = duration_text(now_s > read_s ? now_s - read_s : 0);
	uint32_t rates = 0;

	for (uint32_t e = 0; e < ms->f->nlinks; e++)
		rates += ms->rate[e] >= 0;
	if (sfab_measured_weight(ms, read_s, now_s) <= 0)
		check_add(c, "counters", VERDICT_WRONG, "%s: read %s ago, so they no longer "
			  "count: what writes them has stopped", path, age);
	else if (!rates)
		check_add(c, "counters", VERDICT_UNKNOWN, "%s: read %s ago; rates begin with "
			  "the second sample", path, age);
	else
		check_add(c, "counters", VERDICT_FINE, "rates of %u of %u links, read %s ago",
			  rates, ms->f->nlinks, age);
	free(age);
}

void check_counters(struct check *c, const struct sfab_conf *conf, const struct sfab_fabric *f)
{
	struct sfab_err err = { 0 };
	struct sfab_counters *count = sfab_counters_load(conf->counters, &c->trust, &err);
	struct sfab_measured *ms;
	uint32_t unknown = 0;

	if (!count) {
		add_unread(c, "counters", &err, "loads that nobody announced are not seen, "
			   "nothing is learned, and IO servers are found by name only "
			   "(sfabric-collect.service, or import --counters)");
		return;
	}
	ms = sfab_counters_measure(count, f, &unknown);
	if (ms && count->n && unknown == count->n)
		check_add(c, "counters", VERDICT_WRONG, "%s: counters of another fabric",
			  conf->counters);
	else if (ms)
		add_rates_row(c, conf->counters, count, ms);
	sfab_measured_destroy(ms);
	sfab_counters_destroy(count);
}

/* Add the row of the history.  It is wrong if sfabric learn took samples once and stopped. */
static void add_history(struct check *c, const struct sfab_conf *conf, const struct sfab_history *h)
{
	struct sfab_found *found = sfab_found_load(conf->found_traffic, &c->trust, NULL);
	uint64_t now_s = (uint64_t) time(NULL), sampled_s = found ? found->time_ms / 1000 : now_s;
	char *age = duration_text(now_s > sampled_s ? now_s - sampled_s : 0);
	uint32_t ntrusted = 0;

	sfab_found_destroy(found);
	for (uint32_t i = 0; i < sfab_history_count(h); i++)
		ntrusted += sfab_history_row(h, i, now_s).trusted != 0;
	if (now_s > sampled_s + SFAB_FOUND_OLD_S)
		check_add(c, "learning", VERDICT_WRONG, "%s: the last sample was %s ago: "
			  "sfabric learn has stopped, or has no counters",
			  conf->found_traffic, age);
	else
		check_add(c, "learning", VERDICT_FINE, "%u of %u keys of jobs in %s are "
			  "trusted", ntrusted, sfab_history_count(h), conf->history);
	free(age);
}

void check_learning(struct check *c, const struct sfab_conf *conf, const struct sfab_fabric *f)
{
	struct sfab_err err = { 0 };
	struct sfab_history *h = sfab_history_load(conf->history, &c->trust, &err);

	if (!h)
		add_unread(c, "learning", &err, "jobs without a hint are placed by "
			   "DefaultTraffic (sfabric-learn.service, which needs counters; "
			   "sfabric learn --sacct)");
	else if (!sfab_history_knows(h, f))
		check_add(c, "learning", VERDICT_WRONG, "%s: the history is of another "
			  "fabric: not used", conf->history);
	else
		add_history(c, conf, h);
	sfab_history_destroy(h);
}

/* What the last lines of the decision log say. */
struct log_end {
	unsigned njobs, nfailed;	/* that began; of these, the script failed */
	struct json_object *governor;	/* by partition: its last job's field "governor" */
};

/* Read the lines of @in, the tail of a log.  The first one may be cut and does not count. */
static void read_log_end(FILE *in, struct log_end *e)
{
	struct json_object *line;
	uint64_t number = 0, bad = 0;

	if (fseek(in, 0, SEEK_END) == 0 && ftell(in) > LOG_TAIL)
		fseek(in, -LOG_TAIL, SEEK_END);
	else
		rewind(in);
	while ((line = declog_next(in, &number, &bad))) {
		const char *partition = declog_text(line, "partition");
		const char *word = declog_text(line, "governor");
		const char *policy = declog_text(line, "policy");

		if (declog_is(line, "start")) {
			e->njobs++;
			e->nfailed += policy && strcmp(policy, "failed") == 0;
			json_object_object_add(e->governor, partition ? partition : "",
					       json_object_new_string(word ? word : ""));
		}
		json_object_put(line);
	}
}

/* Add the row "governor": its state in each partition when the last job began there. */
static void check_governor(struct check *c, const struct log_end *e)
{
	unsigned ntripped = 0;

	json_object_object_foreach(e->governor, partition, word) {
		enum sfab_trip trip = sfab_trip_find(json_object_get_string(word));

		if (!trip)
			continue;
		ntripped++;
		check_add(c, "governor", VERDICT_WRONG, "partition %.60s: %s: remove the cause, "
			  "then set its mode to observe and to on again", partition,
			  sfab_trip_text(trip));
	}
	if (!ntripped)
		check_add(c, "governor", e->njobs ? VERDICT_FINE : VERDICT_UNKNOWN,
			  e->njobs ? "it stopped no partition" : "no job in the decision "
			  "log says whether it stopped a partition");
}

void check_decision_log(struct check *c, const struct sfab_conf *conf)
{
	const char *path = conf->decision_log;
	struct log_end e = { .governor = json_object_new_object() };
	FILE *in = *path ? fopen(path, "r") : NULL;
	int error = errno;

	if (in) {
		read_log_end(in, &e);
		fclose(in);
	}
	if (e.nfailed && *conf->policy)
		reply_warning(c->reply, "%s had no answer for %u of the last "
			      "%u jobs: slurmctld.log says why", conf->policy, e.nfailed, e.njobs);
	if (!*path)
		check_add(c, "report", VERDICT_UNKNOWN, "no DecisionLog in sfabric.conf: "
			  "sfabric report cannot say what is gained");
	else if (e.njobs)
		check_add(c, "report", VERDICT_FINE, "%u jobs in the last MiB of %s: sfabric "
			  "report sums them up", e.njobs, path);
	else if (in || error == ENOENT)
		check_add(c, "report", VERDICT_UNKNOWN, "%s has no job yet: sfabric report "
			  "cannot say what is gained", path);
	else
		check_add(c, "report", VERDICT_WRONG, "%s: %s", path, strerror(error));
	check_governor(c, &e);
	json_object_put(e.governor);
}
