/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * found_traffic.h - traffic.snap: what the running jobs send, found out by counters
 *
 * `sfabric learn` writes it after each new counters.snap.  The model counts a running job with
 * the traffic found for it, whatever its hint said:
 *
 *     const struct sfab_found_job *j = sfab_found_job(found, job_id);
 *
 *     if (j && sfab_found_is_usable(found, j, now_s))
 *             sfab_found_believe(j, &j->latest, &traffic);
 *
 * where traffic was that of the hint, or what else was expected: what was found counts by its
 * confidence.  Weights are parts of the job's time, as those of hints.  A job that does not fit
 * (SFAB_FOUND_MISFIT) sends a pattern that is none of ours; its shares of IO and of the rest
 * are still the best known.  The format is doc/learn-format.md.
 */
#ifndef SFAB_FOUND_TRAFFIC_H
#define SFAB_FOUND_TRAFFIC_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/load/traffic.h"
#include "io/file.h"

#define SFAB_FOUND_NAME "traffic.snap"
#define SFAB_FOUND_MAGIC "SFABTRAF"
#define SFAB_FOUND_VERSION 3u
#define SFAB_FOUND_JOBS_MAX 65536u		/* most jobs in a file */
#define SFAB_FOUND_OLD_S 300u		/* after this time without a sample, what was
					   found no longer counts */
#define SFAB_FOUND_SURE 0.5		/* confidence from which a job's log line has it */

enum sfab_found_flag {
	SFAB_FOUND_MISFIT = 1,		/* no mix of our classes explains its counters */
	SFAB_FOUND_FEW = 2,		/* its IO goes to a few servers of the set */
	SFAB_FOUND_AT_LEAST = 4,	/* its servers were full at all samples: it asks for
					   this much IO, or for more */
	SFAB_FOUND_ALIKE = 8,		/* other jobs on its hosts may have sent it: only the sum
					   of all is known */
};
#define SFAB_FOUND_FLAGS 15u

struct sfab_found_job {
	uint32_t id;			/* as Slurm numbers the running job; first, to sort by it */
	unsigned flags;			/* enum sfab_found_flag */
	uint32_t samples;		/* how many counters.snap it was found from */
	uint32_t exact;			/* samples at which its servers were not full */
	uint64_t start_s;		/* when the job began, since 1970 */
	uint64_t time_s;		/* of the last sample */
	double residual;		/* 0..1: the part of its counters left unexplained */
	double confidence;		/* 0..1 */
	struct sfab_traffic latest;	/* at the last sample */
	struct sfab_traffic mean;	/* over its samples; same parts as latest */
};

struct sfab_found {
	uint64_t time_ms;		/* of the counters, since 1970 */
	uint64_t fingerprint;		/* of the snapshot whose routes were used */
	double followed;		/* 0..1: the part of the measured bytes that is where the
					   tables say (estimate.h); < 0: not known */
	unsigned sharers;		/* further owners, each of which destroys it */
	uint32_t n;
	struct sfab_found_job job[];	/* by id */
};

/* Make found traffic of @n jobs, all zero.  NULL: no memory. */
struct sfab_found *sfab_found_create(uint32_t n);
void sfab_found_destroy(struct sfab_found *f);		/* NULL is fine */
/* Return @f (NULL stays NULL) to one more owner, as sfab_history_share() does. */
struct sfab_found *sfab_found_share(struct sfab_found *f);

/* Find the job of that id, or NULL.  @f may be NULL.  O(log jobs). */
const struct sfab_found_job *sfab_found_job(const struct sfab_found *f, uint32_t id);
/*
 * Does @f (may be NULL) say that less than @percent of the measured bytes are where the tables
 * of that snapshot say?
 */
int sfab_found_strays(const struct sfab_found *f, uint64_t fingerprint, uint32_t percent);
/* Is what was found for @j young enough to be used, and not empty? */
int sfab_found_is_usable(const struct sfab_found *f, const struct sfab_found_job *j,
			 uint64_t now_s);
/*
 * Set @t, the traffic that was expected, to its mean with @found, weighted by the confidence of
 * @j.  @found is of the job, and all its IO sets exist.  For SFAB_FOUND_ALIKE it counts in
 * full, because the sum is known.
 */
void sfab_found_believe(const struct sfab_found_job *j, const struct sfab_traffic *found,
			struct sfab_traffic *t);
/* Encode as file content, with jobs in ascending order.  The caller frees *@buf. */
sfab_file_encode_fn sfab_found_encode;
/* Verify @buf completely.  SFAB_EFORMAT with what is wrong; SFAB_ENOMEM. */
sfab_file_decode_fn sfab_found_decode;

/* Replace @path, as sfab_file_write() does. */
int sfab_found_save(const struct sfab_found *f, const char *path, unsigned mode,
		    struct sfab_err *err);
/* Read and decode @path, as sfab_file_decode() does. */
struct sfab_found *sfab_found_load(const char *path, const struct sfab_trust *trust,
				   struct sfab_err *err);

#endif
