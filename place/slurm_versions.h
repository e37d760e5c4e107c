/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_versions.h - versions of Slurm between which a rule holds that plugin and preview know
 *
 * Each rule is two releases: the first where it holds, and the first where it holds no
 * longer.  The plugin asks for the Slurm that it is built for (plugin/slurm/glue.h), the
 * preview for that of the site (tools/slurm/slurm_rules.c).
 */
#ifndef SFAB_SLURM_VERSIONS_H
#define SFAB_SLURM_VERSIONS_H

#include <stdint.h>

/* The number that SLURM_VERSION_NUM() of Slurm's headers makes of it. */
#define SLURM_RELEASE(major, minor, micro) ((major) << 16 | (minor) << 8 | (micro))
#define SLURM_OLDEST 0u
#define SLURM_NEWEST UINT32_MAX

/*
 * Slurm refuses a job that owns its cores where a job of another partition with rows is.
 * Later only where some job shares its cores (-s, FORCE), too.
 */
#define SLURM_BOUNDS_ROWS_BAN SLURM_OLDEST, SLURM_RELEASE(23, 11, 7)

/*
 * Such a job of another partition must be there now.  Before, if one ran anywhere since
 * slurmctld began, that counts on all nodes, even beside jobs that were suspended by hand.
 */
#define SLURM_BOUNDS_ROWS_ARE_EXACT SLURM_RELEASE(25, 11, 0), SLURM_NEWEST

/*
 * If no job of the partition is on a node yet, the CPUs that jobs of other partitions hold
 * there also count against the partition's MaxCPUsPerNode.  So do those that they held, and
 * only Slurm knows where.
 */
#define SLURM_BOUNDS_LIMIT_COUNTS_OTHERS SLURM_RELEASE(23, 2, 0), SLURM_RELEASE(25, 5, 3)

/* CPUs of a node that hold no whole task of a job count, too. */
#define SLURM_BOUNDS_COUNTS_ANY_CPUS SLURM_RELEASE(22, 5, 7), SLURM_RELEASE(23, 2, 5)

#endif
