/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_replay.c - `sfabric replay [TRACE]`: what a placement policy would have achieved on this
 * fabric, with the jobs of a log or of a model
 *
 * Only options are here; tools/replay/ does the work: it reads or makes the jobs, lets each
 * policy place them as they come, and compares how long they took.  Times are simulated, so
 * nothing waits, and one seed always gives the same result.
 */

#include "tools/replay/replay.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tools/cmd/cmd.h"
#include "tools/replay/trace.h"
#include "tools/ui/number.h"
#include "tools/ui/reply.h"
#include "tools/ui/xalloc.h"

/* A full machine, as large ones are: with free nodes everywhere any policy is fine. */
#define UTILIZATION_DEFAULT 0.92
#define UTILIZATION_NEAR 0.01	/* relative to the target: no remark within */
/* Four of five jobs send MPI at full rate, the others nothing that counts. */
#define MIX_DEFAULT "0.8:mpi=1,0.2:off"
#define POLICIES_DEFAULT "tree,contiguous,random,sfabric"

/* The names of enum sfab_policy, in its order. */
#define POLICY_WORDS "sfabric|contiguous|tree|spread|random"

/*
 * Read "tree,sfabric": the table has the policies in this order, each once.  The first is what
 * the others are compared with.
 */
static void set_policies(struct argp_state *state, const struct option_row *o, void *replay,
			 char *text)
{
	char *words = xstrdup(text), *rest = words, *word;
	struct replay *rp = replay;

	rp->npolicies = 0;
	while ((word = strsep(&rest, ","))) {
		int policy = options_word(word, POLICY_WORDS);

		if (policy < 0)
			argp_error(state, "unknown policy '%s'%s", word,
				   options_meant(word, POLICY_WORDS));
		for (uint32_t i = 0; i < rp->npolicies; i++)
			if ((int) rp->policy[i] == policy)
				argp_error(state, "policy %s twice", word);
		rp->policy[rp->npolicies++] = (enum sfab_policy) policy;
	}
	free(words);
}

/*
 * Read seeds: "1-4" is four.  A seed decides all that is random in a run, so several tell
 * chance from effect.
 */
static void set_seeds(struct argp_state *state, const struct option_row *o, void *replay, char *arg)
{
	char *text = xstrdup(arg), *last = strchr(text, '-');
	struct replay *rp = replay;
	uint64_t first, to;

	if (last)
		*last++ = '\0';
	if (number_parse(text, INT64_MAX, &first) < 0 ||
	    number_parse(last ? last : text, INT64_MAX, &to) < 0 || first > to ||
	    to - first >= SEEDS_MAX)
		argp_error(state, "seeds '%s' (expected N or N-M, at most %d)", arg, SEEDS_MAX);
	rp->seed = first;
	rp->nseeds = (uint32_t) (to - rp->seed) + 1;
	free(text);
}

/*
 * Parts of --help: 1 policies, 2 which jobs, 3 when they come, 4 what they send, 5 how often
 * and how exactly it is computed.
 */
static const struct option_row rows[] = {
	{ "policy", "NAME,...", 1, "Of tree, contiguous, random, spread and sfabric; the others "
	  "are compared with the first (default " POLICIES_DEFAULT ")", KEEP_CALL,
	  .call = set_policies },
	{ "jobs", "N", 2, "Number of jobs (default 3000)", KEEP_COUNT,
	  .offset = offsetof(struct replay, njobs), 2, 10000000 },
	{ "machine", "NODES", 2, "Size of the traced machine (default: that of the fabric)",
	  KEEP_COUNT, .offset = offsetof(struct replay, machine), 1, TRACE_NODES_MAX },
	{ "utilization", "SHARE", 3, "Let jobs arrive so fast that the first policy fills this "
	  "share of the hosts (default 0.92)", KEEP_NUMBER,
	  .offset = offsetof(struct replay, utilization), 0.01, 1 },
	{ "load-factor", "FACTOR", 3, "Let jobs arrive FACTOR times as fast as logged",
	  KEEP_NUMBER, .offset = offsetof(struct replay, load_factor), 1e-6, 1e6 },
	{ "stretch", "BY", 3, "Stretch run times by the slowdown S (lockstep, the default), by "
	  "what jobs lose (loss), or not at all (none)", KEEP_CHOICE,
	  .offset = offsetof(struct replay, stretch), STRETCH_LOCKSTEP, 0, "lockstep|loss|none" },
	{ "mix", "SHARE:TRAFFIC[:NAME[:SENSITIVITY]],...", 4,
	  "What jobs send (default " MIX_DEFAULT ")", KEEP_TEXT,
	  .offset = offsetof(struct replay, mix) },
	{ "hints", "all|none", 4, "none: policies assume DefaultTraffic of sfabric.conf for all "
	  "jobs", KEEP_CHOICE, .offset = offsetof(struct replay, hides_hints), 0, 0, "all|none" },
	{ "seeds", "N[-M]", 5, "One run for each seed; the table has the means, and minimum "
	  "and maximum of compared columns (default 1-4)", KEEP_CALL,
	  .call = set_seeds },
	{ "steps", "N", 5, "Judge about N starts of each run by what jobs lose (default: "
	  "all)", KEEP_COUNT, .offset = offsetof(struct replay, judged), 0, 10000000 },
	{ "ranks", "ORDER", 5, "Ranks of the jobs that are judged: name, leaf, found "
	  "(as with RankOrder) or random (default name)", KEEP_CHOICE,
	  .offset = offsetof(struct replay, ranks), JUDGED_BY_NAME, 0, "name|leaf|found|random" },
	{ 0 }
};

static const struct option_group groups[] = { OPTIONS_OF_TABLE, { 0 } };

static error_t parse_replay_option(int key, char *arg, struct argp_state *state)
{
	struct replay *rp = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (rp->trace)
			argp_error(state, "one TRACE, not also %s", arg);
		rp->trace = arg;
		return 0;
	case ARGP_KEY_END:
		if (rp->load_factor > 0 && rp->utilization > 0)
			argp_error(state, "--utilization or --load-factor, not both");
		if (!rp->trace && rp->machine)
			argp_error(state, "--machine is for a TRACE");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct command_line usage = {
	.options = rows, .groups = groups, .common = offsetof(struct replay, options),
	.parse = parse_replay_option, .args = "[TRACE]",
	.doc = "Replay the jobs of TRACE (sacct -P) on the fabric under several placement "
	       "policies. Without TRACE the workload model of Lublin and Feitelson makes the "
	       "jobs.",
};

/*
 * Warn about seeds that did not reach the utilization that was asked for, as few jobs never
 * fill a machine.  The load is found by trying; it is reached if it is within UTILIZATION_NEAR.
 * 0: the seed had no target.
 */
static void warn_unreached(const struct replay *rp,
			   const struct replay_result *res, struct reply *r)
{
	double min = 1, max = 0;
	uint32_t n = 0;

	for (uint32_t k = 0; k < rp->nseeds; k++) {
		if (!(res->reached[k] > 0) ||
		    fabs(res->reached[k] - rp->utilization) <= UTILIZATION_NEAR)
			continue;
		n++;
		min = fmin(min, res->reached[k]);
		max = fmax(max, res->reached[k]);
	}
	if (n)
		reply_warning(r, "utilization %.3f cannot be reached with %u jobs "
			      "of %u seeds: replayed at %.3f to %.3f (use more "
			      "--jobs or less --utilization)", rp->utilization,
			      res->jobs, n, min, max);
}

/* Replay, and warn about what the reader of the table should know before the table comes. */
static int run_replay(void *ctx, struct answer *a, struct sfab_err *err)
{
	const struct replay *rp = ctx;
	/* Large, so not on the stack. */
	struct replay_result *res = xcalloc(1, sizeof(*res));
	struct site site;
	int rc = -1;

	if (site_open(&site, &rp->options, &a->reply, err) == 0) {
		site_warn_of_names(&site, &a->reply);
		rc = replay_play(rp, &site, res, err);
		if (rc == 0 && res->bad.n)
			reply_warning(&a->reply, "%s: left out (rows: %u)",
				      res->bad.first.text, res->bad.n);
		if (rc == 0 && res->cut)
			reply_warning(&a->reply, "%u jobs want more than all %u nodes, and get "
				      "all (--machine says how many the traced one has)",
				      res->cut, res->machine);
		if (rc == 0)
			warn_unreached(rp, res, &a->reply);
		/* As slurmctld does, a replay goes on without a script that fails. */
		if (rc == 0 && res->failed)
			reply_warning(&a->reply, "%s: %" PRIu64 " of %" PRIu64 " jobs were "
				      "placed without the script, as by slurmctld",
				      site.script_cache->wrong.text, res->failed,
				      (uint64_t) res->jobs * rp->nseeds);
		if (rc == 0)
			rc = replay_print(rp, res, a, err);
		site_close(&site);
	}
	free(res);
	return rc;
}

int cmd_replay(int argc, char **argv)
{
	struct replay rp = {
		.mix = MIX_DEFAULT, .judged = UINT32_MAX,
		.nseeds = SEEDS_DEFAULT, .seed = 1,
		.npolicies = 4,
		.policy = { SFAB_POLICY_TREE, SFAB_POLICY_CONTIGUOUS,
			    SFAB_POLICY_RANDOM, SFAB_POLICY_SFABRIC },
	};

	options_parse(&usage, argc, argv, &rp);
	options_columns(&rp.options, replay_columns, NULL);
	if (!(rp.load_factor > 0) && !(rp.utilization > 0))
		rp.utilization = UTILIZATION_DEFAULT;
	return answer_run("replay", &rp.options, run_replay, &rp);
}
