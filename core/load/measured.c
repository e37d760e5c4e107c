/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measured.c - measured load minus what the jobs explain; see measured.h */

#include "core/load/measured.h"

#include <math.h>
#include <stdlib.h>

#include "core/load/jobs_private.h"

struct sfab_measured *sfab_measured_create(const struct sfab_fabric *f)
{
	struct sfab_measured *ms = calloc(1, sizeof(*ms));

	if (!ms)
		return NULL;
	ms->f = f;
	/* seconds; whoever fills in the samples sets their own half-life */
	ms->half_life_s = 60;
	ms->rate = sfab_arena_take(&ms->arena, f->nlinks, sizeof(*ms->rate));
	ms->wait = sfab_arena_take(&ms->arena, f->nlinks, sizeof(*ms->wait));
	ms->time_s = sfab_arena_take(&ms->arena, f->nlinks, sizeof(*ms->time_s));
	if (ms->arena.failed) {
		sfab_measured_destroy(ms);
		return NULL;
	}
	for (uint32_t e = 0; e < f->nlinks; e++)
		ms->rate[e] = ms->wait[e] = -1;
	return ms;
}

void sfab_measured_destroy(struct sfab_measured *ms)
{
	if (!ms)
		return;
	sfab_arena_free(&ms->arena);
	free(ms);
}

const char *sfab_bottleneck_name(enum sfab_bottleneck b)
{
	static const char *const name[] = { "none", "host", "fabric" };

	return b <= SFAB_BOTTLENECK_FABRIC ? name[b] : "?";
}

static int is_link_full(const struct sfab_measured *ms, uint32_t link)
{
	return ms->wait[link] >= SFAB_FULL_WAIT ||
	       ms->rate[link] >= SFAB_FULL_RATE * ms->f->links[link].capacity;
}

enum sfab_bottleneck sfab_measured_bottleneck(const struct sfab_measured *ms,
					      uint32_t link)
{
	const struct sfab_link *l = &ms->f->links[link];
	const struct sfab_switch *sw;

	if (!is_link_full(ms, link))
		return SFAB_BOTTLENECK_NONE;
	if (l->kind == SFAB_LINK_ISL)
		return SFAB_BOTTLENECK_FABRIC;
	if (l->kind != SFAB_LINK_INJECT)
		return SFAB_BOTTLENECK_HOST;
	/* Does it lead to a hot link between switches? */
	sw = &ms->f->switches[l->to];
	for (uint32_t p = 1; p <= sw->nports; p++)
		if (sw->out[p] != SFAB_NONE &&
		    ms->f->links[sw->out[p]].kind == SFAB_LINK_ISL && is_link_full(ms, sw->out[p]))
			return SFAB_BOTTLENECK_FABRIC;
	return SFAB_BOTTLENECK_HOST;
}

double sfab_measured_weight(const struct sfab_measured *ms, uint64_t time_s,
			    uint64_t now_s)
{
	uint64_t age = now_s > time_s ? now_s - time_s : 0;
	double steps;

	if (age <= SFAB_MEASURED_FRESH_S)
		return 1;
	steps = ceil((double) (age - SFAB_MEASURED_FRESH_S) / ms->half_life_s);
	return steps <= SFAB_MEASURED_STEPS ? exp2(-steps) : 0;
}

uint64_t sfab_measured_next_change(const struct sfab_measured *ms, uint64_t now_s)
{
	uint64_t next = UINT64_MAX, last = 0, half = (uint64_t) ms->half_life_s;

	for (uint32_t e = 0; e < ms->f->nlinks; e++) {
		uint64_t t = ms->time_s[e], step = t + SFAB_MEASURED_FRESH_S;

		/* Links of one sweep follow each other and have the same time. */
		if (!t || t == last || sfab_measured_weight(ms, t, now_s) == 0)
			continue;
		last = t;
		/* The weight of a sample drops in the first second after a step. */
		if (now_s > step)
			step += (now_s - step + half - 1) / half * half;
		if (step + 1 < next)
			next = step + 1;
	}
	return next;
}

uint64_t sfab_measured_forgotten_before(double half_life_s, uint64_t now_s)
{
	uint64_t memory_s = (uint64_t) (SFAB_MEASURED_STEPS * half_life_s);

	return now_s > memory_s ? now_s - memory_s : 0;
}

/* Return 2^-(time since @s / H) at time @t, 1 before @s. */
static double forgotten_share(const struct sfab_measured *ms, uint64_t t,
			      uint64_t s)
{
	return t > s ? exp2(-(double) (t - s) / ms->half_life_s) : 1;
}

/* Return the part of the job's load that a mean at time @t includes. */
static double part_in_mean(const struct sfab_measured *ms, const struct loaded_job *j,
			   uint64_t t)
{
	double began = j->start_s ? forgotten_share(ms, t, j->start_s) : 0;
	double ended = j->end_s ? forgotten_share(ms, t, j->end_s) : 1;

	return ended > began ? ended - began : 0;
}

/* Add what one job explains to js->unexplained, by link. */
static void explain_job_load(const struct sfab_measured *ms,
			     struct sfab_jobs *js, const struct loaded_job *j)
{
	uint64_t t = 0;
	double p = part_in_mean(ms, j, t);

	if (j->suspended)
		return;
	for (uint32_t i = 0; i < j->nuses; i++) {
		uint32_t e = j->use[i].res;

		if (e >= ms->f->nlinks)
			continue;
		if (ms->time_s[e] != t) {	/* most links share one sample time */
			t = ms->time_s[e];
			p = part_in_mean(ms, j, t);
		}
		js->unexplained[e] += floor(p * sfab_jobs_served_rate(js, &j->use[i]) + 0.5);
	}
}

/* Turn the explained load of a link into the unexplained one, in whole bytes/s. */
static void set_unexplained(const struct sfab_measured *ms,
			    struct sfab_jobs *js, uint32_t e, uint64_t now_s)
{
	double weight = sfab_measured_weight(ms, ms->time_s[e], now_s);
	double rest = ms->rate[e] - js->unexplained[e];

	/* Negative differences become 0, too: these are jobs that send less than they ask for. */
	if (rest < SFAB_MEASURED_NOISE * ms->f->links[e].capacity)
		rest = 0;
	js->unexplained[e] = floor(weight * rest + 0.5);
	js->wait_share[e] = 0;
	if (ms->wait[e] > 0 &&
	    sfab_measured_bottleneck(ms, e) != SFAB_BOTTLENECK_HOST)
		js->wait_share[e] = weight * ms->wait[e];
}

void sfab_measured_apply(const struct sfab_measured *ms, struct sfab_jobs *js,
			 uint64_t now_s)
{
	const struct sfab_model *m = js->m;
	double *unexplained = js->unexplained;
	struct loaded_job *j, *next;

	/* js->unexplained first collects what the jobs explain, starting from 0. */
	sfab_jobs_set_measured(js, NULL, NULL);
	if (!ms)
		return;
	HASH_ITER(hh, js->jobs, j, next)
		explain_job_load(ms, js, j);
	for (j = js->ended; j; j = j->next_ended)
		explain_job_load(ms, js, j);
	for (uint32_t e = 0; e < ms->f->nlinks; e++)
		set_unexplained(ms, js, e, now_s);
	/* A server carries what its port carries. */
	for (uint32_t i = 0; m->io && i < m->io->nioports; i++) {
		const struct sfab_port *p = &m->f->ports[m->io->ioport[i]];

		if (p->inject != SFAB_NONE)
			unexplained[m->f->nlinks + i] += unexplained[p->inject];
		if (p->eject != SFAB_NONE)
			unexplained[m->f->nlinks + i] += unexplained[p->eject];
	}
	sfab_jobs_update_totals(js);
}
