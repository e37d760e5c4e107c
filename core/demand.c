/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * demand.c - what a job's traffic asks of every resource
 *
 * Sources on one leaf share the path to a destination, so their demands are
 * summed per leaf first:  for each destination, for each leaf in use, one
 * walk carries them all.
 */

#include "model.h"
#include "route.h"

#include <stdlib.h>
#include <string.h>

/*
 * Paths to one port run together: what several leaves in turn send over the
 * same link is summed up before it is added.  tail[0] is the eject link,
 * tail[i] the i-th link of a path.
 */
struct tail {
	uint32_t link;
	double sum;
};

struct demand {
	const struct sfab_model *m;
	const struct sfab_spec *spec;
	struct sfab_load *load;		/* of the part at hand */
	double share;
	double lost;
	int failed;			/* no memory in a walk */
	/* sums by leaf and which leaves are in use */
	double *sum;
	uint32_t *count;
	uint32_t *leaf;
	uint32_t nleaves;
	uint32_t *order;		/* spec indices by host id */
	uint32_t *members;		/* io: by spec index, members in the plane */
	struct tail *tail;		/* [longest path], with paths only */
	struct sfab_route r;
};

static int demand_init(struct demand *d, const struct sfab_model *m,
		       const struct sfab_spec *spec)
{
	memset(d, 0, sizeof(*d));
	d->m = m;
	d->spec = spec;
	d->sum = calloc(m->f->nleaves + 1u, sizeof(*d->sum));
	d->count = calloc(m->f->nleaves + 1u, sizeof(*d->count));
	d->leaf = calloc(m->f->nleaves + 1u, sizeof(*d->leaf));
	d->order = calloc(spec->n + 1u, sizeof(*d->order));
	d->members = calloc(spec->n + 1u, sizeof(*d->members));
	d->tail = calloc((m->paths ? m->paths->width : 0) + 2u, sizeof(*d->tail));
	return d->sum && d->count && d->leaf && d->order && d->members &&
	       d->tail ? 0 : -1;
}

static void demand_free(struct demand *d)
{
	free(d->sum);
	free(d->count);
	free(d->leaf);
	free(d->order);
	free(d->members);
	free(d->tail);
	sfab_route_clear(&d->r);
}

static void leaf_add(struct demand *d, uint32_t leaf, double x)
{
	if (!d->count[leaf]++) {
		d->leaf[d->nleaves++] = leaf;
		d->sum[leaf] = 0;
	}
	d->sum[leaf] += x;
}

static void leaves_clear(struct demand *d)
{
	for (uint32_t i = 0; i < d->nleaves; i++)
		d->count[d->leaf[i]] = 0;
	d->nleaves = 0;
}

static void tail_flush(struct demand *d, struct tail *t)
{
	if (t->sum > 0)
		sfab_load_add(d->load, t->link, t->sum);
	t->sum = 0;
}

static void tail_add(struct demand *d, struct tail *t, uint32_t link, double x)
{
	if (t->link != link) {
		tail_flush(d, t);
		t->link = link;
	}
	t->sum += x;
}

static void flush_tails(struct demand *d)
{
	for (uint32_t i = 0; d->m->paths && i <= d->m->paths->width; i++)
		tail_flush(d, &d->tail[i]);
}

/* Add @x to the links of @row; 0: there is no route. */
static inline int push_row(struct demand *d, const uint16_t *row, uint32_t width,
			   double x)
{
	if (row[0] == SFAB_PATH_END)
		return 1;
	if (row[0] == SFAB_PATH_LOST) {
		d->lost += x;
		return 0;
	}
	sfab_load_add(d->load, row[0], x);
	for (uint32_t i = 1; i < width && row[i] != SFAB_PATH_END; i++)
		tail_add(d, &d->tail[i], row[i], x);
	return 1;
}

static void push_path(struct demand *d, uint32_t leaf, uint32_t dst, double x)
{
	const struct sfab_paths *p = d->m->paths;

	if (push_row(d, sfab_path(p, leaf, dst), p->width, x))
		tail_add(d, &d->tail[0], d->m->f->ports[dst].eject, x);
}

/* Send @x bytes/s from @leaf to end port @dst, both of one plane. */
static void push(struct demand *d, uint32_t leaf, uint32_t dst, double x)
{
	const struct sfab_fabric *f = d->m->f;

	if (d->m->paths) {
		push_path(d, leaf, dst, x);
		return;
	}
	if (sfab_route_from(f, f->leaves[leaf].sw, dst, &d->r) < 0) {
		d->failed = 1;
		return;
	}
	if (d->r.status != SFAB_ROUTE_OK) {
		d->lost += x;
		return;
	}
	for (uint32_t i = 0; i < d->r.n; i++)
		sfab_load_add(d->load, d->r.hop[i].link, x * d->r.hop[i].share);
}

static uint32_t rail_src(const struct demand *d, uint32_t rail, uint32_t i)
{
	return d->m->rail_src[(size_t) rail * d->m->f->nhosts + d->spec->host[i]];
}

static uint32_t rail_dst(const struct demand *d, uint32_t rail, uint32_t i)
{
	return d->m->rail_dst[(size_t) rail * d->m->f->nhosts + d->spec->host[i]];
}

/* What the port of spec index @i asks for. */
static double asks(const struct demand *d, uint32_t i, uint32_t port)
{
	return d->share * d->m->f->ports[port].rate *
	       (d->spec->cpus ? d->spec->cpus[i] : 1.0);
}

static void inject(struct demand *d, uint32_t port, double x)
{
	sfab_load_add(d->load, d->m->f->ports[port].inject, x);
}

/*
 * Send to end port @dst from all leaves in use, of each its sum times @part;
 * @less is not sent from leaf @own.
 */
static void fan_in(struct demand *d, uint32_t dst, double part, uint32_t own,
		   double less)
{
	const struct sfab_paths *p = d->m->paths;
	const uint16_t *rows = p ? p->link + p->port_at[dst] : NULL;
	double all = 0;

	for (uint32_t k = 0; k < d->nleaves; k++) {
		uint32_t l = d->leaf[k];
		double x = (l == own ? d->sum[l] - less : d->sum[l]) * part;

		if (l == own && d->count[l] == 1)
			continue;
		if (!p)
			push(d, l, dst, x);
		else if (push_row(d, rows + p->leaf_at[l], p->width, x))
			all += x;
	}
	if (all > 0)
		sfab_load_add(d->load, d->m->f->ports[dst].eject, all);
}

/* To one destination from all leaves in use, but not from itself. */
static void push_all_to(struct demand *d, uint32_t rail, uint32_t i, double part)
{
	uint32_t src = rail_src(d, rail, i), dst = rail_dst(d, rail, i);

	if (dst == SFAB_NONE)
		return;
	if (src == SFAB_NONE)
		fan_in(d, dst, part, SFAB_NONE, 0);
	else
		fan_in(d, dst, part, d->m->f->ports[src].leaf, asks(d, i, src));
}

static void demand_mpi(struct demand *d)
{
	const struct sfab_spec *s = d->spec;

	if (s->n < 2)
		return;
	for (uint32_t rail = 0; rail < d->m->nrails; rail++) {
		leaves_clear(d);
		for (uint32_t i = 0; i < s->n; i++) {
			uint32_t src = rail_src(d, rail, i);

			if (src == SFAB_NONE)
				continue;
			leaf_add(d, d->m->f->ports[src].leaf, asks(d, i, src));
			inject(d, src, asks(d, i, src));
		}
		for (uint32_t i = 0; i < s->n; i++)
			push_all_to(d, rail, i, 1.0 / (s->n - 1));
	}
}

struct at_host {
	uint32_t host, index;
};

static int cmp_host(const void *a, const void *b)
{
	const struct at_host *x = a, *y = b;

	return x->host < y->host ? -1 : x->host > y->host;
}

/* Host ids follow the names, and so does Slurm's order of a job's nodes. */
static int order_hosts(struct demand *d)
{
	struct at_host *at = malloc((d->spec->n + 1u) * sizeof(*at));

	if (!at)
		return -1;
	for (uint32_t i = 0; i < d->spec->n; i++) {
		at[i].host = d->spec->host[i];
		at[i].index = i;
	}
	qsort(at, d->spec->n, sizeof(*at), cmp_host);
	for (uint32_t i = 0; i < d->spec->n; i++)
		d->order[i] = at[i].index;
	free(at);
	return 0;
}

static void demand_neighbor(struct demand *d)
{
	uint32_t n = d->spec->n;

	if (n < 2)
		return;
	if (order_hosts(d) < 0) {
		d->failed = 1;
		return;
	}
	for (uint32_t rail = 0; rail < d->m->nrails; rail++)
		for (uint32_t k = 0; k < n; k++) {
			uint32_t i = d->order[k], src = rail_src(d, rail, i);
			uint32_t next = rail_dst(d, rail, d->order[(k + 1) % n]);
			uint32_t prev = rail_dst(d, rail, d->order[(k + n - 1) % n]);
			double half;

			if (src == SFAB_NONE)
				continue;
			half = asks(d, i, src) / 2;
			inject(d, src, 2 * half);
			if (next != SFAB_NONE)
				push(d, d->m->f->ports[src].leaf, next, half);
			if (prev != SFAB_NONE)
				push(d, d->m->f->ports[src].leaf, prev, half);
		}
}

/* A client port on a rail, or SFAB_NONE if it does no IO there. */
static uint32_t client_port(const struct demand *d, uint32_t rail, uint32_t i)
{
	return d->members[i] ? rail_src(d, rail, i) : SFAB_NONE;
}

static void count_members(struct demand *d, uint32_t set, uint32_t rail)
{
	for (uint32_t i = 0; i < d->spec->n; i++) {
		uint32_t src = rail_src(d, rail, i);

		d->members[i] = src == SFAB_NONE ? 0 :
			sfab_model_members(d->m, set, d->spec->host[i],
					   d->m->f->ports[src].leaf,
					   d->m->rail_plane[rail]);
	}
}

/* Sum up by leaf what the clients send to member @k. */
static double sum_clients(struct demand *d, uint32_t set, uint32_t rail, uint32_t k)
{
	double all = 0;

	leaves_clear(d);
	for (uint32_t i = 0; i < d->spec->n; i++) {
		uint32_t port = client_port(d, rail, i), leaf;
		double x;

		if (port == SFAB_NONE)
			continue;
		leaf = d->m->f->ports[port].leaf;
		if (!sfab_model_uses(d->m, set, d->spec->host[i], leaf, k))
			continue;
		x = asks(d, i, port) / d->members[i];
		leaf_add(d, leaf, x);
		all += x;
	}
	return all;
}

static void demand_write(struct demand *d, uint32_t set, uint32_t rail)
{
	const struct sfab_ioset *s = &d->m->io->set[set];

	for (uint32_t k = 0; k < s->nmembers; k++) {
		uint32_t port = d->m->io->ioport[s->member[k]];
		double all;

		if (d->m->f->ports[port].plane != d->m->rail_plane[rail])
			continue;
		all = sum_clients(d, set, rail, k);
		if (!(all > 0))
			continue;
		sfab_load_add(d->load, d->m->f->nlinks + s->member[k], all);
		fan_in(d, port, 1, SFAB_NONE, 0);
	}
	for (uint32_t i = 0; i < d->spec->n; i++) {
		uint32_t port = client_port(d, rail, i);

		if (port != SFAB_NONE)
			inject(d, port, asks(d, i, port));
	}
}

/* What the members send to one client, summed up by their leaves. */
static void read_client(struct demand *d, uint32_t set, uint32_t rail,
			uint32_t i, uint32_t client)
{
	const struct sfab_ioset *s = &d->m->io->set[set];
	double x = asks(d, i, client) / d->members[i];

	leaves_clear(d);
	for (uint32_t k = 0; k < s->nmembers; k++) {
		const struct sfab_port *p;

		p = &d->m->f->ports[d->m->io->ioport[s->member[k]]];
		if (p->plane != d->m->rail_plane[rail] || p->leaf == SFAB_NONE ||
		    !sfab_model_uses(d->m, set, d->spec->host[i],
				     d->m->f->ports[client].leaf, k))
			continue;
		leaf_add(d, p->leaf, x);
		sfab_load_add(d->load, p->inject, x);
		sfab_load_add(d->load, d->m->f->nlinks + s->member[k], x);
	}
	fan_in(d, client, 1, SFAB_NONE, 0);
}

static int demand_io(struct demand *d, const struct sfab_traffic_part *part,
		     struct sfab_err *err)
{
	uint32_t set;

	if (sfab_model_set(d->m, part, &set, err) < 0)
		return -1;
	for (uint32_t rail = 0; rail < d->m->nrails; rail++) {
		count_members(d, set, rail);
		if (part->class == SFAB_IO_WRITE) {
			demand_write(d, set, rail);
			continue;
		}
		for (uint32_t i = 0; i < d->spec->n; i++) {
			uint32_t client = client_port(d, rail, i);

			if (client != SFAB_NONE)
				read_client(d, set, rail, i, client);
		}
	}
	return 0;
}

static int demand_part(struct demand *d, const struct sfab_traffic_part *part,
		       struct sfab_err *err)
{
	d->share = part->share;
	if (!(part->share > 0))
		return 0;
	switch (part->class) {
	case SFAB_MPI:
		demand_mpi(d);
		return 0;
	case SFAB_NEIGHBOR:
		demand_neighbor(d);
		return 0;
	default:
		return demand_io(d, part, err);
	}
}

int sfab_demand(const struct sfab_model *m, const struct sfab_spec *spec,
		struct sfab_load *net, struct sfab_load *io, double *lost,
		struct sfab_err *err)
{
	struct demand d;
	int rc = demand_init(&d, m, spec);

	if (rc < 0)
		d.failed = 1;
	for (uint32_t i = 0; rc == 0 && i < spec->traffic->nparts; i++) {
		const struct sfab_traffic_part *part = &spec->traffic->part[i];

		d.load = sfab_class_is_io(part->class) ? io : net;
		rc = demand_part(&d, part, err);
		flush_tails(&d);
	}
	if (lost)
		*lost = d.lost;
	demand_free(&d);
	if (d.failed)
		return sfab_fail(err, SFAB_ENOMEM, "demand: no memory");
	return rc;
}
