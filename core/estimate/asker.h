/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * asker.h - find the traffic that a job asks for from the traffic that passed
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
#ifndef SFAB_ASKER_H
#define SFAB_ASKER_H

#include "core/load/phases.h"

struct sfab_asker;		/* scratch for one thread */

/*
 * Create an asker.  @carried: bytes/s by link that all jobs send together, < 0: unknown.  It is
 * borrowed, as @m is.  NULL: out of memory.
 */
struct sfab_asker *sfab_asker_create(const struct sfab_model *m, const double *carried);
void sfab_asker_destroy(struct sfab_asker *a);		/* NULL is fine */

/*
 * Find what a job asks for.  @passed: one of the jobs, with mean rates x for weights.  Set
 * @asked to the same parts with f, beside the load of the others, and @busy to f_obs by part.
 * A job whose f_obs is near 1 may ask for any amount more.  Either sums to at most 1.  -1 with
 * *err: SFAB_ENOMEM.  Costs what sfab_phases_lost() does.
 */
int sfab_asker_find(struct sfab_asker *a, const struct sfab_job *passed,
		    struct sfab_traffic *asked, double busy[SFAB_TRAFFIC_PARTS],
		    struct sfab_err *err);

#endif
