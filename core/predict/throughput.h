/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * throughput.h - slowdown of a job by max-min: independent flows
 *
 * All flows of all running jobs share the fabric by progressive filling.  The
 * fraction of its demand that a flow gets rises equally for all flows until a
 * resource is full, then for the flows that do not cross it.  (If bytes/s rose
 * equally instead, one flow of a two-node job would get as little as each of
 * the thousands of a large job.) The slowdown of a job is
 *
 *   sum of its rates with only end-port and IO limits / sum of its rates
 *
 * It corresponds to the lockstep slowdown S, for flows that do not wait for
 * each other.
 */
#ifndef SFAB_THROUGHPUT_H
#define SFAB_THROUGHPUT_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/model.h"

struct sfab_throughput;		/* opaque */

struct sfab_throughput *sfab_throughput_create(const struct sfab_model *m);
void sfab_throughput_destroy(struct sfab_throughput *t);	/* NULL is fine */

/*
 * A job starts.  @spec is walked once and not kept; its rate without limits
 * between switches is solved.  O(leaves x destinations x hops).  SFAB_EINVAL: @job
 * already runs.  SFAB_ELIMIT: too many routes (bundles.h).
 */
int sfab_throughput_add(struct sfab_throughput *t, uint32_t job,
			const struct sfab_job *spec, struct sfab_err *err);
/* Removing an unknown job is fine. */
void sfab_throughput_remove(struct sfab_throughput *t, uint32_t job);

struct sfab_rates {
	double alone, among;	/* slowdown of the job alone, and among all jobs
				   that were added; both >= 1 */
	double rate;		/* bytes/s of the job among all */
};

/* One solution for all jobs, and one for @job alone. */
int sfab_throughput_solve(struct sfab_throughput *t, uint32_t job,
			  struct sfab_rates *out, struct sfab_err *err);

/* Only the rate of @job among all, bytes/s: one solution. */
int sfab_throughput_rate(struct sfab_throughput *t, uint32_t job, double *rate,
			 struct sfab_err *err);

#endif
