/* SPDX-License-Identifier: GPL-2.0-or-later */
/* followed.c - how much of what links carry the tables explain; see followed.h */

#include "core/estimate/followed.h"

#include <math.h>

#define ERRORS 2.0		/* of a rate, which are no traffic */
#define IDLE 0.001		/* of the capacity: management, and heartbeats */

double sfab_followed(const struct sfab_model *m, const double *rate, const double *fit,
		     const double *error)
{
	double sum = 0, strange = 0, able = 0;

	for (uint32_t e = 0; e < m->f->nlinks; e++) {
		if (!m->isl[e] || !(rate[e] >= 0))
			continue;
		sum += rate[e];
		strange += fmax(rate[e] - fit[e] - ERRORS * error[e], 0);
		able += m->f->links[e].capacity;
	}
	return sum > IDLE * able ? 1 - strange / sum : -1;
}
