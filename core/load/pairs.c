/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pairs.c - rates of pairs of hosts that send at the same time
 *
 * One flow per pair and rail.  A pair's share is the total rate of its flows
 * relative to what its end ports could do.
 */

#include "core/load/pairs.h"

#include <math.h>
#include <stdlib.h>

#include "core/fabric/route.h"
#include "core/load/maxmin.h"
#include "core/random.h"

struct flow_list {
	const struct sfab_model *m;
	struct sfab_route route;	/* of the current flow */
	uint32_t nflows, nhops, cap;
	uint32_t *first;		/* [nflows + 1] into res */
	uint32_t *pair;			/* [nflows] index of the pair */
	uint32_t *res;
	double *part;			/* by hop: part of the flow, below 1 in port
					   groups */
};

static int reserve_hops(struct flow_list *l, uint32_t more)
{
	uint32_t cap = l->cap ? l->cap : 1024;
	uint32_t *res;
	double *part;

	if (l->nhops + more <= l->cap)
		return 0;
	while (cap < l->nhops + more)
		cap *= 2;
	res = realloc(l->res, cap * sizeof(*res));
	if (res)
		l->res = res;
	part = realloc(l->part, cap * sizeof(*part));
	if (part)
		l->part = part;
	if (!res || !part)
		return -1;
	l->cap = cap;
	return 0;
}

/* -1: out of memory.  A flow that does not arrive is left out. */
static int add_pair_flow(struct flow_list *l, uint32_t pair, uint32_t src,
			 uint32_t dst)
{
	struct sfab_route *r = &l->route;

	if (sfab_route_ports(l->m->f, src, dst, r) < 0)
		return -1;
	if (r->status != SFAB_ROUTE_OK)
		return 0;
	if (reserve_hops(l, r->n) < 0)
		return -1;
	for (uint32_t i = 0; i < r->n; i++) {
		l->res[l->nhops] = r->hop[i].link;
		l->part[l->nhops++] = r->hop[i].share;
	}
	l->pair[l->nflows++] = pair;
	l->first[l->nflows] = l->nhops;
	return 0;
}

static double port_rate(const struct sfab_model *m, uint32_t link)
{
	double inv = m->inv_cap[link];

	return inv > 0.0 ? 1.0 / inv : 0.0;
}

/* What the end ports of a rail could do, bytes/s; 0 if either is missing. */
static double rail_rate(const struct sfab_model *m, uint32_t src, uint32_t dst)
{
	double a, b;

	if (src == SFAB_NONE || dst == SFAB_NONE)
		return 0.0;
	a = port_rate(m, m->f->ports[src].inject);
	b = port_rate(m, m->f->ports[dst].eject);
	return a < b ? a : b;
}

/*
 * Add the flows of all pairs; share[] is set to what their end ports could do.
 */
static int add_all_pairs(struct flow_list *l, uint32_t n, const uint32_t *from,
			 const uint32_t *to, double *share)
{
	const struct sfab_model *m = l->m;

	for (uint32_t i = 0; i < n; i++) {
		share[i] = 0.0;
		for (uint32_t k = 0; k < m->nrails; k++) {
			size_t row = (size_t) k * m->f->nhosts;
			uint32_t src = m->rail_src[row + from[i]];
			uint32_t dst = m->rail_dst[row + to[i]];
			double rate = rail_rate(m, src, dst);

			if (rate <= 0.0)
				continue;
			share[i] += rate;
			if (add_pair_flow(l, i, src, dst) < 0)
				return -1;
		}
	}
	return 0;
}

static int solve_pair_shares(struct flow_list *l, uint32_t n, double *share,
			     struct sfab_err *err)
{
	const struct sfab_model *m = l->m;
	const struct sfab_bundles flows = { .n = l->nflows, .first = l->first,
					    .res = l->res, .share = l->part };
	double *cap = calloc(m->nres + 1u, sizeof(*cap));
	double *rate = calloc(l->nflows + 1u, sizeof(*rate));
	double *got = calloc(n + 1u, sizeof(*got));
	int rc = -1;

	if (!cap || !rate || !got) {
		sfab_no_memory(err);
		goto out;
	}
	for (uint32_t r = 0; r < m->nres; r++)
		cap[r] = port_rate(m, r);
	rc = sfab_maxmin(m->nres, cap, &flows, INFINITY, rate, NULL, err);
	for (uint32_t i = 0; rc == 0 && i < l->nflows; i++)
		got[l->pair[i]] += rate[i];
	for (uint32_t i = 0; rc == 0 && i < n; i++)
		share[i] = share[i] > 0.0 ? got[i] / share[i] : 0.0;
out:
	free(cap);
	free(rate);
	free(got);
	return rc;
}

int sfab_pairs(const struct sfab_model *m, uint32_t n, const uint32_t *from,
	       const uint32_t *to, double *share, struct sfab_err *err)
{
	struct flow_list l = { .m = m };
	size_t most = (size_t) n * m->nrails;
	int rc = -1;

	for (uint32_t i = 0; i < n; i++)
		if (from[i] == to[i])
			return sfab_fail(err, SFAB_EINVAL, "pairs: a host "
					 "with itself");
	l.first = calloc(most + 1, sizeof(*l.first));
	l.pair = calloc(most + 1, sizeof(*l.pair));
	if (!l.first || !l.pair || add_all_pairs(&l, n, from, to, share) < 0)
		sfab_no_memory(err);
	else
		rc = solve_pair_shares(&l, n, share, err);
	sfab_route_clear(&l.route);
	free(l.first);
	free(l.pair);
	free(l.res);
	free(l.part);
	return rc;
}

uint32_t sfab_pairs_rotation(uint32_t n, uint32_t count, uint32_t i)
{
	return (uint32_t) ((uint64_t) i * (n / 2) / count);
}

int sfab_pairs_rotate(const struct sfab_model *m, const uint32_t *host,
		      uint32_t n, uint32_t count, double *share,
		      struct sfab_err *err)
{
	uint32_t half = n / 2;
	uint32_t *to = calloc(half + 1u, sizeof(*to));
	int rc = to ? 0 : sfab_no_memory(err);

	for (uint32_t i = 0; rc == 0 && i < count; i++) {
		uint32_t r = sfab_pairs_rotation(n, count, i);

		for (uint32_t k = 0; k < half; k++)
			to[k] = host[half + (k + r) % half];
		rc = sfab_pairs(m, half, host, to, share + (size_t) i * half,
				err);
	}
	free(to);
	return rc;
}

static void shuffle_hosts(uint32_t *host, uint32_t n, uint64_t *random)
{
	for (uint32_t i = n - 1; i > 0; i--) {
		uint32_t k = (uint32_t) (sfab_random(random) % (i + 1));
		uint32_t other = host[i];

		host[i] = host[k];
		host[k] = other;
	}
}

int sfab_pairs_bisect(const struct sfab_model *m, uint32_t *host, uint32_t n,
		      uint32_t count, uint64_t seed, double *share,
		      struct sfab_err *err)
{
	uint32_t half = n / 2;

	for (uint32_t i = 0; i < count; i++) {
		shuffle_hosts(host, n, &seed);
		if (sfab_pairs(m, half, host, host + half,
			       share + (size_t) i * half, err) != 0)
			return -1;
	}
	return 0;
}
