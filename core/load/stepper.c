/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stepper.c - the worst link of each step of a collective; see stepper.h
 *
 * A search compares many sets: then all steps of all patterns are one list, each with its
 * weight in the mean.  No step is below 1, so the cost only grows.
 */

#include "core/load/stepper_private.h"
#include "core/load/demand.h"
#include "core/resize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sfab_stepper *sfab_stepper_create(const struct sfab_model *m)
{
	struct sfab_stepper *sp = calloc(1, sizeof(*sp));
	uint32_t n = m->nres;

	if (!sp)
		return NULL;
	sp->m = m;
	sp->first = sfab_arena_take(&sp->arena, m->nrails + 1u, sizeof(*sp->first));
	sp->job_leaf = sfab_arena_take(&sp->arena, m->f->nleaves, sizeof(*sp->job_leaf));
	sp->number = sfab_arena_take_ones(&sp->arena, n, sizeof(*sp->number));
	sp->link = sfab_arena_take(&sp->arena, n, sizeof(*sp->link));
	sp->res = sfab_arena_take(&sp->arena, n, sizeof(*sp->res));
	sp->touched = sfab_arena_take(&sp->arena, n, sizeof(*sp->touched));
	sp->load = sfab_arena_take(&sp->arena, n, sizeof(*sp->load));
	sp->beside = sfab_arena_take(&sp->arena, n, sizeof(*sp->beside));
	sp->inv_cap = sfab_arena_take(&sp->arena, n, sizeof(*sp->inv_cap));
	if (!sp->arena.failed && sfab_load_init(&sp->ends, n) == 0 &&
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
	sfab_route_clear(&sp->walk);
	sfab_load_free(&sp->ends);
	sfab_load_free(&sp->at_once);
	free(sp->receivers);
	free(sp->row);
	free(sp->exceeds);
	free(sp->hop);
	free(sp->share);
	sfab_arena_free(&sp->arena);
	free(sp->rotation);
	free(sp->allreduce);
	free(sp);
}

/* Set the flow of each rank in this rail, and list the leaves that send in the order of ranks. */
static void take_rail(struct sfab_stepper *sp, uint32_t rail)
{
	const struct sfab_model *m = sp->m;
	const struct sfab_collective *c = sp->c;

	for (uint32_t i = 0; i < m->f->nleaves; i++)
		sp->job_leaf[i] = SFAB_NONE;
	for (uint32_t i = 0; i < c->n; i++) {
		size_t cell = (size_t) rail * m->f->nhosts + c->host[i];
		struct step_flow *flow = &sp->flow[rail * c->n + i];
		uint32_t leaf;

		flow->src = m->rail_src[cell];
		flow->dst = m->rail_dst[cell];
		if (flow->src == SFAB_NONE)
			continue;
		flow->rate = c->share * m->f->ports[flow->src].rate *
			  (c->cpus ? c->cpus[i] : 1.0);
		leaf = m->f->ports[flow->src].leaf;
		if (sp->job_leaf[leaf] == SFAB_NONE) {
			sp->job_leaf[leaf] = sp->nleaves;
			sp->leaf[sp->nleaves++] = (struct step_leaf){ leaf, i, i, 0 };
		}
		flow->leaf_index = sp->job_leaf[leaf];
		sp->leaf[flow->leaf_index].hi = i;
		sp->leaf[flow->leaf_index].rate += flow->rate;
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
	sp->max_end = sfab_stepper_fullest_end(sp, NULL);
	sp->max_end_beside = c->background ? sfab_stepper_fullest_end(sp, c->background)
					: sp->max_end;
	return sfab_stepper_bound(sp) < 0 ? sfab_no_memory(err) : 0;
}

uint64_t sfab_stepper_work(const struct sfab_stepper *sp)
{
	return sp->nread + sp->nadded;
}

/* -- one step --------------------------------------------------------------- */

const struct sfab_load *sfab_stepper_at_once(struct sfab_stepper *sp, struct sfab_err *err)
{
	const struct sfab_collective *c = sp->c;
	struct sfab_traffic mpi = { .nparts = 1, .part[0] = { .class = SFAB_MPI,
							      .share = c->share } };
	struct sfab_job job = { .n = c->n, .host = c->host, .cpus = c->cpus,
				  .traffic = &mpi };

	if (sp->has_at_once)
		return &sp->at_once;
	sfab_load_clear(&sp->at_once);
	sp->nadded -= sp->at_once.adds;
	if (sfab_demand(sp->m, &job, &sp->at_once, err) < 0)
		return NULL;
	sp->has_at_once = 1;
	sp->nadded += sp->at_once.adds;
	return &sp->at_once;
}

/*
 * How full the fullest link and end port of a step are, at least 1.  judge_step() then turns
 * alone and beside into S.
 */
struct judged_step {
	double alone, beside;	/* without others, and with them */
	double ends, ends_beside;
	uint32_t worst_link;	/* beside the others; SFAB_NONE: no conflict */
};

/* Record that link @res is @alone and @beside full. */
static inline void record_link(struct judged_step *x, uint32_t res, double alone, double beside)
{
	x->alone = alone > x->alone ? alone : x->alone;
	if (beside > x->beside || (beside == x->beside && res < x->worst_link)) {
		x->beside = beside;
		x->worst_link = res;
	}
}

/* Return S of a step whose fullest link is @top.  Rounding must not count as a conflict. */
static double slowdown_by(double top, double ends)
{
	return top > ends * SFAB_STEP_CLEAR ? top / ends : 1;
}

/* Record all links that pattern uniform loads. */
static int record_uniform(struct sfab_stepper *sp, struct judged_step *x, struct sfab_err *err)
{
	const struct sfab_load *l = sfab_stepper_at_once(sp, err);
	const double *b = sp->c->background;

	if (!l)
		return -1;
	for (uint32_t i = 0; i < l->ntouched; i++) {
		uint32_t e = l->touched[i];
		double alone = l->v[e] * sp->m->inv_cap[e];
		double beside = (l->v[e] + (b ? b[e] : 0)) * sp->m->inv_cap[e];

		if (sp->m->isl[e]) {
			record_link(x, e, alone, beside);
		} else {
			x->ends = alone > x->ends ? alone : x->ends;
			x->ends_beside = beside > x->ends_beside ? beside : x->ends_beside;
		}
	}
	return 0;
}

/* Record all links of a step in which each rank sends to its peer.  *@lost grows. */
static int record_walked(struct sfab_stepper *sp, const uint32_t *peer, struct judged_step *x,
			 uint64_t *lost, struct sfab_err *err)
{
	if (sfab_stepper_walk(sp, peer, lost) < 0)
		return sfab_no_memory(err);
	for (uint32_t i = 0; i < sp->ntouched; i++) {
		uint32_t l = sp->touched[i];

		record_link(x, sp->res[l], sp->load[l] * sp->inv_cap[l],
			    (sp->load[l] + sp->beside[l]) * sp->inv_cap[l]);
	}
	if (x->alone > 1 && sp->max_end > 1)
		x->ends = sfab_stepper_ends(sp, peer, NULL);
	if (x->beside > 1 && sp->max_end_beside > 1)
		x->ends_beside = sfab_stepper_ends(sp, peer, sp->c->background);
	return 0;
}

/* Find S of a step that the bound leaves open.  @peer NULL: uniform. */
static int judge_step(struct sfab_stepper *sp, const uint32_t *peer, struct judged_step *x,
		      uint64_t *lost, struct sfab_err *err)
{
	*x = (struct judged_step){ 1, 1, 1, 1, SFAB_NONE };
	if ((peer ? record_walked(sp, peer, x, lost, err) : record_uniform(sp, x, err)) < 0)
		return -1;
	x->alone = slowdown_by(x->alone, x->ends);
	x->beside = slowdown_by(x->beside, x->ends_beside);
	if (x->beside == 1)
		x->worst_link = SFAB_NONE;
	return 0;
}

/* -- one pattern ------------------------------------------------------------ */

static int run_step(struct sfab_stepper *sp, enum sfab_pattern pattern,
		    struct sfab_step *s, struct sfab_steps *out, struct sfab_err *err)
{
	const uint32_t *peer = sfab_stepper_peers(sp, pattern, s->step);
	struct judged_step x;

	s->slowdown = 1;
	s->worst_link = SFAB_NONE;
	if (sfab_stepper_is_settled(sp, pattern, peer))
		return 0;
	out->walked++;
	if (judge_step(sp, peer, &x, &out->lost, err) < 0)
		return -1;
	s->slowdown = x.beside;
	s->worst_link = x.worst_link;
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
	out->nsteps = out->nsampled = sfab_pattern_steps(pattern, sp->c->n);
	if (!out->nsteps || (sp->is_clear && pattern != SFAB_ALLREDUCE))
		return 0;
	if (!each)
		each = s;
	out->nsampled = n = sfab_pattern_sample(pattern, sp->c->n,
						sp->c->max_steps ? sp->c->max_steps :
						SFAB_STEPS_MAX, step);
	for (uint32_t i = 0; i < n; i++) {
		int is_always = sfab_pattern_always(pattern, step[i]);

		each[i].step = step[i];
		if (run_step(sp, pattern, &each[i], out, err) < 0)
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

/* -- all patterns, up to a maximum ------------------------------------------ */

/* Patterns that cost little to compute for their weight come first. */
static const enum sfab_pattern by_cost[] = {
	SFAB_RING, SFAB_ALLREDUCE, SFAB_UNIFORM, SFAB_ALLTOALL,
};
_Static_assert(sizeof(by_cost) / sizeof(*by_cost) == SFAB_NPATTERNS, "each pattern has its place");

/* List the sampled steps of all patterns, each with its weight. */
static void sample_all_patterns(struct sfab_stepper *sp, const double mix[SFAB_NPATTERNS])
{
	uint32_t max = sp->c->max_steps ? sp->c->max_steps : SFAB_STEPS_MAX;
	uint32_t step[SFAB_STEPS_MAX];
	double weights = 0;

	if (sp->nsamples && sp->samples_n == sp->c->n && sp->samples_max == sp->c->max_steps &&
	    memcmp(sp->samples_mix, mix, sizeof(sp->samples_mix)) == 0)
		return;
	for (int i = 0; i < SFAB_NPATTERNS; i++)
		weights += mix[i] > 0 ? mix[i] : 0;
	sp->nsamples = 0;
	for (int p = 0; p < SFAB_NPATTERNS; p++) {
		enum sfab_pattern pattern = by_cost[p];
		uint32_t nsteps = sfab_pattern_steps(pattern, sp->c->n), always = 0, n;

		if (!(mix[pattern] > 0))
			continue;
		n = sfab_pattern_sample(pattern, sp->c->n, max, step);
		for (uint32_t i = 0; i < n; i++)
			always += sfab_pattern_always(pattern, step[i]) != 0;
		for (uint32_t i = 0; i < n; i++) {
			double part = sfab_pattern_always(pattern, step[i]) ?
				      1 : (double) (nsteps - always) / (n - always);

			sp->sample[sp->nsamples++] = (struct step_sample){
				pattern, step[i], mix[pattern] / weights * part / nsteps };
		}
	}
	sp->samples_n = sp->c->n;
	sp->samples_max = sp->c->max_steps;
	memcpy(sp->samples_mix, mix, sizeof(sp->samples_mix));
}

int sfab_stepper_weigh(struct sfab_stepper *sp, const double mix[SFAB_NPATTERNS],
		       struct sfab_weighing *x, struct sfab_err *err)
{
	/* Where end ports are full, a step beside other jobs may have a lower S. */
	double max = sp->max_end_beside > 1 ? INFINITY : x->max;
	uint64_t lost = 0;

	sample_all_patterns(sp, mix);
	x->alone = x->beside = 1;
	for (uint32_t i = 0; i < sp->nsamples; i++) {
		const struct step_sample *sample = &sp->sample[i];
		const uint32_t *peer = sfab_stepper_peers(sp, sample->pattern, sample->step);
		struct judged_step s;

		if (sample->pattern != SFAB_ALLREDUCE &&
		    (sp->is_clear || sfab_stepper_is_settled(sp, sample->pattern, peer)))
			continue;
		if (judge_step(sp, peer, &s, &lost, err) < 0)
			return -1;
		x->alone += sample->weight * (s.alone - 1);
		x->beside += sample->weight * (s.beside - 1);
		if (x->beside > max)
			return 1;
	}
	return 0;
}
