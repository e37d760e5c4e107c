/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pool.h - a prepared request and the best set found for it so far
 *
 * A pool has the hosts that the job gets in any case, and the candidates for the rest in fabric
 * order (leaf, port).  pool.c fills it and scores sets.
 */
#ifndef SFAB_POOL_H
#define SFAB_POOL_H

#include "core/random.h"
#include "core/search/search.h"

#define POOL_SEEN 1024		/* slots for scored sets, so that none is scored again */

struct pool_leaves {		/* leaves with candidates */
	uint32_t nhosts, *host;		/* candidates by leaf and port */
	uint32_t nleaves, *leaf;	/* their leaf ids */
	uint32_t *first;		/* [nleaves + 1] into host */
	uint8_t *is_candidate;		/* by host */
};

struct pool {
	const struct sfab_model *m;
	const struct sfab_request *rq;
	struct sfab_scorer *sc;
	struct sfab_jobs *js;		/* or NULL */
	uint32_t nbase, *base;		/* hosts that the job gets in any case */
	uint32_t need;			/* hosts to choose */
	struct pool_leaves all;
	struct pool_leaves few;		/* the emptiest leaves: with those of the base,
					   max_leaves */
	struct pool_leaves *choices;	/* all or few: the candidates to choose from now */
	uint32_t max_leaves;		/* of a set; 0: any number */
	uint64_t random;		/* random state */
	uint32_t steps, max_steps;
	uint32_t first_steps;		/* steps that scoring the first set took */
	struct sfab_choice *best;	/* n 0: none yet */
	double ends[SFAB_TRAFFIC_PARTS];	/* E by part (phases.h) of the first set */
	uint64_t seen[POOL_SEEN];	/* hashes of sets that were scored, 0: none */
	uint32_t *pick;			/* [need] scratch of the proposers */
	uint32_t *trial;		/* [n] the set being evaluated */
	uint64_t *bits;			/* by host: scratch to sort trial */
	double *trial_cpus;		/* [n] CPUs held / CPUs on the hosts of trial */
	uint32_t *tree_levels;		/* scratch of slurm_tree.c */
	uint8_t *leaf_closed;		/* by leaf: marks of slurm_tree.c, 0 between calls */
	uint8_t *leaf_used;		/* by leaf: marks of few_leaves.c, 0 between calls */
	struct sfab_arena arena;	/* all arrays but those of best */
};

/* Return the number of hosts that may be chosen on the @l-th leaf. */
static inline uint32_t sfab_pool_leaf_hosts(const struct pool *p, uint32_t l)
{
	return p->choices->first[l + 1] - p->choices->first[l];
}

/* Return B/C of a link.  A link that always waits counts as full. */
static inline double sfab_pool_fullness(const struct pool *p, uint32_t link)
{
	return p->js ? sfab_jobs_background_with_waits(p->js)[link] * p->m->inv_cap[link] : 0;
}

/*
 * Prepare @rq; @best becomes its best set.  The caller frees the arena and clears @best, also
 * after -1.  Errors: those of sfab_search().
 */
int sfab_pool_make(struct pool *p, struct sfab_scorer *sc, struct sfab_jobs *js,
		   const struct sfab_request *rq, struct sfab_choice *best,
		   struct sfab_err *err);

/* Set p->max_leaves and p->few (few_leaves.c).  -1: out of memory. */
int sfab_pool_find_few(struct pool *p);
/* Choose from the candidates on the few leaves, or from all of them again. */
void sfab_pool_swap_few(struct pool *p);
/* Is the base plus @pick on no more leaves than allowed? */
int sfab_pool_allows(struct pool *p, const uint32_t *pick);

/* May a proposer try another set?  Not if stopped, or with too few steps for one more set. */
int sfab_pool_may_go_on(const struct pool *p);

/* Return the set in p->trial as a job. */
struct sfab_job sfab_pool_trial_job(const struct pool *p);

/*
 * Score the set of the base plus @pick (host ids of p->need candidates).  Keep it if it is the
 * best so far.  A set that was scored before, or that is on too many leaves, is passed over.
 * 0: kept or not.  -1 with *err: SFAB_ENOMEM, SFAB_ENOENT (no such IO set), SFAB_ESTALE
 * (stopped).
 */
int sfab_pool_try(struct pool *p, const uint32_t *pick, struct sfab_err *err);
/* Set p->trial to the base plus @pick, ascending. */
void sfab_pool_fill(struct pool *p, const uint32_t *pick);

/* Fill @pick by a baseline policy.  Cannot fail once the pool exists. */
void sfab_pool_pick_plain(struct pool *p, enum sfab_policy policy, uint32_t *pick);
void sfab_pool_pick_tree(struct pool *p, uint32_t *pick);

#endif
