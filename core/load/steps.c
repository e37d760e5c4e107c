/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps.c - the worst link of each step of a collective; see steps.h
 *
 * The loads of a step are added flow by flow and then cleared.  Before that,
 * steps_bound.c finds the links that any shift may push above capacity, and
 * with them the pairs (leaf, destination) whose route crosses such a link.
 * Only steps with flows between such pairs are walked.
 */

#include "core/load/steps_private.h"

#include <stdlib.h>
#include <string.h>

struct sfab_stepper *sfab_stepper_create(const struct sfab_model *m)
{
	struct sfab_stepper *sp = calloc(1, sizeof(*sp));
	uint32_t width = m->paths ? m->paths->width : 1;

	if (!sp)
		return NULL;
	sp->m = m;
	sp->first = calloc(m->nrails + 1u, sizeof(*sp->first));
	sp->place = calloc(m->f->nleaves + 1u, sizeof(*sp->place));
	sp->way.hop = calloc(width, sizeof(*sp->way.hop));
	if (sp->way.hop)
		sp->way.cap = width;
	sp->link = calloc(m->nres + 1u, sizeof(*sp->link));
	if (sp->first && sp->place && sp->way.hop && sp->link &&
	    sfab_load_init(&sp->step, m->nres) == 0 &&
	    sfab_load_init(&sp->over, m->nres) == 0 &&
	    sfab_load_init(&sp->most, m->nres) == 0)
		return sp;
	sfab_stepper_destroy(sp);
	return NULL;
}

void sfab_stepper_destroy(struct sfab_stepper *sp)
{
	if (!sp)
		return;
	free(sp->flow);
	free(sp->leaf);
	free(sp->first);
	free(sp->place);
	free(sp->window);
	free(sp->link);
	free(sp->use);
	free(sp->open);
	sfab_load_free(&sp->step);
	sfab_load_free(&sp->over);
	sfab_load_free(&sp->most);
	sfab_route_clear(&sp->way);
	free(sp);
}

/* Read the route from the table of paths; 0: there is none. */
static int read_way(struct sfab_stepper *sp, uint32_t leaf, uint32_t dst)
{
	const struct sfab_paths *p = sp->m->paths;
	const uint16_t *row = sfab_path(p, leaf, dst);
	struct sfab_route *r = &sp->way;

	r->n = 0;
	if (row[0] == SFAB_PATH_LOST)
		return 0;
	while (r->n < p->width && row[r->n] != SFAB_PATH_END) {
		r->hop[r->n].link = row[r->n];
		r->hop[r->n++].share = 1.0;
	}
	return 1;
}

/* The same by walking the switches' tables; -1: out of memory. */
static int walk_way(struct sfab_stepper *sp, uint32_t leaf, uint32_t dst)
{
	const struct sfab_fabric *f = sp->m->f;
	struct sfab_route *r = &sp->way;
	uint32_t kept = 0;

	if (sfab_route_from(f, f->leaves[leaf].sw, dst, r) < 0)
		return -1;
	if (r->status != SFAB_ROUTE_OK)
		return 0;
	for (uint32_t i = 0; i < r->n; i++)
		if (sp->m->isl[r->hop[i].link])
			r->hop[kept++] = r->hop[i];
	r->n = kept;
	return 1;
}

int sfab_stepper_way(struct sfab_stepper *sp, uint32_t leaf, uint32_t dst)
{
	return sp->m->paths ? read_way(sp, leaf, dst) : walk_way(sp, leaf, dst);
}

/* Make room for the flows of @c in all rails. */
static int make_step_room(struct sfab_stepper *sp,
			  const struct sfab_collective *c)
{
	uint32_t n = c->n * sp->m->nrails;
	struct step_flow *flow;
	struct step_leaf *leaf;
	struct step_use *window;

	if (n <= sp->nflows)
		return 0;
	flow = realloc(sp->flow, n * sizeof(*flow));
	if (!flow)
		return -1;
	sp->flow = flow;
	leaf = realloc(sp->leaf, n * sizeof(*leaf));
	if (!leaf)
		return -1;
	sp->leaf = leaf;
	window = realloc(sp->window, n * sizeof(*window));
	if (!window)
		return -1;
	sp->window = window;
	sp->nflows = n;
	return 0;
}

/* Record that @rank sends from @leaf; returns the index of that leaf. */
static uint32_t sender_position(struct sfab_stepper *sp, uint32_t leaf,
				uint32_t rank)
{
	if (sp->place[leaf] == SFAB_NONE) {
		sp->place[leaf] = sp->nleaves;
		sp->leaf[sp->nleaves++] = (struct step_leaf){ leaf, rank, rank, 0 };
	}
	sp->leaf[sp->place[leaf]].hi = rank;
	return sp->place[leaf];
}

static void take_rail(struct sfab_stepper *sp, uint32_t rail)
{
	const struct sfab_model *m = sp->m;
	const struct sfab_collective *c = sp->c;

	for (uint32_t i = 0; i < m->f->nleaves; i++)
		sp->place[i] = SFAB_NONE;
	for (uint32_t i = 0; i < c->n; i++) {
		size_t at = (size_t) rail * m->f->nhosts + c->host[i];
		struct step_flow *w = &sp->flow[rail * c->n + i];

		w->src = m->rail_src[at];
		w->dst = m->rail_dst[at];
		if (w->src == SFAB_NONE)
			continue;
		w->rate = c->share * m->f->ports[w->src].rate *
			  (c->cpus ? c->cpus[i] : 1.0);
		w->at = sender_position(sp, m->f->ports[w->src].leaf, i);
		sp->leaf[w->at].sends += w->rate;
	}
}

int sfab_stepper_take(struct sfab_stepper *sp, const struct sfab_collective *c,
		      struct sfab_err *err)
{
	sp->c = c;
	sp->nleaves = 0;
	sp->is_bound = sp->is_clear = 0;
	if (make_step_room(sp, c) < 0)
		return sfab_no_memory(err);
	for (uint32_t rail = 0; rail < sp->m->nrails; rail++) {
		take_rail(sp, rail);
		sp->first[rail + 1] = sp->nleaves;
	}
	return sfab_stepper_bound(sp) < 0 ? sfab_no_memory(err) : 0;
}

/* Add one flow of the step; -1: out of memory. */
static int send_flow(struct sfab_stepper *sp, const struct step_flow *w,
		     uint32_t dst, uint64_t *lost)
{
	int rc;

	if (w->src == SFAB_NONE || dst == SFAB_NONE)
		return 0;
	rc = sfab_stepper_way(sp, sp->leaf[w->at].leaf, dst);
	*lost += rc == 0;
	if (rc <= 0)
		return rc;
	for (uint32_t i = 0; i < sp->way.n; i++)
		sfab_load_add(&sp->step, sp->way.hop[i].link,
			      w->rate * sp->way.hop[i].share);
	sfab_load_add(&sp->step, sp->m->f->ports[w->src].inject, w->rate);
	sfab_load_add(&sp->step, sp->m->f->ports[dst].eject, w->rate);
	return 0;
}

static void rate_step(const struct sfab_stepper *sp, struct sfab_step *s)
{
	double top = 1, ends = 1;

	s->worst_link = SFAB_NONE;
	for (uint32_t i = 0; i < sp->step.ntouched; i++) {
		uint32_t e = sp->step.touched[i];
		double x = stepper_filled(sp, &sp->step, e);

		if (!sp->m->isl[e]) {
			ends = x > ends ? x : ends;
		} else if (x > top || (x == top && e < s->worst_link)) {
			top = x;
			s->worst_link = e;
		}
	}
	/* Rounding must not count as a conflict. */
	s->slowdown = top > ends * SFAB_STEP_CLEAR ? top / ends : 1;
	if (s->slowdown == 1)
		s->worst_link = SFAB_NONE;
}

/* 1: no flow of the step crosses a link that may be above capacity. */
static int is_settled(const struct sfab_stepper *sp, enum sfab_pattern pattern,
		      uint32_t step)
{
	uint32_t n = sp->c->n, nflows = n * sp->m->nrails;

	if (!sp->is_bound || pattern == SFAB_HALVING)
		return 0;
	for (uint32_t i = 0; i < nflows; i++) {
		const struct step_flow *w = &sp->flow[i];
		uint32_t peer = sfab_pattern_peer(pattern, n, step, i % n);

		if (w->src != SFAB_NONE && sp->open[(size_t) w->at * n + peer])
			return 0;
	}
	return 1;
}

static int walk_step(struct sfab_stepper *sp, enum sfab_pattern pattern,
		     struct sfab_step *s, uint64_t *lost)
{
	uint32_t n = sp->c->n;
	int rc = 0;

	for (uint32_t i = 0; i < n && rc == 0; i++) {
		uint32_t peer = sfab_pattern_peer(pattern, n, s->step, i);

		for (uint32_t rail = 0; rail < sp->m->nrails && rc == 0; rail++)
			if (peer != SFAB_NONE)
				rc = send_flow(sp, &sp->flow[rail * n + i],
					       sp->flow[rail * n + peer].dst,
					       lost);
	}
	rate_step(sp, s);
	sfab_load_clear(&sp->step);
	return rc;
}

static int look_at(struct sfab_stepper *sp, enum sfab_pattern pattern,
		   struct sfab_step *s, struct sfab_steps *out)
{
	s->slowdown = 1;
	s->worst_link = SFAB_NONE;
	if (!is_settled(sp, pattern, s->step)) {
		out->walked++;
		if (walk_step(sp, pattern, s, &out->lost) < 0)
			return -1;
	}
	out->conflicts += s->worst_link != SFAB_NONE;
	if (s->slowdown > out->worst.slowdown)
		out->worst = *s;
	return 0;
}

/*
 * Steps in every sample (powers of two) count once; the other samples stand for
 * all remaining steps.
 */
static double mean_of(enum sfab_pattern pattern, uint32_t nsteps,
		      const struct sfab_step *s, uint32_t n)
{
	uint32_t always = 0;
	double sum = 0, others = 0;

	for (uint32_t i = 0; i < n; i++) {
		int is_always = sfab_pattern_always(pattern, s[i].step);

		always += is_always != 0;
		*(is_always ? &sum : &others) += s[i].slowdown;
	}
	if (n > always)
		sum += others * (nsteps - always) / (n - always);
	return sum / nsteps;
}

int sfab_stepper_steps(struct sfab_stepper *sp, enum sfab_pattern pattern,
		       struct sfab_steps *out, struct sfab_step *each,
		       struct sfab_err *err)
{
	uint32_t step[SFAB_STEPS_MAX], n;
	struct sfab_step s[SFAB_STEPS_MAX];

	memset(out, 0, sizeof(*out));
	out->worst = (struct sfab_step){ 0, 1, SFAB_NONE };
	out->mean = 1;
	out->nsteps = out->looked = sfab_pattern_steps(pattern, sp->c->n);
	if (!out->nsteps || (sp->is_clear && pattern != SFAB_HALVING))
		return 0;
	if (!each)
		each = s;
	out->looked = n = sfab_pattern_sample(pattern, sp->c->n,
					      sp->c->most_steps ? sp->c->most_steps :
					      SFAB_STEPS_MAX, step);
	for (uint32_t i = 0; i < n; i++) {
		each[i].step = step[i];
		if (look_at(sp, pattern, &each[i], out) < 0)
			return sfab_no_memory(err);
	}
	out->mean = mean_of(pattern, out->nsteps, each, n);
	return 0;
}

int sfab_stepper_mixed(struct sfab_stepper *sp, const double mix[SFAB_NPATTERNS],
		       struct sfab_mixed *out, struct sfab_err *err)
{
	double sum = 0, weights = 0;

	memset(out, 0, sizeof(*out));
	for (int i = 0; i < SFAB_NPATTERNS; i++) {
		struct sfab_steps *x = &out->pattern[i];

		if (!(mix[i] > 0))
			continue;
		if (sfab_stepper_steps(sp, (enum sfab_pattern) i, x, NULL,
				       err) < 0)
			return -1;
		sum += mix[i] * x->mean;
		weights += mix[i];
	}
	out->mean = weights > 0 ? sum / weights : 1;
	return 0;
}
