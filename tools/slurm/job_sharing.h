/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_sharing.h - what the jobs on a node leave to a job that would join them
 *
 * These are the plugin's rules in plugin/slurm/node_sharing.h, for scontrol's records.  A
 * partition has rows if OverSubscribe=FORCE:N or YES:N lets N > 1 jobs share a core.
 */
#ifndef SFAB_JOB_SHARING_H
#define SFAB_JOB_SHARING_H

#include "tools/slurm/job_ask.h"

/* Will the job share its cores: OverSubscribe=FORCE, or YES and -s was given? */
int job_sharing_shares(const struct job_ask *a);
/* Mark in a->node_is the nodes with a job that it may not join. */
void job_sharing_ban(struct job_ask *a);
/* CPUs of each node that the partition may still use ([nodes], caller frees).  NULL: all. */
uint32_t *job_sharing_allowed(const struct job_ask *a);

#endif
