/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steady_rates.h - rates over several samples, for links whose jobs stay
 *
 * The rate of each sample has an error of its own.  A job of few hosts sends on few links: what
 * one sample cannot tell apart, the mean of several can.  A link begins anew when a job that
 * can load it comes or goes, or when its rate jumps.
 */
#ifndef SFAB_STEADY_RATES_H
#define SFAB_STEADY_RATES_H

#include "core/estimate/estimate.h"
#include "core/load/load.h"

#define SFAB_STEADY_MAX 10.0	/* samples in a mean; older ones fade */

struct sfab_steady {
	uint32_t nlinks, nres;	/* of the model */
	double *rate;		/* bytes/s by link, a mean; < 0: unknown */
	double *count;		/* number of samples in the mean, by link */
	struct sfab_load load;	/* scratch */
};

/* Empty @s, for @m.  It must be all zero, or open.  -1: SFAB_ENOMEM. */
int sfab_steady_open(struct sfab_steady *s, const struct sfab_model *m, struct sfab_err *err);
void sfab_steady_close(struct sfab_steady *s);

/*
 * Begin anew with all links that @job can load, since the part of it that is in the rates has
 * changed.  -1: SFAB_ENOMEM.
 */
int sfab_steady_renew(struct sfab_steady *s, const struct sfab_model *m,
		      const struct sfab_estimate_job *job, struct sfab_err *err);

/*
 * Add one more sample, by link; < 0: unknown.  @new_part, 0..1: the part of it that was not in
 * the sample before, as rates are means over time.
 */
void sfab_steady_add(struct sfab_steady *s, const double *rate, double new_part);

#endif
