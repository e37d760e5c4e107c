/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * throughput.c - slowdown by max-min over individual flows; see throughput.h
 *
 * Flows from hosts of one leaf to one destination share their whole path except
 * the first link, and the first link never limits a flow that asks for its part
 * of it.  These flows get the same fraction of what they ask for, so one bundle
 * represents them: n hosts on k leaves need n x k bundles instead of n x n.
 */

#include "core/predict/throughput.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/predict/bundles.h"
#include "core/predict/flows.h"
#include "core/predict/maxmin.h"
#include "core/resize.h"

struct member {
	uint32_t job;
	int io;			/* some of its flows are IO */
	uint32_t first, n;	/* its bundles */
	double ideal;		/* its rate alone, only ends limit; bytes/s */
	double rate;		/* its rate in the last solution with it */
};

struct sfab_throughput {
	const struct sfab_model *m;
	double *cap;		/* bytes/s by resource */
	double *end_cap;	/* the same of ends; no limit between switches */
	uint32_t n;
	struct member *member;
	struct sfab_bundle_list flows;	/* member by member; the amount is what they
					   ask for, bytes/s */
	double *rate;		/* [nrates] by bundle, of a solution; bytes/s */
	uint32_t nrates;
	double *cpus;		/* by host: CPUs held / CPUs, of the current job */
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
	free(t->member);
	free(t->rate);
	sfab_arena_free(&t->arena);
	free(t);
}

struct flow_walk {
	struct sfab_throughput *t;
	const struct sfab_traffic_part *part;
};

static int add_member_fan(void *ctx, const struct sfab_senders *from, uint32_t except,
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

static int walk_job(struct sfab_throughput *t, struct member *m,
		    const struct sfab_job *spec, struct sfab_err *err)
{
	const struct sfab_traffic *traffic = spec->traffic;
	struct flow_walk w = { .t = t };
	int rc = 0;

	for (uint32_t i = 0; i < spec->n; i++)
		t->cpus[spec->host[i]] = spec->cpus ? spec->cpus[i] : 1;
	m->first = t->flows.n;
	for (uint32_t i = 0; i < traffic->nparts && rc == 0; i++) {
		w.part = &traffic->part[i];
		if (!(w.part->share > 0))
			continue;
		m->io |= sfab_class_is_io(w.part->class);
		rc = sfab_fans(t->m, spec, w.part, add_member_fan, &w, err);
	}
	m->n = t->flows.n - m->first;
	if (rc < 0 && t->flows.nhops >= SFAB_BUNDLE_HOPS_MAX)
		sfab_bundles_failed(&t->flows, err);
	return rc;
}

static struct member *find_member(const struct sfab_throughput *t, uint32_t job)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (t->member[i].job == job)
			return &t->member[i];
	return NULL;
}

/* Fill @n bundles from @first on; t->rate[0] is that of the first. */
static int solve_bundles(struct sfab_throughput *t, uint32_t first, uint32_t n,
			 const double *cap, struct sfab_err *err)
{
	struct sfab_bundles b;

	if (!n)
		return 0;
	if (t->nrates < n) {
		free(t->rate);
		t->rate = malloc(n * sizeof(*t->rate));
		t->nrates = t->rate ? n : 0;
		if (!t->rate)
			return sfab_no_memory(err);
	}
	b = sfab_bundles_from(&t->flows, first, n);
	/* Nobody gets more than it asks for. */
	return sfab_maxmin(t->m->nres, cap, &b, 1, t->rate, NULL, err);
}

/* From its first rate on; without flows there are no rates. */
static void sum_rates(struct member *m, const double *rate, uint32_t first)
{
	m->rate = 0;
	for (uint32_t i = 0; i < m->n; i++)
		m->rate += rate[first + i];
}

/* Set the rate of @m by itself. */
static int rate_alone(struct sfab_throughput *t, struct member *m, const double *cap,
		      struct sfab_err *err)
{
	if (solve_bundles(t, m->first, m->n, cap, err) < 0)
		return -1;
	sum_rates(m, t->rate, 0);
	return 0;
}

/* Set the rates of all members. */
static int rate_all(struct sfab_throughput *t, const double *cap, struct sfab_err *err)
{
	if (solve_bundles(t, 0, t->flows.n, cap, err) < 0)
		return -1;
	for (uint32_t i = 0; i < t->n; i++)
		sum_rates(&t->member[i], t->rate, t->member[i].first);
	return 0;
}

/* The bundles of @m, which may be incomplete, are removed; others move up. */
static void drop_flows(struct sfab_throughput *t, const struct member *m)
{
	sfab_bundles_drop(&t->flows, m->first, m->n);
	for (uint32_t i = 0; i < t->n; i++)
		if (t->member[i].first > m->first)
			t->member[i].first -= m->n;
}

int sfab_throughput_add(struct sfab_throughput *t, uint32_t job,
			const struct sfab_job *spec, struct sfab_err *err)
{
	struct member *m;

	if (find_member(t, job))
		return sfab_fail(err, SFAB_EINVAL, "job %u is already running", job);
	if (sfab_one_more(&t->member, t->n, sizeof(*m)) < 0)
		return sfab_no_memory(err);
	m = &t->member[t->n];
	memset(m, 0, sizeof(*m));
	m->job = job;
	if (walk_job(t, m, spec, err) < 0 || rate_alone(t, m, t->end_cap, err) < 0) {
		drop_flows(t, m);
		return -1;
	}
	m->ideal = m->rate;
	t->n++;
	return 0;
}

void sfab_throughput_remove(struct sfab_throughput *t, uint32_t job)
{
	struct member *m = find_member(t, job);

	if (!m)
		return;
	drop_flows(t, m);
	*m = t->member[--t->n];
	free(t->rate);
	t->rate = NULL;
	t->nrates = 0;
}

static double slowdown_of_rates(double ideal, double rate)
{
	return rate > 0 && ideal > rate ? ideal / rate : 1;
}

int sfab_throughput_rate(struct sfab_throughput *t, uint32_t job, double *rate,
			 struct sfab_err *err)
{
	struct member *m = find_member(t, job);

	if (!m)
		return sfab_fail(err, SFAB_EINVAL, "job %u does not run", job);
	if (rate_all(t, t->cap, err) < 0)
		return -1;
	*rate = m->rate;
	return 0;
}

int sfab_throughput_solve(struct sfab_throughput *t, uint32_t job,
			  struct sfab_rates *out, struct sfab_err *err)
{
	struct member *m = find_member(t, job);
	double ideal;

	if (!m)
		return sfab_fail(err, SFAB_EINVAL, "job %u does not run", job);
	if (rate_alone(t, m, t->cap, err) < 0)
		return -1;
	out->alone = slowdown_of_rates(m->ideal, m->rate);
	ideal = m->ideal;
	/* Only IO shares its ends with other jobs. */
	if (m->io && t->n > 1) {
		if (rate_all(t, t->end_cap, err) < 0)
			return -1;
		ideal = m->rate;
	}
	if (t->n > 1 && rate_all(t, t->cap, err) < 0)
		return -1;
	out->rate = m->rate;
	out->among = slowdown_of_rates(ideal, m->rate);
	return 0;
}
