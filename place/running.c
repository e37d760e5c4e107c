/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * running.c - the running jobs by node index; see running.h
 *
 * Besides the jobs this keeps two sums by node, held CPUs and held memory.  Every change takes
 * the old job out of the sums and puts the new one in, so that they never drift.
 */

#include "place/running.h"

#include <stdlib.h>
#include <string.h>

#include "core/same_text.h"

/* Flags of a job that was suspended by hand: others may use its CPUs. */
#define BY_HAND ((unsigned) (SFAB_RUN_SUSPENDED | SFAB_RUN_FREES_CPUS))

static uint32_t open_cpus(const struct sfab_running *r, uint32_t node)
{
	uint32_t all = r->node[node].cpus, held = r->cpus[node];

	return all > held ? all - held : 0;
}

/* Add what the job holds to the sums by node (@sign 1), or subtract it again (-1). */
static void count_held(struct sfab_running *r, const struct sfab_running_job *job, int sign)
{
	/* A suspended job keeps its memory.  -1 wraps, and so does the sum. */
	uint32_t cpus = (job->flags & BY_HAND) == BY_HAND ? 0 : (uint32_t) sign;

	for (uint32_t i = 0; i < job->n; i++) {
		const struct sfab_held *held = &job->held[i];
		uint32_t old_open = open_cpus(r, held->node), new_open;

		r->memory_mb[held->node] += (uint64_t) (int64_t) sign * held->memory_mb;
		/* open_nodes and open_cpus follow, so that ask.c need not visit the nodes. */
		r->cpus[held->node] += cpus * held->cpus;
		new_open = open_cpus(r, held->node);
		r->open_cpus += new_open;
		r->open_cpus -= old_open;
		r->open_nodes += !!new_open;
		r->open_nodes -= !!old_open;
	}
}

void sfab_running_free_job(struct sfab_running_job *job)
{
	if (!job)
		return;
	free(job->partition);
	free((char *) job->who.account);
	free((char *) job->who.qos);
	free((char *) job->who.name);
	free(job);
}

static char *copy_text(const char *text)
{
	return text ? strdup(text) : NULL;
}

/* Copy what Slurm says of the job.  Without memory for a string, it counts as unknown. */
static void keep_who(struct sfab_running_job *job, const char *partition,
		     const struct sfab_place_who *who)
{
	job->partition = copy_text(partition);
	job->who = (struct sfab_place_who){
		.account = copy_text(who->account), .qos = copy_text(who->qos),
		.name = copy_text(who->name), .user = who->user,
	};
}

struct sfab_running_job *sfab_running_copy(const struct sfab_running_job *job)
{
	size_t size = sizeof(*job) + job->n * sizeof(job->held[0]);
	struct sfab_running_job *copy = malloc(size);

	/* All members by value; then what the copy must own. */
	if (!copy)
		return NULL;
	memcpy(copy, job, size);
	memset(&copy->hh, 0, sizeof(copy->hh));
	keep_who(copy, job->partition, &job->who);
	return copy;
}

int sfab_running_add(struct sfab_running_job **jobs, struct sfab_running_job *job)
{
	struct sfab_running_job *found;

	HASH_ADD(hh, *jobs, id, sizeof(job->id), job);
	HASH_FIND(hh, *jobs, &job->id, sizeof(job->id), found);
	if (found)
		return 0;
	sfab_running_free_job(job);	/* uthash ran out of memory */
	return -1;
}

struct sfab_running_job *sfab_running_take(struct sfab_running_job **jobs, uint32_t id)
{
	struct sfab_running_job *job;

	HASH_FIND(hh, *jobs, &id, sizeof(id), job);
	if (job)
		HASH_DEL(*jobs, job);
	return job;
}

void sfab_running_free_jobs(struct sfab_running_job **jobs)
{
	struct sfab_running_job *job, *next;

	HASH_ITER(hh, *jobs, job, next) {
		HASH_DEL(*jobs, job);
		sfab_running_free_job(job);
	}
}

void sfab_running_clear(struct sfab_running *r)
{
	sfab_running_free_jobs(&r->jobs);
	free(r->cpus);
	free(r->memory_mb);
	memset(r, 0, sizeof(*r));
}

int sfab_running_reset(struct sfab_running *r, const struct sfab_place_node *node, uint32_t nnodes)
{
	sfab_running_clear(r);
	r->cpus = calloc(nnodes + 1u, sizeof(*r->cpus));
	r->memory_mb = calloc(nnodes + 1u, sizeof(*r->memory_mb));
	if (!r->cpus || !r->memory_mb) {
		sfab_running_clear(r);
		return -1;
	}
	r->nnodes = nnodes;
	r->node = node;
	for (uint32_t i = 0; i < nnodes; i++) {
		r->open_nodes += !!node[i].cpus;
		r->open_cpus += node[i].cpus;
	}
	return 0;
}

struct sfab_running_job *sfab_running_find(const struct sfab_running *r, uint32_t id)
{
	struct sfab_running_job *job;

	HASH_FIND(hh, r->jobs, &id, sizeof(id), job);
	return job;
}

int sfab_running_remove(struct sfab_running *r, uint32_t id)
{
	struct sfab_running_job *job = sfab_running_take(&r->jobs, id);

	if (!job)
		return 0;
	count_held(r, job, -1);
	sfab_running_free_job(job);
	return 1;
}

/* Return what @run holds of its node @i. */
static struct sfab_held held_by_run(const struct sfab_running *r,
				    const struct sfab_place_run *run, uint32_t i)
{
	uint32_t node = run->node[i];

	return (struct sfab_held){
		.node = node,
		.cpus = run->flags & SFAB_RUN_WHOLE_NODES ? r->node[node].cpus : run->cpus[i],
		.memory_mb = run->memory_mb ? run->memory_mb[i] : 0,
	};
}

struct sfab_running_job *sfab_running_put(struct sfab_running *r, const struct sfab_place_run *run)
{
	struct sfab_running_job *job = calloc(1, sizeof(*job) +
					      run->n * sizeof(job->held[0]));

	sfab_running_remove(r, run->id);
	if (!job)
		return NULL;
	job->id = run->id;
	job->flags = run->flags;
	job->start_s = run->start_s;
	job->limit_s = run->limit_s;
	keep_who(job, run->partition, &run->who);
	/* A larger index is of a node table that was replaced meanwhile. */
	for (uint32_t i = 0; i < run->n; i++)
		if (run->node[i] < r->nnodes)
			job->held[job->n++] = held_by_run(r, run, i);
	if (sfab_running_add(&r->jobs, job) < 0)
		return NULL;
	count_held(r, job, 1);
	return job;
}

/*
 * Compare all but the job's text hints, which only the caller can parse, and KNOWN, which says
 * how the job is reported and not how it runs.
 */
int sfab_running_same(const struct sfab_running *r,
		      const struct sfab_running_job *job,
		      const struct sfab_place_run *run)
{
	uint32_t i;

	if ((job->flags ^ run->flags) & ~(unsigned) SFAB_RUN_KNOWN || job->n != run->n ||
	    job->start_s != run->start_s || job->limit_s != run->limit_s ||
	    job->who.user != run->who.user ||
	    !sfab_same_text(job->partition, run->partition) ||
	    !sfab_same_text(job->who.account, run->who.account) ||
	    !sfab_same_text(job->who.qos, run->who.qos) ||
	    !sfab_same_text(job->who.name, run->who.name))
		return 0;
	for (i = 0; i < job->n && job->held[i].node == run->node[i]; i++) {
		const struct sfab_held held = held_by_run(r, run, i);

		if (job->held[i].cpus != held.cpus ||
		    job->held[i].memory_mb != held.memory_mb)
			return 0;
	}
	return i == job->n;
}

static int change_flags(struct sfab_running *r, struct sfab_running_job *job, unsigned flags)
{
	count_held(r, job, -1);
	job->flags = flags;
	count_held(r, job, 1);
	return 1;
}

int sfab_running_suspend(struct sfab_running *r, uint32_t id, unsigned flags)
{
	struct sfab_running_job *job = sfab_running_find(r, id);
	unsigned frees = flags & SFAB_RUN_FREES_CPUS;

	if (!job || (job->flags & SFAB_RUN_SUSPENDED))
		return 0;
	return change_flags(r, job, job->flags | SFAB_RUN_SUSPENDED | frees);
}

int sfab_running_resume(struct sfab_running *r, uint32_t id)
{
	struct sfab_running_job *job = sfab_running_find(r, id);

	if (!job || !(job->flags & SFAB_RUN_SUSPENDED))
		return 0;
	return change_flags(r, job, job->flags & ~BY_HAND);
}

int sfab_running_shrink(struct sfab_running *r, uint32_t id, uint32_t node)
{
	struct sfab_running_job *job = sfab_running_find(r, id);
	uint32_t i = 0;

	while (job && i < job->n && job->held[i].node != node)
		i++;
	if (!job || i == job->n)
		return 0;
	count_held(r, job, -1);
	job->n--;
	memmove(&job->held[i], &job->held[i + 1], (job->n - i) * sizeof(job->held[0]));
	count_held(r, job, 1);
	return 1;
}

uint32_t sfab_running_count(const struct sfab_running *r)
{
	return HASH_COUNT(r->jobs);
}
