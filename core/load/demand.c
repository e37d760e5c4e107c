/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * demand.c - the load that a job's traffic asks for on every resource; see demand.h
 *
 * Sources on one leaf share the path to a destination.  Their demands are therefore summed per
 * leaf first, and one walk per destination and leaf carries them all.
 */

#include "core/load/demand_private.h"

#include <stdlib.h>
#include <string.h>

#define PREFETCH_LEAVES 4	/* leaves ahead of the current one whose tables are fetched */

enum demand_extent {
	DEMAND_ALL_LINKS,
	DEMAND_ENDS,		/* of IO only the links of end ports */
};

/* Take all arrays from one block: a search makes a demand for each set of hosts it tries. */
static int demand_init(struct demand *d, const struct sfab_model *m,
		       const struct sfab_job *job)
{
	size_t leaves = m->f->nleaves + 1u, hosts = job->n + 1u;
	size_t tails = (m->paths ? m->paths->width : 0) + 2u;
	size_t servers = m->io ? m->io->nioports : 0;

	memset(d, 0, sizeof(*d));
	d->m = m;
	d->job = job;
	d->block = calloc(1, leaves * sizeof(*d->sum) + tails * sizeof(*d->tail) +
			  2 * leaves * sizeof(*d->leaf) +
			  (3 * hosts + servers) * sizeof(*d->client));
	if (!d->block)
		return -1;
	/* Doubles and structs first: each array starts aligned for its type. */
	d->sum = d->block;
	d->tail = (void *) (d->sum + leaves);
	d->count = (void *) (d->tail + tails);
	d->leaf = d->count + leaves;
	d->client = d->leaf + leaves;
	d->untaken = d->client + hosts;
	d->nservers = d->untaken + hosts;
	d->member = d->nservers + hosts;
	if (!m->paths)
		d->fan_in.walk = sfab_lid_walk_open(m->f, &d->arena);
	return d->arena.failed ? -1 : 0;
}

void sfab_demand_leaf_add(struct demand *d, uint32_t leaf, double x)
{
	if (!d->count[leaf]++) {
		d->leaf[d->nleaves++] = leaf;
		d->sum[leaf] = 0;
	}
	d->sum[leaf] += x;
}

void sfab_demand_leaves_clear(struct demand *d)
{
	for (uint32_t i = 0; i < d->nleaves; i++)
		d->count[d->leaf[i]] = 0;
	d->nleaves = 0;
}

static void flush_tail(struct demand *d, struct demand_tail *t)
{
	if (t->sum > 0)
		sfab_load_add(d->load, t->link, t->sum);
	t->sum = 0;
}

static void add_to_tail(struct demand *d, struct demand_tail *t, uint32_t link, double x)
{
	if (t->link != link) {
		flush_tail(d, t);
		t->link = link;
	}
	t->sum += x;
}

/* Add @x to the links of @row.  0: there is no route. */
static inline int push_row(struct demand *d, const uint16_t *row, uint32_t width,
			   double x)
{
	if (row[0] == SFAB_PATH_END)
		return 1;
	if (row[0] == SFAB_PATH_LOST)
		return 0;
	sfab_load_add(d->load, row[0], x);
	for (uint32_t i = 1; i < width && row[i] != SFAB_PATH_END; i++)
		add_to_tail(d, &d->tail[i], row[i], x);
	return 1;
}

/* Send @x bytes/s from @leaf to end port @dst in the same plane. */
static void push_flow(struct demand *d, uint32_t leaf, uint32_t dst, double x)
{
	const struct sfab_paths *p = d->m->paths;

	if (p) {
		if (push_row(d, sfab_path(p, leaf, dst), p->width, x))
			add_to_tail(d, &d->tail[0], d->m->f->ports[dst].eject, x);
		return;
	}
	sfab_fan_in_start(&d->fan_in, d->load, dst);
	sfab_fan_in_send(&d->fan_in, leaf, x);
	sfab_fan_in_finish(&d->fan_in);
}

/*
 * Return the bytes/s that leaf @l sends: @part of its sum, without @own_sum of the
 * destination's own leaf.
 */
static double leaf_rate(const struct demand *d, uint32_t l, double part, uint32_t own_leaf,
			double own_sum)
{
	return (l == own_leaf ? d->sum[l] - own_sum : d->sum[l]) * part;
}

/* Is the destination the only host on leaf @l?  Rounding in sum - less could leave a tiny load. */
static int is_alone(const struct demand *d, uint32_t l, uint32_t own_leaf)
{
	return l == own_leaf && d->count[l] <= 1;
}

static void fan_in_by_tables(struct demand *d, uint32_t dst, double part, uint32_t own_leaf,
			     double own_sum)
{
	sfab_fan_in_start(&d->fan_in, d->load, dst);
	for (uint32_t k = 0; k < d->nleaves; k++) {
		uint32_t l = d->leaf[k];

		if (k + PREFETCH_LEAVES < d->nleaves)
			sfab_fan_in_expect(&d->fan_in, d->leaf[k + PREFETCH_LEAVES]);
		if (!is_alone(d, l, own_leaf))
			sfab_fan_in_send(&d->fan_in, l, leaf_rate(d, l, part, own_leaf, own_sum));
	}
	sfab_fan_in_finish(&d->fan_in);
}

void sfab_demand_fan_in(struct demand *d, uint32_t dst, double part,
			uint32_t own_leaf, double own_sum)
{
	const struct sfab_paths *p = d->m->paths;
	const uint16_t *rows = p ? p->link + p->port_at[dst] : NULL;
	double all = 0, x;

	if (!p) {
		fan_in_by_tables(d, dst, part, own_leaf, own_sum);
		return;
	}
	for (uint32_t k = 0; k < d->nleaves; k++) {
		uint32_t l = d->leaf[k];

		if (is_alone(d, l, own_leaf))
			continue;
		x = leaf_rate(d, l, part, own_leaf, own_sum);
		if (push_row(d, rows + p->leaf_at[l], p->width, x))
			all += x;
	}
	if (all > 0)
		sfab_load_add(d->load, d->m->f->ports[dst].eject, all);
}

/*
 * Add what every host sends evenly to all others, rail by rail.  All sources of a leaf are one
 * sum, from which the destination's own part is taken on its leaf.
 */
static void add_mpi_demand(struct demand *d)
{
	const struct sfab_port *ports = d->m->f->ports;
	const struct sfab_job *s = d->job;
	double part;

	if (s->n < 2)
		return;
	part = 1.0 / (s->n - 1);
	for (uint32_t rail = 0; rail < d->m->nrails; rail++) {
		sfab_demand_leaves_clear(d);
		for (uint32_t i = 0; i < s->n; i++) {
			uint32_t src = sfab_demand_src_port(d, rail, i);

			if (src == SFAB_NONE)
				continue;
			sfab_demand_leaf_add(d, ports[src].leaf, sfab_demand_port_rate(d, i, src));
			sfab_load_add(d->load, ports[src].inject, sfab_demand_port_rate(d, i, src));
		}
		/* Send to each host from all leaves in use, but not from itself. */
		for (uint32_t i = 0; i < s->n; i++) {
			uint32_t src = sfab_demand_src_port(d, rail, i);
			uint32_t dst = sfab_demand_dst_port(d, rail, i);

			if (dst != SFAB_NONE && src == SFAB_NONE)
				sfab_demand_fan_in(d, dst, part, SFAB_NONE, 0);
			else if (dst != SFAB_NONE)
				sfab_demand_fan_in(d, dst, part, ports[src].leaf,
						   sfab_demand_port_rate(d, i, src));
		}
	}
}

struct ring_host {
	uint32_t host, index;
};

static int compare_ring_hosts(const void *a, const void *b)
{
	const struct ring_host *x = a, *y = b;

	return x->host < y->host ? -1 : x->host > y->host;
}

/* Add the demand of neighbors by host id.  Ids follow names, and so does Slurm's order of nodes. */
static void add_neighbor_demand(struct demand *d)
{
	const struct sfab_port *ports = d->m->f->ports;
	uint32_t n = d->job->n;
	struct ring_host *ring = n > 1 ? malloc(n * sizeof(*ring)) : NULL;

	if (!ring) {
		d->failed |= n > 1;
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		ring[i] = (struct ring_host){ d->job->host[i], i };
	qsort(ring, n, sizeof(*ring), compare_ring_hosts);
	for (uint32_t rail = 0; rail < d->m->nrails; rail++)
		for (uint32_t k = 0; k < n; k++) {
			uint32_t i = ring[k].index, src = sfab_demand_src_port(d, rail, i);
			uint32_t next = sfab_demand_dst_port(d, rail, ring[(k + 1) % n].index);
			uint32_t prev = sfab_demand_dst_port(d, rail, ring[(k + n - 1) % n].index);
			double half;

			if (src == SFAB_NONE)
				continue;
			half = sfab_demand_port_rate(d, i, src) / 2;
			sfab_load_add(d->load, ports[src].inject, 2 * half);
			if (next != SFAB_NONE)
				push_flow(d, ports[src].leaf, next, half);
			if (prev != SFAB_NONE)
				push_flow(d, ports[src].leaf, prev, half);
		}
	free(ring);
}

/*
 * Add the demand of all parts of the traffic.  Sums that are still held back (struct
 * demand_tail) are added after each part.
 */
static int add_traffic_demand(const struct sfab_model *m, const struct sfab_job *job,
			      enum demand_extent extent, struct sfab_load *load,
			      struct sfab_err *err)
{
	struct demand d;
	int rc = demand_init(&d, m, job);

	d.load = load;
	d.ends_only = extent == DEMAND_ENDS;
	if (rc < 0)
		d.failed = 1;
	for (uint32_t i = 0; rc == 0 && i < job->traffic->nparts; i++) {
		const struct sfab_traffic_part *part = &job->traffic->part[i];

		if (!(part->share > 0))
			continue;
		d.share = part->share;
		if (part->class == SFAB_MPI)
			add_mpi_demand(&d);
		else if (part->class == SFAB_NEIGHBOR)
			add_neighbor_demand(&d);
		else
			rc = sfab_demand_part_io(&d, part, err);
		for (uint32_t k = 0; m->paths && k <= m->paths->width; k++)
			flush_tail(&d, &d.tail[k]);
	}
	free(d.block);
	sfab_arena_free(&d.arena);
	if (d.failed)
		return sfab_no_memory(err);
	return rc;
}

int sfab_demand(const struct sfab_model *m, const struct sfab_job *job,
		struct sfab_load *load, struct sfab_err *err)
{
	return add_traffic_demand(m, job, DEMAND_ALL_LINKS, load, err);
}

static int add_part_demand(const struct sfab_model *m, const struct sfab_job *job,
			   const struct sfab_traffic_part *part, enum demand_extent extent,
			   struct sfab_load *load, struct sfab_err *err)
{
	struct sfab_traffic t = { .nparts = 1, .part[0] = *part };
	struct sfab_job one = *job;

	t.part[0].share = 1;
	one.traffic = &t;
	return add_traffic_demand(m, &one, extent, load, err);
}

int sfab_demand_part(const struct sfab_model *m, const struct sfab_job *job,
		     const struct sfab_traffic_part *part, struct sfab_load *load,
		     struct sfab_err *err)
{
	return add_part_demand(m, job, part, DEMAND_ALL_LINKS, load, err);
}

int sfab_demand_part_ends(const struct sfab_model *m, const struct sfab_job *job,
			  const struct sfab_traffic_part *part, struct sfab_load *load,
			  struct sfab_err *err)
{
	return add_part_demand(m, job, part, DEMAND_ENDS, load, err);
}
