/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate_solver.h - the unknowns and the links of an estimate, which its parts share */
#ifndef SFAB_ESTIMATE_SOLVER_H
#define SFAB_ESTIMATE_SOLVER_H

#include "core/estimate/job_columns.h"

#define ESTIMATE_EXCESS 2.0	/* errors above which a rate that is too high counts less */
#define ESTIMATE_RATE_FLOOR 0.001	/* of a link's capacity: what a rate may err by anyway */
#define ESTIMATE_SHARE_MIN 0.03	/* less is no class of a job */
#define ESTIMATE_OTHER_PART 0.15	/* of its traffic in "other" or shifts: no fit */
#define ESTIMATE_CHI_MISFIT 1.3	/* mean error of its own links: above it, no fit */

struct estimate_solver {
	const struct sfab_model *m;
	const struct sfab_estimate_job *job;
	uint32_t njobs, nlinks;
	const double *rate;		/* as measured */
	const struct sfab_estimate_options *o;
	struct job_columns cols;
	struct sfab_arena arena;	/* all arrays but those of cols */
	int lack_singles;		/* some jobs have no columns of single ports */
	double noise;			/* relative error of one sample of a rate */

	/* by link */
	double *y;			/* rate as measured; 0: not known */
	double *fit;			/* rate that the shares found so far explain */
	double *left;			/* y - fit: what no job explains */
	double *sigma;			/* what the rate may err by */
	double *w;			/* how much the square of left counts; 0: not at all */
	double *own;			/* in errors: what is left on the links of all hosts of a
					   job, so it is not forgiven */
	double *carried;		/* what the link really carries, in job_answers.c */
	double *room;			/* scratch */

	/* by column; what a share costs besides is sfab_fit_kept_price(penalty, x - prior) */
	double *x;			/* its share */
	double *prior;			/* the share that was found before */
	double *penalty;		/* of (x - prior)^2, while the difference is small */
	double *kept;			/* of (x - prior)^2 at the x of now: what nnls.h gets */
	uint8_t *off;			/* 1: the share stays 0 */

	/* by job */
	uint8_t *single;		/* enum single_columns */
	uint8_t *misfit;		/* 1: its links do not carry what its classes would send */
	uint8_t *suspect;		/* 1: a misfit, or its IO may use few servers: it is the
					   first to get columns of single ports */
	double *chi;			/* mean error of the links that it loads, by its part */
	double *missing;		/* part of their rate that all its hosts send and nobody
					   explains */
	double *sure;			/* how likely the classes found are, 0..1 */
};

#endif
