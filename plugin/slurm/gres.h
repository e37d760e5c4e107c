/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gres.h - generic resources (GRES): which nodes have what a job wants
 *
 * We choose nodes; the stock plugin chooses the devices on them.  A node with too few free
 * devices is no candidate.  Cores that are bound to devices are not checked here: the stock
 * plugin refuses such nodes.
 */
#ifndef SFAB_SLURM_GRES_H
#define SFAB_SLURM_GRES_H

#include "plugin/slurm/glue.h"

/*
 * 1: it is known how many devices each node must have, and they do not change how many nodes or
 * CPUs the job gets.  That holds for a number per node, for a number for the job (--gpus,
 * --gpus-per-task) that its number of nodes (-N) divides, and for a job without GRES.
 */
int gres_are_simple(const job_record_t *job);

/*
 * Are the devices that such a job wants free on the node?  @whole_nodes: the job wants whole
 * nodes, so all devices of the node must be free.
 */
int gres_are_free(const job_record_t *job, const node_record_t *node, int whole_nodes);

#endif
