/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search.c - let the proposers try their sets, choose the best
 *
 * All sets get the same score, nodes lost.  The lowest wins, then fewer leaves, then the
 * earlier proposal.
 */

#include "core/search/search_private.h"

#include <stdlib.h>
#include <string.h>

/*
 * In this order: what is likely to be good comes first, so that most of the others are
 * rejected early.  All have the same steps.
 */
static const struct proposer {
	int (*propose)(struct pool *p, struct sfab_err *err);
	int on_few;		/* where MaxLeaves binds: on the emptiest leaves */
} proposers[] = {
	{ sfab_propose_tree, 0 },
	{ sfab_propose_units, 0 },
	{ sfab_propose_stripes, 1 },
	{ sfab_propose_even_rows, 1 },
	{ sfab_propose_plain, 0 },
	{ sfab_search_io, 1 },
	{ sfab_search_locally, 0 },
};

static int run_proposer(struct pool *p, const struct proposer *x, struct sfab_err *err)
{
	int rc;

	if (x->on_few)
		sfab_pool_swap_few(p);
	rc = x->propose(p, err);
	if (x->on_few)
		sfab_pool_swap_few(p);
	return rc;
}

static int search_sets(struct pool *p, struct sfab_err *err)
{
	for (unsigned i = 0; i < sizeof(proposers) / sizeof(*proposers); i++) {
		if (i && (!p->need || p->need == p->nhosts))
			break;	/* all candidates: there is nothing to choose */
		if (sfab_search_is_stopped(p->rq))
			return sfab_fail(err, SFAB_ESTALE, "search stopped");
		if (run_proposer(p, &proposers[i], err) < 0)
			return -1;
	}
	return 0;
}

static int one_policy(struct pool *p, enum sfab_policy policy, struct sfab_err *err)
{
	if (policy == SFAB_POLICY_SFABRIC)
		return search_sets(p, err);
	sfab_pick_plain(p, policy, p->pick);
	return sfab_pool_try(p, p->pick, err);
}

/* The score that anyone can compute from the tables and the hosts. */
static int score_exactly(struct pool *p, struct sfab_err *err)
{
	struct sfab_spec spec;

	memcpy(p->try, p->best.host, p->rq->n * sizeof(*p->try));
	spec = sfab_pool_tried(p);
	return sfab_score(p->sc, p->js, &spec, p->rq->avail, p->rq->weights, &p->best.score,
			  err);
}

static void give_choice(struct pool *p, enum sfab_policy policy, struct sfab_choice *out)
{
	*out = p->best;
	out->steps = p->steps;
	p->best.host = NULL;
	if (policy == SFAB_POLICY_SFABRIC) {
		out->tree = p->tree;
		p->tree = NULL;
	}
}

int sfab_candidate(struct sfab_scorer *sc, struct sfab_jobs *js,
		   const struct sfab_request *rq, enum sfab_policy policy,
		   struct sfab_choice *out, struct sfab_err *err)
{
	struct pool p;
	int rc = sfab_pool_make(&p, sc, js, rq, err);

	memset(out, 0, sizeof(*out));
	sfab_footprints_begin(sfab_scorer_footprints(sc), rq->stop);
	if (rc == 0)
		rc = one_policy(&p, policy, err);
	if (rc == 0 && !p.best.n)
		rc = sfab_fail(err, SFAB_EINVAL, "no set of hosts was tried");
	if (rc == 0)
		rc = score_exactly(&p, err);
	if (rc == 0)
		give_choice(&p, policy, out);
	/*
	 * Drop the stop flag: the caller's memory may be gone before the next
	 * search.
	 */
	sfab_footprints_begin(sfab_scorer_footprints(sc), NULL);
	sfab_pool_free(&p);
	return rc;
}

int sfab_search(struct sfab_scorer *sc, struct sfab_jobs *js,
		const struct sfab_request *rq, struct sfab_choice *out,
		struct sfab_err *err)
{
	return sfab_candidate(sc, js, rq, SFAB_POLICY_SFABRIC, out, err);
}
