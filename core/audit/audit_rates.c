/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_rates.c - what blocks of neighbors get from an IO set; see audit_private.h
 *
 * The load of a block gives the common rate at which its flows can run (lockstep).  The same
 * load, summed over all cables into and out of each leaf, gives what would be possible if the
 * tables used these cables evenly.
 */

#include "core/audit/audit_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/load/demand.h"
#include "core/predict/predict.h"

#define FLOWS_MAX 200000u	/* limit for max-min, which then takes about a second */

double sfab_io_rate_loss(const struct sfab_io_rate *r)
{
	double got = r->maxmin > 0 ? r->maxmin : r->lockstep;

	if (r->possible <= 0 || got >= r->possible)
		return 0;
	return 1 - got / r->possible;
}

uint32_t *sfab_audit_list_compute_hosts(const struct sfab_model *m, uint32_t *n)
{
	uint32_t *host = calloc(m->f->nhosts + 1u, sizeof(*host));

	*n = 0;
	for (uint32_t i = 0; host && i < m->leaf_first[m->f->nleaves]; i++) {
		if (sfab_model_computes(m, m->leaf_host[i]))
			host[(*n)++] = m->leaf_host[i];
	}
	return host;
}

/* Everything that is the same for all blocks, and scratch. */
struct rating {
	const struct sfab_model *m;
	struct sfab_traffic traffic;
	struct sfab_load load;
	/* sums over the cables out of a leaf, [2 * leaf], and into it, [2 * leaf + 1] */
	double *capacity;		/* capacity of those that are up */
	double *carried;		/* load; zero between two blocks */
	struct sfab_arena arena;	/* these two */
};

static void rating_free(struct rating *r)
{
	sfab_load_free(&r->load);
	sfab_arena_free(&r->arena);
}

/* Add to the sums of the leaves at the ends of a link between switches. */
static void add_to_leaves(const struct sfab_fabric *f, const struct sfab_link *l, double x,
			  double *sum)
{
	uint32_t from, to;

	if (l->kind != SFAB_LINK_ISL)
		return;
	from = f->switches[l->from].leaf;
	to = f->switches[l->to].leaf;
	if (from != SFAB_NONE)
		sum[2 * from] += x;
	if (to != SFAB_NONE)
		sum[2 * to + 1] += x;
}

/* Set up @r.  Every client asks for its whole port, as only ratios between the loads matter. */
static int rating_init(struct rating *r, const struct sfab_model *m,
		       uint32_t set, enum sfab_class class,
		       struct sfab_err *err)
{
	size_t n = 2 * (size_t) m->f->nleaves;

	memset(r, 0, sizeof(*r));
	r->m = m;
	r->traffic.nparts = 1;
	r->traffic.part[0].class = class;
	r->traffic.part[0].share = 1;
	snprintf(r->traffic.part[0].set, sizeof(r->traffic.part[0].set), "%s",
		 m->io->set[set].name);
	r->capacity = sfab_arena_take(&r->arena, n, sizeof(*r->capacity));
	r->carried = sfab_arena_take(&r->arena, n, sizeof(*r->carried));
	if (r->arena.failed || sfab_load_init(&r->load, m->nres) < 0) {
		rating_free(r);
		return sfab_no_memory(err);
	}
	for (uint32_t i = 0; i < m->f->nlinks; i++)
		if (m->f->links[i].up)
			add_to_leaves(m->f, &m->f->links[i], m->f->links[i].capacity, r->capacity);
	return 0;
}

/* Set the rates by the load of a block: over its links, and over ideally used cables. */
static void rate_load(struct rating *r, struct sfab_io_rate *out)
{
	const struct sfab_model *m = r->m;
	double total = 0, ends = 1, isl = 0, leaf;

	out->worst_link = SFAB_NONE;
	for (uint32_t i = 0; i < r->load.ntouched; i++) {
		uint32_t e = r->load.touched[i];
		double x = r->load.v[e] * m->inv_cap[e];

		/* Each byte passes exactly one IO port, so these loads sum to the total. */
		if (e >= m->f->nlinks)
			total += r->load.v[e];
		else
			add_to_leaves(m->f, &m->f->links[e], r->load.v[e], r->carried);
		if (!m->isl[e])
			ends = fmax(ends, x);
		if (m->isl[e] && x > isl) {
			isl = x;
			out->worst_link = e;
		}
	}
	/* Find the fullest leaf, all its cables as one, and reset the sums to zero. */
	leaf = 0;
	for (uint32_t i = 0; i < 2 * m->f->nleaves; i++) {
		if (r->carried[i] > leaf * r->capacity[i])
			leaf = r->carried[i] / r->capacity[i];
		r->carried[i] = 0;
	}
	out->possible = total / fmax(leaf, ends);
	out->lockstep = total / fmax(isl, ends);
	if (isl <= ends)
		out->worst_link = SFAB_NONE;
}

/* Rate the block of the hosts in @host, which ascends: the first and the last name the block. */
static int rate_hosts(struct rating *r, const uint32_t *host, uint32_t n,
		      struct sfab_io_rate *out, struct sfab_err *err)
{
	struct sfab_job job = { .n = n, .host = host, .traffic = &r->traffic };

	sfab_load_clear(&r->load);
	if (sfab_demand(r->m, &job, &r->load, err) < 0)
		return -1;
	out->n = n;
	out->host = host[0];
	out->last = host[n - 1];
	rate_load(r, out);
	return 0;
}

/*
 * Find the block with the lowest lockstep / possible, from host[*@first] on.  out->n 0: there
 * is no block.  A block starts where a leaf starts, and has the hosts of the leaf, or @block
 * hosts.  It is left out where there are fewer.
 */
static int find_worst_block(struct rating *r, const uint32_t *host, uint32_t n,
			    uint32_t block, uint32_t *first, struct sfab_io_rate *out,
			    struct sfab_err *err)
{
	double worst = 2;	/* above any ratio */

	*first = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t leaf = sfab_host_leaf(r->m->f, host[i]), k = block ? block : 1;
		struct sfab_io_rate rate = { 0 };

		if (i && leaf == sfab_host_leaf(r->m->f, host[i - 1]))
			continue;
		while (!block && i + k < n && sfab_host_leaf(r->m->f, host[i + k]) == leaf)
			k++;
		if (n - i < k)
			continue;
		if (rate_hosts(r, &host[i], k, &rate, err) < 0)
			return -1;
		if (rate.possible <= 0 || rate.lockstep / rate.possible >= worst)
			continue;
		worst = rate.lockstep / rate.possible;
		*first = i;
		*out = rate;
	}
	return 0;
}

int sfab_audit_rates(const struct sfab_model *m, uint32_t block, uint32_t set,
		     enum sfab_class class, struct sfab_io_rates *out,
		     struct sfab_err *err)
{
	struct sfab_prediction p = { 0 };
	struct rating r;
	uint32_t n, first;
	uint32_t *host = sfab_audit_list_compute_hosts(m, &n);
	int rc;

	memset(out, 0, sizeof(*out));
	if (!host)
		return sfab_no_memory(err);
	if (rating_init(&r, m, set, class, err) < 0) {
		free(host);
		return -1;
	}
	rc = find_worst_block(&r, host, n, block, &first, &out->block, err);
	/* 0 if there are too many flows for max-min. */
	if (rc == 0 && out->block.n &&
	    (uint64_t) out->block.n * m->io->set[set].nmembers <= FLOWS_MAX) {
		struct sfab_job job = { out->block.n, &host[first], NULL, &r.traffic };

		rc = sfab_predict(m, &job, 0, &p, NULL, err);
		out->block.maxmin = p.maxmin;
	}
	/* All hosts: no max-min, they have too many flows.  Lockstep is the rate then. */
	if (rc == 0 && n)
		rc = rate_hosts(&r, host, n, &out->all, err);
	out->block.set = out->all.set = set;
	out->block.class = out->all.class = class;
	rating_free(&r);
	free(host);
	return rc;
}
