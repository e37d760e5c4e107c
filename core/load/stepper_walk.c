/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stepper_walk.c - the loads of one step; see stepper_private.h
 *
 * The table of who sends to whom is kept from job to job: a search asks about many sets
 * of the same size.
 */

#include "core/load/stepper_private.h"

#include <stdlib.h>

uint32_t sfab_stepper_add_link(struct sfab_stepper *sp, uint32_t res)
{
	uint32_t at = sp->nwalked++;

	sp->res[at] = res;
	sp->load[at] = 0;
	sp->inv_cap[at] = sp->m->inv_cap[res];
	sp->beside[at] = sp->c->background ? sp->c->background[res] : 0;
	return at;
}

int sfab_stepper_make_peers(struct sfab_stepper *sp, uint32_t n)
{
	uint32_t nsteps = sfab_pattern_steps(SFAB_ALLREDUCE, n);

	if (sp->turn && sp->peers_of == n)
		return 0;
	free(sp->turn);
	free(sp->allreduce);
	sp->turn = malloc((2u * (size_t) n + 1) * sizeof(*sp->turn));
	sp->allreduce = malloc(((size_t) nsteps * n + 1) * sizeof(*sp->allreduce));
	sp->peers_of = n;
	if (!sp->turn || !sp->allreduce) {
		free(sp->turn);
		sp->turn = NULL;
		return -1;
	}
	for (uint32_t i = 0; i < n; i++)
		sp->turn[i] = sp->turn[n + i] = i;
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
		const struct step_flow *w = &sp->flow[(size_t) rail * n];

		for (uint32_t i = 0; i < n; i++)
			if (w[i].src != SFAB_NONE &&
			    sp->exceeds[(size_t) w[i].leaf_index * n + peer[i]])
				return 0;
	}
	return 1;
}

/* Add @x, which must be > 0, to a link. */
static inline void add_to_link(struct sfab_stepper *sp, uint32_t at, double x)
{
	if (sp->load[at] == 0)
		sp->touched[sp->ntouched++] = at;
	sp->load[at] += x;
}

/* -- one step ----------------------------------------------------------------- */

/*
 * Add the load of each flow along its route; *@lost grows by the flows without one.  -1: out of
 * memory.
 */
static int walk_routes(struct sfab_stepper *sp, const struct step_flow *w,
		       const uint32_t *peer, uint64_t *lost)
{
	for (uint32_t i = 0; i < sp->c->n; i++) {
		struct sfab_leaf_route route;
		int rc;

		if (w[i].src == SFAB_NONE || !(w[i].rate > 0) || peer[i] == SFAB_NONE ||
		    w[peer[i]].dst == SFAB_NONE)
			continue;
		rc = sfab_model_leaf_route(sp->m, sp->leaf[w[i].leaf_index].leaf, w[peer[i]].dst,
					   &sp->walk, &route);
		if (rc < 0)
			return -1;
		*lost += rc == 0;
		for (uint32_t k = 0; k < route.n; k++) {
			struct sfab_hop hop = sfab_leaf_route_hop(&route, k);
			uint32_t *walked = &sp->number[hop.link];	/* among those walked */

			if (*walked == SFAB_NONE)
				*walked = sfab_stepper_add_link(sp, hop.link);
			add_to_link(sp, *walked, w[i].rate * hop.share);
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
		const struct step_flow *w = &sp->flow[(size_t) rail * n];

		if (!sp->is_bound) {
			if (walk_routes(sp, w, peer, lost) < 0)
				return -1;
			continue;
		}
		for (uint32_t i = 0; i < n; i++) {
			size_t at;

			if (w[i].src == SFAB_NONE || peer[i] == SFAB_NONE)
				continue;
			at = (size_t) w[i].leaf_index * n + peer[i];
			if (sp->nlost)
				*lost += sp->exceeds[at] == STEPS_LOST;
			for (uint32_t h = sp->row[at]; w[i].rate > 0 && h < sp->row[at + 1]; h++)
				add_to_link(sp, sp->hop[h],
					    sp->share ? w[i].rate * sp->share[h] : w[i].rate);
		}
	}
	return 0;
}

/* -- end ports -------------------------------------------------------------- */

/*
 * Return how full the fullest end port in sp->ends is, with @b, and clear sp->ends.  Loads of a
 * port are summed first: on hosts with fewer ports than others one port serves several rails.
 */
static double clear_ends(struct sfab_stepper *sp, const double *b)
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
		const struct step_flow *w = &sp->flow[i];

		if (w->src != SFAB_NONE)
			sfab_load_add(&sp->ends, port[w->src].inject, w->rate);
		if (w->dst != SFAB_NONE)
			sfab_load_add(&sp->ends, port[w->dst].eject, rate);
	}
	return clear_ends(sp, b);
}

double sfab_stepper_ends(struct sfab_stepper *sp, const uint32_t *peer, const double *b)
{
	const struct sfab_port *port = sp->m->f->ports;
	uint32_t n = sp->c->n;

	for (uint32_t i = 0; i < n * sp->m->nrails; i++) {
		const struct step_flow *w = &sp->flow[i];
		uint32_t to = peer[i % n], dst;
		struct sfab_leaf_route route;

		if (w->src == SFAB_NONE || to == SFAB_NONE)
			continue;
		dst = sp->flow[i - i % n + to].dst;
		if (dst == SFAB_NONE)
			continue;
		/* A flow without a route loads no end port. */
		if (sp->is_bound ? sp->exceeds[(size_t) w->leaf_index * n + to] == STEPS_LOST :
				   !sfab_model_leaf_route(sp->m, sp->leaf[w->leaf_index].leaf, dst,
							  &sp->walk,
							  &route))
			continue;
		sfab_load_add(&sp->ends, port[w->src].inject, w->rate);
		sfab_load_add(&sp->ends, port[dst].eject, w->rate);
	}
	return clear_ends(sp, b);
}
