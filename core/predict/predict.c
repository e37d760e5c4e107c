/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * predict.c - a job's flows, their routes, and the throughput that they get
 *
 * Flows are kept in bundles, by the leaf of the senders and by destination, the form that
 * sfab_maxmin() wants.  Two throughputs are computed from it: lockstep, where all flows go as
 * slowly as the slowest, and max-min, where each gets what the others leave.  The ideal is the
 * lockstep of the end ports and IO limits alone.
 */

#include "core/predict/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/predict/flows.h"
#include "core/predict/maxmin.h"
#include "core/resize.h"

struct prediction_work {
	const struct sfab_model *m;
	struct sfab_bundles b;
	uint32_t last_group;	/* number of the last group in the walk of sfab_flows_fan() */
	int is_read;	/* 1: io-read.  A server's link belongs to several groups, so it is in the
			   bundles, and there are no groups */
};

/* Begin a group with those of @senders that can send. */
static int add_sender_group(struct prediction_work *p, const struct sfab_senders *senders)
{
	struct sfab_bundle_group *group;

	if (sfab_resize_one_more(&p->b.group, p->b.ngroups, sizeof(*group)) < 0)
		return -1;
	group = &p->b.group[p->b.ngroups++];
	*group = (struct sfab_bundle_group) { .bundle0 = p->b.n, .sender0 = p->b.nsenders };
	for (uint32_t i = 0; i < senders->n; i++) {
		if (!sfab_bundles_can_send(p->m->f, senders->port[i]))
			continue;
		if (sfab_resize_one_more(&p->b.sender, p->b.nsenders, sizeof(*p->b.sender)) < 0)
			return -1;
		p->b.sender[p->b.nsenders++] = p->m->f->ports[senders->port[i]].inject;
		group->nsenders++;
	}
	p->last_group = senders->group;
	return 0;
}

/* Return the index of sender @i in the list of all senders, which has only those that can send. */
static uint32_t sender_index(const struct prediction_work *p,
			     const struct sfab_senders *senders, uint32_t i)
{
	uint32_t index = p->b.group[p->b.ngroups - 1].sender0;

	if (i == SFAB_NONE || !sfab_bundles_can_send(p->m->f, senders->port[i]))
		return SFAB_NONE;
	for (uint32_t k = 0; k < i; k++)
		index += (uint32_t) sfab_bundles_can_send(p->m->f, senders->port[k]);
	return index;
}

/* Add a fan of flows.  They are greedy here: the demand of each does not matter. */
static int add_predicted_fan(void *ctx, const struct sfab_senders *senders, uint32_t except,
			     uint32_t dst, uint32_t io_res, double weight)
{
	struct prediction_work *p = ctx;
	uint32_t flows, n = p->b.n;

	if (p->is_read)
		return sfab_bundles_can_send(p->m->f, senders->port[0]) ?
		       sfab_bundles_add(&p->b, p->m, senders->port[0], dst, io_res, 1, 1) : 0;
	if ((!p->b.ngroups || p->last_group != senders->group) && add_sender_group(p, senders) < 0)
		return -1;
	except = sender_index(p, senders, except);
	flows = p->b.group[p->b.ngroups - 1].nsenders - (except != SFAB_NONE);
	if (!flows)
		return 0;
	if (sfab_resize_one_more(&p->b.except, n, sizeof(*p->b.except)) < 0)
		return -1;
	p->b.except[n] = except;
	if (sfab_bundles_add(&p->b, p->m, senders->port[0], dst, io_res, 0, flows) < 0)
		return -1;
	p->b.group[p->b.ngroups - 1].nbundles += p->b.n - n;
	return 0;
}

/* Return the sums of the shares of all flows by resource.  NULL: out of memory. */
static double *sum_shares(const struct prediction_work *p)
{
	const struct sfab_bundles *l = &p->b;
	double *sum = calloc(p->m->nres + 1u, sizeof(*sum));

	for (uint32_t i = 0; sum && i < l->n; i++)
		for (uint32_t k = l->first[i]; k < l->first[i + 1]; k++)
			sum[l->res[k]] += l->amount[i] * (l->share ? l->share[k] : 1);
	for (uint32_t i = 0; sum && i < p->b.ngroups; i++) {
		const struct sfab_bundle_group *g = &p->b.group[i];

		for (uint32_t k = g->sender0; k < g->sender0 + g->nsenders; k++)
			sum[p->b.sender[k]] += g->nbundles;
		for (uint32_t k = g->bundle0; k < g->bundle0 + g->nbundles; k++)
			if (p->b.except[k] != SFAB_NONE)
				sum[p->b.sender[p->b.except[k]]]--;
	}
	return sum;
}

/* Return the highest rate that all flows can have at once.  Set *@worst to what limits it. */
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

static int predict_rates(struct prediction_work *p, double *level,
			 struct sfab_prediction *out, struct sfab_err *err)
{
	double *sum, *rate;
	uint32_t ideal_worst;
	int rc;

	out->worst_res = SFAB_NONE;
	out->ideal_share = out->slowdown = 1.0;
	for (uint32_t i = 0; i < p->b.n; i++)
		out->nflows += (uint64_t) p->b.amount[i];
	if (!out->nflows)
		return 0;
	sum = sum_shares(p);
	if (!sum)
		return sfab_no_memory(err);
	out->ideal = (double) out->nflows * common_rate(p, sum, 0, &ideal_worst);
	out->lockstep = (double) out->nflows * common_rate(p, sum, 1, &out->worst_res);
	free(sum);
	if (out->ideal > 0 && out->lockstep > 0) {
		out->ideal_share = out->lockstep / out->ideal;
		out->slowdown = out->ideal / out->lockstep;
	}
	rate = calloc(p->b.n, sizeof(*rate));
	rc = rate ? sfab_maxmin(p->m, 0, &p->b, INFINITY, rate, level, err) :
		    sfab_no_memory(err);
	for (uint32_t i = 0; rc == 0 && i < p->b.n; i++)
		out->maxmin += rate[i];
	free(rate);
	return rc;
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
	p.is_read = out->class == SFAB_IO_READ;
	rc = sfab_flows_fan(m, job, &job->traffic->part[part], add_predicted_fan, &p, err);
	if (rc < 0 && p.b.nhops >= SFAB_BUNDLE_HOPS_MAX)
		sfab_bundles_failed(&p.b, err);
	if (rc == 0)
		rc = predict_rates(&p, level, out, err);
	sfab_bundles_free(&p.b);
	return rc;
}
