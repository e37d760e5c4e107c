/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_learn.c - `sfabric learn`: what the running jobs send, found out by counters, and what
 * earlier runs sent
 *
 * Each way to run it is a struct learn_action; without a word the running jobs are estimated
 * once.  The work is done elsewhere: follow.c reads counters and jobs, learner.c estimates,
 * learn_usage.c takes over sacct's totals, io/learn keeps the files.
 */

#include <pwd.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/is_digit.h"
#include "io/readers/reader.h"
#include "tools/cmd/cmd.h"
#include "tools/learn/follow.h"
#include "tools/learn/learn_tables.h"
#include "tools/learn/learn_usage.h"
#include "tools/slurm/sacct_rows.h"
#include "tools/ui/answer.h"
#include "tools/ui/xalloc.h"

struct learn {
	struct options options;
	struct follow_options follow;
	struct sfab_conf *conf;		/* of show and forget */
	const struct learn_action *action;
	int is_service, forgets_all;
	const char *sacct;		/* file, "" to ask sacct, or NULL */
	struct sfab_history_facts keys;	/* to forget */
};

/* -- the actions ------------------------------------------------------------ */

/* Look once at the newest counters, with a new learner, whose history is empty and not written. */
static int run_estimate(void *ctx, struct answer *a, struct sfab_err *err)
{
	struct learn *cmd = ctx;
	struct site site;
	struct learner *l;
	int rc;

	if (site_open(&site, &cmd->options, &a->reply, err) != 0)
		return -1;
	l = learner_create(xnonnull(sfab_history_create(0)), NULL);
	rc = follow_once(l, &cmd->follow, &site, err);
	if (rc == 0) {
		json_add(a->reply.data, "noise", json_number(l->stats.noise));
		json_add(a->reply.data, "left_out", json_object_new_uint64(l->stats.left_out));
		if (l->stats.left_out)
			reply_warning(&a->reply, "there are more than %u jobs: nothing is "
				      "found of %u small ones", SFAB_ESTIMATE_JOBS_MAX,
				      l->stats.left_out);
		rc = answer_table(a, "jobs", learn_found_table(l->found, (uint64_t) time(NULL)),
				  err);
	}
	learner_destroy(l);
	site_close(&site);
	return rc;
}

/* Read the history that the options name, and set cmd->conf, which may name it.  NULL with *err. */
static struct sfab_history *open_history(struct learn *cmd, struct sfab_err *err)
{
	cmd->conf = site_conf(&cmd->options, err);
	return cmd->conf ? sfab_history_load(follow_history_path(&cmd->follow, cmd->conf), NULL,
					     err) : NULL;
}

/* Print a row for each key: what runs with the same user, name and so on sent. */
static int run_learn_show(void *ctx, struct answer *a, struct sfab_err *err)
{
	struct sfab_history *h = open_history(ctx, err);
	int rc;

	if (!h)
		return -1;
	rc = answer_table(a, "keys", learn_history_table(h, (uint64_t) time(NULL)), err);
	sfab_history_destroy(h);
	return rc;
}

/*
 * Forget keys, for users who want to be forgotten, and for programs that changed.  The file is
 * 0600: it says who ran what.
 */
static int run_forget(void *ctx, struct answer *a, struct sfab_err *err)
{
	struct learn *cmd = ctx;
	struct sfab_history *h = open_history(cmd, err);
	uint32_t forgotten, kept;
	int rc;

	if (!h)
		return -1;
	forgotten = sfab_history_forget(h, &cmd->keys);
	kept = sfab_history_count(h);
	rc = sfab_history_save(h, follow_history_path(&cmd->follow, cmd->conf), 0600, err);
	sfab_history_destroy(h);
	if (rc != 0)
		return rc;
	json_add(a->reply.data, "forgotten", json_object_new_uint64(forgotten));
	json_add(a->reply.data, "kept", json_object_new_uint64(kept));
	if (!cmd->options.json)
		fprintf(a->out.file, "%u keys forgotten, %u kept\n", forgotten, kept);
	return 0;
}

/* -- sacct ------------------------------------------------------------------ */

/*
 * Add what Slurm counted to the history, which is written once, at the end: all runs are in it
 * or none.  Also say what was left out, since sites that lack a plugin of Slurm would wonder.
 */
static int add_usage(struct learn *cmd, struct answer *a, const struct site *site,
		     const struct sfab_usage *u, struct sfab_err *err)
{
	struct sfab_history *h = follow_history(&cmd->follow, site, err);
	struct learn_usage_sums sums;
	struct json_object *data = a->reply.data;
	int rc;

	if (!h)
		return -1;
	rc = learn_usage(h, u, site->f, &sums, err);
	if (rc == 0)
		rc = sfab_history_save(h, follow_history_path(&cmd->follow, site->conf), 0600,
				       err);
	sfab_history_destroy(h);
	if (rc != 0)
		return rc;
	json_add(data, "added", json_object_new_uint64(sums.added));
	json_add(data, "left_out", json_object_new_uint64((uint64_t) sums.unfinished + sums.brief +
							  sums.uncounted + sums.repeated));
	if (sums.packets)
		reply_warning(&a->reply, "%u jobs have only ic/sysfs, which counts packets: "
			      "set AcctGatherInterconnectType=acct_gather_interconnect/ofed",
			      sums.packets);
	if (!cmd->options.json)
		fprintf(a->out.file, "%u runs added; left out: %u not ended, %u shorter than "
			"%d s, %u without ic/ofed, %u added before\n", sums.added,
			sums.unfinished, sums.brief, LEARN_USAGE_SECONDS, sums.uncounted,
			sums.repeated);
	return 0;
}

/*
 * Learn from what Slurm's accounting counted, which is history, too, and needs no daemon.
 * Without a file sacct is asked, since yesterday, for a daily timer; runs that were added
 * before are skipped.
 */
static int run_sacct(void *ctx, struct answer *a, struct sfab_err *err)
{
	struct learn *cmd = ctx;
	const char *name = !*cmd->sacct ? "sacct" :
			   strcmp(cmd->sacct, "-") == 0 ? "standard input" : cmd->sacct;
	struct sfab_usage u = { 0 };
	struct site site;
	size_t size;
	char *text;
	int rc;

	if (site_open(&site, &cmd->options, &a->reply, err) != 0)
		return -1;
	rc = *cmd->sacct ? sfab_reader_read_text(cmd->sacct, 0, &text, &size, err) :
			 sacct_rows_ask(&text, err);
	if (rc == 0) {
		rc = sfab_usage_sacct(&u, name, text, *cmd->sacct ? size : strlen(text), err);
		free(text);
	}
	if (rc == 0 && u.bad.n)
		reply_warning(&a->reply, "%s: left out (rows: %u)", u.bad.first.text, u.bad.n);
	/* sacct is asked so that users cannot forge rows; who made a file may not have. */
	if (rc == 0 && *cmd->sacct && u.may_lie)
		reply_warning(&a->reply, "%s: names of jobs may hold bars and newlines, and so "
			      "forge rows (expected sacct --delimiter=@RANDOM@, see "
			      "sfabric-learn(1))", name);
	if (rc == 0)
		rc = add_usage(cmd, a, &site, &u, err);
	sfab_usage_free(&u);
	site_close(&site);
	return rc;
}

/* -- the service ------------------------------------------------------------ */

static volatile sig_atomic_t stop_learning;

static void stop_on_sigterm(int number)
{
	stop_learning = 1;
}

/* Follow the counters until SIGTERM or a failure, as a service of systemd. */
static int run_service(void *ctx, struct answer *a, struct sfab_err *err)
{
	struct learn *cmd = ctx;
	struct sigaction action = { .sa_handler = stop_on_sigterm };

	/* The signal must interrupt a sleep, so no SA_RESTART. */
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	return follow_for_ever(&cmd->follow, &stop_learning, &a->reply, err);
}

/* -- the command line ------------------------------------------------------- */

struct learn_action {
	int (*run)(void *ctx, struct answer *a, struct sfab_err *err);
	const struct column *columns;		/* of its table, or NULL */
};

static const struct learn_action action_estimate = { run_estimate, found_columns };
static const struct learn_action action_show = { run_learn_show, history_columns };
static const struct learn_action action_forget = { run_forget, NULL };
static const struct learn_action action_sacct = { run_sacct, NULL };
static const struct learn_action action_follow = { run_service, NULL };

static void take_sacct(struct argp_state *state, const struct option_row *o, void *value,
		       char *file)
{
	*(const char **) value = file ? file : "";
}

/* Take a user's name or number.  Numbers need not exist, as users leave. */
static void take_user(struct argp_state *state, const struct option_row *o, void *value, char *text)
{
	uint32_t *user = value;
	struct passwd *p;

	if (sfab_is_digit(*text)) {
		*user = (uint32_t) options_count(state, "user", text, 0, UINT32_MAX - 1);
		return;
	}
	p = getpwnam(text);
	if (!p)
		argp_error(state, "--user: no user %s (an id is fine, too)", text);
	*user = p ? (uint32_t) p->pw_uid : 0;
}

static const struct option_row option_rows[] = {
	{ "follow", NULL, 1, "Go on with each new counters.snap until SIGTERM, and write what "
	  "was found and learned", KEEP_YES, .offset = offsetof(struct learn, is_service) },
	{ "counters", "FILE", 1, "counters.snap (default: Counters of sfabric.conf)", KEEP_TEXT,
	  .offset = offsetof(struct learn, follow.counters) },
	{ "found", "FILE", 1, "Write what the running jobs send to FILE (default: FoundTraffic "
	  "of sfabric.conf)", KEEP_TEXT, .offset = offsetof(struct learn, follow.traffic) },
	{ "history", "FILE", 1, "The history (default: History of sfabric.conf)", KEEP_TEXT,
	  .offset = offsetof(struct learn, follow.history) },
	{ "hide-names", NULL, 1, "--follow: keep no names of users and jobs in the history",
	  KEEP_YES, .offset = offsetof(struct learn, follow.hides_names) },
	{ "sacct", "FILE", 1, "Add runs to the history from the output of sacct in FILE (-: "
	  "standard input), or from sacct itself since yesterday",
	  KEEP_CALL, .offset = offsetof(struct learn, sacct), .call = take_sacct,
	  .flags = OPTION_ARG_OPTIONAL },
	{ "user", "USER", 2, "forget: jobs of this user, a name or an id", KEEP_CALL,
	  .offset = offsetof(struct learn, keys.user), .call = take_user },
	{ "name", "NAME", 2, "forget: jobs of this name", KEEP_TEXT,
	  .offset = offsetof(struct learn, keys.name) },
	{ "account", "NAME", 2, "forget: this account", KEEP_TEXT,
	  .offset = offsetof(struct learn, keys.account) },
	{ "partition", "NAME", 2, "forget: this partition", KEEP_TEXT,
	  .offset = offsetof(struct learn, keys.partition), .letter = 'p' },
	{ "nodes", "N", 2, "forget: jobs of so many nodes", KEEP_COUNT,
	  .offset = offsetof(struct learn, keys.nodes), 1, 1000000, .letter = 'N' },
	{ "all", NULL, 2, "forget: everything", KEEP_YES,
	  .offset = offsetof(struct learn, forgets_all) },
	{ 0 }
};

static const struct option_group groups[] = { OPTIONS_OF_SETS, OPTIONS_OF_TABLE, { 0 } };

/*
 * Refuse combinations that make no sense, and choose the action.  Done at the end, as options
 * come in any order.
 */
static void finish_learn_options(struct learn *cmd, struct argp_state *state)
{
	const struct sfab_history_facts *keys = &cmd->keys;
	int forgets = cmd->action == &action_forget;
	int has_keys = keys->user != SFAB_NONE || keys->name || keys->account ||
		       keys->partition || keys->nodes;

	if (cmd->is_service && (cmd->action || cmd->options.json))
		argp_error(state, "--follow goes with neither a subcommand nor --json");
	if (has_keys + cmd->forgets_all != forgets && (forgets || has_keys || cmd->forgets_all))
		argp_error(state, forgets ? "forget needs --all, or any of --user, --name, "
			   "--account, --partition, --nodes" :
			   "--user, --name, --account, --partition, --nodes and --all "
			   "go with forget");
	if (cmd->sacct && (cmd->action || cmd->is_service))
		argp_error(state, "--sacct goes with neither a subcommand nor --follow");
	if (!cmd->action)
		cmd->action = cmd->is_service ? &action_follow : cmd->sacct ? &action_sacct :
			    &action_estimate;
	if (cmd->action->columns)
		options_columns(&cmd->options, cmd->action->columns, NULL);
}

static error_t parse_learn_option(int key, char *arg, struct argp_state *state)
{
	struct learn *cmd = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (cmd->action)
			argp_error(state, "%s: unexpected argument", arg);
		cmd->action = strcmp(arg, "show") == 0 ? &action_show :
			    strcmp(arg, "forget") == 0 ? &action_forget : NULL;
		if (!cmd->action)
			argp_error(state, "%s: no such subcommand%s (expected show or forget)",
				   arg, options_meant(arg, "show|forget"));
		return 0;
	case ARGP_KEY_END:
		finish_learn_options(cmd, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct command_line usage = {
	.options = option_rows, .groups = groups, .common = offsetof(struct learn, options),
	.parse = parse_learn_option, .args = "\nshow\nforget",
	.doc = "Find out by counters what the running jobs send, and show what earlier runs "
	       "sent.",
};

int cmd_learn(int argc, char **argv)
{
	struct learn cmd = { .keys.user = SFAB_NONE };
	int status;

	cmd.follow.options = &cmd.options;
	options_parse(&usage, argc, argv, &cmd);
	status = answer_run("learn", &cmd.options, cmd.action->run, &cmd);
	sfab_conf_destroy(cmd.conf);
	return status;
}
