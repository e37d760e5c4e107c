/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * phases.h - how much longer a job takes because of the fabric
 *
 * A job computes, exchanges and writes by turns, and what it sends it sends at the
 * full rate of its ports.  The weight f of a part of its traffic is the part of its
 * time, on an ideal fabric, that it spends in such phases:
 *
 *   time on this fabric / time on an ideal one = 1 + sum over the parts of f (S - 1)
 *
 * S is the slowdown of one part at full rate, beside the mean background B of others.
 * With D the load of the part on a link, C its capacity, and E = max(1, D/C over end
 * ports and IO servers):
 *
 *   mpi      the mean over the steps of its patterns (steps.h)
 *   others   max(1, (D/E + B)/C over switch-to-switch links)
 *
 * E is what the same job would wait for on an ideal fabric, which has the same end
 * ports and servers.  D/E is therefore the rate at which it sends.
 */
#ifndef SFAB_PHASES_H
#define SFAB_PHASES_H

#include "core/err.h"
#include "core/load/model.h"

struct sfab_phases;		/* scratch for one thread */

/* NULL: out of memory.  @m must outlive it. */
struct sfab_phases *sfab_phases_create(const struct sfab_model *m);
void sfab_phases_destroy(struct sfab_phases *ph);	/* NULL is fine */

struct sfab_lost {
	double part[SFAB_TRAFFIC_PARTS];	/* S by part of the traffic, at least 1 */
	double time;		/* sum of f (S - 1): part of the job's time */
};

/*
 * What a job loses.  @spec->host is in the order of the ranks; the weights of
 * @spec->traffic are parts of its time.  @background: bytes/s by resource, NULL: an
 * empty machine.  -1 with *@err: SFAB_ENOMEM; SFAB_ENOENT: no such IO set.  Costs
 * what sfab_demand() and sfab_stepper_mixed() cost, once for each part.
 */
int sfab_phases_lost(struct sfab_phases *ph, const struct sfab_spec *spec,
		     const double *background, struct sfab_lost *out,
		     struct sfab_err *err);

#endif
