/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_rules.h - what sbatch and slurmctld do differently from version to version
 *
 * The preview imitates both.  Rules that hold for every version are code in the job_*.c files;
 * those that do not are rows of slurm_rules.c.  The rows were read from Slurm's releases;
 * tests/slurm/rules.t proves each on the Slurm it runs on (tests/slurm/rules).
 */
#ifndef SFAB_SLURM_RULES_H
#define SFAB_SLURM_RULES_H

enum slurm_rule {
	/* sbatch: -w with more nodes than -n has tasks: the last ones are left out. */
	SLURM_CUTS_NODELIST,
	/* -w with more nodes than the least number wanted: any of them will do. */
	SLURM_CHOOSES_OF_NODELIST,
	/* Without -N the tasks are the most nodes, in partitions' MaxNodes, too. */
	SLURM_TASKS_ARE_MAX_NODES,
	/* Fewer tasks than the partition's MinNodes are refused. */
	SLURM_REFUSES_FEW_TASKS,
	/* --mincpus above the CPUs of the tasks on a node: no node will do. */
	SLURM_TASKS_CAP_CPUS,
	/*
	 * --overcommit with whole nodes: more tasks than CPUs wait; with --cpus-per-task: more
	 * tasks than nodes.
	 */
	SLURM_OVERCOMMIT_WAITS,
	/* The plugin follows these four, too: place/slurm_versions.h says what they are. */
	SLURM_LIMIT_COUNTS_OTHERS,
	SLURM_ROWS_BAN,
	SLURM_ROWS_ARE_EXACT,
	SLURM_COUNTS_ANY_CPUS,
	/* root and SlurmUser may use all reservations. */
	SLURM_ROOT_RESERVES,
	/* sbatch has --segment and --exclusive=topo. */
	SLURM_HAS_SEGMENTS,
};

/*
 * Does it hold for @version ("24.11.5")?  NULL, or a text that is no version, counts as the
 * newest.
 */
int slurm_rule_holds(enum slurm_rule rule, const char *version);

#endif
