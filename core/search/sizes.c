/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sizes.c - choose the number of hosts of a job that gives a range; see sizes.h */

#include "core/search/sizes.h"

#include <math.h>

/* Return lost(n) / M of sizes.h. */
static double lost_of_work(const struct sfab_choice *c)
{
	return c->score.total / c->n;
}

/* Return time(n) / M of sizes.h. */
static double time_of_work(const struct sfab_choice *c)
{
	return c->score.slowdown / c->n;
}

/* Return the smallest number of hosts that is worth a search. */
static uint32_t min_to_try(const struct sfab_choice *max, uint32_t min)
{
	uint32_t n = max->n > SFAB_SIZES_MAX ? max->n - SFAB_SIZES_MAX : 1;
	double in_time = ceil(max->n / max->score.slowdown);

	if (n < in_time)
		n = (uint32_t) in_time;
	return n > min ? n : min;
}

/* Search for @n; @best becomes the choice if it is better.  Its steps join @best's. */
static int try_fewer(struct sfab_scorer *sc, struct sfab_jobs *js,
		     const struct sfab_request *rq, double max_time,
		     struct sfab_choice *best, struct sfab_err *err)
{
	struct sfab_choice c, worse;
	uint32_t steps = best->steps;

	if (sfab_search(sc, js, rq, &c, err) < 0)
		return -1;
	worse = c;
	if (time_of_work(&c) <= max_time && lost_of_work(&c) < lost_of_work(best)) {
		worse = *best;
		c.max_n = best->max_n;
		c.lost_at_max = best->lost_at_max;
		*best = c;
	}
	best->steps = steps + c.steps;
	sfab_choice_clear(&worse);
	return 0;
}

int sfab_sizes_search(struct sfab_scorer *sc, struct sfab_jobs *js,
		      struct sfab_request *rq, const struct sfab_sizing *z,
		      struct sfab_choice *out, struct sfab_err *err)
{
	int rc = sfab_search(sc, js, rq, out, err);
	uint32_t min, n = rq->n;
	double time;

	if (rc < 0 || z->min >= n)
		return rc;
	time = time_of_work(out);
	out->max_n = n;
	out->lost_at_max = out->score.total;
	min = min_to_try(out, z->min);
	for (n--; n >= min && rc == 0 && out->score.total > 0; n--)
		if (z->set(z->context, n))
			rc = try_fewer(sc, js, rq, time, out, err);
	if (rq->n != out->n)
		z->set(z->context, out->n);
	if (rc < 0 && sfab_search_is_stopped(rq))
		return 0;
	if (rc < 0)
		sfab_choice_clear(out);
	return rc;
}
