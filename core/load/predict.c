/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * predict.c - a job's flows, their routes, and the throughput that they get
 *
 * Routes are kept as one array of resources with the first index of each flow, the
 * form that sfab_maxmin() wants.  Two throughputs are computed from it: lockstep,
 * where all flows go as slowly as the slowest, and max-min, where each takes what the
 * others leave.  The ideal is the lockstep of the end ports and IO limits alone.
 */

#include "core/load/predict.h"
#include "core/fabric/route.h"

#include <stdlib.h>
#include <string.h>

struct prediction_work {
	const struct sfab_model *m;
	uint32_t nflows, capflows;
	uint32_t *first;	/* [capflows + 1] */
	uint32_t nres, capres;
	uint32_t *res;
	double *share;
	int too_many;
	struct sfab_route r;
};

static int more_flows(struct prediction_work *p)
{
	uint32_t cap = p->capflows ? 2 * p->capflows : 4096;
	uint32_t *more;

	if (p->nflows < p->capflows)
		return 0;
	more = realloc(p->first, (cap + 1) * sizeof(*more));
	if (!more)
		return -1;
	if (!p->first)
		more[0] = 0;
	p->first = more;
	p->capflows = cap;
	return 0;
}

static int add_flow_hop(struct prediction_work *p, uint32_t res, double share)
{
	if (p->nres == p->capres) {
		uint32_t cap = p->capres ? 2 * p->capres : 16384;
		uint32_t *more = realloc(p->res, cap * sizeof(*more));
		double *shares;

		if (!more)
			return -1;
		p->res = more;
		shares = realloc(p->share, cap * sizeof(*shares));
		if (!shares)
			return -1;
		p->share = shares;
		p->capres = cap;
	}
	p->res[p->nres] = res;
	p->share[p->nres++] = share;
	return 0;
}

static int add_predicted_flow(void *ctx, uint32_t src, uint32_t dst,
			      uint32_t io_res, double weight)
{
	struct prediction_work *p = ctx;

	/* Flows are greedy here: what each asks for does not matter. */
	(void) weight;
	/* Ends the walk; the caller turns too_many into SFAB_ELIMIT. */
	if (p->nflows == SFAB_FLOWS_MAX) {
		p->too_many = 1;
		return -1;
	}
	if (more_flows(p) < 0 || sfab_route_ports(p->m->f, src, dst, &p->r) < 0)
		return -1;
	if (p->r.status != SFAB_ROUTE_OK)
		return 0;
	for (uint32_t i = 0; i < p->r.n; i++)
		if (add_flow_hop(p, p->r.hop[i].link, p->r.hop[i].share) < 0)
			return -1;
	if (io_res != SFAB_NONE && add_flow_hop(p, io_res, 1.0) < 0)
		return -1;
	p->first[++p->nflows] = p->nres;
	return 0;
}

/* Highest rate that all flows can have at once; *@worst limits it. */
static double common_rate(const struct prediction_work *p, const double *sum,
			  int with_isl, uint32_t *worst)
{
	double level = 0;

	*worst = SFAB_NONE;
	for (uint32_t e = 0; e < p->m->nres; e++) {
		double x = sum[e] * p->m->inv_cap[e];

		if (x > level && (with_isl || !p->m->isl[e])) {
			level = x;
			*worst = e;
		}
	}
	return level > 0 ? 1.0 / level : 0;
}

static int predict_lockstep(const struct prediction_work *p,
			    struct sfab_prediction *out)
{
	double *sum = calloc(p->m->nres + 1u, sizeof(*sum));
	uint32_t ignore;

	if (!sum)
		return -1;
	for (uint32_t k = 0; k < p->nres; k++)
		sum[p->res[k]] += p->share[k];
	out->ideal = p->nflows * common_rate(p, sum, 0, &ignore);
	out->lockstep = p->nflows * common_rate(p, sum, 1, &out->worst_res);
	free(sum);
	return 0;
}

static int predict_maxmin(const struct prediction_work *p, double *rates,
			  struct sfab_prediction *out, struct sfab_err *err)
{
	double *rate = rates ? rates : calloc(p->nflows, sizeof(*rate));
	double *cap = calloc(p->m->nres + 1u, sizeof(*cap));
	int rc = -1;

	if (rate && cap) {
		for (uint32_t e = 0; e < p->m->nres; e++)
			cap[e] = p->m->inv_cap[e] > 0 ? 1.0 / p->m->inv_cap[e] : 0;
		rc = sfab_maxmin(p->m->nres, cap, p->nflows, p->first, p->res,
				 p->share, NULL, rate, err);
	} else {
		sfab_no_memory(err);
	}
	for (uint32_t i = 0; rc == 0 && i < p->nflows; i++)
		out->maxmin += rate[i];
	if (!rates)
		free(rate);
	free(cap);
	return rc;
}

static int predict_rates(struct prediction_work *p, double *rates,
			 struct sfab_prediction *out, struct sfab_err *err)
{
	out->nflows = p->nflows;
	out->worst_res = SFAB_NONE;
	out->ideal_share = out->slowdown = 1.0;
	if (!p->nflows)
		return 0;
	if (predict_lockstep(p, out) < 0)
		return sfab_no_memory(err);
	if (out->ideal > 0 && out->lockstep > 0) {
		out->ideal_share = out->lockstep / out->ideal;
		out->slowdown = out->ideal / out->lockstep;
	}
	return predict_maxmin(p, rates, out, err);
}

int sfab_predict(const struct sfab_model *m, const struct sfab_spec *spec,
		 uint32_t part, struct sfab_prediction *out, double *rates,
		 struct sfab_err *err)
{
	struct prediction_work p = {.m = m};
	int rc;

	memset(out, 0, sizeof(*out));
	out->class = spec->traffic->part[part].class;
	out->pattern = spec->traffic->part[part].pattern;
	rc = sfab_flows(m, spec, &spec->traffic->part[part], add_predicted_flow,
			&p, err);
	if (p.too_many)
		sfab_fail(err, SFAB_ELIMIT, "prediction: more than %u flows",
			  SFAB_FLOWS_MAX);
	if (rc == 0)
		rc = predict_rates(&p, rates, out, err);
	free(p.first);
	free(p.res);
	free(p.share);
	sfab_route_clear(&p.r);
	return rc;
}
