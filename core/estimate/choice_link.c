/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choice_link.c - what a rate costs; see choice_link.h */

#include "core/estimate/choice_link.h"

#include <math.h>

/* A part of the links carries traffic of no job, up to a part of their capacity. */
#define UNKNOWN_LINKS 0.2
#define UNKNOWN_MOST 0.2
#define ODDS_MOST 0.5		/* where errors are large, both look alike */
#define RATE_FLOOR 0.001	/* of the capacity: what a rate may err by anyway */
#define BOUND 1.0		/* errors; the weight of a rate falls beyond */

struct choice_link sfab_choice_link(const struct job_columns *c, double rate, uint32_t e)
{
	double cap = c->m->f->links[e].capacity, least = RATE_FLOOR * cap;

	return (struct choice_link){
		.y = rate, .mean = sfab_mean_error(c, e), .least2 = least * least,
		.full = sfab_is_full_link(c, e),
		/* sqrt(2 pi): a normal density against an even one */
		.odds = UNKNOWN_LINKS * 2.5066 / (UNKNOWN_MOST * cap) };
}

double sfab_weigh_link(const struct choice_link *l, double noise, double fit,
		       enum link_mode mode, double *w, double *likelihood)
{
	double error = noise * l->mean * (l->y > fit ? l->y : fit), d = l->y - fit;
	double s2 = error * error + l->least2, z2 = d * d / s2, odds, g;

	*w = 1 / s2;
	if (d <= 0 && l->full) {
		*w = 0;
		return 0;
	}
	if (mode == LINK_BOUNDED && d > 0 && z2 > BOUND * BOUND)
		*w *= BOUND / sqrt(z2);
	if (d <= 0 || mode == LINK_BOUNDED)
		return z2;
	odds = l->odds * sqrt(s2);
	odds = odds < ODDS_MOST ? odds : ODDS_MOST;
	g = exp(-z2 / 2);
	*w *= g / (g + odds);
	*likelihood *= (g + odds) / (1 + odds);
	return 0;
}
