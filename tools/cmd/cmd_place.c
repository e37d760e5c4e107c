/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_place.c - `sfabric place`: where a job would go, why, and what it gains
 *
 * Without Slurm, from --jobs and --available, or with Slurm.  Both find traffic, mode and
 * weights as the plugin does; what differs is who says which nodes are free and which of them
 * the job may use.
 */

#include <stddef.h>
#include <stdlib.h>

#include "place/decision.h"
#include "place/state/generation.h"
#include "tools/cmd/cmd.h"
#include "tools/preview/preview.h"
#include "tools/site/hosts.h"
#include "tools/slurm/hint.h"
#include "tools/slurm/job_ask.h"
#include "tools/slurm/job_options.h"
#include "tools/ui/answer.h"
#include "tools/ui/printable.h"
#include "tools/ui/xalloc.h"

struct place_command {
	struct preview_options preview;	/* first: preview_options_rows fill it */
	struct job_options given;
	struct sbatch job;		/* script, environment and options, put together */
};

static const struct option_group groups[] = {
	{ preview_options_rows, "Machine:", .order = 2, .fills_command = 1 },
	OPTIONS_OF_REPORT, { 0 }
};

/*
 * Return what is missing to tell the number of nodes without Slurm, or NULL.  In Slurm the
 * number of nodes may follow from CPUs and memory; here nobody knows those of a node.
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
		preview_options_check(&pl->preview, state);
		/* A script is read later: its #SBATCH lines may have it. */
		missing = find_missing(&pl->given.checked);
		if (missing && !pl->preview.slurm && !pl->given.path)
			argp_error(state, "%s", missing);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Answer with the chosen set, beside what plain policies would choose, and better sizes. */
static int answer_by_search(struct preview_context *p, struct preview *chosen, uint32_t steps,
			    struct answer *a, struct sfab_err *err)
{
	reply_search(&a->reply, "default", p->request.seed, steps);
	chosen->advice = advice_find(p, &chosen->choice);
	return preview_answer(p, chosen, SFAB_POLICY_CONTIGUOUS, a, err);
}

/* -- without Slurm ------------------------------------------------------------ */

/*
 * Warn about options that need Slurm's node records: without them they change nothing.  They
 * are not refused, so that a user's own command line can be pasted.
 */
static void warnings_of_slurm_options(const struct sbatch *job, struct reply *r)
{
	const struct {
		int is_given;
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
		if (needs_slurm[i].is_given)
			reply_warning(r, "--%s: ignored without --slurm",
				      needs_slurm[i].name);
	for (uint32_t i = 0; i < job->nnotes; i++)
		reply_warning(r, "--%s: the preview ignores it",
			      job->note[i]);
}

/*
 * Set the request's size: as many as allowed and free, but at least MIN.  sbatch -N 4-8 gets up
 * to 8.  Too few free hosts still ask for MIN: the search then says that the job has to wait.
 */
static int set_request_size(const struct sbatch *job, struct preview_context *p,
			    struct sfab_err *err)
{
	struct sfab_request *rq = &p->request;
	uint32_t nrequired = 0, min = 0;

	if (job->nodelist) {
		p->required = hosts_flags(p->site.f, job->nodelist, &nrequired, err);
		if (!p->required)
			return -1;
		rq->required = p->required;
	}
	if (job->flags & SBATCH_NODES) {
		min = job->ask.min_nodes;
		rq->n = job->ask.max_nodes ? job->ask.max_nodes : p->navail;
		p->min_hosts = min > nrequired ? min : nrequired;
	} else if ((job->flags & SBATCH_NTASKS) && job->ask.tasks_per_node) {
		rq->n = min = (job->ask.tasks - 1) / job->ask.tasks_per_node + 1;
	} else {
		rq->n = nrequired;
	}
	if (rq->n > p->navail)
		rq->n = p->navail > min ? p->navail : min;
	return 0;
}

/*
 * Place the job without Slurm.  Its size is checked again here: a batch script may give what
 * the command line lacks.
 */
static int place_offline(const struct sbatch *job, struct preview_context *p,
			 struct answer *a, struct sfab_err *err)
{
	const char *missing = find_missing(job);
	enum sfab_reason reason;
	struct preview best;
	struct sfab_ask ask;
	int rc;

	if (missing)
		return sfab_fail(err, SFAB_EINVAL, "%s", missing);
	warnings_of_slurm_options(job, &a->reply);
	if (job_ask_alone(job, &ask, err) != 0 || set_request_size(job, p, err) != 0)
		return -1;
	/* Traffic, mode and weights, as the plugin would find them. */
	reason = preview_context_intent(p, &ask, &a->reply);
	if (reason != SFAB_PLACED)
		reply_warning(&a->reply,
			      "%s: the plugin would leave the job to Slurm",
			      sfab_reason_text(reason));
	p->cores = sbatch_cores(job, p->request.n);
	if (preview_policy(p, &p->request, SFAB_POLICY_SFABRIC, &best, err) != 0)
		return -1;
	p->request.n = best.choice.n;
	rc = answer_by_search(p, &best, best.choice.steps, a, err);
	preview_clear(&best);
	return rc;
}

/* -- with Slurm: what the plugin would decide -------------------------------- */

/*
 * Return the hosts of the chosen nodes ([*@n], caller frees).  A node that the fabric does not
 * have is left out with a warning, since the score is about hosts.
 */
static uint32_t *list_decided_hosts(const struct preview_context *p,
				    const struct sfab_decision *d, uint32_t *n, struct reply *r)
{
	uint32_t *hosts = xcalloc(d->n, sizeof(*hosts));

	*n = 0;
	for (uint32_t i = 0; i < p->cluster.nodes.n; i++) {
		uint32_t host = sfab_place_host(p->place, i);

		if (sfab_decision_has(d, i) && host != SFAB_NONE)
			hosts[(*n)++] = host;
	}
	if (*n < d->n)
		reply_warning(r, "%u of the nodes are not in the snapshot and "
			      "not shown", d->n - *n);
	return hosts;
}

/*
 * Answer with who places the job, and why.  In observe mode the plugin has decided but Slurm
 * does not listen, so the text says what it would take.
 */
static void answer_decision(const struct sfab_decision *d, enum sfab_reason reason,
			    const char *why, struct answer *a)
{
	if (a->options->json) {
		struct json_object *decision = json_object_new_object();

		json_add(decision, "by", json_object_new_string(
			reason == SFAB_PLACED ? "sfabric" : "slurm"));
		json_add(decision, "mode", json_object_new_string(sfab_mode_name(d->mode)));
		json_add(decision, "reason", json_object_new_string(sfab_reason_word(reason)));
		json_add(decision, "text", json_name(why));
		json_add(a->reply.data, "decision", decision);
	} else {
		/* The text has names of licenses and reservations. */
		char *text = printable(why, 0);
		FILE *out = a->out.file;

		if (reason == SFAB_PLACED)
			fprintf(out, "The plugin places this job.\n");
		else if (reason == SFAB_STOCK_OBSERVE)
			fprintf(out,
				"Slurm places this job itself: %s. The plugin "
				"would take:\n", text);
		else if (reason == SFAB_STOCK_FEW_NODES)
			fprintf(out, "The job cannot start now: %s.\n", text);
		else
			fprintf(out, "Slurm places this job itself: %s.\n", text);
		free(text);
	}
}

/*
 * Answer for the chosen nodes.  Without a choice they get a score and predictions too, but no
 * search to report.
 */
static int answer_nodes(const struct sfab_decision *d, const uint32_t *host, uint32_t n,
			struct preview_context *p, struct answer *a, struct sfab_err *err)
{
	struct preview v;
	int rc;

	if (preview_given(p, host, n, &v, err) != 0)
		return -1;
	v.name = d->reason == SFAB_PLACED || d->reason == SFAB_STOCK_NO_CHOICE || d->is_scored ?
		 "sfabric" : "slurm";
	if (d->is_scored) {
		v.choice.score = d->score;
		v.choice.max_n = d->max_n;
		v.choice.lost_at_max = d->lost_at_max;
		rc = answer_by_search(p, &v, d->steps, a, err);
	} else {
		rc = preview_answer(p, &v, SFAB_NPOLICIES, a, err);
	}
	preview_clear(&v);
	return rc;
}

/* Add what is known without nodes.  Fields that need them are empty or left out. */
static void add_json_without_nodes(const struct preview_context *p, struct json_object *data)
{
	char traffic[1024];

	sfab_traffic_text(&p->traffic, traffic, sizeof(traffic));
	json_add(data, "traffic", json_name(traffic));
	json_add(data, "nodes", json_object_new_string(""));
	json_add(data, "node_list", json_object_new_array());
}

/*
 * Ask the service about the job, and show what it decided.  The figures are computed for the
 * request of that question, so the context takes it over before.
 */
static int answer_place_job(const struct job_ask *job, struct preview_context *p,
			    struct answer *a, struct sfab_err *err)
{
	const struct sfab_decision *d = sfab_place_ask(p->place, &job->ask);
	enum sfab_reason reason = *job->wait_reason ? SFAB_STOCK_FEW_NODES : d->reason;
	uint32_t *host = NULL, n = 0;
	int rc = 0;

	/*
	 * The service determines a job's traffic last, and not for every job.  Where it stopped
	 * earlier, the traffic is found again here, so that it can be shown.
	 */
	if (!d->traffic.nparts && d->reason != SFAB_STOCK_NO_TRAFFIC) {
		preview_context_intent(p, &job->ask, &a->reply);
	} else {
		p->traffic = d->traffic;
		hint_warn_decided(d, sfab_place_generation(p->place)->script_cache,
				  &a->reply);
	}
	/* Nodes that were found and then not taken are no answer: Slurm has others. */
	if (d->n && d->reason != SFAB_STOCK_CONTIGUOUS && d->reason != SFAB_STOCK_SWITCHES)
		host = list_decided_hosts(p, d, &n, &a->reply);
	/* What follows is measured for the service's own request, with its free hosts. */
	preview_context_take(p, host, n);
	p->cores = sbatch_cores(job->given, n);
	/* Too few, or of a range all that there are: Slurm may find more. */
	if (!*job->wait_reason && (reason == SFAB_STOCK_FEW_NODES ||
				   (reason == SFAB_STOCK_NO_CHOICE && d->n < job->ask.req_nodes)))
		job_ask_warn_few(job);
	answer_decision(d, reason, *job->wait_reason ? job->wait_reason : sfab_reason_text(reason),
			a);
	if (n)
		rc = answer_nodes(d, host, n, p, a, err);
	else if (a->options->json)
		add_json_without_nodes(p, a->reply.data);
	free(host);
	return rc;
}

/*
 * Place the job as Slurm would.  --traffic takes the place of the job's comment, as if the user
 * had written the hint.
 */
static int place_in_slurm(const struct sbatch *given, const char *traffic,
			  struct preview_context *p, struct answer *a, struct sfab_err *err)
{
	struct job_ask job;
	char *comment = traffic ? xstrfmt("sfabric:%s", traffic) : NULL;
	int rc = job_ask_make(&job, given, &p->cluster, &a->reply, err);

	if (rc == 0) {
		if (comment)
			job.ask.comment = comment;
		rc = answer_place_job(&job, p, a, err);
		job_ask_free(&job);
	}
	free(comment);
	return rc;
}

/*
 * Put the job together from script, variables and options, and place it with or without Slurm.
 * sbatch's variables count only with --slurm.
 */
static int run_place(void *ctx, struct answer *a, struct sfab_err *err)
{
	struct place_command *pl = ctx;
	struct preview_context p;
	int rc = job_options_read(&pl->given, pl->preview.slurm ? JOB_WITH_ENV :
				  JOB_WITHOUT_ENV, &pl->job, &a->reply, err);

	if (rc == 0 && pl->job.ask.flags & SFAB_ASK_HET)
		reply_warning(&a->reply, "a heterogeneous job: Slurm itself "
			      "chooses the nodes of each component, and does not "
			      "ask for routes; only the first component is read");
	/* --traffic replaces the hint, so the hint's errors do not matter. */
	if (rc == 0 && !pl->preview.traffic)
		hint_warn(pl->job.ask.comment, pl->job.ask.network, &a->reply);
	if (!pl->preview.slurm)	/* in Slurm it is a question of nodes */
		pl->preview.exclude = pl->job.exclude;
	pl->preview.needs_packing = 1;
	if (rc == 0)
		rc = preview_context_open(&p, &pl->preview, &a->reply, err);
	if (rc != 0)
		return rc;
	if (!p.place && !pl->preview.available)
		site_warn_of_names(&p.site, &a->reply);
	rc = p.place ? place_in_slurm(&pl->job, pl->preview.traffic, &p, a, err) :
		       place_offline(&pl->job, &p, a, err);
	preview_context_close(&p);
	return rc;
}

int cmd_place(int argc, char **argv)
{
	struct place_command pl = {0};
	const struct command_line usage = {
		.options = job_options_init(&pl.given, NULL,
					    offsetof(struct place_command, given)),
		.groups = groups,
		.common = offsetof(struct place_command, preview.options),
		.parse = parse_place_option, .args = "[SCRIPT]",
		.doc = "Show where a job would go, why, and what it gains. Nothing is "
		       "submitted. SCRIPT is a batch script with #SBATCH lines.",
	};
	int status;

	argc = job_options_component(&pl.given, argc, argv);
	options_parse(&usage, argc, argv, &pl);
	status = answer_run("place", &pl.preview.options, run_place, &pl);
	job_options_free(&pl.given);
	return status;
}
