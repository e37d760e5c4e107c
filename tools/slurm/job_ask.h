/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_ask.h - a job's options and the cluster -> the question to the plugin
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
	NODE_IS_OURS = 1 << 0,		/* its partition's */
	NODE_IS_REQUIRED = 1 << 1,
	NODE_IS_EXCLUDED = 1 << 2,
	NODE_IS_USED = 1 << 3,		/* has a job */
	NODE_IS_TAKEN = 1 << 4,		/* has a job that allows no other */
	NODE_IS_BANNED = 1 << 5,	/* has a job that this one may not join */
	NODE_IS_IN_ROWS = 1 << 6,	/* see job_sharing.c */
	NODE_IS_RESERVED = 1 << 7,	/* for others during its run */
	NODE_IS_LISTED = 1 << 8,	/* in a reservation that is known */
	NODE_IS_OF_THIS = 1 << 9,	/* in the reservation that is looked at */
};

struct job_ask {
	const struct sbatch *given;	/* borrowed */
	const struct cluster *c;	/* borrowed */
	struct reply *report;	/* what cannot be known becomes a warning */
	const struct scontrol_partition *partition;

	struct sfab_ask ask;	/* the question */
	uint8_t *node;		/* [nodes] SFAB_NODE_* */
	uint64_t *weight;	/* [nodes] */
	uint32_t *allowed;	/* [nodes] or NULL */
	char waits[200];	/* why it cannot start now; "": nothing is known */

	uint16_t *node_is;	/* [nodes] NODE_IS_* */
	uint32_t nlisted;	/* nodes named by -w, as sbatch sends them */
	uint32_t nrequired;	/* those of them that slurmctld must take */
	char gpus[128];		/* that each node must have free; "": none */
};

/*
 * The whole question; texts are borrowed from @given and @c.  -1 with *err: no such partition
 * or node, or contradicting options.
 */
int job_ask_make(struct job_ask *a, const struct sbatch *given, const struct cluster *c,
		 struct reply *r, struct sfab_err *err);
/* What else cannot be known when the plugin finds too few nodes. */
void job_ask_warn_few(const struct job_ask *a);
void job_ask_free(struct job_ask *a);		/* twice is fine */

/* What is known about the job without a cluster.  -1 with *err: -w is not a hostlist. */
int job_ask_alone(const struct sbatch *given, struct sfab_ask *ask, struct sfab_err *err);

/* -- its parts, in this order ---------------------------------------------- */

/* Set a->node_is, but for reservations, and how many nodes -w names (job_nodes.c). */
int job_nodes_find(struct job_ask *a, struct sfab_err *err);
/* Is --constraint of a simple form: "a", "a&b" ("a,b") or "a|b"? */
int job_nodes_features(const char *wanted);

/*
 * What the jobs on a node leave to a job that would join them (job_sharing.c).  The same rules
 * as the plugin's in plugin/slurm/node_sharing.h.
 */

/* Will it share its cores: OverSubscribe=FORCE, or YES and -s was given? */
int job_sharing_shares(const struct job_ask *a);
/* Mark nodes with a job that it may not join, in a->node_is. */
void job_sharing_ban(struct job_ask *a);
/*
 * CPUs of each node that the partition may still use ([nodes], caller frees).  NULL: all of
 * them.
 */
uint32_t *job_sharing_allowed(const struct job_ask *a);

/*
 * The numbers alone (job_numbers.c): nodes, tasks, CPUs, memory.  NULL, or why such a
 * job does not start in the partition.
 */
const char *job_ask_numbers(struct job_ask *a);
/* The least number of nodes that sbatch asks for; 0: it says none. */
uint32_t job_ask_min_nodes(const struct job_ask *a);

/*
 * Set a->gpus, which each node must have free, as the plugin counts them in
 * plugin/slurm/gres.h: a number for each node, or its share of one for the job.  -1: only Slurm
 * can tell.
 */
int job_nodes_gpus(struct job_ask *a);
/* Are the licenses free (job_kept.c)?  -1 with *err: sbatch refuses them. */
int job_ask_licenses(struct job_ask *a, struct sfab_err *err);
/*
 * Mark the nodes of reservations that do not let the job start now, and with --reservation all
 * others than its own (job_kept.c).  -1 with *err: sbatch refuses its reservation.
 */
int job_ask_reserve(struct job_ask *a, struct sfab_err *err);
/* SFAB_NODE_* of node @i, when all is known. */
uint8_t job_nodes_flags(const struct job_ask *a, uint32_t i);

#endif
