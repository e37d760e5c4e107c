/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_report.c - `sfabric report`: what the fabric costs, why, and what placement saves
 *
 * Sums up decision logs.  In mode observe this says what mode on would save; in mode on, what
 * it has saved.  With --links: which links the running jobs share now (links_report.h).
 */

#include <errno.h>
#include <math.h>
#include <pwd.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/cmd/cmd.h"
#include "tools/log/past_tables.h"
#include "tools/report/links_report.h"
#include "tools/site/site.h"
#include "tools/ui/answer.h"
#include "tools/ui/moment.h"
#include "tools/ui/number.h"

#define TOP 10		/* rows; a report should fit on a page */
#define QUIET_S 3600	/* a log that is rotated may have no line for so long */

struct past_request {
	struct links_request links;	/* also the common options */
	int is_links;			/* --links */
	char **log;			/* [nlogs]; none: the conf's DecisionLog */
	uint32_t nlogs;
	double since_s, until_s;
};

/* Read --since or --until as seconds since 1970.  Both are taken in local time, as in sacct. */
static void take_moment(struct argp_state *state, const struct option_row *o, void *seconds,
			char *arg)
{
	if (moment_parse(arg, (double) time(NULL), seconds) < 0)
		argp_error(state, "'%s' (expected YYYY-MM-DD[THH:MM[:SS]][Z] or "
			   "the like of now-2weeks)", arg);
}

static const struct option_row option_rows[] = {
	{ "since", "TIME", 1, "Jobs that began then or later: YYYY-MM-DD[THH:MM[:SS]], or the "
	  "like of now-2weeks", KEEP_CALL,
	  .offset = offsetof(struct past_request, since_s), .call = take_moment },
	{ "until", "TIME", 1, "Jobs that began before that", KEEP_CALL,
	  .offset = offsetof(struct past_request, until_s), .call = take_moment },
	{ "user", "NAME", 1, "Only jobs of this user", KEEP_TEXT,
	  .offset = offsetof(struct past_request, links.user) },
	{ "links", NULL, 2, "The links that running jobs share now, with job ids and GB/s, and "
	  "which jobs collide", KEEP_YES, .offset = offsetof(struct past_request, is_links) },
	{ "jobs", "FILE", 2, "With --links: running jobs, lines of ID HOSTLIST [TRAFFIC [USER]] "
	  "(default: ask Slurm)", KEEP_TEXT,
	  .offset = offsetof(struct past_request, links.preview.options.jobs) },
	{ "top", "N", 1, "Rows in lists of jobs, and of groups in text (10)", KEEP_COUNT,
	  .offset = offsetof(struct past_request, links.top), 1, 1000000 },
	{ 0 }
};

static const struct option_group groups[] = { OPTIONS_OF_REPORT, { 0 } };

static error_t parse_report_option(int key, char *arg, struct argp_state *state)
{
	struct past_request *r = state->input;

	switch (key) {
	case ARGP_KEY_ARGS:
		r->log = state->argv + state->next;
		r->nlogs = (uint32_t) (state->argc - state->next);
		return 0;
	case ARGP_KEY_END:
		if (r->is_links && (r->nlogs || isfinite(r->since_s) || isfinite(r->until_s)))
			argp_error(state, "--links shows the present: not with logs, "
				   "--since or --until");
		if (!r->is_links && r->links.preview.options.jobs)
			argp_error(state, "--jobs is for --links");
		r->links.preview.slurm = !r->links.preview.options.jobs;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct command_line usage = {
	.options = option_rows, .groups = groups, .parse = parse_report_option,
	.common = offsetof(struct past_request, links.preview.options), .args = "[LOG...]",
	.doc = "What the fabric costs and placement saves, by the decision log; or the links "
	       "that running jobs share.",
};

/* -- logs ------------------------------------------------------------------- */

/* Read a log; "-" is standard input, so that rotated logs can be unpacked into a pipe. */
static int read_past_log(struct past *p, const char *path, struct sfab_err *err)
{
	int is_stdin = strcmp(path, "-") == 0;
	FILE *in = is_stdin ? stdin : fopen(path, "r");
	int rc = 0;

	if (!in)
		return sfab_fail(err, SFAB_EIO, "%s: %s", path, strerror(errno));
	past_read(p, in);
	if (ferror(in))
		rc = sfab_fail(err, SFAB_EIO, "%s: %s", path, strerror(errno));
	if (!is_stdin)
		fclose(in);
	return rc;
}

/*
 * Read the logs in the order given, the oldest first: a job may begin in one and end in the
 * next.  If none is given, read the conf's.
 */
static int read_past_logs(struct past *p, const struct past_request *r,
			  const struct sfab_conf *conf, struct sfab_err *err)
{
	int rc = 0;

	if (!r->nlogs)
		return *conf->decision_log ? read_past_log(p, conf->decision_log, err) :
		       sfab_fail(err, SFAB_EINVAL, "no DecisionLog in sfabric.conf: name the "
				 "file");
	for (uint32_t i = 0; rc == 0 && i < r->nlogs; i++)
		rc = read_past_log(p, r->log[i], err);
	return rc;
}

/* Warn about what the reader should know before the figures. */
static void warnings_of_log(const struct past *p, struct reply *r)
{
	char begin[MOMENT_TEXT];
	uint32_t searched = 0;

	for (uint32_t i = 0; i < p->n; i++)
		searched += p->job[i]->ours.slowdown >= 1 && !p->job[i]->is_compared;
	if (p->nbad)
		reply_warning(r, "skipped %llu unreadable lines of the log",
			      (unsigned long long) p->nbad);
	if (searched)
		reply_warning(r, "%u jobs have nothing to compare with: a node of "
			      "theirs is not in the snapshot", searched);
	if (isfinite(p->since_s) && isfinite(p->log_s) && p->log_s > p->since_s + QUIET_S)
		reply_warning(r, "the log begins at %s, later than --since",
			      moment_text(p->log_s, begin));
	if (!p->n)
		reply_warning(r, "no job began in this time");
}

/* -- the answer ------------------------------------------------------------- */

/*
 * Print the answer first, then its parts, and destroy these.  Parts without rows are left out,
 * and so is a single day.
 */
static void print_report(const struct past_summary *s, struct table **part, uint32_t top, FILE *out)
{
	char *lines = past_lines(s);

	fprintf(out, "%s%s", lines, *lines ? "\n" : "");
	free(lines);
	for (int i = 0; i < PAST_PARTS; i++) {
		if (table_rows(part[i]) < past_kinds[i].min) {
			table_destroy(part[i]);
			continue;
		}
		fprintf(out, "\n%s\n", past_kinds[i].title);
		if (i == PART_PARTITION)
			table_top(part[i], top);
		table_take_print(part[i], out);
	}
}

static void add_verdict(struct json_object *data, const char *key,
			const struct past_verdict *v)
{
	struct json_object *o = json_object_new_object();

	json_add(o, "jobs", json_object_new_uint64(v->jobs));
	json_add(o, "moved", json_object_new_uint64(v->moved));
	json_add(o, "node_hours", json_number(v->node_hours));
	json_add(o, "saved", json_number(v->saved));
	json_add(o, "low", json_number(v->saved - v->error));
	json_add(o, "high", json_number(v->saved + v->error));
	json_add(data, key, o);
}

/* Add all parts, also empty ones, so that the keys are always there, and destroy them. */
static void add_report_json(const struct past_summary *s, struct table **part,
			    struct json_object *data)
{
	struct json_object *runs = json_object_new_object(), *sent = NULL;
	const struct past_runs *r = &s->runs;
	const struct past *p = s->p;
	uint32_t placed = 0;
	char traffic[160];

	for (uint32_t i = 0; i < p->n; i++)
		placed += p->job[i]->reason == SFAB_PLACED;
	json_add(data, "jobs", json_object_new_uint64(p->n));
	json_add(data, "placed", json_object_new_uint64(placed));
	json_add(data, "observed", json_object_new_uint64(s->mode_observe.jobs));
	json_add(data, "first", p->n ? json_number(p->first_s) : NULL);
	json_add(data, "last", p->n ? json_number(p->last_s) : NULL);
	json_add(data, "node_hours", json_number(s->all.node_hours));
	json_add(data, "lost", json_number(s->all.lost));
	add_verdict(data, "on", &s->mode_on);
	add_verdict(data, "observe", &s->mode_observe);
	if (s->all.nfound) {
		sent = json_object_new_object();
		sfab_traffic_text(&s->sent, traffic, sizeof(traffic));
		json_add(sent, "jobs", json_object_new_uint64(s->all.nfound));
		json_add(sent, "node_hours", json_number(s->all.found_hours));
		json_add(sent, "traffic", json_object_new_string(traffic));
	}
	json_add(data, "sent", sent);
	json_add(data, "full_hours", s->full_hours >= 0 ? json_number(s->full_hours) : NULL);
	json_add(data, "followed", s->followed >= 0 ? json_number(s->followed) : NULL);
	json_add(runs, "programs", json_object_new_uint64(r->programs));
	json_add(runs, "runs", json_object_new_uint64(r->runs));
	json_add(runs, "predicted", r->runs ? json_number(r->predicted) : NULL);
	json_add(runs, "measured", r->runs ? json_number(r->measured) : NULL);
	json_add(data, "run_times", runs);
	for (int i = 0; i < PAST_PARTS; i++) {
		json_add(data, past_kinds[i].key, table_json(part[i]));
		table_destroy(part[i]);
	}
}

/*
 * Find the user's number, as the log has numbers.  A number is taken as it is: the user may be
 * gone.
 */
static int find_past_user(struct past *p, const char *user, struct sfab_err *err)
{
	const struct passwd *entry = user ? getpwnam(user) : NULL;
	uint64_t id;

	if (!user)
		return 0;
	if (entry)
		id = entry->pw_uid;
	else if (number_parse(user, UINT32_MAX, &id) != 0)
		return sfab_fail(err, SFAB_ENOENT, "user %.60s: no such user here "
				 "(expected a name or a number)", user);
	snprintf(p->only_user, sizeof(p->only_user), "%u", (unsigned) id);
	return 0;
}

/*
 * Sum up decision logs, or with --links show what running jobs share.  Logs that are named need
 * no sfabric.conf.
 */
static int run_report(void *ctx, struct answer *a, struct sfab_err *err)
{
	const struct past_request *r = ctx;
	struct table *part[PAST_PARTS];
	struct past_summary s;
	struct sfab_conf *conf;
	struct past p;
	int rc;

	if (r->is_links)
		return links_report(&r->links, a, err);
	conf = site_conf(&r->links.preview.options, err);
	if (!conf && !r->nlogs)
		return -1;
	past_init(&p, r->since_s, r->until_s);
	rc = find_past_user(&p, r->links.user, err);
	if (rc == 0)
		rc = read_past_logs(&p, r, conf, err);
	if (rc == 0 && p.nbad && p.nbad == p.nlines)
		rc = sfab_fail(err, SFAB_EFORMAT, "not a decision log: none of its %llu lines "
			       "can be read", (unsigned long long) p.nlines);
	if (rc == 0) {
		/* The tables are made once, whatever form they get. */
		warnings_of_log(&p, &a->reply);
		s = past_summary(&p, conf ? site_followed(conf, p.fingerprint) : -1);
		past_tables(&s, r->links.top, part);
		if (a->options->json)
			add_report_json(&s, part, a->reply.data);
		else
			print_report(&s, part, r->links.top, a->out.file);
	}
	past_free(&p);
	sfab_conf_destroy(conf);
	return rc;
}

int cmd_report(int argc, char **argv)
{
	struct past_request r = {
		.links = { .top = TOP },
		.since_s = -INFINITY, .until_s = INFINITY,
	};

	options_parse(&usage, argc, argv, &r);
	return answer_run("report", &r.links.preview.options, run_report, &r);
}
