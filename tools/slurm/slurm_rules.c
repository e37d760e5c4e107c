/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_rules.c - from which release to which a rule holds; see slurm_rules.h
 *
 * The releases are those where real Slurm was seen to change: tests/slurm/rules has a job for
 * each row, which rules.t submits.
 *
 * A row is looked up by number, so the order of the rows does not matter.  A bug fix within a
 * release series has its third number here too, since sites stay on a series for years.
 */

#include "tools/slurm/slurm_rules.h"

#include <stdio.h>

#include "place/slurm_versions.h"

static const struct {
	uint32_t begin, end;	/* releases: begin <= version < end */
} rules[] = {
	[SLURM_CUTS_NODELIST] = { SLURM_OLDEST, SLURM_RELEASE(23, 2, 0) },
	[SLURM_CHOOSES_OF_NODELIST] = { SLURM_RELEASE(23, 2, 0), SLURM_NEWEST },
	[SLURM_TASKS_ARE_MAX_NODES] = { SLURM_RELEASE(26, 5, 0), SLURM_NEWEST },
	[SLURM_REFUSES_FEW_TASKS] = { SLURM_RELEASE(26, 5, 0), SLURM_NEWEST },
	[SLURM_TASKS_CAP_CPUS] = { SLURM_RELEASE(23, 2, 0), SLURM_NEWEST },
	[SLURM_OVERCOMMIT_WAITS] = { SLURM_RELEASE(23, 2, 0), SLURM_NEWEST },
	[SLURM_LIMIT_COUNTS_OTHERS] = { SLURM_BOUNDS_LIMIT_COUNTS_OTHERS },
	[SLURM_ROWS_BAN] = { SLURM_BOUNDS_ROWS_BAN },
	[SLURM_ROWS_ARE_EXACT] = { SLURM_BOUNDS_ROWS_ARE_EXACT },
	[SLURM_COUNTS_ANY_CPUS] = { SLURM_BOUNDS_COUNTS_ANY_CPUS },
	[SLURM_ROOT_RESERVES] = { SLURM_RELEASE(23, 11, 0), SLURM_NEWEST },
	[SLURM_HAS_SEGMENTS] = { SLURM_RELEASE(24, 5, 0), SLURM_NEWEST },
};

int slurm_rule_holds(enum slurm_rule rule, const char *version)
{
	unsigned major, minor, micro = 0;
	/* A version that cannot be read counts as newer than all: sites rarely go back. */
	uint32_t release = SLURM_NEWEST - 1;

	if (version && sscanf(version, "%2u.%2u.%2u", &major, &minor, &micro) >= 2)
		release = SLURM_RELEASE(major, minor, micro);
	return release >= rules[rule].begin && release < rules[rule].end;
}
