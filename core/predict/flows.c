/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flows.c - who sends to whom in a part of a job's traffic; see flows.h
 *
 * demand.c sums the same traffic by resource without making single flows, which a search can
 * afford.  Both must agree on who sends what to whom: each rail by itself, an equal part to
 * each peer, IO to the members that sfab_model_uses() gives.
 */

#include "core/predict/flows.h"

#include <stdlib.h>

#include "core/ascending.h"

/* A host of the job on the current rail. */
struct flow_end {
	uint32_t leaf, kind;	/* senders with the same of both are a group */
	uint32_t index;		/* in the job */
	uint32_t port;
};

struct fan_walk {
	const struct sfab_model *m;
	const struct sfab_job *job;
	sfab_fan_fn fn;
	void *ctx;
	uint32_t rail, ngroups;
	uint32_t n;
	struct flow_end *end;	/* [n] hosts that send, by group */
	uint32_t *port;		/* [n] their ports */
	uint32_t *place;	/* by index in the job: index in the current group, or SFAB_NONE */
	struct sfab_arena arena;
};

static uint32_t src_port(const struct fan_walk *w, uint32_t host)
{
	return w->m->rail_src[(size_t) w->rail * w->m->f->nhosts + host];
}

static uint32_t dst_port(const struct fan_walk *w, uint32_t host)
{
	return w->m->rail_dst[(size_t) w->rail * w->m->f->nhosts + host];
}

static int compare_flow_ends(const void *a, const void *b)
{
	const struct flow_end *x = a, *y = b;

	return sfab_ascending_keys((uint64_t[]){ x->leaf, x->kind, x->index },
				   (uint64_t[]){ y->leaf, y->kind, y->index }, 3);
}

/* List the hosts that send on the current rail, by group.  @set: of IO, or SFAB_NONE. */
static void list_ends(struct fan_walk *w, uint32_t set)
{
	const struct sfab_ioset *s = set == SFAB_NONE ? NULL : &w->m->io->set[set];

	w->n = 0;
	/*
	 * Clients of one leaf talk to the same members if the site put them into one group of
	 * clients.  A host that is a server too does not talk to itself, so it is alone.
	 */
	for (uint32_t i = 0; i < w->job->n; i++) {
		uint32_t host = w->job->host[i], port = src_port(w, host);

		if (port == SFAB_NONE)
			continue;
		w->end[w->n++] = (struct flow_end) {
			.leaf = w->m->f->ports[port].leaf,
			.kind = !s ? 0 : w->m->io_host[host] ? SFAB_NONE - 1 - host :
				s->map == SFAB_IOMAP_GROUP ? s->client_group[host] : 0,
			.index = i, .port = port,
		};
	}
	qsort(w->end, w->n, sizeof(*w->end), compare_flow_ends);
	for (uint32_t i = 0; i < w->n; i++)
		w->port[i] = w->end[i].port;
}

/* Begin the next group, whose first end is @first.  Return it. */
static struct sfab_senders begin_group(struct fan_walk *w, uint32_t first)
{
	struct sfab_senders senders = { .group = w->ngroups++, .port = w->port + first };

	while (first + senders.n < w->n &&
	       w->end[first + senders.n].leaf == w->end[first].leaf &&
	       w->end[first + senders.n].kind == w->end[first].kind)
		senders.n++;
	return senders;
}

/* Begin a group of one sender, whose port is at @port.  Return it. */
static struct sfab_senders begin_group_of_one(struct fan_walk *w, const uint32_t *port)
{
	return (struct sfab_senders) { .group = w->ngroups++, .n = 1, .port = port };
}

/* Pass on the fans of class mpi: each group has one fan for each host that receives. */
static int walk_mpi_fans(struct fan_walk *w)
{
	const struct sfab_job *s = w->job;
	int rc = 0;

	list_ends(w, SFAB_NONE);
	for (uint32_t i = 0; i < w->n && rc == 0;) {
		struct sfab_senders senders = begin_group(w, i);

		for (uint32_t k = 0; k < senders.n; k++)
			w->place[w->end[i + k].index] = k;
		for (uint32_t k = 0; k < s->n && rc == 0; k++) {
			uint32_t dst = dst_port(w, s->host[k]);

			if (dst != SFAB_NONE && (senders.n > 1 || w->place[k] != 0))
				rc = w->fn(w->ctx, &senders, w->place[k], dst, SFAB_NONE,
					   1.0 / (s->n - 1));
		}
		for (uint32_t k = 0; k < senders.n; k++)
			w->place[w->end[i + k].index] = SFAB_NONE;
		i += senders.n;
	}
	return rc;
}

/*
 * Pass on the fans of pattern neighbor.  In a ring of two both neighbors are the same host,
 * which gets both halves.
 */
static int walk_neighbor_fans(struct fan_walk *w)
{
	uint32_t n = w->job->n, *host = sfab_arena_take(&w->arena, n, sizeof(*host));
	int rc = 0;

	if (!host)
		return -1;
	for (uint32_t i = 0; i < n; i++)
		host[i] = w->job->host[i];
	/* The ring follows host ids, as in demand.c. */
	qsort(host, n, sizeof(*host), sfab_ascending_u32);
	for (uint32_t i = 0; rc == 0 && n > 1 && i < n; i++) {
		const uint32_t to[] = { host[(i + 1) % n], host[(i + n - 1) % n] };
		uint32_t src = src_port(w, host[i]);
		struct sfab_senders senders = begin_group_of_one(w, &src);

		for (int k = 0; rc == 0 && src != SFAB_NONE && k < 2; k++)
			if (dst_port(w, to[k]) != SFAB_NONE)
				rc = w->fn(w->ctx, &senders, SFAB_NONE, dst_port(w, to[k]),
					   SFAB_NONE, 0.5);
	}
	return rc;
}

/* Does the host of @e talk to member @k of @set on the current rail? */
static int talks_to(const struct fan_walk *w, uint32_t set, const struct flow_end *e,
		    uint32_t k)
{
	uint32_t port = w->m->io->ioport[w->m->io->set[set].member[k]];

	return w->m->f->ports[port].plane == w->m->rail_plane[w->rail] &&
	       sfab_model_uses(w->m, set, w->job->host[e->index], e->leaf, k);
}

/* Return the part of its demand that the host of @e exchanges with each member of @set. */
static double part_of_member(const struct fan_walk *w, uint32_t set,
			     const struct flow_end *e)
{
	return 1.0 / sfab_model_count_members(w->m, set, w->job->host[e->index], e->leaf,
					      w->m->rail_plane[w->rail]);
}

static int walk_write_fans(struct fan_walk *w, uint32_t set)
{
	const struct sfab_ioset *s = &w->m->io->set[set];

	for (uint32_t i = 0; i < w->n;) {
		struct sfab_senders senders = begin_group(w, i);
		double part = part_of_member(w, set, &w->end[i]);

		for (uint32_t k = 0; k < s->nmembers; k++)
			if (talks_to(w, set, &w->end[i], k) &&
			    w->fn(w->ctx, &senders, SFAB_NONE, w->m->io->ioport[s->member[k]],
				  w->m->f->nlinks + s->member[k], part) < 0)
				return -1;
		i += senders.n;
	}
	return 0;
}

/* Pass on the fans of reads.  Each server is a group of its own. */
static int walk_read_fans(struct fan_walk *w, uint32_t set)
{
	const struct sfab_ioset *s = &w->m->io->set[set];
	double *part = sfab_arena_take(&w->arena, w->n, sizeof(*part));
	int rc = part ? 0 : -1;

	for (uint32_t i = 0; part && i < w->n; i++)
		part[i] = part_of_member(w, set, &w->end[i]);
	for (uint32_t k = 0; rc == 0 && k < s->nmembers; k++) {
		struct sfab_senders senders =
			begin_group_of_one(w, &w->m->io->ioport[s->member[k]]);

		for (uint32_t i = 0; rc == 0 && i < w->n; i++)
			if (talks_to(w, set, &w->end[i], k))
				rc = w->fn(w->ctx, &senders, SFAB_NONE, w->end[i].port,
					   w->m->f->nlinks + s->member[k], part[i]);
	}
	return rc;
}

int sfab_flows_fan(const struct sfab_model *m, const struct sfab_job *job,
		   const struct sfab_traffic_part *part, sfab_fan_fn fn, void *ctx,
		   struct sfab_err *err)
{
	struct fan_walk w = { .m = m, .job = job, .fn = fn, .ctx = ctx };
	uint32_t set = SFAB_NONE;
	int rc = 0;

	if (sfab_class_is_io(part->class) && sfab_model_find_set(m, part, &set, err) < 0)
		return -1;
	w.end = sfab_arena_take(&w.arena, job->n, sizeof(*w.end));
	w.port = sfab_arena_take(&w.arena, job->n, sizeof(*w.port));
	w.place = sfab_arena_take_ones(&w.arena, job->n, sizeof(*w.place));
	if (w.arena.failed)
		rc = -1;
	for (w.rail = 0; rc == 0 && w.rail < m->nrails; w.rail++) {
		if (part->class == SFAB_MPI) {
			rc = walk_mpi_fans(&w);
		} else if (part->class == SFAB_NEIGHBOR) {
			rc = walk_neighbor_fans(&w);
		} else {
			list_ends(&w, set);
			rc = part->class == SFAB_IO_WRITE ? walk_write_fans(&w, set) :
							    walk_read_fans(&w, set);
		}
	}
	sfab_arena_free(&w.arena);
	return rc < 0 ? sfab_no_memory(err) : 0;
}

struct each_flow {
	sfab_flow_fn fn;
	void *ctx;
};

static int report_each(void *ctx, const struct sfab_senders *senders, uint32_t except,
		       uint32_t dst, uint32_t io_res, double weight)
{
	const struct each_flow *e = ctx;

	for (uint32_t i = 0; i < senders->n; i++)
		if (i != except && e->fn(e->ctx, senders->port[i], dst, io_res, weight) < 0)
			return -1;
	return 0;
}

int sfab_flows(const struct sfab_model *m, const struct sfab_job *job,
	       const struct sfab_traffic_part *part, sfab_flow_fn fn, void *ctx,
	       struct sfab_err *err)
{
	struct each_flow e = { fn, ctx };

	return sfab_flows_fan(m, job, part, report_each, &e, err);
}
