/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostset.h - what the user calls a set of hosts -> flags
 *
 * A SET is the first of these that matches: a role ("all", "compute", "io"), the name of an IO
 * set, "job:ID" (the nodes of a running job, from --jobs or else from Slurm), or a hostlist as
 * Slurm writes it.
 */
#ifndef SFAB_HOSTSET_H
#define SFAB_HOSTSET_H

#include <stdint.h>

#include "core/err.h"
#include "tools/site/site.h"

/*
 * Flags by end port id ([nports], caller frees) of all ports of the SET's hosts.  "all"
 * includes the nodes inside SHARP switches.  Of an IO set only its member ports are flagged.
 * NULL with *err: a host is not in the fabric, the job does not run, the set is empty or cannot
 * be read.
 */
uint8_t *hostset_ports(const struct site *site, const char *text, struct sfab_err *err);

/* Flags by host ([nhosts], caller frees) of the hosts of a SET; otherwise as hostset_ports(). */
uint8_t *hostset_hosts(const struct site *site, const char *text, struct sfab_err *err);

/*
 * Nodes of a running job, from --jobs or else from Slurm, as a hostlist that the caller frees.
 * The nodes need not be in the fabric if Slurm knows the job.  NULL with *err.
 */
char *hostset_job_nodes(const struct site *site, const char *id, struct sfab_err *err);

/* Is the SET a job: does it begin with "job:"? */
int hostset_is_job(const char *text);

#endif
