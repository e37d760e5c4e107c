/* SPDX-License-Identifier: GPL-2.0-or-later */
/* play_stream.c - a stream of jobs on a machine held at one utilization */

#include "core/search/play_stream.h"
#include "core/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POWERS 0.5		/* part of the sizes that is a power of two */
#define JUDGED 8		/* running jobs whose loss is counted when a job starts */

struct player_job {
	uint64_t id;
	uint32_t n, *host;
};

struct stream_play {
	const struct sfab_stream *s;
	struct sfab_scorer *sc;
	struct sfab_jobs *js;
	struct sfab_phases *phases;
	uint64_t random, id;
	uint8_t *avail;			/* by host */
	uint32_t nhosts, used;		/* compute hosts */
	struct player_job *job;
	uint32_t njobs;
	double *background;		/* [nres] load of all jobs but one */
	double nodes;			/* of the jobs whose loss was counted */
	double lost;			/* nodes that these lose */
	struct sfab_arena arena;
};

static struct sfab_job spec_of_job(const struct stream_play *p, uint32_t n, const uint32_t *host)
{
	return (struct sfab_job){ .n = n, .host = host, .traffic = p->s->traffic };
}

/* -- judging -------------------------------------------------------------- */

static int judge_job(struct stream_play *p, const struct player_job *j, struct sfab_err *err)
{
	struct sfab_job job = spec_of_job(p, j->n, j->host);
	struct sfab_lost lost;

	sfab_jobs_background_without(p->js, j->id, p->background);
	if (sfab_phases_lost(p->phases, &job, p->background, &lost, err) < 0)
		return -1;
	p->nodes += j->n;
	p->lost += j->n * lost.time;
	return 0;
}

/* Count the loss of the job that just started, and of some running jobs. */
static int judge_some(struct stream_play *p, struct sfab_err *err)
{
	if (judge_job(p, &p->job[p->njobs - 1], err) < 0)
		return -1;
	for (int i = 1; i < JUDGED; i++)
		if (judge_job(p, &p->job[sfab_random(&p->random) % p->njobs], err) < 0)
			return -1;
	return 0;
}

/* -- the stream ----------------------------------------------------------- */

/* Draw a number of hosts, even by logarithm; a part of them is rounded to powers of two. */
static uint32_t draw_size(struct stream_play *p)
{
	double n = pow(p->s->largest, sfab_random_double(&p->random));

	if (sfab_random_double(&p->random) < POWERS)
		n = exp2(round(log2(n)));
	return (uint32_t) (n + 0.5);
}

static int start_job(struct stream_play *p, uint32_t n, struct sfab_err *err)
{
	struct sfab_request rq = { .n = n, .avail = p->avail, .traffic = p->s->traffic };
	struct player_job *j = &p->job[p->njobs];
	struct sfab_choice c;
	struct sfab_job job;

	if (sfab_search_by(p->sc, p->js, &rq, p->s->policy, &c, err) < 0)
		return -1;
	*j = (struct player_job){ ++p->id, n, c.host };
	c.host = NULL;
	sfab_choice_clear(&c);
	p->njobs++;
	for (uint32_t i = 0; i < n; i++)
		p->avail[j->host[i]] = 0;
	p->used += n;
	job = spec_of_job(p, n, j->host);
	return sfab_jobs_add(p->js, j->id, &job, err);
}

/*
 * Start jobs as the utilization allows, and end any one when it does not.  Losses count once
 * the machine was full for the first time.
 */
static int run_stream(struct stream_play *p, struct sfab_err *err)
{
	double max = p->s->utilization * p->nhosts;
	uint32_t n = draw_size(p), judged = 0;
	int is_full = 0;

	while (judged < p->s->jobs) {
		if (p->used + n <= max) {
			if (start_job(p, n, err) < 0 || (is_full && judge_some(p, err) < 0))
				return -1;
			judged += (uint32_t) is_full;
			n = draw_size(p);
		} else if (p->njobs) {
			struct player_job *j = &p->job[sfab_random(&p->random) % p->njobs];

			is_full = 1;
			sfab_jobs_remove(p->js, j->id);
			for (uint32_t i = 0; i < j->n; i++)
				p->avail[j->host[i]] = 1;
			p->used -= j->n;
			free(j->host);
			*j = p->job[--p->njobs];
		} else {
			n = draw_size(p);
		}
	}
	return 0;
}

/* -- the machine ---------------------------------------------------------- */

static int open_play(struct stream_play *p, struct sfab_err *err)
{
	const struct sfab_units *leaves = &p->sc->unit[SFAB_UNIT_LEAF];
	const struct sfab_fabric *f = p->sc->m->f;
	uint32_t max = p->s->hosts ? p->s->hosts : f->nhosts;

	p->js = sfab_jobs_create(p->sc->m);
	p->phases = sfab_phases_create(p->sc->m);
	p->avail = sfab_arena_take(&p->arena, f->nhosts, 1);
	p->job = sfab_arena_take(&p->arena, f->nhosts + 1u, sizeof(*p->job));
	p->background = sfab_arena_take(&p->arena, p->sc->m->nres, sizeof(*p->background));
	if (!p->js || !p->phases || p->arena.failed)
		return sfab_no_memory(err);
	/* Whole leaves, until there are enough hosts. */
	for (uint32_t l = 0; l < leaves->n && p->nhosts < max; l++)
		for (uint32_t k = leaves->first[l]; k < leaves->first[l + 1]; k++) {
			p->avail[leaves->host[k]] = 1;
			p->nhosts++;
		}
	return 0;
}

int sfab_play_stream(struct sfab_scorer *sc, const struct sfab_stream *s, double *loss,
		     struct sfab_err *err)
{
	struct stream_play p = { .s = s, .sc = sc, .random = s->seed };
	struct sfab_packing old_packing = sc->packing;
	int rc = open_play(&p, err);

	sc->packing = s->packing;
	if (rc == 0 && s->largest > s->utilization * p.nhosts)
		rc = sfab_fail(err, SFAB_EINVAL, "a job of %u hosts is too large for a "
			       "stream on %u", s->largest, p.nhosts);
	if (rc == 0)
		rc = run_stream(&p, err);
	sc->packing = old_packing;
	for (uint32_t i = 0; i < p.njobs; i++)
		free(p.job[i].host);
	sfab_phases_destroy(p.phases);
	sfab_jobs_destroy(p.js);
	sfab_arena_free(&p.arena);
	if (rc == 0)
		*loss = p.lost / p.nodes;
	return rc;
}

/* -- which packing --------------------------------------------------------- */

#define UTILIZATION 0.9
#define SEEDS 2
#define JOBS 50			/* of each stream */
#define PART 5			/* the largest job has 1 in so many hosts */
#define LARGEST 128u		/* hosts of a job at most, on any machine */

#define EQUAL 1.05		/* losses that differ by less are the same: so much two streams
				   differ from two others (make bench-packing) */

/* Prices by make bench-packing: flat from 0.5 to 1, and from 0.5 to 2. */
const struct sfab_packing_trial sfab_packing_trials[SFAB_PACKINGS] = {
	{ "leaves", { SFAB_UNIT_LEAF, 1, 0, 0 }, 0, 0 },
	{ "columns", { SFAB_UNIT_COLUMN, 1, 0, 0 }, 0, 0 },
	{ "links", { SFAB_UNIT_LEAF, 1, 1, 0 }, 0, 0 },
	{ "none", { SFAB_UNIT_LEAF, 0, 0, 0 }, 0, 0 },
};

const double sfab_packings_rules[10] = {
	UTILIZATION, SEEDS, JOBS, PART, LARGEST, EQUAL, POWERS, JUDGED,
	SFAB_PACKING_HOSTS, SFAB_PACKING_MIN,
};

static int play_seeds(struct sfab_scorer *sc, struct sfab_stream *s, double *loss,
		      struct sfab_err *err)
{
	double played;

	*loss = 0;
	for (s->seed = 1; s->seed <= SEEDS; s->seed++) {
		if (sfab_play_stream(sc, s, &played, err) < 0)
			return -1;
		*loss += played / SEEDS;
	}
	return 0;
}

static int play_trials(struct sfab_scorer *sc, struct sfab_stream *s,
		       struct sfab_packings *out, struct sfab_err *err)
{
	static const uint8_t careful[SFAB_PACKINGS] = { 2, 0, 1, 3 };	/* links, leaves ... */
	const uint8_t *best = careful;
	double min = INFINITY;

	s->policy = SFAB_POLICY_TREE;
	if (play_seeds(sc, s, &out->tree, err) < 0)
		return -1;
	s->policy = SFAB_POLICY_SFABRIC;
	for (uint32_t i = 0; i < SFAB_PACKINGS; i++) {
		struct sfab_packing_trial *t = &out->trial[i];

		if (t->packing.unit == SFAB_UNIT_COLUMN && !sc->grid->ncolumns)
			continue;
		s->packing = t->packing;
		s->packing.max_leaves = sc->packing.max_leaves;
		if (play_seeds(sc, s, &t->loss, err) < 0)
			return -1;
		t->is_played = 1;
		min = fmin(min, t->loss);
	}
	/*
	 * Of packings that lose hardly more than the best, choose the one nearest to
	 * topology/tree.
	 */
	while (!out->trial[*best].is_played || out->trial[*best].loss > EQUAL * min)
		best++;
	out->best = *best;
	return 0;
}

int sfab_packings_play(struct sfab_scorer *sc, const struct sfab_traffic *traffic,
		       struct sfab_packings *out, struct sfab_err *err)
{
	const struct sfab_units *leaves = &sc->unit[SFAB_UNIT_LEAF];
	uint32_t hosts = leaves->first[leaves->n], set;
	struct sfab_traffic t = { 0 };	/* the parts that the fabric knows */
	struct sfab_stream s = { .hosts = SFAB_PACKING_HOSTS, .utilization = UTILIZATION,
				 .jobs = JOBS, .traffic = &t };

	memset(out, 0, sizeof(*out));
	memcpy(out->trial, sfab_packing_trials, sizeof(out->trial));
	for (uint32_t i = 0; i < traffic->nparts; i++)
		if (!sfab_class_is_io(traffic->part[i].class) ||
		    sfab_model_find_set(sc->m, &traffic->part[i], &set, NULL) == 0)
			t.part[t.nparts++] = traffic->part[i];
	if (hosts < SFAB_PACKING_MIN || !t.nparts)
		return 0;
	hosts = hosts < SFAB_PACKING_HOSTS ? hosts : SFAB_PACKING_HOSTS;
	s.largest = hosts / PART < LARGEST ? hosts / PART : LARGEST;
	return play_trials(sc, &s, out, err);
}
