/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * predict.h - throughput of a job if every node sends all it can
 *
 *   max-min   progressive filling (Bertsekas, Gallager: Data Networks, 6.5.2):
 *             independent flows
 *   lockstep  all flows at the rate of the slowest: a bulk-synchronous exchange
 *   ideal     lockstep without switch-to-switch links: only end ports and IO
 *             limits
 *
 * For preview and what-if; too slow for each decision.  Time and memory grow with leaves x
 * destinations x hops (maxmin.h), not with pairs of hosts.
 */
#ifndef SFAB_PREDICT_H
#define SFAB_PREDICT_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/jobs.h"
#include "core/load/model.h"

struct sfab_prediction {
	enum sfab_class class;
	enum sfab_mpi_pattern pattern;	/* of class mpi, as the traffic names it */
	uint64_t nflows;
	double maxmin;		/* bytes/s, sum over flows */
	double lockstep;
	double ideal;
	double ideal_share;	/* lockstep / ideal, 0..1 */
	double slowdown;	/* ideal / lockstep */
	uint32_t worst_res;	/* resource that limits lockstep, or SFAB_NONE */
};

/*
 * Predict part @part (an index into the traffic) of @job alone on the fabric, all flows greedy.
 * Set @level (NULL, or [resources of the model]) to the rate at which each resource became
 * full, INFINITY if it did not: the max-min rate of a flow is the lowest of those that it
 * crosses.  A job without flows (one node, mpi) has nflows 0, rates 0, ideal_share and slowdown
 * 1, and leaves @level alone.  Errors: SFAB_ENOMEM; SFAB_ENOENT: no such IO set; SFAB_ELIMIT:
 * too many routes (bundles.h).
 */
int sfab_predict(const struct sfab_model *m, const struct sfab_job *job,
		 uint32_t part, struct sfab_prediction *out, double *level,
		 struct sfab_err *err);

#endif
