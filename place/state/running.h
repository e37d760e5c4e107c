/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * running.h - the running jobs by node index: what they hold and send
 *
 * Kept by events, each of which may come twice.  It knows no fabric: when a
 * new snapshot comes into use the loads are worked out again from here.
 */
#ifndef SFAB_PLACE_RUNNING_H
#define SFAB_PLACE_RUNNING_H

#include <stdint.h>
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "core/load/traffic.h"
#include "place/place.h"

struct sfab_running_job {
	uint32_t id;
	unsigned flags;		/* SFAB_RUN_* */
	uint32_t n;
	uint32_t *node, *cpus;	/* [n] */
	uint64_t *memory_mb;	/* [n] */
	uint64_t start_s, limit_s;
	uint64_t serial;	/* of what is said here: another for each change */
	uint64_t round;		/* in which it was last told */
	char *partition;	/* or NULL */
	struct sfab_place_who who;	/* texts are its own */
	enum sfab_hint hint;	/* TRAFFIC: it said what it sends */
	struct sfab_traffic traffic;
	uint64_t end_s;		/* of one that ended (replica.h) */
	struct sfab_running_job *later;	/* the next in the list of those */
	UT_hash_handle hh;
};

struct sfab_running {
	struct sfab_running_job *jobs;	/* uthash by id */
	uint32_t nnodes;
	const uint32_t *node_cpus;	/* [nnodes] that there are; borrowed */
	uint32_t *cpus;		/* [nnodes] CPUs held by jobs */
	uint64_t *memory_mb;	/* [nnodes] */
	uint32_t open_nodes;	/* how many have a CPU that no job holds, */
	uint64_t open_cpus;	/* and such CPUs of all nodes */
};

/*
 * Forget all jobs and make room for @nnodes of @node_cpus CPUs, which must stay
 * where they are.  -1: memory, then no nodes.
 */
int sfab_running_reset(struct sfab_running *r, const uint32_t *node_cpus,
		       uint32_t nnodes);
void sfab_running_clear(struct sfab_running *r);

/*
 * A job runs.  Replaces a job of the same id.  NULL: memory, then it is not
 * known.
 */
struct sfab_running_job *sfab_running_put(struct sfab_running *r,
					  const struct sfab_place_run *run);
struct sfab_running_job *sfab_running_find(const struct sfab_running *r,
					   uint32_t id);
/* 1: @job is what @run says, but for what it sends. */
int sfab_running_same(const struct sfab_running *r,
		      const struct sfab_running_job *job,
		      const struct sfab_place_run *run);
/* A copy that belongs to no table, or NULL; and its end. */
struct sfab_running_job *sfab_running_copy(const struct sfab_running_job *job);
void sfab_running_free_job(struct sfab_running_job *job);	/* NULL is fine */
/* All of a table. */
void sfab_running_free_jobs(struct sfab_running_job **jobs);
/* 1 if it was known. */
int sfab_running_remove(struct sfab_running *r, uint32_t id);
/* 1 if that changed something. */
int sfab_running_suspend(struct sfab_running *r, uint32_t id, unsigned flags);
int sfab_running_resume(struct sfab_running *r, uint32_t id);
int sfab_running_shrink(struct sfab_running *r, uint32_t id, uint32_t node);
uint32_t sfab_running_count(const struct sfab_running *r);

#endif
