/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine.c - place jobs by a policy, compute the result on the fabric; see machine.h
 *
 * There are two models of the machine.  In belief jobs send what the policy is told; in truth
 * they send what they really send.  Policies choose by belief, and slowdowns are computed in
 * truth.  If all hints are true, both are the same object, and each job is added once.
 */

#include "tools/replay/machine.h"

#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "place/decision.h"
#include "tools/ui/xalloc.h"

#define JUDGED_PER_START 8	/* jobs judged at a start: the new one, and running ones */

struct replay_machine {
	const struct sfab_model *m;
	const struct workload *w;
	struct replay_machine_options o;
	uint8_t *avail;			/* by host: free */
	uint32_t *running;		/* [hosts] jobs, scratch */
	struct sfab_scorer *sc;
	struct sfab_jobs *truth;
	struct sfab_jobs *belief;	/* the same one if all hints are true */
	struct sfab_jobs *alone;	/* empty but for a look at one job */
	struct loss_judge *judge;	/* NULL: nothing is judged */
	uint32_t **host;		/* by job: its hosts while it runs */
	struct replay_cost *cost;	/* by job */
	struct sfab_traffic *believed;	/* by job: what the script says; NULL: its hint counts */
	uint32_t failed;		/* jobs for which the script had no answer */
};

struct replay_machine *replay_machine_create(const struct sfab_model *m, const uint8_t *avail,
					     const struct workload *w,
					     const struct replay_machine_options *o)
{
	struct replay_machine *machine = xcalloc(1, sizeof(*machine));
	int is_true = !o->site.script_cache;	/* what the policy is told */

	for (uint32_t i = 0; i < w->n; i++)
		is_true &= w->job[i].stated == w->job[i].traffic;
	*machine = (struct replay_machine) {
		.m = m, .w = w, .o = *o,
		.avail = xcalloc(m->f->nhosts, 1),
		.running = xcalloc(m->f->nhosts, sizeof(*machine->running)),
		.sc = xnonnull(sfab_scorer_create(m)),
		.truth = xnonnull(sfab_jobs_create(m)),
		.alone = xnonnull(sfab_jobs_create(m)),
		.host = xcalloc(w->n, sizeof(*machine->host)),
		.cost = xcalloc(w->n, sizeof(*machine->cost)),
	};
	machine->belief = is_true ? machine->truth : xnonnull(sfab_jobs_create(m));
	if (o->judge > 0 || o->stretch == STRETCH_LOSS)
		machine->judge = loss_judge_create(m, w->n, o->ranks, o->seed);
	if (o->site.script_cache)
		machine->believed = xcalloc(w->n, sizeof(*machine->believed));
	memcpy(machine->avail, avail, m->f->nhosts);
	if (o->packing)
		machine->sc->packing = *o->packing;
	return machine;
}

void replay_machine_destroy(struct replay_machine *machine)
{
	for (uint32_t i = 0; i < machine->w->n; i++)
		free(machine->host[i]);
	if (machine->belief != machine->truth)
		sfab_jobs_destroy(machine->belief);
	sfab_jobs_destroy(machine->truth);
	sfab_jobs_destroy(machine->alone);
	loss_judge_destroy(machine->judge);
	sfab_scorer_destroy(machine->sc);
	free(machine->avail);
	free(machine->running);
	free(machine->host);
	free(machine->cost);
	free(machine->believed);
	free(machine);
}

const struct replay_cost *replay_machine_costs(const struct replay_machine *machine)
{
	return machine->cost;
}

const uint32_t *replay_machine_hosts(const struct replay_machine *machine, uint32_t job)
{
	return machine->host[job];
}

uint32_t replay_machine_failed(const struct replay_machine *machine)
{
	return machine->failed;
}

/* Return what the script says of a job's traffic or, without a script, the job's hint. */
static const struct sfab_traffic *believed_traffic(const struct replay_machine *machine,
						   uint32_t job)
{
	return machine->believed ? &machine->believed[job] : machine->w->job[job].stated;
}

/* Scale the fabric's slowdown by how sensitive the job is to it. */
static double felt_slowdown(const struct replay_machine *machine, uint32_t job, double slowdown)
{
	return 1 + machine->w->job[job].kind->sensitivity * (slowdown - 1);
}

/*
 * Choose the nodes of a job with the request that the plugin's hook would make: by the policy,
 * or by tree if the plugin would leave the job to Slurm.
 */
static int choose_job_nodes(struct replay_machine *machine, uint32_t job,
			    struct sfab_choice *c, struct sfab_err *err)
{
	const struct replay_job *j = &machine->w->job[job];
	const struct sfab_intent_job asked = {
		.hint_traffic = j->stated == &machine->w->site ? NULL : j->stated,
		.who.name = *j->kind->name ? j->kind->name : NULL,
		.nodes = j->nodes, .limit_s = (uint64_t) j->limit,
	};
	uint64_t r = workload_random(machine->o.seed, RANDOM_SEARCH, job);
	enum sfab_policy policy = machine->o.policy;
	struct sfab_decision found;
	struct sfab_request rq;

	/* What the plugin would decide.  If its script fails, the job goes on without it. */
	found.reason = sfab_intent_find(&machine->o.site, &asked, &found);
	if (found.says & SFAB_SAYS_FAILED)
		machine->failed++;
	if (machine->believed)
		machine->believed[job] = found.traffic;
	if (policy == SFAB_POLICY_SFABRIC &&
	    (found.reason != SFAB_PLACED || found.mode != SFAB_MODE_ON))
		policy = SFAB_POLICY_TREE;
	rq = (struct sfab_request){
	    .n = j->nodes,
	    .avail = machine->avail,
	    .traffic = believed_traffic(machine, job),
	    .weights = found.weights,
	    .max_steps = machine->o.max_steps,
	    .seed = sfab_random(&r),
	};
	return sfab_search_by(machine->sc, machine->belief, &rq, policy, c, err) < 0 ? -1 : 0;
}

static struct sfab_job spec_of(const struct replay_machine *machine, uint32_t job)
{
	return (struct sfab_job) { .n = machine->w->job[job].nodes,
				    .host = machine->host[job],
				    .traffic = machine->w->job[job].traffic };
}

/*
 * Start a job on the nodes that the policy chooses, in truth and in belief.  Its slowdown alone
 * is computed once, on a model without other jobs.
 */
static int start_placed_job(void *ctx, const struct sim *s, uint32_t job, struct sfab_err *err)
{
	struct replay_machine *machine = ctx;
	struct sfab_choice c = { 0 };
	struct sfab_job spec;

	if (choose_job_nodes(machine, job, &c, err) < 0)
		return -1;
	machine->host[job] = c.host;
	c.host = NULL;
	sfab_choice_clear(&c);
	spec = spec_of(machine, job);
	for (uint32_t i = 0; i < spec.n; i++)
		machine->avail[spec.host[i]] = 0;
	if (sfab_jobs_add(machine->alone, job, &spec, err) < 0)
		return -1;
	machine->cost[job].own = felt_slowdown(machine, job,
					       sfab_jobs_slowdown(machine->alone, job));
	sfab_jobs_remove(machine->alone, job);
	if (sfab_jobs_add(machine->truth, job, &spec, err) < 0)
		return -1;
	if (machine->belief == machine->truth)
		return 0;
	spec.traffic = believed_traffic(machine, job);
	return sfab_jobs_add(machine->belief, job, &spec, err);
}

static void end_placed_job(void *ctx, const struct sim *s, uint32_t job)
{
	struct replay_machine *machine = ctx;

	sfab_jobs_remove(machine->truth, job);
	sfab_jobs_remove(machine->belief, job);
	if (machine->judge)
		loss_judge_end(machine->judge, job);
	for (uint32_t i = 0; i < machine->w->job[job].nodes; i++)
		machine->avail[machine->host[job][i]] = 1;
	free(machine->host[job]);
	machine->host[job] = NULL;
}

static int find_lost(struct replay_machine *machine, uint32_t job, struct lost_nodes *lost,
		     struct sfab_err *err)
{
	struct sfab_job spec = spec_of(machine, job);

	return loss_judge_lost(machine->judge, job, &spec, machine->w->job[job].kind->sensitivity,
			       machine->truth, lost, err);
}

static int add_lost_nodes(struct replay_machine *machine, uint32_t job, struct sfab_err *err)
{
	struct lost_nodes lost;

	if (find_lost(machine, job, &lost, err) < 0)
		return -1;
	loss_judge_add(&machine->cost[job].lost, &lost, machine->w->job[job].nodes);
	return 0;
}

/* Judge a job that starts, and some that run, at a sampled part of the starts. */
static int judge_sampled_job(struct replay_machine *machine, uint32_t job, struct sfab_err *err)
{
	uint64_t r = workload_random(machine->o.seed, RANDOM_SAMPLE, job);
	uint32_t n = 0;

	if (sfab_random_double(&r) >= machine->o.judge)
		return 0;
	for (uint32_t i = 0; i < machine->w->n; i++)
		if (machine->host[i])
			machine->running[n++] = i;
	if (add_lost_nodes(machine, job, err) < 0)
		return -1;
	/* Long jobs count by their time, too, so some that run are drawn at each start. */
	for (int i = 1; i < JUDGED_PER_START; i++)
		if (add_lost_nodes(machine, machine->running[sfab_random(&r) % n], err) < 0)
			return -1;
	return 0;
}

static int update_placed_job(void *ctx, struct running_job *r, struct sfab_err *err)
{
	struct replay_machine *machine = ctx;
	struct lost_nodes lost;

	r->slowdown = felt_slowdown(machine, r->job, sfab_jobs_slowdown(machine->truth, r->job));
	r->pace = machine->o.stretch == STRETCH_LOCKSTEP ? r->slowdown : 1;
	if (machine->o.stretch == STRETCH_LOSS) {
		if (find_lost(machine, r->job, &lost, err) < 0)
			return -1;
		r->pace = 1 + lost.beside;
	}
	return r->is_new ? judge_sampled_job(machine, r->job, err) : 0;
}

struct sim_hooks replay_machine_hooks(struct replay_machine *machine)
{
	return (struct sim_hooks){ .ctx = machine, .start = start_placed_job,
				   .end = end_placed_job, .update = update_placed_job };
}
