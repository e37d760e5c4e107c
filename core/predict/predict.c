/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * predict.c - a job's flows, their routes, and the throughput that they get
 *
 * Flows are kept in bundles, by the leaf of the senders and by destination, the form
 * that sfab_maxmin() wants.  Two throughputs are computed from it: lockstep, where all
 * flows go as slowly as the slowest, and max-min, where each takes what the others
 * leave.  The ideal is the lockstep of the end ports and IO limits alone.
 */

#include "core/predict/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/predict/bundles.h"
#include "core/predict/flows.h"
#include "core/predict/maxmin.h"
#include "core/resize.h"

struct prediction_work {
	const struct sfab_model *m;
	struct sfab_bundle_list list;
	uint32_t ngroups, nsenders;
	struct sfab_bundle_group *group;
	uint32_t *sender;	/* their inject links */
	uint32_t *except;	/* by bundle */
	uint32_t last_group;	/* number of the walk */
	int read;		/* a server's link is that of several groups: it is in
				   the bundles, and there are no groups */
};

static int add_group(struct prediction_work *p, const struct sfab_senders *from)
{
	struct sfab_bundle_group *group;

	if (sfab_one_more(&p->group, p->ngroups, sizeof(*group)) < 0)
		return -1;
	group = &p->group[p->ngroups++];
	*group = (struct sfab_bundle_group) {
		.bundle0 = p->list.n, .sender0 = p->nsenders,
	};
	for (uint32_t i = 0; i < from->n; i++) {
		if (!sfab_can_send(p->m->f, from->port[i]))
			continue;
		if (sfab_one_more(&p->sender, p->nsenders, sizeof(*p->sender)) < 0)
			return -1;
		p->sender[p->nsenders++] = p->m->f->ports[from->port[i]].inject;
		group->nsenders++;
	}
	p->last_group = from->group;
	return 0;
}

/* Where in the group's list of senders: those that cannot send are not in it. */
static uint32_t sender_place(const struct prediction_work *p,
			     const struct sfab_senders *from, uint32_t i)
{
	uint32_t at = p->group[p->ngroups - 1].sender0;

	if (i == SFAB_NONE || !sfab_can_send(p->m->f, from->port[i]))
		return SFAB_NONE;
	for (uint32_t k = 0; k < i; k++)
		at += (uint32_t) sfab_can_send(p->m->f, from->port[k]);
	return at;
}

/* A bundle whose senders are known; -1: memory. */
static int add_fan_route(struct prediction_work *p, uint32_t src, uint32_t dst,
			 uint32_t io_res, uint32_t flows)
{
	int rc = sfab_bundle_route(&p->list, p->m, src, dst);

	if (rc <= 0)
		return rc;
	if (io_res != SFAB_NONE && sfab_bundle_hop(&p->list, io_res, 1) < 0)
		return -1;
	if (p->read && sfab_bundle_hop(&p->list, p->m->f->ports[src].inject, 1) < 0)
		return -1;
	if (!p->read)
		p->group[p->ngroups - 1].nbundles++;
	return sfab_bundle_end(&p->list, flows);
}

/* Flows are greedy here: what each asks for does not matter. */
static int add_predicted_fan(void *ctx, const struct sfab_senders *from, uint32_t except,
			     uint32_t dst, uint32_t io_res, double weight)
{
	struct prediction_work *p = ctx;
	uint32_t flows, n = p->list.n;

	if (p->read)
		return sfab_can_send(p->m->f, from->port[0]) ?
		       add_fan_route(p, from->port[0], dst, io_res, 1) : 0;
	if ((!p->ngroups || p->last_group != from->group) && add_group(p, from) < 0)
		return -1;
	except = sender_place(p, from, except);
	flows = p->group[p->ngroups - 1].nsenders - (except != SFAB_NONE);
	if (!flows)
		return 0;
	if (sfab_one_more(&p->except, n, sizeof(*p->except)) < 0)
		return -1;
	p->except[n] = except;
	return add_fan_route(p, from->port[0], dst, io_res, flows);
}

/* Shares of all flows by resource. */
static double *sum_shares(const struct prediction_work *p)
{
	const struct sfab_bundle_list *l = &p->list;
	double *sum = calloc(p->m->nres + 1u, sizeof(*sum));

	for (uint32_t i = 0; sum && i < l->n; i++)
		for (uint32_t k = l->first[i]; k < l->first[i + 1]; k++)
			sum[l->res[k]] += l->amount[i] * (l->share ? l->share[k] : 1);
	for (uint32_t i = 0; sum && i < p->ngroups; i++) {
		const struct sfab_bundle_group *g = &p->group[i];

		for (uint32_t k = g->sender0; k < g->sender0 + g->nsenders; k++)
			sum[p->sender[k]] += g->nbundles;
		for (uint32_t k = g->bundle0; k < g->bundle0 + g->nbundles; k++)
			if (p->except[k] != SFAB_NONE)
				sum[p->sender[p->except[k]]]--;
	}
	return sum;
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

static int predict_maxmin(const struct prediction_work *p, double *level,
			  struct sfab_prediction *out, struct sfab_err *err)
{
	struct sfab_bundles b = sfab_bundles_from(&p->list, 0, p->list.n);
	double *rate = calloc(p->list.n, sizeof(*rate));
	double *cap = calloc(p->m->nres + 1u, sizeof(*cap));
	int rc = -1;

	b.ngroups = p->ngroups;
	b.group = p->group;
	b.sender = p->sender;
	b.except = p->except;
	if (rate && cap) {
		for (uint32_t e = 0; e < p->m->nres; e++)
			cap[e] = p->m->inv_cap[e] > 0 ? 1.0 / p->m->inv_cap[e] : 0;
		rc = sfab_maxmin(p->m->nres, cap, &b, INFINITY, rate, level, err);
	} else {
		sfab_no_memory(err);
	}
	for (uint32_t i = 0; rc == 0 && i < p->list.n; i++)
		out->maxmin += rate[i];
	free(rate);
	free(cap);
	return rc;
}

static int predict_rates(struct prediction_work *p, double *level,
			 struct sfab_prediction *out, struct sfab_err *err)
{
	uint32_t ignore;
	double *sum;

	out->worst_res = SFAB_NONE;
	out->ideal_share = out->slowdown = 1.0;
	for (uint32_t i = 0; i < p->list.n; i++)
		out->nflows += (uint64_t) p->list.amount[i];
	if (!out->nflows)
		return 0;
	sum = sum_shares(p);
	if (!sum)
		return sfab_no_memory(err);
	out->ideal = (double) out->nflows * common_rate(p, sum, 0, &ignore);
	out->lockstep = (double) out->nflows * common_rate(p, sum, 1, &out->worst_res);
	free(sum);
	if (out->ideal > 0 && out->lockstep > 0) {
		out->ideal_share = out->lockstep / out->ideal;
		out->slowdown = out->ideal / out->lockstep;
	}
	return predict_maxmin(p, level, out, err);
}

int sfab_predict(const struct sfab_model *m, const struct sfab_job *job,
		 uint32_t part, struct sfab_prediction *out, double *level,
		 struct sfab_err *err)
{
	struct prediction_work p = {.m = m};
	int rc;

	memset(out, 0, sizeof(*out));
	out->class = job->traffic->part[part].class;
	out->pattern = job->traffic->part[part].pattern;
	p.read = out->class == SFAB_IO_READ;
	rc = sfab_fans(m, job, &job->traffic->part[part], add_predicted_fan, &p, err);
	if (rc < 0 && p.list.nhops >= SFAB_BUNDLE_HOPS_MAX)
		sfab_bundles_failed(&p.list, err);
	if (rc == 0)
		rc = predict_rates(&p, level, out, err);
	sfab_bundles_free(&p.list);
	free(p.group);
	free(p.sender);
	free(p.except);
	return rc;
}
