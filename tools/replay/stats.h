/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stats.h - the result of a replay: figures by class of job
 *
 * own      slowdown of a job alone on the fabric, S(D)
 * total    slowdown among all other jobs
 * between  total - own: what jobs do to each other
 *
 * Means are over the job's life, each second of its work counting once: 1.3 means that the job
 * took 1.3 times as long as on an idle fabric.  It is S of bulk-synchronous exchange
 * (lockstep).  Lost nodes (core/load/phases.h) are judged at a sample of starts, for the job
 * that starts and for some of those that run.
 */
#ifndef SFAB_REPLAY_STATS_H
#define SFAB_REPLAY_STATS_H

#include <stdint.h>

#include "core/err.h"
#include "tools/replay/mix.h"
#include "tools/replay/machine.h"
#include "tools/replay/sim.h"

enum quantity {
	WAIT,			/* seconds */
	TURNAROUND,		/* wait and run, seconds */
	OWN,
	BETWEEN,
	TOTAL,
	QUANTITIES
};

struct spread {
	double mean, p95, max;
};

/* Only doubles, so that runs can be summed as an array. */
struct class_stats {
	double jobs;
	struct lost_nodes lost;	/* sums over the jobs */
	struct spread quantity[QUANTITIES];
};

#define CLASS_ALL JOB_CLASSES

struct run_stats {
	double runs;					/* number of runs added up */
	double utilization;				/* 0..1 */
	struct class_stats class[JOB_CLASSES + 1];	/* and CLASS_ALL */
};

/* Compute the figures of a run: @s was played to the end on @machine. */
void stats_compute(struct run_stats *out, const struct sim *s,
		   const struct replay_machine *machine);

/* Compute the mean over runs: add each, then divide. */
void stats_add(struct run_stats *sum, const struct run_stats *run);
void stats_mean(struct run_stats *sum);

/* Compute mean and quantiles of @n numbers, which get sorted.  0 if there are none. */
struct spread stats_spread(double *x, uint32_t n);

#endif
