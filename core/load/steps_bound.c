/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps_bound.c - the most that a link can carry in any step
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

#include <string.h>

/*
 * The most ranks that get over the link in a window as long as its range of sources.
 * Windows wrap around from the last rank to the first.
 */
static uint32_t fullest_window(struct sfab_stepper *sp, uint32_t l)
{
	uint32_t n = sp->c->n, span = sp->link[l].hi - sp->link[l].lo + 1, most = 0, end = 0;
	const uint64_t *bits = sp->gets + (size_t) l * sp->words;
	uint32_t cnt = 0, *rank = sp->window;	/* that get over it, ascending */

	for (uint32_t w = 0; w < sp->words; w++)
		for (uint64_t b = bits[w]; b; b &= b - 1)
			rank[cnt++] = 64 * w + (uint32_t) __builtin_ctzll(b);
	if (span >= n)
		return cnt;
	for (uint32_t i = 0; i < cnt; i++) {
		for (; end < i + cnt; end++) {
			uint64_t at = end < cnt ? rank[end] : rank[end - cnt] + (uint64_t) n;

			if (at >= (uint64_t) rank[i] + span)
				break;
		}
		most = end - i > most ? end - i : most;
	}
	return most;
}

static double fastest_port_rate(const struct sfab_stepper *sp, uint32_t rail)
{
	const struct step_flow *w = &sp->flow[(size_t) rail * sp->c->n];
	double most = 0;

	for (uint32_t i = 0; i < sp->c->n; i++)
		if (w[i].src != SFAB_NONE && w[i].rate > most)
			most = w[i].rate;
	return most;
}

/* 1: @x bytes/s may be too much for the link, beside what is around it. */
static int is_over(const struct sfab_stepper *sp, uint32_t res, double x)
{
	const double *b = sp->c->beside ? sp->c->beside : sp->c->background;

	return (x + (b ? b[res] : 0)) * sp->m->inv_cap[res] > SFAB_STEP_CLEAR;
}

/* Add what the link gets in this rail, and forget it for the next one. */
static void bound_link(struct sfab_stepper *sp, uint32_t l, double rate)
{
	struct step_link *e = &sp->link[l];
	uint64_t *bits = sp->gets + (size_t) l * sp->words;
	double any, shift;
	uint32_t n = 0;

	for (uint32_t w = 0; w < sp->words; w++)
		n += (uint32_t) __builtin_popcountll(bits[w]);
	any = rate * e->share * n;
	any = any < e->by_src ? any : e->by_src;
	e->any += any;
	shift = is_over(sp, e->res, e->any) ? rate * e->share * fullest_window(sp, l) : any;
	e->shift += shift < any ? shift : any;
	e->share = e->by_src = 0;
	e->lo = SFAB_NONE;
	e->hi = 0;
	memset(bits, 0, sp->words * sizeof(*bits));
}

/* Keep only hops over links that count, and see which rows may cross one above capacity. */
static void keep_rows(struct sfab_stepper *sp)
{
	size_t n = (size_t) sp->nleaves * sp->c->n, h, to = sp->nhops;

	sp->row[n] = (uint32_t) to;
	sp->nhops = 0;
	h = n ? sp->row[0] : 0;
	for (size_t i = 0; i < n; i++) {
		int open = 0;

		to = sp->row[i + 1];
		sp->row[i] = (uint32_t) sp->nhops;
		for (; h < to; h++) {
			const struct step_link *e = &sp->link[sp->hop[h]];

			if (e->at == SFAB_NONE)
				continue;
			open |= e->is_open;
			if (sp->share)
				sp->share[sp->nhops] = sp->share[h];
			sp->hop[sp->nhops++] = e->at;
		}
		sp->open[i] |= (uint8_t) open;
		sp->is_clear &= !sp->open[i];
	}
	sp->row[n] = (uint32_t) sp->nhops;
}

int sfab_stepper_bound(struct sfab_stepper *sp)
{
	uint32_t nrails = sp->m->nrails, most = sp->c->most_steps;

	for (uint32_t rail = 0; rail < nrails; rail++)
		if (sp->first[rail + 1] - sp->first[rail] > (most ? most : SFAB_STEPS_MAX))
			return 0;
	if (sfab_stepper_make_rows(sp) < 0)
		return -1;
	for (uint32_t rail = 0; rail < nrails; rail++) {
		double rate = fastest_port_rate(sp, rail);
		int rc = sfab_stepper_read(sp, rail);

		sp->nread += sp->nhops + (uint64_t) sp->nleaves * sp->c->n;
		for (uint32_t l = 0; l < sp->nlinks; l++)
			bound_link(sp, l, rate);
		if (rc < 0)
			return -1;
		if (rc > 0) {
			sfab_stepper_forget_links(sp);
			return 0;
		}
	}
	sp->is_bound = sp->is_clear = 1;
	/* Keep the links that some step may push above capacity. */
	for (uint32_t l = 0; l < sp->nlinks; l++) {
		struct step_link *e = &sp->link[l];

		e->is_open = is_over(sp, e->res, e->shift);
		e->at = is_over(sp, e->res, e->any) ? sfab_stepper_walk_link(sp, e->res)
						    : SFAB_NONE;
	}
	keep_rows(sp);
	return 0;
}
