/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate_solver.h - the unknowns and the links of an estimate, which its parts share */
#ifndef SFAB_ESTIMATE_SOLVER_H
#define SFAB_ESTIMATE_SOLVER_H

#include "core/estimate/job_columns.h"

#define EXCESS 2.0		/* errors above which a rate that is too high counts less */
#define SHARE_MIN 0.03		/* less is no class of a job */
#define OTHER_PART 0.15		/* of its traffic in "other" or shifts: it does not fit */
#define CHI_MISFIT 1.3		/* errors of the job's own links, mean: nor then */

struct estimate_solver {
	const struct sfab_model *m;
	const struct sfab_estimate_job *job;
	uint32_t njobs, nlinks;
	const double *rate;		/* as measured */
	const struct sfab_estimate_options *o;
	struct job_columns c;
	struct sfab_arena arena;	/* all arrays but those of c */
	int lack_singles;		/* some jobs have no columns of single ports */
	double noise;
	double *y, *w, *left, *fit;	/* by link; y: 0 where the rate is not known */
	double *sigma;			/* what a rate may err by */
	double *own, *room;		/* excess of all hosts of a job; scratch */
	/* by column; what a share costs besides is sfab_fit_kept_price(penalty, x - prior) */
	double *x;			/* its share */
	double *prior;			/* what it was before */
	double *penalty;		/* of a square of the difference, if it is small */
	double *kept;			/* and as the solver gets it */
	uint8_t *off;
	uint8_t *single, *misfit, *suspect;	/* by job */
	double *chi, *missing, *sure;	/* by job */
};

#endif
