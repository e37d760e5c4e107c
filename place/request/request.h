/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request.h - from a question about nodes to a search among hosts
 *
 * Usable nodes are sorted by sched_weight, and only the lowest weights that can
 * hold the job are searched.  For a job that wants whole nodes, and where CPUs count
 * against a limit, only the smallest of those nodes are.  A job that shares nodes
 * first takes nodes that are already in use; otherwise it would break up idle ones.
 */
#ifndef SFAB_PLACE_REQUEST_H
#define SFAB_PLACE_REQUEST_H

#include <stdint.h>

#include "core/arena.h"
#include "core/search/search.h"
#include "place/nodes.h"
#include "place/place.h"
#include "place/request/reason.h"
#include "place/running.h"

struct sfab_usable {		/* a node that the job could get now */
	uint64_t weight;
	uint32_t node;
	uint32_t capacity;	/* tasks */
	uint32_t class;		/* rank of its weight, 0: lowest */
	uint32_t cpus;		/* of the node if its size matters, else 0 */
	uint8_t used;		/* 1: a job is on it */
	uint8_t required;
	uint8_t spare;		/* in use, and the job fits without it */
};

struct sfab_scratch {		/* of one question, or one job, at a time, reused */
	uint32_t nnodes, nhosts;
	struct sfab_usable *usable;	/* [nnodes] */
	uint32_t nusable;
	uint32_t loose;		/* the most of a node: sfab_need_loose() */
	uint32_t *capacity;		/* [nnodes] */
	uint8_t *avail, *required;	/* [nhosts] */
	uint32_t *weight;		/* [nhosts] */
	double *cpus;			/* [nhosts] */
	struct sfab_request rq;		/* points to the four above */
	uint32_t enough;	/* of rq.n: it starts with these if no more are free */
	int takes_all;		/* 1: rq.n are all usable ones */
	uint32_t *job_host;		/* [nnodes] hosts of a job */
	double *job_cpus;		/* [nnodes] share of each such host's CPUs that it holds */
	uint32_t *rank;			/* [nnodes] of the nodes of the job that began last */
	struct sfab_arena arena;	/* all arrays */
};

/* Allocate for this many.  -1: no memory, then empty. */
int sfab_scratch_reset(struct sfab_scratch *s, uint32_t nnodes, uint32_t nhosts);
void sfab_scratch_free(struct sfab_scratch *s);

/*
 * Fill s->rq except traffic, weights, steps, seed and stop.  @extra: ask for this
 * many nodes more than needed.  SFAB_PLACED: there is something to search;
 * otherwise the reason why not.  After SFAB_STOCK_NO_CHOICE the usable nodes are
 * the answer.  A range (-N MIN-MAX) asks for as many as there are, up to MAX; whole
 * nodes may then be fewer (sizes.h), so that even all of them are a choice.
 */
enum sfab_reason sfab_request_make(struct sfab_scratch *s,
				   const struct sfab_ask *ask,
				   const struct sfab_nodes *nodes,
				   const struct sfab_running *running,
				   uint32_t extra);

/* Hash of everything the answer depends on except the running jobs.  Never 0. */
uint64_t sfab_request_key(const struct sfab_scratch *s, const char *traffic,
			  const double *weights);

#endif
