/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * estimate.h - what the running jobs send, from the rates of the links
 *
 * The routes are known, and so are the hosts of each job.  A job that sends with share 1 in one
 * class loads the links as sfab_demand() says: that is a column.  The measured rates are y.
 * The shares x of all jobs and classes are those that explain y best:
 *
 *     minimize sum over links  w (y - A x)^2,   x >= 0
 *
 * with w = 1 / (noise x rate)^2.  (Traffic matrices from link loads with known routes: Vardi,
 * JASA 91, 1996; Zhang and others, SIGMETRICS 2003.)  Rates that are too high for A x count
 * less: traffic of no job only adds.  Besides its classes a job has the column "other", which
 * loads its own links alone: traffic between its hosts in a pattern that no class describes.
 * Jobs of 6 hosts or more also have a column for each IO port, and one for each shift s: half
 * of the traffic of a host goes to the host s further on, half to the one s before.  A job that
 * is explained far better by a few of them sends IO to a few servers, or has few partners, as a
 * halo exchange has.
 *
 * The traffic that passes is not the traffic that jobs offer: offered_load.h finds the part of
 * its time that a job spends with each class, as a hint would give it.  A job that sends as
 * much as its allocation or its servers let through may offer any amount more.
 *
 * Jobs on nodes of their own are found best, for their own links belong to nobody else.
 * Classes that load the same links (a job within one leaf: mpi and neighbor) cannot be told
 * apart; the first is named.
 *
 * Do packets go where the tables say?  The hosts' own links say how much each job sends, and
 * the tables where that goes.  So with y the measured rate of a switch-to-switch link, a the
 * rate that the solution sends over it, and s the error of the rate,
 *
 *     N = 1 - sum over links  max(0, y - a - 2 s)  /  sum over links  y
 *
 * is the part of the measured bytes, 0..1, that is where the tables say.  Adaptive routing,
 * outdated tables, wrong IO sets and traffic of no job lower it.
 */
#ifndef SFAB_ESTIMATE_H
#define SFAB_ESTIMATE_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/model.h"

#define SFAB_ESTIMATE_JOBS_MAX 4096u	/* with more jobs only the largest are solved for */
#define SFAB_ESTIMATE_HOSTS_MAX 12288u	/* hosts of these largest jobs together, at most */
#define SFAB_ESTIMATE_PORTS_MAX 64u	/* IO ports of a job with columns of their own, in each
					   direction: those with the largest unexplained rate */
#define SFAB_ESTIMATE_SHIFTS_MAX 64u	/* jobs on more than twice as many hosts have no
					   columns for single shifts */

struct sfab_estimate_job {
	uint32_t n;
	const uint32_t *host;	/* host ids, any order, no duplicates */
	const double *cpus;	/* CPUs held / CPUs of the node by index, or NULL: 1 */
	double part;		/* 0..1: the part of its load that the rates contain.  They are
				   means, and the job may have just begun or ended */
	const struct sfab_traffic *before;	/* its passed traffic at the last sample; NULL:
						   none */
};

struct sfab_estimate_options {
	double noise;		/* relative error of a rate */
	double keep;		/* weight of the shares found before, as a number of samples,
				   where a rate is of one sample */
	uint32_t sweeps;	/* of the solver, at most, for each solution */
	const double *count;	/* by link: of how many samples its rate is the mean
				   (steady_rates.h); NULL: of one */
	const double *wait;	/* 0..1 by link: the part of the time in which data
				   waited, < 0: unknown; NULL: not counted */
};
extern const struct sfab_estimate_options sfab_estimate_default;

/* What one job sends. */
struct sfab_estimate {
	struct sfab_traffic traffic;	/* parts in order of class; "other" is mpi */
	struct sfab_traffic passed;	/* these parts, with mean rates for weights */
	double residual;	/* 0..1: the part of its traffic that no class describes */
	double confidence;	/* 0..1: 1 less the relative error of its shares, times the part
				   of its traffic that classes describe, times how likely its
				   classes are */
	int alike;		/* 1: other jobs on its hosts may have sent this traffic; only the
				   sum of all of them is known */
	int misfit;		/* 1: no mix of the classes explains its counters */
	int few;		/* 1: its IO goes to a few servers of the set */
	int at_least;		/* 1: its servers are full, or a link and all of its time
				   is IO: it asks for this much IO, or for more */
};

struct sfab_estimate_stats {
	double noise;			/* relative error of a rate, as the links show it */
	uint32_t left_out;		/* jobs without a result, since there are too many */
	double followed;		/* N; -1: not known, also if jobs are left out */
};

/*
 * Find what each of @n jobs sends.  @rate: bytes/s by link; < 0: unknown, it does not count.
 * @out: [n].  @stats may be NULL.  -1: SFAB_ENOMEM.  The same input gives the same output.
 *
 * Jobs have columns of single IO ports and shifts as long as there is time; jobs that do not
 * fit come first.  Of more jobs than SFAB_ESTIMATE_JOBS_MAX the largest are solved for
 * (pick_jobs.c); the others get a confidence of 0.
 *
 * Time is bounded by options.sweeps; memory is 12 bytes an entry of the columns (a class of a
 * job has one for each link that it can load) and about 100 bytes a link.
 */
int sfab_estimate(const struct sfab_model *m, const struct sfab_estimate_job *job,
		  uint32_t n, const double *rate,
		  const struct sfab_estimate_options *options,
		  struct sfab_estimate *out, struct sfab_estimate_stats *stats,
		  struct sfab_err *err);

#endif
