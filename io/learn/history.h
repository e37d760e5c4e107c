/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.h - what jobs sent, by who started them and what they were called
 *
 * `sfabric learn` finds out by the counters what a running job sends, and adds that here when
 * the job ends.  A new job without a hint is expected to send what earlier runs sent that share
 * a key with it.  The keys, most special first:
 *
 *     user, name, nodes     one input of one program
 *     user, name            a program
 *     user, account         what a user does for a project
 *     account
 *     partition
 *
 * The name counts without numbers (job_stem.h): run_01 and run_02.sh are one name.  A name of
 * numbers only is none.  Tasks of an array have one name, and each is a run: three tasks are
 * enough for a key to be trusted.
 *
 * How slurmctld and the commands use it:
 *
 *     struct sfab_history *h = sfab_history_load(path, trust, &err);
 *     struct sfab_history_facts job = { uid, name, account, partition, nodes };
 *     struct sfab_learned l;
 *
 *     if (no hint, no script && sfab_history_find(h, &job, now_s, &l))
 *             the job sends l.traffic, "learned from l.runs runs" of l.kind
 *
 * sfab_history_find() allocates nothing and does no I/O, so the hook may call it on a history
 * that the loader thread has read.  Parts of l.traffic may name an IO set that no longer
 * exists: treat them as those of a hint.
 *
 * A row keeps the traffic that its runs usually send and, apart from it, the traffic of recent
 * runs that sent something else.  So a name that is now and then used for something else still
 * tells what its runs usually send.  A program that changes is followed once the other traffic
 * has the larger weight (Misra and Gries, Sci. Comput. Program. 2, 1982, with two counters), or
 * as soon as its last three runs sent it, if the program was steady before.  When three runs in
 * a row sent more than the mean, or less, the mean moves two thirds of the way.
 *
 * Both are mean shares of each class, in which a run has the weight
 *
 *     2^-(age / 30 days)
 *
 * and about the last twelve runs count.  A key that many may share is trusted only if there are
 * several users and names among its last twelve runs.  The file is bounded: the rows that weigh
 * least are forgotten first.  The format is doc/learn-format.md.
 */
#ifndef SFAB_HISTORY_H
#define SFAB_HISTORY_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/fabric/fabric.h"
#include "core/load/traffic.h"
#include "io/file.h"

#define SFAB_HISTORY_NAME "history"
#define SFAB_HISTORY_MAGIC "SFABHIST"
#define SFAB_HISTORY_VERSION 3u
#define SFAB_HISTORY_ROWS_MAX 16384u	/* most rows: 7.1 MB of file and of memory */
/* Shares below this are noise, and no part of what is learned. */
#define SFAB_HISTORY_SHARE_MIN 0.01

enum sfab_history_kind {
	SFAB_BY_NAME_NODES,
	SFAB_BY_NAME,
	SFAB_BY_USER_ACCOUNT,
	SFAB_BY_ACCOUNT,
	SFAB_BY_PARTITION,
};
#define SFAB_HISTORY_KINDS 5

/* Return "user+name+nodes", "user+name", "user+account", "account" or "partition". */
const char *sfab_history_kind_name(enum sfab_history_kind kind);

/* What is known of a job before it runs; texts may be NULL. */
struct sfab_history_facts {
	uint32_t user;			/* uid */
	const char *name, *account, *partition;
	uint32_t nodes;			/* 0: not known */
};

struct sfab_history;			/* opaque */

/* What earlier runs of a key sent. */
struct sfab_learned {
	enum sfab_history_kind kind;
	struct sfab_traffic traffic;	/* mean; may have no part: sends nothing */
	uint32_t runs;			/* that sent this */
	double weight;			/* of these runs, now: runs less age */
	double usual;			/* 0..1: their part of the weight of all runs */
	double spread;			/* root of the summed variances of the shares */
	uint64_t last_s;		/* end of the last run, since 1970 */
};

/*
 * Make an empty history.  Keys are hashed with @salt, best a random number, so that the files
 * of two sites cannot be compared.  NULL: no memory.
 */
struct sfab_history *sfab_history_create(uint64_t salt);
void sfab_history_destroy(struct sfab_history *h);	/* NULL is fine */
/*
 * Return @h (NULL stays NULL) to one more owner; it is freed when all have destroyed it.  Not
 * atomic: one thread at a time shares and destroys.
 */
struct sfab_history *sfab_history_share(struct sfab_history *h);
uint32_t sfab_history_count(const struct sfab_history *h);	/* rows */

/*
 * 1: *@out is what the most special trusted key says; 0: no key is trusted, or @h is NULL.
 * O(log rows); of each text at most 1,024 bytes count.
 */
int sfab_history_find(const struct sfab_history *h,
		      const struct sfab_history_facts *job, uint64_t now_s,
		      struct sfab_learned *out);

/* A run that ended. */
struct sfab_history_run {
	/* on average */
	const struct sfab_traffic *sent;
	double weight;		/* 0..1, how sure that is */
	uint64_t end_s;
	uint64_t job, start_s;	/* Slurm's id; 0: not known, so it may be a repeat */
	int at_least;		/* 1: servers were full: it asked for this IO, or more */
};

/*
 * Add a run to the row of each key that the job has.  A run with at_least moves shares of IO
 * only up.  1: nothing changes, because the run (job and begin) is one of the last 8,192.
 * -1: SFAB_ENOMEM.  O(rows).
 */
int sfab_history_add(struct sfab_history *h, const struct sfab_history_facts *job,
		     const struct sfab_history_run *run, struct sfab_err *err);

/* A row, for display. */
struct sfab_history_row {
	struct sfab_learned learned;
	int trusted;			/* 1: sfab_history_find() would take it */
	uint32_t users, names;		/* how many there are among the last runs */
	int hashed;			/* 1: the texts are not kept; user and nodes are 0 */
	struct sfab_history_facts key;	/* texts borrowed; only what the kind has */
};
/* Return row @i at the time @now_s.  Rows are sorted by kind. */
struct sfab_history_row sfab_history_row(const struct sfab_history *h, uint32_t i,
					 uint64_t now_s);

/*
 * Forget all rows that have these facts; a NULL text, @user SFAB_NONE and nodes 0 fit every
 * row.  Rows without names (hashed) are compared by their keys, so all facts of the key are
 * needed to find them.  Return how many rows are gone.  Their runs stay remembered, and are not
 * added again, unless all rows were asked for.
 */
uint32_t sfab_history_forget(struct sfab_history *h,
			     const struct sfab_history_facts *which);

/*
 * Keep no names, users and node counts from now on, and erase those that are there: only hashed
 * keys are left.  They are found as before.  Whoever has the file can still check a guess.
 */
void sfab_history_hide_names(struct sfab_history *h);

/*
 * Set which fabric the history is of, by the sixteen lowest hashes of host names.  Routes and
 * cables may change, because shares are parts of a port's rate.  O(hosts).
 */
void sfab_history_adopt(struct sfab_history *h, const struct sfab_fabric *f);
/* Are at least half of these hashes those of @f, or was no fabric set?  O(hosts). */
int sfab_history_knows(const struct sfab_history *h, const struct sfab_fabric *f);

/* Encode as file content.  The caller frees *@buf. */
sfab_file_encode_fn sfab_history_encode;
/* Verify @buf completely.  SFAB_EFORMAT with what is wrong; SFAB_ENOMEM. */
sfab_file_decode_fn sfab_history_decode;

/* Replace @path, as sfab_file_write() does. */
int sfab_history_save(const struct sfab_history *h, const char *path, unsigned mode,
		      struct sfab_err *err);
/* Read and decode @path, as sfab_file_decode() does. */
struct sfab_history *sfab_history_load(const char *path,
				       const struct sfab_trust *trust,
				       struct sfab_err *err);

#endif
