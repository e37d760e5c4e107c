/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * running.h - the running jobs by node index: what they hold and send
 *
 * Maintained by events, each of which may be repeated.  It knows no fabric: loads are
 * recomputed from here when a new snapshot comes into use.
 */
#ifndef SFAB_PLACE_RUNNING_H
#define SFAB_PLACE_RUNNING_H

#include <stdint.h>
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "core/load/traffic.h"
#include "place/place.h"

struct sfab_held {		/* what a job holds of a node */
	uint32_t node, cpus;
	uint64_t memory_mb;
};

struct sfab_running_job {
	uint32_t id;
	unsigned flags;				/* SFAB_RUN_* */
	uint64_t start_s, limit_s;
	uint64_t round;				/* of the last report of all jobs that had it */
	char *partition;			/* or NULL */
	struct sfab_place_who who;		/* strings are owned */
	enum sfab_hint hint;			/* SFAB_HINT_TRAFFIC: the job states traffic */
	struct sfab_traffic traffic;
	uint64_t end_s;				/* for jobs that ended (replica.h) */
	struct sfab_running_job *next_ended;	/* the next one that ended */
	UT_hash_handle hh;
	uint32_t n;
	struct sfab_held held[];		/* [n] */
};

struct sfab_running {
	struct sfab_running_job *jobs;		/* uthash by id */
	uint32_t nnodes;
	const struct sfab_place_node *node;	/* [nnodes] borrowed */
	uint32_t *cpus;				/* [nnodes] CPUs held by jobs */
	uint64_t *memory_mb;			/* [nnodes] */
	uint32_t open_nodes;			/* nodes with a CPU that no job holds */
	uint64_t open_cpus;			/* CPUs that no job holds */
};

/*
 * Forget all jobs and take the table @node of @nnodes, which must stay valid.  -1: no memory,
 * then there are no nodes.
 */
int sfab_running_reset(struct sfab_running *r, const struct sfab_place_node *node, uint32_t nnodes);
void sfab_running_clear(struct sfab_running *r);

/* Add or replace a job.  NULL: no memory, then the job is unknown. */
struct sfab_running_job *sfab_running_put(struct sfab_running *r, const struct sfab_place_run *run);
struct sfab_running_job *sfab_running_find(const struct sfab_running *r, uint32_t id);
/* 1: @run says what is known of @job, its traffic aside. */
int sfab_running_same(const struct sfab_running *r,
		      const struct sfab_running_job *job,
		      const struct sfab_place_run *run);
/* Return a copy that belongs to no table.  NULL: no memory. */
struct sfab_running_job *sfab_running_copy(const struct sfab_running_job *job);
void sfab_running_free_job(struct sfab_running_job *job);	/* NULL is fine */

/* Add to the caller's own uthash table by id.  -1: no memory, then @job is freed. */
int sfab_running_add(struct sfab_running_job **jobs, struct sfab_running_job *job);
/* Remove a job from such a table and return it.  NULL: it was not there. */
struct sfab_running_job *sfab_running_take(struct sfab_running_job **jobs, uint32_t id);
void sfab_running_free_jobs(struct sfab_running_job **jobs);	/* all of a table */

/* Forget a job.  1: it was known. */
int sfab_running_remove(struct sfab_running *r, uint32_t id);
/* Change a job.  1: it is known and was not like that before. */
int sfab_running_suspend(struct sfab_running *r, uint32_t id, unsigned flags);
int sfab_running_resume(struct sfab_running *r, uint32_t id);
int sfab_running_shrink(struct sfab_running *r, uint32_t id, uint32_t node);
uint32_t sfab_running_count(const struct sfab_running *r);

#endif
