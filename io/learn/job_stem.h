/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_stem.h - what job names of one program have in common
 *
 * People number their runs.  The stem of a name is the name without
 *
 *     the ending of a script                     job.sh, run.slurm
 *     numbers, with a unit behind them           run_01, T300K, x0.5nm, 1e-3
 *     and what is then left between two parts    x_2026-11-20_1 is x, a_3_b is a_b
 *
 * so all of these are one name.  A name of numbers only has none.
 */
#ifndef SFAB_JOB_STEM_H
#define SFAB_JOB_STEM_H

#include <stddef.h>

#define SFAB_STEM_MAX 1024u		/* bytes of a name that count */

/* Write the stem of @name (NULL: none) to @stem, without a NUL.  Return its length, 0: none. */
size_t sfab_job_stem(const char *name, char stem[SFAB_STEM_MAX]);

#endif
