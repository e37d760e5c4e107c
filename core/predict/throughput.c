/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * throughput.c - slowdown by max-min over individual flows; see throughput.h
 *
 * Flows from hosts of one leaf to one destination share their whole path except
 * the first link, and the first link never limits a flow that asks for its part
 * of it.  These flows get the same fraction of what they ask for, so one bundle
 * represents them: n hosts on k leaves need n x k bundles instead of n x n.
 *
 * The bundles of the running jobs stay in the list.  Those of the job that is looked at
 * are put behind them, and taken off again.
 */

#include "core/predict/throughput.h"

#include <math.h>
#include <stdlib.h>

#include "core/predict/bundles.h"
#include "core/predict/flows.h"
#include "core/predict/maxmin.h"

struct sfab_throughput {
	const struct sfab_model *m;
	double *cap;		/* bytes/s by resource */
	double *end_cap;	/* the same of ends; no limit between switches */
	double *cpus;		/* by host: CPUs held / CPUs, of the current job */
	struct sfab_bundle_list flows;	/* the amount is what they ask for, bytes/s */
	struct sfab_arena arena;	/* cap, end_cap, cpus */
};

struct sfab_throughput *sfab_throughput_create(const struct sfab_model *m)
{
	struct sfab_throughput *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->m = m;
	t->cap = sfab_arena_take(&t->arena, m->nres, sizeof(*t->cap));
	t->end_cap = sfab_arena_take(&t->arena, m->nres, sizeof(*t->end_cap));
	t->cpus = sfab_arena_take(&t->arena, m->f->nhosts, sizeof(*t->cpus));
	if (t->arena.failed) {
		sfab_throughput_destroy(t);
		return NULL;
	}
	for (uint32_t e = 0; e < m->nres; e++) {
		t->cap[e] = m->inv_cap[e] > 0 ? 1 / m->inv_cap[e] : 0;
		t->end_cap[e] = m->isl[e] ? INFINITY : t->cap[e];
	}
	return t;
}

void sfab_throughput_destroy(struct sfab_throughput *t)
{
	if (!t)
		return;
	sfab_bundles_free(&t->flows);
	sfab_arena_free(&t->arena);
	free(t);
}

struct flow_walk {
	struct sfab_throughput *t;
	const struct sfab_traffic_part *part;
};

static int add_job_fan(void *ctx, const struct sfab_senders *from, uint32_t except,
		       uint32_t dst, uint32_t io_res, double weight)
{
	struct flow_walk *w = ctx;
	struct sfab_bundle_list *l = &w->t->flows;
	const struct sfab_fabric *f = w->t->m->f;
	int read = w->part->class == SFAB_IO_READ, rc;
	double asks = 0;

	for (uint32_t i = 0; i < from->n; i++) {
		const struct sfab_port *client = &f->ports[read ? dst : from->port[i]];

		if (i != except && sfab_can_send(f, from->port[i]))
			asks += weight * (w->part->share * client->rate *
					  w->t->cpus[client->host]);
	}
	if (!(asks > 0))
		return 0;
	rc = sfab_bundle_route(l, w->t->m, from->port[0], dst);
	if (rc <= 0)
		return rc;
	if (read && sfab_bundle_hop(l, f->ports[from->port[0]].inject, 1) < 0)
		return -1;
	if (io_res != SFAB_NONE && sfab_bundle_hop(l, io_res, 1) < 0)
		return -1;
	return sfab_bundle_end(l, asks);
}

/* The bundles of @job behind all others; none of them if it fails. */
int sfab_throughput_add(struct sfab_throughput *t, const struct sfab_job *job,
			struct sfab_err *err)
{
	const struct sfab_traffic *traffic = job->traffic;
	struct flow_walk w = { .t = t };
	uint32_t before = t->flows.n;
	int rc = 0;

	for (uint32_t i = 0; i < job->n; i++)
		t->cpus[job->host[i]] = job->cpus ? job->cpus[i] : 1;
	for (uint32_t i = 0; i < traffic->nparts && rc == 0; i++) {
		w.part = &traffic->part[i];
		if (w.part->share > 0)
			rc = sfab_fans(t->m, job, w.part, add_job_fan, &w, err);
	}
	if (rc < 0 && t->flows.nhops >= SFAB_BUNDLE_HOPS_MAX)
		sfab_bundles_failed(&t->flows, err);
	if (rc < 0)
		sfab_bundles_cut(&t->flows, before);
	return rc;
}

/* Sum of the rates of the bundles from @job on, if those from @first on fill @cap. */
static int fill_and_sum(struct sfab_throughput *t, uint32_t first, uint32_t job,
			const double *cap, double *sum, struct sfab_err *err)
{
	struct sfab_bundles b = sfab_bundles_from(&t->flows, first, t->flows.n - first);
	double *rate = calloc(b.n + 1u, sizeof(*rate));
	int rc = rate ? 0 : sfab_no_memory(err);

	*sum = 0;
	/* Nobody gets more than it asks for. */
	if (rc == 0 && b.n)
		rc = sfab_maxmin(t->m->nres, cap, &b, 1, rate, NULL, err);
	for (uint32_t i = job - first; rc == 0 && i < b.n; i++)
		*sum += rate[i];
	free(rate);
	return rc;
}

int sfab_throughput_rate(struct sfab_throughput *t, const struct sfab_job *job,
			 double *rate, struct sfab_err *err)
{
	uint32_t running = t->flows.n;
	int rc = sfab_throughput_add(t, job, err);

	if (rc == 0)
		rc = fill_and_sum(t, 0, running, t->cap, rate, err);
	sfab_bundles_cut(&t->flows, running);
	return rc;
}

int sfab_throughput_slowdown(struct sfab_throughput *t, const struct sfab_job *job,
			     double *slowdown, struct sfab_err *err)
{
	uint32_t running = t->flows.n;
	double ideal = 0, rate = 0;
	int rc = sfab_throughput_add(t, job, err), io = 0;

	for (uint32_t i = 0; i < job->traffic->nparts; i++)
		io |= job->traffic->part[i].share > 0 &&
		      sfab_class_is_io(job->traffic->part[i].class);
	/* Only IO shares its ends with other jobs. */
	if (rc == 0)
		rc = fill_and_sum(t, io ? 0 : running, running, t->end_cap, &ideal, err);
	if (rc == 0)
		rc = fill_and_sum(t, 0, running, t->cap, &rate, err);
	sfab_bundles_cut(&t->flows, running);
	*slowdown = rate > 0 && ideal > rate ? ideal / rate : 1;
	return rc;
}
