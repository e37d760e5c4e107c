/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * throughput.h - slowdown of a job by max-min: independent flows
 *
 * All flows of all running jobs share the fabric by progressive filling.  The fraction of its
 * demand that a flow gets rises equally for all flows until a resource is full, then for the
 * flows that do not cross it.  (If bytes/s rose equally instead, one flow of a two-node job
 * would get as little as each of the thousands of a large job.) The slowdown of a job is
 *
 *   sum of its rates with only end-port and IO limits / sum of its rates
 *
 * It corresponds to the lockstep slowdown S, but for flows that do not wait for each other.
 */
#ifndef SFAB_THROUGHPUT_H
#define SFAB_THROUGHPUT_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/model.h"

struct sfab_throughput;		/* opaque */

/* @m is borrowed.  NULL: out of memory. */
struct sfab_throughput *sfab_throughput_create(const struct sfab_model *m);
void sfab_throughput_destroy(struct sfab_throughput *t);	/* NULL is fine */

/*
 * Add a running job.  @job is walked once and not kept.  O(leaves x destinations x hops).
 * SFAB_ELIMIT: too many routes (bundles.h).
 */
int sfab_throughput_add(struct sfab_throughput *t, const struct sfab_job *job,
			struct sfab_err *err);

/*
 * Find the rate of one more job beside the running ones, in bytes/s, and its slowdown, at least
 * 1 (NULL: not wanted, which takes half the time).  @t is unchanged afterwards.  Errors are
 * those of sfab_throughput_add().
 */
int sfab_throughput_beside(struct sfab_throughput *t, const struct sfab_job *job,
			   double *rate, double *slowdown, struct sfab_err *err);

#endif
