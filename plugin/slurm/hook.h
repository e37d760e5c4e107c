/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hook.h - the symbols that Slurm's loader looks for in this plugin
 *
 * slurmctld calls select_p_*() with its job write lock held, so no two run at once;
 * select_p_reconfigure() may come with the write lock of the configuration instead.
 * init() and fini(), also of clients and slurmd, run without.
 */
#ifndef SFAB_SLURM_HOOK_H
#define SFAB_SLURM_HOOK_H

#include "plugin/slurm/glue.h"

int init(void);
int fini(void);
int select_p_node_init(void);
int select_p_job_test(GLUE_TEST_PARAMETERS);
int select_p_reconfigure(void);
int select_p_job_begin(job_record_t *job);
int select_p_job_fini(job_record_t *job);
int select_p_job_suspend(job_record_t *job, bool by_hand);
int select_p_job_resume(job_record_t *job, bool by_hand);
int select_p_job_resized(job_record_t *job, node_record_t *node);
int select_p_job_expand(job_record_t *from, job_record_t *to);

#endif
