/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * devices.h - generic resources (GRES): which nodes have what a job wants
 *
 * We choose nodes, the stock plugin chooses the devices on them.  A node that
 * has too few free is no candidate; cores that devices are bound to are not
 * looked at here: the stock plugin refuses such nodes.
 */
#ifndef SFAB_SLURM_DEVICES_H
#define SFAB_SLURM_DEVICES_H

#include "plugin/slurm/glue.h"

/*
 * Does the job want so many on each node, and nothing that changes how many
 * nodes or CPUs it gets?  1 for a job that wants none.
 */
int devices_are_simple(const job_record_t *job);

/* Has the node all that such a job wants, free? */
int devices_fit(const job_record_t *job, const node_record_t *node);

#endif
