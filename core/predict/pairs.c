/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pairs.c - rates of pairs of hosts that send at the same time
 *
 * One flow per pair and rail.  A pair's share is the total rate of its flows relative to what
 * its end ports could do.
 */

#include "core/predict/pairs.h"

#include <math.h>
#include <stdlib.h>

#include "core/predict/maxmin.h"
#include "core/random.h"

struct pair_flows {
	const struct sfab_model *m;
	struct sfab_bundles list;
	uint32_t *pair;			/* by flow: index of its pair */
};

/*
 * Add the flows of all pairs.  Set share[] to what their end ports could do.  -1: see
 * sfab_bundles_failed().
 */
static int add_all_pairs(struct pair_flows *p, uint32_t n, const uint32_t *from,
			 const uint32_t *to, double *share)
{
	const struct sfab_model *m = p->m;

	for (uint32_t i = 0; i < n; i++) {
		share[i] = 0.0;
		for (uint32_t k = 0; k < m->nrails; k++) {
			size_t row = (size_t) k * m->f->nhosts;
			uint32_t src = m->rail_src[row + from[i]];
			uint32_t dst = m->rail_dst[row + to[i]];
			/* 0 if either port is missing */
			double rate = src == SFAB_NONE || dst == SFAB_NONE ? 0.0 :
				      1 / fmax(m->inv_cap[m->f->ports[src].inject],
					       m->inv_cap[m->f->ports[dst].eject]);

			share[i] += rate;
			/* A flow that does not arrive is left out. */
			p->pair[p->list.n] = i;
			if (rate > 0.0 &&
			    sfab_bundles_add(&p->list, m, src, dst, SFAB_NONE, 1, 1) < 0)
				return -1;
		}
	}
	return 0;
}

/* Divide the rates that the pairs get by what their end ports could do, which share[] holds. */
static int solve_pair_shares(struct pair_flows *p, uint32_t n, double *share,
			     struct sfab_err *err)
{
	const struct sfab_bundles *flows = &p->list;
	struct sfab_arena a = { 0 };
	double *rate = sfab_arena_take(&a, flows->n, sizeof(*rate));
	double *received = sfab_arena_take(&a, n, sizeof(*received));
	int rc = a.failed ? sfab_no_memory(err) : 0;

	if (rc == 0 && flows->n)
		rc = sfab_maxmin(p->m, 0, flows, INFINITY, rate, NULL, err);
	for (uint32_t i = 0; rc == 0 && i < flows->n; i++)
		received[p->pair[i]] += rate[i];
	for (uint32_t i = 0; rc == 0 && i < n; i++)
		share[i] = share[i] > 0.0 ? received[i] / share[i] : 0.0;
	sfab_arena_free(&a);
	return rc;
}

int sfab_pairs(const struct sfab_model *m, uint32_t n, const uint32_t *from,
	       const uint32_t *to, double *share, struct sfab_err *err)
{
	struct pair_flows p = { .m = m };
	int rc;

	for (uint32_t i = 0; i < n; i++)
		if (from[i] == to[i])
			return sfab_fail(err, SFAB_EINVAL, "pairs: a host with itself");
	p.pair = calloc((size_t) n * m->nrails + 1, sizeof(*p.pair));
	if (!p.pair)
		return sfab_no_memory(err);
	rc = add_all_pairs(&p, n, from, to, share) < 0 ? sfab_bundles_failed(&p.list, err) :
	     solve_pair_shares(&p, n, share, err);
	sfab_bundles_free(&p.list);
	free(p.pair);
	return rc;
}

uint32_t sfab_pairs_rotation(uint32_t n, uint32_t count, uint32_t i)
{
	return (uint32_t) ((uint64_t) i * (n / 2) / count);
}

int sfab_pairs_rotate(const struct sfab_model *m, const uint32_t *host, uint32_t n,
		      uint32_t count, double *share, struct sfab_err *err)
{
	uint32_t half = n / 2;
	uint32_t *to = calloc(half + 1u, sizeof(*to));
	int rc = to ? 0 : sfab_no_memory(err);

	for (uint32_t i = 0; rc == 0 && i < count; i++) {
		uint32_t r = sfab_pairs_rotation(n, count, i);

		for (uint32_t k = 0; k < half; k++)
			to[k] = host[half + (k + r) % half];
		rc = sfab_pairs(m, half, host, to, share + (size_t) i * half, err);
	}
	free(to);
	return rc;
}

int sfab_pairs_bisect(const struct sfab_model *m, uint32_t *host, uint32_t n,
		      uint32_t count, uint64_t seed, double *share, struct sfab_err *err)
{
	uint32_t half = n / 2;

	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t k = n - 1; k > 0; k--) {	/* Fisher-Yates shuffle */
			uint32_t drawn = (uint32_t) (sfab_random(&seed) % (k + 1));
			uint32_t other = host[k];

			host[k] = host[drawn];
			host[drawn] = other;
		}
		if (sfab_pairs(m, half, host, host + half,
			       share + (size_t) i * half, err) != 0)
			return -1;
	}
	return 0;
}
