/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * held_cores.h - cores that jobs hold, and that a chosen node must not give out again
 *
 * With gang scheduling, and where OverSubscribe lets jobs share cores, the stock plugin gives a
 * job the cores of other jobs if the idle cores of its nodes are too few.  Asked with all
 * nodes, it does so only if it found nothing better.  Asked with the few that we chose, it
 * would suspend or slow jobs that it otherwise leaves alone.  So we exclude the held cores of
 * those nodes, as cores of a reservation are excluded, and it finds idle cores only.
 */
#ifndef SFAB_SLURM_HELD_CORES_H
#define SFAB_SLURM_HELD_CORES_H

#include "plugin/slurm/glue.h"

/* May the stock plugin give this job cores that others hold? */
int held_cores_may_share(const job_record_t *job);

/*
 * Does the job keep its cores from others now?  It does if it runs, or if gang scheduling
 * suspended it.  A job that was suspended by hand has released them.
 */
int held_cores_keeps_cores(const job_record_t *job);

/*
 * Find the cores on @nodes that such jobs hold, by node index; NULL: none of that node.  Free
 * the result with held_cores_free().  O(jobs * nodes / 64 + cores of the nodes).
 */
bitstr_t **held_cores_find(bitstr_t *nodes);
void held_cores_free(bitstr_t **held);

/*
 * Add to @cpus, by node index, the CPUs that the job keeps from others: all threads of its
 * cores.  0: its cores are not known, and nothing is added.
 */
int held_cores_add_cpus(const job_record_t *job, uint32_t *cpus);

/* Did the stock plugin give the job a held core?  No if the job does not start now. */
int held_cores_has_overlap(bitstr_t **held, const job_record_t *job);

#endif
