/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gres.h - generic resources (GRES): which nodes have what a job wants
 *
 * We choose nodes; the stock plugin chooses the devices on them.  A node with
 * too few free devices is no candidate.  Cores that are bound to devices are
 * not checked here: the stock plugin refuses such nodes.
 */
#ifndef SFAB_SLURM_GRES_H
#define SFAB_SLURM_GRES_H

#include "plugin/slurm/glue.h"

/*
 * Is it known how many each node must have, and does nothing of it change how many
 * nodes or CPUs the job gets?  So it is with a number for each node, and with one
 * for the job (--gpus, --gpus-per-task) that its number of nodes (-N) divides.
 * 1 for a job that wants no GRES.
 */
int gres_are_simple(const job_record_t *job);

/*
 * Has the node everything free that such a job wants?  @whole: a job that wants
 * whole nodes wants all that there is.
 */
int gres_fit(const job_record_t *job, const node_record_t *node, int whole);

#endif
