/* SPDX-License-Identifier: GPL-2.0-or-later */
/* play_stream.c - a stream of jobs on a machine held at one utilization */

#include "core/search/play_stream.h"
#include "core/load/phases.h"
#include "core/random.h"
#include "core/search/rectangles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POWERS 0.5		/* part of the sizes that is a power of two */
#define JUDGED 8		/* running jobs that are judged when one starts */
#define RECTANGLES 4		/* of each width and order of rows */
#define NARROW 8		/* up to this width all are tried, then those that differ
				   in their number of rows */

struct player_job {
	uint64_t id;
	uint32_t n, *host;
};

struct stream_play {
	const struct sfab_model *m;
	const struct sfab_stream *s;
	struct sfab_scorer *sc;
	struct sfab_jobs *js;
	struct sfab_phases *phases;
	struct sfab_class_grid *grid;
	struct sfab_rectangles *rect;	/* NULL: the tables have no classes */
	struct sfab_units unit[SFAB_NUNITS];
	uint64_t random, id;
	uint8_t *avail;			/* by host */
	uint32_t nhosts, nfree;		/* compute hosts */
	struct player_job *job;
	uint32_t njobs;
	double *around;			/* [nres] what the others of a job send */
	uint32_t *pick, *best;		/* [nhosts] */
	double least;			/* of best, in nodes */
	double nodes;			/* that were judged */
	struct sfab_played sum;
};

static int cmp_host_ids(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

	return (x > y) - (x < y);
}

static struct sfab_spec spec_of_job(const struct stream_play *p, uint32_t n, const uint32_t *host)
{
	return (struct sfab_spec){ .n = n, .host = host, .traffic = p->s->traffic };
}

/* -- choosing ------------------------------------------------------------- */

/* Judge the set in p->pick, and keep it if it is the best. */
static int weigh_pick(struct stream_play *p, uint32_t n, struct sfab_err *err)
{
	struct sfab_spec spec = spec_of_job(p, n, p->pick);
	struct sfab_lost lost;
	double cost = p->s->price *
		      sfab_units_broken(&p->unit[p->s->unit], p->pick, n);

	if (cost >= p->least)
		return 0;
	qsort(p->pick, n, sizeof(*p->pick), cmp_host_ids);
	if (sfab_phases_lost(p->phases, &spec, sfab_jobs_background(p->js), &lost, err) < 0)
		return -1;
	cost += n * lost.time;
	if (cost < p->least) {
		memcpy(p->best, p->pick, n * sizeof(*p->best));
		p->least = cost;
	}
	return 0;
}

/* Slurm's, or one of the plain policies, to p->pick. */
static int pick_by_policy(struct stream_play *p, uint32_t n, enum sfab_policy policy,
			  struct sfab_err *err)
{
	struct sfab_request rq = { .n = n, .avail = p->avail, .traffic = p->s->traffic };
	struct sfab_choice c;

	if (sfab_candidate(p->sc, NULL, &rq, policy, &c, err) < 0)
		return -1;
	memcpy(p->pick, c.host, n * sizeof(*p->pick));
	sfab_choice_clear(&c);
	return 0;
}

static int propose_width(struct stream_play *p, uint32_t n, uint32_t width, struct sfab_err *err)
{
	for (uint32_t i = 0; i < RECTANGLES; i++)
		for (int rows = SFAB_ROWS_FULLEST; rows <= SFAB_ROWS_EMPTIEST; rows++)
			if (sfab_rectangles_find(p->rect, n, width, i,
						 (enum sfab_rows) rows, p->pick) &&
			    weigh_pick(p, n, err) < 0)
				return -1;
	return 0;
}

/*
 * Wider ones with the same number of rows leave fewer hosts over, so that the widest
 * of them is the one to try.
 */
static int propose_rectangles(struct stream_play *p, uint32_t n, struct sfab_err *err)
{
	uint32_t columns = p->grid->level[0].ncolumns;

	for (uint32_t width = 1; width <= columns && width <= n; width++)
		if ((width <= NARROW || n / width != n / (width + 1)) &&
		    propose_width(p, n, width, err) < 0)
			return -1;
	return 0;
}

static int propose_packed(struct stream_play *p, uint32_t n, struct sfab_err *err)
{
	static const enum sfab_policy plain[] = { SFAB_POLICY_TREE, SFAB_POLICY_SPREAD };

	p->least = INFINITY;
	for (int i = 0; i < 2; i++)
		if (pick_by_policy(p, n, plain[i], err) < 0 || weigh_pick(p, n, err) < 0)
			return -1;
	for (int i = 0; i < SFAB_NUNITS; i++) {
		sfab_units_set_free(&p->unit[i], p->avail);
		sfab_units_best_fit(&p->unit[i], p->avail, n, p->pick);
		if (weigh_pick(p, n, err) < 0)
			return -1;
	}
	if (!p->rect)
		return 0;
	sfab_rectangles_set_free(p->rect, p->avail);
	return propose_rectangles(p, n, err);
}

/* The hosts of the next job, to p->best. */
static int choose_hosts(struct stream_play *p, uint32_t n, struct sfab_err *err)
{
	if (p->s->player == SFAB_PLAYER_PACKED)
		return propose_packed(p, n, err);
	if (pick_by_policy(p, n, p->s->player == SFAB_PLAYER_TREE ? SFAB_POLICY_TREE :
			   SFAB_POLICY_SPREAD, err) < 0)
		return -1;
	memcpy(p->best, p->pick, n * sizeof(*p->best));
	return 0;
}

/* -- judging -------------------------------------------------------------- */

/* What all but @j send. */
static void set_around_job(struct stream_play *p, const struct player_job *j)
{
	const double *b = sfab_jobs_background(p->js);

	memset(p->around, 0, p->m->nres * sizeof(*p->around));
	sfab_jobs_add_demand(p->js, j->id, p->m->nres, p->around);
	for (uint32_t e = 0; e < p->m->nres; e++)
		p->around[e] = fmax(b[e] - p->around[e], 0);
}

static int judge_job(struct stream_play *p, const struct player_job *j, struct sfab_err *err)
{
	struct sfab_spec spec = spec_of_job(p, j->n, j->host);
	const struct sfab_traffic *t = p->s->traffic;
	struct sfab_lost alone, beside;

	set_around_job(p, j);
	if (sfab_phases_lost(p->phases, &spec, NULL, &alone, err) < 0 ||
	    sfab_phases_lost(p->phases, &spec, p->around, &beside, err) < 0)
		return -1;
	p->nodes += j->n;
	p->sum.loss += j->n * beside.time;
	p->sum.alone += j->n * alone.time;
	for (uint32_t i = 0; i < t->nparts; i++)
		p->sum.part[i] += j->n * t->part[i].share * (beside.part[i] - 1);
	return 0;
}

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

static uint32_t draw_size(struct stream_play *p)
{
	double n = pow(p->s->largest, sfab_uniform(&p->random));

	if (sfab_uniform(&p->random) < POWERS)
		n = exp2(round(log2(n)));
	return (uint32_t) (n + 0.5);
}

static int start_job(struct stream_play *p, uint32_t n, struct sfab_err *err)
{
	struct player_job *j = &p->job[p->njobs];
	struct sfab_spec spec;

	if (choose_hosts(p, n, err) < 0)
		return -1;
	*j = (struct player_job){ ++p->id, n, malloc((n + 1u) * sizeof(*j->host)) };
	if (!j->host)
		return sfab_no_memory(err);
	p->njobs++;
	memcpy(j->host, p->best, n * sizeof(*j->host));
	for (uint32_t i = 0; i < n; i++)
		p->avail[j->host[i]] = 0;
	p->nfree -= n;
	spec = spec_of_job(p, n, j->host);
	return sfab_jobs_add(p->js, j->id, &spec, err);
}

static void end_any_job(struct stream_play *p)
{
	struct player_job *j = &p->job[sfab_random(&p->random) % p->njobs];

	sfab_jobs_remove(p->js, j->id);
	for (uint32_t i = 0; i < j->n; i++)
		p->avail[j->host[i]] = 1;
	p->nfree += j->n;
	free(j->host);
	*j = p->job[--p->njobs];
}

static int run_stream(struct stream_play *p, struct sfab_err *err)
{
	double most = p->s->utilization * p->nhosts;
	uint32_t n = draw_size(p), judged = 0;
	int is_full = 0;

	while (judged < p->s->jobs) {
		if (p->nhosts - p->nfree + n <= most) {
			if (start_job(p, n, err) < 0 || (is_full && judge_some(p, err) < 0))
				return -1;
			judged += (uint32_t) is_full;
			n = draw_size(p);
		} else if (p->njobs) {
			is_full = 1;
			end_any_job(p);
		} else {
			n = draw_size(p);
		}
	}
	return 0;
}

/* -- the machine ---------------------------------------------------------- */

static int open_play(struct stream_play *p, struct sfab_err *err)
{
	const struct sfab_fabric *f = p->m->f;
	struct sfab_units *leaves = &p->unit[SFAB_UNIT_LEAF];

	p->js = sfab_jobs_create(p->m);
	p->phases = sfab_phases_create(p->m);
	p->grid = sfab_class_grid_create(p->m);
	p->avail = calloc(f->nhosts + 1u, 1);
	p->job = calloc(f->nhosts + 1u, sizeof(*p->job));
	p->pick = calloc(f->nhosts + 1u, sizeof(*p->pick));
	p->best = calloc(f->nhosts + 1u, sizeof(*p->best));
	p->around = calloc(p->m->nres + 1u, sizeof(*p->around));
	if (!p->js || !p->phases || !p->grid || !p->avail || !p->job || !p->pick ||
	    !p->best || !p->around)
		return sfab_no_memory(err);
	for (int i = 0; i < SFAB_NUNITS; i++)
		if (sfab_units_init(&p->unit[i], p->m, p->grid, (enum sfab_unit) i) < 0)
			return sfab_no_memory(err);
	if (p->grid->nlevels) {
		p->rect = sfab_rectangles_create(&p->grid->level[0], p->m->host_leaf,
						 f->nhosts);
		if (!p->rect)
			return sfab_no_memory(err);
	}
	for (uint32_t h = 0; h < f->nhosts; h++)
		p->avail[h] = leaves->of[h] != SFAB_NONE;
	p->nhosts = p->nfree = leaves->first[leaves->n];
	return 0;
}

static void close_play(struct stream_play *p)
{
	for (uint32_t i = 0; i < p->njobs; i++)
		free(p->job[i].host);
	for (int i = 0; i < SFAB_NUNITS; i++)
		sfab_units_free(&p->unit[i]);
	sfab_rectangles_destroy(p->rect);
	sfab_class_grid_destroy(p->grid);
	sfab_phases_destroy(p->phases);
	sfab_jobs_destroy(p->js);
	free(p->avail);
	free(p->job);
	free(p->pick);
	free(p->best);
	free(p->around);
}

int sfab_play(const struct sfab_model *m, struct sfab_scorer *sc,
	      const struct sfab_stream *s, struct sfab_played *out, struct sfab_err *err)
{
	struct stream_play p = { .m = m, .s = s, .sc = sc, .random = s->seed };
	int rc = open_play(&p, err);

	if (rc == 0 && s->largest > s->utilization * p.nhosts)
		rc = sfab_fail(err, SFAB_EINVAL, "a job of %u hosts is too large for a "
			       "stream on %u", s->largest, p.nhosts);
	if (rc == 0)
		rc = run_stream(&p, err);
	close_play(&p);
	if (rc < 0)
		return -1;
	*out = p.sum;
	out->loss /= p.nodes;
	out->alone /= p.nodes;
	for (uint32_t i = 0; i < SFAB_TRAFFIC_PARTS; i++)
		out->part[i] /= p.nodes;
	return 0;
}
