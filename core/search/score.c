/* SPDX-License-Identifier: GPL-2.0-or-later */
/* score.c - compute the terms of the score, as defined in score.h */

#include "core/search/score.h"
#include "core/load/served.h"
#include "core/search/score_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define IO_LEAVES 0.1		/* factor on the weight of broken for IO, if half of the
				   hosts talk (TALKING) */
#define VISITS_A_STEP 4		/* running jobs visited in the time of one step,
				   estimated */
#define PARTLY_CLASSED 0.1	/* factor on broken for mpi by steps, unless the machine
				   is full: where there are port classes, other jobs
				   fit on the rest of a leaf */
#define DIRECT_LEAVES 0.03	/* factor on it where leaves are joined without
				   spines: a whole leaf keeps nobody else out */
#define DIRECT_SELF 0.3		/* and on that of self there, beside others: all traffic
				   passes where the job's own does, and more jobs come */
#define TALKING 0.5		/* if at least this part of the hosts talks */

/*
 * Slowdowns of this job, of running jobs and of the next jobs are times and can
 * be added.  The shares only decide between sets that take about the same time.
 * doc/model.md says how the values were found.
 */
const double sfab_default_weights[SFAB_NTERMS] = {
	[SFAB_TERM_SELF] = 1.0,
	[SFAB_TERM_OVERLAP] = 0.1,
	[SFAB_TERM_IO_SHARING] = 0.3,
	[SFAB_TERM_HARM] = 0.0,
	[SFAB_TERM_LIVE] = 0.5,
	[SFAB_TERM_CONTENTION] = 1.0,
	[SFAB_TERM_SLOWED] = 1.0,
	[SFAB_TERM_BROKEN] = 0.4,
	[SFAB_TERM_AHEAD] = 0.5,
	[SFAB_TERM_TREE] = 3.0,	/* a job wholly in trees keeps a quarter of its rate */
	[SFAB_TERM_IO_WAY] = 1.0,
};

static const char term_name[SFAB_NTERMS][12] = {
	[SFAB_TERM_SELF] = "self",
	[SFAB_TERM_OVERLAP] = "overlap",
	[SFAB_TERM_IO_SHARING] = "io_sharing",
	[SFAB_TERM_HARM] = "harm",
	[SFAB_TERM_LIVE] = "live",
	[SFAB_TERM_CONTENTION] = "contention",
	[SFAB_TERM_SLOWED] = "slowed",
	[SFAB_TERM_BROKEN] = "broken",
	[SFAB_TERM_AHEAD] = "ahead",
	[SFAB_TERM_TREE] = "tree",
	[SFAB_TERM_IO_WAY] = "io_way",
};

struct sfab_scorer {
	const struct sfab_model *m;
	struct sfab_load net, io, all;
	struct sfab_load flow;	/* net plus the part of io that passes */
	struct sfab_load writes;	/* of the IO, the writes that make trees */
	struct sfab_footprints *footprints;
	struct sfab_step_scorer *by_steps;	/* NULL unless the model goes by steps */
	uint32_t *used;		/* by leaf: number of hosts of the set */
	uint32_t *leaf;		/* leaves in use */
	uint32_t nleaves;
	uint32_t *in_pod;	/* by group of leaves: hosts of the set; 0 between uses */
	struct sfab_space empty;	/* occupancy of an empty machine */
};

const char *sfab_term_name(enum sfab_term term)
{
	return term < SFAB_NTERMS ? term_name[term] : "?";
}

struct sfab_scorer *sfab_scorer_create(const struct sfab_model *m)
{
	struct sfab_scorer *sc = calloc(1, sizeof(*sc));

	if (!sc)
		return NULL;
	sc->m = m;
	sc->used = calloc(m->f->nleaves + 1u, sizeof(*sc->used));
	sc->leaf = calloc(m->f->nleaves + 1u, sizeof(*sc->leaf));
	sc->in_pod = calloc(m->f->nleaves + 1u, sizeof(*sc->in_pod));
	sc->footprints = sfab_footprints_create(m);
	if (m->by_steps)
		sc->by_steps = sfab_step_scorer_create(m);
	if ((m->by_steps && !sc->by_steps) || !sc->footprints || !sc->used ||
	    !sc->leaf || !sc->in_pod ||
	    sfab_space_init(&sc->empty, m, NULL, NULL, 0) < 0 ||
	    sfab_load_init(&sc->net, m->nres) < 0 ||
	    sfab_load_init(&sc->io, m->nres) < 0 ||
	    sfab_load_init(&sc->all, m->nres) < 0 ||
	    sfab_load_init(&sc->flow, m->nres) < 0 ||
	    sfab_load_init(&sc->writes, m->nres) < 0) {
		sfab_scorer_destroy(sc);
		return NULL;
	}
	return sc;
}

void sfab_scorer_destroy(struct sfab_scorer *sc)
{
	if (!sc)
		return;
	sfab_load_free(&sc->net);
	sfab_load_free(&sc->io);
	sfab_load_free(&sc->all);
	sfab_load_free(&sc->flow);
	sfab_load_free(&sc->writes);
	sfab_footprints_destroy(sc->footprints);
	sfab_step_scorer_destroy(sc->by_steps);
	free(sc->used);
	free(sc->leaf);
	free(sc->in_pod);
	sfab_space_free(&sc->empty);
	free(sc);
}

const struct sfab_model *sfab_scorer_model(const struct sfab_scorer *sc)
{
	return sc->m;
}

struct sfab_footprints *sfab_scorer_footprints(const struct sfab_scorer *sc)
{
	return sc->footprints;
}

const struct sfab_class_grid *sfab_scorer_grid(const struct sfab_scorer *sc)
{
	return sc->by_steps ? sfab_step_scorer_grid(sc->by_steps) : NULL;
}

const double *sfab_scorer_host_way(const struct sfab_scorer *sc)
{
	return sc->by_steps ? sfab_step_scorer_way(sc->by_steps)->host : NULL;
}

const struct sfab_load *sfab_scorer_net(const struct sfab_scorer *sc)
{
	return &sc->net;
}

const struct sfab_load *sfab_scorer_io(const struct sfab_scorer *sc)
{
	return &sc->io;
}

/* S of @d together with @b (NULL: none). */
static double slowdown_of_load(const struct sfab_scorer *sc,
			       const struct sfab_load *d, const double *b,
			       double *ends)
{
	return sfab_slowdown(sc->m, d->touched, d->ntouched, d->v, b, ends);
}

/* sum D min(1, B/C) / sum D over switch-to-switch (and IO) links. */
static double shared_part(const struct sfab_scorer *sc,
			  const struct sfab_load *d, const double *b,
			  int with_io_links)
{
	const struct sfab_model *m = sc->m;
	double shared = 0, sum = 0;

	for (uint32_t i = 0; i < d->ntouched; i++) {
		uint32_t e = d->touched[i];
		double full = b[e] * m->inv_cap[e];

		if (!m->isl[e] && !(with_io_links && m->io_link[e]))
			continue;
		sum += d->v[e];
		shared += d->v[e] * (full < 1 ? full : 1);
	}
	return sum > 0 ? shared / sum : 0;
}

static double live_wait_share(const struct sfab_scorer *sc, const double *wait)
{
	double waits = 0, sum = 0;

	for (uint32_t i = 0; i < sc->all.ntouched; i++) {
		uint32_t e = sc->all.touched[i];

		if (e >= sc->m->f->nlinks)
			continue;
		sum += sc->all.v[e];
		waits += sc->all.v[e] * wait[e];
	}
	return sum > 0 ? waits / sum : 0;
}

static void find_worst_link(const struct sfab_scorer *sc,
			    struct sfab_score *out)
{
	out->worst = 0;
	out->worst_link = SFAB_NONE;
	for (uint32_t i = 0; i < sc->all.ntouched; i++) {
		uint32_t e = sc->all.touched[i];
		double x = sc->all.v[e] * sc->m->inv_cap[e];

		if (!sc->m->isl[e])
			continue;
		if (x > out->worst || (x == out->worst && e < out->worst_link)) {
			out->worst = x;
			out->worst_link = e;
		}
	}
}

/* Count the hosts of the set by leaf; hosts without a leaf do not count. */
static void count_used_leaves(struct sfab_scorer *sc,
			      const struct sfab_spec *spec)
{
	for (uint32_t i = 0; i < sc->nleaves; i++)
		sc->used[sc->leaf[i]] = 0;
	sc->nleaves = 0;
	for (uint32_t i = 0; i < spec->n; i++) {
		uint32_t leaf = sc->m->host_leaf[spec->host[i]];

		if (leaf != SFAB_NONE && !sc->used[leaf]++)
			sc->leaf[sc->nleaves++] = leaf;
	}
}

/* @all must be empty. */
static void add_scaled_load(struct sfab_load *all, const struct sfab_load *part,
			    double x)
{
	memcpy(all->touched, part->touched, part->ntouched * sizeof(*all->touched));
	for (uint32_t i = 0; i < part->ntouched; i++)
		all->v[part->touched[i]] = x * part->v[part->touched[i]];
	all->ntouched = part->ntouched;
	all->adds += part->ntouched;
}

/* @x must be > 0. */
static void add_up(struct sfab_load *all, const struct sfab_load *part, double x)
{
	if (!all->ntouched) {
		add_scaled_load(all, part, x);
		return;
	}
	for (uint32_t i = 0; i < part->ntouched; i++)
		sfab_load_add(all, part->touched[i], x * part->v[part->touched[i]]);
}

/*
 * S of the job alone, IO as far as it is served; @all is the S if all of its IO
 * passes.
 */
static double slowdown_alone(const struct sfab_scorer *sc, double all)
{
	const struct sfab_model *m = sc->m;
	double x = sfab_served_alone(m, &sc->io), top = 1, end_top = 1;

	for (uint32_t i = 0; x < 1 && i < sc->all.ntouched; i++) {
		uint32_t e = sc->all.touched[i];
		double full = (sc->net.v[e] + x * sc->io.v[e]) * m->inv_cap[e];

		if (full > top)
			top = full;
		if (m->end[e] && full > end_top)
			end_top = full;
	}
	return x < 1 ? top / end_top : all;
}

/* The load if the part @x of the job's IO passes: sc->all, or sc->flow. */
static const struct sfab_load *passing_load(struct sfab_scorer *sc, double x)
{
	if (!(x < 1))
		return &sc->all;
	sfab_load_clear(&sc->flow);
	add_up(&sc->flow, &sc->net, 1);
	add_up(&sc->flow, &sc->io, x);
	return &sc->flow;
}

/* Fewest leaves on an empty machine; all leaves if it is too small. */
static uint32_t fewest_leaves(const struct sfab_scorer *sc, uint32_t n)
{
	struct sfab_space room;
	uint32_t leaves;

	if (sfab_space_init(&room, sc->m, NULL, NULL, n) < 0)
		return sc->m->f->nleaves;
	leaves = room.fewest;
	sfab_space_free(&room);
	return leaves;
}

/* 0: done; 1: the footprints cannot give it, walk the routes. */
static int load_from_vectors(struct sfab_scorer *sc, const struct sfab_spec *spec,
			     struct sfab_err *err)
{
	int rc = sfab_footprints_load(sc->footprints, spec, &sc->io, err);

	if (rc == 0)
		rc = sfab_demand_ends(sc->m, spec, &sc->net, &sc->io, err);
	if (rc == 1)
		sfab_load_clear(&sc->io);
	return rc;
}

/* *@walked 1: from the routes, 0: from footprints. */
static int load_job_demand(struct sfab_scorer *sc, const struct sfab_spec *spec,
			   int quick, int *walked, struct sfab_err *err)
{
	int rc = 1;

	sfab_load_clear(&sc->net);
	sfab_load_clear(&sc->io);
	sfab_load_clear(&sc->all);
	if (quick && sfab_traffic_share(spec->traffic, 1) > 0)
		rc = load_from_vectors(sc, spec, err);
	*walked = rc == 1;
	if (rc == 1)
		rc = sfab_demand(sc->m, spec, &sc->net, &sc->io, NULL, err);
	if (rc < 0)
		return -1;
	add_up(&sc->all, &sc->net, 1);
	add_up(&sc->all, &sc->io, 1);
	return 0;
}

/* Copy the parts of @t that make trees to @filling. */
static void keep_filling(const struct sfab_scorer *sc, const struct sfab_jobs *js,
			 const struct sfab_traffic *t, struct sfab_traffic *filling)
{
	uint32_t set;

	filling->nparts = 0;
	for (uint32_t i = 0; i < t->nparts; i++)
		if (t->part[i].class == SFAB_IO_WRITE &&
		    sfab_model_set(sc->m, &t->part[i], &set, NULL) == 0 &&
		    sc->m->io->set[set].held && sfab_jobs_fills(js, &sc->io, set))
			filling->part[filling->nparts++] = t->part[i];
}

static int is_all_io(const struct sfab_traffic *part, const struct sfab_traffic *t)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->nparts; i++)
		n += (uint32_t) sfab_class_is_io(t->part[i].class);
	return part->nparts == n;
}

/* The part of its traffic in others' trees, plus theirs in its own. */
static int score_trees(struct sfab_scorer *sc, const struct sfab_jobs *js,
		       const struct sfab_spec *spec, double *out,
		       struct sfab_err *err)
{
	struct sfab_spec one = *spec;
	struct sfab_traffic t;

	*out = sfab_jobs_tree_share(js, &sc->net);
	if (!sc->io.ntouched)
		return 0;
	keep_filling(sc, js, spec->traffic, &t);
	if (!t.nparts)
		return 0;
	if (is_all_io(&t, spec->traffic)) {
		*out += sfab_jobs_trees(js, &sc->io);
		return 0;
	}
	one.traffic = &t;
	sfab_load_clear(&sc->writes);
	if (sfab_demand(sc->m, &one, &sc->writes, &sc->writes, NULL, err) < 0)
		return -1;
	*out += sfab_jobs_trees(js, &sc->writes);
	return 0;
}

/*
 * Terms for what other jobs do to the job and it to them, with IO as far as it
 * is served.
 */
static int set_terms_beside(struct sfab_scorer *sc, struct sfab_jobs *js,
			    const struct sfab_spec *spec, double alone,
			    struct sfab_score *out, struct sfab_err *err)
{
	double passes = sfab_jobs_beside(js, &sc->io), ignore;
	const double *b = sfab_jobs_background_beside(js, &sc->all);
	const struct sfab_load *flow = passing_load(sc, passes);

	out->slowdown = slowdown_of_load(sc, flow, b, &ignore);
	out->term[SFAB_TERM_CONTENTION] = fmax(out->slowdown - alone, 0);
	out->term[SFAB_TERM_OVERLAP] = shared_part(sc, &sc->net, b, 0);
	out->term[SFAB_TERM_IO_SHARING] = shared_part(sc, &sc->io, b, 1);
	out->term[SFAB_TERM_HARM] =
		sfab_jobs_harm(js, flow, b, &out->term[SFAB_TERM_SLOWED]) / spec->n;
	out->term[SFAB_TERM_LIVE] =
	    live_wait_share(sc, sfab_jobs_wait_share(js));
	return score_trees(sc, js, spec, &out->term[SFAB_TERM_TREE], err);
}

static void set_terms_alone(struct sfab_scorer *sc, const struct sfab_spec *spec,
			    const struct sfab_space *room, uint32_t fewest,
			    struct sfab_score *out)
{
	out->slowdown = slowdown_of_load(sc, &sc->all, NULL, &out->ends);
	out->term[SFAB_TERM_SELF] = out->slowdown - 1;
	if (sc->by_steps)
		out->term[SFAB_TERM_IO_WAY] = sfab_slowed_by_io(
			sc->by_steps, &sc->net, room, sc->used, spec->traffic);
	out->leaves = sc->nleaves;
	out->partly = sfab_space_broken(room, sc->m->tree, sc->nleaves, sc->leaf, sc->used,
					sc->in_pod);
	if (sc->m->by_steps == SFAB_MPI_STEPS &&
	    sfab_step_scorer_grid(sc->by_steps)->nlevels && !sc->io.ntouched &&
	    !room->is_full)
		out->partly *= PARTLY_CLASSED;
	out->term[SFAB_TERM_BROKEN] = out->partly;
	if (out->leaves > fewest)
		out->term[SFAB_TERM_BROKEN] += out->leaves - fewest;
}

/*
 * Given or default weights.  IO loses nothing by being spread.  For IO,
 * broken only protects jobs that talk among themselves, in proportion to how
 * many do.
 */
static void set_weights(const struct sfab_traffic *t, const struct sfab_jobs *js,
			const double *weights, int direct, double *out)
{
	double io = sfab_traffic_share(t, 1), net = sfab_traffic_share(t, 0);
	double part = js ? IO_LEAVES * fmin(1, sfab_jobs_talking(js) / TALKING) : 0;

	memcpy(out, weights ? weights : sfab_default_weights,
	       SFAB_NTERMS * sizeof(*out));
	if (direct) {
		if (js && sfab_jobs_count(js) > 0)
			out[SFAB_TERM_SELF] *= DIRECT_SELF;
		out[SFAB_TERM_BROKEN] *= DIRECT_LEAVES;
	}
	if (io > 0)
		out[SFAB_TERM_BROKEN] *= (net + part * io) / (net + io);
}

static void sum_terms(struct sfab_score *s)
{
	s->total = 0;
	for (int t = 0; t < SFAB_NTERMS; t++)
		s->total += s->weight[t] * s->term[t];
}

double sfab_score_slowdown(const struct sfab_score *s)
{
	return fmax(1, fmax(s->slowdown, s->beside));
}

double sfab_score_key(const struct sfab_score *s, const struct sfab_bar *bar)
{
	double ends = bar->ends > 0 ? bar->ends : s->ends;
	double self = s->in_steps;

	if (s->worst > ends)
		self += s->worst / ends - 1;
	return s->total + s->weight[SFAB_TERM_SELF] * (self - s->term[SFAB_TERM_SELF]) -
	       bar->forgiven * s->weight[SFAB_TERM_BROKEN] * s->partly;
}

/* Work done so far, in visits. */
static uint64_t work_in_visits(const struct sfab_scorer *sc,
			       const struct sfab_jobs *js)
{
	uint64_t adds = sc->net.adds + sc->io.adds + sc->all.adds + sc->writes.adds;

	return VISITS_A_STEP * adds + (js ? sfab_jobs_visits(js) : 0);
}

/*
 * Set all terms.  1: the set is above the bar already without other jobs, so
 * the terms that depend on them are not computed.
 */
static int set_terms(struct sfab_scorer *sc, struct sfab_jobs *js,
		     const struct sfab_spec *spec, const struct sfab_space *room,
		     const struct sfab_bar *bar, struct sfab_score *out,
		     struct sfab_err *err)
{
	uint32_t fewest = room ? room->fewest : fewest_leaves(sc, spec->n);

	count_used_leaves(sc, spec);
	find_worst_link(sc, out);
	set_terms_alone(sc, spec, room ? room : &sc->empty, fewest, out);
	sum_terms(out);
	if (bar && sfab_score_key(out, bar) > bar->key)
		return 1;
	out->slowdown = out->lockstep = slowdown_alone(sc, out->slowdown);
	if (!js)
		return 0;
	if (set_terms_beside(sc, js, spec, out->slowdown, out, err) < 0)
		return -1;
	sum_terms(out);
	return 0;
}

/* Add what steps say, which is never less.  1: the set is above the bar without it. */
static int set_terms_in_steps(struct sfab_scorer *sc, struct sfab_jobs *js,
			      const struct sfab_spec *spec, const struct sfab_bar *bar,
			      struct sfab_score *out, struct sfab_err *err)
{
	uint64_t work = 0;
	double left = INFINITY;
	int rc;

	if (!sc->by_steps || !sc->net.ntouched || (bar && !bar->with_steps))
		return 0;
	if (bar)
		left = bar->key - sfab_score_key(out, bar);
	if (left < 0)
		return 1;
	rc = sfab_score_by_steps(sc->by_steps, js, spec, &sc->all, &sc->io, left, out,
				 &work, err);
	sc->all.adds += work;
	sum_terms(out);
	return rc;
}

/* @bar: quick; NULL: exact. */
static int score_set(struct sfab_scorer *sc, struct sfab_jobs *js,
		     const struct sfab_spec *spec,
		     const struct sfab_space *room, const double *weights,
		     const struct sfab_bar *bar, struct sfab_score *out,
		     struct sfab_err *err)
{
	uint64_t before = work_in_visits(sc, js);
	int rc;

	memset(out, 0, sizeof(*out));
	if (!spec->n)
		return 0;
	if (load_job_demand(sc, spec, bar != NULL, &out->walked, err) < 0)
		return -1;
	set_weights(spec->traffic, js, weights, sc->m->direct, out->weight);
	rc = set_terms(sc, js, spec, room, bar, out, err);
	if (rc == 0)
		rc = set_terms_in_steps(sc, js, spec, bar, out, err);
	out->steps =
	    (uint32_t) ((work_in_visits(sc, js) - before) / VISITS_A_STEP);
	return rc;
}

int sfab_score(struct sfab_scorer *sc, struct sfab_jobs *js,
	       const struct sfab_spec *spec, const struct sfab_space *room,
	       const double *weights, struct sfab_score *out,
	       struct sfab_err *err)
{
	return score_set(sc, js, spec, room, weights, NULL, out, err);
}

int sfab_score_quick(struct sfab_scorer *sc, struct sfab_jobs *js,
		     const struct sfab_spec *spec, const struct sfab_space *room,
		     const double *weights, struct sfab_score *out,
		     struct sfab_err *err)
{
	static const struct sfab_bar none = { .key = INFINITY };

	return score_set(sc, js, spec, room, weights, &none, out, err);
}

int sfab_score_under(struct sfab_scorer *sc, struct sfab_jobs *js,
		     const struct sfab_spec *spec, const struct sfab_space *room,
		     const double *weights, const struct sfab_bar *bar,
		     struct sfab_score *out, struct sfab_err *err)
{
	return score_set(sc, js, spec, room, weights, bar, out, err);
}
