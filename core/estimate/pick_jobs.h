/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pick_jobs.h - the jobs whose shares are estimated, where there are too many */
#ifndef SFAB_PICK_JOBS_H
#define SFAB_PICK_JOBS_H

#include "core/estimate/estimate.h"

/*
 * Ascending into @picked [n]: all, or with more than SFAB_ESTIMATE_JOBS those of at most
 * SFAB_ESTIMATE_HOSTS hosts together: of several hosts before those of one, and the most
 * hosts first, each by the part of it that is in the rates.  Returns how many; SFAB_NONE: no
 * memory.  O(n log n).
 */
uint32_t sfab_pick_jobs(const struct sfab_estimate_job *job, uint32_t n, uint32_t *picked);

#endif
