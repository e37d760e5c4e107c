/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * running.c - the running jobs by node index; see running.h
 *
 * Besides the jobs this keeps two sums by node, held CPUs and held memory.  Every
 * change takes the old job out of the sums and puts the new one in, so that they
 * never drift.
 */

#include "place/running.h"

#include <stdlib.h>
#include <string.h>

#include "core/same_text.h"

static uint32_t open_cpus(const struct sfab_running *r, uint32_t node)
{
	uint32_t all = r->node_cpus[node], held = r->cpus[node];

	return all > held ? all - held : 0;
}

/* @sign: 1 or -1; unsigned arithmetic wraps to a subtraction. */
static void hold_job_cpus(struct sfab_running *r,
			  const struct sfab_running_job *job, int sign)
{
	unsigned both = SFAB_RUN_SUSPENDED | SFAB_RUN_FREES_CPUS;

	/* Suspended by hand: others may use its CPUs.  It keeps its memory in any case. */
	if ((job->flags & both) == both)
		return;
	for (uint32_t i = 0; i < job->n; i++) {
		uint32_t before = open_cpus(r, job->node[i]), after;

		/*
		 * open_nodes and open_cpus change along, so that ask.c need not
		 * visit the nodes.
		 */
		r->cpus[job->node[i]] += ((uint32_t) sign * job->cpus[i]);
		after = open_cpus(r, job->node[i]);
		r->open_cpus += after;
		r->open_cpus -= before;
		r->open_nodes += !!after;
		r->open_nodes -= !!before;
	}
}

/* Modulo 2^64, like the CPUs: what was added is subtracted again to the byte. */
static void count_memory(struct sfab_running *r,
			 const struct sfab_running_job *job, int sign)
{
	for (uint32_t i = 0; i < job->n; i++)
		r->memory_mb[job->node[i]] +=
			(uint64_t) (int64_t) sign * job->memory_mb[i];
}

void sfab_running_free_job(struct sfab_running_job *job)
{
	if (!job)
		return;
	free(job->node);
	free(job->cpus);
	free(job->memory_mb);
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

/* If there is no memory for a string, it counts as unknown. */
static void keep_who(struct sfab_running_job *job, const char *partition,
		     const struct sfab_place_who *who)
{
	job->partition = copy_text(partition);
	job->who = (struct sfab_place_who){
		.account = copy_text(who->account), .qos = copy_text(who->qos),
		.name = copy_text(who->name), .user = who->user,
	};
}

/* A job with room for @n nodes, but with none yet.  NULL: no memory. */
static struct sfab_running_job *create_job(uint32_t id, uint32_t n)
{
	struct sfab_running_job *job = calloc(1, sizeof(*job));
	size_t room = n ? n : 1;

	if (!job)
		return NULL;
	job->id = id;
	job->node = calloc(room, sizeof(*job->node));
	job->cpus = calloc(room, sizeof(*job->cpus));
	job->memory_mb = calloc(room, sizeof(*job->memory_mb));
	if (job->node && job->cpus && job->memory_mb)
		return job;
	sfab_running_free_job(job);
	return NULL;
}

struct sfab_running_job *sfab_running_copy(const struct sfab_running_job *job)
{
	struct sfab_running_job *copy = create_job(job->id, job->n);
	struct sfab_running_job all = *job;

	/* All plain members, whichever are added later; then what the copy must own. */
	if (!copy)
		return NULL;
	all.node = copy->node;
	all.cpus = copy->cpus;
	all.memory_mb = copy->memory_mb;
	memset(&all.hh, 0, sizeof(all.hh));
	*copy = all;
	keep_who(copy, job->partition, &job->who);
	memcpy(copy->node, job->node, job->n * sizeof(*job->node));
	memcpy(copy->cpus, job->cpus, job->n * sizeof(*job->cpus));
	memcpy(copy->memory_mb, job->memory_mb, job->n * sizeof(*job->memory_mb));
	return copy;
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

int sfab_running_reset(struct sfab_running *r, const uint32_t *node_cpus,
		       uint32_t nnodes)
{
	sfab_running_clear(r);
	r->cpus = calloc(nnodes ? nnodes : 1, sizeof(*r->cpus));
	r->memory_mb = calloc(nnodes ? nnodes : 1, sizeof(*r->memory_mb));
	if (!r->cpus || !r->memory_mb) {
		sfab_running_clear(r);
		return -1;
	}
	r->nnodes = nnodes;
	r->node_cpus = node_cpus;
	for (uint32_t i = 0; i < nnodes; i++) {
		r->open_nodes += !!node_cpus[i];
		r->open_cpus += node_cpus[i];
	}
	return 0;
}

struct sfab_running_job *sfab_running_find(const struct sfab_running *r,
					   uint32_t id)
{
	struct sfab_running_job *job;

	HASH_FIND(hh, r->jobs, &id, sizeof(id), job);
	return job;
}

int sfab_running_remove(struct sfab_running *r, uint32_t id)
{
	struct sfab_running_job *job = sfab_running_find(r, id);

	if (!job)
		return 0;
	hold_job_cpus(r, job, -1);
	count_memory(r, job, -1);
	HASH_DEL(r->jobs, job);
	sfab_running_free_job(job);
	return 1;
}

struct sfab_running_job *sfab_running_put(struct sfab_running *r,
					  const struct sfab_place_run *run)
{
	struct sfab_running_job *job = create_job(run->id, run->n);
	int whole = run->flags & SFAB_RUN_WHOLE_NODES;

	sfab_running_remove(r, run->id);
	if (!job)
		return NULL;
	job->flags = run->flags;
	job->start_s = run->start_s;
	job->limit_s = run->limit_s;
	keep_who(job, run->partition, &run->who);
	for (uint32_t i = 0; i < run->n; i++) {
		uint32_t node = run->node[i];

		/* Records of a node table that was replaced meanwhile. */
		if (node >= r->nnodes)
			continue;
		job->node[job->n] = node;
		job->cpus[job->n] = whole ? r->node_cpus[node] : run->cpus[i];
		job->memory_mb[job->n] = run->memory_mb ? run->memory_mb[i] : 0;
		job->n++;
	}
	HASH_ADD(hh, r->jobs, id, sizeof(job->id), job);
	if (!sfab_running_find(r, run->id)) {	/* uthash ran out of memory */
		sfab_running_free_job(job);
		return NULL;
	}
	hold_job_cpus(r, job, 1);
	count_memory(r, job, 1);
	return job;
}

/* 1: the job holds the same CPUs and memory of the same nodes, in the same order. */
static int same_nodes(const struct sfab_running *r,
		      const struct sfab_running_job *job,
		      const struct sfab_place_run *run)
{
	int whole = run->flags & SFAB_RUN_WHOLE_NODES;
	uint32_t i = 0;

	if (job->n != run->n)
		return 0;
	while (i < job->n && job->node[i] == run->node[i] &&
	       job->cpus[i] == (whole ? r->node_cpus[job->node[i]] : run->cpus[i]) &&
	       job->memory_mb[i] == (run->memory_mb ? run->memory_mb[i] : 0))
		i++;
	return i == job->n;
}

/*
 * Not compared: the job's text hints, which only the caller can parse, and KNOWN,
 * which says how the job is reported and not how it runs.
 */
int sfab_running_same(const struct sfab_running *r,
		      const struct sfab_running_job *job,
		      const struct sfab_place_run *run)
{
	return !((job->flags ^ run->flags) & ~(unsigned) SFAB_RUN_KNOWN) &&
	       job->start_s == run->start_s && job->limit_s == run->limit_s &&
	       job->who.user == run->who.user &&
	       sfab_same_text(job->partition, run->partition) &&
	       sfab_same_text(job->who.account, run->who.account) &&
	       sfab_same_text(job->who.qos, run->who.qos) &&
	       sfab_same_text(job->who.name, run->who.name) &&
	       same_nodes(r, job, run);
}

int sfab_running_suspend(struct sfab_running *r, uint32_t id, unsigned flags)
{
	struct sfab_running_job *job = sfab_running_find(r, id);
	unsigned frees = flags & SFAB_RUN_FREES_CPUS;

	if (!job || (job->flags & SFAB_RUN_SUSPENDED))
		return 0;
	hold_job_cpus(r, job, -1);
	job->flags |= SFAB_RUN_SUSPENDED | frees;
	hold_job_cpus(r, job, 1);
	return 1;
}

int sfab_running_resume(struct sfab_running *r, uint32_t id)
{
	struct sfab_running_job *job = sfab_running_find(r, id);

	if (!job || !(job->flags & SFAB_RUN_SUSPENDED))
		return 0;
	hold_job_cpus(r, job, -1);
	job->flags &= ~(unsigned) (SFAB_RUN_SUSPENDED | SFAB_RUN_FREES_CPUS);
	hold_job_cpus(r, job, 1);
	return 1;
}

int sfab_running_shrink(struct sfab_running *r, uint32_t id, uint32_t node)
{
	struct sfab_running_job *job = sfab_running_find(r, id);
	uint32_t i = 0;

	while (job && i < job->n && job->node[i] != node)
		i++;
	if (!job || i == job->n)
		return 0;
	hold_job_cpus(r, job, -1);
	count_memory(r, job, -1);
	job->n--;
	for (; i < job->n; i++) {
		job->node[i] = job->node[i + 1];
		job->cpus[i] = job->cpus[i + 1];
		job->memory_mb[i] = job->memory_mb[i + 1];
	}
	hold_job_cpus(r, job, 1);
	count_memory(r, job, 1);
	return 1;
}

uint32_t sfab_running_count(const struct sfab_running *r)
{
	return HASH_COUNT(r->jobs);
}
