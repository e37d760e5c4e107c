/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pick_jobs.c - which jobs get columns, where there are more than can be solved for
 *
 * Traffic of jobs without columns is traffic of no job for the others: it only adds.
 */

#include "core/estimate/pick_jobs.h"

#include <stdlib.h>

#include "core/ascending.h"

struct job_rank {
	double hosts;		/* number of hosts, times the part of the job that is in the
				   rates */
	int has_several;	/* 1: more than one host, in the rates or not */
	uint32_t job;
};

static int compare_rank(const void *a, const void *b)
{
	const struct job_rank *x = a, *y = b;

	if (x->has_several != y->has_several)
		return y->has_several - x->has_several;
	if (x->hosts != y->hosts)
		return x->hosts > y->hosts ? -1 : 1;
	return x->job < y->job ? -1 : x->job > y->job;
}

uint32_t sfab_pick_jobs(const struct sfab_estimate_job *job, uint32_t n, uint32_t *picked)
{
	struct job_rank *rank = calloc(n + 1u, sizeof(*rank));
	int are_few = n <= SFAB_ESTIMATE_JOBS_MAX;
	uint32_t count = 0, hosts_left = are_few ? UINT32_MAX : SFAB_ESTIMATE_HOSTS_MAX;

	if (!rank)
		return SFAB_NONE;
	for (uint32_t i = 0; i < n; i++)
		rank[i] = (struct job_rank){ job[i].n * job[i].part, job[i].n > 1, i };
	qsort(rank, n, sizeof(*rank), compare_rank);
	for (uint32_t i = 0; i < n; i++)
		if ((rank[i].hosts > 0 || are_few) && job[rank[i].job].n <= hosts_left) {
			hosts_left -= job[rank[i].job].n;
			picked[count++] = rank[i].job;
		}
	free(rank);
	qsort(picked, count, sizeof(*picked), sfab_ascending_u32);
	return count;
}
