/* SPDX-License-Identifier: GPL-2.0-or-later */
/* blocks.h - which topologies of Slurm consist of blocks */
#ifndef SFAB_SLURM_BLOCKS_H
#define SFAB_SLURM_BLOCKS_H

/*
 * Is the topology of that name (NULL: the cluster's default) one of blocks?
 * @text is what `scontrol show topoconf` prints from 25.05 on, topology.yaml as
 * slurmctld understood it.  -1: @text names no such topology.
 */
int blocks_in_topology(const char *text, const char *name);

#endif
