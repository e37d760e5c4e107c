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
	d->uses = d->untaken + hosts;
	d->member = d->uses + hosts;
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

static void tail_flush(struct demand *d, struct demand_tail *t)
{
	if (t->sum > 0)
		sfab_load_add(d->load, t->link, t->sum);
	t->sum = 0;
}

static void tail_add(struct demand *d, struct demand_tail *t, uint32_t link, double x)
{
	if (t->link != link) {
		tail_flush(d, t);
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
		tail_add(d, &d->tail[i], row[i], x);
	return 1;
}

/* Send @x bytes/s from @leaf to end port @dst in the same plane. */
static void push_flow(struct demand *d, uint32_t leaf, uint32_t dst, double x)
{
	const struct sfab_paths *p = d->m->paths;

	if (p) {
		if (push_row(d, sfab_path(p, leaf, dst), p->width, x))
			tail_add(d, &d->tail[0], d->m->f->ports[dst].eject, x);
		return;
	}
	sfab_fan_in_start(&d->fan_in, d->load, dst);
	sfab_fan_in_send(&d->fan_in, leaf, x);
	sfab_fan_in_finish(&d->fan_in);
}

/*
 * Return the bytes/s that leaf @l sends: @part of its sum, without @less of the destination's
 * own leaf.
 */
static double leaf_sends(const struct demand *d, uint32_t l, double part, uint32_t own,
			 double less)
{
	return (l == own ? d->sum[l] - less : d->sum[l]) * part;
}

/* Is the destination the only host on leaf @l?  Rounding in sum - less could leave a tiny load. */
static int is_alone(const struct demand *d, uint32_t l, uint32_t own)
{
	return l == own && d->count[l] <= 1;
}

static void fan_in_by_tables(struct demand *d, uint32_t dst, double part, uint32_t own,
			     double less)
{
	sfab_fan_in_start(&d->fan_in, d->load, dst);
	for (uint32_t k = 0; k < d->nleaves; k++) {
		uint32_t l = d->leaf[k];

		if (k + PREFETCH_LEAVES < d->nleaves)
			sfab_fan_in_expect(&d->fan_in, d->leaf[k + PREFETCH_LEAVES]);
		if (!is_alone(d, l, own))
			sfab_fan_in_send(&d->fan_in, l, leaf_sends(d, l, part, own, less));
	}
	sfab_fan_in_finish(&d->fan_in);
}

void sfab_demand_fan_in(struct demand *d, uint32_t dst, double part,
			uint32_t own, double less)
{
	const struct sfab_paths *p = d->m->paths;
	const uint16_t *rows = p ? p->link + p->port_at[dst] : NULL;
	double all = 0, x;

	if (!p) {
		fan_in_by_tables(d, dst, part, own, less);
		return;
	}
	for (uint32_t k = 0; k < d->nleaves; k++) {
		uint32_t l = d->leaf[k];

		if (is_alone(d, l, own))
			continue;
		x = leaf_sends(d, l, part, own, less);
		if (push_row(d, rows + p->leaf_at[l], p->width, x))
			all += x;
	}
	if (all > 0)
		sfab_load_add(d->load, d->m->f->ports[dst].eject, all);
}

static void demand_mpi(struct demand *d)
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
			uint32_t src = demand_rail_src(d, rail, i);

			if (src == SFAB_NONE)
				continue;
			sfab_demand_leaf_add(d, ports[src].leaf, demand_asks(d, i, src));
			sfab_load_add(d->load, ports[src].inject, demand_asks(d, i, src));
		}
		/* Send to each host from all leaves in use, but not from itself. */
		for (uint32_t i = 0; i < s->n; i++) {
			uint32_t src = demand_rail_src(d, rail, i);
			uint32_t dst = demand_rail_dst(d, rail, i);

			if (dst != SFAB_NONE && src == SFAB_NONE)
				sfab_demand_fan_in(d, dst, part, SFAB_NONE, 0);
			else if (dst != SFAB_NONE)
				sfab_demand_fan_in(d, dst, part, ports[src].leaf,
						   demand_asks(d, i, src));
		}
	}
}

struct ring_host {
	uint32_t host, index;
};

static int compare_host(const void *a, const void *b)
{
	const struct ring_host *x = a, *y = b;

	return x->host < y->host ? -1 : x->host > y->host;
}

/* Add the demand of neighbors by host id.  Ids follow names, and so does Slurm's order of nodes. */
static void demand_neighbor(struct demand *d)
{
	const struct sfab_port *ports = d->m->f->ports;
	uint32_t n = d->job->n;
	struct ring_host *at = n > 1 ? malloc(n * sizeof(*at)) : NULL;

	if (!at) {
		d->failed |= n > 1;
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		at[i] = (struct ring_host){ d->job->host[i], i };
	qsort(at, n, sizeof(*at), compare_host);
	for (uint32_t rail = 0; rail < d->m->nrails; rail++)
		for (uint32_t k = 0; k < n; k++) {
			uint32_t i = at[k].index, src = demand_rail_src(d, rail, i);
			uint32_t next = demand_rail_dst(d, rail, at[(k + 1) % n].index);
			uint32_t prev = demand_rail_dst(d, rail, at[(k + n - 1) % n].index);
			double half;

			if (src == SFAB_NONE)
				continue;
			half = demand_asks(d, i, src) / 2;
			sfab_load_add(d->load, ports[src].inject, 2 * half);
			if (next != SFAB_NONE)
				push_flow(d, ports[src].leaf, next, half);
			if (prev != SFAB_NONE)
				push_flow(d, ports[src].leaf, prev, half);
		}
	free(at);
}

static int demand_of(const struct sfab_model *m, const struct sfab_job *job, int ends,
		     struct sfab_load *load, struct sfab_err *err)
{
	struct demand d;
	int rc = demand_init(&d, m, job);

	d.load = load;
	d.ends_only = ends;
	if (rc < 0)
		d.failed = 1;
	for (uint32_t i = 0; rc == 0 && i < job->traffic->nparts; i++) {
		const struct sfab_traffic_part *part = &job->traffic->part[i];

		if (!(part->share > 0))
			continue;
		d.share = part->share;
		if (part->class == SFAB_MPI)
			demand_mpi(&d);
		else if (part->class == SFAB_NEIGHBOR)
			demand_neighbor(&d);
		else
			rc = sfab_demand_part_io(&d, part, err);
		for (uint32_t k = 0; m->paths && k <= m->paths->width; k++)
			tail_flush(&d, &d.tail[k]);
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
	return demand_of(m, job, 0, load, err);
}

static int demand_of_part(const struct sfab_model *m, const struct sfab_job *job,
			  const struct sfab_traffic_part *part, int ends,
			  struct sfab_load *load, struct sfab_err *err)
{
	struct sfab_traffic t = { .nparts = 1, .part[0] = *part };
	struct sfab_job one = *job;

	t.part[0].share = 1;
	one.traffic = &t;
	return demand_of(m, &one, ends, load, err);
}

int sfab_demand_part(const struct sfab_model *m, const struct sfab_job *job,
		     const struct sfab_traffic_part *part, struct sfab_load *load,
		     struct sfab_err *err)
{
	return demand_of_part(m, job, part, 0, load, err);
}

int sfab_demand_part_ends(const struct sfab_model *m, const struct sfab_job *job,
			  const struct sfab_traffic_part *part, struct sfab_load *load,
			  struct sfab_err *err)
{
	return demand_of_part(m, job, part, 1, load, err);
}
