/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replica.c - the loader's copy of nodes and running jobs; see replica.h
 *
 * The loader prepares a generation while slurmctld goes on, so it must not look at slurmctld's
 * tables.  It has its own, kept up by events, each with a serial.  If one event is lost the
 * copy is worthless, because nothing says which job it was about:
 * everything is thrown away, and the asking thread reports all of it once more.
 *
 * Jobs that ended are kept for a while in a list, in the order of their ends: the counters are
 * means over some minutes and still contain what these jobs sent.
 */

#include "place/state/replica.h"

#include <string.h>

#include "place/state/jobload.h"

/* Drop the job at the head of the list: ended jobs are in the order of their ends. */
static void forget_oldest(struct sfab_replica *r)
{
	struct sfab_running_job *job = r->ended_jobs;

	r->ended_jobs = job->next_ended;
	r->nended--;
	sfab_running_free_job(job);
}

void sfab_replica_forget(struct sfab_replica *r, uint64_t before_s)
{
	while (r->ended_jobs && r->ended_jobs->end_s < before_s)
		forget_oldest(r);
}

void sfab_replica_clear(struct sfab_replica *r)
{
	sfab_running_free_jobs(&r->jobs);
	sfab_replica_forget(r, UINT64_MAX);
	sfab_nodes_clear(&r->nodes);
	r->base_serial = 0;
}

/*
 * Keep an ended job, at most SFAB_JOBS_ENDED_MAX: many short jobs may end within the counters'
 * half-life.
 */
static void keep_ended(struct sfab_replica *r, struct sfab_running_job *job, uint64_t end_s)
{
	if (!r->ended_jobs)
		r->ended_tail = &r->ended_jobs;
	job->end_s = end_s;
	job->next_ended = NULL;
	*r->ended_tail = job;
	r->ended_tail = &job->next_ended;
	if (++r->nended > SFAB_JOBS_ENDED_MAX)
		forget_oldest(r);
}

/* Apply one event.  The replica takes what it needs out of @event.  -1: no memory. */
static int apply_to_replica(struct sfab_replica *r, struct sfab_event *event)
{
	struct sfab_running_job *job = event->job;

	r->serial = event->serial;
	if (event->nodes) {
		sfab_replica_clear(r);
		r->nodes = *event->nodes;
		memset(event->nodes, 0, sizeof(*event->nodes));
		r->base_serial = event->serial;
	} else if (job) {
		event->job = NULL;
		sfab_running_free_job(sfab_running_take(&r->jobs, job->id));
		return sfab_running_add(&r->jobs, job);
	} else if (event->moves_base) {
		r->base_serial = event->serial;
	} else {
		job = sfab_running_take(&r->jobs, event->ended_id);
		if (job)
			keep_ended(r, job, event->end_s);
	}
	return 0;
}

/* Apply the event to a generation that has all earlier ones; -1: a new one is needed. */
static int apply_to_generation(struct sfab_generation *gen, const struct sfab_event *event)
{
	if (event->nodes || event->moves_base)
		return -1;
	if (event->job) {
		sfab_jobs_remove(gen->jobs, event->job->id);
		sfab_jobload_add(gen, &gen->nodes, event->job, &gen->scratch);
	} else {
		sfab_jobs_end(gen->jobs, event->ended_id, event->end_s);
	}
	gen->serial = event->serial;
	return 0;
}

int sfab_replica_read(struct sfab_replica *r, struct sfab_event_queue *queue,
		      struct sfab_generation *gen)
{
	struct sfab_event *event = sfab_event_queue_collect(queue), *next;
	/* A generation for another node table cannot be updated, only replaced. */
	int rc = gen && (gen->base_serial != r->base_serial || !gen->base_serial) ? -1 : 0;

	for (; event; event = next) {
		next = event->next;
		if (gen && rc == 0)
			rc = apply_to_generation(gen, event);
		if (apply_to_replica(r, event) < 0)
			sfab_event_queue_lose(queue);
		sfab_event_free(event);
	}
	/* Checked last: a loss during this call counts as well. */
	if (!sfab_event_queue_forget(queue))
		return rc;
	sfab_replica_clear(r);
	return -1;
}

int sfab_replica_prepare(struct sfab_replica *r, struct sfab_generation *gen)
{
	struct sfab_running_job *job, *next;

	if (!r->base_serial)
		return 0;
	if (sfab_nodes_map(&r->nodes, gen->f) < 0 ||
	    sfab_scratch_reset(&gen->scratch, r->nodes.n, gen->f->nhosts) < 0 ||
	    sfab_nodes_set(&gen->nodes, r->nodes.node, r->nodes.n) < 0)
		return -1;
	/* The hosts just found belong to the generation; the replica needs none. */
	sfab_nodes_swap_hosts(&gen->nodes, &r->nodes);
	/* Before the running jobs: an id may have been reused. */
	for (job = r->ended_jobs; job; job = job->next_ended) {
		sfab_jobload_add(gen, &gen->nodes, job, &gen->scratch);
		sfab_jobs_end(gen->jobs, job->id, job->end_s);
	}
	HASH_ITER(hh, r->jobs, job, next)
		sfab_jobload_add(gen, &gen->nodes, job, &gen->scratch);
	gen->base_serial = r->base_serial;
	gen->serial = r->serial;
	return 0;
}
