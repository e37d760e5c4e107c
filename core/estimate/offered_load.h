/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * offered_load.h - find the load that a job offers from the load that passed
 *
 * Counters show what passed: a mean rate x, as a part of that of the job's ports.  A weight f
 * is a part of the job's time on an ideal fabric (traffic.h).  While it sends a part of its
 * traffic, this allocation lets x_max = 1 / (I S) of the ports' rate through (phases.h).  So
 * the job spends this part of its time here in it:
 *
 *     f_obs = x / x_max = x I S
 *
 * With T = time here / time on an ideal fabric = 1 + sum of f (S - 1),
 *
 *     f = f_obs T / S,   T = 1 / (1 - sum of f_obs (1 - 1 / S))
 *
 * which for a job of one part is f = f_obs / (S - f_obs (S - 1)).
 */
#ifndef SFAB_OFFERED_LOAD_H
#define SFAB_OFFERED_LOAD_H

#include "core/load/phases.h"

struct sfab_offered_load;

/*
 * Create the scratch of one thread.  @carried: bytes/s by link that all jobs send together, <
 * 0: unknown.  It is borrowed, as @m is.  NULL: out of memory.
 */
struct sfab_offered_load *sfab_offered_load_create(const struct sfab_model *m,
						   const double *carried);
void sfab_offered_load_destroy(struct sfab_offered_load *a);		/* NULL is fine */

/*
 * Find what a job offers.  @passed: one of the jobs, with mean rates x for weights.  Set @asked
 * to the same parts with f, beside the load of the others, and @busy to f_obs by part.  A job
 * whose f_obs is near 1 may offer any amount more.  Either sums to at most 1.  -1 with *err:
 * SFAB_ENOMEM.  Costs what sfab_phases_lost() does.
 */
int sfab_offered_load_find(struct sfab_offered_load *a, const struct sfab_job *passed,
			   struct sfab_traffic *asked, double busy[SFAB_TRAFFIC_PARTS],
			   struct sfab_err *err);

#endif
