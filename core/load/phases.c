/* SPDX-License-Identifier: GPL-2.0-or-later */
/* phases.c - the slowdown of each part of a job's traffic at full rate */

#include "core/load/phases.h"
#include "core/load/steps.h"

#include <math.h>
#include <stdlib.h>

struct sfab_phases {
	const struct sfab_model *m;
	struct sfab_stepper *stepper;
	struct sfab_load load;		/* of one part at full rate */
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

/* @part alone, all of the time. */
static struct sfab_traffic only_part(const struct sfab_traffic_part *part)
{
	struct sfab_traffic t = { .nparts = 1, .part[0] = *part };

	t.part[0].share = 1;
	return t;
}

static double most_over_ends(const struct sfab_model *m, const struct sfab_load *l)
{
	double most = 1;

	for (uint32_t i = 0; i < l->ntouched; i++) {
		uint32_t e = l->touched[i];

		if (m->end[e])
			most = fmax(most, l->v[e] * m->inv_cap[e]);
	}
	return most;
}

static double most_between_switches(const struct sfab_model *m, const struct sfab_load *l,
				    double ends, const double *background)
{
	double most = 1;

	for (uint32_t i = 0; i < l->ntouched; i++) {
		uint32_t e = l->touched[i];
		double x = l->v[e] / ends + (background ? background[e] : 0);

		if (m->isl[e])
			most = fmax(most, x * m->inv_cap[e]);
	}
	return most;
}

/* S of traffic that is not sent in steps. */
static int slowdown_at_once(struct sfab_phases *ph, const struct sfab_spec *spec,
			    const double *background, double *out, struct sfab_err *err)
{
	sfab_load_clear(&ph->load);
	if (sfab_demand(ph->m, spec, &ph->load, &ph->load, NULL, err) < 0)
		return -1;
	*out = most_between_switches(ph->m, &ph->load, most_over_ends(ph->m, &ph->load),
				     background);
	return 0;
}

/* S of collectives. */
static int slowdown_in_steps(struct sfab_phases *ph, const struct sfab_spec *spec,
			     const double *background, double *out, struct sfab_err *err)
{
	struct sfab_collective c = { .n = spec->n, .host = spec->host,
				     .cpus = spec->cpus, .share = 1,
				     .background = background };
	double mix[SFAB_NPATTERNS];
	struct sfab_mixed mixed;

	*out = 1;
	if (sfab_model_is_local(ph->m, spec->host, spec->n))
		return 0;
	sfab_traffic_mix(spec->traffic, ph->m->mix, mix);
	if (sfab_stepper_take(ph->stepper, &c, err) < 0 ||
	    sfab_stepper_mixed(ph->stepper, mix, &mixed, err) < 0)
		return -1;
	*out = mixed.mean;
	return 0;
}

int sfab_phases_lost(struct sfab_phases *ph, const struct sfab_spec *spec,
		     const double *background, struct sfab_lost *out,
		     struct sfab_err *err)
{
	const struct sfab_traffic *all = spec->traffic;

	out->time = 0;
	for (uint32_t i = 0; i < all->nparts; i++) {
		struct sfab_traffic one = only_part(&all->part[i]);
		struct sfab_spec part = *spec;
		int rc;

		part.traffic = &one;
		rc = all->part[i].class == SFAB_MPI ?
			slowdown_in_steps(ph, &part, background, &out->part[i], err) :
			slowdown_at_once(ph, &part, background, &out->part[i], err);
		if (rc < 0)
			return -1;
		out->time += all->part[i].share * (out->part[i] - 1);
	}
	return 0;
}
