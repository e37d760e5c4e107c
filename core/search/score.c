/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * score.c - nodes lost, as defined in score.h
 *
 * The terms are never negative, and a search only needs to know whether a set is better than
 * the best so far.  So cheap parts of the score come first: units broken, IO, steps, others,
 * links.
 */

#include "core/search/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/load/demand.h"

#define VISITS_A_STEP 4		/* running jobs that are visited in the time of one step,
				   estimated */

const double sfab_default_weights[SFAB_NTERMS] = { 1, 1, 1 };

static const char term_name[SFAB_NTERMS][8] = {
	[SFAB_TERM_OWN] = "own",
	[SFAB_TERM_OTHERS] = "others",
	[SFAB_TERM_LATER] = "later",
};

/* A set that is being scored. */
struct scoring {
	struct sfab_scorer *sc;
	struct sfab_jobs *js;		/* or NULL */
	const struct sfab_job *job;
	const double *background;	/* B by resource, or NULL */
	double passes;			/* the part of its IO that servers let through */
	double limit;
	int is_exact;
	struct sfab_score *out;
	struct sfab_err *err;
};

const char *sfab_term_name(enum sfab_term term)
{
	return term < SFAB_NTERMS ? term_name[term] : "?";
}

double sfab_score_class(const struct sfab_score *s, const struct sfab_traffic *t, uint32_t n,
			enum sfab_class c)
{
	double sum = 0;

	for (uint32_t i = 0; i < t->nparts; i++)
		if (t->part[i].class == c)
			sum += n * t->part[i].share * (s->lost.part[i].beside - 1);
	return sum;
}

struct sfab_scorer *sfab_scorer_create(const struct sfab_model *m)
{
	struct sfab_scorer *sc = calloc(1, sizeof(*sc));
	int rc;

	if (!sc)
		return NULL;
	sc->m = m;
	sc->packing = sfab_default_packing;
	sc->phases = sfab_phases_create(m);
	sc->footprints = sfab_footprints_create(m);
	sc->grid = sfab_class_grid_create(&sc->arena, m);
	sc->seen = sfab_arena_take(&sc->arena, m->f->nleaves, 1);
	rc = sc->phases && sc->footprints && sc->grid && sc->seen ? 0 : -1;
	for (int u = 0; rc == 0 && u < SFAB_NUNITS; u++)
		rc = sfab_units_init(&sc->unit[u], &sc->arena, m, sc->grid, (enum sfab_unit) u);
	if (rc == 0 &&
	    sfab_load_init(&sc->net, m->nres) == 0 && sfab_load_init(&sc->io, m->nres) == 0 &&
	    sfab_load_init(&sc->part, m->nres) == 0 && sfab_load_init(&sc->flow, m->nres) == 0)
		return sc;
	sfab_scorer_destroy(sc);
	return NULL;
}

void sfab_scorer_destroy(struct sfab_scorer *sc)
{
	if (!sc)
		return;
	sfab_load_free(&sc->net);
	sfab_load_free(&sc->io);
	sfab_load_free(&sc->part);
	sfab_load_free(&sc->flow);
	sfab_footprints_destroy(sc->footprints);
	sfab_phases_destroy(sc->phases);
	sfab_arena_free(&sc->arena);
	free(sc);
}

void sfab_scorer_set_free(struct sfab_scorer *sc, const uint8_t *avail)
{
	for (int u = 0; u < SFAB_NUNITS; u++)
		sfab_units_set_free(&sc->unit[u], avail);
}

/* -- loads ---------------------------------------------------------------- */

/* Add @part times @x, which must be > 0. */
static void add_up(struct sfab_load *to, const struct sfab_load *part, double x)
{
	for (uint32_t i = 0; i < part->ntouched; i++)
		sfab_load_add(to, part->touched[i], x * part->v[part->touched[i]]);
}

/* Set sc->part to the load of part @i at full rate; it is not mpi. */
static int load_part(struct scoring *x, uint32_t i)
{
	struct sfab_scorer *sc = x->sc;
	const struct sfab_traffic_part *part = &x->job->traffic->part[i];

	sfab_load_clear(&sc->part);
	if (!x->is_exact && sfab_class_is_io(part->class)) {
		int rc = sfab_footprints_load(sc->footprints, x->job, part, &sc->part, x->err);

		if (rc < 0)
			return -1;
		if (rc == 0)
			return sfab_demand_part_ends(sc->m, x->job, part, &sc->part, x->err);
		sfab_load_clear(&sc->part);
	}
	return sfab_demand_part(sc->m, x->job, part, &sc->part, x->err);
}

/* Add the mean load of the mpi parts to sc->net. */
static int add_mpi_mean(struct scoring *x)
{
	double f = sfab_traffic_class_share(x->job->traffic, SFAB_MPI);
	const struct sfab_load *l = f > 0 ? sfab_phases_mean(x->sc->phases, x->err) : NULL;

	if (l)
		add_up(&x->sc->net, l, f);
	return l || !(f > 0) ? 0 : -1;
}

/* -- terms ---------------------------------------------------------------- */

/* Sum the terms that are set.  1: the total exceeds the limit. */
static int sum_terms(struct scoring *x)
{
	struct sfab_score *s = x->out;

	s->term[SFAB_TERM_OWN] = x->job->n * s->lost.time;
	s->total = 0;
	for (int t = 0; t < SFAB_NTERMS; t++)
		s->total += s->weight[t] * s->term[t];
	return s->total > x->limit;
}

static void count_leaves(struct scoring *x)
{
	struct sfab_scorer *sc = x->sc;

	for (uint32_t i = 0; i < x->job->n; i++) {
		uint32_t leaf = sc->m->host_leaf[x->job->host[i]];

		if (leaf != SFAB_NONE && !sc->seen[leaf]) {
			sc->seen[leaf] = 1;
			x->out->leaves++;
		}
	}
	for (uint32_t i = 0; i < x->job->n; i++)
		if (sc->m->host_leaf[x->job->host[i]] != SFAB_NONE)
			sc->seen[sc->m->host_leaf[x->job->host[i]]] = 0;
}

static void add_part_loss(struct scoring *x, uint32_t i, const struct sfab_phase *s)
{
	double f = x->job->traffic->part[i].share;

	x->out->lost.part[i] = *s;
	x->out->lost.alone += f * (s->alone - 1);
	x->out->lost.time += f * (s->beside - 1);
}

/* Add the loss of parts that are not sent in steps.  1: the total exceeds the limit. */
static int add_loss_at_once(struct scoring *x)
{
	const struct sfab_traffic *t = x->job->traffic;
	struct sfab_scorer *sc = x->sc;

	for (uint32_t i = 0; i < t->nparts; i++) {
		struct sfab_phase s;

		if (t->part[i].class == SFAB_MPI || !(t->part[i].share > 0))
			continue;
		if (load_part(x, i) < 0)
			return -1;
		s = sfab_phases_at_once(sc->m, &sc->part, &t->part[i], x->background);
		add_part_loss(x, i, &s);
		if (sum_terms(x))
			return 1;
		add_up(sfab_class_is_io(t->part[i].class) ? &sc->io : &sc->net, &sc->part,
		       t->part[i].share);
	}
	return 0;
}

/* Add the loss of the mpi parts.  1: the total exceeds the limit. */
static int add_loss_in_steps(struct scoring *x)
{
	const struct sfab_traffic *t = x->job->traffic;
	double f = sfab_traffic_class_share(t, SFAB_MPI);
	double price = x->job->n * x->out->weight[SFAB_TERM_OWN] * f;
	struct sfab_phase s;
	int rc;

	if (!(f > 0))
		return 0;
	rc = sfab_phases_in_steps(x->sc->phases, x->job, x->background, price > 0 ?
				  1 + (x->limit - x->out->total) / price : INFINITY,
				  &x->sc->work, &s, x->err);
	for (uint32_t i = 0; rc >= 0 && i < t->nparts; i++)
		if (t->part[i].class == SFAB_MPI)
			add_part_loss(x, i, &s);
	return rc < 0 ? -1 : sum_terms(x) || rc;
}

/*
 * Set what the running jobs lose to the traffic of the set that passes, and on links that its
 * writes congest.  Add what the set loses on links that running jobs congest.
 */
static int set_others(struct scoring *x)
{
	const struct sfab_traffic *all = x->job->traffic;
	struct sfab_scorer *sc = x->sc;
	struct sfab_score *out = x->out;
	struct sfab_traffic t = { 0 };	/* the parts that congest links */
	struct sfab_job one = *x->job;
	uint32_t set;

	x->passes = 1;
	if (!x->js || !sfab_jobs_count(x->js))
		return 0;
	x->passes = sfab_jobs_assume(x->js, &sc->io);
	sfab_load_clear(&sc->flow);
	add_up(&sc->flow, &sc->net, 1);
	if (x->passes > 0)
		add_up(&sc->flow, &sc->io, x->passes);
	out->term[SFAB_TERM_OTHERS] = sfab_jobs_lost_to(x->js, &sc->flow);
	out->lost.time += sfab_traffic_net_share(all) *
			  sfab_jobs_lost_in_congestion(x->js, &sc->net);
	for (uint32_t i = 0; i < all->nparts; i++)
		if (all->part[i].class == SFAB_IO_WRITE &&
		    sfab_model_find_set(sc->m, &all->part[i], &set, NULL) == 0 &&
		    sc->m->io->set[set].holds_writes && sfab_jobs_overload_set(x->js, &sc->io, set))
			t.part[t.nparts++] = all->part[i];
	if (!t.nparts)
		return 0;
	one.traffic = &t;
	sfab_load_clear(&sc->part);
	if (sfab_demand(sc->m, &one, &sc->part, x->err) < 0)
		return -1;
	out->term[SFAB_TERM_OTHERS] += sfab_jobs_lost_to_congestion(x->js, &sc->part);
	return 0;
}

/*
 * Add what jobs to come lose to its load where the packing spares links, as if they were like
 * the running ones.
 */
static void add_exposed(struct scoring *x)
{
	const struct sfab_load *part[] = { &x->sc->net, &x->sc->io };
	double sum = 0;

	if (!x->sc->packing.spares_links || !x->js)
		return;
	for (int k = 0; k < 2; k++)
		for (uint32_t i = 0; i < part[k]->ntouched; i++) {
			uint32_t e = part[k]->touched[i];

			if (x->sc->m->isl[e])
				sum += part[k]->v[e] * x->sc->m->inv_cap[e];
		}
	x->out->term[SFAB_TERM_LATER] += sum * sfab_jobs_exposed(x->js);
}

static void find_worst_link(const struct sfab_scorer *sc, struct sfab_score *out)
{
	const struct sfab_model *m = sc->m;
	const struct sfab_load *part[] = { &sc->net, &sc->io };

	out->worst_link = SFAB_NONE;
	for (int k = 0; k < 2; k++)
		for (uint32_t i = 0; i < part[k]->ntouched; i++) {
			uint32_t e = part[k]->touched[i];
			double full = (sc->net.v[e] + sc->io.v[e]) * m->inv_cap[e];

			if (m->isl[e] && (full > out->worst ||
					  (full == out->worst && e < out->worst_link))) {
				out->worst = full;
				out->worst_link = e;
			}
		}
}

/*
 * Set the nodes that wait for IO servers, which is in no term.  They wait because servers are
 * slower than the ports of the job (best in phases.h), or let only a part of its IO through
 * (passes).
 */
static void set_servers(struct scoring *x)
{
	const struct sfab_traffic *t = x->job->traffic;

	for (uint32_t i = 0; i < t->nparts; i++)
		if (sfab_class_is_io(t->part[i].class) && t->part[i].share > 0 && x->passes > 0)
			x->out->servers += x->job->n * t->part[i].share *
					   (1 / x->passes - 1 / x->out->lost.part[i].best);
}

/* Set all terms.  1: the total exceeds the limit. */
static int set_terms(struct scoring *x)
{
	const struct sfab_packing *p = &x->sc->packing;
	struct sfab_units *u = &x->sc->unit[p->unit];
	struct sfab_score *out = x->out;
	uint32_t n = x->job->n;
	int rc;

	count_leaves(x);
	if (p->price > 0)
		out->term[SFAB_TERM_LATER] = p->price * sfab_units_scarcity(u, n) *
					     sfab_units_broken(u, x->job->host, n);
	if (sum_terms(x))
		return 1;
	rc = add_loss_at_once(x);
	if (rc == 0)
		rc = add_loss_in_steps(x);
	if (rc)
		return rc;
	if ((x->is_exact || (x->js && sfab_jobs_count(x->js))) && add_mpi_mean(x) < 0)
		return -1;
	if (set_others(x) < 0)
		return -1;
	add_exposed(x);
	set_servers(x);
	out->slowdown = 1 + out->lost.time;
	out->alone = 1 + out->lost.alone;
	if (x->is_exact)
		find_worst_link(x->sc, out);
	return sum_terms(x);
}

/* Return the work done so far, in visits. */
static uint64_t work_in_visits(const struct scoring *x)
{
	const struct sfab_scorer *sc = x->sc;

	return VISITS_A_STEP * (sc->net.adds + sc->io.adds + sc->part.adds + sc->flow.adds +
				sc->work) +
	       (x->js ? sfab_jobs_visits(x->js) : 0);
}

/* Score the set of @x.  1: its total exceeds the limit. */
static int score_set(struct scoring *x, const double *weights)
{
	struct sfab_score *out = x->out;
	uint64_t before = work_in_visits(x);
	int rc;

	memset(out, 0, sizeof(*out));
	out->worst_link = SFAB_NONE;
	out->slowdown = out->alone = 1;
	memcpy(out->weight, weights ? weights : sfab_default_weights, sizeof(out->weight));
	sfab_load_clear(&x->sc->net);
	sfab_load_clear(&x->sc->io);
	if (!x->job->n)
		return 0;
	x->background = x->js ? sfab_jobs_background_with_waits(x->js) : NULL;
	rc = set_terms(x);
	out->steps = (uint32_t) ((work_in_visits(x) - before) / VISITS_A_STEP);
	return rc;
}

int sfab_score(struct sfab_scorer *sc, struct sfab_jobs *js,
	       const struct sfab_job *job, const uint8_t *avail,
	       const double *weights, struct sfab_score *out,
	       struct sfab_err *err)
{
	struct scoring x = { .sc = sc, .js = js, .job = job, .limit = INFINITY,
			     .is_exact = 1, .out = out, .err = err };

	sfab_scorer_set_free(sc, avail);
	return score_set(&x, weights);
}

int sfab_score_below(struct sfab_scorer *sc, struct sfab_jobs *js,
		     const struct sfab_job *job, const double *weights, double limit,
		     struct sfab_score *out, struct sfab_err *err)
{
	struct scoring x = { .sc = sc, .js = js, .job = job, .limit = limit, .out = out,
			     .err = err };

	return score_set(&x, weights);
}
