/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * estimate_private.h - the unknowns and the links of an estimate, which its parts share
 *
 * Letters are those of estimate.h: minimize the sum over links of w (y - A x)^2.
 */
#ifndef SFAB_ESTIMATE_PRIVATE_H
#define SFAB_ESTIMATE_PRIVATE_H

#include "core/estimate/job_columns.h"

#define ESTIMATE_EXCESS 2.0	/* errors by which a rate may exceed the fit before it counts
				   less */
#define ESTIMATE_RATE_FLOOR 0.001	/* of a link's capacity: the least error of a rate */
#define ESTIMATE_SHARE_MIN 0.03	/* a class with a smaller share is dropped */
#define ESTIMATE_OTHER_PART 0.15	/* with this part of its traffic in "other" or shifts a
					   job is a misfit */
#define ESTIMATE_CHI_MISFIT 1.3	/* with a larger mean error of its links a job is a misfit */

struct estimate_solver {
	const struct sfab_estimate_job *job;
	uint32_t njobs, nlinks;
	const struct sfab_estimate_options *options;
	struct job_columns cols;	/* the matrix A, the model and the measured rates */
	struct sfab_arena arena;	/* all arrays but those of cols */
	int lacks_singles;		/* 1: some jobs have no columns of single ports */
	double noise;			/* relative error of one sample of a rate */

	/* by link */
	double *y;			/* rate as measured; 0: not known */
	double *fit;			/* A x: rate that the shares found so far explain */
	double *residual;		/* y - fit: rate that no job explains */
	double *sigma;			/* error of the rate */
	double *w;			/* weight of the square of the residual; 0: the link does
					   not count */
	double *own_excess;		/* in errors: the excess on the links of all hosts of a
					   job, which is not forgiven */
	double *carried;		/* rate without its error, set by job_answers.c */
	double *scratch;

	/*
	 * by column; the price of a changed share is sfab_class_fit_kept_price(penalty, x -
	 * prior)
	 */
	double *x;			/* its share */
	double *prior;			/* the share that was found before */
	double *penalty;		/* weight of (x - prior)^2 while the difference is small */
	double *kept_weight;		/* weight of (x - prior)^2 at the current x, for nnls.h */
	uint8_t *stays_zero;		/* 1: the share stays 0 */

	/* by job */
	uint8_t *singles;		/* enum single_columns */
	uint8_t *misfit;		/* 1: its links do not carry the load of its classes */
	uint8_t *suspect;		/* 1: a misfit, or its IO may use few servers: it is the
					   first to get columns of single ports */
	double *chi;			/* mean error of the links that it loads, weighted by its
					   part of their load */
	double *missing;		/* part of their rate that all its hosts send and no job
					   explains */
	double *likelihood;		/* how likely the classes found are, 0..1 */
};

#endif
