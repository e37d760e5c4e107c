/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps_bound.c - the most that a link can carry in any shift
 *
 * In a step every destination receives from one rank.  A link therefore carries
 * no more than all destinations that are sent over it, and no more than all
 * sources that send over it.  In a shift by s the ranks lo .. hi send to lo + s
 * .. hi + s.  So of the destinations only those count that fit into one window
 * of that length, wherever it lies.  The intended case is k leaves x the same m
 * classes: a window of m ranks holds one destination of each class.
 *
 * 	leaf 1: ranks 0 1 2        destinations by their uplink from leaf 1
 * 	                           . . . | a b c | a b c | a b c
 * 	                                     +-----+  any window of 3: a, b, c once
 */

#include "core/load/steps_private.h"

#include <stdlib.h>

/* For each link, take the largest share of any route to one destination. */
static int gather_way(struct sfab_stepper *sp, uint32_t leaf, uint32_t dst)
{
	struct sfab_load *l = &sp->step;
	int rc = dst == SFAB_NONE ? 0 : sfab_stepper_way(sp, leaf, dst);

	for (uint32_t i = 0; rc > 0 && i < sp->way.n; i++) {
		const struct sfab_hop *h = &sp->way.hop[i];

		if (h->share > l->v[h->link])
			sfab_load_add(l, h->link, h->share - l->v[h->link]);
	}
	return rc < 0 ? -1 : 0;
}

static int grow_uses(struct sfab_stepper *sp)
{
	uint32_t room = sp->room ? 2 * sp->room : 1024;
	struct step_use *more;

	if (sp->nuses < sp->room)
		return 0;
	more = realloc(sp->use, room * sizeof(*more));
	if (!more)
		return -1;
	sp->use = more;
	sp->room = room;
	return 0;
}

/* Destination @rank may get @share of its traffic over link @e. */
static int add_use(struct sfab_stepper *sp, uint32_t e, uint32_t rank, double share)
{
	struct step_link *k = &sp->link[e];

	if (grow_uses(sp) < 0)
		return -1;
	if (sp->over.v[e] == 0.0) {
		*k = (struct step_link){ .lo = SFAB_NONE, .uses = SFAB_NONE };
		sfab_load_add(&sp->over, e, 1);
	}
	sp->use[sp->nuses] = (struct step_use){ rank, k->uses, share };
	k->uses = sp->nuses++;
	k->by_dst += share;
	return 0;
}

static int use_links(struct sfab_stepper *sp, uint32_t rail)
{
	const struct step_flow *w = &sp->flow[rail * sp->c->n];
	struct sfab_load *l = &sp->step;

	for (uint32_t i = 0; i < sp->c->n; i++) {
		for (uint32_t k = sp->first[rail]; k < sp->first[rail + 1]; k++)
			if (gather_way(sp, sp->leaf[k].leaf, w[i].dst) < 0)
				return -1;
		for (uint32_t k = 0; k < l->ntouched; k++)
			if (add_use(sp, l->touched[k], i, l->v[l->touched[k]]) < 0)
				return -1;
		sfab_load_clear(l);
	}
	return 0;
}

/* Find the ranks that send over the links in use. */
static int send_links(struct sfab_stepper *sp, uint32_t rail)
{
	const struct step_flow *w = &sp->flow[rail * sp->c->n];
	struct sfab_load *l = &sp->step;

	for (uint32_t k = sp->first[rail]; k < sp->first[rail + 1]; k++) {
		const struct step_leaf *leaf = &sp->leaf[k];

		for (uint32_t i = 0; i < sp->c->n; i++)
			if (gather_way(sp, leaf->leaf, w[i].dst) < 0)
				return -1;
		for (uint32_t i = 0; i < l->ntouched; i++) {
			struct step_link *e = &sp->link[l->touched[i]];

			e->by_src += leaf->sends * l->v[l->touched[i]];
			e->lo = leaf->lo < e->lo ? leaf->lo : e->lo;
			e->hi = leaf->hi > e->hi ? leaf->hi : e->hi;
		}
		sfab_load_clear(l);
	}
	return 0;
}

/*
 * List the uses of a link by ascending rank at the end of sp->window; returns
 * their number.  The list is linked from last to first, hence the filling from
 * the end.
 */
static uint32_t list_uses(struct sfab_stepper *sp, const struct step_link *k)
{
	uint32_t n = 0;

	for (uint32_t i = k->uses; i != SFAB_NONE; i = sp->use[i].before)
		sp->window[sp->c->n - ++n] = sp->use[i];
	return n;
}

/*
 * The largest sum of shares in a window as long as the link's range of sources.
 * Windows wrap around from the last rank to the first.
 */
static double fullest_window(struct sfab_stepper *sp, const struct step_link *k)
{
	uint32_t n = sp->c->n, span = k->hi - k->lo + 1, cnt = list_uses(sp, k), end = 0;
	const struct step_use *use = sp->window + n - cnt;
	double sum = 0, most = 0;

	if (span >= n)
		return k->by_dst;
	for (uint32_t i = 0; i < cnt; i++) {
		for (; end < i + cnt; end++) {
			uint64_t rank = use[end % cnt].rank +
					(end < cnt ? 0 : (uint64_t) n);

			if (rank >= (uint64_t) use[i].rank + span)
				break;
			sum += use[end % cnt].share;
		}
		most = sum > most ? sum : most;
		sum -= use[i].share;
	}
	return most;
}

static double fastest_port_rate(const struct sfab_stepper *sp, uint32_t rail)
{
	const struct step_flow *w = &sp->flow[rail * sp->c->n];
	double most = 0;

	for (uint32_t i = 0; i < sp->c->n; i++)
		if (w[i].src != SFAB_NONE && w[i].rate > most)
			most = w[i].rate;
	return most;
}

static int bound_rail(struct sfab_stepper *sp, uint32_t rail)
{
	double rate;

	if (!sp->c->n)	/* no flow is allocated */
		return 0;
	rate = fastest_port_rate(sp, rail);
	sp->nuses = 0;
	if (use_links(sp, rail) < 0 || send_links(sp, rail) < 0)
		return -1;
	for (uint32_t i = 0; i < sp->over.ntouched; i++) {
		uint32_t e = sp->over.touched[i];
		double a = rate * fullest_window(sp, &sp->link[e]);
		double b = sp->link[e].by_src;

		sfab_load_add(&sp->most, e, a < b ? a : b);
	}
	sfab_load_clear(&sp->over);
	return 0;
}

/* 1: the route crosses a link that may be above capacity, or there is none. */
static int open_way(struct sfab_stepper *sp, uint32_t leaf, uint32_t dst)
{
	int rc = dst == SFAB_NONE ? 1 : sfab_stepper_way(sp, leaf, dst);

	if (rc < 0)
		return -1;
	if (dst == SFAB_NONE || rc == 0)
		return dst != SFAB_NONE;
	for (uint32_t i = 0; i < sp->way.n; i++)
		if (stepper_filled(sp, &sp->most, sp->way.hop[i].link) >
		    SFAB_STEP_CLEAR)
			return 1;
	return 0;
}

static int open_rail(struct sfab_stepper *sp, uint32_t rail)
{
	uint32_t n = sp->c->n;

	for (uint32_t k = sp->first[rail]; k < sp->first[rail + 1]; k++)
		for (uint32_t i = 0; i < n; i++) {
			int rc = open_way(sp, sp->leaf[k].leaf,
					  sp->flow[rail * n + i].dst);

			if (rc < 0)
				return -1;
			sp->open[(size_t) k * n + i] = (uint8_t) rc;
			sp->is_clear &= !rc;
		}
	return 0;
}

static int make_open(struct sfab_stepper *sp)
{
	size_t n = (size_t) sp->nleaves * sp->c->n;
	uint8_t *more;

	if (n <= sp->nopen)
		return 0;
	more = realloc(sp->open, n);
	if (!more)
		return -1;
	sp->open = more;
	sp->nopen = n;
	return 0;
}

int sfab_stepper_bound(struct sfab_stepper *sp)
{
	uint32_t nrails = sp->m->nrails;

	for (uint32_t rail = 0; rail < nrails; rail++)
		if (sp->first[rail + 1] - sp->first[rail] > SFAB_STEPS_MAX)
			return 0;
	if (make_open(sp) < 0)
		return -1;
	sfab_load_clear(&sp->most);
	for (uint32_t rail = 0; rail < nrails; rail++)
		if (bound_rail(sp, rail) < 0)
			return -1;
	sp->is_bound = sp->is_clear = 1;
	for (uint32_t rail = 0; rail < nrails; rail++)
		if (open_rail(sp, rail) < 0)
			return -1;
	return 0;
}
