/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lookahead.h - lookahead: what a placement costs the next jobs of the queue
 *
 * When each pending job starts does not depend on where this job is placed.  So
 * a list of starts and ends is drawn once (EASY backfill on node counts) and
 * played for each of the best proposals.  Jobs that start are placed as tree
 * placement would place them.  The cost is the sum of what each suffers at its
 * start, S - 1; where mpi goes by steps, also the part of its mpi traffic that meets
 * others on the way.
 *
 * The idea is a rollout with a cheap base policy (Bertsekas, Tsitsiklis, Wu,
 * Journal of Heuristics 3, 1997).
 */
#ifndef SFAB_LOOKAHEAD_H
#define SFAB_LOOKAHEAD_H

#include "core/search/search.h"

struct ahead;

/*
 * Draw the futures for @rq.  NULL with *@err SFAB_ENOMEM.  NULL without an
 * error (code SFAB_OK) if nothing in the queue would start.
 */
struct ahead *sfab_ahead_create(const struct sfab_model *m,
				struct sfab_jobs *js,
				const struct sfab_request *rq,
				struct sfab_err *err);
void sfab_ahead_destroy(struct ahead *a);	/* NULL is fine */

/*
 * Mean over the futures of the sum over starts of S - 1, if the job gets @host
 * (@n of them).  The work done is added to *@steps.
 */
int sfab_ahead_cost(struct ahead *a, const uint32_t *host, uint32_t n,
		    uint32_t *steps, double *cost, struct sfab_err *err);

#endif
