/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs_lost.c - what the running jobs lose to one more
 *
 * Steps of a running job are not walked again.  Its mean load at full rate is p of the
 * capacity of a link, so about the part p of its steps has a flow there.  Each such step
 * gets longer by what the new job adds to the link, b of its capacity.  All its steps
 * together get longer by at most the sum of p b over the links, and at most by the
 * largest b.  IO is one phase: it waits for its worst link, with and without the new job.
 */

#include "core/load/jobs_private.h"

#include <math.h>

#define NOTHING 1e-4		/* of a link's capacity: less is not worth a visit */
#define IN_TREE 3.0		/* traffic that waits in a tree keeps a quarter of its rate
				   (../doc/model.md) */

/* S of an IO phase at link of use @i, as it is now. */
static double io_phase_at(const struct sfab_jobs *js, const struct job *j,
			  const struct job_part *p, uint32_t i)
{
	uint32_t e = j->use[i].res;
	double others = js->background[e] - js->served.part[p->kind] * j->use[i].x;

	return part_at_full_rate(js, p, e, j->use[i].x) +
	       (others > 0 ? others : 0) * js->m->inv_cap[e];
}

/*
 * The same over all its links, at least 1; kept until a load changes.  It is no visit: a
 * search has the same steps whether it is kept or not.
 */
static double io_phase_now(struct sfab_jobs *js, struct felt *f, uint32_t part)
{
	const struct job *j = f->job;
	const struct job_part *p = &j->part[part];
	double top = 1;

	if (f->io_known[part] == js->changes)
		return f->io_now[part];
	for (uint32_t i = part ? j->part[part - 1].end : 0; i < p->end; i++)
		if (js->m->isl[j->use[i].res])
			top = fmax(top, io_phase_at(js, j, p, i));
	f->io_known[part] = js->changes;
	f->io_now[part] = top;
	return top;
}

/* Link @e gets @b more. */
static void add_to_uses(struct sfab_jobs *js, const struct on_list *l, uint32_t e, double b,
			uint32_t *nmet)
{
	js->visits += l->n;
	for (uint32_t k = 0; k < l->n; k++) {
		uint32_t slot = l->on[k].slot, use = l->on[k].use, part = 0;
		struct felt *f = &js->felt[slot];
		const struct job *j = f->job;
		const struct job_part *p;

		while (use >= j->part[part].end)
			part++;
		p = &j->part[part];
		if (!(p->share > 0))
			continue;
		if (f->seen != js->serial) {	/* it is met for the first time */
			f->seen = js->serial;
			f->most = f->sum = 0;
			for (uint32_t i = 0; i < j->nparts; i++)
				f->io_with[i] = 0;
			js->met[(*nmet)++] = slot;
		}
		if (p->kind == SFAB_NONE) {
			f->most = b > f->most ? b : f->most;
			f->sum += b * part_at_full_rate(js, p, e, j->use[use].x);
		} else {
			double x = b + io_phase_at(js, j, p, use);

			f->io_with[part] = x > f->io_with[part] ? x : f->io_with[part];
		}
	}
}

double sfab_jobs_lost_to(struct sfab_jobs *js, const struct sfab_load *add)
{
	uint32_t nmet = 0;
	double sum = 0;

	sfab_jobs_settle_parts(js);
	js->serial++;
	for (uint32_t i = 0; i < add->ntouched; i++) {
		uint32_t e = add->touched[i];
		double b = add->v[e] * js->m->inv_cap[e];

		if (!js->m->isl[e] || !(b > NOTHING))
			continue;
		add_to_uses(js, &js->list[e], e, b, &nmet);
		if (b + js->background[e] * js->m->inv_cap[e] > 1 - JOBS_WEAK)
			add_to_uses(js, &js->list[js->m->nres + e], e, b, &nmet);
	}
	for (uint32_t i = 0; i < nmet; i++) {
		struct felt *f = &js->felt[js->met[i]];
		double lost = 0;	/* of the time of that job */

		for (uint32_t p = 0; p < f->job->nparts; p++) {
			const struct job_part *part = &f->job->part[p];

			if (part->kind == SFAB_NONE)
				lost += part->share * fmin(f->most, f->sum);
			else if (f->io_with[p] > 1)
				lost += part->share *
					fmax(f->io_with[p] - io_phase_now(js, f, p), 0);
		}
		sum += f->job->n * lost;
	}
	return sum;
}

/* -- trees ---------------------------------------------------------------- */

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

double sfab_jobs_lost_in_trees(const struct sfab_jobs *js, const struct sfab_load *net)
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
	return sum > 0 ? IN_TREE * in / sum : 0;
}

double sfab_jobs_lost_to_tree(const struct sfab_jobs *js, const struct sfab_load *writes)
{
	const uint8_t *over = trees_beside(js);
	double sum = 0;

	for (uint32_t i = 0; i < writes->ntouched; i++) {
		uint32_t e = writes->touched[i];
		const struct on_list *l = &js->list[e];

		if (!js->m->isl[e] ||
		    (over && served_in_tree(&js->served, over, e)))
			continue;
		/* The link joins a tree: those that send no IO there wait. */
		for (uint32_t k = 0; k < l->n; k++) {
			const struct job *j = js->felt[l->on[k].slot].job;
			uint32_t use = l->on[k].use;

			if (j->part[0].kind == SFAB_NONE && use < j->part[0].end &&
			    j->net_isl > 0)
				sum += j->n * j->part[0].share * IN_TREE * j->use[use].x /
				       j->net_isl;
		}
	}
	return sum;
}

double sfab_jobs_exposed(const struct sfab_jobs *js)
{
	return js->nlinks ? js->exposed / JOBS_EXPOSED / js->nlinks : 0;
}

uint64_t sfab_jobs_visits(const struct sfab_jobs *js)
{
	return js->visits;
}
