/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * in_steps.c - jobs of a replay by collectives in steps; see in_steps.h
 *
 * Which links jobs share is counted (njob[]) as jobs start and end, for all jobs.
 * What steps cost is computed for a sample only, when all starts of a time are done.
 */

#include "tools/replay/in_steps.h"

#include <stdlib.h>
#include <string.h>

#include "core/load/phases.h"
#include "core/load/steps.h"
#include "core/random.h"
#include "core/search/order.h"

struct judged_job {
	uint32_t n, *link;	/* links between switches that its mpi crosses */
	uint32_t *rank;		/* its hosts by rank; NULL: not asked for yet */
};

struct step_judge {
	const struct sfab_model *m;
	struct sfab_stepper *sp;
	struct sfab_phases *phases;
	struct judged_order order;
	struct sfab_class_grid *grid;	/* of ranks that are searched, else NULL */
	uint32_t njobs;
	struct judged_job *of;	/* by job, while it runs */
	uint32_t *njob;		/* by resource: jobs that cross it */
	double *others;		/* by resource: what other jobs send */
	struct sfab_load load;	/* scratch */
};

const char *judged_ranks_name(enum judged_ranks ranks)
{
	static const char name[NJUDGED_RANKS][8] = {
		[JUDGED_BY_NAME] = "name",
		[JUDGED_BY_LEAF] = "leaf",
		[JUDGED_AS_FOUND] = "found",
		[JUDGED_AT_RANDOM] = "random",
	};

	return name[ranks];
}

static int is_order_searched(const struct step_judge *g)
{
	return g->order.ranks == JUDGED_BY_LEAF || g->order.ranks == JUDGED_AS_FOUND;
}

struct step_judge *step_judge_create(const struct sfab_model *m, uint32_t njobs,
				     struct judged_order order)
{
	struct step_judge *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->m = m;
	g->njobs = njobs;
	g->order = order;
	g->sp = sfab_stepper_create(m);
	g->phases = sfab_phases_create(m);
	if (is_order_searched(g))
		g->grid = sfab_class_grid_create(m);
	g->of = calloc(njobs + 1u, sizeof(*g->of));
	g->njob = calloc(m->nres + 1u, sizeof(*g->njob));
	g->others = calloc(m->nres + 1u, sizeof(*g->others));
	if (g->sp && g->phases && (g->grid || !is_order_searched(g)) &&
	    g->of && g->njob && g->others && sfab_load_init(&g->load, m->nres) == 0)
		return g;
	step_judge_destroy(g);
	return NULL;
}

static void forget_job(struct judged_job *j)
{
	free(j->link);
	free(j->rank);
	memset(j, 0, sizeof(*j));
}

void step_judge_destroy(struct step_judge *g)
{
	if (!g)
		return;
	for (uint32_t i = 0; g->of && i < g->njobs; i++)
		forget_job(&g->of[i]);
	sfab_phases_destroy(g->phases);
	sfab_stepper_destroy(g->sp);
	sfab_class_grid_destroy(g->grid);
	sfab_load_free(&g->load);
	free(g->of);
	free(g->njob);
	free(g->others);
	free(g);
}

/* The mpi part of @from; 0: it has none. */
static int take_mpi(const struct sfab_traffic *from, struct sfab_traffic *to)
{
	memset(to, 0, sizeof(*to));
	for (uint32_t i = 0; i < from->nparts; i++)
		if (from->part[i].class == SFAB_MPI && from->part[i].share > 0)
			to->part[to->nparts++] = from->part[i];
	return to->nparts > 0;
}

/* Keep the links between switches of the load at hand. */
static int keep_links(struct step_judge *g, struct judged_job *c)
{
	c->link = malloc((g->load.ntouched + 1u) * sizeof(*c->link));
	if (!c->link)
		return -1;
	for (uint32_t i = 0; i < g->load.ntouched; i++) {
		uint32_t e = g->load.touched[i];

		if (!g->m->isl[e])
			continue;
		c->link[c->n++] = e;
		g->njob[e]++;
	}
	return 0;
}

int step_judge_start(struct step_judge *g, uint32_t job,
		     const struct sfab_spec *spec, struct sfab_err *err)
{
	struct sfab_spec mpi = *spec;
	struct sfab_traffic traffic;
	int rc;

	if (!take_mpi(spec->traffic, &traffic))
		return 0;
	mpi.traffic = &traffic;
	rc = sfab_demand(g->m, &mpi, &g->load, &g->load, NULL, err);
	if (rc == 0 && keep_links(g, &g->of[job]) < 0)
		rc = sfab_no_memory(err);
	sfab_load_clear(&g->load);
	return rc;
}

void step_judge_end(struct step_judge *g, uint32_t job)
{
	struct judged_job *c = &g->of[job];

	for (uint32_t i = 0; i < c->n; i++)
		g->njob[c->link[i]]--;
	forget_job(c);
}

static int shares_link(const struct step_judge *g, uint32_t job)
{
	const struct judged_job *c = &g->of[job];

	for (uint32_t i = 0; i < c->n; i++)
		if (g->njob[c->link[i]] > 1)
			return 1;
	return 0;
}

static void shuffle_ranks(uint64_t state, uint32_t n, uint32_t *rank)
{
	for (uint32_t i = n; i > 1; i--) {
		uint32_t k = (uint32_t) (sfab_random(&state) % i), host = rank[k];

		rank[k] = rank[i - 1];
		rank[i - 1] = host;
	}
}

/* Search as slurmctld would.  By leaf, the least search gives that order as well. */
static int search_ranks(struct step_judge *g, const struct sfab_spec *spec,
			const struct sfab_traffic *mpi, uint32_t *rank,
			struct sfab_err *err)
{
	int found = g->order.ranks == JUDGED_AS_FOUND;
	struct sfab_order_request rq = { .n = spec->n, .host = spec->host,
					 .most_work = found ? SFAB_ORDER_QUICK(spec->n) : 1,
					 .grid = g->grid, .stepper = g->sp };
	struct sfab_order o;

	if (found && spec->n > SFAB_ORDER_QUICK_NODES)
		return 0;
	sfab_traffic_mix(mpi, g->m->mix, rq.mix);
	if (sfab_order_find(g->m, &rq, &o, err) < 0)
		return -1;
	memcpy(rank, o.host[found ? SFAB_ORDER_FOUND : SFAB_ORDER_LEAF],
	       spec->n * sizeof(*rank));
	sfab_order_clear(&o);
	return 0;
}

/* The hosts of a job by rank, which stay as long as it runs.  NULL: no memory. */
static const uint32_t *ranks_of_job(struct step_judge *g, uint32_t job,
				    const struct sfab_spec *spec, struct sfab_err *err)
{
	struct judged_job *j = &g->of[job];
	struct sfab_traffic mpi;

	if (j->rank)
		return j->rank;
	j->rank = malloc((spec->n + 1u) * sizeof(*j->rank));
	if (!j->rank) {
		sfab_no_memory(err);
		return NULL;
	}
	memcpy(j->rank, spec->host, spec->n * sizeof(*j->rank));
	if (g->order.ranks == JUDGED_AT_RANDOM)
		shuffle_ranks(g->order.seed ^ job, spec->n, j->rank);
	if (j->n && is_order_searched(g) && take_mpi(spec->traffic, &mpi) &&
	    search_ranks(g, spec, &mpi, j->rank, err) < 0)
		return NULL;
	return j->rank;
}

static int mean_of_patterns(struct step_judge *g, const struct sfab_collective *c,
			    const double *mix, double *mean,
			    struct sfab_err *err)
{
	struct sfab_mixed s;

	if (sfab_stepper_take(g->sp, c, err) < 0 ||
	    sfab_stepper_mixed(g->sp, mix, &s, err) < 0)
		return -1;
	*mean = s.mean;
	return 0;
}

int step_judge_look(struct step_judge *g, uint32_t job,
		    const struct sfab_spec *spec, struct sfab_jobs *js,
		    struct in_steps *out, struct sfab_err *err)
{
	struct sfab_collective c = { .n = spec->n };
	double mix[SFAB_NPATTERNS];
	struct sfab_traffic mpi;

	*out = (struct in_steps){ .alone = 1, .among = 1 };
	out->judged = take_mpi(spec->traffic, &mpi);
	out->apart = g->of[job].n > 0;
	if (!out->judged || !out->apart)
		return 0;
	out->shared = shares_link(g, job);
	c.share = sfab_traffic_share(&mpi, 0);
	sfab_traffic_mix(&mpi, g->m->mix, mix);
	c.host = ranks_of_job(g, job, spec, err);
	if (!c.host)
		return -1;
	if (mean_of_patterns(g, &c, mix, &out->alone, err) < 0)
		return -1;
	sfab_jobs_others(js, job, g->others);
	c.background = g->others;
	return mean_of_patterns(g, &c, mix, &out->among, err);
}

/* By the parts of IO. */
static double lost_by_io(const struct sfab_traffic *t, const struct sfab_lost *lost)
{
	double sum = 0;

	for (uint32_t i = 0; i < t->nparts; i++)
		if (sfab_class_is_io(t->part[i].class))
			sum += t->part[i].share * (lost->part[i].beside - 1);
	return sum;
}

int step_judge_lost(struct step_judge *g, uint32_t job,
		    const struct sfab_spec *spec, struct sfab_jobs *js,
		    struct lost_time *out, struct sfab_err *err)
{
	struct sfab_spec ranked = *spec;
	struct sfab_lost lost;

	ranked.host = ranks_of_job(g, job, spec, err);
	if (!ranked.host)
		return -1;
	sfab_jobs_others(js, job, g->others);
	if (sfab_phases_lost(g->phases, &ranked, g->others, &lost, err) < 0)
		return -1;
	*out = (struct lost_time){ lost.alone, lost.time, lost_by_io(spec->traffic, &lost) };
	return 0;
}
