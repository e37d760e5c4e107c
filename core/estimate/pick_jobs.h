/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pick_jobs.h - the jobs whose shares are estimated, where there are too many */
#ifndef SFAB_PICK_JOBS_H
#define SFAB_PICK_JOBS_H

#include "core/estimate/estimate.h"

/*
 * List the jobs in @picked [n], ascending.  Up to SFAB_ESTIMATE_JOBS_MAX all are picked.  Of
 * more jobs those with several hosts come before those with one, then those with most hosts, by
 * the part of them that is in the rates, until they have SFAB_ESTIMATE_HOSTS_MAX together.
 * Return how many jobs are picked; SFAB_NONE: no memory.  O(n log n).
 */
uint32_t sfab_pick_jobs(const struct sfab_estimate_job *job, uint32_t n, uint32_t *picked);

#endif
