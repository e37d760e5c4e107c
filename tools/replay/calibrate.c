/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calibrate.c - bisection for a utilization; see sim.h
 *
 * Utilization falls as the factor grows, but not smoothly: one more job in the queue displaces
 * others.  So the best factor seen so far is kept.
 */

#include "tools/replay/sim.h"

#include <math.h>

#define STEPS 48	/* tries; 24 of them widen the range by five orders of magnitude */
#define WIDEN 1.6	/* factor between tries until the target is between two of them */
#define STALE 5		/* tries with closer arrivals and no gain: out of reach */
#define NARROW 1.0005	/* range of factors at which the bisection ends */

int sim_calibrate(calibrate_fn try, void *ctx, double guess, double target,
		  double *compress, double *reached, struct sfab_err *err)
{
	double low = 0, high = 0, factor = guess;	/* fuller, emptier; 0: not known */
	int stale = 0;

	*compress = guess;
	*reached = INFINITY;
	for (int i = 0; i < STEPS && stale < STALE; i++) {
		double utilization = try(ctx, factor, err);
		int is_closer = fabs(utilization - target) < fabs(*reached - target);

		if (utilization < 0)
			return -1;
		if (is_closer) {
			*reached = utilization;
			*compress = factor;
		}
		if (fabs(utilization - target) <= CALIBRATE_CLOSE)
			break;
		/* If it is too full, wider gaps lower it sooner or later: that is no stale try. */
		stale = utilization < target && i && !is_closer && !(low > 0 && high > 0) ?
				stale + 1 : 0;
		if (utilization > target)
			low = factor;
		else
			high = factor;
		if (low > 0 && high > 0 && high / low <= NARROW)
			break;
		/* The factor is a ratio, so bisect its logarithm. */
		factor = low > 0 && high > 0 ? sqrt(low * high) :
			 utilization > target ? factor * WIDEN : factor / WIDEN;
	}
	return 0;
}
