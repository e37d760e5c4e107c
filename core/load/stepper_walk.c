/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stepper_walk.c - the loads of one step; see stepper_private.h
 *
 * The table of who sends to whom is kept from job to job: a search asks about many sets of the
 * same size.
 */

#include "core/load/stepper_private.h"

#include <stdlib.h>

uint32_t sfab_stepper_add_link(struct sfab_stepper *sp, uint32_t res)
{
	uint32_t index = sp->nwalked++;

	sp->res[index] = res;
	sp->load[index] = 0;
	sp->inv_cap[index] = sp->m->inv_cap[res];
	sp->beside[index] = sp->c->background ? sp->c->background[res] : 0;
	return index;
}

int sfab_stepper_make_peers(struct sfab_stepper *sp, uint32_t n)
{
	uint32_t nsteps = sfab_pattern_steps(SFAB_ALLREDUCE, n);

	if (sp->rotation && sp->npeers == n)
		return 0;
	free(sp->rotation);
	free(sp->allreduce);
	sp->rotation = malloc((2u * (size_t) n + 1) * sizeof(*sp->rotation));
	sp->allreduce = malloc(((size_t) nsteps * n + 1) * sizeof(*sp->allreduce));
	sp->npeers = n;
	if (!sp->rotation || !sp->allreduce) {
		free(sp->rotation);
		sp->rotation = NULL;
		return -1;
	}
	for (uint32_t i = 0; i < n; i++)
		sp->rotation[i] = sp->rotation[n + i] = i;
	for (uint32_t s = 0; s < nsteps; s++)
		for (uint32_t i = 0; i < n; i++)
			sp->allreduce[(size_t) s * n + i] =
				sfab_pattern_peer(SFAB_ALLREDUCE, n, s, i);
	return 0;
}

int sfab_stepper_is_settled(const struct sfab_stepper *sp, enum sfab_pattern pattern,
			    const uint32_t *peer)
{
	uint32_t n = sp->c->n;

	if (!sp->is_bound || !peer || pattern == SFAB_ALLREDUCE)
		return 0;
	for (uint32_t rail = 0; rail < sp->m->nrails; rail++) {
		const struct step_flow *flow = &sp->flow[(size_t) rail * n];

		for (uint32_t i = 0; i < n; i++)
			if (flow[i].src != SFAB_NONE &&
			    sp->exceeds[(size_t) flow[i].leaf_index * n + peer[i]])
				return 0;
	}
	return 1;
}

/* Add @x, which must be > 0, to a link. */
static inline void add_to_link(struct sfab_stepper *sp, uint32_t index, double x)
{
	if (sp->load[index] == 0)
		sp->touched[sp->ntouched++] = index;
	sp->load[index] += x;
}

/* -- one step ----------------------------------------------------------------- */

/*
 * Add the load of each flow along its route.  *@lost grows by the flows without one.  -1: out
 * of memory.
 */
static int walk_routes(struct sfab_stepper *sp, const struct step_flow *flow,
		       const uint32_t *peer, uint64_t *lost)
{
	for (uint32_t i = 0; i < sp->c->n; i++) {
		struct sfab_leaf_route route;
		int rc;

		if (flow[i].src == SFAB_NONE || !(flow[i].rate > 0) || peer[i] == SFAB_NONE ||
		    flow[peer[i]].dst == SFAB_NONE)
			continue;
		rc = sfab_model_leaf_route(sp->m, sp->leaf[flow[i].leaf_index].leaf,
					   flow[peer[i]].dst, &sp->walk, &route);
		if (rc < 0)
			return -1;
		*lost += rc == 0;
		for (uint32_t k = 0; k < route.n; k++) {
			struct sfab_hop hop = sfab_leaf_route_hop(&route, k);
			uint32_t *walked = &sp->number[hop.link];	/* among those walked */

			if (*walked == SFAB_NONE)
				*walked = sfab_stepper_add_link(sp, hop.link);
			add_to_link(sp, *walked, flow[i].rate * hop.share);
		}
	}
	return 0;
}

int sfab_stepper_walk(struct sfab_stepper *sp, const uint32_t *peer, uint64_t *lost)
{
	uint32_t n = sp->c->n;

	for (uint32_t i = 0; i < sp->ntouched; i++)
		sp->load[sp->touched[i]] = 0;
	sp->ntouched = 0;
	sp->nadded += (uint64_t) n * sp->m->nrails;
	for (uint32_t rail = 0; rail < sp->m->nrails; rail++) {
		const struct step_flow *flow = &sp->flow[(size_t) rail * n];

		if (!sp->is_bound) {
			if (walk_routes(sp, flow, peer, lost) < 0)
				return -1;
			continue;
		}
		for (uint32_t i = 0; i < n; i++) {
			size_t row;

			if (flow[i].src == SFAB_NONE || peer[i] == SFAB_NONE)
				continue;
			row = (size_t) flow[i].leaf_index * n + peer[i];
			if (sp->nlost)
				*lost += sp->exceeds[row] == STEPS_LOST;
			for (uint32_t h = sp->row[row], end = sp->row[row + 1];
			     flow[i].rate > 0 && h < end; h++)
				add_to_link(sp, sp->hop[h],
					    sp->share ? flow[i].rate * sp->share[h] : flow[i].rate);
		}
	}
	return 0;
}

/* -- end ports -------------------------------------------------------------- */

/*
 * Return how full the fullest end port in sp->ends is, with @b, and clear sp->ends.  Loads of a
 * port are summed first: on hosts with fewer ports than others one port serves several rails.
 */
static double drain_ends(struct sfab_stepper *sp, const double *b)
{
	double max = 1;

	for (uint32_t i = 0; i < sp->ends.ntouched; i++) {
		uint32_t e = sp->ends.touched[i];
		double x = (sp->ends.v[e] + (b ? b[e] : 0)) * sp->m->inv_cap[e];

		max = x > max ? x : max;
	}
	sfab_load_clear(&sp->ends);
	return max;
}

double sfab_stepper_fullest_end(struct sfab_stepper *sp, const double *b)
{
	const struct sfab_port *port = sp->m->f->ports;
	uint32_t n = sp->c->n * sp->m->nrails;
	double rate = 0;

	for (uint32_t i = 0; i < n; i++)
		if (sp->flow[i].src != SFAB_NONE && sp->flow[i].rate > rate)
			rate = sp->flow[i].rate;
	for (uint32_t i = 0; i < n; i++) {
		const struct step_flow *flow = &sp->flow[i];

		if (flow->src != SFAB_NONE)
			sfab_load_add(&sp->ends, port[flow->src].inject, flow->rate);
		if (flow->dst != SFAB_NONE)
			sfab_load_add(&sp->ends, port[flow->dst].eject, rate);
	}
	return drain_ends(sp, b);
}

double sfab_stepper_ends(struct sfab_stepper *sp, const uint32_t *peer, const double *b)
{
	const struct sfab_port *port = sp->m->f->ports;
	uint32_t n = sp->c->n;

	for (uint32_t i = 0; i < n * sp->m->nrails; i++) {
		const struct step_flow *flow = &sp->flow[i];
		uint32_t to = peer[i % n], dst, leaf;
		struct sfab_leaf_route route;

		if (flow->src == SFAB_NONE || to == SFAB_NONE)
			continue;
		dst = sp->flow[i - i % n + to].dst;
		if (dst == SFAB_NONE)
			continue;
		leaf = sp->leaf[flow->leaf_index].leaf;
		/* A flow without a route loads no end port. */
		if (sp->is_bound ? sp->exceeds[(size_t) flow->leaf_index * n + to] == STEPS_LOST :
				   !sfab_model_leaf_route(sp->m, leaf, dst, &sp->walk, &route))
			continue;
		sfab_load_add(&sp->ends, port[flow->src].inject, flow->rate);
		sfab_load_add(&sp->ends, port[dst].eject, flow->rate);
	}
	return drain_ends(sp, b);
}
