/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place.h - the placement service that slurmctld's hook and the preview ask
 *
 * Everything that decides lives behind this header, in terms of plain arrays
 * by node index, so that `sfabric place --slurm` runs the very code that the
 * plugin runs: which jobs are left to Slurm, how many nodes a job needs, which
 * nodes may be taken, what it sends, the search, and the memory of answers.
 *
 * Order of calls: create; start (slurmctld) or take (preview); set_nodes; begin
 * for every running job; then ask, begin, end ... as things happen.  After
 * set_nodes all running jobs must be told again.
 *
 * Threads: all calls come from one thread at a time (slurmctld's job write
 * lock sees to that).  After start() four threads of our own read sfabric.conf,
 * read the other files, write the log and stop long searches; they share with the callers only what
 * handoff.h, logring.h and watchdog.h say.  The calls below do no I/O and wait
 * for nothing; what they allocate belongs to a running job or to the node
 * table and is freed with it.
 */
#ifndef SFAB_PLACE_H
#define SFAB_PLACE_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/load/measured.h"
#include "core/load/traffic.h"
#include "core/search/score.h"
#include "core/search/search.h"
#include "io/conf/conf.h"
#include "io/snapshot/snapshot.h"
#include "lua/policy.h"
#include "place/request/reason.h"

struct sfab_place;		/* opaque */
struct sfab_world;		/* generation.h: fabric, tables, conf; immutable */

enum sfab_place_level { SFAB_LOG_ERROR, SFAB_LOG_INFO, SFAB_LOG_DEBUG };
/*
 * One line; called from any thread.  It may quote a file or a script: whoever
 * writes it to a log makes it printable (core/utf8.h).
 */
typedef void sfab_place_log(enum sfab_place_level level, const char *line);

/* Whose a job is, for the site's script; texts may be NULL. */
struct sfab_place_who {
	const char *account, *qos, *name;
	uint32_t user;
};

/* A pending job, as it is now; texts hold until the question is answered. */
struct sfab_place_waiting {
	uint32_t asked_id;	/* the id under which it is asked for */
	uint32_t tier;		/* PriorityTier of its partition */
	uint32_t priority;
	uint32_t nodes;		/* that Slurm thinks it needs */
	uint64_t limit_s;	/* how long it may run; 0: any time */
	const char *partition, *comment, *network;	/* or NULL */
	struct sfab_place_who who;
};
/* 1: job @id waits for nodes, *@w is set; 0: it does not, or not for nodes. */
typedef int sfab_place_is_waiting(void *context, uint32_t id,
				  struct sfab_place_waiting *w);

struct sfab_place_options {
	const char *conf_path;		/* sfabric.conf; copied */
	struct sfab_trust trust;	/* for every file */
	uint32_t tick_ms;	/* how often files are looked at; 0: the next */
#define SFAB_PLACE_TICK_MS 500
	sfab_place_log *log;	/* NULL: silent */
	sfab_place_is_waiting *waiting;	/* NULL: nobody looks ahead */
	void *context;		/* for waiting */
};

struct sfab_place *sfab_place_create(const struct sfab_place_options *o,
				     struct sfab_err *err);
/* Ends the threads (waits at most two seconds for each).  NULL is fine. */
void sfab_place_destroy(struct sfab_place *p);

/* Start the threads.  Files are read from now on. */
int sfab_place_start(struct sfab_place *p, struct sfab_err *err);
/*
 * Instead of start: use these two, and the script that the conf names.  Takes
 * over both, also on failure.
 */
int sfab_place_take(struct sfab_place *p, struct sfab_snapshot *snap,
		    struct sfab_conf *conf, struct sfab_err *err);

/*
 * What the links of the fabric in use carry, for a preview: to be called when
 * all running jobs are told.  Takes over @ms; one of another fabric is no use.
 */
void sfab_place_measured_take(struct sfab_place *p, struct sfab_measured *ms);

/* The nodes of slurm.conf by Slurm's node index; names are copied. */
struct sfab_place_node {
	const char *name;	/* NULL: no node at this index */
	uint32_t cpus;
	uint64_t memory_mb;
};
/*
 * Forgets all answers and running jobs; with the table of before, it is the next
 * question that forgets those that were not told again, and with threads jobs are
 * left to Slurm for a moment if many are others than before.  SFAB_ENOMEM.
 */
int sfab_place_set_nodes(struct sfab_place *p,
			 const struct sfab_place_node *node, uint32_t n,
			 struct sfab_err *err);

/* -- running jobs: every call may come twice ---------------------------- */

enum {
	SFAB_RUN_SUSPENDED = 1,		/* sends nothing */
	SFAB_RUN_FREES_CPUS = 2,	/* and its CPUs may be used by others */
	SFAB_RUN_WHOLE_NODES = 4,	/* holds all CPUs of its nodes */
	SFAB_RUN_KNOWN = 8,		/* ran before: not a new decision, no log */
};

struct sfab_place_run {
	uint32_t id;		/* of the running job */
	uint32_t asked_id;	/* the id under which it was asked for */
	unsigned flags;		/* SFAB_RUN_* */
	uint32_t n;
	const uint32_t *node;	/* [n] node indices, no doubles */
	const uint32_t *cpus;	/* [n] CPUs held; not read for whole nodes */
	const uint64_t *memory_mb;	/* [n], NULL: none counted */
	uint64_t start_s;	/* when it began, since 1970; 0: not known */
	uint64_t limit_s;	/* how long it may run; 0: any time */
	const char *nodes;	/* the same as text for the log, or NULL */
	const char *partition, *comment, *network;	/* or NULL */
	struct sfab_place_who who;
};

/*
 * A job runs; replaces what was known of its id.  Node indices out of range
 * are left out.  Unless SFAB_RUN_KNOWN this commits the decision that was made
 * for it and writes the decision log.
 */
void sfab_place_begin(struct sfab_place *p, const struct sfab_place_run *run);
/* @end_s, since 1970, as Slurm tells others of it; 0, or to come: now. */
void sfab_place_end(struct sfab_place *p, uint32_t id, uint64_t end_s);
/*
 * A job that ran until @end_s (seconds since 1970), of which nobody told: its
 * load may stand in what is measured.  For a preview; before the running jobs.
 */
void sfab_place_ended(struct sfab_place *p, const struct sfab_place_run *run,
		      uint64_t end_s);
/* @flags: SFAB_RUN_FREES_CPUS or 0. */
void sfab_place_suspend(struct sfab_place *p, uint32_t id, unsigned flags);
void sfab_place_resume(struct sfab_place *p, uint32_t id);
/* It gave node @node back. */
void sfab_place_shrink(struct sfab_place *p, uint32_t id, uint32_t node);

uint32_t sfab_place_running(const struct sfab_place *p);

/*
 * 1: sfab_place_comment() may be asked about the job that began last; 0: its
 * AdminComment is none of our business, for the site said AdminComment=no and
 * its mode is off, or there is no conf yet.  To be called right after begin.
 */
int sfab_place_comments(const struct sfab_place *p);

/*
 * What the job that began last should have as its AdminComment: @old (may be
 * NULL) with our part replaced, added or, when we have nothing to say, taken
 * away.  1: @buf holds it (SFAB_COMMENT_MORE bytes longer than @old will do);
 * 0: leave @old alone.  O(strlen(@old)).  To be called right after begin.
 */
#define SFAB_COMMENT_MORE 1200
int sfab_place_comment(const struct sfab_place *p, const char *old, char *buf,
		       size_t size);

/*
 * What a job that ran, or was to run, and waits again should have: its part of
 * @old says "sfabric:requeued", for what it said of a run holds no longer.  1:
 * @buf holds it; 0: leave @old alone.
 */
int sfab_place_requeued(const struct sfab_place *p, const char *old, char *buf,
			size_t size);

/* -- pending jobs --------------------------------------------------------- */

/*
 * Job @id waits: what it is will be asked (sfab_place_options.waiting) when a
 * search looks ahead.  May come as often as one likes; the last 256 in order of
 * their starts are kept.  A search looks at the first SFAB_QUEUE_MAX.
 */
void sfab_place_wait(struct sfab_place *p, uint32_t id, uint32_t tier,
		     uint32_t priority);
/* None waits. */
void sfab_place_forget_waits(struct sfab_place *p);

/* -- the question ------------------------------------------------------- */

enum {				/* what a job, or the question, is */
	SFAB_ASK_TEST_ONLY = 1 << 0,
	SFAB_ASK_RESERVATION = 1 << 1,	/* a question of a reservation */
	SFAB_ASK_FUTURE = 1 << 2,	/* may not start now */
	SFAB_ASK_HET = 1 << 3,
	SFAB_ASK_LLN = 1 << 4,
	SFAB_ASK_SPREAD = 1 << 5,
	SFAB_ASK_SERIAL = 1 << 6,	/* pack_serial_at_end takes it */
	SFAB_ASK_BUSY_NODES = 1 << 7,	/* allocated nodes are preferred */
	SFAB_ASK_SEGMENT = 1 << 8,
	SFAB_ASK_GRES = 1 << 9,		/* more of it than so many on a node */
	SFAB_ASK_WHOLE_NODES = 1 << 10,
	SFAB_ASK_OVERCOMMIT = 1 << 11,
	SFAB_ASK_COUNT_MEMORY = 1 << 12,	/* memory is a resource here */
	SFAB_ASK_CONTIGUOUS = 1 << 13,	/* neighbors in the node table */
	SFAB_ASK_FEW_CPUS = 1 << 14,	/* CPUs count against a limit */
};

enum {				/* a node at the time of the question */
	SFAB_NODE_USABLE = 1,	/* among the candidates, up, not completing */
	SFAB_NODE_IDLE = 2,	/* no job on it */
	SFAB_NODE_SHARE = 4,	/* jobs on it let others in */
	SFAB_NODE_REQUIRED = 8,	/* the job must have it */
};

struct sfab_ask {
	uint32_t id;		/* job id; of an array: the array's */
	unsigned flags;		/* SFAB_ASK_* */
	uint32_t min_nodes, max_nodes, req_nodes;	/* as Slurm asks */
	uint32_t tasks, min_cpus;	/* 0: not said */
	uint32_t cpus_per_task, tasks_per_node;		/* 0: not said */
	uint32_t cpus_per_node;		/* --mincpus */
	uint32_t cores_per_socket, sockets_per_node;	/* at least; 0: not said */
	uint32_t tasks_per_socket, tasks_per_core;	/* at most; 0: any */
	uint32_t threads_per_core;	/* of its cores that it uses; 0: all */
	uint64_t memory_mb;		/* a node, or a CPU if so said; 0: all */
	int memory_per_cpu;
	uint32_t switches;	/* leaf switches at most; 0: any number */
	uint64_t limit_s;	/* how long it may run; 0: any time */
	const char *partition, *comment, *network;	/* or NULL */
	struct sfab_place_who who;
	uint32_t candidates;		/* nodes there are at most; 0: not counted */

	/* called where single nodes matter, to set what follows; NULL: it is set */
	void (*look)(void *context);
	void *context;
	const uint8_t *node;		/* [nodes] SFAB_NODE_* */
	const uint64_t *weight;		/* [nodes] sched_weight; NULL: all one */
	const uint16_t *sockets, *threads;	/* [nodes] of a node, of a core; */
						/* NULL: one */
	const uint32_t *allowed;	/* [nodes] CPUs that its partition may have */
					/* yet; NULL: all */
};

struct sfab_decision {
	uint32_t id;
	enum sfab_mode mode;
	enum sfab_reason reason;
	uint32_t n;		/* nodes chosen, 0 if nothing was */
	const uint64_t *node;	/* bit set by node index, valid if n > 0 */
	int scored;		/* a search found them: what follows holds */
	const uint64_t *candidate;	/* bit set: nodes it chose among, */
	const uint64_t *required;	/* those that had to be in */
	double cpus;		/* part of their CPUs that the job will hold; */
	const float *each_cpus;	/* by node index; NULL: the same on all */
	struct sfab_traffic traffic;
	double weights[SFAB_NTERMS];	/* of the score, if there was a search */
	unsigned says;		/* SFAB_SAYS_*: what the script decided */
	enum sfab_hint hint;	/* WRONG: hint_text says why */
	char hint_text[160];	/* printable */
	struct sfab_score score;
	uint32_t steps;
	uint64_t fingerprint;	/* of the snapshot, 0: none */
};

/*
 * Where should the job run?  The answer's nodes count only if its reason is
 * SFAB_PLACED; in mode observe they are what would have been done, and where
 * there is no choice those that there are.  Borrowed:
 * valid until the next call.  Never NULL.  The same job with the same usable
 * nodes gets the same answer until a job starts or ends.
 */
const struct sfab_decision *sfab_place_ask(struct sfab_place *p,
					   const struct sfab_ask *ask);

/*
 * Slurm did not take the nodes of the last answer: a larger set, once, for a
 * job whose count was worked out; or NULL, and then Slurm's own.
 */
const struct sfab_decision *sfab_place_more(struct sfab_place *p,
					    const struct sfab_ask *ask);

/*
 * 1: nodes that are planned for this job, because it cannot start now, may be
 * others than Slurm's of the same kind: mode on, and there are routes to go by.
 */
int sfab_place_plans(const struct sfab_place *p, const struct sfab_decision *d);

static inline int sfab_decision_has(const struct sfab_decision *d, uint32_t node)
{
	return d->n && (d->node[node / 64] >> (node % 64) & 1);
}

/* -- for the preview and for checks -------------------------------------- */

/* The world in use and the request of the last search; NULL: none. */
const struct sfab_world *sfab_place_world(const struct sfab_place *p);
const struct sfab_request *sfab_place_request(const struct sfab_place *p);
/* Scratch and running jobs that belong to that world; NULL: none. */
struct sfab_scorer *sfab_place_scorer(struct sfab_place *p);
struct sfab_jobs *sfab_place_jobs(struct sfab_place *p);
/*
 * What a running job is to the model: its hosts, their part of the CPUs, and
 * what it sends, which goes to @traffic.  Borrowed until the next call.  -1: no
 * such job, or no world.
 */
int sfab_place_job(struct sfab_place *p, uint32_t id, struct sfab_spec *spec,
		   struct sfab_traffic *traffic);
/* Host of a node, or SFAB_NONE. */
uint32_t sfab_place_host(const struct sfab_place *p, uint32_t node);

struct sfab_place_counts {
	uint64_t asked, cached, searched, placed, stopped, refused;
	uint64_t reason[SFAB_NREASONS];
	uint64_t log_lost;	/* decision log lines that found no room */
	uint64_t worlds;	/* snapshots taken into use */
	uint64_t reloaded;	/* jobs whose loads were found anew for that */
	uint64_t rules_asked, rules_failed;	/* questions to its script */
};
void sfab_place_counts(const struct sfab_place *p, struct sfab_place_counts *c);

#endif
