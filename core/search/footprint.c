/* SPDX-License-Identifier: GPL-2.0-or-later */
/* footprint.c - compute IO footprints and keep them; see footprint.h */

#include "core/search/footprint_private.h"
#include "core/load/demand.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BUCKETS 23		/* one per power of two, plus negative and small entries */
#define COMMON_MEAN 0.85	/* a link is common if the mean over hosts is at least this part of
				   the highest; the worst link is the same from 0.5 to 0.95 (make
				   bench-io) */
#define LOAD_ROUNDING 1e-6f	/* relative difference of loads; a smaller one is rounding */

/*
 * Find hosts that write alike, which are on the same leaf.  A host is never its own server, so
 * one that serves differs from all others.
 */
static void find_alike_hosts(struct sfab_footprints *fps)
{
	const struct sfab_model *m = fps->m;

	for (uint32_t h = 0; h < m->f->nhosts; h++)
		fps->first_alike[h] = h;
	for (uint32_t l = 0; l < m->f->nleaves; l++)
		for (uint32_t i = m->leaf_first[l]; i < m->leaf_first[l + 1]; i++) {
			uint32_t h = m->leaf_host[i], k = m->leaf_first[l];

			while (k < i &&
			       (fps->first_alike[m->leaf_host[k]] != m->leaf_host[k] ||
				m->io_host[h] || m->io_host[m->leaf_host[k]] ||
				!sfab_model_sends_alike(m, h, m->leaf_host[k])))
				k++;
			fps->first_alike[h] = m->leaf_host[k];
		}
	for (uint32_t h = 0; h < m->f->nhosts; h++)
		fps->nalike += fps->first_alike[h] == h;
}

uint32_t sfab_footprints_first_alike(const struct sfab_footprints *fps, uint32_t set,
				     uint32_t host)
{
	return fps->m->io->set[set].map == SFAB_IOMAP_GROUP ? host
							    : fps->first_alike[host];
}

/* -- which kinds are kept ------------------------------------------------- */

/*
 * Return the entry limit of one kind, such that all kinds of one search fit.  It is fixed: the
 * entries that a vector drops must not depend on other kinds that are kept.
 */
static uint32_t share_of_kind(const struct sfab_footprints *fps)
{
	uint32_t kinds = fps->nkinds < SFAB_TRAFFIC_PARTS ? fps->nkinds
							  : SFAB_TRAFFIC_PARTS;

	return fps->max / kinds;
}

void sfab_footprints_begin(struct sfab_footprints *fps, const volatile int *stop)
{
	fps->search++;
	fps->nused = 0;
	fps->stop = stop;
}

/* Free all vectors of @kd, as if it had never been used. */
static void forget_kind(struct sfab_footprints *fps, struct footprint_kind *kd)
{
	const struct footprint_kind empty = { .class = kd->class, .set = kd->set,
					      .last_search = kd->last_search };

	fps->nbegun -= kd->own != NULL;
	fps->kept -= kd->kept;
	sfab_arena_free(&kd->arena);
	*kd = empty;
}

/*
 * Give @kd, which the current search needs, a table of vectors.  Evict other kinds that this
 * search does not need, least recently used first.  -1: out of memory.
 */
static int use_kind(struct sfab_footprints *fps, struct footprint_kind *kd)
{
	if (!kd->own) {
		kd->own = sfab_arena_take(&kd->arena, fps->m->f->nhosts, sizeof(*kd->own));
		if (!kd->own)
			return -1;
		fps->nbegun++;
	}
	if (kd->last_search == fps->search)
		return 0;
	kd->last_search = fps->search;
	fps->nused++;
	for (;;) {
		/* Kinds in use count with their full share, because they may still grow. */
		uint64_t max = (uint64_t) fps->nused * share_of_kind(fps);
		struct footprint_kind *oldest = NULL;

		for (uint32_t k = 0; k < fps->nkinds; k++) {
			struct footprint_kind *x = &fps->kind[k];

			if (x->last_search >= fps->search)
				continue;
			max += x->kept;
			if (x->own && (!oldest || x->last_search < oldest->last_search))
				oldest = x;
		}
		if (!oldest || (max <= fps->max && fps->nbegun <= SFAB_FOOTPRINT_KINDS))
			return 0;
		forget_kind(fps, oldest);
	}
}

/* -- one vector ---------------------------------------------------------- */

/* Do hosts have much in common in @kd?  Only writes to a set without groups have. */
static int is_even(const struct sfab_footprints *fps, const struct footprint_kind *kd)
{
	return kd->class == SFAB_IO_WRITE &&
	       fps->m->io->set[kd->set].map != SFAB_IOMAP_GROUP;
}

/* Set fps->host_load to the full load of @host. */
static int load_of(struct sfab_footprints *fps, const struct footprint_kind *kd,
		   uint32_t host, struct sfab_err *err)
{
	struct sfab_traffic_part part = { .class = kd->class };
	struct sfab_job job = { .n = 1, .host = &host };

	snprintf(part.set, sizeof(part.set), "%s", fps->m->io->set[kd->set].name);
	if (fps->stop && __atomic_load_n(fps->stop, __ATOMIC_RELAXED))
		return sfab_fail(err, SFAB_ESTALE, "search stopped");
	sfab_load_clear(&fps->host_load);
	return sfab_demand_part(fps->m, &job, &part, &fps->host_load, err);
}

static float load_on(const struct sfab_footprints *fps, uint32_t link)
{
	return (float) (fps->host_load.v[link] * fps->m->inv_cap[link]);
}

static void add_entry(struct sfab_footprints *fps, uint32_t link, float v)
{
	fps->scratch[fps->nscratch].res = link;
	fps->scratch[fps->nscratch++].v = v;
}

/* Collect the entries of fps->host_load that differ from the common part.  Set *@peak. */
static void collect_entries(struct sfab_footprints *fps, const struct footprint_kind *kd,
			    float *peak)
{
	*peak = 0;
	fps->nscratch = 0;
	for (uint32_t i = 0; i < fps->host_load.ntouched; i++) {
		uint32_t e = fps->host_load.touched[i];

		if (!fps->m->isl[e] || !(load_on(fps, e) > 0))
			continue;
		*peak = fmaxf(*peak, load_on(fps, e));
		if (!kd->max || !(kd->max[e] > 0))
			add_entry(fps, e, load_on(fps, e));
	}
	for (uint32_t k = 0; k < kd->common.n; k++) {
		const struct sfab_ioentry *c = &kd->common.entry[k];

		if (load_on(fps, c->res) < c->v * (1 - LOAD_ROUNDING))
			add_entry(fps, c->res, load_on(fps, c->res) - c->v);
	}
}

/*
 * Return the place in the order of entries: negative ones, then by power of two.  ilogbf() of 0
 * and of NaN returns the ends of int, hence the 64-bit arithmetic.
 */
static uint32_t bucket_of(const struct sfab_ioentry *e, float largest)
{
	int64_t k = (int64_t) 1 + ilogbf(largest) - ilogbf(e->v);

	if (e->v < 0)
		return 0;
	return k < 1 ? 1 : k < BUCKETS - 1 ? (uint32_t) k : BUCKETS - 1;
}

/* Store the largest @max entries of fps->scratch in @x, by counting sort over the buckets. */
static int store_largest(struct sfab_footprints *fps, struct footprint_kind *kd,
			 uint32_t max, struct sfab_footprint *x)
{
	uint32_t first[BUCKETS + 1] = { 0 };
	struct sfab_ioentry *entry;
	float largest = 0;

	x->n = fps->nscratch < max ? fps->nscratch : max;
	x->left_out = fps->nscratch - x->n;
	entry = sfab_arena_take(&kd->arena, x->n, sizeof(*entry));
	if (!entry)
		return -1;
	for (uint32_t i = 0; i < fps->nscratch; i++)
		largest = fmaxf(largest, fps->scratch[i].v);
	for (uint32_t i = 0; i < fps->nscratch; i++)
		first[bucket_of(&fps->scratch[i], largest) + 1]++;
	for (uint32_t k = 0; k < BUCKETS; k++)
		first[k + 1] += first[k];
	x->nless = first[1] < x->n ? first[1] : x->n;
	kd->kept += x->n;
	fps->kept += x->n;
	for (uint32_t i = 0; i < fps->nscratch; i++) {
		uint32_t place = first[bucket_of(&fps->scratch[i], largest)]++;

		if (place < x->n)
			entry[place] = fps->scratch[i];
	}
	x->entry = entry;
	return 0;
}

/* -- the common part ---------------------------------------------------- */

/*
 * Sum the loads of all hosts by link in @sum, and set kd->max to the highest of them.  Add the
 * number of hosts to *@all.
 */
static int sum_host_loads(struct sfab_footprints *fps, struct footprint_kind *kd, double *sum,
			  uint32_t *all, struct sfab_err *err)
{
	const struct sfab_model *m = fps->m;
	uint32_t *alike = calloc(m->f->nhosts + 1u, sizeof(*alike));
	int rc = alike ? 0 : sfab_no_memory(err);

	for (uint32_t h = 0; rc == 0 && h < m->f->nhosts; h++)
		alike[fps->first_alike[h]] += !m->io_host[h];
	for (uint32_t h = 0; rc == 0 && h < m->f->nhosts; h++) {
		if (!alike[h] || sfab_host_leaf(m->f, h) == SFAB_NONE)
			continue;
		rc = load_of(fps, kd, h, err);
		for (uint32_t i = 0; rc == 0 && i < fps->host_load.ntouched; i++) {
			uint32_t e = fps->host_load.touched[i];
			float v = load_on(fps, e);

			if (!m->isl[e] || !(v > 0))
				continue;
			sum[e] += (double) ((float) alike[h] * v);
			kd->max[e] = fmaxf(kd->max[e], v);
		}
		*all += alike[h];
	}
	free(alike);
	return rc;
}

int sfab_footprints_open_kind(struct sfab_footprints *fps, enum sfab_class class,
			      uint32_t set, struct footprint_kind **out, struct sfab_err *err)
{
	struct footprint_kind *kd = &fps->kind[2 * set + (class == SFAB_IO_READ)];
	uint32_t nlinks = fps->m->f->nlinks, room, all = 0;
	double *sum;
	int rc;

	*out = kd;
	if (use_kind(fps, kd) < 0)
		return sfab_no_memory(err);
	if (!is_even(fps, kd) || kd->has_common)
		return 0;
	sum = calloc(nlinks + 1u, sizeof(*sum));
	kd->max = sfab_arena_take(&kd->arena, nlinks, sizeof(*kd->max));
	rc = sum && kd->max ? sum_host_loads(fps, kd, sum, &all, err) : sfab_no_memory(err);
	/*
	 * Common links are those that nearly all hosts load almost as much as the host that
	 * loads them most.  They may take half of the room; the other half is for the hosts'
	 * own parts.
	 */
	room = share_of_kind(fps) / 2;
	fps->nscratch = 0;
	for (uint32_t e = 0; rc == 0 && e < nlinks; e++) {
		if (fps->nscratch == room || sum[e] < COMMON_MEAN * all * (double) kd->max[e])
			kd->max[e] = 0;
		else if (kd->max[e] > 0)
			add_entry(fps, e, kd->max[e]);
	}
	if (rc == 0 && store_largest(fps, kd, nlinks, &kd->common) < 0)
		rc = sfab_no_memory(err);
	kd->has_common = rc == 0;
	if (rc < 0)
		forget_kind(fps, kd);
	free(sum);
	return rc;
}

int sfab_footprints_get(struct sfab_footprints *fps, enum sfab_class class,
			uint32_t set, uint32_t host, struct sfab_footprint *out,
			struct sfab_err *err)
{
	struct footprint_kind *kd;
	struct sfab_footprint *x;

	if (sfab_footprints_open_kind(fps, class, set, &kd, err) < 0)
		return -1;
	x = host == SFAB_NONE ? &kd->common :
	    &kd->own[class == SFAB_IO_WRITE ? sfab_footprints_first_alike(fps, set, host) : host];
	if (host != SFAB_NONE && !x->entry) {
		/* the limit lets the vectors of all hosts fit together */
		uint32_t hosts = is_even(fps, kd) ? fps->nalike : fps->m->f->nhosts;
		uint32_t max = (share_of_kind(fps) - kd->common.n) / hosts;

		if (load_of(fps, kd, host, err) < 0)
			return -1;
		collect_entries(fps, kd, &x->peak);
		if (store_largest(fps, kd, max, x) < 0)
			return sfab_no_memory(err);
	}
	*out = *x;
	return 0;
}

int sfab_footprints_fill(struct sfab_footprints *fps, uint64_t max,
			 struct sfab_err *err)
{
	const struct sfab_model *m = fps->m;
	uint64_t start = fps->host_load.adds;
	struct sfab_footprint v;

	/* As long as one more kind fits beside those that are kept. */
	for (uint32_t k = 0; k < fps->nkinds && fps->nbegun < SFAB_FOOTPRINT_KINDS &&
	     fps->kept + share_of_kind(fps) <= fps->max; k++) {
		sfab_footprints_begin(fps, NULL);
		for (uint32_t h = 0; h < m->f->nhosts; h++) {
			if (fps->host_load.adds - start >= max)
				return 0;
			if (!m->io_host[h] &&
			    sfab_host_leaf(m->f, h) != SFAB_NONE &&
			    sfab_footprints_get(fps, fps->kind[k].class,
						fps->kind[k].set, h, &v, err) < 0)
				return -1;
		}
	}
	return 0;
}

/* -- all kinds ----------------------------------------------------------- */

struct sfab_footprints *sfab_footprints_create(const struct sfab_model *m)
{
	struct sfab_footprints *fps = calloc(1, sizeof(*fps));

	if (!fps)
		return NULL;
	fps->m = m;
	fps->max = SFAB_FOOTPRINT_MAX;
	fps->search = 1;
	fps->nkinds = m->io ? 2 * m->io->nsets : 0;
	fps->kind = sfab_arena_take(&fps->arena, fps->nkinds, sizeof(*fps->kind));
	fps->first_alike = sfab_arena_take(&fps->arena, m->f->nhosts, sizeof(*fps->first_alike));
	fps->scratch = sfab_arena_take(&fps->arena, m->f->nlinks, sizeof(*fps->scratch));
	if (fps->arena.failed || sfab_load_init(&fps->host_load, m->nres) < 0 ||
	    sfab_load_init(&fps->sum, m->nres) < 0) {
		sfab_footprints_destroy(fps);
		return NULL;
	}
	for (uint32_t k = 0; k < fps->nkinds; k++) {
		fps->kind[k].class = k % 2 ? SFAB_IO_READ : SFAB_IO_WRITE;
		fps->kind[k].set = k / 2;
	}
	find_alike_hosts(fps);
	return fps;
}

void sfab_footprints_destroy(struct sfab_footprints *fps)
{
	if (!fps)
		return;
	for (uint32_t k = 0; fps->kind && k < fps->nkinds; k++)
		forget_kind(fps, &fps->kind[k]);
	sfab_arena_free(&fps->arena);
	sfab_load_free(&fps->host_load);
	sfab_load_free(&fps->sum);
	free(fps);
}
