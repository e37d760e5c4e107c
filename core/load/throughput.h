/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * throughput.h - slowdown of a job by max-min: every flow for itself
 *
 * All flows of all running jobs share the fabric by progressive filling: the
 * part that a flow gets of what it asks for rises for all alike until a
 * resource is full, then for the others.  (By bytes/s alike, one flow of a
 * two-node job would get as little as each of the thousands of a large job.)
 * The slowdown of a job is
 *
 *   sum of its rates with end-port and IO limits only / sum of its rates
 *
 * which is what lockstep S is for flows that do not wait for each other.
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
 * A job runs: @spec is walked once, nothing of it is kept.  O(flows x hops).
 * SFAB_EINVAL: @job runs already.
 */
int sfab_throughput_add(struct sfab_throughput *t, uint32_t job,
			const struct sfab_spec *spec, struct sfab_err *err);
/* One that is not there: fine. */
void sfab_throughput_remove(struct sfab_throughput *t, uint32_t job);
int sfab_throughput_has(const struct sfab_throughput *t, uint32_t job);

/* Slowdown of @job alone and among all that were added, both >= 1. */
int sfab_throughput_solve(struct sfab_throughput *t, uint32_t job, double *alone,
			  double *among, struct sfab_err *err);

#endif
