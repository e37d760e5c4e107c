/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * predict.h - throughput of a job's traffic if every node sends all it can
 *
 *   max-min   progressive filling (Bertsekas, Gallager: Data Networks, 6.5.2):
 *             independent flows
 *   lockstep  all flows at one rate, the slowest one's: a collective
 *   ideal     lockstep without switch-to-switch links: end ports and IO limits
 *
 * For preview and what-if; not for the hot path.  O(flows x hops x levels).
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
	uint32_t nflows;
	double maxmin;		/* bytes/s, sum over flows */
	double lockstep;
	double ideal;
	double ideal_share;	/* lockstep / ideal, 0..1 */
	double slowdown;	/* ideal / lockstep */
	uint32_t worst_res;	/* resource that limits lockstep, or SFAB_NONE */
};

/*
 * Predict part @part (index into the traffic) of @spec alone on the fabric, all
 * flows greedy.  @rates (NULL, or room for the nflows found by a first call)
 * gets the max-min rate of each routable flow in the order of sfab_flows().
 * SFAB_ELIMIT for more than SFAB_FLOWS_MAX flows.  A job without flows (one
 * node, mpi) has nflows 0, rates 0, ideal_share and slowdown 1.
 */
int sfab_predict(const struct sfab_model *m, const struct sfab_spec *spec,
		 uint32_t part, struct sfab_prediction *out, double *rates,
		 struct sfab_err *err);

/*
 * The solver: @nflows flows, flow i crosses the resources
 * res[first[i]] .. res[first[i+1]-1] with shares share[] (NULL: 1) and may send at most
 * limit[i] bytes/s (NULL: no limit; a flow without resources must have one).
 * @cap in bytes/s by resource.  rate[i] is set.
 */
int sfab_maxmin(uint32_t nres, const double *cap, uint32_t nflows,
		const uint32_t *first, const uint32_t *res, const double *share,
		const double *limit, double *rate, struct sfab_err *err);

#endif
