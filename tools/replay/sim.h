/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim.h - play a workload: jobs arrive, wait, start by EASY, progress, end
 *
 * Whole nodes are allocated.  The hooks decide which nodes, and how much slower than on an idle
 * fabric the job runs there.  A job's run time is its work.  Each second it does 1/S of a
 * second of that work, where S is its current slowdown, or 1/pace of it, so placement decides
 * how long jobs hold their nodes.  No job is killed: one that outlives its limit is expected to
 * take as long again (prediction correction after Tsafrir, Etsion, Feitelson, TPDS 2007).
 *
 * EASY backfill (D. Lifka: The ANL/IBM SP scheduling system, JSSPP 1995): jobs start in the
 * order of the queue.  The first job that does not fit gets a reservation: the time at which
 * enough nodes will be free if running jobs end as expected.  Later jobs may start before it if
 * they end by then, or if they use nodes that are spare even then.  The scheduler sees limits
 * and numbers of nodes, never run times or which nodes.
 */
#ifndef SFAB_REPLAY_SIM_H
#define SFAB_REPLAY_SIM_H

#include <stdint.h>

#include "core/err.h"
#include "tools/replay/workload.h"

struct running_job {
	uint32_t job;
	double rest;		/* work left, seconds */
	double expected;	/* end as the scheduler predicts it */
	double slowdown;	/* S now, >= 1 */
	double pace;		/* seconds that one second of work takes, >= 1 */
	int is_new;		/* started at the current time */
};

struct sim;

/* What the simulation calls to have nodes chosen, freed and judged. */
struct sim_hooks {
	void *ctx;
	/* Give job @job (index) its nodes; s->queue holds the jobs after it. */
	int (*start)(void *ctx, const struct sim *s, uint32_t job,
		     struct sfab_err *err);
	/* Take back the nodes of a job that has ended. */
	void (*end)(void *ctx, const struct sim *s, uint32_t job);
	/* Set slowdown and pace of a running job, when all ends and starts of a time are done. */
	int (*update)(void *ctx, struct running_job *r, struct sfab_err *err);
};

struct sim_outcome {		/* of a job; times in s after the first arrival */
	double submit, start, end;
	double life;		/* mean S over its work: the stretch */
};

struct sim {
	const struct workload *w;
	const struct sim_hooks *hooks;
	double compress;		/* arrival times are multiplied by this */
	double time_s;			/* after the first arrival */
	uint32_t hosts, nfree;
	uint32_t arrived;
	uint32_t nqueue;
	uint32_t *queue;		/* [nqueue] waiting jobs in order */
	uint32_t nrunning;
	struct running_job *running;
	struct sim_outcome *out;	/* by job */
	double busy;			/* node-seconds up to the last arrival */
};

/* Play all jobs of @w on @hosts hosts.  Fail only if a hook does.  Caller frees @s in any case. */
int sim_run(struct sim *s, const struct workload *w, uint32_t hosts,
	    const struct sim_hooks *hooks, double compress, struct sfab_err *err);
void sim_free(struct sim *s);			/* twice is fine */

#define EASY_DEPTH 100		/* the default of bf_max_job_test in slurm.conf, too */
#define SIM_NONE UINT32_MAX

/*
 * Find the index in the queue of the job to start now, or SIM_NONE, after jobs that are late
 * have got a later expected end.  Call it again after each start.
 */
uint32_t sim_next(struct sim *s);

struct sim_reservation {
	double time;		/* INFINITY: never enough nodes */
	uint32_t spare;		/* nodes free then, besides those reserved */
};

/* Find the reservation of a job of @need > s->nfree nodes.  O(running jobs) for each end before. */
struct sim_reservation sim_reserve(const struct sim *s, uint32_t need);

/* Return the share of the nodes in use from the first to the last arrival. */
double sim_utilization(const struct sim *s);

/* -- calibrate.c: how close together jobs must arrive to fill the machine ------ */

#define CALIBRATE_CLOSE 0.002	/* relative to the target */

/* Return the utilization with arrival times multiplied by @compress, or -1 with *err. */
typedef double (*calibrate_fn)(void *ctx, double compress,
			       struct sfab_err *err);

/*
 * Find the factor at which @try gets close to @target, by bisection from @guess on; *@reached
 * is the utilization there.  If the target is out of reach however close jobs arrive (a few
 * jobs never fill a machine), the result is the closest one.  -1: @try failed.
 */
int sim_calibrate(calibrate_fn try, void *ctx, double guess, double target,
		  double *compress, double *reached, struct sfab_err *err);

#endif
