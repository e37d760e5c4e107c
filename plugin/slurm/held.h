/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * held.h - cores that jobs hold, and that a chosen node must not give again
 *
 * With gang scheduling, and where OverSubscribe lets jobs share cores, the stock
 * plugin gives a job cores of others when the idle ones of its nodes do not do.
 * Asked with all nodes it then found no better; asked with the few that we chose
 * it would suspend, or slow, jobs that it otherwise leaves alone.  So there it is
 * asked with the held cores of those nodes excluded, as cores of a reservation
 * are: what it then finds are idle cores, in every mode and version.
 */
#ifndef SFAB_SLURM_HELD_H
#define SFAB_SLURM_HELD_H

#include "plugin/slurm/glue.h"

/* May the stock plugin give this job cores that others hold? */
int held_may_share(const job_record_t *job);

/*
 * By node index the cores that running jobs hold, and those that gang scheduling
 * suspended, on these nodes; NULL where none is held.  O(jobs * nodes / 64 +
 * cores of the nodes).  To be freed by held_free().
 */
bitstr_t **held_find(bitstr_t *nodes);
void held_free(bitstr_t **held);

/*
 * Add by node index the CPUs that the job keeps from others, all threads of its
 * cores.  0 and nothing added: its cores are not known.
 */
int held_add_cpus(const job_record_t *job, uint32_t *cpus);

/* Did the job get a core that is held?  Not known before it is to start now: 0. */
int held_is_hurt(bitstr_t **held, const job_record_t *job);

#endif
