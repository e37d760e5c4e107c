/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps_weigh.c - what patterns cost a set, as far as it is of interest
 *
 * A search compares many sets.  All steps of all patterns are one list, each with its
 * weight in the mean.  A step is walked once for the job alone and beside others.  No
 * step is below 1, so the cost only grows.
 */

#include "core/load/steps_private.h"

#include <math.h>
#include <string.h>

/* What costs little for its weight comes first. */
static const enum sfab_pattern by_cost[SFAB_NPATTERNS] = {
	SFAB_RING, SFAB_ALLREDUCE, SFAB_UNIFORM, SFAB_ALLTOALL,
};

/* List the sampled steps of all patterns, each with its weight. */
static void make_looks(struct sfab_stepper *sp, const double mix[SFAB_NPATTERNS])
{
	uint32_t most = sp->c->most_steps ? sp->c->most_steps : SFAB_STEPS_MAX;
	uint32_t step[SFAB_STEPS_MAX];
	double weights = 0;

	if (sp->nlook && sp->look_n == sp->c->n && sp->look_most == sp->c->most_steps &&
	    memcmp(sp->look_mix, mix, sizeof(sp->look_mix)) == 0)
		return;
	for (int i = 0; i < SFAB_NPATTERNS; i++)
		weights += mix[i] > 0 ? mix[i] : 0;
	sp->nlook = 0;
	for (int p = 0; p < SFAB_NPATTERNS; p++) {
		enum sfab_pattern pattern = by_cost[p];
		uint32_t nsteps = sfab_pattern_steps(pattern, sp->c->n), always = 0, n;

		if (!(mix[pattern] > 0))
			continue;
		n = sfab_pattern_sample(pattern, sp->c->n, most, step);
		for (uint32_t i = 0; i < n; i++)
			always += sfab_pattern_always(pattern, step[i]) != 0;
		for (uint32_t i = 0; i < n; i++) {
			double part = sfab_pattern_always(pattern, step[i]) ?
				      1 : (double) (nsteps - always) / (n - always);

			sp->look[sp->nlook++] = (struct step_look){
				pattern, step[i], mix[pattern] / weights * part / nsteps };
		}
	}
	sp->look_n = sp->c->n;
	sp->look_most = sp->c->most_steps;
	memcpy(sp->look_mix, mix, sizeof(sp->look_mix));
}

/* S of a step that was not walked yet, alone and beside the others. */
static int look_at_both(struct sfab_stepper *sp, const uint32_t *peer, double *alone,
			double *beside, struct sfab_err *err)
{
	const double *around = sp->c->background, *load = sp->load, *cap = sp->inv_cap;
	const double *others = sp->c->beside ? sp->c->beside : around;
	double top = 1, both = 1, ends = 1, ends_beside = 1;
	struct sfab_step one, two;
	uint64_t lost = 0;

	if (!peer) {
		if (sfab_stepper_rate_at_once(sp, around, &one, err) < 0 ||
		    sfab_stepper_rate_at_once(sp, others, &two, err) < 0)
			return -1;
		*alone = one.slowdown;
		*beside = two.slowdown;
		return 0;
	}
	if (sfab_stepper_walk(sp, peer, &lost) < 0)
		return sfab_no_memory(err);
	for (uint32_t i = 0; i < sp->ntouched; i++) {
		uint32_t l = sp->touched[i];
		double a = (load[l] + sp->around[l]) * cap[l];
		double b = (load[l] + sp->beside[l]) * cap[l];

		top = a > top ? a : top;
		both = b > both ? b : both;
	}
	if (top > 1 && sp->most_end > 1)
		ends = sfab_stepper_ends(sp, peer, around);
	if (both > 1 && sp->most_end_beside > 1)
		ends_beside = sfab_stepper_ends(sp, peer, others);
	*alone = stepper_slowdown(top, ends);
	*beside = stepper_slowdown(both, ends_beside);
	return 0;
}

int sfab_stepper_weigh(struct sfab_stepper *sp, const double mix[SFAB_NPATTERNS],
		       struct sfab_weighing *x, struct sfab_err *err)
{
	/* Where end ports are full a step beside others may count for less. */
	double most = sp->most_end_beside > 1 ? INFINITY : x->most;

	make_looks(sp, mix);
	x->alone = x->beside = 1;
	x->walked = 0;
	for (uint32_t i = 0; i < sp->nlook; i++) {
		const struct step_look *k = &sp->look[i];
		const uint32_t *peer = stepper_peers(sp, k->pattern, k->step);
		double alone = 1, beside = 1;

		if (k->pattern != SFAB_ALLREDUCE &&
		    (sp->is_clear || sfab_stepper_is_settled(sp, k->pattern, peer)))
			continue;
		x->walked++;
		if (look_at_both(sp, peer, &alone, &beside, err) < 0)
			return -1;
		x->alone += k->weight * (alone - 1);
		x->beside += k->weight * (beside - 1);
		if (x->beside > most)
			return 1;
	}
	return 0;
}
