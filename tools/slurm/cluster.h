/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster.h - what Slurm says about its nodes, partitions and jobs right now
 *
 * Nodes are numbered as scontrol lists them; jobs are sorted by id.  Jobs that
 * the asking user may not see (PrivateData) are missing.  The CPUs and memory
 * that they hold are "hidden".
 */
#ifndef SFAB_CLUSTER_H
#define SFAB_CLUSTER_H

#include <stdint.h>

#include "core/err.h"
#include "tools/slurm/jobtext.h"
#include "tools/slurm/scontrol.h"
#include "tools/slurm/slurmfacts.h"

#define CLUSTER_NONE UINT32_MAX

struct cluster_name;		/* private */

struct cluster {
	struct slurmfacts config;
	struct scontrol_list nodes, jobs, partitions, reservations, licenses;
	struct jobtext_lost lost;	/* jobs that are otherwise missing here */
	struct cluster_name *names;
	char *topologies;		/* see blocks.h; NULL: there is but one */
};

/* What scontrol printed, jobs as jobtext.h makes them; each from malloc. */
struct cluster_texts {
	char *config, *node, *job, *partition, *reservation;
	char *license, *topologies;	/* or NULL */
};

/* Run scontrol.  On failure nothing is left to free. */
int cluster_ask(struct cluster *c, struct sfab_err *err);
/* The same from texts, which are taken over, also on failure. */
int cluster_take(struct cluster *c, struct cluster_texts *texts,
		 struct sfab_err *err);
void cluster_free(struct cluster *c);		/* twice is fine */

/* Only the names of all nodes, from scontrol: a hostlist; caller frees. */
char *cluster_hostlist(struct sfab_err *err);

/* The partition of that name (NULL: the default one), or NULL. */
const struct scontrol_partition *cluster_partition(const struct cluster *c,
						   const char *name);

/* Does Slurm pack jobs of this partition into blocks, or whole units? */
int cluster_packs(const struct cluster *c, const struct scontrol_partition *p);

/* The job of that id, or NULL.  O(log jobs). */
const struct scontrol_job *cluster_job(const struct cluster *c, uint32_t id);

enum cluster_unknown { UNKNOWN_FAILS, UNKNOWN_LEFT_OUT };
/*
 * Flags of the nodes in a hostlist ([nodes.n], caller frees); *@n is how many.
 * NULL with *err: no such node (SFAB_ENOENT) or not a hostlist.
 */
uint8_t *cluster_flags(const struct cluster *c, const char *hostlist,
		       enum cluster_unknown unknown, uint32_t *n,
		       struct sfab_err *err);

/*
 * Nodes with CPUs and memory that jobs hold; arrays are large enough for all
 * nodes.
 */
struct cluster_hold {
	uint32_t n;
	uint32_t *node, *cpus;
	uint64_t *memory_mb;
};
void cluster_hold_init(struct cluster_hold *h, const struct cluster *c);
void cluster_hold_free(struct cluster_hold *h);

/* What a running or suspended job holds, or a finished one held. */
int cluster_job_hold(const struct cluster *c, const struct scontrol_job *job,
		     struct cluster_hold *h, struct sfab_err *err);
/* What is held by no job in the list. */
int cluster_hidden(const struct cluster *c, struct cluster_hold *h,
		   struct sfab_err *err);

/* Is a job on its nodes?  Does it keep their CPUs from others? */
int cluster_job_runs(const struct scontrol_job *job);
int cluster_job_holds_cpus(const struct scontrol_job *job);
/* Has it run and ended?  Slurm remembers it for MinJobAge seconds. */
int cluster_job_ended(const struct scontrol_job *job);

#endif
