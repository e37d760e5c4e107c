/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * beside.h - what the jobs on a node leave to a job that would join them
 *
 * Not everything that is free is free for every job.  A partition may be
 * limited to so many CPUs of a node (MaxCPUsPerNode).  Jobs whose partitions
 * share cores in different ways are not put on the same node.  Both are read
 * from the job list when a question needs them, and only where partitions set
 * such limits.
 */
#ifndef SFAB_SLURM_BESIDE_H
#define SFAB_SLURM_BESIDE_H

#include "plugin/slurm/glue.h"

struct beside {			/* for the partition of the last question */
	const part_record_t *part;
	uint32_t limit;
	uint64_t changes;	/* the caller's @changes when this was worked out */
	uint32_t *allowed;	/* [nodes] */
};

void beside_free(struct beside *b);

/*
 * CPUs of each node ([nodes]) that the job's partition may still use.  NULL:
 * all of them.  Worked out once for a partition, as long as @changes, the
 * number of jobs that started or ended, is the same.  O(jobs of the partition *
 * their nodes).
 */
const uint32_t *beside_allowed(struct beside *b, const job_record_t *job,
			       uint64_t changes);

/*
 * Nodes with a job that this one may not join; the caller frees the bitmap.
 * NULL if there can be none.  O(jobs * nodes / 64).
 */
bitstr_t *beside_banned(const job_record_t *job);

#endif
