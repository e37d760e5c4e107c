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
 * For preview and what-if; too slow for each decision.  O(flows x hops x
 * levels).
 */
#ifndef SFAB_PREDICT_H
#define SFAB_PREDICT_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/jobs.h"
#include "core/load/model.h"

#define SFAB_FLOWS_MAX 8000000u

struct sfab_prediction {
	enum sfab_class class;
	enum sfab_mpi_pattern pattern;	/* that the traffic names, class mpi */
	uint32_t nflows;
	double maxmin;		/* bytes/s, sum over flows */
	double lockstep;
	double ideal;
	double ideal_share;	/* lockstep / ideal, 0..1 */
	double slowdown;	/* ideal / lockstep */
	uint32_t worst_res;	/* resource that limits lockstep, or SFAB_NONE */
};

/*
 * Predict part @part (an index into the traffic) of @spec alone on the fabric,
 * all flows greedy.  @rates (NULL, or room for the nflows found by an earlier
 * call) is set to the max-min rate of each routable flow, in the order of
 * sfab_flows().  SFAB_ELIMIT for more than SFAB_FLOWS_MAX flows.  A job without
 * flows (one node, mpi) has nflows 0, rates 0, ideal_share and slowdown 1.
 */
int sfab_predict(const struct sfab_model *m, const struct sfab_spec *spec,
		 uint32_t part, struct sfab_prediction *out, double *rates,
		 struct sfab_err *err);

/*
 * The solver for @nflows flows.  Flow i crosses the resources res[first[i]] ..
 * res[first[i+1]-1] with shares share[] (NULL: 1) and sends at most limit[i]
 * bytes/s (NULL: no limit; a flow without resources must have one).  @cap is in
 * bytes/s by resource.  Sets rate[i].
 */
int sfab_maxmin(uint32_t nres, const double *cap, uint32_t nflows,
		const uint32_t *first, const uint32_t *res, const double *share,
		const double *limit, double *rate, struct sfab_err *err);

#endif
