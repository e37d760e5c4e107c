/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place.h - the placement service that slurmctld's hook and the preview ask
 *
 * The service makes all decisions, on plain arrays indexed by node:
 * which jobs are left to Slurm, how many nodes a job needs, which nodes it may
 * use, what it sends, the search, and the cache of decisions.  `sfabric place
 * --slurm` therefore runs the same code as the plugin.
 *
 * Order of calls: create; start (slurmctld) or take (preview); set_nodes; begin
 * for every running job; then ask, begin, end ... as things happen.  After
 * set_nodes all running jobs must be reported again.
 *
 * Threads: all calls come from one thread at a time; slurmctld's job write lock
 * ensures that.  After start() four threads of our own read sfabric.conf, read
 * the other files, write the log, and stop long searches.  They share with the
 * callers only what handoff.h, event_queue.h, logring.h and watchdog.h describe.
 * The calls below do no I/O and never wait.  Memory that they allocate belongs to
 * a running job or to the node table and is freed with it.
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
 * One line; called from any thread.  It may quote a file or a script: a callback
 * that writes it to a log must make it printable (core/utf8.h).
 */
typedef void sfab_place_log_fn(enum sfab_log_level level, const char *line);

/* Identifies the owner of a job to the site's script; strings may be NULL. */
struct sfab_place_who {
	const char *account, *qos, *name;
	uint32_t user;
};

#define SFAB_PLACE_TICK_MS 500

struct sfab_place_options {
	const char *conf_path;		/* sfabric.conf; copied */
	struct sfab_trust trust;	/* for every file */
	uint32_t tick_ms;	/* how often files are checked; 0: SFAB_PLACE_TICK_MS */
	sfab_place_log_fn *log;	/* NULL: silent */
};

/* Nothing is loaded yet, and no thread runs.  NULL with *err: out of memory. */
struct sfab_place *sfab_place_create(const struct sfab_place_options *o,
				     struct sfab_err *err);
/* Ends the threads; waits at most two seconds for each.  NULL is fine. */
void sfab_place_destroy(struct sfab_place *p);

/* Start the threads.  Files are read from now on. */
int sfab_place_start(struct sfab_place *p, struct sfab_err *err);
/*
 * For a preview, instead of start: use this snapshot and conf, and the script
 * that the conf names.  Takes over both, also on failure.
 */
int sfab_place_use_snapshot(struct sfab_place *p, struct sfab_snapshot *snap,
			    struct sfab_conf *conf, struct sfab_err *err);

/*
 * Measured load of the links of the fabric in use, for a preview.  Call it after
 * all running jobs were reported.  Takes over @ms; it is ignored if it belongs to
 * another fabric.
 */
void sfab_place_use_measured(struct sfab_place *p, struct sfab_measured *ms);

/* The nodes of slurm.conf by Slurm's node index; names are copied. */
struct sfab_place_node {
	const char *name;	/* NULL: no node at this index */
	uint32_t cpus;
	uint64_t memory_mb;
	uint32_t sockets, threads;	/* per node, and per core; 0: one */
};
/*
 * Forgets all decisions and running jobs.  With threads there is an exception: if
 * the table is the same as before, the jobs are kept.  The next question then
 * forgets those that were not reported again.  If many of them changed, jobs are left to Slurm
 * until the loader has caught up.  SFAB_ENOMEM.
 */
int sfab_place_set_nodes(struct sfab_place *p,
			 const struct sfab_place_node *node, uint32_t n,
			 struct sfab_err *err);

/* -- running jobs: every call may be repeated --------------------------- */

enum {
	SFAB_RUN_SUSPENDED = 1,		/* sends nothing */
	SFAB_RUN_FREES_CPUS = 2,	/* while suspended, other jobs may use its CPUs */
	SFAB_RUN_WHOLE_NODES = 4,	/* holds all CPUs of its nodes */
	SFAB_RUN_KNOWN = 8,		/* ran before: not a new decision, no log */
	SFAB_RUN_RANKS = 16,		/* its nodes may take ranks in another order */
};

struct sfab_place_run {
	uint32_t id;		/* of the running job */
	uint32_t asked_id;	/* the id that questions about it used */
	unsigned flags;		/* SFAB_RUN_* */
	uint32_t n;
	const uint32_t *node;	/* [n] node indices, no duplicates */
	const uint32_t *cpus;	/* [n] CPUs held; not read with WHOLE_NODES */
	const uint64_t *memory_mb;	/* [n]; NULL: memory is not counted */
	uint64_t start_s;	/* when it began, since 1970; 0: not known */
	uint64_t limit_s;	/* time limit; 0: none */
	const char *nodes;	/* the same nodes as text for the log, or NULL */
	const char *partition, *comment, *network;	/* or NULL */
	struct sfab_place_who who;
};

/*
 * A job runs; replaces what was known about its id.  Node indices out of range
 * are skipped.  Unless SFAB_RUN_KNOWN is set, this commits the decision that was
 * made for the job and writes the decision log.
 */
void sfab_place_begin(struct sfab_place *p, const struct sfab_place_run *run);
/*
 * Ranks of the nodes of the job that began last, by node index: 0 is the first.
 * NULL: as Slurm orders them, because RankOrder=no, the job was not placed or has no
 * SFAB_RUN_RANKS, or another order is no better or was not found in time.  Nodes
 * that are not the job's have any value.  Call it right after begin.
 */
const uint32_t *sfab_place_ranks(const struct sfab_place *p);
/* @end_s: seconds since 1970, as Slurm reports it; 0 or in the future: now. */
void sfab_place_end(struct sfab_place *p, uint32_t id, uint64_t end_s);
/* The same, and the job waits again: it was requeued, or its run never began. */
void sfab_place_requeue(struct sfab_place *p, uint32_t id, uint64_t end_s);
/*
 * A job ran until @end_s (seconds since 1970) and was never reported: the
 * measurements may still contain its load.  For a preview; call it before the
 * running jobs are reported.
 */
void sfab_place_add_past_job(struct sfab_place *p, const struct sfab_place_run *run,
			     uint64_t end_s);
/* @flags: SFAB_RUN_FREES_CPUS or 0. */
void sfab_place_suspend(struct sfab_place *p, uint32_t id, unsigned flags);
void sfab_place_resume(struct sfab_place *p, uint32_t id);
/* The job gave node @node back. */
void sfab_place_shrink(struct sfab_place *p, uint32_t id, uint32_t node);

/* Number of jobs that hold nodes. */
uint32_t sfab_place_count_running(const struct sfab_place *p);

/*
 * The new AdminComment for the job that began last: @old (may be NULL) with our
 * part replaced, added or, when we have nothing to say, removed.  1: @buf holds it
 * (@size = length of @old + SFAB_COMMENT_MORE is enough); 0: leave @old alone, also
 * because the site set AdminComment=no and the job's mode is off, or because there is no
 * conf yet.  O(strlen(@old)).  Call it right after begin.
 */
#define SFAB_COMMENT_MORE 1200
int sfab_place_comment(const struct sfab_place *p, const char *old, char *buf,
		       size_t size);

/*
 * The new AdminComment for a job that ran, or was about to run, and is pending
 * again: our part of @old becomes "sfabric:requeued", because what it says about
 * the run no longer holds.  1: @buf holds it; 0: leave @old alone.
 */
int sfab_place_comment_requeued(const struct sfab_place *p, const char *old, char *buf,
				size_t size);

/* -- the question ------------------------------------------------------- */

/*
 * Properties of a job, or of the question.  What is always left to Slurm has the bit of its
 * reason.
 */
enum {
	SFAB_ASK_TEST_ONLY = 1 << SFAB_STOCK_TEST_ONLY,
	SFAB_ASK_RESERVATION = 1 << SFAB_STOCK_RESERVATION,	/* not for a job */
	SFAB_ASK_FUTURE = 1 << SFAB_STOCK_FUTURE,	/* may not start now */
	SFAB_ASK_HET = 1 << SFAB_STOCK_HET,
	SFAB_ASK_LLN = 1 << SFAB_STOCK_LLN,
	SFAB_ASK_SPREAD = 1 << SFAB_STOCK_SPREAD,
	SFAB_ASK_SERIAL = 1 << SFAB_STOCK_SERIAL,	/* Slurm's pack_serial_at_end applies */
	SFAB_ASK_BUSY_NODES = 1 << SFAB_STOCK_BUSY_NODES,	/* these are preferred */
	SFAB_ASK_SEGMENT = 1 << SFAB_STOCK_SEGMENT,
	SFAB_ASK_TOPOLOGY = 1 << SFAB_STOCK_TOPOLOGY,	/* packed into blocks or units */
	SFAB_ASK_GRES = 1 << SFAB_STOCK_GRES,	/* more GRES than a number per node */
	SFAB_ASK_WHOLE_NODES = 1 << 16,
	SFAB_ASK_OVERCOMMIT = 1 << 17,
	SFAB_ASK_COUNT_MEMORY = 1 << 18,	/* memory is a consumable resource */
	SFAB_ASK_CONTIGUOUS = 1 << 19,	/* neighbors in the node table */
	SFAB_ASK_FEW_CPUS = 1 << 20,	/* CPUs count against a limit */
	SFAB_ASK_ANY_CPUS = 1 << 21,	/* CPUs count that hold no whole task */
	/* It gets the smallest nodes that will do: a whole node is all of its CPUs. */
	SFAB_ASK_SMALL_NODES = SFAB_ASK_FEW_CPUS | SFAB_ASK_WHOLE_NODES,
};
_Static_assert(SFAB_NKINDS <= 16, "kinds of jobs have the bits below the others");

enum {				/* state of a node when the question is asked */
	SFAB_NODE_USABLE = 1,	/* among the candidates, up, not completing */
	SFAB_NODE_IDLE = 2,	/* no job on it */
	SFAB_NODE_SHARE = 4,	/* its jobs share it with others */
	SFAB_NODE_REQUIRED = 8,	/* the job must have it */
};

struct sfab_ask {
	uint32_t id;		/* job id; for an array: the array's */
	unsigned flags;		/* SFAB_ASK_* */
	uint32_t min_nodes, max_nodes, req_nodes;	/* as Slurm asks */
	uint32_t tasks, min_cpus;	/* 0: not given */
	uint32_t cpus_per_task, tasks_per_node;		/* 0: not given */
	uint32_t cpus_per_node;		/* --mincpus */
	uint32_t cores_per_socket, sockets_per_node;	/* at least; 0: not given */
	uint32_t tasks_per_socket, tasks_per_core;	/* at most; 0: any */
	uint32_t threads_per_core;	/* threads it uses per core; 0: all */
	uint64_t memory_mb;		/* per node, or per CPU (next field); 0: all */
	int memory_per_cpu;
	uint32_t switches;	/* leaf switches at most; 0: any number */
	uint64_t limit_s;	/* time limit; 0: none */
	const char *partition, *comment, *network;	/* or NULL */
	struct sfab_place_who who;
	uint32_t max_usable;		/* nodes, at most; 0: not counted */
	uint64_t allowed_cpus;		/* most CPUs its partition may still use; 0: not
					   counted */

	/* called to set the members below when single nodes matter; NULL: they are set */
	void (*look)(void *context);
	void *context;
	const uint8_t *node;		/* [nodes] SFAB_NODE_* */
	const uint64_t *weight;		/* [nodes] sched_weight; NULL: all equal */
	const uint32_t *allowed;	/* [nodes] CPUs that its partition may still use;
					   NULL: all */
};

/*
 * Where should the job run?  Use the nodes only if the reason is SFAB_PLACED.
 * With SFAB_STOCK_OBSERVE they are what would have been chosen, and with
 * SFAB_STOCK_NO_CHOICE the only ones possible.  Never NULL.  Borrowed: valid until the next
 * call.  The same job with the same usable nodes gets the same answer until a job
 * starts or ends.
 */
const struct sfab_decision *sfab_place_ask(struct sfab_place *p,
					   const struct sfab_ask *ask);

/*
 * Slurm refused the nodes of the last answer.  If the service computed the number
 * of nodes from tasks and CPUs, this returns a larger set, once.  NULL: use Slurm's
 * own nodes.
 */
const struct sfab_decision *sfab_place_ask_more(struct sfab_place *p,
						const struct sfab_ask *ask);

/* 1: sfabric.conf has Plans=spare.  0: no plan of Slurm's is looked at. */
int sfab_place_conf_spares(const struct sfab_place *p);

/*
 * 1: if the job cannot start now, the nodes planned for it may differ from
 * Slurm's: Plans=spare, its mode is on and routes are known.
 */
int sfab_place_may_spare(const struct sfab_place *p, const struct sfab_decision *d);

/* -- for the preview and for checks -------------------------------------- */

/*
 * The generation (generation.h) in use, and the request of the last search; NULL:
 * none.
 */
const struct sfab_generation *sfab_place_generation(const struct sfab_place *p);
const struct sfab_request *sfab_place_request(const struct sfab_place *p);
/*
 * A running job as the model sees it: its hosts, its share of their CPUs, and its
 * traffic, which is written to @traffic.  Borrowed until the next call.  -1: no
 * such job, or no generation.
 */
int sfab_place_job(struct sfab_place *p, uint32_t id, struct sfab_job *job,
		   struct sfab_traffic *traffic);
/* Host of a node, or SFAB_NONE. */
uint32_t sfab_place_host(const struct sfab_place *p, uint32_t node);

struct sfab_place_counts {
	uint64_t asked, cached, searched;	/* questions */
	uint64_t generations;	/* snapshots taken into use */
	uint64_t reloaded;	/* jobs whose loads were recomputed for that */
};
const struct sfab_place_counts *sfab_place_counts(const struct sfab_place *p);

#endif
