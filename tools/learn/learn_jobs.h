/* SPDX-License-Identifier: GPL-2.0-or-later */
/* learn_jobs.h - the running jobs for the learner, from Slurm or from a file */
#ifndef SFAB_LEARN_JOBS_H
#define SFAB_LEARN_JOBS_H

#include "core/err.h"
#include "tools/learn/learner.h"
#include "tools/site/joblist.h"
#include "tools/slurm/cluster.h"

struct learn_jobs {
	uint32_t n;
	struct learner_job *job;	/* by id; the learner takes them over */
};

/*
 * Running and suspended jobs, asked with scontrol.  Nodes that the fabric does not have
 * are left out.  -1 with *err: nothing is known, which does not mean that no job runs.
 */
int learn_jobs_ask(struct learn_jobs *jobs, const struct sfab_fabric *f,
		   struct sfab_err *err);
/* From the file of --jobs, which knows neither names nor times. */
int learn_jobs_read(struct learn_jobs *jobs, const char *path,
		    const struct sfab_fabric *f, const struct sfab_conf *conf,
		    struct sfab_err *err);
void learn_jobs_free(struct learn_jobs *jobs, int with_jobs);	/* twice is fine */

#endif
