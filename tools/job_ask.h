/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_ask.h - a job's options and the cluster -> what the plugin would be asked
 *
 * sbatch turns options into a request, slurmctld that into the question of
 * select_p_job_test(); both follow rules of their own (a job without -N asks
 * for one node, -N4 without -n wants four CPUs ...), which are repeated here
 * as Slurm 22.05 has them.
 */
#ifndef SFAB_JOB_ASK_H
#define SFAB_JOB_ASK_H

#include <stdint.h>

#include "../core/err.h"
#include "../plugin/place/place.h"
#include "cluster.h"
#include "json.h"
#include "sbatch.h"

#define JOB_ASK_ID (UINT32_MAX - 1)	/* no job in Slurm has it */

struct job_ask {
	struct sfab_ask ask;
	const struct scontrol_partition *partition;
	uint8_t *node;		/* [nodes] SFAB_NODE_* */
	uint64_t *weight;	/* [nodes] */
};

/*
 * The numbers alone (job_numbers.c): nodes, tasks, CPUs, memory.  @listed: how
 * many nodes -w names.
 */
void job_ask_numbers(const struct sbatch *s, uint32_t listed,
		     const struct cluster *c,
		     const struct scontrol_partition *partition,
		     struct sfab_ask *ask);

/* Sets of nodes, flags by number (job_nodes.c). */
struct job_nodes {
	uint8_t *partition, *required, *excluded;	/* NULL: none */
	uint8_t *taken;		/* a job is there that lets nobody in */
	uint8_t *used;		/* a job is there */
	uint32_t nrequired;
};
int job_nodes_find(struct job_nodes *set, const struct sbatch *s,
		   const struct cluster *c, const struct scontrol_partition *p,
		   struct sfab_err *err);
void job_nodes_free(struct job_nodes *set);	/* twice is fine */

/* SFAB_NODE_* of node @i for a job with these numbers. */
uint8_t job_nodes_flags(const struct job_nodes *set, const struct sbatch *s,
			const struct cluster *c, const struct sfab_ask *ask,
			uint32_t i);

/*
 * All of it; texts are borrowed from @s and @c.  What cannot be known becomes
 * a warning in @r.  -1 with *err: no such partition or node, options that
 * contradict each other.
 */
int job_ask_make(struct job_ask *a, const struct sbatch *s,
		 const struct cluster *c, struct report *r,
		 struct sfab_err *err);
void job_ask_free(struct job_ask *a);		/* twice is fine */

#endif
