/* SPDX-License-Identifier: GPL-2.0-or-later */
/* score_steps.c - mpi judged by the steps of its patterns (steps.h) */

#include "core/search/score_steps.h"
#include "core/load/steps.h"

#include <math.h>
#include <stdlib.h>

#define BOUND_WORK 8		/* link additions for a host: reading routes and the
				   bound, */
#define WALK_WORK 1		/* and a step that is walked */
#define STEPS_SAMPLED 40	/* steps of a pattern that a score looks at: 512 hosts in
				   about 2 ms; */
#define SAMPLED_HOSTS 512	/* more hosts, fewer steps, */
#define SAMPLED_LEAST 24	/* at least these: up to 22 powers of two, and others */
/*
 * Weights of what steps say beside what the mean says.  Where the machine is full, sets
 * hardly differ alone by more than what they would cost later jobs, so that counts
 * half.  What a job loses to others they lose to it by about as much, and no other term
 * sees that: it counts twice.  doc/model.md has the figures.
 */
#define ALONE_PART 0.5
#define BETWEEN_PART 2.0

struct sfab_step_scorer {
	const struct sfab_model *m;
	struct sfab_class_grid *grid;
	struct sfab_stepper *stepper;
	struct sfab_io_way way;
	uint64_t work;		/* link additions, estimated */
	double *around;		/* by resource: what a job's steps meet; 0 between scores */
};

struct sfab_step_scorer *sfab_step_scorer_create(const struct sfab_model *m)
{
	struct sfab_step_scorer *ss = calloc(1, sizeof(*ss));

	if (!ss)
		return NULL;
	ss->m = m;
	ss->grid = sfab_class_grid_create(m);
	ss->stepper = sfab_stepper_create(m);
	ss->around = calloc(m->nres + 1u, sizeof(*ss->around));
	if (ss->grid && ss->stepper && ss->around && sfab_io_way_init(&ss->way, m) == 0)
		return ss;
	sfab_step_scorer_destroy(ss);
	return NULL;
}

void sfab_step_scorer_destroy(struct sfab_step_scorer *ss)
{
	if (!ss)
		return;
	sfab_class_grid_destroy(ss->grid);
	sfab_stepper_destroy(ss->stepper);
	sfab_io_way_free(&ss->way);
	free(ss->around);
	free(ss);
}

const struct sfab_class_grid *sfab_step_scorer_grid(const struct sfab_step_scorer *ss)
{
	return ss->grid;
}

const struct sfab_io_way *sfab_step_scorer_way(const struct sfab_step_scorer *ss)
{
	return &ss->way;
}

/* Part of the hosts that can write over @link: all but those of the set. */
static double other_writers(const struct sfab_fabric *f, const struct sfab_space *room,
			    const uint32_t *used, uint32_t link)
{
	uint32_t leaf = f->switches[f->links[link].from].leaf;

	return leaf == SFAB_NONE || !room->size[leaf] ? 1 :
	       fmax(1 - (double) used[leaf] / room->size[leaf], 0);
}

/*
 * How much longer the steps of the set get if all hosts write.  In a step a link
 * carries the full rate of a port, so what IO puts on it comes on top.
 */
double sfab_slowed_by_io(const struct sfab_step_scorer *ss, const struct sfab_load *net,
			 const struct sfab_space *room, const uint32_t *used,
			 const struct sfab_traffic *t)
{
	const double *way = ss->way.link;
	double most = 0;

	for (uint32_t i = 0; way && i < net->ntouched; i++) {
		uint32_t e = net->touched[i];

		if (ss->m->isl[e] && way[e] > most)
			most = fmax(most, way[e] * other_writers(ss->m->f, room, used, e));
	}
	return most * sfab_traffic_share(t, 0);
}

/* Share of class mpi. */
static double mpi_share(const struct sfab_traffic *t)
{
	double sum = 0;

	for (uint32_t i = 0; i < t->nparts; i++)
		if (t->part[i].class == SFAB_MPI)
			sum += t->part[i].share;
	return sum;
}

/* The same for all sets of a request. */
static uint32_t steps_to_sample(uint32_t n)
{
	uint32_t most = n > SAMPLED_HOSTS ? STEPS_SAMPLED * SAMPLED_HOSTS / n : STEPS_SAMPLED;

	return most > SAMPLED_LEAST ? most : SAMPLED_LEAST;
}

/* What the steps meet: the job's own IO and @b. */
static const double *set_around(struct sfab_step_scorer *ss, const struct sfab_load *all,
				const struct sfab_load *io, const double *b)
{
	for (uint32_t i = 0; i < all->ntouched; i++) {
		uint32_t e = all->touched[i];

		ss->around[e] = io->v[e] + b[e];
	}
	return ss->around;
}

static void clear_around(struct sfab_step_scorer *ss, const struct sfab_load *all)
{
	for (uint32_t i = 0; i < all->ntouched; i++)
		ss->around[all->touched[i]] = 0;
}

/* Can others make the steps longer? */
static int is_beside_others(const struct sfab_jobs *js, const struct sfab_score *s)
{
	return js && (s->term[SFAB_TERM_OVERLAP] > 0 || s->term[SFAB_TERM_CONTENTION] > 0);
}

/*
 * What each part adds to the key that a search compares.  Where mpi goes by steps only
 * it is the more of two, which does not grow step by step.
 */
static void set_costs(const struct sfab_step_scorer *ss, const struct sfab_score *s,
		      double share, double most, struct sfab_weighing *x)
{
	x->per_alone = s->weight[SFAB_TERM_SELF] * ALONE_PART * share;
	x->per_between = s->weight[SFAB_TERM_CONTENTION] * BETWEEN_PART * share;
	x->most = ss->m->by_steps == SFAB_MPI_BOTH && x->per_alone >= 0 &&
		  x->per_between >= 0 ? most : INFINITY;
}

/*
 * S of the mpi part by steps, alone and beside what @c has.  1 if it has none, or uses
 * no link between switches.  A step runs at the full rate of the ports; the share is
 * the part of the time that the job spends in steps.
 */
static int weigh_steps(struct sfab_step_scorer *ss, const struct sfab_spec *spec,
		       const struct sfab_collective *c, double most,
		       struct sfab_score *out, struct sfab_err *err)
{
	struct sfab_weighing x;
	double mix[SFAB_NPATTERNS], share = mpi_share(spec->traffic);
	int rc;

	out->alone = out->beside = 1;
	if (!(share > 0) || sfab_model_is_local(ss->m, spec->host, spec->n))
		return 0;
	sfab_traffic_mix(spec->traffic, ss->m->mix, mix);
	set_costs(ss, out, share, most, &x);
	if (sfab_stepper_take(ss->stepper, c, err) < 0)
		return -1;
	rc = sfab_stepper_weigh(ss->stepper, mix, &x, err);
	if (rc < 0)
		return -1;
	out->alone = 1 + share * (x.alone - 1);
	out->beside = 1 + share * (x.beside - 1);
	ss->work += BOUND_WORK * spec->n + (uint64_t) WALK_WORK * x.walked * spec->n;
	return rc;
}

/* What steps say, where it is more than what the mean says. */
static void take_worse(struct sfab_score *s)
{
	s->in_steps = fmax(s->alone - 1 - s->term[SFAB_TERM_SELF], 0);
	s->term[SFAB_TERM_SELF] += s->in_steps;
	s->term[SFAB_TERM_CONTENTION] =
		fmax(fmax(s->slowdown, s->beside) - 1 - s->term[SFAB_TERM_SELF], 0);
}

static void add_step_excess(struct sfab_score *s)
{
	s->in_steps = ALONE_PART * (s->alone - 1);
	s->term[SFAB_TERM_SELF] += s->in_steps;
	s->term[SFAB_TERM_CONTENTION] += BETWEEN_PART * fmax(s->beside - s->alone, 0);
}

int sfab_score_by_steps(struct sfab_step_scorer *ss, struct sfab_jobs *js,
			const struct sfab_spec *spec, const struct sfab_load *all,
			const struct sfab_load *io, double most, struct sfab_score *out,
			uint64_t *work, struct sfab_err *err)
{
	uint64_t before = ss->work;
	struct sfab_collective c = { .n = spec->n, .host = spec->host,
				     .cpus = spec->cpus, .share = 1,
				     .background = io->ntouched ? io->v : NULL,
				     .most_steps = steps_to_sample(spec->n) };
	int rc;

	if (is_beside_others(js, out))
		c.beside = set_around(ss, all, io, sfab_jobs_background_beside(js, all));
	rc = weigh_steps(ss, spec, &c, most, out, err);
	if (c.beside)
		clear_around(ss, all);
	*work += ss->work - before;
	if (rc)
		return rc;
	if (ss->m->by_steps == SFAB_MPI_BOTH)
		add_step_excess(out);
	else
		take_worse(out);
	return 0;
}
