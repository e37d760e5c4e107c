/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * served.c - the part of the running jobs' IO that the servers let through; see jobs_private.h
 *
 * A server that is asked for more than it can do slows its clients down: they send less than
 * they ask for.  Let X be the total demand on an IO port and C what it can do (its server, and
 * the link of its port).  It lets min(1, C/X) through.  Jobs' IO is summed by kind: reads or
 * writes of one set.  The part of a kind that passes is the mean over its ports, weighted by
 * the demand on each.  A client spreads its IO evenly, so all ports of a set without groups let
 * the same part through, and that is the part of each flow.
 *
 * If the servers of a set hold data back in the fabric (sfab_ioset.holds_writes), writes to an
 * overloaded port fill the buffers of all links on their way: these are congested (a congestion
 * tree).
 */

#include "core/load/jobs_private.h"

/* Return X/C of @res.  @io is the demand of one more job, or NULL. */
static double resource_fullness(const struct sfab_jobs *js, const struct sfab_load *io,
				uint32_t res)
{
	return (js->total[res] + (io ? io->v[res] : 0)) * js->m->inv_cap[res];
}

/*
 * Return X/C of IO port @i: the larger of its server and of the link of its port in the
 * direction of the data.
 */
static double port_fullness(const struct sfab_jobs *js, const struct sfab_load *io,
			    uint32_t i, int is_read)
{
	const struct sfab_model *m = js->m;
	const struct sfab_port *p = &m->f->ports[m->io->ioport[i]];
	uint32_t link = is_read ? p->inject : p->eject;
	double x = resource_fullness(js, io, m->f->nlinks + i), y = 0;

	if (link != SFAB_NONE)
		y = resource_fullness(js, io, link);
	return x > y ? x : y;
}

/*
 * Set @out to what passes of each kind beside one more job that asks for @io (NULL: none).
 * Kinds that no job ever asked for are skipped: most sets are idle most of the time.
 */
static void find_served(const struct sfab_jobs *js, const struct sfab_load *io,
			struct io_served *out)
{
	for (uint32_t kind = 0; kind < js->nkinds; kind++) {
		const struct sfab_ioset *set = &js->m->io->set[kind / 2];
		int is_read = kind % 2;
		double asked = 0, passed = 0;

		out[kind].is_overloaded = 0;
		for (uint32_t i = 0; js->kind_demand[kind] && i < set->nmembers; i++) {
			double x = js->kind_demand[kind][js->m->f->nlinks + set->member[i]];
			double full;

			if (!(x > 0))
				continue;
			full = port_fullness(js, io, set->member[i], is_read);
			asked += x;
			passed += full > 1 ? x / full : x;
			out[kind].is_overloaded |= set->holds_writes && !is_read &&
						   full > 1 / SERVED_ALL;
		}
		out[kind].ratio = passed < asked * SERVED_ALL ? passed / asked : 1;
	}
}

int sfab_jobs_update_served(struct sfab_jobs *js)
{
	int changed = 0;

	js->is_stale = js->served_differs = 0;
	find_served(js, NULL, js->served_assumed);
	for (uint32_t k = 0; k < js->nkinds; k++) {
		changed |= js->served[k].ratio != js->served_assumed[k].ratio;
		js->served[k] = js->served_assumed[k];
	}
	return changed;
}

void sfab_jobs_settle_served(struct sfab_jobs *js)
{
	/*
	 * If no part changed the backgrounds are still right, and the pass over all resources
	 * is saved.
	 */
	if (js->is_stale && sfab_jobs_update_served(js))
		sfab_jobs_update_totals(js);
}

double sfab_jobs_assume(struct sfab_jobs *js, const struct sfab_load *io)
{
	const struct sfab_model *m = js->m;
	double asked = 0, passed = 0;

	sfab_jobs_settle_served(js);
	js->served_differs = 0;
	if (!io->ntouched)
		return 1;
	find_served(js, io, js->served_assumed);
	for (uint32_t k = 0; k < js->nkinds && !js->served_differs; k++)
		js->served_differs =
			js->served[k].ratio != js->served_assumed[k].ratio ||
			js->served[k].is_overloaded != js->served_assumed[k].is_overloaded;
	for (uint32_t i = 0; m->io && i < m->io->nioports; i++) {
		const struct sfab_port *p = &m->f->ports[m->io->ioport[i]];
		double x = io->v[m->f->nlinks + i], full;

		if (!(x > 0))
			continue;
		/*
		 * The load does not say its direction: a load on the port's inject link means
		 * that it is read.
		 */
		full = port_fullness(js, io, i, p->inject != SFAB_NONE && io->v[p->inject] > 0);
		asked += x;
		passed += full > 1 ? x / full : x;
	}
	return passed < asked * SERVED_ALL ? passed / asked : 1;
}

int sfab_jobs_overload_set(const struct sfab_jobs *js, const struct sfab_load *io,
			   uint32_t set)
{
	const struct sfab_ioset *s = &js->m->io->set[set];

	for (uint32_t i = 0; i < s->nmembers; i++)
		if (io->v[js->m->f->nlinks + s->member[i]] > 0 &&
		    port_fullness(js, io, s->member[i], 0) > 1 / SERVED_ALL)
			return 1;
	return 0;
}

double sfab_jobs_served_rate(const struct sfab_jobs *js, const struct job_use *u)
{
	return u->part->kind == SFAB_NONE ? u->rate : js->served[u->part->kind].ratio * u->rate;
}
