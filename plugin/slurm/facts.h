/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts.h - from Slurm's records to plain arrays for the placement service
 *
 * Reads only; called with slurmctld's job and node locks held.
 */
#ifndef SFAB_SLURM_FACTS_H
#define SFAB_SLURM_FACTS_H

#include "place/place.h"
#include "plugin/slurm/beside.h"
#include "plugin/slurm/glue.h"

struct facts {			/* room for what is handed to the service */
	const struct glue_question *question;	/* at hand */
	struct sfab_ask ask;
	int nnodes;
	uint8_t *node;		/* [nnodes] SFAB_NODE_* */
	uint64_t *weight;	/* [nnodes] */
	uint32_t *index, *cpus;	/* [nnodes] nodes of a running job */
	uint64_t *memory;	/* [nnodes] */
	uint32_t *by_node;	/* [nnodes] scratch */
	uint16_t *sockets, *threads;	/* [nnodes] of a node, of a core */
	uint64_t changes;	/* jobs that came, went, rested */
	struct beside beside;
	int serial_at_end;	/* SchedulerParameters that matter */
	int busy_nodes;
	int trees;		/* of the topology: 1, 2 or more, 0: not looked */
};

/* Room for the node table of now; slurm.conf is looked at again. */
void facts_reset(struct facts *f);
void facts_free(struct facts *f);

/*
 * Are the records laid out as the headers say that this was compiled with?
 * NULL: yes; else what is not.  The bitmap may be NULL.
 */
const char *facts_check_job(const job_record_t *job, bitstr_t *nodes);
const char *facts_check_nodes(void);

/* The service's node table; the caller xfree()s it, the names are Slurm's. */
struct sfab_place_node *facts_nodes(void);

/* What is asked about the job; lives in @f, points into it, @q and the job. */
const struct sfab_ask *facts_ask(struct facts *f, const struct glue_question *q);

/* Nodes that Slurm gives the job where it can: of a range the most. */
uint32_t facts_nodes_meant(const struct glue_question *q);

/* 1: the job waits for nodes or for its turn, and *@w says what it wants. */
int facts_waiting(const job_record_t *job, struct sfab_place_waiting *w);

/* -1: the job holds no nodes. */
int facts_run(struct facts *f, const job_record_t *job,
	      struct sfab_place_run *run);

/* Id under which the scheduler asks for the job: of an array, the array's. */
uint32_t facts_asked_id(const job_record_t *job);

#endif
