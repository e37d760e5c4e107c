/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place.h - the placement service that slurmctld's hook and the preview ask
 *
 * The service makes all decisions, on plain arrays indexed by node: which jobs are left to
 * Slurm, how many nodes a job needs, which nodes it may use, what it sends, the search, and the
 * cache of decisions.  `sfabric place --slurm` therefore runs the same code as the plugin.
 *
 * Order of calls: create; start (slurmctld) or use_snapshot (preview); set_nodes; begin for
 * every running job; then ask, begin, end ... as things happen.  After set_nodes all running
 * jobs must be reported again.
 *
 * Threads: all calls come from one thread at a time; slurmctld's job write lock ensures that.
 * After start() four threads of our own read sfabric.conf, read the other files, write the log,
 * and stop long searches.  They share with the callers only what handoff.h, event_queue.h,
 * logring.h and watchdog.h describe.  The calls below do no I/O and never wait.  Memory that
 * they allocate belongs to a running job or to the node table and is freed with it.
 */
#ifndef SFAB_PLACE_H
#define SFAB_PLACE_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/load/measured.h"
#include "io/conf/conf.h"
#include "io/snapshot/snapshot.h"
#include "place/request/reason.h"

struct sfab_place;		/* opaque */
struct sfab_decision;		/* decision.h */
struct sfab_generation;	/* generation.h: fabric, tables, conf; immutable */

enum sfab_log_level { SFAB_LOG_ERROR, SFAB_LOG_INFO, SFAB_LOG_DEBUG };
/*
 * Write one line of log, in any thread.  The line may quote a file or a script: a callback that
 * writes it to a log must make it printable (core/utf8.h).
 */
typedef void sfab_place_log_fn(enum sfab_log_level level, const char *line);

/* Identifies the owner of a job to the site's script; strings may be NULL. */
struct sfab_place_who {
	const char *account, *qos, *name;
	uint32_t user;
};

#define SFAB_PLACE_TICK_MS 500	/* files are checked so often by default */

struct sfab_place_options {
	const char *conf_path;		/* sfabric.conf; copied */
	struct sfab_trust trust;	/* for every file */
	uint32_t tick_ms;		/* how often files are checked; 0: SFAB_PLACE_TICK_MS */
	sfab_place_log_fn *log;		/* NULL: silent */
};

/* Create a service that has read no file and runs no thread.  NULL with *err: SFAB_ENOMEM. */
struct sfab_place *sfab_place_create(const struct sfab_place_options *o, struct sfab_err *err);
/* End the threads, waiting at most two seconds for each, and free @p.  NULL is fine. */
void sfab_place_destroy(struct sfab_place *p);

/* Start the threads, which read the files from now on.  -1 with *err: destroy @p. */
int sfab_place_start(struct sfab_place *p, struct sfab_err *err);
/*
 * Use, for a preview instead of start, this snapshot and conf, and the script, history and
 * found traffic that the conf names.  Takes over both arguments, also on failure.  -1 with
 * *err.
 */
int sfab_place_use_snapshot(struct sfab_place *p, struct sfab_snapshot *snap,
			    struct sfab_conf *conf, struct sfab_err *err);

/*
 * Set, for a preview, the measured load of the links.  Call it after all running jobs were
 * reported.  Takes over @ms, and ignores it if it is of another fabric.
 */
void sfab_place_use_measured(struct sfab_place *p, struct sfab_measured *ms);

/* The nodes of slurm.conf by Slurm's node index; names are copied. */
struct sfab_place_node {
	const char *name;		/* NULL: no node at this index */
	uint32_t cpus;
	uint64_t memory_mb;
	uint32_t sockets, threads;	/* per node, and per core; 0: one */
};
/*
 * Set the node table, and forget all decisions and running jobs.  A running service whose table
 * stays the same keeps the jobs: the next question then forgets those that were not reported
 * again.  If many of them changed, jobs are left to Slurm until the loader has caught up.  -1
 * with *err: SFAB_ENOMEM.
 */
int sfab_place_set_nodes(struct sfab_place *p,
			 const struct sfab_place_node *node, uint32_t n,
			 struct sfab_err *err);

/* -- running jobs: every call may be repeated --------------------------- */

enum sfab_run_flag {
	SFAB_RUN_SUSPENDED = 1,		/* sends nothing */
	SFAB_RUN_FREES_CPUS = 2,	/* while suspended, other jobs may use its CPUs */
	SFAB_RUN_WHOLE_NODES = 4,	/* holds all CPUs of its nodes */
	SFAB_RUN_KNOWN = 8,		/* ran before: not a new decision, no log */
	SFAB_RUN_RANKS = 16,		/* its nodes may take ranks in another order */
};

struct sfab_place_run {
	uint32_t id;					/* of the running job */
	uint32_t asked_id;				/* the id that questions about it used */
	unsigned flags;					/* enum sfab_run_flag */
	uint32_t n;
	const uint32_t *node;				/* [n] node indices, no duplicates */
	const uint32_t *cpus;				/* [n] held; not read with WHOLE_NODES */
	const uint64_t *memory_mb;			/* [n]; NULL: memory is not counted */
	uint64_t start_s;				/* its begin, since 1970; 0: not known */
	uint64_t limit_s;				/* time limit; 0: none */
	const char *nodes;				/* the nodes as text for the log, or NULL */
	const char *partition, *comment, *network;	/* or NULL */
	struct sfab_place_who who;
};

/*
 * Report that a job runs: replace what was known about its id.  Node indices out of range are
 * skipped.  Unless SFAB_RUN_KNOWN is set, this commits the decision that was made for the job
 * and writes the decision log.  sfab_place_ranks() and sfab_place_comment() are about this job:
 * call them before any other function.
 */
void sfab_place_begin(struct sfab_place *p, const struct sfab_place_run *run);
/*
 * Return the ranks of the nodes of the job that just began, by node index: 0 is the first.
 * Nodes that are not the job's have any value.  NULL: keep Slurm's order, because RankOrder=no,
 * the job was not placed or has no SFAB_RUN_RANKS, or no better order was found in time.
 */
const uint32_t *sfab_place_ranks(const struct sfab_place *p);
/*
 * Write the AdminComment of the job that just began into @buf: @old (may be NULL) with our part
 * added or replaced, if the decision was made in mode on, and else removed.  1: it is written;
 * strlen(@old) + SFAB_COMMENT_MORE bytes are enough.  0: leave @old alone: there is nothing to
 * add or remove, AdminComment=no and the partition's mode is off, or there is no conf yet.
 * O(strlen(@old)).
 */
#define SFAB_COMMENT_MORE 1200
int sfab_place_comment(const struct sfab_place *p, const char *old, char *buf, size_t size);

/* Report that a job ended at @end_s, seconds since 1970; 0 or in the future: now. */
void sfab_place_end(struct sfab_place *p, uint32_t id, uint64_t end_s);
/*
 * Report that a run ended at @end_s, as above, or never began, and that its job is pending
 * again.
 */
void sfab_place_requeue(struct sfab_place *p, uint32_t id, uint64_t end_s);
/*
 * Report, for a preview, a job that ran until @end_s (seconds since 1970): the measurements may
 * still contain its load.  Call it before the running jobs are reported.
 */
void sfab_place_add_past_job(struct sfab_place *p, const struct sfab_place_run *run,
			     uint64_t end_s);
/* Report that a job was suspended.  @flags: SFAB_RUN_FREES_CPUS or 0. */
void sfab_place_suspend(struct sfab_place *p, uint32_t id, unsigned flags);
/* Report that a suspended job runs again. */
void sfab_place_resume(struct sfab_place *p, uint32_t id);
/* Report that a job gave node @node back and runs on. */
void sfab_place_shrink(struct sfab_place *p, uint32_t id, uint32_t node);

/* Return the number of jobs that hold nodes. */
uint32_t sfab_place_count_running(const struct sfab_place *p);

/*
 * Write the AdminComment of a job that is pending again into @buf: our part of @old becomes
 * "sfabric:requeued", because what it says about the run is outdated.  1: it is written; 0:
 * leave @old alone.
 */
int sfab_place_comment_requeued(const struct sfab_place *p, const char *old, char *buf,
				size_t size);

/* -- the question ------------------------------------------------------- */

/*
 * Properties of a job or of the question.  A kind that is always left to Slurm is the bit of
 * its reason.
 */
enum sfab_ask_flag {
	SFAB_ASK_TEST_ONLY = 1 << SFAB_STOCK_TEST_ONLY,
	SFAB_ASK_RESERVATION = 1 << SFAB_STOCK_RESERVATION,	/* not for a job */
	SFAB_ASK_FUTURE = 1 << SFAB_STOCK_FUTURE,		/* asks about a later time */
	SFAB_ASK_HET = 1 << SFAB_STOCK_HET,
	SFAB_ASK_LLN = 1 << SFAB_STOCK_LLN,
	SFAB_ASK_SPREAD = 1 << SFAB_STOCK_SPREAD,
	SFAB_ASK_SERIAL = 1 << SFAB_STOCK_SERIAL,		/* pack_serial_at_end applies */
	SFAB_ASK_BUSY_NODES = 1 << SFAB_STOCK_BUSY_NODES,	/* these are preferred */
	SFAB_ASK_SEGMENT = 1 << SFAB_STOCK_SEGMENT,
	SFAB_ASK_TOPOLOGY = 1 << SFAB_STOCK_TOPOLOGY,		/* packed into blocks or units */
	SFAB_ASK_GRES = 1 << SFAB_STOCK_GRES,			/* more than a number per node */
	SFAB_ASK_WHOLE_NODES = 1 << 16,
	SFAB_ASK_OVERCOMMIT = 1 << 17,
	SFAB_ASK_COUNT_MEMORY = 1 << 18,			/* memory is consumable */
	SFAB_ASK_CONTIGUOUS = 1 << 19,				/* neighbors in the node table */
	SFAB_ASK_FEW_CPUS = 1 << 20,				/* a limit counts the CPUs held */
	SFAB_ASK_ANY_CPUS = 1 << 21,				/* also those without whole tasks */
	/* either: of nodes that differ in size the job gets the smallest that will do */
	SFAB_ASK_SMALL_NODES = SFAB_ASK_FEW_CPUS | SFAB_ASK_WHOLE_NODES,
};
_Static_assert(SFAB_NKINDS <= 16, "kinds of jobs have the bits below the others");

enum sfab_node_flag {		/* state of a node when the question is asked */
	SFAB_NODE_USABLE = 1,	/* among the candidates, up, not completing */
	SFAB_NODE_IDLE = 2,	/* no job on it */
	SFAB_NODE_SHARE = 4,	/* its jobs share it with others */
	SFAB_NODE_REQUIRED = 8,	/* the job must have it */
};

struct sfab_ask {
	uint32_t id;					/* job id; for an array: the array's */
	unsigned flags;					/* enum sfab_ask_flag */
	uint32_t min_nodes, max_nodes, req_nodes;	/* as Slurm asks */
	uint32_t tasks, min_cpus;			/* 0: not given */
	uint32_t cpus_per_task, tasks_per_node;		/* 0: not given */
	uint32_t cpus_per_node;				/* --mincpus */
	uint32_t cores_per_socket, sockets_per_node;	/* at least; 0: not given */
	uint32_t tasks_per_socket, tasks_per_core;	/* at most; 0: any */
	uint32_t threads_per_core;			/* threads it uses per core; 0: all */
	uint64_t memory_mb;				/* per node or per CPU (next); 0: all */
	int memory_per_cpu;
	uint32_t switches;				/* leaf switches at most; 0: any number */
	uint64_t limit_s;				/* time limit; 0: none */
	const char *partition, *comment, *network;	/* or NULL */
	struct sfab_place_who who;
	uint32_t max_usable;				/* usable nodes, at most; 0: not counted */
	uint64_t allowed_cpus;				/* that its partition may still use; 0:
							   not counted */

	/* sets the arrays below, called once single nodes matter; NULL: they are set */
	void (*look)(void *context);
	void *context;
	const uint8_t *node;				/* [nodes] enum sfab_node_flag */
	const uint64_t *weight;				/* [nodes] sched_weight; NULL: all equal */
	const uint32_t *allowed;			/* [nodes] CPUs that its partition may
							   still use; NULL: all */
};

/*
 * Where should the job run?  Use the nodes only if the reason is SFAB_PLACED.  With
 * SFAB_STOCK_OBSERVE they are what would have been chosen, and with SFAB_STOCK_NO_CHOICE the
 * only ones possible.  The same job with the same usable nodes gets the same answer until a job
 * starts or ends.  Never NULL; borrowed until the next call.
 */
const struct sfab_decision *sfab_place_ask(struct sfab_place *p, const struct sfab_ask *ask);

/*
 * Ask again after Slurm refused the nodes of the last answer.  If the service computed the
 * number of nodes from tasks and CPUs, a larger set is returned, once.  NULL: use Slurm's own
 * nodes.
 */
const struct sfab_decision *sfab_place_ask_more(struct sfab_place *p, const struct sfab_ask *ask);

/* 1: sfabric.conf has Plans=spare, so plans of backfill may be changed. */
int sfab_place_conf_spares(const struct sfab_place *p);

/*
 * 1: if the job cannot start now, the nodes that Slurm plans for it may be exchanged:
 * Plans=spare, its mode is on, and routes are known.
 */
int sfab_place_may_spare(const struct sfab_place *p, const struct sfab_decision *d);

/* -- for the preview and for checks -------------------------------------- */

/* Return the generation (generation.h) in use; NULL: none. */
const struct sfab_generation *sfab_place_generation(const struct sfab_place *p);
/* Return the request of the last search; NULL: none. */
const struct sfab_request *sfab_place_request(const struct sfab_place *p);
/*
 * Set *@spec to a running job as the model sees it: its hosts, its share of their CPUs, and its
 * traffic, which is written to @traffic.  Borrowed until the next call.  -1: no such job, or no
 * generation.
 */
int sfab_place_job(struct sfab_place *p, uint32_t id, struct sfab_job *spec,
		   struct sfab_traffic *traffic);
/* Return the host of a node, or SFAB_NONE. */
uint32_t sfab_place_host(const struct sfab_place *p, uint32_t node);

struct sfab_place_counts {
	uint64_t asked, cached, searched;	/* questions */
	uint64_t generations;			/* snapshots taken into use */
	uint64_t reloaded;			/* jobs whose loads were recomputed for that */
};
/* Return what was counted so far.  It lives as long as @p. */
const struct sfab_place_counts *sfab_place_counts(const struct sfab_place *p);

#endif
