/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search_private.h - what the parts of the search share
 *
 * A pool is a prepared request: the hosts that the job gets in any case, and
 * the candidates for the rest in fabric order (leaf, port).
 */
#ifndef SFAB_SEARCH_PRIVATE_H
#define SFAB_SEARCH_PRIVATE_H

#include "core/random.h"
#include "core/search/search.h"

#define CLASS_PROPOSALS 4	/* of sfab_search_classes() */
#define POOL_KEPT 6		/* proposals kept for lookahead, */
#define POOL_KEPT_STEPS 16	/* and to be scored by steps: what is best by the mean
				   need not be */
#define POOL_SEEN 128		/* scored sets that are remembered, so as not to
				   score them again */

struct pool {
	const struct sfab_model *m;
	const struct sfab_request *rq;
	struct sfab_scorer *sc;
	struct sfab_jobs *js;		/* or NULL */
	struct sfab_space room;
	uint32_t nbase, *base;		/* hosts that the job gets in any case */
	uint32_t need;			/* hosts to choose */
	uint32_t nhosts, *host;		/* candidates by leaf and port */
	uint32_t nleaves;		/* leaves with candidates */
	uint32_t *leaf;			/* their leaf ids */
	uint32_t *first;		/* [nleaves + 1] into host */
	uint64_t random;		/* random state */
	int looks_ahead;		/* the queue is known */
	int with_steps;			/* score mpi by steps, too */
	int replaces;			/* a better set takes the place of the best, and
					   the others stay */
	double forgiven;		/* sfab_bar.forgiven */
	uint32_t steps, max_steps;
	uint32_t bound;			/* step at which the current phase ends */
	struct sfab_choice kept[POOL_KEPT_STEPS];	/* best first, no duplicates */
	double ends;			/* ends of the first proposal's score */
	uint32_t nkept, nkeep;	/* nkeep: how many to keep */
	uint64_t seen[POOL_SEEN];	/* hashes of sets that were scored */
	uint32_t nseen;
	uint32_t *try;			/* [n] the set being evaluated */
	uint64_t *bits;			/* by host: scratch to sort it */
	double *try_cpus;
	uint32_t *fit;			/* scratch of the tree baseline, */
	uint32_t *tree;			/* [n] and what it chose */
	uint8_t *closed;
};

static inline uint32_t pool_free(const struct pool *p, uint32_t l)
{
	return p->first[l + 1] - p->first[l];
}

/* 1: the traffic is all IO, and other jobs run. */
static inline int pool_is_io_beside(const struct pool *p)
{
	const struct sfab_traffic *t = p->rq->traffic;

	return p->js && sfab_jobs_count(p->js) > 0 &&
	       !(sfab_traffic_share(t, 0) > 0) && sfab_traffic_share(t, 1) > 0;
}

/*
 * B/C of a link plus its wait share: a link that always waits counts as full.
 */
static inline double pool_fill(const struct pool *p, uint32_t link)
{
	if (!p->js)
		return 0;
	return sfab_jobs_background(p->js)[link] * p->m->inv_cap[link] +
	       sfab_jobs_wait_share(p->js)[link];
}

/* Prepare @rq; _free also after -1.  Errors: those of sfab_search(). */
int sfab_pool_make(struct pool *p, struct sfab_scorer *sc, struct sfab_jobs *js,
		   const struct sfab_request *rq, struct sfab_err *err);
void sfab_pool_free(struct pool *p);

/* Is traffic between the job's hosts judged by steps? */
int sfab_pool_by_steps(const struct pool *p);

int sfab_search_is_stopped(const struct sfab_request *rq);

/* 1: continue; 0: out of steps or stopped. */
int sfab_pool_go_on(const struct pool *p);

/* <0: @a is better. */
int sfab_pool_cmp(const struct sfab_score *a, const struct sfab_score *b);

/* The set in p->try as a job. */
struct sfab_spec sfab_pool_tried(const struct pool *p);

/*
 * Score the set of the base plus @pick (host ids of p->need candidates).  Keep
 * it if it is among the best so far.
 */
int sfab_pool_try(struct pool *p, const uint32_t *pick, struct sfab_err *err);

/*
 * Put the set of tree placement second, unless it is first: what comes next looks at
 * it in any case.
 */
int sfab_pool_keep_tree(struct pool *p, struct sfab_err *err);

/* Baseline policies: fill @pick.  They cannot fail once the pool exists. */
void sfab_pick_plain(struct pool *p, enum sfab_policy policy, uint32_t *pick);
void sfab_pick_tree(struct pool *p, uint32_t slurm, uint32_t *pick);

/*
 * Group candidates that load the links alike.  @order gets the candidates'
 * indices, those of group g at order[first[g]] .. order[first[g+1]-1].  Room:
 * nhosts, nhosts + 1.  Returns the number of groups.
 */
uint32_t sfab_alike_groups(const struct pool *p, uint32_t *order,
			   uint32_t *first);

/*
 * Rectangles of port classes for mpi traffic, cheapest first (search_classes.c).
 * The caller gives @pick[i], with room for p->need hosts each.  n 0: the tables
 * have no classes, or no rectangle is free.
 */
struct class_proposals {
	uint32_t n;
	int meets_others;	/* 1: their links need not be quiet */
	double cost[CLASS_PROPOSALS];
	uint32_t *pick[CLASS_PROPOSALS];
};
int sfab_search_classes(struct pool *p, struct class_proposals *out,
			struct sfab_err *err);

/* The searches; each tries its candidates with sfab_pool_try(). */
int sfab_search_leaves(struct pool *p, uint32_t *pick, struct sfab_err *err);
int sfab_search_io(struct pool *p, uint32_t *pick, struct sfab_err *err);
/* Score the best sets and the rectangles @found with steps, then swap hosts of the best. */
int sfab_search_steps(struct pool *p, const struct class_proposals *found,
		      struct sfab_err *err);
/* Improve the best set so far; there must be one. */
int sfab_search_swaps(struct pool *p, struct sfab_err *err);

/* Score the best set again, so that the scorer holds its loads. */
int sfab_pool_rescore(struct pool *p, struct sfab_err *err);

#endif
