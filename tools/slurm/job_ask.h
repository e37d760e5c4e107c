/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_ask.h - the question to the plugin, made of a job's options and the cluster
 *
 * sbatch turns options into a request; slurmctld turns that into the question of
 * select_p_job_test().  Both follow rules of their own: a job without -N asks for one node, -N4
 * without -n wants four CPUs, and so on.  These rules are repeated here; slurm_rules.h has
 * those that depend on the version.
 */
#ifndef SFAB_JOB_ASK_H
#define SFAB_JOB_ASK_H

#include "tools/slurm/cluster.h"
#include "tools/slurm/sbatch.h"
#include "tools/ui/reply.h"

#define JOB_ASK_ID (UINT32_MAX - 1)	/* no job in Slurm has this id */

/* What a node is for the job. */
enum {
	NODE_IS_OURS = 1 << 0,		/* in the job's partition */
	NODE_IS_REQUIRED = 1 << 1,
	NODE_IS_EXCLUDED = 1 << 2,
	NODE_IS_USED = 1 << 3,		/* has a job */
	NODE_IS_TAKEN = 1 << 4,		/* has a job that allows no other */
	NODE_IS_BANNED = 1 << 5,	/* has a job that this one may not join */
	NODE_IS_IN_ROWS = 1 << 6,	/* the rule about jobs on a core holds (job_sharing.c) */
	NODE_IS_RESERVED = 1 << 7,	/* reserved for others while the job would run */
	NODE_IS_LISTED = 1 << 8,	/* in a reservation that scontrol shows */
	NODE_IS_CURRENT = 1 << 9,	/* in the reservation that is looked at */
};

struct job_ask {
	const struct sbatch *given;	/* borrowed */
	const struct cluster *c;	/* borrowed */
	struct reply *reply;		/* what cannot be known becomes a warning */
	const struct scontrol_partition *partition;

	struct sfab_ask ask;		/* the question */
	uint8_t *node;			/* [nodes] SFAB_NODE_* */
	uint64_t *weight;		/* [nodes] */
	uint32_t *allowed;		/* [nodes] or NULL */
	char wait_reason[200];		/* why the job cannot start now; "": none is known */

	uint16_t *node_is;		/* [nodes] NODE_IS_* */
	uint32_t nlisted;		/* nodes named by -w, as sbatch sends them */
	uint32_t nrequired;		/* those of them that slurmctld must take */
	char gpus[128];			/* devices that each node must have free; "": none */
};

/*
 * Make the whole question; texts are borrowed from @given and @c.  -1 with *err: there is no
 * such partition or node, or options contradict each other.
 */
int job_ask_make(struct job_ask *a, const struct sbatch *given, const struct cluster *c,
		 struct reply *r, struct sfab_err *err);
/* Warn about what else cannot be known when the plugin finds too few nodes. */
void job_ask_warn_few(const struct job_ask *a);
void job_ask_free(struct job_ask *a);		/* twice is fine */

/* Make the part of the question that needs no cluster.  -1 with *err: -w is not a hostlist. */
int job_ask_alone(const struct sbatch *given, struct sfab_ask *ask, struct sfab_err *err);

/* -- parts of job_ask_make(), besides job_nodes.h and job_sharing.h ------------- */

/*
 * Set the numbers of nodes, tasks, CPUs and memory (job_numbers.c).  Return NULL, or why such a
 * job does not start in the partition.
 */
const char *job_ask_numbers(struct job_ask *a);
/* The least number of nodes that sbatch asks for; 0: it says none. */
uint32_t job_ask_min_nodes(const struct job_ask *a);
/* Are the licenses free (job_kept.c)?  -1 with *err: sbatch refuses them. */
int job_ask_licenses(struct job_ask *a, struct sfab_err *err);
/*
 * Mark the nodes of reservations that do not let the job start now, and with --reservation all
 * others than its own (job_kept.c).  -1 with *err: sbatch refuses its reservation.
 */
int job_ask_reserve(struct job_ask *a, struct sfab_err *err);

#endif
