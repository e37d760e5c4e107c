/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_place.c - `sfabric place`: where a job would go, why, and what it gains
 *
 * This file works without Slurm, from --jobs and --available; place_slurm.c
 * works with Slurm.
 *
 * Both find traffic, mode and weights as the plugin does; what differs is who
 * says which nodes are free and which of them the job may use.
 */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command.h"
#include "tools/preview/place_slurm.h"
#include "tools/preview/preview.h"
#include "tools/preview/preview_context.h"
#include "tools/site/hosts.h"
#include "tools/slurm/hint.h"
#include "tools/slurm/job_ask.h"
#include "tools/slurm/job_options.h"
#include "tools/ui/answer.h"

struct place_command {
	struct preview_options o;
	struct job_options given;
	struct sbatch job;	/* script, environment and options, put together */
};

static const struct option_group groups[] = {
	{ preview_options_rows, "Machine:", .order = 2, .of_command = 1 },
	OPTIONS_OF_REPORT, { 0 }
};

/*
 * Without Slurm: what is missing to tell the number of nodes, or NULL.  In
 * Slurm the number of nodes may follow from CPUs and memory; here nobody knows
 * those of a node.
 */
static const char *find_missing(const struct sbatch *job)
{
	if ((job->flags & SBATCH_NODES) || job->nodelist)
		return NULL;
	if (!(job->flags & SBATCH_NTASKS))
		return "no number of nodes (expected -N, or -n with "
		       "--ntasks-per-node)";
	return job->ask.tasks_per_node ? NULL :
				     "-n without -N needs --ntasks-per-node";
}

static error_t parse_place_option(int key, char *arg, struct argp_state *state)
{
	struct place_command *pl = state->input;
	const char *missing;

	switch (key) {
	case ARGP_KEY_ARG:
		job_options_script(&pl->given, arg);
		return 0;
	case ARGP_KEY_END:
		preview_options_check(&pl->o, state);
		/* A script is read later: its #SBATCH lines may have it. */
		missing = find_missing(&pl->given.checked);
		if (missing && !pl->o.slurm && !pl->given.path)
			argp_error(state, "%s", missing);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/*
 * Options that need Slurm's node records: without them they change nothing.
 * They are not refused, so that a user's own command line can be pasted.
 */
static void warn_of_slurm_options(const struct sbatch *job, struct report *r)
{
	const struct {
		int is;
		const char *name;
	} needs_slurm[] = {
		{ job->ask.partition != NULL, "partition" },
		{ job->constraint != NULL, "constraint" },
		{ job->memory == MEMORY_NODE, "mem" },
		{ job->memory == MEMORY_CPU, "mem-per-cpu" },
		{ job->tmp_mb != 0, "tmp" },
		{ job->ask.cpus_per_node != 0, "mincpus" },
		{ (job->flags & SBATCH_CPUS) && !sbatch_cores(job, 1),
		  "cpus-per-task" },
		{ job->ask.flags & SFAB_ASK_CONTIGUOUS, "contiguous" },
		{ job->ask.flags & SFAB_ASK_SPREAD, "spread-job" },
		{ job->gres || sbatch_wants_gpus(job), "gres" },
		{ job->ask.switches != 0, "switches" },
	};

	for (size_t i = 0; i < sizeof(needs_slurm) / sizeof(needs_slurm[0]); i++)
		if (needs_slurm[i].is)
			report_warning(r, "--%s: ignored without --slurm",
				       needs_slurm[i].name);
	for (uint32_t i = 0; i < job->nnotes; i++)
		report_warning(r, "--%s: the preview ignores it",
			       job->note[i]);
}

/*
 * The request's size: as many as allowed and free, but at least MIN.  sbatch -N
 * 4-8 gets up to 8.  Too few free hosts still ask for MIN: the search then says
 * that the job has to wait.
 */
static int fill_request(const struct sbatch *job, struct preview_context *p,
			struct sfab_err *err)
{
	struct sfab_request *rq = &p->request;
	uint32_t nrequired = 0, least = 0;

	if (job->nodelist) {
		p->required = hosts_flags(p->site.f, job->nodelist, &nrequired, err);
		if (!p->required)
			return -1;
		rq->required = p->required;
	}
	if (job->flags & SBATCH_NODES) {
		least = job->ask.min_nodes;
		rq->n = job->ask.max_nodes ? job->ask.max_nodes : p->navail;
		p->enough = least > nrequired ? least : nrequired;
	} else if ((job->flags & SBATCH_NTASKS) && job->ask.tasks_per_node) {
		rq->n = least = (job->ask.tasks - 1) / job->ask.tasks_per_node + 1;
	} else {
		rq->n = nrequired;
	}
	if (rq->n > p->navail)
		rq->n = p->navail > least ? p->navail : least;
	return 0;
}

/* The chosen set, beside what plain policies would choose. */
static int answer_by_search(struct preview_context *p, struct answer *a,
			    struct sfab_err *err)
{
	struct preview best;
	int rc;

	if (preview_policy(p, &p->request, SFAB_POLICY_SFABRIC, &best, err) != 0)
		return -1;
	report_search(&a->report, "default", p->request.seed,
		      best.choice.steps);
	p->request.n = best.choice.n;
	best.advice = advice_find(p, &best.choice);
	rc = preview_answer(p, &best, SFAB_POLICY_CONTIGUOUS, a, err);
	preview_clear(&best);
	return rc;
}

/* Checked again here: a batch script may give what the command line lacks. */
static int place_offline(const struct sbatch *job, struct preview_context *p,
			 struct answer *a, struct sfab_err *err)
{
	const char *missing = find_missing(job);
	enum sfab_reason reason;
	struct sfab_ask ask;

	if (missing)
		return sfab_fail(err, SFAB_EINVAL, "%s", missing);
	warn_of_slurm_options(job, &a->report);
	if (job_ask_alone(job, &ask, err) != 0 || fill_request(job, p, err) != 0)
		return -1;
	/* Traffic, mode and weights, as the plugin would find them. */
	reason = preview_context_intent(p, &ask, &a->report);
	if (reason != SFAB_PLACED)
		report_warning(&a->report,
			       "%s: the plugin would leave the job to Slurm",
			       sfab_reason_text(reason));
	p->cores = sbatch_cores(job, p->request.n);
	return answer_by_search(p, a, err);
}

static int run_place(void *ctx, struct answer *a, struct sfab_err *err)
{
	struct place_command *pl = ctx;
	struct preview_context p;
	int rc = job_options_read(&pl->given, pl->o.slurm ? JOB_WITH_ENV :
				  JOB_WITHOUT_ENV, &pl->job, &a->report, err);

	if (rc == 0 && pl->job.ask.flags & SFAB_ASK_HET)
		report_warning(&a->report, "a heterogeneous job: Slurm itself "
			       "chooses the nodes of each component, and does not "
			       "ask for routes; only the first component is read");
	/* --traffic replaces the hint, so the hint's errors do not matter. */
	if (rc == 0 && !pl->o.traffic)
		hint_warn(pl->job.ask.comment, pl->job.ask.network, &a->report);
	if (!pl->o.slurm)	/* in Slurm it is a question of nodes */
		pl->o.exclude = pl->job.exclude;
	pl->o.places = 1;
	if (rc == 0)
		rc = preview_context_open(&p, &pl->o, &a->report, err);
	if (rc != 0)
		return rc;
	if (!p.place && !pl->o.available)
		site_warn_of_names(&p.site, &a->report);
	rc = p.place ? place_slurm(&pl->job, pl->o.traffic, &p, a, err) :
		       place_offline(&pl->job, &p, a, err);
	preview_context_close(&p);
	return rc;
}

int cmd_place(int argc, char **argv)
{
	struct place_command pl = {0};
	/*
	 * The options of sbatch that place takes come from one table, which
	 * policy shares.
	 */
	struct option_row *all = job_options_rows(NULL, offsetof(struct place_command, given));
	const struct command_line usage = {
		.options = all, .groups = groups,
		.common = offsetof(struct place_command, o.options),
		.parse = parse_place_option, .args = "[SCRIPT]",
		.doc = "Show where a job would go, why, and what it gains. Nothing is "
		       "submitted. SCRIPT is a batch script with #SBATCH lines.",
	};
	int status;

	job_options_init(&pl.given);
	argc = job_options_component(&pl.given, argc, argv);
	options_parse(&usage, argc, argv, &pl);
	status = answer_run("place", &pl.o.options, run_place, &pl);
	job_options_free(&pl.given);
	free(all);
	return status;
}
