/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * joblist.h - running jobs from a text file (--jobs)
 *
 *     # ID HOSTLIST [TRAFFIC]
 *     1234 c[001-016] mpi=0.4
 *     1235 c[020,022-024] io-write@scratch=0.3+mpi
 *
 * '#' starts a comment.  Without TRAFFIC the job has the site's default.
 */
#ifndef SFAB_JOBLIST_H
#define SFAB_JOBLIST_H

#include <stdint.h>

#include "../core/err.h"
#include "../core/jobs.h"
#include "site.h"

/*
 * Add the jobs of @path ('-': standard input) to @js and flag their hosts in
 * @busy ([nhosts]).  -1 with *err "FILE:LINE: ...".
 */
int joblist_read(const char *path, const struct site *site,
		 struct sfab_jobs *js, uint8_t *busy, struct sfab_err *err);

#endif
