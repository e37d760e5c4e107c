/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_columns.h - the load of each job in each class: the matrix of estimate.c */
#ifndef SFAB_JOB_COLUMNS_H
#define SFAB_JOB_COLUMNS_H

#include "core/arena.h"
#include "core/estimate/estimate.h"
#include "core/load/load.h"

/* What a job may send; each that is possible has a column of the matrix. */
enum sends_kind {
	SENDS_CLASS,		/* a class, to all of its set */
	SENDS_OTHER,		/* own links alone */
	SENDS_PORT,		/* IO of one IO port */
	SENDS_SHIFT,		/* between hosts so many apart */
	SENDS_ANY,		/* of no column: stands for all kinds */
};

struct job_column {
	uint32_t job;
	uint8_t kind;		/* enum sends_kind */
	uint8_t class;		/* enum sfab_class */
	uint32_t set;		/* IO classes */
	uint32_t port;		/* SENDS_PORT: IO port index; SENDS_SHIFT: shift */
	double ends;		/* E of the class (phases.h): at share 1 it sends at 1/E of
				   its ports' rate, so shares are parts of time here, too */
};

/* Which columns besides those of its classes a job gets. */
enum single_columns {
	SINGLE_NONE,
	SINGLE_PORTS,		/* of each IO port */
	SINGLE_ALL,		/* of each IO port and of each shift */
};

struct job_columns {
	const struct sfab_model *m;
	const double *rate;	/* bytes/s by link, as measured; < 0: unknown */
	const double *wait, *count;	/* by link: as in estimate.h, or NULL */
	const double *residual;	/* by link: the rate that no job explains; NULL: not known */
	uint32_t n;
	struct job_column *col;	/* [n] by job */
	uint32_t *first;	/* [n + 1] into row and a, which hold the non-zero entries (nz) */
	uint32_t nentries;	/* of row and a */
	uint32_t *row;		/* links with a known rate */
	double *a;		/* A of estimate.h: bytes/s at share 1, which is D/E */
	uint32_t njobs, *block;	/* [njobs + 1] first column of each job */
	uint8_t *picked;	/* [2 x IO ports] written to, read from: has columns */
	double *ends;		/* [2 x sets] of a job's IO, to write and read; scratch */
	double *cpus;		/* by host of a job: CPUs held / CPUs; scratch */
	struct sfab_load load;	/* scratch */
	struct sfab_arena arena;	/* block, picked, ends and cpus */
};

/*
 * Make the columns of all jobs, in order.  The caller sets m, rate, wait, count and residual,
 * the rest is zero.  @single: enum single_columns by job; jobs of few hosts get no single
 * columns, and large jobs get none of shifts.  -1: SFAB_ENOMEM.
 */
int sfab_job_columns_create(struct job_columns *cols, const struct sfab_estimate_job *job,
			    uint32_t njobs, const uint8_t *single, struct sfab_err *err);
void sfab_job_columns_destroy(struct job_columns *cols);

/* Return the class and set of @col, with no share; the first set has no name. */
struct sfab_traffic_part sfab_job_column_part(const struct job_columns *cols,
					      const struct job_column *col);

/* Return the sum of squares of column @i, each entry divided by @sigma of its link. */
double sfab_job_column_square(const struct job_columns *cols, uint32_t i, const double *sigma);

/* Return the error of the mean rate of link @e, as a part of the error of one sample. */
double sfab_job_columns_mean_error(const struct job_columns *cols, uint32_t e);

/* 1: link @e between switches is full, by its rate or waits: more traffic may want to pass. */
int sfab_job_columns_link_is_full(const struct job_columns *cols, uint32_t e);

#endif
