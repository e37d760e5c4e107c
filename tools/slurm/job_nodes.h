/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_nodes.h - which nodes a job may, must and must not have */
#ifndef SFAB_JOB_NODES_H
#define SFAB_JOB_NODES_H

#include "tools/slurm/job_ask.h"

/* Set a->node_is, all but reservations, and how many nodes -w names. */
int job_nodes_find(struct job_ask *a, struct sfab_err *err);
/* Is --constraint of a simple form: "a", "a&b" ("a,b") or "a|b"? */
int job_nodes_is_simple(const char *wanted);
/*
 * Set a->gpus, the devices that each node must have free, as the plugin counts them in
 * plugin/slurm/gres.h: what a node was asked for, or its share of what the job was asked for.
 * -1: only Slurm can tell.
 */
int job_nodes_gpus(struct job_ask *a);
/* The flags SFAB_NODE_* of node @i, when everything else is known. */
uint8_t job_nodes_flags(const struct job_ask *a, uint32_t i);

#endif
