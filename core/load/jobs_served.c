/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs_served.c - what passes of the running jobs' IO, alone and with one more
 * job, and the congestion trees that it makes
 *
 * Parts are computed when they are asked for and not at each start and end
 * (is_stale): a burst of starts then costs one pass.
 */

#include "core/load/jobs_private.h"

/* Kind of use @i. */
static uint32_t kind_of_use(const struct job *j, uint32_t i)
{
	const struct job_part *p = j->part;

	while (i >= p->end)
		p++;
	return p->kind;
}

double sfab_jobs_passing(const struct sfab_jobs *js, const struct job *j, uint32_t i)
{
	uint32_t kind = kind_of_use(j, i);

	return kind == SFAB_NONE ? j->use[i].x : js->served.part[kind] * j->use[i].x;
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

const double *sfab_jobs_background_beside(struct sfab_jobs *js,
					  const struct sfab_load *where)
{
	const struct served *s = &js->served;

	if (!s->differs)
		return js->background;
	for (uint32_t i = 0; i < where->ntouched; i++) {
		uint32_t e = where->touched[i];

		js->beside[e] = js->total[e] - served_lost(s, s->beside, e);
	}
	return js->beside;
}

int sfab_jobs_in_tree(struct sfab_jobs *js, uint32_t link)
{
	sfab_jobs_settle_parts(js);
	return served_in_tree(&js->served, js->served.over, link);
}

/* Kinds that have trees, with one more job if there is one; NULL: none. */
static const uint8_t *trees_beside(const struct sfab_jobs *js)
{
	const struct served *s = &js->served;
	const uint8_t *over = s->differs ? s->over_beside : s->over;

	for (uint32_t i = 0; i < s->nactive; i++)
		if (over[s->active[i]])
			return over;
	return NULL;
}

double sfab_jobs_tree_share(const struct sfab_jobs *js, const struct sfab_load *net)
{
	const uint8_t *over = trees_beside(js);
	double in = 0, sum = 0;

	for (uint32_t i = 0; over && i < net->ntouched; i++) {
		uint32_t e = net->touched[i];

		if (!js->m->isl[e])
			continue;
		sum += net->v[e];
		if (served_in_tree(&js->served, over, e))
			in += net->v[e];
	}
	return sum > 0 ? in / sum : 0;
}

int sfab_jobs_fills(const struct sfab_jobs *js, const struct sfab_load *io,
		    uint32_t set)
{
	return sfab_served_fills(js->m, js->total, io, set);
}

/* Use @i as a part of the job's non-IO traffic between switches, 0 for IO. */
static double share_of_use(const struct job *j, uint32_t i)
{
	int is_net = j->part[0].kind == SFAB_NONE && i < j->part[0].end;

	return is_net && j->net_isl > 0 ? j->use[i].x / j->net_isl : 0;
}

double sfab_jobs_trees(const struct sfab_jobs *js, const struct sfab_load *writes)
{
	const uint8_t *over = trees_beside(js);
	double sum = 0;

	for (uint32_t i = 0; i < writes->ntouched; i++) {
		uint32_t e = writes->touched[i];
		const struct on_list *l = &js->list[e];

		if (!js->m->isl[e] ||
		    (over && served_in_tree(&js->served, over, e)))
			continue;
		for (uint32_t k = 0; k < l->n; k++)
			sum += share_of_use(js->felt[l->on[k].slot].job, l->on[k].use);
	}
	return sum;
}
