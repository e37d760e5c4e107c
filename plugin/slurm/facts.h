/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts.h - turns Slurm's records into plain arrays for the placement service
 *
 * Reads only.  Called with slurmctld's job and node locks held.
 */
#ifndef SFAB_SLURM_FACTS_H
#define SFAB_SLURM_FACTS_H

#include "place/place.h"
#include "plugin/slurm/glue.h"
#include "plugin/slurm/node_sharing.h"

/* What glue_is_one_tree() said. */
enum one_tree_answer {
	ONE_TREE_NOT_ASKED,
	ONE_TREE_YES,
	ONE_TREE_NO,
};

struct facts {			/* the arrays that are handed to the service */
	const struct glue_question *question;	/* that is being asked */
	struct sfab_ask ask;
	int nnodes;
	uint8_t *node;				/* [nnodes] SFAB_NODE_* */
	uint64_t *weight;			/* [nnodes] */
	uint32_t *job_node, *job_cpus;		/* [nnodes] nodes of a running job */
	uint64_t *memory_mb;			/* [nnodes] */
	uint32_t *node_cpus;			/* [nnodes] scratch */
	uint64_t changes;			/* counts the events of jobs */
	struct node_sharing sharing;
	int packs_serial_at_end;		/* pack_serial_at_end in SchedulerParameters */
	int prefers_busy_nodes;			/* busy nodes are preferred (SchedulerParameters) */
	enum one_tree_answer one_tree;		/* for the current node table */
};

/* Allocate for the current node table and read slurm.conf again. */
void facts_reset(struct facts *f);
void facts_free(struct facts *f);

/*
 * Has the job's record the layout of the headers that this was compiled with?  NULL: yes;
 * otherwise the name of what differs.  @nodes may be NULL.
 */
const char *facts_check_job(const job_record_t *job, bitstr_t *nodes);
/* Check all node records in the same way. */
const char *facts_check_nodes(void);

/* Make the service's node table.  The caller xfree()s it; the names belong to Slurm. */
struct sfab_place_node *facts_nodes(void);

/* Make the question for the service.  It is part of @f, and points into @f, @q and the job. */
const struct sfab_ask *facts_ask(struct facts *f, const struct glue_question *q);

/* Return how many nodes Slurm gives the job if it can: the upper end of a range. */
uint32_t facts_nodes_meant(const struct glue_question *q);

/* Set *@run, which points into @f and the job.  -1: the job holds no nodes. */
int facts_run(struct facts *f, const job_record_t *job, struct sfab_place_run *run);

#endif
