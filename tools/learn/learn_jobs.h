/* SPDX-License-Identifier: GPL-2.0-or-later */
/* learn_jobs.h - the running jobs for the learner, from Slurm or from a file */
#ifndef SFAB_LEARN_JOBS_H
#define SFAB_LEARN_JOBS_H

#include "core/err.h"
#include "tools/learn/learner.h"
#include "tools/site/joblist.h"
#include "tools/slurm/cluster.h"

/*
 * Ask scontrol for the running and suspended jobs, sorted by id, for learner_sample(), which
 * takes them over.  Nodes that the fabric does not have are left out.  NULL with *err: Slurm
 * did not answer, which does not mean that no job runs.
 */
struct learner_job *learn_jobs_ask(const struct sfab_fabric *f, uint32_t *n, struct sfab_err *err);

/* Read the running jobs from the file of --jobs, which has neither names nor times. */
struct learner_job *learn_jobs_read(const char *path, const struct sfab_fabric *f,
				    const struct sfab_conf *conf, uint32_t *n,
				    struct sfab_err *err);

#endif
