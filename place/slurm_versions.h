/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_versions.h - rules that hold in some versions of Slurm only
 *
 * Each rule is two releases: the first where it holds, and the first where it holds no longer.
 * The plugin asks for the Slurm that it is built for (plugin/slurm/glue.h), the preview for
 * that of the site (tools/slurm/slurm_rules.c).
 */
#ifndef SFAB_SLURM_VERSIONS_H
#define SFAB_SLURM_VERSIONS_H

#include <stdint.h>

/* A release as a number, as SLURM_VERSION_NUM() of Slurm's headers makes it. */
#define SLURM_RELEASE(major, minor, micro) ((major) << 16 | (minor) << 8 | (micro))
#define SLURM_OLDEST 0u
#define SLURM_NEWEST UINT32_MAX

/*
 * Slurm refuses a job that owns its cores on a node with a job of another partition that shares
 * cores (OverSubscribe).  Later versions do so only if that job shares its cores (-s, FORCE).
 */
#define SLURM_BOUNDS_ROWS_BAN SLURM_OLDEST, SLURM_RELEASE(23, 11, 7)

/*
 * A job of such a partition must be on the node now.  In earlier versions one that ran anywhere
 * since slurmctld began counts on all nodes, even if all jobs there were suspended by hand.
 */
#define SLURM_BOUNDS_ROWS_ARE_EXACT SLURM_RELEASE(25, 11, 0), SLURM_NEWEST

/*
 * On a node without a job of the partition, the CPUs of jobs of other partitions also count
 * against its MaxCPUsPerNode.  So do CPUs that such jobs held before: only Slurm knows where.
 */
#define SLURM_BOUNDS_LIMIT_COUNTS_OTHERS SLURM_RELEASE(23, 2, 0), SLURM_RELEASE(25, 5, 3)

/* CPUs of a node that hold no whole task of a job count for the job as well. */
#define SLURM_BOUNDS_COUNTS_ANY_CPUS SLURM_RELEASE(22, 5, 7), SLURM_RELEASE(23, 2, 5)

#endif
