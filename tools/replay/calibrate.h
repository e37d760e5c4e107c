/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calibrate.h - how close together jobs must arrive to fill the machine */
#ifndef SFAB_REPLAY_CALIBRATE_H
#define SFAB_REPLAY_CALIBRATE_H

#include <stdint.h>

#include "core/err.h"

#define CALIBRATE_CLOSE 0.002	/* relative to the target */

/* Utilization with arrival times multiplied by @compress, or -1 with *err. */
typedef double (*calibrate_fn)(void *ctx, double compress,
			       struct sfab_err *err);

/*
 * Find the factor at which @try gets close to @target, by bisection from @guess
 * on; *@reached is the utilization there.  If the target is out of reach
 * however close jobs arrive (a few jobs never fill a machine), the result is
 * the closest one.  -1: @try failed.
 */
int calibrate(calibrate_fn try, void *ctx, double guess, double target,
	      double *compress, double *reached, struct sfab_err *err);

#endif
