/* SPDX-License-Identifier: GPL-2.0-or-later */
/* offered_load.c - weights as parts of time, from mean rates; see offered_load.h */

#include "core/estimate/offered_load.h"

#include <math.h>
#include <stdlib.h>

#include "core/load/demand.h"

struct sfab_offered_load {
	const struct sfab_model *m;
	const double *carried;
	double *others;			/* by resource: load of all jobs but the one asked about */
	struct sfab_load own_load;	/* load of that job */
	struct sfab_phases *phases;
};

struct sfab_offered_load *sfab_offered_load_create(const struct sfab_model *m,
						   const double *carried)
{
	struct sfab_offered_load *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->m = m;
	a->carried = carried;
	a->others = calloc(m->nres + 1u, sizeof(*a->others));
	a->phases = sfab_phases_create(m);
	if (!a->others || !a->phases || sfab_load_init(&a->own_load, m->nres) < 0) {
		sfab_offered_load_destroy(a);
		return NULL;
	}
	for (uint32_t e = 0; e < m->f->nlinks; e++)
		a->others[e] = fmax(carried[e], 0);
	return a;
}

void sfab_offered_load_destroy(struct sfab_offered_load *a)
{
	if (!a)
		return;
	free(a->others);
	sfab_phases_destroy(a->phases);
	sfab_load_free(&a->own_load);
	free(a);
}

/* Set a->others to the load of all jobs less @times the job's own. */
static void subtract_own(struct sfab_offered_load *a, double times)
{
	for (uint32_t i = 0; i < a->own_load.ntouched; i++) {
		uint32_t e = a->own_load.touched[i];

		if (e < a->m->f->nlinks)
			a->others[e] = fmax(a->carried[e] - times * a->own_load.v[e], 0);
	}
}

int sfab_offered_load_find(struct sfab_offered_load *a, const struct sfab_job *passed,
			   struct sfab_traffic *asked, double busy[SFAB_TRAFFIC_PARTS],
			   struct sfab_err *err)
{
	double sum = 0, waits = 0;
	struct sfab_lost lost;
	int rc;

	*asked = *passed->traffic;
	if (!asked->nparts)
		return 0;
	sfab_load_clear(&a->own_load);
	if (sfab_demand(a->m, passed, &a->own_load, err) < 0)
		return -1;
	subtract_own(a, 1);
	rc = sfab_phases_lost(a->phases, passed, a->others, &lost, err);
	subtract_own(a, 0);
	if (rc < 0)
		return -1;
	for (uint32_t i = 0; i < asked->nparts; i++) {
		busy[i] = asked->part[i].share * lost.part[i].best * lost.part[i].beside;
		sum += busy[i];
	}
	for (uint32_t i = 0; i < asked->nparts; i++) {
		busy[i] /= fmax(sum, 1);
		waits += busy[i] * (1 - 1 / lost.part[i].beside);
	}
	for (uint32_t i = 0; i < asked->nparts; i++)	/* waits < 1, as S is finite */
		asked->part[i].share = busy[i] / lost.part[i].beside / (1 - waits);
	return 0;
}
