/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * placer.h - a fabric with its running jobs under one policy: a placer
 *
 * What jobs send and what they report to the policy may differ.  The policy
 * then also believes the reports of running jobs.  Traffic and weights follow
 * from a report as in the plugin; a job that the plugin would leave to Slurm is
 * placed as by tree.
 */
#ifndef SFAB_REPLAY_PLACER_H
#define SFAB_REPLAY_PLACER_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/jobs.h"
#include "core/load/model.h"
#include "core/search/search.h"
#include "place/request/intent.h"
#include "tools/replay/sim.h"
#include "tools/replay/workload.h"

/* -- loss_judge.c: running jobs judged by what they lose (core/load/phases.h) ----- */

/*
 * One rank runs on each host, which the job has whole.  The job sends at full rate for
 * its part of the time, beside the mean load of the others.
 */

enum judged_ranks {		/* in which order hosts have the ranks */
	JUDGED_BY_NAME,		/* as the job has them, which is by name: Slurm's default */
	JUDGED_BY_LEAF,		/* leaf by leaf, by port */
	JUDGED_AS_FOUND,	/* as RankOrder=yes, with as much work as there
				   (core/search/order.h) */
	JUDGED_AT_RANDOM,
};

struct lost_nodes {		/* lost is the sum of f (S - 1) over the nodes */
	double nodes;		/* that were looked at */
	double alone;		/* lost on an empty machine */
	double beside;		/* lost beside the other jobs */
	double io;		/* the part of beside that IO loses */
};

void lost_nodes_add(struct lost_nodes *sum, const struct lost_nodes *lost, double times);

struct loss_judge;		/* opaque */

/*
 * For jobs 0 .. @njobs - 1.  @seed: of JUDGED_AT_RANDOM; the same job then has the same
 * draw under each policy.
 */
struct loss_judge *loss_judge_create(const struct sfab_model *m, uint32_t njobs,
				     enum judged_ranks ranks, uint64_t seed);
void loss_judge_destroy(struct loss_judge *g);		/* NULL is fine */

/*
 * What one node of the job, which runs in @js, loses now beside all others there; it feels
 * the part @felt of that, 0..1.  O(resources + what the steps of all patterns and its IO
 * cost, twice, + once the search for an order).  -1: SFAB_ENOMEM.
 */
int loss_judge_lost(struct loss_judge *g, uint32_t job,
		    const struct sfab_job *spec, double felt, struct sfab_jobs *js,
		    struct lost_nodes *out, struct sfab_err *err);

/* The job has ended: its ranks are forgotten. */
void loss_judge_end(struct loss_judge *g, uint32_t job);

/* -- placer.c -------------------------------------------------------------------- */

enum stretch {			/* what run times are stretched by */
	STRETCH_LOCKSTEP,	/* S */
	STRETCH_LOSS,		/* 1 + what the job loses (core/load/phases.h) */
	STRETCH_NONE,
};

struct replay_machine_options {
	enum sfab_policy policy;
	uint64_t seed;
	uint32_t max_steps;	/* 0: default */
	const struct sfab_packing *packing;	/* NULL: the scorer's own */
	struct sfab_intent_site site;	/* modes NULL; rules of policy sfabric */
	double judge;		/* 0..1: fraction of starts to judge */
	enum judged_ranks ranks;	/* order of the ranks of jobs that are judged */
	enum stretch stretch;
};

struct replay_cost {		/* of its place to a job that has started */
	double own;		/* slowdown of the job alone */
	struct lost_nodes lost;	/* seen when it or another job starts */
};

struct replay_machine;			/* opaque */

/* @avail: [nhosts] flags of hosts that run jobs; copied. */
struct replay_machine *replay_machine_create(
	const struct sfab_model *m, const uint8_t *avail, const struct workload *w,
	const struct replay_machine_options *o);
void replay_machine_destroy(struct replay_machine *v);

struct placer replay_machine_placer(struct replay_machine *v);

/* By job, for the jobs that have started. */
const struct replay_cost *replay_machine_costs(const struct replay_machine *v);

/* Starts for which the script had no answer (SFAB_SAYS_FAILED). */
uint32_t replay_machine_failed(const struct replay_machine *v);

/* Hosts of a running job, ascending; NULL: it is not running. */
const uint32_t *replay_machine_hosts(const struct replay_machine *v, uint32_t job);

#endif
