/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_rules.c - from which release to which a rule holds; see slurm_rules.h
 *
 * The releases are those where real Slurm was seen to change: tests/slurm/rules has a
 * job for each row, which t-rules.t submits.
 *
 * A row is looked up by number, so the order of the rows does not matter.  A
 * bug fix within a release series has its third number here too, since sites
 * stay on a series for years.
 */

#include "tools/slurm/slurm_rules.h"

#include <stdint.h>
#include <stdio.h>

#define RELEASE(major, minor, micro) (10000 * (major) + 100 * (minor) + (micro))
#define NEWEST UINT32_MAX

static const struct {
	uint32_t from, before;	/* releases: from <= version < before */
} rules[] = {
	[SLURM_CUTS_NODELIST] = { 0, RELEASE(23, 2, 0) },
	[SLURM_CHOOSES_OF_NODELIST] = { RELEASE(23, 2, 0), NEWEST },
	[SLURM_TASKS_ARE_MAX_NODES] = { RELEASE(26, 5, 0), NEWEST },
	[SLURM_REFUSES_FEW_TASKS] = { RELEASE(26, 5, 0), NEWEST },
	[SLURM_TASKS_CAP_CPUS] = { RELEASE(23, 2, 0), NEWEST },
	[SLURM_OVERCOMMIT_WAITS] = { RELEASE(23, 2, 0), NEWEST },
	[SLURM_LIMIT_COUNTS_OTHERS] = { RELEASE(23, 2, 0), RELEASE(25, 5, 3) },
	[SLURM_ROWS_BAN] = { 0, RELEASE(23, 11, 7) },
	[SLURM_ROWS_ARE_EXACT] = { RELEASE(25, 11, 0), NEWEST },
	[SLURM_COUNTS_ANY_CPUS] = { RELEASE(22, 5, 7), RELEASE(23, 2, 5) },
	[SLURM_ROOT_RESERVES] = { RELEASE(23, 11, 0), NEWEST },
	[SLURM_HAS_SEGMENTS] = { RELEASE(24, 5, 0), NEWEST },
};

int slurm_rule_holds(enum slurm_rule rule, const char *version)
{
	unsigned major, minor, micro = 0;
	/*
	 * A version that cannot be read counts as newer than all: sites rarely
	 * go back.
	 */
	uint32_t release = NEWEST - 1;

	if (version && sscanf(version, "%2u.%2u.%2u", &major, &minor, &micro) >= 2)
		release = RELEASE(major, minor, micro);
	return release >= rules[rule].from && release < rules[rule].before;
}
