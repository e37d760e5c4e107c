/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest.c - changes that repair the worst IO finding; see suggest.h
 *
 * First the unchanged fabric is routed and its worst rate found.  Then come ways of routing and
 * ways to move hosts, all together, and at last the best of the moves with io_guid_file.
 * Candidates are compared by what they would cost everybody, not by the finding alone: a fix
 * that halves the rates between compute hosts is none.
 */

#include "tools/whatif/suggest.h"

#include <math.h>

#include "tools/opensm/simulate.h"
#include "tools/whatif/fidelity.h"

#define STEP 0.05		/* scores this close are equal: fewest cables win */

/*
 * Return the score of a repair, the lower the better.  What a repair costs others counts as
 * much as the loss that it leaves.  A score of 0 is a fabric that loses nothing.
 */
static double score_outcome(const struct change_outcome *as_is, const struct change_outcome *o)
{
	double score = o->loss;

	if (as_is->bisect > 0)
		score += fmax(0, 1 - o->bisect / as_is->bisect);
	if (as_is->rotate > 0)
		score += fmax(0, 1 - o->rotate / as_is->rotate);
	/* In steps, so that small differences do not decide over the number of cables. */
	return STEP * floor(score / STEP);
}

/*
 * Note the rates of the finding's hosts, also if other hosts are worst after the change.  A
 * loss below 1e-9 is rounding.
 */
static void note_rates(struct change_outcome *o, const struct routing_facts *x,
		       const struct sfab_io_rate *finding, uint32_t plane)
{
	const struct sfab_io_rates *r = routing_facts_rates(x, finding->set,
							    finding->class);
	const struct sfab_io_rate *same = finding->n == r->all.n ? &r->all :
								   &r->block;

	snprintf(o->engine, sizeof(o->engine), "%s", x->m->f->planes[plane].engine);
	o->gbs = same->maxmin;
	o->lockstep = same->lockstep;
	o->possible = same->possible;
	o->loss = sfab_io_rate_loss(routing_facts_worst(x));
	o->loss = o->loss < 1e-9 ? 0 : o->loss;
	o->bisect = x->bisect;
	o->rotate = x->rotate;
	o->mixed = x->mixed[finding->set];
}

/* Note what candidate @i does to the fabric; @f is consumed. */
static int note_outcome(struct suggest_search *s, uint32_t i,
			struct sfab_fabric *f, struct sfab_err *err)
{
	struct change_outcome *o = &s->c.list[i].outcome;
	struct routing_facts x;
	int rc = routing_facts_find(&x, f, s->site->io, s->nodes, err);

	if (rc == 0) {
		note_rates(o, &x, s->finding, s->plane);
		o->score = score_outcome(&s->as_is, o);
		o->gains = o->loss < s->as_is.loss - SFAB_MOVES_GAIN &&
			   o->score < s->as_is.score;
	}
	routing_facts_free(&x);
	sfab_fabric_destroy(f);
	return rc;
}

/*
 * Try the candidates @from .. @to - 1.  A candidate that OpenSM refuses keeps its error for the
 * table; the others go on.
 */
static int try_range(struct suggest_search *s, uint32_t from, uint32_t to, struct sfab_err *err)
{
	struct rerouting r[CANDIDATES_MAX] = { { .f = NULL } };
	uint32_t n = to - from;
	int rc;

	for (uint32_t i = 0; i < n; i++)
		r[i].changes = &s->c.list[from + i].changes;
	rc = reroute(&s->request, r, n, err);
	for (uint32_t i = 0; i < n; i++)
		if (rc == 0 && r[i].f)
			rc = note_outcome(s, from + i, r[i].f, err);
		else
			s->c.list[from + i].outcome.err = r[i].err;
	return rc;
}

/* Try the candidates from @from on, as many at once as OpenSM runs side by side. */
static int try_from(struct suggest_search *s, uint32_t from, struct sfab_err *err)
{
	uint32_t step = simulate_at_once();

	for (uint32_t i = from; i < s->c.n; i += step)
		if (try_range(s, i, i + step < s->c.n ? i + step : s->c.n, err) != 0)
			return -1;
	return 0;
}

/*
 * Route the unchanged fabric and find its worst rate.  If its tables differ from the
 * snapshot's, note the rates on those, too.
 */
static int simulate_unchanged(struct suggest_search *s, struct sfab_err *err)
{
	const struct sfab_iosets *io = s->site->io;
	/* With the base options only: what the site has now. */
	struct rerouting r = { .changes = &changes_none };
	struct routing_facts x;
	int rc;

	if (!io->nioports)
		return sfab_fail(err, SFAB_EINVAL, "--suggest io: no IO set is "
				 "known (IoSet of sfabric.conf)");
	rc = reroute(&s->request, &r, 1, err);
	s->rerouted = r.f;
	if (rc == 0 && !r.f)
		*err = r.err;
	if (!r.f || routing_facts_find(&s->facts, r.f, io, s->nodes, err) != 0)
		return -1;
	s->finding = routing_facts_worst(&s->facts);
	if (!s->finding)
		return sfab_fail(err, SFAB_EINVAL, "--suggest io: no compute "
				 "host does IO");
	s->plane = s->rerouted->ports[io->ioport[io->set[s->finding->set].member[0]]].plane;
	note_rates(&s->as_is, &s->facts, s->finding, s->plane);
	s->as_is.score = score_outcome(&s->as_is, &s->as_is);
	/* The simulated fabric may be another routing than the site's: show that one, too. */
	s->differs = fidelity_count_differing(s->site->f, s->rerouted) > 0;
	if (!s->differs)
		return 0;
	rc = routing_facts_find(&x, s->site->f, io, s->nodes, err);
	if (rc == 0)
		note_rates(&s->snapshot, &x, s->finding, s->plane);
	routing_facts_free(&x);
	return rc;
}

/* Find the best candidate that moves hosts; CANDIDATES_MAX: none gains. */
static uint32_t find_best_move(const struct candidates *c)
{
	uint32_t best = CANDIDATES_MAX;

	for (uint32_t i = 0; i < c->n; i++)
		if (c->list[i].cables && c->list[i].outcome.gains &&
		    (best == CANDIDATES_MAX ||
		     c->list[i].outcome.score < c->list[best].outcome.score))
			best = i;
	return best;
}

/* Find repairs if the loss is a finding.  0 also if nothing helps: the table then says so. */
static int find_repairs(struct suggest_search *s, struct reply *r, struct sfab_err *err)
{
	const struct change_outcome *moves_only, *with_guids;
	uint32_t best_move, combined;

	if (s->as_is.loss < SFAB_AUDIT_LOSS)
		return 0;
	candidates_add_routings(&s->c, s->as_is.engine);
	if (candidates_add_moves(&s->c, &s->facts, s->finding, s->nodes, err) != 0 ||
	    try_from(s, 0, err) != 0)
		return -1;
	best_move = find_best_move(&s->c);
	if (best_move == CANDIDATES_MAX)
		return 0;
	/* io_guid_file undoes some moves, so warn before somebody sets it. */
	moves_only = &s->c.list[best_move].outcome;
	combined = s->c.n;
	candidates_add_io_guids(&s->c, best_move);
	if (try_from(s, combined, err) != 0)
		return -1;
	with_guids = &s->c.list[combined].outcome;
	if (with_guids->err.code == SFAB_OK &&
	    with_guids->loss > moves_only->loss + SFAB_MOVES_GAIN)
		reply_warning(r, "io_guid_file must not come with \"%s\": IO "
			      "then loses %.0f %% instead of %.0f %%",
			      s->c.list[best_move].name, 100 * with_guids->loss,
			      100 * moves_only->loss);
	return 0;
}

int suggest(const struct site *site, const struct changes *base, uint32_t nodes,
	    struct answer *a, struct sfab_err *err)
{
	struct suggest_search s = {
		.site = site, .nodes = nodes,
		.request = { site->f, site->io, base, "sfabric whatif" },
	};
	int rc = simulate_unchanged(&s, err);

	if (rc == 0)
		rc = find_repairs(&s, &a->reply, err);
	if (rc == 0) {
		fidelity_report(site->f, s.rerouted, NULL, a);
		rc = suggest_print(&s, a, err);
	}
	routing_facts_free(&s.facts);
	candidates_free(&s.c);
	sfab_fabric_destroy(s.rerouted);
	return rc;
}
