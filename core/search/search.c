/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search.c - let the proposers try their sets, choose the best
 *
 * All sets get the same score, nodes lost.  The lowest wins, then fewer leaves, then the
 * earlier proposal.
 */

#include "core/search/search.h"

#include <string.h>

#include "core/search/propose.h"

/*
 * Proposers whose sets are likely to be good come first, so that most other sets are rejected
 * early.  All share the steps of the search.
 */
static const struct proposer {
	int (*propose)(struct pool *p, struct sfab_err *err);
	int on_few_leaves;		/* 1: if MaxLeaves is set, it proposes from the emptiest
					   leaves */
} proposers[] = {
	{ sfab_propose_tree, 0 },
	{ sfab_propose_units, 0 },
	{ sfab_propose_stripes, 1 },
	{ sfab_propose_even_rows, 1 },
	{ sfab_propose_plain, 0 },
	{ sfab_propose_io, 1 },
	{ sfab_propose_changes, 0 },
};

static int search_sets(struct pool *p, struct sfab_err *err)
{
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < sizeof(proposers) / sizeof(*proposers); i++) {
		const struct proposer *x = &proposers[i];

		if (i && (!p->need || p->need == p->choices->nhosts))
			break;	/* all candidates are needed: there is nothing to choose */
		if (sfab_search_is_stopped(p->rq))
			return sfab_fail(err, SFAB_ESTALE, "search stopped");
		if (x->on_few_leaves)
			sfab_pool_swap_few(p);
		rc = x->propose(p, err);
		if (x->on_few_leaves)
			sfab_pool_swap_few(p);
	}
	return rc;
}

int sfab_search_by(struct sfab_scorer *sc, struct sfab_jobs *js,
		   const struct sfab_request *rq, enum sfab_policy policy,
		   struct sfab_choice *out, struct sfab_err *err)
{
	struct sfab_job job;
	struct pool p;
	int rc = sfab_pool_make(&p, sc, js, rq, out, err);

	sfab_footprints_begin(sc->footprints, rq->stop);
	if (rc == 0 && policy == SFAB_POLICY_SFABRIC) {
		rc = search_sets(&p, err);
	} else if (rc == 0) {
		sfab_pool_pick_plain(&p, policy, p.pick);
		rc = sfab_pool_try(&p, p.pick, err);
	}
	if (rc == 0 && !out->n)
		rc = sfab_fail(err, SFAB_EINVAL, "no set of hosts was tried");
	if (rc == 0) {
		/* Score the choice again exactly, as anyone can from the tables and the hosts. */
		memcpy(p.trial, out->host, rq->n * sizeof(*p.trial));
		job = sfab_pool_trial_job(&p);
		rc = sfab_score(sc, js, &job, rq->avail, rq->weights, &out->score, err);
	}
	out->steps = p.steps;
	/* Drop the stop flag: the caller's memory may be gone before the next search. */
	sfab_footprints_begin(sc->footprints, NULL);
	sfab_arena_free(&p.arena);
	if (rc < 0)
		sfab_choice_clear(out);
	return rc;
}

int sfab_search(struct sfab_scorer *sc, struct sfab_jobs *js,
		const struct sfab_request *rq, struct sfab_choice *out,
		struct sfab_err *err)
{
	return sfab_search_by(sc, js, rq, SFAB_POLICY_SFABRIC, out, err);
}
