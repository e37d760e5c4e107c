/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loss_judge.c - what jobs of a replay lose; see loss_judge.h */

#include "tools/replay/loss_judge.h"

#include <stdlib.h>
#include <string.h>

#include "core/load/phases.h"
#include "core/load/stepper.h"
#include "core/random.h"
#include "core/search/order.h"
#include "tools/ui/xalloc.h"

struct loss_judge {
	const struct sfab_model *m;
	struct sfab_stepper *sp;
	struct sfab_phases *phases;
	enum judged_ranks ranks;
	uint64_t seed;
	struct sfab_class_grid *grid;	/* of ranks that are searched, else NULL */
	struct sfab_arena arena;
	uint32_t njobs;
	uint32_t **rank;		/* by job: its hosts by rank; NULL: not asked for yet */
	double *others;			/* by resource: what other jobs send */
};

static int is_order_searched(const struct loss_judge *judge)
{
	return judge->ranks == JUDGED_BY_LEAF || judge->ranks == JUDGED_AS_FOUND;
}

struct loss_judge *loss_judge_create(const struct sfab_model *m, uint32_t njobs,
				     enum judged_ranks ranks, uint64_t seed)
{
	struct loss_judge *judge = xcalloc(1, sizeof(*judge));

	*judge = (struct loss_judge) {
		.m = m, .njobs = njobs, .ranks = ranks, .seed = seed,
		.sp = xnonnull(sfab_stepper_create(m)),
		.phases = xnonnull(sfab_phases_create(m)),
		.rank = xcalloc(njobs, sizeof(*judge->rank)),
		.others = xcalloc(m->nres, sizeof(*judge->others)),
	};
	if (is_order_searched(judge))
		judge->grid = xnonnull(sfab_class_grid_create(&judge->arena, m));
	return judge;
}

void loss_judge_end(struct loss_judge *judge, uint32_t job)
{
	free(judge->rank[job]);
	judge->rank[job] = NULL;
}

void loss_judge_destroy(struct loss_judge *judge)
{
	if (!judge)
		return;
	for (uint32_t i = 0; i < judge->njobs; i++)
		loss_judge_end(judge, i);
	sfab_phases_destroy(judge->phases);
	sfab_stepper_destroy(judge->sp);
	sfab_arena_free(&judge->arena);
	free(judge->rank);
	free(judge->others);
	free(judge);
}

/*
 * Search the order of ranks as slurmctld would, by the mpi part of the traffic if it has one.
 * For JUDGED_BY_LEAF the shortest search is enough, because it gives that order as well.
 */
static int search_ranks(struct loss_judge *judge, const struct sfab_job *spec,
			uint32_t *rank, struct sfab_err *err)
{
	int found = judge->ranks == JUDGED_AS_FOUND;
	struct sfab_order_request rq = { .n = spec->n, .host = spec->host,
					 .max_work = found ? SFAB_ORDER_QUICK(spec->n) : 1,
					 .grid = judge->grid, .stepper = judge->sp };
	const struct sfab_traffic *traffic = spec->traffic;
	struct sfab_traffic mpi = { 0 };
	struct sfab_order o;

	for (uint32_t i = 0; i < traffic->nparts; i++)
		if (traffic->part[i].class == SFAB_MPI && traffic->part[i].share > 0)
			mpi.part[mpi.nparts++] = traffic->part[i];
	if (!mpi.nparts || (found && spec->n > SFAB_ORDER_QUICK_NODES))
		return 0;
	sfab_traffic_mix(&mpi, judge->m->mix, rq.mix);
	if (sfab_order_find(judge->m, &rq, &o, err) < 0)
		return -1;
	memcpy(rank, o.host[found ? SFAB_ORDER_FOUND : SFAB_ORDER_LEAF],
	       spec->n * sizeof(*rank));
	sfab_order_clear(&o);
	return 0;
}

/* Return the hosts of a job by rank, which stay as long as it runs.  NULL with *err. */
static const uint32_t *ranks_of_job(struct loss_judge *judge, uint32_t job,
				    const struct sfab_job *spec, struct sfab_err *err)
{
	uint32_t *rank = judge->rank[job];
	uint64_t state = judge->seed ^ job;

	if (rank)
		return rank;
	judge->rank[job] = rank = xcalloc(spec->n, sizeof(*rank));
	memcpy(rank, spec->host, spec->n * sizeof(*rank));
	for (uint32_t i = judge->ranks == JUDGED_AT_RANDOM ? spec->n : 0; i > 1; i--) {
		uint32_t k = (uint32_t) (sfab_random(&state) % i), host = rank[k];

		rank[k] = rank[i - 1];
		rank[i - 1] = host;
	}
	if (is_order_searched(judge) && search_ranks(judge, spec, rank, err) < 0)
		return NULL;
	return rank;
}

void loss_judge_add(struct lost_nodes *sum, const struct lost_nodes *lost, double times)
{
	sum->nodes += times * lost->nodes;
	sum->alone += times * lost->alone;
	sum->beside += times * lost->beside;
	sum->io += times * lost->io;
}

int loss_judge_lost(struct loss_judge *judge, uint32_t job, const struct sfab_job *spec,
		    double felt, struct sfab_jobs *js, struct lost_nodes *out, struct sfab_err *err)
{
	const struct sfab_traffic *t = spec->traffic;
	struct sfab_job ranked = *spec;
	struct sfab_lost lost;
	double io = 0;

	ranked.host = ranks_of_job(judge, job, spec, err);
	if (!ranked.host)
		return -1;
	sfab_jobs_background_without(js, job, judge->others);
	if (sfab_phases_lost(judge->phases, &ranked, judge->others, &lost, err) < 0)
		return -1;
	for (uint32_t i = 0; i < t->nparts; i++)
		if (sfab_class_is_io(t->part[i].class))
			io += t->part[i].share * (lost.part[i].beside - 1);
	*out = (struct lost_nodes){ .nodes = 1, .alone = felt * lost.alone,
				    .beside = felt * lost.time, .io = felt * io };
	return 0;
}
