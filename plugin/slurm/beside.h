/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * beside.h - what the jobs on a node leave to one that would join them
 *
 * Not all that is free is free for everybody: a partition may have so many CPUs
 * of a node (MaxCPUsPerNode), and jobs whose partitions share cores in different
 * ways do not come onto the same node.  Read from the job list when a question
 * needs it, and only where partitions say such things.
 */
#ifndef SFAB_SLURM_BESIDE_H
#define SFAB_SLURM_BESIDE_H

#include "plugin/slurm/glue.h"

struct beside {			/* of the last partition that was asked about */
	const part_record_t *part;
	uint32_t limit;
	uint64_t changes;	/* what has changed by then */
	uint32_t *allowed;	/* [nodes] */
};

void beside_free(struct beside *b);

/*
 * [nodes] CPUs of each that the job's partition may have yet; NULL: as many as
 * there are.  Worked out once for a partition as long as @changes, the number of
 * jobs that came or went, is the same.  O(jobs of the partition * their nodes).
 */
const uint32_t *beside_allowed(struct beside *b, const job_record_t *job,
			       uint64_t changes);

/*
 * Nodes with a job that this one may not join, or NULL if there can be none; to
 * be freed.  O(jobs * nodes / 64).
 */
bitstr_t *beside_banned(const job_record_t *job);

/* Will it share its cores: OverSubscribe=FORCE, or YES and it said so (-s)? */
int beside_shares(const job_record_t *job);

#endif
