/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_answers.h - the result for each job of a solution */
#ifndef SFAB_JOB_ANSWERS_H
#define SFAB_JOB_ANSWERS_H

#include "core/estimate/estimate_private.h"

/* Return the sum of the shares of a job's columns of one kind, or of all (SENDS_ANY). */
double sfab_job_answers_sum(const struct estimate_solver *s, uint32_t j, enum sends_kind kind);

/* Set @out to the result for each job of a solution, and s->carried.  -1: out of memory. */
int sfab_job_answers_make(struct estimate_solver *s, struct sfab_estimate *out,
			  struct sfab_err *err);

#endif
