/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calibrate.h - how close together jobs must arrive to fill the machine
 */
#ifndef SFAB_REPLAY_CALIBRATE_H
#define SFAB_REPLAY_CALIBRATE_H

#include <stdint.h>

#include "core/err.h"

#define CALIBRATE_CLOSE 0.002	/* of the utilisation wanted */

/* Utilisation with arrival times multiplied by @compress, or -1 with *err. */
typedef double (*calibrate_fn)(void *ctx, double compress,
			       struct sfab_err *err);

/*
 * Find the factor at which @try comes close to @target, by bisection from
 * @guess on; *@reached is what it came to.  Where the target is out of reach however
 * close jobs arrive (few jobs never fill a machine) it is what comes closest.
 * -1: @try failed.
 */
int calibrate(calibrate_fn try, void *ctx, double guess, double target,
	      double *compress, double *reached, struct sfab_err *err);

#endif
