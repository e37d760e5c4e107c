/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs_served.c - what passes of the running jobs' IO, alone and with one more job
 *
 * Parts are computed when they are asked for and not at each start and end
 * (is_stale): a burst of starts then costs one pass.
 */

#include "core/load/jobs_private.h"

double sfab_jobs_passing(const struct sfab_jobs *js, const struct use *u)
{
	return u->part->kind == SFAB_NONE ? u->x : js->served.part[u->part->kind] * u->x;
}

void sfab_jobs_settle_parts(struct sfab_jobs *js)
{
	if (!js->is_stale)
		return;
	js->is_stale = 0;
	/*
	 * If no part changed the backgrounds are still right, and the pass over
	 * all resources is saved.
	 */
	if (sfab_served_find(&js->served, js->total))
		sfab_jobs_total(js);
}

double sfab_jobs_beside(struct sfab_jobs *js, const struct sfab_load *io)
{
	sfab_jobs_settle_parts(js);
	return sfab_served_beside(&js->served, js->total, io);
}

int sfab_jobs_fills(const struct sfab_jobs *js, const struct sfab_load *io,
		    uint32_t set)
{
	return sfab_served_fills(js->m, js->total, io, set);
}
