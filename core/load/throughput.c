/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * throughput.c - slowdown by max-min over individual flows; see throughput.h
 *
 * Flows from hosts of one leaf to one destination share their whole path except
 * the first link, and the first link never limits a flow that asks for its part
 * of it.  These flows get the same rate, so one entry with a count represents
 * them: n hosts on k leaves need n x k entries instead of n x n.
 */

#include "core/load/throughput.h"

#include <stdlib.h>
#include <string.h>

#include "core/fabric/route.h"
#include "core/load/predict.h"

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(elt) ((elt)->lost = 1)
#include <uthash.h>

struct flow_set { /* of one job, or of all jobs */
	uint32_t n, cap;
	uint32_t *first;	/* [cap + 1] */
	double *asks;		/* bytes/s that each flow asks for */
	double *count;		/* number of equivalent flows in the entry */
	uint32_t nres, capres;
	uint32_t *res;
	double *share;
};

struct alike {			/* hash entry: index of equivalent flows */
	struct {
		uint32_t from;	/* leaf; for reads the end port of the IO host */
		uint32_t to;	/* end port */
	} key;
	uint32_t flow;
	int lost;
	UT_hash_handle hh;
};

struct member {
	uint32_t job;
	int io;			/* some of its flows are IO */
	struct flow_set flows;
	double ideal;		/* its rate alone, only ends limit; bytes/s */
	double rate;		/* its rate in the last solution with it */
};

struct sfab_throughput {
	const struct sfab_model *m;
	double *cap;		/* bytes/s by resource */
	uint32_t n, room;
	struct member *member;
	struct flow_set all;	/* scratch */
	double *part;		/* by entry of all: rate / what it asks for */
	double *one;		/* all 1: a flow gets at most what it asks for */
	double *cpus;		/* by host: CPUs held / CPUs, of the current job */
	uint32_t nparts;
	struct sfab_route route;
};

static void flows_free(struct flow_set *f)
{
	free(f->first);
	free(f->asks);
	free(f->count);
	free(f->res);
	free(f->share);
	memset(f, 0, sizeof(*f));
}

struct sfab_throughput *sfab_throughput_create(const struct sfab_model *m)
{
	struct sfab_throughput *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->m = m;
	t->cap = calloc(m->nres + 1u, sizeof(*t->cap));
	t->cpus = calloc(m->f->nhosts + 1u, sizeof(*t->cpus));
	if (!t->cap || !t->cpus) {
		sfab_throughput_destroy(t);
		return NULL;
	}
	for (uint32_t e = 0; e < m->nres; e++)
		t->cap[e] = m->inv_cap[e] > 0 ? 1 / m->inv_cap[e] : 0;
	return t;
}

void sfab_throughput_destroy(struct sfab_throughput *t)
{
	if (!t)
		return;
	for (uint32_t i = 0; i < t->n; i++)
		flows_free(&t->member[i].flows);
	flows_free(&t->all);
	sfab_route_clear(&t->route);
	free(t->member);
	free(t->part);
	free(t->one);
	free(t->cpus);
	free(t->cap);
	free(t);
}

static int room_for_flow(struct flow_set *f)
{
	uint32_t cap = f->cap ? 2 * f->cap : 256;
	uint32_t *first;
	double *more;

	if (f->n < f->cap)
		return 0;
	first = realloc(f->first, (cap + 1u) * sizeof(*first));
	if (!first)
		return -1;
	first[0] = 0;
	f->first = first;
	more = realloc(f->asks, cap * sizeof(*more));
	if (!more)
		return -1;
	f->asks = more;
	more = realloc(f->count, cap * sizeof(*more));
	if (!more)
		return -1;
	f->count = more;
	f->cap = cap;
	return 0;
}

static int add_flow_resource(struct flow_set *f, uint32_t e, double share)
{
	if (f->nres == f->capres) {
		uint32_t cap = f->capres ? 2 * f->capres : 1024;
		uint32_t *res = realloc(f->res, cap * sizeof(*res));
		double *shares;

		if (!res)
			return -1;
		f->res = res;
		shares = realloc(f->share, cap * sizeof(*shares));
		if (!shares)
			return -1;
		f->share = shares;
		f->capres = cap;
	}
	f->res[f->nres] = e;
	f->share[f->nres++] = share;
	return 0;
}

static int end_flow(struct flow_set *f, double asks, double count)
{
	if (room_for_flow(f) < 0)
		return -1;
	f->asks[f->n] = asks;
	f->count[f->n] = count;
	f->first[++f->n] = f->nres;
	return 0;
}

struct flow_walk {
	struct sfab_throughput *t;
	struct flow_set *f;
	const struct sfab_traffic_part *part;
	struct alike *alike;	/* hash by key */
	const double *cpus;	/* by host: CPUs held / CPUs of the node */
};

static void forget_alike(struct flow_walk *w)
{
	struct alike *a, *next;

	HASH_ITER(hh, w->alike, a, next) {
		HASH_DEL(w->alike, a);
		free(a);
	}
}

static int remember_flow(struct flow_walk *w, uint32_t from, uint32_t to)
{
	struct alike *a = calloc(1, sizeof(*a));

	if (!a)
		return -1;
	a->key.from = from;
	a->key.to = to;
	a->flow = w->f->n - 1;
	HASH_ADD(hh, w->alike, key, sizeof(a->key), a);
	if (!a->lost)
		return 0;
	free(a);
	return -1;
}

/* 1: @from and @to have an entry already; its count is raised. */
static int join_alike_flow(struct flow_walk *w, uint32_t from, uint32_t to,
			   double asks)
{
	struct alike *a, key = { .key = { from, to } };

	HASH_FIND(hh, w->alike, &key.key, sizeof(key.key), a);
	if (!a || w->f->asks[a->flow] != asks)
		return 0;
	w->f->count[a->flow]++;
	return 1;
}

static int add_flow_route(struct flow_walk *w, uint32_t skip, uint32_t io_res)
{
	const struct sfab_route *r = &w->t->route;

	for (uint32_t i = skip; i < r->n; i++)
		if (add_flow_resource(w->f, r->hop[i].link, r->hop[i].share) <
		    0)
			return -1;
	return io_res != SFAB_NONE ? add_flow_resource(w->f, io_res, 1) : 0;
}

static int add_member_flow(void *ctx, uint32_t src, uint32_t dst,
			   uint32_t io_res, double weight)
{
	struct flow_walk *w = ctx;
	const struct sfab_fabric *f = w->t->m->f;
	int read = w->part->class == SFAB_IO_READ;
	uint32_t from = read ? src : f->ports[src].leaf;
	const struct sfab_port *client = &f->ports[read ? dst : src];
	double asks = w->part->share * weight * client->rate * w->cpus[client->host];

	if (join_alike_flow(w, from, dst, asks))
		return 0;
	if (sfab_route_ports(f, src, dst, &w->t->route) < 0)
		return -1;
	if (w->t->route.status != SFAB_ROUTE_OK)
		return 0;
	if (add_flow_route(w, read ? 0 : 1, io_res) < 0 ||
	    end_flow(w->f, asks, 1) < 0)
		return -1;
	return remember_flow(w, from, dst);
}

static int walk_job(struct sfab_throughput *t, struct member *m,
		    const struct sfab_spec *spec, struct sfab_err *err)
{
	const struct sfab_traffic *traffic = spec->traffic;
	struct flow_walk w = {.t = t, .f = &m->flows, .cpus = t->cpus};
	int rc = 0;

	for (uint32_t i = 0; i < spec->n; i++)
		t->cpus[spec->host[i]] = spec->cpus ? spec->cpus[i] : 1;

	for (uint32_t i = 0; i < traffic->nparts && rc == 0; i++) {
		w.part = &traffic->part[i];
		if (!(w.part->share > 0))
			continue;
		m->io |= sfab_class_is_io(w.part->class);
		rc = sfab_flows(t->m, spec, w.part, add_member_flow, &w, err);
		forget_alike(&w);
	}
	return rc;
}

static struct member *find_member(const struct sfab_throughput *t, uint32_t job)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (t->member[i].job == job)
			return &t->member[i];
	return NULL;
}

int sfab_throughput_has(const struct sfab_throughput *t, uint32_t job)
{
	return find_member(t, job) != NULL;
}

/*
 * Append to t->all; @ends: only end ports and IO limits.  The shares are
 * multiplied by what a flow asks for, so that the level of progressive filling
 * is the fraction that it gets (throughput.h).
 */
static int append_flows(struct sfab_throughput *t, const struct flow_set *from,
			int ends)
{
	for (uint32_t i = 0; i < from->n; i++) {
		for (uint32_t k = from->first[i]; k < from->first[i + 1]; k++)
			if ((!ends || t->m->end[from->res[k]]) &&
			    add_flow_resource(&t->all, from->res[k],
					      from->share[k] * from->asks[i] *
						  from->count[i]) < 0)
				return -1;
		if (end_flow(&t->all, from->asks[i], from->count[i]) < 0)
			return -1;
	}
	return 0;
}

static int room_for_parts(struct sfab_throughput *t)
{
	double *more;

	if (t->all.n <= t->nparts)
		return 0;
	more = realloc(t->part, t->all.n * sizeof(*more));
	if (!more)
		return -1;
	t->part = more;
	more = realloc(t->one, t->all.n * sizeof(*more));
	if (!more)
		return -1;
	t->one = more;
	for (uint32_t i = 0; i < t->all.n; i++)
		t->one[i] = 1;
	t->nparts = t->all.n;
	return 0;
}

/* Solve t->all, and set t->part. */
static int solve_all(struct sfab_throughput *t, struct sfab_err *err)
{
	if (room_for_parts(t) < 0)
		return sfab_no_memory(err);
	if (!t->all.n)
		return 0;
	return sfab_maxmin(t->m->nres, t->cap, t->all.n, t->all.first, t->all.res,
			   t->all.share, t->one, t->part, err);
}

/* The flows of @m begin at @first in t->all; returns where the next begin. */
static uint32_t sum_rates(const struct sfab_throughput *t, struct member *m,
			  uint32_t first)
{
	m->rate = 0;
	for (uint32_t i = 0; i < m->flows.n; i++)
		m->rate += t->part[first + i] * m->flows.asks[i] *
			   m->flows.count[i];
	return first + m->flows.n;
}

/* Set the rate of @m by itself. */
static int rate_alone(struct sfab_throughput *t, struct member *m, int ends,
		      struct sfab_err *err)
{
	t->all.n = t->all.nres = 0;
	if (append_flows(t, &m->flows, ends) < 0)
		return sfab_no_memory(err);
	if (solve_all(t, err) < 0)
		return -1;
	sum_rates(t, m, 0);
	return 0;
}

/* Set the rates of all members. */
static int rate_all(struct sfab_throughput *t, int ends, struct sfab_err *err)
{
	uint32_t at = 0;
	int rc = 0;

	t->all.n = t->all.nres = 0;
	for (uint32_t i = 0; i < t->n && rc == 0; i++)
		rc = append_flows(t, &t->member[i].flows, ends);
	if (rc < 0)
		return sfab_no_memory(err);
	if (solve_all(t, err) < 0)
		return -1;
	for (uint32_t i = 0; i < t->n; i++)
		at = sum_rates(t, &t->member[i], at);
	return 0;
}

static int solve_ideal(struct sfab_throughput *t, struct member *m,
		       struct sfab_err *err)
{
	if (rate_alone(t, m, 1, err) < 0)
		return -1;
	m->ideal = m->rate;
	return 0;
}

int sfab_throughput_add(struct sfab_throughput *t, uint32_t job,
			const struct sfab_spec *spec, struct sfab_err *err)
{
	struct member *m;

	if (find_member(t, job))
		return sfab_fail(err, SFAB_EINVAL, "job %u is already running", job);
	if (t->n == t->room) {
		uint32_t room = t->room ? 2 * t->room : 64;

		m = realloc(t->member, room * sizeof(*m));
		if (!m)
			return sfab_no_memory(err);
		t->member = m;
		t->room = room;
	}
	m = &t->member[t->n];
	memset(m, 0, sizeof(*m));
	m->job = job;
	if (walk_job(t, m, spec, err) < 0 || solve_ideal(t, m, err) < 0) {
		flows_free(&m->flows);
		return -1;
	}
	t->n++;
	return 0;
}

void sfab_throughput_remove(struct sfab_throughput *t, uint32_t job)
{
	struct member *m = find_member(t, job);

	if (!m)
		return;
	flows_free(&m->flows);
	*m = t->member[--t->n];
}

static double slowdown_of_rates(double ideal, double rate)
{
	return rate > 0 && ideal > rate ? ideal / rate : 1;
}

static double mean_share(const struct sfab_throughput *t)
{
	double sum = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		const struct member *m = &t->member[i];

		if (!(m->ideal > 0))
			continue;
		sum += m->rate < m->ideal ? m->rate / m->ideal : 1;
		n++;
	}
	return n ? sum / n : 1;
}

int sfab_throughput_solve(struct sfab_throughput *t, uint32_t job,
			  struct sfab_rates *out, struct sfab_err *err)
{
	struct member *m = find_member(t, job);
	double ideal;

	if (!m)
		return sfab_fail(err, SFAB_EINVAL, "job %u does not run", job);
	if (rate_alone(t, m, 0, err) < 0)
		return -1;
	out->alone = slowdown_of_rates(m->ideal, m->rate);
	ideal = m->ideal;
	/* Only IO shares its ends with other jobs. */
	if (m->io) {
		if (rate_all(t, 1, err) < 0)
			return -1;
		ideal = m->rate;
	}
	if (rate_all(t, 0, err) < 0)
		return -1;
	out->rate = m->rate;
	out->among = slowdown_of_rates(ideal, m->rate);
	out->all = mean_share(t);
	return 0;
}
