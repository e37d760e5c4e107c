/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * placer.c - place jobs by a policy, compute the result on the fabric
 *
 * There are two models of the machine.  In belief jobs send what the policy is told; in truth
 * they send what they really send.  Policies choose by belief, and slowdowns are computed in
 * truth.  If all hints are true, both are the same object, and each job is added once.
 */

#include "tools/replay/placer.h"

#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "place/decision.h"
#include "tools/ui/xalloc.h"

#define LOST_LOOKS 8	/* jobs whose loss is judged at a start, it and running ones */

struct replay_machine {
	const struct sfab_model *m;
	const struct workload *w;
	struct replay_machine_options o;
	uint8_t *avail;		/* by host: free */
	uint32_t *running;	/* [hosts] jobs, scratch */
	struct sfab_scorer *sc;
	struct sfab_jobs *truth;
	struct sfab_jobs *belief;	/* the same one if all hints are true */
	struct sfab_jobs *alone;	/* empty but for a look at one job */
	struct loss_judge *judge;	/* NULL: nothing is judged */
	uint32_t **host;	/* by job: its hosts while it runs */
	struct replay_cost *cost;	/* by job */
	struct sfab_traffic *believed;	/* by job: what the script says; NULL: its hint counts */
	uint32_t failed;	/* jobs for which the script had no answer */
};

struct replay_machine *replay_machine_create(const struct sfab_model *m,
					     const uint8_t *avail,
					     const struct workload *w,
					     const struct replay_machine_options *o)
{
	struct replay_machine *v = xcalloc(1, sizeof(*v));
	int is_true = !o->site.script_cache;	/* what the policy is told */

	for (uint32_t i = 0; i < w->n; i++)
		is_true &= w->job[i].stated == w->job[i].traffic;
	*v = (struct replay_machine) {
		.m = m, .w = w, .o = *o,
		.avail = xcalloc(m->f->nhosts, 1),
		.running = xcalloc(m->f->nhosts, sizeof(*v->running)),
		.sc = xnonnull(sfab_scorer_create(m)),
		.truth = xnonnull(sfab_jobs_create(m)),
		.alone = xnonnull(sfab_jobs_create(m)),
		.host = xcalloc(w->n, sizeof(*v->host)),
		.cost = xcalloc(w->n, sizeof(*v->cost)),
	};
	v->belief = is_true ? v->truth : xnonnull(sfab_jobs_create(m));
	if (o->judge > 0 || o->stretch == STRETCH_LOSS)
		v->judge = loss_judge_create(m, w->n, o->ranks, o->seed);
	if (o->site.script_cache)
		v->believed = xcalloc(w->n, sizeof(*v->believed));
	memcpy(v->avail, avail, m->f->nhosts);
	if (o->packing)
		v->sc->packing = *o->packing;
	return v;
}

void replay_machine_destroy(struct replay_machine *v)
{
	for (uint32_t i = 0; i < v->w->n; i++)
		free(v->host[i]);
	if (v->belief != v->truth)
		sfab_jobs_destroy(v->belief);
	sfab_jobs_destroy(v->truth);
	sfab_jobs_destroy(v->alone);
	loss_judge_destroy(v->judge);
	sfab_scorer_destroy(v->sc);
	free(v->avail);
	free(v->running);
	free(v->host);
	free(v->cost);
	free(v->believed);
	free(v);
}

const struct replay_cost *replay_machine_costs(const struct replay_machine *v)
{
	return v->cost;
}

const uint32_t *replay_machine_hosts(const struct replay_machine *v, uint32_t job)
{
	return v->host[job];
}

uint32_t replay_machine_failed(const struct replay_machine *v)
{
	return v->failed;
}

/* Return the traffic that the policy assumes for the job. */
static const struct sfab_traffic *believed_traffic(const struct replay_machine *v,
						   uint32_t job)
{
	return v->believed ? &v->believed[job] : v->w->job[job].stated;
}

/* Scale the fabric's slowdown by how sensitive the job is to it. */
static double felt_slowdown(const struct replay_machine *v, uint32_t job,
			    double slowdown)
{
	return 1 + v->w->job[job].kind->sensitivity * (slowdown - 1);
}

static int choose_job_nodes(struct replay_machine *v, uint32_t job,
			    struct sfab_choice *c, struct sfab_err *err)
{
	const struct replay_job *j = &v->w->job[job];
	const struct sfab_intent_job asked = {
		.hint_traffic = j->stated == &v->w->site ? NULL : j->stated,
		.who.name = *j->kind->name ? j->kind->name : NULL,
		.nodes = j->nodes, .limit_s = (uint64_t) j->limit,
	};
	uint64_t r = workload_random(v->o.seed, RANDOM_SEARCH, job);
	enum sfab_policy policy = v->o.policy;
	struct sfab_decision found;
	struct sfab_request rq;

	/* What the plugin would decide.  If its script fails, the job goes on without it. */
	found.reason = sfab_intent_find(&v->o.site, &asked, &found);
	if (found.says & SFAB_SAYS_FAILED)
		v->failed++;
	if (v->believed)
		v->believed[job] = found.traffic;
	/* A job that the plugin leaves to Slurm is placed as by tree. */
	if (policy == SFAB_POLICY_SFABRIC &&
	    (found.reason != SFAB_PLACED || found.mode != SFAB_MODE_ON))
		policy = SFAB_POLICY_TREE;
	/* The request that the plugin's hook would make. */
	rq = (struct sfab_request){
	    .n = j->nodes,
	    .avail = v->avail,
	    .traffic = believed_traffic(v, job),
	    .weights = found.weights,
	    .max_steps = v->o.max_steps,
	    .seed = sfab_random(&r),
	};
	return sfab_search_by(v->sc, v->belief, &rq, policy, c, err) < 0 ? -1 : 0;
}

static struct sfab_job spec_of(const struct replay_machine *v, uint32_t job)
{
	return (struct sfab_job) { .n = v->w->job[job].nodes,
				    .host = v->host[job],
				    .traffic = v->w->job[job].traffic };
}

static int start_placed_job(void *ctx, const struct sim *s, uint32_t job,
			    struct sfab_err *err)
{
	struct replay_machine *v = ctx;
	struct sfab_choice c = { 0 };
	struct sfab_job spec;

	if (choose_job_nodes(v, job, &c, err) < 0)
		return -1;
	v->host[job] = c.host;
	c.host = NULL;
	sfab_choice_clear(&c);
	spec = spec_of(v, job);
	for (uint32_t i = 0; i < spec.n; i++)
		v->avail[spec.host[i]] = 0;
	/* The slowdown of the job's real traffic alone. */
	if (sfab_jobs_add(v->alone, job, &spec, err) < 0)
		return -1;
	v->cost[job].own = felt_slowdown(v, job, sfab_jobs_slowdown(v->alone, job));
	sfab_jobs_remove(v->alone, job);
	if (sfab_jobs_add(v->truth, job, &spec, err) < 0)
		return -1;
	if (v->belief == v->truth)
		return 0;
	spec.traffic = believed_traffic(v, job);
	return sfab_jobs_add(v->belief, job, &spec, err);
}

static void end_placed_job(void *ctx, const struct sim *s, uint32_t job)
{
	struct replay_machine *v = ctx;

	sfab_jobs_remove(v->truth, job);
	sfab_jobs_remove(v->belief, job);
	if (v->judge)
		loss_judge_end(v->judge, job);
	for (uint32_t i = 0; i < v->w->job[job].nodes; i++)
		v->avail[v->host[job][i]] = 1;
	free(v->host[job]);
	v->host[job] = NULL;
}

/* Find what a node of the job loses now. */
static int find_lost(struct replay_machine *v, uint32_t job, struct lost_nodes *lost,
		     struct sfab_err *err)
{
	struct sfab_job spec = spec_of(v, job);

	return loss_judge_lost(v->judge, job, &spec, v->w->job[job].kind->sensitivity, v->truth,
			       lost, err);
}

static int add_lost_nodes(struct replay_machine *v, uint32_t job, struct sfab_err *err)
{
	struct lost_nodes lost;

	if (find_lost(v, job, &lost, err) < 0)
		return -1;
	loss_judge_add(&v->cost[job].lost, &lost, v->w->job[job].nodes);
	return 0;
}

static int measure_sampled_job(struct replay_machine *v, uint32_t job, struct sfab_err *err)
{
	uint64_t r = workload_random(v->o.seed, RANDOM_SAMPLE, job);
	uint32_t n = 0;

	if (sfab_random_double(&r) >= v->o.judge)
		return 0;
	for (uint32_t i = 0; i < v->w->n; i++)
		if (v->host[i])
			v->running[n++] = i;
	if (add_lost_nodes(v, job, err) < 0)
		return -1;
	/* Long jobs count by their time, too, so some that run are drawn at each start. */
	for (int i = 1; i < LOST_LOOKS; i++)
		if (add_lost_nodes(v, v->running[sfab_random(&r) % n], err) < 0)
			return -1;
	return 0;
}

static int look_at_placed_job(void *ctx, struct running *r, struct sfab_err *err)
{
	struct replay_machine *v = ctx;
	struct lost_nodes lost;

	r->slowdown = felt_slowdown(v, r->job, sfab_jobs_slowdown(v->truth, r->job));
	r->pace = v->o.stretch == STRETCH_LOCKSTEP ? r->slowdown : 1;
	if (v->o.stretch == STRETCH_LOSS) {
		if (find_lost(v, r->job, &lost, err) < 0)
			return -1;
		r->pace = 1 + lost.beside;
	}
	return r->fresh ? measure_sampled_job(v, r->job, err) : 0;
}

struct placer replay_machine_placer(struct replay_machine *v)
{
	return (struct placer){ .ctx = v, .start = start_placed_job, .end = end_placed_job,
				.look = look_at_placed_job };
}
