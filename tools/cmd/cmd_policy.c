/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_policy.c - `sfabric policy test`: what the site's script decides about a job
 *
 * For the site's administrator while sfabric.lua is being written: the same request as in
 * slurmctld, with options of sbatch in place of a job.  Neither Slurm nor a fabric is needed.
 * Unlike in slurmctld, a script that fails is an error and not a line in a log.
 */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lua/script.h"
#include "place/decision.h"
#include "place/request/need.h"
#include "tools/cmd/cmd.h"
#include "tools/site/site.h"
#include "tools/slurm/hint.h"
#include "tools/slurm/job_ask.h"
#include "tools/slurm/job_options.h"
#include "tools/ui/answer.h"
#include "tools/ui/xalloc.h"

static const struct column columns[] = {
	{ "policy", "the script", COLUMN_TEXT, 0, SHOWN },
	{ "language", "that it runs in", COLUMN_TEXT, 0, SHOWN },
	{ "partition", "of the job", COLUMN_TEXT, 0, SHOWN },
	{ "account", "of the job", COLUMN_TEXT, 0, SHOWN },
	{ "qos", "of the job", COLUMN_TEXT, 0, SHOWN },
	{ "name", "of the job", COLUMN_TEXT, 0, SHOWN },
	{ "user", "number of its user", COLUMN_COUNT, 0, SHOWN },
	{ "nodes", "fewest that it needs", COLUMN_COUNT, 0, SHOWN },
	{ "minutes", "time limit; 0: none", COLUMN_COUNT, 0, SHOWN },
	{ "hint", "hint of the job", COLUMN_TEXT, 0, SHOWN },
	{ "placed", "no: it is left to Slurm", COLUMN_YES, 0, SHOWN },
	{ "mode", "off, observe or on", COLUMN_TEXT, 0, SHOWN },
	{ "mode_by", "who decides the mode: script or conf", COLUMN_TEXT, 0, SHOWN },
	{ "traffic", "what it is assumed to send", COLUMN_TEXT, 0, SHOWN },
	{ "traffic_by", "who decides the traffic: script, hint or conf",
	  COLUMN_TEXT, 0, SHOWN },
	{ "weights", "that the script changes", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

struct policy {
	struct options options;
	const char *word, *path;	/* "test"; the script, NULL: the conf's */
	struct job_options given;
};

static const struct option_row rows[] = {
	{ "policy", "FILE", 1, "The script (default: Policy of sfabric.conf)", KEEP_TEXT,
	  .offset = offsetof(struct policy, path) },
	{ 0 }
};

static const struct option_group groups[] = { OPTIONS_OF_TABLE, { 0 } };

static error_t parse_policy_option(int key, char *arg, struct argp_state *state)
{
	struct policy *pl = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		/* The second word is a batch script. */
		if (pl->word) {
			job_options_script(&pl->given, arg);
			return 0;
		}
		pl->word = arg;
		if (strcmp(arg, "test") != 0)
			argp_error(state, "%s: no such subcommand%s (expected test)",
				   arg, options_meant(arg, "test"));
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "no subcommand (expected test)");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* A job and the decisions about it. */
struct verdict {
	struct sfab_ask ask;
	enum sfab_mode mode;		/* the conf's */
	enum sfab_reason reason;
	struct sfab_decision d;
};

/* Find the verdict as the plugin does, which goes on without a script that fails. */
static int find_verdict(struct verdict *v, const struct sfab_intent_site *site,
			const struct sbatch *job, struct reply *r, struct sfab_err *err)
{
	struct sfab_intent_job asked;

	if (job_ask_alone(job, &v->ask, err) != 0)
		return -1;
	asked = sfab_intent_asked(&v->ask);
	/* Found before the script is asked, which may change it. */
	v->mode = sfab_intent_mode(site, v->ask.partition);
	v->reason = sfab_intent_find(site, &asked, &v->d);
	hint_warn(job->ask.comment, job->ask.network, r);
	hint_warn_decided(&v->d, site->script_cache, r);
	return 0;
}

/*
 * Set the cells of what the script was told about the job.  A column that stays empty was nil
 * for the script.
 */
static void set_job_cells(struct table *t, const struct verdict *v,
			  const struct sfab_intent_site *site)
{
	const struct sfab_ask *ask = &v->ask;
	struct sfab_traffic traffic;
	char hint[512] = "";

	table_text(t, "partition", ask->partition);
	table_text(t, "account", ask->who.account);
	table_text(t, "qos", ask->who.qos);
	table_text(t, "name", ask->who.name);
	if (v->d.hint == SFAB_HINT_OFF)
		table_text(t, "hint", "off");
	if (sfab_intent_hint(site, ask->comment, ask->network, &traffic, NULL) ==
	    SFAB_HINT_TRAFFIC)
		table_text(t, "hint", sfab_traffic_text(&traffic, hint, sizeof(hint)));
	table_count(t, "user", ask->who.user);
	table_count(t, "nodes", sfab_need_min(ask));
	/* As the script has it: minutes, as in Slurm. */
	table_count(t, "minutes", ask->limit_s / 60);
}

/*
 * Set the cells of what was decided.  Of the weights ("own:2,later:0") only those are shown
 * that differ from the conf's.
 */
static void set_decision_cells(struct table *t, const struct verdict *v,
			       const struct sfab_conf *conf)
{
	const struct sfab_decision *d = &v->d;
	/* Where the conf says off, the script does not decide the mode. */
	int is_scripts = v->mode != SFAB_MODE_OFF && d->says & SFAB_SAYS_MODE;
	char text[512], *weights = NULL;

	table_text(t, "mode", sfab_mode_name(d->mode));
	table_text(t, "mode_by", is_scripts ? "script" : "conf");
	table_yes(t, "placed", v->reason == SFAB_PLACED);
	table_text(t, "traffic", sfab_traffic_text(&d->traffic, text, sizeof(text)));
	table_text(t, "traffic_by", d->origin.source == SFAB_FROM_DEFAULT ?
		   "conf" : sfab_intent_source_word(d->origin.source));
	for (int i = 0; i < SFAB_NTERMS; i++)
		if (d->weights[i] != conf->weights[i])
			xjoin(&weights, ",", "%s:%g", sfab_term_name((enum sfab_term) i),
			      d->weights[i]);
	table_text(t, "weights", weights);
	free(weights);
}

/*
 * Fill only those parts of a site that a decision needs.  Without a snapshot any IO set may be
 * named: there is none to compare with.
 */
static int open_site(struct site *site, struct policy *pl, struct sfab_err *err)
{
	const struct sfab_err *wrong = &site->view.script_err;

	site->conf = site_conf(&pl->options, err);
	if (!site->conf)
		return -1;
	if (!pl->path)
		pl->path = site->conf->policy;
	if (!*pl->path)
		return sfab_fail(err, SFAB_EINVAL, "no script (expected SCRIPT, "
				 "--policy or Policy of sfabric.conf)");
	site->script = sfab_script_load(pl->path, NULL, err);
	if (!site->script)
		return -1;
	site->script_cache = sfab_script_cache_create(site->script, site->conf);
	if (!site->script_cache)
		return sfab_no_memory(err);
	if (!pl->options.snapshot)
		return 0;
	/* With --snapshot, hints and answers may only name existing IO sets. */
	site->snapshot = sfab_snapshot_load(pl->options.snapshot, NULL, err);
	if (!site->snapshot ||
	    sfab_site_view_make(&site->view, site->snapshot, site->conf,
				site->script, err) != 0)
		return -1;
	site->f = site->snapshot->fabric;
	site->io = site->view.io;
	return wrong->code ? sfab_fail(err, wrong->code, "%s", wrong->text) : 0;
}

/* Print one row as a list: a job and what was decided about it. */
static int run_policy(void *ctx, struct answer *a, struct sfab_err *err)
{
	struct policy *pl = ctx;
	struct site site = { 0 };
	struct sfab_intent_site facts;
	struct verdict v = { 0 };
	struct sbatch job;
	int status = job_options_read(&pl->given, JOB_WITHOUT_ENV, &job, &a->reply,
				      err);

	if (status == 0)
		status = open_site(&site, pl, err);
	facts = site_intent(&site);
	if (status == 0)
		status = find_verdict(&v, &facts, &job, &a->reply, err);
	if (status == 0) {
		struct table *t = table_create(columns);

		table_row(t);
		table_text(t, "policy", pl->path);
		table_text(t, "language", sfab_script_language());
		set_job_cells(t, &v, &facts);
		set_decision_cells(t, &v, facts.conf);
		status = answer_table(a, "decision", t, err);
		if (status == 0 && v.d.says & SFAB_SAYS_FAILED)
			status = STATUS_FOUND;
	}
	site_close(&site);
	return status;
}

int cmd_policy(int argc, char **argv)
{
	struct policy pl = { 0 };
	const struct command_line usage = {
		.options = job_options_init(&pl.given, rows, offsetof(struct policy, given)),
		.groups = groups, .common = offsetof(struct policy, options),
		.parse = parse_policy_option, .args = "test [SCRIPT]",
		.doc = "Show what sfabric.lua decides about a job with these options "
		       "of sbatch. SCRIPT is a batch script with #SBATCH lines.",
	};
	struct table_view *view = &pl.options.view;
	int status;

	options_parse(&usage, argc, argv, &pl);
	options_columns(&pl.options, columns, NULL);
	if (view->style == TABLE_TEXT && !view->format)
		view->style = TABLE_LIST;
	status = answer_run("policy", &pl.options, run_policy, &pl);
	job_options_free(&pl.given);
	return status;
}
