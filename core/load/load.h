/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load.h - a sparse load by resource (model.h)
 *
 * Most loads touch few resources, so they are cleared and read by the list of touched ones.
 */
#ifndef SFAB_LOAD_H
#define SFAB_LOAD_H

#include <stdint.h>

struct sfab_load {
	double *v;			/* [nres] bytes/s; 0 except for touched resources */
	uint32_t *touched, ntouched;	/* in the order in which they were touched */
	uint32_t nres;
	uint64_t adds;			/* additions so far: the unit of search steps */
};

/* Allocate a load of zero on @nres resources.  -1: out of memory. */
int sfab_load_init(struct sfab_load *l, uint32_t nres);
/* Set the load back to zero.  O(touched). */
void sfab_load_clear(struct sfab_load *l);
void sfab_load_free(struct sfab_load *l);

/* Add @x bytes/s.  The sum must not become 0 again: the resource would then be listed twice. */
static inline void sfab_load_add(struct sfab_load *l, uint32_t res, double x)
{
	if (l->v[res] == 0.0 && x != 0.0)
		l->touched[l->ntouched++] = res;
	l->v[res] += x;
	l->adds++;
}

#endif
