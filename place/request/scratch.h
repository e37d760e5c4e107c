/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scratch.h - storage for one question, or one job, at a time: as large as the node table */
#ifndef SFAB_PLACE_SCRATCH_H
#define SFAB_PLACE_SCRATCH_H

#include <stdint.h>

#include "core/arena.h"
#include "core/search/search.h"

struct sfab_usable {		/* a node that the job could get now */
	uint64_t weight;
	uint32_t node;
	uint32_t capacity;	/* tasks */
	uint32_t class;		/* rank of its weight, 0: lowest */
	uint32_t cpus;		/* of the node if its size matters, else 0 */
	uint8_t is_used;	/* 1: a job is on it */
	uint8_t is_required;
	uint8_t is_spare;	/* in use, and the job fits without it */
};

struct sfab_scratch {
	uint32_t nnodes, nhosts;
	struct sfab_usable *usable;	/* [nnodes] */
	uint32_t nusable;
	uint32_t max_loose_cpus;	/* maximum of sfab_need_loose_cpus() over the nodes */
	uint32_t *capacity;		/* [nnodes] */
	uint8_t *avail, *required;	/* [nhosts] */
	uint32_t *weight;		/* [nhosts] */
	double *cpus;			/* [nhosts] */
	struct sfab_request rq;		/* points to the four above */
	uint32_t enough;		/* nodes with which it starts if no more are free */
	int takes_all;			/* 1: rq.n is the number of usable nodes */
	uint32_t *job_host;		/* [nnodes] hosts of a job */
	double *job_cpus;		/* [nnodes] share of each such host's CPUs that it holds */
	uint32_t *rank;			/* [nnodes] of the nodes of the job that began last */
	struct sfab_arena arena;	/* all arrays */
};

/* Allocate all arrays.  -1: no memory, then @s is all zero. */
int sfab_scratch_reset(struct sfab_scratch *s, uint32_t nnodes, uint32_t nhosts);
/* Free all arrays; @s is then all zero.  May be repeated. */
void sfab_scratch_free(struct sfab_scratch *s);

#endif
