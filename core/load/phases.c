/* SPDX-License-Identifier: GPL-2.0-or-later */
/* phases.c - the slowdown of each part of a job's traffic at full rate */

#include "core/load/phases.h"
#include "core/load/demand.h"
#include "core/load/stepper.h"

#include <math.h>
#include <stdlib.h>

#define SAMPLED 40		/* steps of a pattern that are sampled, with SAMPLED_HOSTS hosts */
#define SAMPLED_HOSTS 512	/* a larger job has fewer steps sampled, in proportion */
#define SAMPLED_MIN 24	/* steps of any job: up to 22 powers of two, and others */

struct sfab_phases {
	const struct sfab_model *m;
	struct sfab_stepper *stepper;
	struct sfab_load load;		/* load of one part at full rate */
	struct sfab_collective c;	/* the job that was asked for last */
	int is_taken;			/* 1: the stepper has taken c */
};

struct sfab_phases *sfab_phases_create(const struct sfab_model *m)
{
	struct sfab_phases *ph = calloc(1, sizeof(*ph));

	if (!ph)
		return NULL;
	ph->m = m;
	ph->stepper = sfab_stepper_create(m);
	if (ph->stepper && sfab_load_init(&ph->load, m->nres) == 0)
		return ph;
	sfab_phases_destroy(ph);
	return NULL;
}

void sfab_phases_destroy(struct sfab_phases *ph)
{
	if (!ph)
		return;
	sfab_stepper_destroy(ph->stepper);
	sfab_load_free(&ph->load);
	free(ph);
}

/* -- all at once ---------------------------------------------------------- */

/*
 * Return I of phases.h: E of clients that use all servers alike if clients differ in their
 * servers, else @ends.
 */
static double ends_at_best(const struct sfab_model *m, const struct sfab_load *l,
			   const struct sfab_traffic_part *part, double ends)
{
	const struct sfab_ioset *s;
	double asked = 0, able = 0;
	uint32_t set;

	if (!sfab_class_is_io(part->class) || sfab_model_find_set(m, part, &set, NULL) < 0 ||
	    m->io->set[set].map == SFAB_IOMAP_ALL)
		return ends;
	s = &m->io->set[set];
	for (uint32_t i = 0; i < l->ntouched; i++)
		if (l->touched[i] >= m->f->nlinks)
			asked += l->v[l->touched[i]];
	/* Sum the capacity of all cabled servers, bytes/s. */
	for (uint32_t k = 0; k < s->nmembers; k++) {
		double inv_cap = m->inv_cap[m->f->nlinks + s->member[k]];

		if (m->io_cabled[s->member[k]] && inv_cap > 0)
			able += 1 / inv_cap;
	}
	return able > 0 ? fmin(fmax(asked / able, 1), ends) : ends;
}

struct sfab_phase sfab_phases_at_once(const struct sfab_model *m, const struct sfab_load *l,
				      const struct sfab_traffic_part *part,
				      const double *background)
{
	double ends = 1, alone = 1, beside = 1, best, stretch;

	for (uint32_t i = 0; i < l->ntouched; i++) {
		uint32_t e = l->touched[i];

		if (!m->isl[e] && l->v[e] * m->inv_cap[e] > ends)
			ends = l->v[e] * m->inv_cap[e];
	}
	best = ends_at_best(m, l, part, ends);
	stretch = ends / best;
	for (uint32_t i = 0; i < l->ntouched; i++) {
		uint32_t e = l->touched[i];
		double x = l->v[e] / ends * m->inv_cap[e], b = x;

		if (!m->isl[e])
			continue;
		if (background)
			b += background[e] * m->inv_cap[e];
		alone = x > alone ? x : alone;
		beside = b > beside ? b : beside;
	}
	return (struct sfab_phase){ alone * stretch, beside * stretch, ends, best };
}

/* -- in steps ------------------------------------------------------------- */

int sfab_phases_in_steps(struct sfab_phases *ph, const struct sfab_job *job,
			 const double *background, double max, uint64_t *work,
			 struct sfab_phase *out, struct sfab_err *err)
{
	struct sfab_weighing x = { .max = max };
	double mix[SFAB_NPATTERNS];
	uint32_t sample;
	int rc;

	*out = (struct sfab_phase){ 1, 1, 1, 1 };
	ph->c = (struct sfab_collective){ .n = job->n, .host = job->host,
					  .cpus = job->cpus, .share = 1,
					  .background = background };
	ph->is_taken = 0;
	if (!job->n || sfab_model_is_local(ph->m, job->host, job->n))
		return 0;
	/* The sample is the same for all sets of so many hosts. */
	sample = (uint32_t) ((uint64_t) SAMPLED * SAMPLED_HOSTS / job->n);
	ph->c.max_steps = sample > SFAB_STEPS_MAX ? SFAB_STEPS_MAX :
			   sample > SAMPLED_MIN ? sample : SAMPLED_MIN;
	sfab_traffic_mix(job->traffic, ph->m->mix, mix);
	if (sfab_stepper_take(ph->stepper, &ph->c, err) < 0)
		return -1;
	ph->is_taken = 1;
	rc = sfab_stepper_weigh(ph->stepper, mix, &x, err);
	out->alone = x.alone;
	out->beside = fmax(x.beside, x.alone);
	*work += sfab_stepper_work(ph->stepper);
	return rc;
}

const struct sfab_load *sfab_phases_mean(struct sfab_phases *ph, struct sfab_err *err)
{
	if (!ph->is_taken && sfab_stepper_take(ph->stepper, &ph->c, err) < 0)
		return NULL;
	ph->is_taken = 1;
	return sfab_stepper_at_once(ph->stepper, err);
}

/* -- a job ---------------------------------------------------------------- */

int sfab_phases_lost(struct sfab_phases *ph, const struct sfab_job *job,
		     const double *background, struct sfab_lost *out,
		     struct sfab_err *err)
{
	const struct sfab_traffic *all = job->traffic;
	struct sfab_phase steps = { 0 };
	uint64_t ignore = 0;

	out->alone = out->time = 0;
	for (uint32_t i = 0; i < all->nparts; i++) {
		struct sfab_phase *x = &out->part[i];

		if (all->part[i].class != SFAB_MPI) {
			sfab_load_clear(&ph->load);
			if (sfab_demand_part(ph->m, job, &all->part[i], &ph->load, err) < 0)
				return -1;
			*x = sfab_phases_at_once(ph->m, &ph->load, &all->part[i], background);
		} else {
			if (!(steps.ends > 0) &&
			    sfab_phases_in_steps(ph, job, background, INFINITY, &ignore,
						 &steps, err) < 0)
				return -1;
			*x = steps;
		}
		out->alone += all->part[i].share * (x->alone - 1);
		out->time += all->part[i].share * (x->beside - 1);
	}
	return 0;
}
