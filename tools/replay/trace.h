/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.h - the jobs that a cluster ran, from `sacct -P`
 *
 * Columns are in any order.  Submit, NNodes, and Elapsed or ElapsedRaw are needed; Timelimit,
 * State and JobID are used if they are there.
 *
 * Jobs that never ran, or whose run time is not known yet, are counted as skipped, rows of
 * sacct that cannot be right as bad.  Anything else that is not such a record is an error
 * "FILE:LINE: ...".
 */
#ifndef SFAB_REPLAY_TRACE_H
#define SFAB_REPLAY_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "io/readers/sacct.h"

#define TRACE_NODES_MAX 10000000u
#define TRACE_TIME_MAX 1e11		/* seconds */

struct trace_job {
	double submit;		/* seconds, any origin */
	double run;		/* > 0 */
	double limit;		/* 0: not known */
	uint32_t nodes;		/* >= 1 */
};

struct trace {
	uint32_t n;
	struct trace_job *job;		/* sorted by submit time once read */
	uint32_t skipped;
	struct sfab_sacct_bad bad;	/* rows of sacct that cannot be right */
};

/*
 * Read a file, which may be gzipped ("-": standard input).  SFAB_EFORMAT also for a log without
 * any job.
 */
int trace_read(struct trace *t, const char *path, struct sfab_err *err);
void trace_free(struct trace *t);		/* twice is fine */

/* Read the log from memory; @text has a NUL after @size bytes. */
int trace_parse(struct trace *t, const char *name, const char *text, size_t size,
		struct sfab_err *err);

/* Add a job; for generators of traces. */
void trace_add(struct trace *t, const struct trace_job *job);

/* -- lublin.c: jobs of a model instead ----------------------------------------- */

/* Make @njobs jobs for a machine of @nodes nodes.  SFAB_EINVAL: fewer than 8 nodes. */
int trace_make_lublin(struct trace *t, uint32_t nodes, uint32_t njobs, uint64_t seed,
		      struct sfab_err *err);

#endif
