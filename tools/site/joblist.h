/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * joblist.h - running jobs, from a text file (--jobs) or from Slurm
 *
 *     # ID HOSTLIST [TRAFFIC [USER]]
 *     1234 c[001-016] mpi=0.4
 *     1235 c[020,022-024] io-write@scratch=0.3+mpi alice
 *     1236 c025 - bob
 *
 * Each id may appear once (looked for in O(jobs) at each line).  '#' starts a comment.  A job
 * without TRAFFIC, or with "-", has the site's default.
 */
#ifndef SFAB_JOBLIST_H
#define SFAB_JOBLIST_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/load/jobs.h"
#include "io/conf/conf.h"

struct joblist_job {
	uint64_t id;
	unsigned line;			/* line in the file */
	uint32_t n;
	uint32_t *host;			/* [n] ascending host ids */
	double *cpus;			/* [n] the job's share of each host, or NULL: 1 */
	struct sfab_traffic traffic;
	int has_default_traffic;	/* no TRAFFIC given: the conf's default */
	int suspended;			/* sends nothing */
	char *user;			/* NULL: not known */
};

struct joblist {
	char *name;		/* name of the file */
	uint32_t n;
	struct joblist_job *job;
};

/*
 * Read the file @path ('-': standard input), which may be gzipped.  -1 with *err "FILE:LINE:
 * ..." and nothing left to free.
 */
int joblist_read(struct joblist *l, const char *path, const struct sfab_fabric *f,
		 const struct sfab_conf *conf, struct sfab_err *err);
/*
 * Read the list from memory.  @name is for messages.  Take over @text (from malloc), also on
 * failure.
 */
int joblist_parse(struct joblist *l, const char *name, char *text, const struct sfab_fabric *f,
		  const struct sfab_conf *conf, struct sfab_err *err);

/* Add a job; @host is taken over, the rest is copied. */
struct joblist_job *joblist_add_take(struct joblist *l, uint64_t id, uint32_t *host, uint32_t n,
				     const struct sfab_traffic *traffic);

/* The job of the id in @text, or NULL with *err (SFAB_ENOENT). */
const struct joblist_job *joblist_find(const struct joblist *l,
				       const char *text, struct sfab_err *err);

/* The job in the form of the model; its arrays are borrowed. */
struct sfab_job joblist_spec(const struct joblist_job *job);

/* Add all jobs of the list to @js.  -1 with *err "FILE:LINE: ...": an id is already running. */
int joblist_start(const struct joblist *l, struct sfab_jobs *js, struct sfab_err *err);
void joblist_free(struct joblist *l);		/* twice is fine */

#endif
