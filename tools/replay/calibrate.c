/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calibrate.c - bisection for a utilization; see calibrate.h
 *
 * Utilization falls as the factor grows, but not smoothly: one more job in the
 * queue displaces others.  So the best factor seen so far is kept.
 */

#include "tools/replay/calibrate.h"

#include <math.h>

#define STEPS 24	/* of each phase: WIDEN^24 is five orders of magnitude */
#define WIDEN 1.6
#define STALE 5		/* closer arrivals without gain: out of reach */

struct bisection {
	calibrate_fn try;
	void *ctx;
	double target;
	double best, best_at;	/* utilization closest to the target; its factor */
};

/* 1: close enough; 0: continue; -1: failed. */
static int probe_factor(struct bisection *b, double factor, double *reached,
			struct sfab_err *err)
{
	*reached = b->try(b->ctx, factor, err);
	if (*reached < 0)
		return -1;
	if (fabs(*reached - b->target) < fabs(b->best - b->target)) {
		b->best = *reached;
		b->best_at = factor;
	}
	return fabs(*reached - b->target) <= CALIBRATE_CLOSE;
}

/*
 * Widen until the target is between @low (fuller) and @high.  1: it is close
 * enough, or out of reach.
 */
static int bracket_target(struct bisection *b, double guess, double *low,
			  double *high, struct sfab_err *err)
{
	double reached, best_at;
	int rc = 0, stale = 0;

	*low = *high = 0;
	for (int i = 0; i < STEPS && (*low == 0 || *high == 0); i++) {
		best_at = b->best_at;
		rc = probe_factor(b, guess, &reached, err);
		if (rc)
			return rc;
		/* too full: wider gaps will lower it sooner or later */
		stale = reached < b->target && i && best_at == b->best_at ?
			stale + 1 : 0;
		if (stale == STALE)
			return 1;
		if (reached > b->target)
			*low = guess;
		else
			*high = guess;
		guess = reached > b->target ? guess * WIDEN : guess / WIDEN;
	}
	return *low == 0 || *high == 0;
}

int calibrate(calibrate_fn try, void *ctx, double guess, double target,
	      double *compress, double *reached, struct sfab_err *err)
{
	struct bisection b = { try, ctx, target, INFINITY, guess };
	double low, high, at;
	int rc = bracket_target(&b, guess, &low, &high, err);

	for (int i = 0; i < STEPS && rc == 0 && high / low > 1.0005; i++) {
		/* The factor is a ratio, so bisect its logarithm. */
		double middle = sqrt(low * high);

		rc = probe_factor(&b, middle, &at, err);
		if (at > target)
			low = middle;
		else
			high = middle;
	}
	*compress = b.best_at;
	*reached = b.best;
	return rc < 0 ? -1 : 0;
}
