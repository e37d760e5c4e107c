/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy.c - `sfabric policy test`: what the site's script decides about a job */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../lua/policy.h"
#include "answer.h"
#include "command.h"
#include "hint.h"
#include "job_options.h"
#include "say.h"
#include "site.h"
#include "words.h"

enum {
	F_POLICY, F_LANGUAGE, F_PARTITION, F_ACCOUNT, F_QOS, F_NAME, F_USER,
	F_NODES, F_MINUTES, F_HINT, F_PLACED, F_MODE, F_MODE_BY, F_TRAFFIC,
	F_TRAFFIC_BY, F_WEIGHTS,
};

static const struct column columns[] = {
	{ "policy", "the script", COLUMN_TEXT, 0, SHOWN },
	{ "language", "that it runs in", COLUMN_TEXT, 0, SHOWN },
	{ "partition", "of the job", COLUMN_TEXT, 0, SHOWN },
	{ "account", "of the job", COLUMN_TEXT, 0, SHOWN },
	{ "qos", "of the job", COLUMN_TEXT, 0, SHOWN },
	{ "name", "of the job", COLUMN_TEXT, 0, SHOWN },
	{ "user", "number of its user", COLUMN_COUNT, 0, SHOWN },
	{ "nodes", "that it needs at least", COLUMN_COUNT, 0, SHOWN },
	{ "minutes", "time limit; 0: none", COLUMN_COUNT, 0, SHOWN },
	{ "hint", "what the job says of itself", COLUMN_TEXT, 0, SHOWN },
	{ "placed", "no: it is left to Slurm", COLUMN_YES, 0, SHOWN },
	{ "mode", "off, observe or on", COLUMN_TEXT, 0, SHOWN },
	{ "mode_by", "who decides that: script or conf", COLUMN_TEXT, 0, SHOWN },
	{ "traffic", "what it is taken to send", COLUMN_TEXT, 0, SHOWN },
	{ "traffic_by", "who decides that: script, hint or conf",
	  COLUMN_TEXT, 0, SHOWN },
	{ "weights", "that the script changes", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

struct policy {
	struct options options;
	const char *word, *path;
	struct job_options given;
};

enum { KEY_POLICY = 0x300 };

static const struct argp_option rows[] = {
	{ "policy", KEY_POLICY, "FILE", 0,
	  "The script (else Policy of sfabric.conf)", 1 },
};

static const struct argp_child children[] = { OPTIONS_CHILDREN_TABLE, { 0 } };

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct policy *pl = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_init(state, children, &pl->options);
		return 0;
	case KEY_POLICY:
		pl->path = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (pl->word)
			return job_options_parse(&pl->given, key, arg, state);
		pl->word = arg;
		if (strcmp(arg, "test") != 0)
			argp_error(state, "%s: no such thing (expected test)",
				   arg);
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "what? (test)");
		return 0;
	default:
		return job_options_parse(&pl->given, key, arg, state);
	}
}

/* A job, and what is decided about it. */
struct decision {
	struct sfab_script_job job;
	enum sfab_hint hint;
	struct sfab_traffic own;
	char hint_text[512];
	struct sfab_script_answer said;
};

static void read_hint(struct decision *d, const struct sbatch *job,
		      const struct sfab_conf *conf, struct report *r)
{
	struct sfab_err err = { 0 };

	d->hint = sfab_hint_parse(job->comment, conf->share, &d->own, &err);
	if (d->hint == SFAB_HINT_NONE)
		d->hint = sfab_hint_parse(job->network, conf->share, &d->own,
					  &err);
	hint_warn(job->comment, job->network, r);
	if (d->hint == SFAB_HINT_WRONG)
		report_warning(r, "the hint is wrong: %s", err.text);
	if (d->hint == SFAB_HINT_TRAFFIC)
		d->job.hint = sfab_traffic_text(&d->own, d->hint_text,
						sizeof(d->hint_text));
}

/* Nodes that it needs at least, as the plugin counts them. */
static uint32_t least_nodes(const struct sbatch *job)
{
	if ((job->flags & SBATCH_NODES) || !job->tasks_per_node)
		return job->min_nodes;
	return (job->ntasks - 1) / job->tasks_per_node + 1;
}

static int decide(struct decision *d, const struct sfab_script *s,
		  const struct sbatch *job, const struct sfab_conf *conf,
		  struct report *r, struct sfab_err *err)
{
	memset(d, 0, sizeof(*d));
	d->job = (struct sfab_script_job){
		.partition = job->partition, .account = job->account,
		.qos = job->qos, .name = job->name, .user = getuid(),
		.nodes = least_nodes(job),
		.minutes = (uint32_t) (job->limit_s / 60),
	};
	read_hint(d, job, conf, r);
	if (d->hint == SFAB_HINT_OFF)	/* then it is not asked */
		return 0;
	return sfab_script_job(s, &d->job, conf, &d->said, err);
}

static void fill_job(struct table *t, const struct decision *d)
{
	const struct {
		int field;
		const char *text;
	} texts[] = {
		{ F_PARTITION, d->job.partition }, { F_ACCOUNT, d->job.account },
		{ F_QOS, d->job.qos }, { F_NAME, d->job.name },
		{ F_HINT, d->hint == SFAB_HINT_OFF ? "off" : d->job.hint },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i].text)
			table_text(t, (unsigned) texts[i].field, texts[i].text);
	table_count(t, F_USER, d->job.user);
	table_count(t, F_NODES, d->job.nodes);
	table_count(t, F_MINUTES, d->job.minutes);
}

static void fill_traffic(struct table *t, const struct decision *d,
			 const struct sfab_conf *conf)
{
	const struct sfab_traffic *traffic = &conf->default_traffic;
	const char *by = "conf";
	char text[512];

	if (d->said.says & SFAB_SAYS_TRAFFIC) {
		traffic = &d->said.traffic;
		by = "script";
	} else if (d->hint == SFAB_HINT_TRAFFIC) {
		traffic = &d->own;
		by = "hint";
	}
	table_text(t, F_TRAFFIC, sfab_traffic_text(traffic, text, sizeof(text)));
	table_text(t, F_TRAFFIC_BY, by);
}

/* "self:2,harm:0": those that are not the conf's. */
static void fill_weights(struct table *t, const struct decision *d,
			 const struct sfab_conf *conf)
{
	char *text = need_copy("");

	for (int i = 0; i < SFAB_NTERMS; i++) {
		char *longer;

		if (d->said.weights[i] == conf->weights[i])
			continue;
		longer = need_text("%s%s%s:%g", text, *text ? "," : "",
				   sfab_term_name((enum sfab_term) i),
				   d->said.weights[i]);
		free(text);
		text = longer;
	}
	if (*text && (d->said.says & SFAB_SAYS_WEIGHTS))
		table_text(t, F_WEIGHTS, text);
	free(text);
}

static void fill_mode(struct table *t, const struct decision *d,
		      const struct sfab_conf *conf)
{
	enum sfab_mode mode = sfab_conf_mode(conf, d->job.partition);
	const char *by = "conf";

	if (mode != SFAB_MODE_OFF && (d->said.says & SFAB_SAYS_MODE)) {
		mode = d->said.mode;
		by = "script";
	}
	table_text(t, F_MODE, sfab_mode_name(mode));
	table_text(t, F_MODE_BY, by);
	table_yes(t, F_PLACED, mode != SFAB_MODE_OFF &&
		  d->hint != SFAB_HINT_OFF && !(d->said.says & SFAB_SAYS_OFF));
}

static int test_script(struct policy *pl, struct sfab_conf *conf,
		       struct answer *a, struct sfab_err *err)
{
	const char *path = pl->path ? pl->path : conf->policy;
	struct sfab_script *s;
	struct decision d;
	struct sbatch job;
	struct table *t;
	int rc;

	if (!*path)
		return sfab_fail(err, SFAB_EINVAL, "which script? (--policy, or "
				 "Policy of sfabric.conf)");
	rc = job_options_read(&pl->given, JOB_WITHOUT_ENV, &job, &a->report, err);
	s = rc == 0 ? sfab_script_load(path, NULL, err) : NULL;
	rc = s ? decide(&d, s, &job, conf, &a->report, err) : -1;
	sfab_script_destroy(s);
	if (rc != 0)
		return -1;
	t = table_create(columns);
	table_row(t);
	table_text(t, F_POLICY, path);
	table_text(t, F_LANGUAGE, sfab_script_language());
	fill_job(t, &d);
	fill_mode(t, &d, conf);
	fill_traffic(t, &d, conf);
	fill_weights(t, &d, conf);
	return answer_table(a, "decision", t, err);
}

static int policy(void *ctx, struct answer *a, struct sfab_err *err)
{
	struct policy *pl = ctx;
	struct sfab_conf *conf = site_conf(&pl->options, err);
	int rc;

	if (!conf)
		return -1;
	rc = test_script(pl, conf, a, err);
	sfab_conf_destroy(conf);
	return rc;
}

int cmd_policy(int argc, char **argv)
{
	struct policy pl = { 0 };
	struct argp_option *all = job_options_rows(rows, sizeof(rows) /
						   sizeof(rows[0]));
	const struct argp argp = {
		all, parse_option, "test [SCRIPT]",
		"Show what sfabric.lua decides about a job with these options "
		"of sbatch. SCRIPT is a batch script with #SBATCH lines.",
		children, NULL, NULL,
	};
	struct table_view *view = &pl.options.view;
	int status;

	job_options_init(&pl.given);
	words_parse(&argp, argc, argv, 0, &pl);
	options_columns(&pl.options, columns, NULL);
	if (view->style == TABLE_TEXT && !view->format)
		view->style = TABLE_LIST;
	status = answer_run("policy", &pl.options, policy, &pl);
	job_options_free(&pl.given);
	free(all);
	return status;
}
