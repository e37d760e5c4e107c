/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs_felt.c - how the running jobs slow each other
 *
 * A job's slowdown is
 *   S = max(1, worst resource) / max(1, worst end port or IO limit)
 * over its own resources, under the load of all jobs.  The two maxima are not
 * updated at each start and end: many jobs share a link, and a burst of starts
 * would update all of them each time.  Instead they are computed on demand, for
 * all jobs together.  Only resources with X/C above 1 matter.  They are visited
 * from the worst down; the first one that a job uses is its maximum.  A few of
 * the worst usually cover most jobs.  Once the lists visited have cost more
 * than the remaining jobs' uses, the remaining jobs are scanned one by one.
 * The total is never more than twice the resources that jobs use, and usually
 * far less.
 */

#include "core/load/jobs_private.h"

static double background_ratio(const struct sfab_jobs *js, uint32_t res)
{
	return js->background[res] * js->m->inv_cap[res];
}

/* -- the worst resources first ------------------------------------------- */

static void sink_hot_link(struct hot *hot, uint32_t n, uint32_t i)
{
	struct hot x = hot[i];

	for (uint32_t k = 2 * i + 1; k < n; k = 2 * i + 1) {
		k += k + 1 < n && hot[k + 1].x > hot[k].x;
		if (!(hot[k].x > x.x))
			break;
		hot[i] = hot[k];
		i = k;
	}
	hot[i] = x;
}

/* Make a heap of the overloaded resources that have jobs. */
static uint32_t find_hot(struct sfab_jobs *js, int which)
{
	uint32_t n = 0;

	for (uint32_t e = 0; e < js->m->nres; e++) {
		double x = background_ratio(js, e);

		/*
		 * S divides by at least 1, so resources at or below capacity
		 * cannot matter.
		 */
		if (x > 1 && js->list[e].n && (which == TOP || js->m->end[e]))
			js->hot[n++] = (struct hot){ x, e };
	}
	for (uint32_t i = n / 2; i > 0; i--)
		sink_hot_link(js->hot, n, i - 1);
	return n;
}

/* -- maxima -------------------------------------------------------------- */

static int is_top_known(const struct sfab_jobs *js, const struct felt *f,
			int which)
{
	return f->known[which] == js->round;
}

/*
 * Set the maximum of the jobs on @res that have none yet; returns the number of
 * their uses.
 */
static uint64_t give_top(struct sfab_jobs *js, const struct hot *hot, int which)
{
	const struct on_list *l = &js->list[hot->res];
	uint64_t uses = 0;

	js->looked += l->n;
	for (uint32_t k = 0; k < l->n; k++) {
		struct felt *f = &js->felt[l->on[k].slot];

		if (is_top_known(js, f, which))
			continue;
		f->known[which] = js->round;
		f->top[which] = hot->x;
		uses += f->job->nuses;
	}
	return uses;
}

/* Scan the jobs without a maximum one by one. */
static void look_at_rest(struct sfab_jobs *js, int which)
{
	for (uint32_t s = 0; s < js->nslots; s++) {
		struct felt *f = &js->felt[s];
		const struct job *j = f->job;

		if (!j || is_top_known(js, f, which))
			continue;
		f->known[which] = js->round;
		f->top[which] = 1;
		js->looked += j->nuses;
		for (uint32_t i = 0; i < j->nuses; i++) {
			double x = background_ratio(js, j->use[i].res);

			if (x > f->top[which] &&
			    (which == TOP || js->m->end[j->use[i].res]))
				f->top[which] = x;
		}
	}
}

static void find_job_tops(struct sfab_jobs *js, int which)
{
	uint32_t n = find_hot(js, which);
	uint64_t left = js->nuses, start = js->looked;

	while (n && left) {
		/*
		 * A scan of the remaining jobs now costs no more than what was
		 * spent.
		 */
		if (js->looked - start > left + js->nslots) {
			look_at_rest(js, which);
			return;
		}
		left -= give_top(js, &js->hot[0], which);
		js->hot[0] = js->hot[--n];
		sink_hot_link(js->hot, n, 0);
	}
}

void sfab_jobs_settle(struct sfab_jobs *js)
{
	sfab_jobs_settle_parts(js);
	if (js->settled)
		return;
	js->round++;
	find_job_tops(js, TOP);
	find_job_tops(js, END_TOP);
	js->settled = 1;
}

static double top_of_job(const struct sfab_jobs *js, const struct felt *f,
			 int which)
{
	return is_top_known(js, f, which) ? f->top[which] : 1;
}

double sfab_jobs_slowdown(struct sfab_jobs *js, uint64_t id)
{
	const struct job *j = sfab_jobs_find(js, id);
	const struct felt *f;

	if (!j || j->suspended)
		return 1.0;
	sfab_jobs_settle(js);
	f = &js->felt[j->slot];
	return top_of_job(js, f, TOP) / top_of_job(js, f, END_TOP);
}
