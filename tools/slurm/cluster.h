/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster.h - what Slurm says about its nodes, partitions and jobs right now
 *
 * Nodes are numbered as scontrol lists them; jobs are sorted by id.  Jobs that the asking user
 * may not see (PrivateData) are missing.  The CPUs and memory that they hold are "hidden".
 */
#ifndef SFAB_CLUSTER_H
#define SFAB_CLUSTER_H

#include "tools/slurm/jobtext.h"
#include "tools/slurm/scontrol.h"
#include "tools/slurm/slurmfacts.h"

#define CLUSTER_LISTS 5		/* that scontrol is asked for */

struct cluster {
	struct slurmfacts config;
	union {
		struct {
			struct scontrol_list partitions, reservations, licenses, jobs,
				nodes;
		};
		struct scontrol_list list[CLUSTER_LISTS];
	};
	struct jobtext_lost lost;		/* jobs that scontrol did not show */
	struct sfab_place_run hidden;		/* what is held by no job in the list; no id */
	const struct scontrol_node **by_name;	/* [nodes.n] sorted */
	char *topologies;			/* scontrol show topoconf; NULL: there is one */
};

/* Run scontrol.  On failure nothing is left to free. */
int cluster_ask(struct cluster *c, struct sfab_err *err);
/*
 * Make the cluster from texts of scontrol, for tests: all that @c has are the texts of config
 * and of all lists, and topologies (from malloc, or NULL).  Jobs are as jobtext.h makes them.
 */
int cluster_take(struct cluster *c, struct sfab_err *err);
void cluster_free(struct cluster *c);		/* twice is fine */

/* Only the names of all nodes, from scontrol: a hostlist; caller frees. */
char *cluster_hostlist(struct sfab_err *err);

/* The partition of that name (NULL: the default one), or NULL. */
const struct scontrol_partition *cluster_partition(const struct cluster *c, const char *name);

/* Does Slurm pack jobs of this partition into blocks, or whole units? */
int cluster_packs(const struct cluster *c, const struct scontrol_partition *p);

/* The job of that id, or NULL.  O(log jobs). */
const struct scontrol_job *cluster_job(const struct cluster *c, uint32_t id);

enum cluster_unknown { UNKNOWN_FAILS, UNKNOWN_LEFT_OUT };
/*
 * Set these bits in @marks ([nodes.n]) of the nodes in a hostlist (NULL: none), and return how
 * many did not have them all.  -1 with *err: no such node (SFAB_ENOENT) or not a hostlist.
 */
int cluster_mark(const struct cluster *c, const char *hostlist, enum cluster_unknown unknown,
		 uint16_t *marks, uint16_t bits, struct sfab_err *err);

/* Is a job on its nodes?  Does it keep their CPUs from others? */
int cluster_job_runs(const struct scontrol_job *job);
int cluster_job_holds_cpus(const struct scontrol_job *job);
/* Has it run and ended?  Slurm remembers it for MinJobAge seconds. */
int cluster_job_ended(const struct scontrol_job *job);

#endif
