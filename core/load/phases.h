/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * phases.h - how much longer a job takes because of the fabric
 *
 * A job computes, exchanges and writes by turns.  It sends at the full rate of its ports.  The
 * weight f of a part of its traffic is the part of its time, on an ideal fabric, that it spends
 * in such phases:
 *
 *   time on this fabric / time on an ideal one = 1 + sum over the parts of f (S - 1)
 *
 * S is the slowdown of one part at full rate, beside the mean background B of other jobs.  With
 * D the load of the part on a link, C its capacity, and E = max(1, D/C over end ports and IO
 * servers):
 *
 *   mpi      the mean over the steps of its patterns (stepper.h)
 *   others   max(1, (D/E + B)/C over switch-to-switch links), times E/I
 *
 * E is what the same job would wait for on an ideal fabric, which has the same end ports and
 * servers.  D/E is therefore the rate at which it sends.  I is E, but for IO sets whose servers
 * depend on the client (maps group and nearest): there it is the E of clients that use all
 * servers of the set alike, so that a job is not better off with fewer servers.
 */
#ifndef SFAB_PHASES_H
#define SFAB_PHASES_H

#include "core/err.h"
#include "core/load/load.h"
#include "core/load/model.h"

struct sfab_phases;		/* scratch for one thread */

/* Create the scratch.  @m must outlive it.  NULL: out of memory. */
struct sfab_phases *sfab_phases_create(const struct sfab_model *m);
void sfab_phases_destroy(struct sfab_phases *ph);	/* NULL is fine */

/* The slowdown S of one part of the traffic, at least 1. */
struct sfab_phase {
	double alone, beside;	/* on an empty machine, and beside the background */
	double ends, best;	/* E and I; 1 for mpi */
};

struct sfab_lost {
	/* by part of the traffic */
	struct sfab_phase part[SFAB_TRAFFIC_PARTS];
	double alone, time;	/* sum of f (S - 1): part of the job's time, on an empty machine,
				   and beside the background */
};

/*
 * Find what a job loses.  @job->host is in the order of the ranks.  The weights of
 * @job->traffic are parts of its time.  @background: bytes/s by resource, NULL: an empty
 * machine.  -1 with *@err: SFAB_ENOMEM; SFAB_ENOENT: no such IO set.  Costs what sfab_demand()
 * and sfab_stepper_weigh() cost, once for each part.
 */
int sfab_phases_lost(struct sfab_phases *ph, const struct sfab_job *job,
		     const double *background, struct sfab_lost *out,
		     struct sfab_err *err);

/* -- steps of sfab_phases_lost(), for a search that has the loads ------------ */

/*
 * Return S of @part of a job's traffic, which is not sent in steps.  @l is its load at full
 * rate.  O(resources that are touched).
 */
struct sfab_phase sfab_phases_at_once(const struct sfab_model *m, const struct sfab_load *l,
				      const struct sfab_traffic_part *part,
				      const double *background);

/*
 * Set @out to S of the mpi parts of @job, which is the same for each of them.  If beside is
 * above @max the call returns 1, and beside may be too small.  *@work grows by about the link
 * additions that it took.  -1: SFAB_ENOMEM.
 */
int sfab_phases_in_steps(struct sfab_phases *ph, const struct sfab_job *job,
			 const double *background, double max, uint64_t *work,
			 struct sfab_phase *out, struct sfab_err *err);

/*
 * Return the mean load at full rate of the mpi parts of the job of the last
 * sfab_phases_in_steps(), whose arrays must still exist.  It is borrowed until the next call.
 * NULL: SFAB_ENOMEM.
 */
const struct sfab_load *sfab_phases_mean(struct sfab_phases *ph, struct sfab_err *err);

#endif
