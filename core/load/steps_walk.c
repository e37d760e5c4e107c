/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps_walk.c - the loads of one step
 *
 * The table of who sends to whom is kept from job to job: a search asks about many sets
 * of the same size.
 */

#include "core/load/steps_private.h"

#include <stdlib.h>
#include <string.h>

uint32_t sfab_stepper_walk_link(struct sfab_stepper *sp, uint32_t res)
{
	uint32_t at = sp->nwalked++;

	sp->res[at] = res;
	sp->load[at] = 0;
	sp->inv_cap[at] = sp->m->inv_cap[res];
	sp->around[at] = sp->c->background ? sp->c->background[res] : 0;
	sp->beside[at] = sp->c->beside ? sp->c->beside[res] : sp->around[at];
	return at;
}

int sfab_stepper_make_peers(struct sfab_stepper *sp, uint32_t n)
{
	uint32_t nsteps = sfab_pattern_steps(SFAB_HALVING, n);

	if (sp->turn && sp->peers_of == n)
		return 0;
	free(sp->turn);
	free(sp->halving);
	sp->turn = malloc((2u * (size_t) n + 1) * sizeof(*sp->turn));
	sp->halving = malloc(((size_t) nsteps * n + 1) * sizeof(*sp->halving));
	sp->peers_of = n;
	if (!sp->turn || !sp->halving) {
		free(sp->turn);
		sp->turn = NULL;
		return -1;
	}
	for (uint32_t i = 0; i < n; i++)
		sp->turn[i] = sp->turn[n + i] = i;
	for (uint32_t s = 0; s < nsteps; s++)
		for (uint32_t i = 0; i < n; i++)
			sp->halving[(size_t) s * n + i] =
				sfab_pattern_peer(SFAB_HALVING, n, s, i);
	return 0;
}

int sfab_stepper_is_settled(const struct sfab_stepper *sp, enum sfab_pattern pattern,
			    const uint32_t *peer)
{
	uint32_t n = sp->c->n;

	if (!sp->is_bound || !peer || pattern == SFAB_HALVING)
		return 0;
	for (uint32_t rail = 0; rail < sp->m->nrails; rail++) {
		const struct step_flow *w = &sp->flow[(size_t) rail * n];

		for (uint32_t i = 0; i < n; i++)
			if (w[i].src != SFAB_NONE &&
			    sp->open[(size_t) w[i].at * n + peer[i]])
				return 0;
	}
	return 1;
}

/* -- by rows ---------------------------------------------------------------- */

static uint64_t count_lost(const struct sfab_stepper *sp, const struct step_flow *w,
			   const uint32_t *peer)
{
	uint32_t n = sp->c->n;
	uint64_t lost = 0;

	for (uint32_t i = 0; i < n; i++)
		if (w[i].src != SFAB_NONE && peer[i] != SFAB_NONE)
			lost += sp->open[(size_t) w[i].at * n + peer[i]] == STEPS_LOST;
	return lost;
}

static void walk_rows(struct sfab_stepper *sp, const struct step_flow *w, const uint32_t *peer)
{
	uint32_t n = sp->c->n;
	const uint32_t *hop = sp->hop;
	const double *share = sp->share;
	double *load = sp->load;

	for (uint32_t i = 0; i < n; i++) {
		const uint32_t *row;

		if (w[i].src == SFAB_NONE || peer[i] == SFAB_NONE)
			continue;
		row = &sp->row[(size_t) w[i].at * n + peer[i]];
		for (uint32_t h = row[0]; h < row[1]; h++)
			load[hop[h]] += share ? w[i].rate * share[h] : w[i].rate;
	}
}

/* -- by routes, where there are no rows -------------------------------------- */

/* Send @x bytes/s from @leaf to end port @dst. */
static int walk_route(struct sfab_stepper *sp, uint32_t leaf, uint32_t dst, double x,
		     uint64_t *lost)
{
	int rc = sfab_stepper_way(sp, leaf, dst);

	*lost += rc == 0;
	for (uint32_t i = 0; rc > 0 && i < sp->way.n; i++) {
		uint32_t res = sp->way.hop[i].link, l = sfab_stepper_link(sp, res);

		if (sp->link[l].at == SFAB_NONE)
			sp->link[l].at = sfab_stepper_walk_link(sp, res);
		sp->load[sp->link[l].at] += x * sp->way.hop[i].share;
	}
	return rc < 0 ? -1 : 0;
}

static int walk_routes(struct sfab_stepper *sp, const struct step_flow *w,
		      const uint32_t *peer, uint64_t *lost)
{
	for (uint32_t i = 0; i < sp->c->n; i++)
		if (w[i].src != SFAB_NONE && peer[i] != SFAB_NONE &&
		    w[peer[i]].dst != SFAB_NONE &&
		    walk_route(sp, sp->leaf[w[i].at].leaf, w[peer[i]].dst, w[i].rate,
			       lost) < 0)
			return -1;
	return 0;
}

/*
 * -- all at once: the mean of all shifts, so the bound of shifts holds here too -----
 */

/* What leaf @k sends to the rank of @w, bytes/s. */
static double sends_at_once(const struct sfab_stepper *sp, uint32_t k,
			    const struct step_flow *w)
{
	double own = w->src != SFAB_NONE && w->at == k ? w->rate : 0;

	return w->dst == SFAB_NONE ? 0 : (sp->leaf[k].sends - own) / (sp->c->n - 1);
}

/* Send @x bytes/s over the row @at. */
static void add_row(struct sfab_stepper *sp, size_t at, double x)
{
	for (uint32_t h = sp->row[at]; h < sp->row[at + 1]; h++)
		sp->load[sp->hop[h]] += sp->share ? x * sp->share[h] : x;
}

static int walk_at_once(struct sfab_stepper *sp, uint32_t rail)
{
	uint32_t n = sp->c->n;
	const struct step_flow *w = &sp->flow[(size_t) rail * n];
	uint64_t lost = 0;

	for (uint32_t k = sp->first[rail]; k < sp->first[rail + 1]; k++)
		for (uint32_t i = 0; i < n; i++) {
			double x = sends_at_once(sp, k, &w[i]);

			if (!(x > 0))
				continue;
			if (sp->is_bound)
				add_row(sp, (size_t) k * n + i, x);
			else if (walk_route(sp, sp->leaf[k].leaf, w[i].dst, x, &lost) < 0)
				return -1;
		}
	return 0;
}

static int walk_all(struct sfab_stepper *sp)
{
	for (uint32_t rail = 0; rail < sp->m->nrails; rail++)
		if (walk_at_once(sp, rail) < 0)
			return -1;
	return 0;
}

int sfab_stepper_walk(struct sfab_stepper *sp, const uint32_t *peer, uint64_t *lost)
{
	memset(sp->load, 0, sp->nwalked * sizeof(*sp->load));
	if (!peer)
		return walk_all(sp);
	for (uint32_t rail = 0; rail < sp->m->nrails; rail++) {
		const struct step_flow *w = &sp->flow[(size_t) rail * sp->c->n];

		if (!sp->is_bound) {
			if (walk_routes(sp, w, peer, lost) < 0)
				return -1;
			continue;
		}
		walk_rows(sp, w, peer);
		if (sp->nlost)
			*lost += count_lost(sp, w, peer);
	}
	return 0;
}

/*
 * -- end ports: of hosts with fewer ports than others one serves several rails ----
 */

/* The fullest of the end ports in sp->ends, with @b; forgets them. */
static double clear_ends(struct sfab_stepper *sp, const double *b)
{
	double most = 1;

	for (uint32_t i = 0; i < sp->ends.ntouched; i++) {
		uint32_t e = sp->ends.touched[i];
		double x = (sp->ends.v[e] + (b ? b[e] : 0)) * sp->m->inv_cap[e];

		most = x > most ? x : most;
	}
	sfab_load_clear(&sp->ends);
	return most;
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

/* 0: the flow has no route. */
static int arrives(struct sfab_stepper *sp, const struct step_flow *w, uint32_t peer,
		   uint32_t dst)
{
	if (sp->is_bound)
		return sp->open[(size_t) w->at * sp->c->n + peer] != STEPS_LOST;
	return sfab_stepper_way(sp, sp->leaf[w->at].leaf, dst) != 0;
}

/* Routes that are lost count as if they were there. */
static void load_ends_at_once(struct sfab_stepper *sp, const struct step_flow *w)
{
	const struct sfab_port *port = sp->m->f->ports;
	uint32_t n = sp->c->n;
	double all = 0;

	for (uint32_t i = 0; i < n; i++)
		all += w[i].src != SFAB_NONE ? w[i].rate : 0;
	for (uint32_t i = 0; i < n; i++) {
		double own = w[i].src != SFAB_NONE ? w[i].rate : 0;

		if (w[i].src != SFAB_NONE)
			sfab_load_add(&sp->ends, port[w[i].src].inject, own);
		if (w[i].dst != SFAB_NONE)
			sfab_load_add(&sp->ends, port[w[i].dst].eject, (all - own) / (n - 1));
	}
}

double sfab_stepper_ends(struct sfab_stepper *sp, const uint32_t *peer, const double *b)
{
	const struct sfab_port *port = sp->m->f->ports;
	uint32_t n = sp->c->n;

	for (uint32_t rail = 0; !peer && rail < sp->m->nrails; rail++)
		load_ends_at_once(sp, &sp->flow[(size_t) rail * n]);
	if (!peer)
		return clear_ends(sp, b);
	for (uint32_t i = 0; i < n * sp->m->nrails; i++) {
		const struct step_flow *w = &sp->flow[i];
		uint32_t to = peer[i % n], dst;

		if (w->src == SFAB_NONE || to == SFAB_NONE)
			continue;
		dst = sp->flow[i - i % n + to].dst;
		if (dst == SFAB_NONE || !arrives(sp, w, to, dst))
			continue;
		sfab_load_add(&sp->ends, port[w->src].inject, w->rate);
		sfab_load_add(&sp->ends, port[dst].eject, w->rate);
	}
	return clear_ends(sp, b);
}
