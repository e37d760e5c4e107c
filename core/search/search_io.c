/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search_io.c - spread IO over the links so that the worst link stays low
 *
 * Hosts are chosen greedily (greedy.h) with p = 16 and again with p = 64.
 * After that p alternates between 64 and 16, and M is the worst link of the
 * current set.  Either a host on the worst link is swapped for the best of a
 * sample.  Or a few hosts are dropped and as many chosen again, from these and
 * a sample of the others; this is kept if the norm did not grow.
 *
 * A host's own worst link does not get better in company.  So only hosts that a
 * better set may contain are considered, and the search ends when there are too
 * few of them.
 */

#include "core/search/search_io_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Where it says "flat", the worst link of a choice for IO changes by less than 2 % in the
 * geometric mean (make bench-io-busy and the same on idle machines: 36 choices on six
 * fabrics, those that repairs change and some others; of 327 they change 9).
 */
#define SLACK 0.5		/* of a cost: 3 % of a load with p = 16, 1 % with 64; flat from
				   0.1 to 1.5 where many hosts are equivalent */
#define MANY_SLACK 1.5		/* if none are: 6 % of a load; flat from 0.5 to 3 */
#define SECOND_SLACK 10		/* with p = 64: 4 % of a load; flat from 5 to 20 */
#define SAMPLE_REPAIR 4		/* candidates per dropped host in a repair; flat to 8 */
#define SAMPLE_SWAP 16		/* candidates in a swap; flat from 8 to 32 */
#define AS_GOOD 1.0001		/* factor: accept equal swaps, to keep the set changing; flat to
				   1.001 */
#define SWAPS 4			/* one round in four is a repair, the others are swaps; flat to
				   8 */
#define OFFER_STEPS 8		/* estimated cost of an offer */
#define PHASE 64		/* rounds before p changes; flat from 16 on */
#define WORST_EVERY 8		/* rounds between looks for the worst link; flat from 1 */
#define TRIES_ON_WORST 4	/* flat to 8 */
#define ENTRIES_A_STEP 2	/* entries evaluated in the time of one addition to a load */
#define SETS 2			/* sets that could be scored instead: with fewer steps left the
				   first choice is not made */
#define UNTIL 80		/* percent of all steps; local search has the rest; flat from 40
				   to 100 */
#define MANY 64			/* hosts; the first choice for a larger job is only a part of
				   it; with 32 the worst link is 3 % better, without 3 % worse */
#define NEAR_SCALE 0.95		/* of M: a smaller change is not worth new powers; flat from 0.9
				   to 1 */
#define SAME 0.999		/* closer loads are equal */
#define CLEAR 1.001		/* a slowdown: less is not worth a search */

static void offer_item(struct io_search *s, uint32_t i)
{
	sfab_io_know(s, i);
	if (!s->failed)
		sfab_greedy_offer(&s->g, i);
}

/* Worst link of one host of item @i alone. */
static double peak_of(const struct io_search *s, uint32_t i)
{
	const struct segment *x = &s->g.segment[s->g.item[i].segment];
	double peak = 0;

	for (uint32_t k = 0; k < s->g.nsegments; k++)
		peak = fmax(peak, (double) (x[k].scale * x[k].v.peak));
	return peak;
}

static int go_on_searching(struct io_search *s)
{
	s->p->steps += (uint32_t) (s->g.steps / ENTRIES_A_STEP);
	s->g.steps = 0;
	return s->p->steps < (uint64_t) s->p->max_steps * UNTIL / 100 &&
	       sfab_pool_go_on(s->p);
}

/* Turn the chosen items into hosts: the first candidates of each. */
static int try_chosen(struct io_search *s, uint32_t *pick)
{
	uint32_t n = 0;

	go_on_searching(s);
	for (uint32_t i = 0; i < s->g.nitems; i++)
		for (uint32_t k = 0; k < s->g.item[i].taken; k++)
			pick[n++] = sfab_io_host(s, &s->g.item[i], k);
	return sfab_pool_try(s->p, pick, s->err);
}

/*
 * Make the vectors of all items.  If offering all would cost too much, make
 * those of every N-th item, with growing offset, until they have enough hosts.
 */
static int know_items(struct io_search *s)
{
	uint64_t cost = (uint64_t) OFFER_STEPS * s->g.nitems;
	uint32_t room = 0, want = s->p->need + s->p->need / 4;

	s->every = (uint32_t) (cost / (s->p->max_steps + 1u)) + 1;
	for (uint32_t from = 0; from < s->every && (!from || room < want); from++)
		for (uint32_t i = from; i < s->g.nitems; i += s->every) {
			sfab_io_know(s, i);
			room += s->g.item[i].room;
		}
	return s->failed ? -1 : 0;
}

static int is_able(const struct io_search *s, uint32_t i, double worst)
{
	return !sfab_io_is_known(s, i) || peak_of(s, i) < worst * SAME;
}

/*
 * 1: no set has a worst link below @worst, because too few hosts alone are
 * below it.  The items below it are listed in s->able; the others are useless
 * from here on.
 */
static int is_best(struct io_search *s, double worst)
{
	uint32_t room = 0;

	s->nable = 0;
	for (uint32_t i = 0; i < s->g.nitems; i++)
		if (is_able(s, i, worst)) {
			s->able[s->nable++] = i;
			room += s->g.item[i].room;
		}
	return room < s->p->need;
}

static uint32_t any_able(struct io_search *s)
{
	return s->able[sfab_random(&s->p->random) % s->nable];
}

/* About the lowest load that any host puts on its worst link. */
static double least_peak(struct io_search *s)
{
	double least = INFINITY;

	for (uint32_t i = 0; i < s->g.nitems; i++)
		if (sfab_io_is_known(s, i) && peak_of(s, i) > 0)
			least = fmin(least, peak_of(s, i));
	return isfinite(least) ? least : 1;
}

/* Choose @n hosts from the items with vectors; returns the worst load. */
static double fill_known_items(struct io_search *s, uint32_t n, int squarings,
			       double scale)
{
	double worst;

	for (uint32_t k = 0; k < s->g.nsel; k++)
		s->g.item[s->g.sel[k]].taken = 0;
	s->g.nsel = 0;
	s->g.squarings = squarings;
	sfab_greedy_start(&s->g, scale);
	sfab_greedy_list(&s->g);
	for (uint32_t i = 0; i < s->g.nitems; i++)
		if (sfab_io_is_known(s, i))
			sfab_greedy_offer(&s->g, i);
	sfab_greedy_fill(&s->g, n);
	sfab_greedy_rescale(&s->g, s->g.scale);
	s->worst = sfab_greedy_worst(&s->g, &worst);
	return worst;
}

static int loads_link(struct io_search *s, const struct item *it, uint32_t res)
{
	for (uint32_t k = 0; k < s->g.nsegments; k++) {
		const struct sfab_footprint *v = &s->g.segment[it->segment + k].v;

		s->g.steps += v->n / 4;
		for (uint32_t j = 0; j < v->n; j++)
			if (v->entry[j].res == res)
				return 1;
	}
	return 0;
}

/* Index of a chosen host that loads the worst link, or of any. */
static uint32_t find_on_worst(struct io_search *s)
{
	uint32_t place = 0;

	for (int k = 0; k < TRIES_ON_WORST; k++) {
		place = (uint32_t) (sfab_random(&s->p->random) % s->g.nsel);
		if (loads_link(s, &s->g.item[s->g.sel[place]], s->worst))
			break;
	}
	return place;
}

/* Drop @n hosts, the first from the worst link; returns what that saves. */
static double drop_some(struct io_search *s, uint32_t n)
{
	double saved = 0;

	for (uint32_t k = 0; k < n; k++) {
		uint32_t place = k == 0 ? find_on_worst(s) :
			(uint32_t) (sfab_random(&s->p->random) % s->g.nsel);

		saved += sfab_greedy_drop(&s->g, place, &s->out[k]);
	}
	return saved;
}

static void take_back(struct io_search *s, uint32_t n, uint32_t from)
{
	uint32_t ignore;

	while (s->g.nsel > from)
		sfab_greedy_drop(&s->g, s->g.nsel - 1, &ignore);
	for (uint32_t k = 0; k < n; k++)
		sfab_greedy_choose(&s->g, s->out[k]);
}

/* Offer @n random items that a better set may contain, or all of them. */
static void offer_able(struct io_search *s, uint32_t n)
{
	for (uint32_t k = 0; k < n && k < s->nable; k++)
		offer_item(s, n < s->nable ? any_able(s) : s->able[k]);
}

static int has_item_room(const struct io_search *s, uint32_t i)
{
	return s->g.item[i].taken < s->g.item[i].room;
}

static void repair_once(struct io_search *s, uint32_t n)
{
	double saved = drop_some(s, n), spent;
	uint32_t from = s->g.nsel;

	sfab_greedy_list(&s->g);
	for (uint32_t k = 0; k < n; k++)
		offer_item(s, s->out[k]);
	offer_able(s, SAMPLE_REPAIR * n + 8);
	spent = sfab_greedy_fill(&s->g, n);
	if (spent > saved)
		take_back(s, n, from);
}

/* Replace one host on the worst link by the best of a sample. */
static void swap_once(struct io_search *s)
{
	double least = drop_some(s, 1);
	uint32_t best = s->out[0];

	for (uint32_t k = 0; k < SAMPLE_SWAP; k++) {
		uint32_t i = any_able(s);
		double cost;

		if (!sfab_io_is_known(s, i) || !has_item_room(s, i))
			continue;
		cost = sfab_greedy_cost(&s->g, i, least * AS_GOOD);
		if (cost <= least * AS_GOOD) {
			least = cost;
			best = i;
		}
	}
	sfab_greedy_choose(&s->g, best);
}

static void keep_best_items(struct io_search *s)
{
	memcpy(s->best, s->g.sel, s->g.nsel * sizeof(*s->best));
}

static void take_best_items(struct io_search *s)
{
	for (uint32_t i = 0; i < s->g.nitems; i++)
		s->g.item[i].taken = 0;
	for (uint32_t k = 0; k < s->p->need; k++)
		s->g.item[s->best[k]].taken++;
}

/* Give back hosts that no better set can contain and choose others. */
static void replace_unable(struct io_search *s, double worst)
{
	uint32_t n, ignore;

	for (uint32_t k = s->g.nsel; k-- > 0;)
		if (!is_able(s, s->g.sel[k], worst))
			sfab_greedy_drop(&s->g, k, &ignore);
	n = s->p->need - s->g.nsel;
	if (!n)
		return;
	sfab_greedy_list(&s->g);
	offer_able(s, SAMPLE_REPAIR * n + 8);
	sfab_greedy_fill(&s->g, n);
	for (uint32_t k = 0; s->g.nsel < s->p->need; k++) {
		sfab_io_know(s, s->able[k]);
		while (s->g.nsel < s->p->need && has_item_room(s, s->able[k]))
			sfab_greedy_choose(&s->g, s->able[k]);
	}
}

/* p = 64 cares for the worst link, p = 16 also for the links after it. */
static void set_power(struct io_search *s, uint32_t phase, double scale)
{
	int squarings = phase % 2 ? SFAB_GREEDY_16 : SFAB_GREEDY_64;

	if (squarings == s->g.squarings && scale > s->g.scale * NEAR_SCALE)
		return;
	s->g.squarings = squarings;
	sfab_greedy_rescale(&s->g, scale);
}

/*
 * Is the worst load really below @best?  Look again: a link that was not near
 * the worst at the last look may be now.
 */
static int is_better(struct io_search *s, double best, double *worst)
{
	if (!(*worst < best * SAME))
		return 0;
	sfab_greedy_look(&s->g);
	s->worst = sfab_greedy_worst(&s->g, worst);
	return *worst < best * SAME;
}

/* Repair until the steps are used up; @best is the worst load of the set. */
static void repair_items(struct io_search *s, double best)
{
	uint32_t most = s->p->need < 16 ? (s->p->need + 1) / 2 : 8;

	s->g.slack = SLACK;
	set_power(s, 0, best);
	replace_unable(s, best);
	for (uint32_t r = 1; go_on_searching(s) && !s->failed; r++) {
		double worst = best;

		if (r % SWAPS)
			swap_once(s);
		else
			repair_once(s, 1 + r / SWAPS % most);
		if (r % WORST_EVERY == 0)
			s->worst = sfab_greedy_worst(&s->g, &worst);
		if (is_better(s, best, &worst)) {
			best = worst;
			keep_best_items(s);
			if (is_best(s, best))
				break;
			set_power(s, r / PHASE, best);
			replace_unable(s, best);
		} else if (r % PHASE == 0) {
			set_power(s, r / PHASE, best);
		}
	}
	take_best_items(s);
}

/*
 * Next to other traffic, try the first set too: the score may prefer it to what
 * follows.  Without a table of paths one score can cost more than all the steps.
 */
static int keep_first(struct io_search *s, uint32_t *pick)
{
	keep_best_items(s);
	if (s->failed)
		return -1;
	return s->is_busy && (s->p->m->paths || go_on_searching(s)) ?
		try_chosen(s, pick) : 0;
}

/*
 * Make the first set and keep it as the best; *@worst is its worst load.  That
 * load is not known in advance: it lies between the load of one host and N
 * times that, or it is what other jobs send. p = 16 can distinguish loads a
 * hundred times smaller or larger than M. Once the worst load is known, if only
 * from a part of a large job, p = 64 often finds a better set.  If many hosts
 * are equivalent, repairs find more for the same steps.
 */
static int first_fill(struct io_search *s, uint32_t *pick, double *worst)
{
	int few = s->g.nitems < s->p->nhosts;
	uint32_t n = s->p->need, part = few || n < MANY ? n : n / 4;
	double again;

	s->g.slack = few ? SLACK : MANY_SLACK;
	*worst =
	    fill_known_items(s, part, SFAB_GREEDY_16, least_peak(s) * sqrt(n));
	if (part == n && keep_first(s, pick) < 0)
		return -1;
	if (few || !(*worst > 0))
		return 0;
	s->g.slack = SECOND_SLACK;
	again = fill_known_items(s, n, SFAB_GREEDY_64, *worst * n / part);
	if (part == n && again > *worst)
		return 0;
	*worst = again;
	return keep_first(s, pick);
}

static int search_items(struct io_search *s, uint32_t *pick)
{
	double worst;

	if (sfab_io_base(s) < 0)
		return -1;
	sfab_io_items(s);
	if (!s->g.nlinks)
		return 0;	/* one switch: all sets are equal */
	if (know_items(s) < 0)
		return -1;
	if (first_fill(s, pick, &worst) < 0)
		return -1;
	if (!(worst > 0))
		return s->g.nsel == s->p->need ? try_chosen(s, pick) : 0;
	if (is_best(s, worst))
		take_best_items(s);
	else
		repair_items(s, worst);
	return s->failed ? -1 : try_chosen(s, pick);
}

static int search_alloc(struct io_search *s)
{
	uint32_t hosts = s->p->nhosts + 1, res = s->p->m->nres;
	struct sfab_arena *a = &s->arena;
	struct greedy *g = &s->g;

	g->item = sfab_arena_take(a, hosts, sizeof(*g->item));
	g->segment = sfab_arena_take(a, (size_t) hosts * g->nsegments, sizeof(*g->segment));
	g->heap = sfab_arena_take(a, hosts, sizeof(*g->heap));
	g->sel = sfab_arena_take(a, s->p->need, sizeof(*g->sel));
	g->link = sfab_arena_take(a, res, sizeof(*g->link));
	g->hot = sfab_arena_take(a, res, sizeof(*g->hot));
	g->base = sfab_arena_take(a, res, sizeof(*g->base));
	g->others = sfab_arena_take(a, res, sizeof(*g->others));
	g->cell = sfab_arena_take(a, res, sizeof(*g->cell));
	s->order = sfab_arena_take(a, hosts, sizeof(*s->order));
	s->out = sfab_arena_take(a, s->p->need + 8u, sizeof(*s->out));
	s->best = sfab_arena_take(a, s->p->need, sizeof(*s->best));
	s->able = sfab_arena_take(a, hosts, sizeof(*s->able));
	return a->failed ? -1 : 0;
}

/*
 * 1: the best set so far waits for links while it does IO, and there are steps to do
 * something about it.  Jobs that send mostly IO try in any case.
 */
static int io_waits(const struct pool *p)
{
	const struct sfab_traffic *t = p->rq->traffic;

	if (p->steps + (uint64_t) SETS * p->one > p->max_steps &&
	    sfab_traffic_share(t, 1) < sfab_traffic_share(t, 0))
		return 0;
	for (uint32_t i = 0; i < t->nparts; i++)
		if (sfab_class_is_io(t->part[i].class) && t->part[i].share > 0 &&
		    p->best.score.lost.part[i].beside > CLEAR)
			return 1;
	return 0;
}

int sfab_search_io(struct pool *p, struct sfab_err *err)
{
	struct io_search s = { .p = p, .err = err };
	int rc;

	if (!io_waits(p))
		return 0;
	for (uint32_t i = 0; i < p->rq->traffic->nparts; i++)
		s.g.nsegments += sfab_class_is_io(p->rq->traffic->part[i].class) &&
				 p->rq->traffic->part[i].share > 0;
	if (search_alloc(&s) < 0)
		rc = sfab_no_memory(err);
	else
		rc = search_items(&s, p->pick);
	sfab_arena_free(&s.arena);
	return rc;
}
