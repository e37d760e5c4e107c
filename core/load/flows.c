/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flows.c - the individual flows of a part of a job's traffic, for prediction
 *
 * demand.c sums the same traffic by resource without making single flows, which a
 * search can afford.  Both must agree on who sends what to whom: each rail by itself,
 * an equal part to each peer, IO to the members that sfab_model_uses() gives.
 */

#include "core/load/model.h"

#include <stdlib.h>

#include "core/ascending.h"

struct flows {
	const struct sfab_model *m;
	const struct sfab_spec *spec;
	sfab_flow_fn fn;
	void *ctx;
};

static uint32_t src_port(const struct flows *w, uint32_t rail, uint32_t host)
{
	return w->m->rail_src[(size_t) rail * w->m->f->nhosts + host];
}

static uint32_t dst_port(const struct flows *w, uint32_t rail, uint32_t host)
{
	return w->m->rail_dst[(size_t) rail * w->m->f->nhosts + host];
}

static int report_flow(const struct flows *w, uint32_t rail, uint32_t from,
		       uint32_t to, double weight)
{
	uint32_t src = src_port(w, rail, from), dst = dst_port(w, rail, to);

	if (src == SFAB_NONE || dst == SFAB_NONE)
		return 0;
	return w->fn(w->ctx, src, dst, SFAB_NONE, weight);
}

static int flows_mpi(const struct flows *w)
{
	const struct sfab_spec *s = w->spec;

	for (uint32_t rail = 0; rail < w->m->nrails; rail++)
		for (uint32_t i = 0; i < s->n; i++)
			for (uint32_t k = 0; k < s->n; k++)
				if (i != k &&
				    report_flow(w, rail, s->host[i], s->host[k],
						1.0 / (s->n - 1)) < 0)
					return -1;
	return 0;
}

static int report_ring(const struct flows *w, const uint32_t *host)
{
	uint32_t n = w->spec->n;

	for (uint32_t rail = 0; rail < w->m->nrails; rail++)
		for (uint32_t i = 0; i < n; i++)
			if (report_flow(w, rail, host[i], host[(i + 1) % n],
					0.5) < 0 ||
			    report_flow(w, rail, host[i], host[(i + n - 1) % n],
					0.5) < 0)
				return -1;
	return 0;
}

static int flows_neighbor(const struct flows *w)
{
	uint32_t *host = calloc(w->spec->n + 1u, sizeof(*host));
	int rc;

	if (!host)
		return -1;
	for (uint32_t i = 0; i < w->spec->n; i++)
		host[i] = w->spec->host[i];
	/* The ring follows host ids, as in demand.c. */
	qsort(host, w->spec->n, sizeof(*host), sfab_ascending_u32);
	rc = w->spec->n > 1 ? report_ring(w, host) : 0;
	free(host);
	return rc;
}

static int client_flows(const struct flows *w, uint32_t set, uint32_t rail,
			uint32_t host, int write)
{
	const struct sfab_ioset *s = &w->m->io->set[set];
	uint32_t client = src_port(w, rail, host), plane = w->m->rail_plane[rail];
	uint32_t leaf, n;

	if (client == SFAB_NONE)
		return 0;
	leaf = w->m->f->ports[client].leaf;
	n = sfab_model_members(w->m, set, host, leaf, plane);
	for (uint32_t k = 0; k < s->nmembers; k++) {
		uint32_t port = w->m->io->ioport[s->member[k]];

		if (w->m->f->ports[port].plane != plane ||
		    !sfab_model_uses(w->m, set, host, leaf, k))
			continue;
		if (w->fn(w->ctx, write ? client : port, write ? port : client,
			  w->m->f->nlinks + s->member[k], 1.0 / n) < 0)
			return -1;
	}
	return 0;
}

static int flows_io(const struct flows *w, const struct sfab_traffic_part *part,
		    struct sfab_err *err)
{
	uint32_t set;

	if (sfab_model_set(w->m, part, &set, err) < 0)
		return -1;
	for (uint32_t rail = 0; rail < w->m->nrails; rail++)
		for (uint32_t i = 0; i < w->spec->n; i++)
			if (client_flows(w, set, rail, w->spec->host[i],
					 part->class == SFAB_IO_WRITE) < 0)
				return sfab_no_memory(err);
	return 0;
}

int sfab_flows(const struct sfab_model *m, const struct sfab_spec *spec,
	       const struct sfab_traffic_part *part, sfab_flow_fn fn, void *ctx,
	       struct sfab_err *err)
{
	struct flows w = { m, spec, fn, ctx };
	int rc = 0;

	switch (part->class) {
	case SFAB_MPI:
		rc = flows_mpi(&w);
		break;
	case SFAB_NEIGHBOR:
		rc = flows_neighbor(&w);
		break;
	default:
		return flows_io(&w, part, err);
	}
	return rc < 0 ? sfab_no_memory(err) : 0;
}
