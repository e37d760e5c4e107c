/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steps.c - the worst link of each step of a collective; see steps.h */

#include "core/load/steps_private.h"
#include "core/resize.h"

#include <stdlib.h>
#include <string.h>

struct sfab_stepper *sfab_stepper_create(const struct sfab_model *m)
{
	struct sfab_stepper *sp = calloc(1, sizeof(*sp));
	uint32_t width = m->paths ? m->paths->width : 1, n = m->nres;

	if (!sp)
		return NULL;
	sp->m = m;
	sp->first = sfab_arena_take(&sp->arena, m->nrails + 1u, sizeof(*sp->first));
	sp->place = sfab_arena_take(&sp->arena, m->f->nleaves, sizeof(*sp->place));
	sp->number = sfab_arena_take_ones(&sp->arena, n, sizeof(*sp->number));
	sp->link = sfab_arena_take(&sp->arena, n, sizeof(*sp->link));
	sp->res = sfab_arena_take(&sp->arena, n, sizeof(*sp->res));
	sp->touched = sfab_arena_take(&sp->arena, n, sizeof(*sp->touched));
	sp->load = sfab_arena_take(&sp->arena, n, sizeof(*sp->load));
	sp->around = sfab_arena_take(&sp->arena, n, sizeof(*sp->around));
	sp->beside = sfab_arena_take(&sp->arena, n, sizeof(*sp->beside));
	sp->inv_cap = sfab_arena_take(&sp->arena, n, sizeof(*sp->inv_cap));
	sp->way.hop = calloc(width, sizeof(*sp->way.hop));
	if (sp->way.hop)
		sp->way.cap = width;
	if (sp->way.hop && !sp->arena.failed && sfab_load_init(&sp->ends, n) == 0 &&
	    sfab_load_init(&sp->at_once, n) == 0)
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
	free(sp->window);
	sfab_route_clear(&sp->way);
	sfab_load_free(&sp->ends);
	sfab_load_free(&sp->at_once);
	free(sp->gets);
	free(sp->row);
	free(sp->open);
	free(sp->hop);
	free(sp->share);
	sfab_arena_free(&sp->arena);
	free(sp->turn);
	free(sp->allreduce);
	free(sp);
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
		uint32_t leaf;

		w->src = m->rail_src[at];
		w->dst = m->rail_dst[at];
		if (w->src == SFAB_NONE)
			continue;
		w->rate = c->share * m->f->ports[w->src].rate *
			  (c->cpus ? c->cpus[i] : 1.0);
		leaf = m->f->ports[w->src].leaf;
		if (sp->place[leaf] == SFAB_NONE) {
			sp->place[leaf] = sp->nleaves;
			sp->leaf[sp->nleaves++] = (struct step_leaf){ leaf, i, i, 0 };
		}
		w->at = sp->place[leaf];
		sp->leaf[w->at].hi = i;
		sp->leaf[w->at].sends += w->rate;
	}
}

void sfab_stepper_forget_links(struct sfab_stepper *sp)
{
	for (uint32_t l = 0; l < sp->nlinks; l++)
		sp->number[sp->link[l].res] = SFAB_NONE;
	for (uint32_t l = 0; l < sp->nwalked; l++)
		sp->number[sp->res[l]] = SFAB_NONE;
	sp->nlinks = sp->nwalked = sp->ntouched = 0;
}

int sfab_stepper_take(struct sfab_stepper *sp, const struct sfab_collective *c,
		      struct sfab_err *err)
{
	/* flows in all rails; without ranks there is room for one */
	uint32_t n = c->n ? c->n * sp->m->nrails : 1;

	sp->c = c;
	sp->nleaves = 0;
	sp->is_bound = sp->is_clear = sp->has_at_once = 0;
	sp->nread = sp->nadded = 0;
	sfab_stepper_forget_links(sp);
	if (n > sp->nflows && (sfab_resize(&sp->flow, n, sizeof(*sp->flow)) < 0 ||
			       sfab_resize(&sp->leaf, n, sizeof(*sp->leaf)) < 0 ||
			       sfab_resize(&sp->window, n, sizeof(*sp->window)) < 0))
		return sfab_no_memory(err);
	sp->nflows = n > sp->nflows ? n : sp->nflows;
	if (sfab_stepper_make_peers(sp, c->n) < 0)
		return sfab_no_memory(err);
	for (uint32_t rail = 0; rail < sp->m->nrails; rail++) {
		take_rail(sp, rail);
		sp->first[rail + 1] = sp->nleaves;
	}
	sp->most_end = sfab_stepper_fullest_end(sp, c->background);
	sp->most_end_beside = c->beside ? sfab_stepper_fullest_end(sp, c->beside)
					: sp->most_end;
	return sfab_stepper_bound(sp) < 0 ? sfab_no_memory(err) : 0;
}

uint64_t sfab_stepper_work(const struct sfab_stepper *sp)
{
	return sp->nread + sp->nadded;
}

static int look_at(struct sfab_stepper *sp, enum sfab_pattern pattern,
		   struct sfab_step *s, struct sfab_steps *out, struct sfab_err *err)
{
	const uint32_t *peer = stepper_peers(sp, pattern, s->step);
	double top = 1, ends = 1;

	s->slowdown = 1;
	s->worst_link = SFAB_NONE;
	if (peer && sfab_stepper_is_settled(sp, pattern, peer))
		return 0;
	out->walked++;
	if (!peer) {
		if (sfab_stepper_rate_at_once(sp, sp->c->background, s, err) < 0)
			return -1;
	} else {
		if (sfab_stepper_walk(sp, peer, &out->lost) < 0)
			return sfab_no_memory(err);
		for (uint32_t i = 0; i < sp->ntouched; i++) {
			uint32_t l = sp->touched[i];
			double x = (sp->load[l] + sp->around[l]) * sp->inv_cap[l];

			if (x > top || (x == top && sp->res[l] < s->worst_link)) {
				top = x;
				s->worst_link = sp->res[l];
			}
		}
		if (top > 1 && sp->most_end > 1)
			ends = sfab_stepper_ends(sp, peer, sp->c->background);
		s->slowdown = stepper_slowdown(top, ends);
		if (s->slowdown == 1)
			s->worst_link = SFAB_NONE;
	}
	out->conflicts += s->worst_link != SFAB_NONE;
	if (s->slowdown > out->worst.slowdown)
		out->worst = *s;
	return 0;
}

int sfab_stepper_steps(struct sfab_stepper *sp, enum sfab_pattern pattern,
		       struct sfab_steps *out, struct sfab_step *each,
		       struct sfab_err *err)
{
	uint32_t step[SFAB_STEPS_MAX], n, always = 0;
	struct sfab_step s[SFAB_STEPS_MAX];
	double sum = 0, others = 0;

	memset(out, 0, sizeof(*out));
	out->worst = (struct sfab_step){ 0, 1, SFAB_NONE };
	out->mean = 1;
	out->nsteps = out->looked = sfab_pattern_steps(pattern, sp->c->n);
	if (!out->nsteps || (sp->is_clear && pattern != SFAB_ALLREDUCE))
		return 0;
	if (!each)
		each = s;
	out->looked = n = sfab_pattern_sample(pattern, sp->c->n,
					      sp->c->most_steps ? sp->c->most_steps :
					      SFAB_STEPS_MAX, step);
	for (uint32_t i = 0; i < n; i++) {
		int is_always = sfab_pattern_always(pattern, step[i]);

		each[i].step = step[i];
		if (look_at(sp, pattern, &each[i], out, err) < 0)
			return -1;
		always += is_always != 0;
		*(is_always ? &sum : &others) += each[i].slowdown;
	}
	/* Powers of two are in every sample and count once; others stand for all the rest. */
	if (n > always)
		sum += others * (out->nsteps - always) / (n - always);
	out->mean = sum / out->nsteps;
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
