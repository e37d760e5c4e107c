/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node_sharing.h - what the jobs on a node leave to a job that would join them
 *
 * Not everything that is free is free for every job.  A partition may be limited to so many
 * CPUs of a node (MaxCPUsPerNode).  Jobs whose partitions share cores in different ways are not
 * put on the same node.  Both are read from the job list when a question needs them, and only
 * where partitions set such limits.
 */
#ifndef SFAB_SLURM_NODE_SHARING_H
#define SFAB_SLURM_NODE_SHARING_H

#include "plugin/slurm/glue.h"

#define SHARING_PARTS 8	/* partitions remembered, for queues where they alternate */

struct node_sharing {
	struct sharing_part {
		const part_record_t *part;	/* NULL: not used */
		uint64_t changes;		/* the caller's @changes when this was read */
		struct node_sharing_limit {
			uint32_t cpus_per_node;
			uint32_t *allowed;	/* [nodes] CPUs that its jobs may
						   still use; NULL: not read */
			uint32_t nodes;		/* of the partition with CPUs in allowed */
			uint64_t cpus;		/* sum of allowed over these nodes */
		} limit;
		struct sharing_ban {
			int known;
			bitstr_t *nodes;	/* NULL: none */
		} ban[2];			/* [0] jobs that own their cores, [1] that share */
	} entry[SHARING_PARTS];
	unsigned next;				/* index of the partition that is forgotten next */
};

/* Free what is remembered of all partitions; @sharing is then all zero. */
void node_sharing_free(struct node_sharing *sharing);

/*
 * The next two functions read the job list once for each partition, as long as @changes
 * (facts.h) is the same: backfill asks about many jobs in a row.  After an update of a
 * partition Slurm calls select_p_reconfigure(), which frees @sharing; the stock plugin sees the
 * update no earlier.  The results belong to @sharing until the next call.
 */

/*
 * Return what MaxCPUsPerNode leaves to the job's partition.  NULL: there is no limit.  O(jobs
 * of the partition * their nodes).
 */
const struct node_sharing_limit *node_sharing_limit(struct node_sharing *sharing,
						    const job_record_t *job, uint64_t changes);

/*
 * Find the nodes with a job that this one may not join.  NULL if there can be none.  O(jobs *
 * nodes / 64).
 */
bitstr_t *node_sharing_banned(struct node_sharing *sharing, const job_record_t *job,
			      uint64_t changes);

#endif
