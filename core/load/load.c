/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load.c - sparse loads over resources, and the slowdown that they cause */

#include "core/load/model.h"

#include <stdlib.h>
#include <string.h>

int sfab_load_init(struct sfab_load *l, uint32_t nres)
{
	l->nres = nres;
	l->ntouched = 0;
	l->adds = 0;
	l->v = calloc(nres + 1u, sizeof(*l->v));
	l->touched = calloc(nres + 1u, sizeof(*l->touched));
	if (l->v && l->touched)
		return 0;
	sfab_load_free(l);
	return -1;
}

/*
 * v[] is cleared by the list of touched resources: a search clears thousands of
 * times, and most loads touch few of them. adds keeps counting.
 */
void sfab_load_clear(struct sfab_load *l)
{
	for (uint32_t i = 0; i < l->ntouched; i++)
		l->v[l->touched[i]] = 0.0;
	l->ntouched = 0;
}

void sfab_load_free(struct sfab_load *l)
{
	free(l->v);
	free(l->touched);
	memset(l, 0, sizeof(*l));
}

/*
 * Divided by the end ports: a job that keeps its own ports full by more than they
 * carry is not slowed by the fabric.
 */
double sfab_slowdown(const struct sfab_model *m, const uint32_t *res, uint32_t n,
		     const double *load, const double *more, double *ends)
{
	double top = 1, end_top = 1;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t e = res[i];
		double x = (more ? load[e] + more[e] : load[e]) * m->inv_cap[e];

		if (x > top)
			top = x;
		if (m->end[e] && x > end_top)
			end_top = x;
	}
	*ends = end_top;
	return top / end_top;
}
