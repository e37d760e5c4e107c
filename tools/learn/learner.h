/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * learner.h - from samples of counters to traffic.snap and history
 *
 * At each sample the caller passes the jobs that run.  The learner estimates what they send,
 * keeps the means, and adds a job to the history when it is no longer among them.  The rates of
 * counters.snap are exponential means: a job that began a moment ago is in them in part, and
 * one that just ended still is (core/load/measured.h).
 */
#ifndef SFAB_LEARNER_H
#define SFAB_LEARNER_H

#include <stdint.h>

#include "core/err.h"
#include "core/estimate/estimate.h"
#include "core/estimate/steady_rates.h"
#include "core/load/measured.h"
#include "io/learn/found_traffic.h"
#include "io/learn/history.h"

/* A job that runs now. */
struct learner_job {
	uint32_t id;				/* first, to sort by it */
	uint64_t start_s;			/* since 1970; 0: not known */
	int suspended;				/* sends nothing */
	uint32_t nodes;				/* that Slurm gave it; 0: as many as hosts */
	uint32_t n;
	uint32_t *host;				/* [n] host ids of the sample's fabric */
	double *cpus;				/* [n] share of each node's CPUs, or NULL: 1 */
	uint32_t user;
	char *name, *account, *partition;	/* or NULL */
};
void learner_job_free(struct learner_job *job);

/* Callers read it; only learner.c writes it. */
struct learner {
	struct sfab_history *history;
	struct sfab_found *found;		/* jobs of the last sample */
	struct sfab_estimate_stats stats;	/* of the last sample */
	uint32_t ended;				/* jobs that were added to the history so far */
	uint32_t n;				/* private: jobs that run or ended a moment ago */
	struct tracked_job *job;		/* private: by id */
	struct sfab_steady steady;		/* private: rates, as a mean over samples */
};

/* Make a learner that takes over both; @found may be NULL.  Jobs in @found keep their means. */
struct learner *learner_create(struct sfab_history *history, struct sfab_found *found);
void learner_destroy(struct learner *l);	/* NULL is fine */

/*
 * Take one sample: rates @ms of the model's fabric, counted at @now_s.  The @n running jobs,
 * sorted by id, are taken over with their array; a job of the last sample that is not among
 * them has ended.  @fingerprint: of the snapshot.  A rate whose sample is older than
 * SFAB_MEASURED_FRESH_S does not count.
 */
int learner_sample(struct learner *l, const struct sfab_model *m, const struct sfab_measured *ms,
		   uint64_t fingerprint, struct learner_job *job, uint32_t n, uint64_t now_s,
		   struct sfab_err *err);

#endif
