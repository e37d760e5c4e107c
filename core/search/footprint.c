/* SPDX-License-Identifier: GPL-2.0-or-later */
/* footprint.c - compute IO footprints and keep them; see footprint.h */

#include "core/search/footprint_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 24		/* one per power of two, plus negative, small and
				   repeated entries */
#define EVEN 0.85		/* a link is common if the mean over hosts is at
				   least this part of the highest */
#define LESS 1e-6f		/* relative; a smaller difference is rounding */

static int same_port(const struct sfab_fabric *f, uint32_t a, uint32_t b)
{
	if (a == SFAB_NONE || b == SFAB_NONE)
		return a == b;
	return f->ports[a].leaf == f->ports[b].leaf &&
	       f->ports[a].rate == f->ports[b].rate;
}

static int writes_alike(const struct sfab_model *m, uint32_t a, uint32_t b)
{
	if (m->io_host[a] || m->io_host[b])
		return 0;	/* a host is never its own server, so it differs from
				   all others */
	for (uint32_t rail = 0; rail < m->nrails; rail++) {
		const uint32_t *src = m->rail_src + (size_t) rail * m->f->nhosts;

		if (!same_port(m->f, src[a], src[b]))
			return 0;
	}
	return 1;
}

/* Hosts that write alike are on the same leaf. */
static void find_like_hosts(struct sfab_iovecs *vs)
{
	const struct sfab_model *m = vs->m;

	for (uint32_t h = 0; h < m->f->nhosts; h++)
		vs->like[h] = h;
	for (uint32_t l = 0; l < m->f->nleaves; l++)
		for (uint32_t i = m->leaf_first[l]; i < m->leaf_first[l + 1]; i++) {
			uint32_t h = m->leaf_host[i], k = m->leaf_first[l];

			while (k < i && (vs->like[m->leaf_host[k]] != m->leaf_host[k] ||
					 !writes_alike(m, h, m->leaf_host[k])))
				k++;
			vs->like[h] = m->leaf_host[k];
		}
	for (uint32_t h = 0; h < m->f->nhosts; h++)
		vs->nlike += vs->like[h] == h;
}

uint32_t sfab_iovecs_like(const struct sfab_iovecs *vs, uint32_t set,
			  uint32_t host)
{
	return vs->m->io->set[set].map == SFAB_IOMAP_GROUP ? host : vs->like[host];
}

/* -- one vector ---------------------------------------------------------- */

/* Only writes to a set without groups have much in common. */
static int is_even(const struct sfab_iovecs *vs, const struct kind *kd)
{
	return kd->class == SFAB_IO_WRITE &&
	       vs->m->io->set[kd->set].map != SFAB_IOMAP_GROUP;
}

/*
 * Limit of entries per vector, such that the vectors of all hosts fit together.
 * Half the room is for few.
 */
static uint32_t most_kept(const struct sfab_iovecs *vs, const struct kind *kd)
{
	uint32_t room = sfab_iovecs_share(vs) - kd->common.n;

	return is_even(vs, kd) ? room / 2 / vs->nlike : room / vs->m->f->nhosts;
}

static int is_stop_requested(const struct sfab_iovecs *vs)
{
	return vs->stop && __atomic_load_n(vs->stop, __ATOMIC_RELAXED);
}

/* Compute the full load of @host into vs->io. */
static int load_of(struct sfab_iovecs *vs, const struct kind *kd, uint32_t host,
		   struct sfab_err *err)
{
	struct sfab_traffic t = { .nparts = 1 };
	struct sfab_spec spec = { .n = 1, .host = &host, .traffic = &t };

	t.part[0].class = kd->class;
	t.part[0].share = 1.0;
	snprintf(t.part[0].set, sizeof(t.part[0].set), "%s",
		 vs->m->io->set[kd->set].name);
	if (is_stop_requested(vs))
		return sfab_fail(err, SFAB_ESTALE, "search stopped");
	sfab_load_clear(&vs->net);
	sfab_load_clear(&vs->io);
	return sfab_demand(vs->m, &spec, &vs->net, &vs->io, NULL, err);
}

static float load_on(const struct sfab_iovecs *vs, uint32_t link)
{
	return (float) (vs->io.v[link] * vs->m->inv_cap[link]);
}

static void put_entry(struct sfab_iovecs *vs, uint32_t link, float v)
{
	vs->scratch[vs->n].res = link;
	vs->scratch[vs->n++].v = v;
}

/* Collect what of vs->io differs from the common part. */
static void collect_entries(struct sfab_iovecs *vs, const struct kind *kd,
			    float *peak)
{
	*peak = 0;
	vs->n = 0;
	for (uint32_t i = 0; i < vs->io.ntouched; i++) {
		uint32_t e = vs->io.touched[i];

		if (!vs->m->isl[e] || !(load_on(vs, e) > 0))
			continue;
		*peak = fmaxf(*peak, load_on(vs, e));
		if (!kd->most || !(kd->most[e] > 0))
			put_entry(vs, e, load_on(vs, e));
	}
	for (uint32_t k = 0; k < kd->common.n; k++) {
		const struct sfab_ioentry *c = &kd->common.entry[k];

		if (load_on(vs, c->res) < c->v * (1 - LESS))
			put_entry(vs, c->res, load_on(vs, c->res) - c->v);
	}
}

/*
 * Order of entries: negative ones, then by power of two, then those that repeat
 * other links. ilogbf() of 0 and of NaN returns the ends of int, hence the
 * 64-bit arithmetic.
 */
static uint32_t bucket_of(const struct kind *kd, const struct sfab_ioentry *e,
			  float largest)
{
	int64_t k = (int64_t) 1 + ilogbf(largest) - ilogbf(e->v);

	if (kd->has_common && kd->same[e->res] != e->res)
		return BUCKETS - 1;
	if (e->v < 0)
		return 0;
	return k < 1 ? 1 : k < BUCKETS - 2 ? (uint32_t) k : BUCKETS - 2;
}

/* Store the entries of uncovered links a second time. */
static int store_few(struct sfab_iovecs *vs, struct kind *kd, struct sfab_iovec *x)
{
	struct sfab_ioentry *few = malloc((x->nkey + 1u) * sizeof(*few)), *fit;

	if (!few)
		return -1;
	x->nfew = x->nfewless = 0;
	for (uint32_t k = 0; k < x->nkey; k++) {
		if (kd->cover[x->entry[k].res] != x->entry[k].res)
			continue;
		x->nfewless += x->entry[k].v < 0;
		few[x->nfew++] = x->entry[k];
	}
	fit = realloc(few, (x->nfew + 1u) * sizeof(*few));
	x->few = fit ? fit : few;
	sfab_iovecs_count(vs, kd, x->nfew);
	return 0;
}

/* Store the largest @most entries of the vector in vs->scratch. */
static int store_largest(struct sfab_iovecs *vs, struct kind *kd, uint32_t most,
			 struct sfab_iovec *x)
{
	uint32_t at[BUCKETS + 1] = { 0 };
	struct sfab_ioentry *entry;
	float largest = 0;

	x->n = vs->n < most ? vs->n : most;
	x->left_out = vs->n - x->n;
	entry = malloc((x->n + 1u) * sizeof(*entry));
	if (!entry)
		return -1;
	for (uint32_t i = 0; i < vs->n; i++)
		largest = fmaxf(largest, vs->scratch[i].v);
	for (uint32_t i = 0; i < vs->n; i++)
		at[bucket_of(kd, &vs->scratch[i], largest) + 1]++;
	for (uint32_t k = 0; k < BUCKETS; k++)
		at[k + 1] += at[k];
	x->nless = at[1];
	sfab_iovecs_count(vs, kd, x->n);
	x->nkey = at[BUCKETS - 1] < x->n ? at[BUCKETS - 1] : x->n;
	for (uint32_t i = 0; i < vs->n; i++) {
		uint32_t place = at[bucket_of(kd, &vs->scratch[i], largest)]++;

		if (place < x->n)
			entry[place] = vs->scratch[i];
	}
	x->entry = entry;
	return kd->has_common ? store_few(vs, kd, x) : 0;
}

/* -- the common part ---------------------------------------------------- */

struct seen {			/* totals over all hosts */
	double *sum;		/* by link */
	struct loads loads;	/* one row per group of equivalent hosts */
	uint32_t all;		/* hosts */
};

/* Add what vs->io puts on the links, for @alike equivalent hosts. */
static int see_host(const struct sfab_iovecs *vs, struct kind *kd, uint32_t alike,
		    struct seen *x)
{
	for (uint32_t i = 0; i < vs->io.ntouched; i++) {
		uint32_t e = vs->io.touched[i];
		float v = load_on(vs, e);

		if (!vs->m->isl[e] || !(v > 0))
			continue;
		x->sum[e] += (double) ((float) alike * v);
		kd->most[e] = fmaxf(kd->most[e], v);
		if (sfab_loads_add(&x->loads, e, v) < 0)
			return -1;
	}
	sfab_loads_next(&x->loads);
	x->all += alike;
	return 0;
}

static int see_hosts(struct sfab_iovecs *vs, struct kind *kd, struct seen *x,
		     struct sfab_err *err)
{
	const struct sfab_model *m = vs->m;
	uint32_t *alike = calloc(m->f->nhosts + 1u, sizeof(*alike));
	int rc = alike ? 0 : sfab_no_memory(err);

	for (uint32_t h = 0; rc == 0 && h < m->f->nhosts; h++)
		alike[vs->like[h]] += !m->io_host[h];
	for (uint32_t h = 0; rc == 0 && h < m->f->nhosts; h++) {
		if (!alike[h] || sfab_host_leaf(m->f, h) == SFAB_NONE)
			continue;
		rc = load_of(vs, kd, h, err);
		if (rc == 0 && see_host(vs, kd, alike[h], x) < 0)
			rc = sfab_no_memory(err);
	}
	free(alike);
	return rc;
}

/*
 * Common are the links that nearly all hosts load almost as much as the host
 * that loads them most.  They may take half of the room; the other half is for
 * the hosts' own parts.
 */
static int split_common(struct sfab_iovecs *vs, struct kind *kd, const struct seen *x)
{
	uint32_t nlinks = vs->m->f->nlinks, room = sfab_iovecs_share(vs) / 2;

	vs->n = 0;
	for (uint32_t e = 0; e < nlinks; e++) {
		if (vs->n == room || x->sum[e] < EVEN * x->all * (double) kd->most[e])
			kd->most[e] = 0;
		else if (kd->most[e] > 0)
			put_entry(vs, e, kd->most[e]);
	}
	return store_largest(vs, kd, nlinks, &kd->common);
}

static int find_common(struct sfab_iovecs *vs, struct kind *kd, struct sfab_err *err)
{
	uint32_t nlinks = vs->m->f->nlinks;
	struct seen x = { .sum = calloc(nlinks + 1u, sizeof(*x.sum)) };
	int rc = sfab_loads_init(&x.loads, nlinks, vs->m->f->nhosts);

	kd->most = calloc(nlinks + 1u, sizeof(*kd->most));
	kd->cover = calloc(nlinks + 1u, sizeof(*kd->cover));
	kd->same = calloc(nlinks + 1u, sizeof(*kd->same));
	if (rc < 0 || !x.sum || !kd->most || !kd->cover || !kd->same)
		rc = sfab_no_memory(err);
	else
		rc = see_hosts(vs, kd, &x, err);
	if (rc == 0 && (split_common(vs, kd, &x) < 0 ||
			sfab_loads_cover(&x.loads, kd->most, kd->cover,
					 kd->same) < 0))
		rc = sfab_no_memory(err);
	kd->has_common = rc == 0;
	if (rc < 0)
		sfab_iovecs_forget(vs, kd);
	sfab_loads_free(&x.loads);
	free(x.sum);
	return rc;
}

int sfab_iovecs_kind(struct sfab_iovecs *vs, enum sfab_class class, uint32_t set,
		     struct kind **out, struct sfab_err *err)
{
	struct kind *kd = &vs->kind[2 * set + (class == SFAB_IO_READ)];

	*out = kd;
	if (sfab_iovecs_use(vs, kd) < 0)
		return sfab_no_memory(err);
	return !is_even(vs, kd) || kd->has_common ? 0 : find_common(vs, kd, err);
}

int sfab_iovecs_common(struct sfab_iovecs *vs, enum sfab_class class,
		       uint32_t set, struct sfab_iovec *out, struct sfab_err *err)
{
	struct kind *kd;

	if (sfab_iovecs_kind(vs, class, set, &kd, err) < 0)
		return -1;
	*out = kd->common;
	return 0;
}

int sfab_iovecs_get(struct sfab_iovecs *vs, enum sfab_class class, uint32_t set,
		    uint32_t host, struct sfab_iovec *out, struct sfab_err *err)
{
	struct kind *kd;
	struct sfab_iovec *x;

	if (sfab_iovecs_kind(vs, class, set, &kd, err) < 0)
		return -1;
	x = &kd->of[class == SFAB_IO_WRITE ? sfab_iovecs_like(vs, set, host) : host];
	if (!x->entry) {
		if (load_of(vs, kd, host, err) < 0)
			return -1;
		collect_entries(vs, kd, &x->peak);
		if (store_largest(vs, kd, most_kept(vs, kd), x) < 0)
			return sfab_no_memory(err);
	}
	*out = *x;
	return 0;
}

const uint32_t *sfab_iovecs_cover(const struct sfab_iovecs *vs,
				  enum sfab_class class, uint32_t set,
				  const uint32_t **same)
{
	const struct kind *kd = &vs->kind[2 * set + (class == SFAB_IO_READ)];

	*same = kd->same;
	return kd->cover;
}

int sfab_iovecs_fill(struct sfab_iovecs *vs, uint64_t most, struct sfab_err *err)
{
	const struct sfab_model *m = vs->m;
	uint64_t start = vs->io.adds;
	struct sfab_iovec v;

	for (uint32_t k = 0; k < vs->nkinds && sfab_iovecs_has_room(vs); k++) {
		sfab_iovecs_begin(vs, NULL);
		for (uint32_t h = 0; h < m->f->nhosts; h++) {
			if (vs->io.adds - start >= most)
				return 0;
			if (!m->io_host[h] && sfab_host_leaf(m->f, h) != SFAB_NONE &&
			    sfab_iovecs_get(vs, vs->kind[k].class, vs->kind[k].set,
					    h, &v, err) < 0)
				return -1;
		}
	}
	return 0;
}

/* -- all kinds ----------------------------------------------------------- */

static int make_kinds(struct sfab_iovecs *vs)
{
	vs->nkinds = vs->m->io ? 2 * vs->m->io->nsets : 0;
	vs->kind = calloc(vs->nkinds + 1u, sizeof(*vs->kind));
	for (uint32_t k = 0; vs->kind && k < vs->nkinds; k++) {
		vs->kind[k].class = k % 2 ? SFAB_IO_READ : SFAB_IO_WRITE;
		vs->kind[k].set = k / 2;
	}
	return vs->kind ? 0 : -1;
}

struct sfab_iovecs *sfab_iovecs_create(const struct sfab_model *m)
{
	struct sfab_iovecs *vs = calloc(1, sizeof(*vs));

	if (!vs)
		return NULL;
	vs->m = m;
	vs->max = SFAB_IOVEC_MAX;
	vs->search = 1;
	vs->like = calloc(m->f->nhosts + 1u, sizeof(*vs->like));
	vs->scratch = calloc(m->f->nlinks + 1u, sizeof(*vs->scratch));
	if (!vs->like || !vs->scratch || make_kinds(vs) < 0 ||
	    sfab_load_init(&vs->net, m->nres) < 0 ||
	    sfab_load_init(&vs->io, m->nres) < 0 ||
	    sfab_load_init(&vs->sum, m->nres) < 0) {
		sfab_iovecs_destroy(vs);
		return NULL;
	}
	find_like_hosts(vs);
	return vs;
}

void sfab_iovecs_destroy(struct sfab_iovecs *vs)
{
	if (!vs)
		return;
	for (uint32_t k = 0; vs->kind && k < vs->nkinds; k++)
		sfab_iovecs_forget(vs, &vs->kind[k]);
	free(vs->kind);
	free(vs->like);
	free(vs->scratch);
	sfab_load_free(&vs->net);
	sfab_load_free(&vs->io);
	sfab_load_free(&vs->sum);
	free(vs);
}
