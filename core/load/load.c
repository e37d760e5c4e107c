/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load.c - sparse loads over resources; see load.h */

#include "core/load/load.h"

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
 * Clear v[] by the list of touched resources: a search clears thousands of times, and most
 * loads touch few of them.  The count of additions goes on.
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
