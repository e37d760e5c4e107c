/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurmfacts.h - what Slurm says about its own configuration */
#ifndef SFAB_SLURMFACTS_H
#define SFAB_SLURMFACTS_H

#include <stdint.h>

#include "core/err.h"

struct slurmfacts {
	char *version;		/* "22.05.8" */
	char *plugindir;	/* as in slurm.conf: DIR[:DIR...] */
	char *select_type;
	char *conf;		/* path of slurm.conf */
	char *pidfile;		/* of slurmctld */
	char *user;		/* SlurmUser */
	uint32_t uid;		/* its uid */
	/* NULL if this Slurm does not show it */
	char *plugstack;	/* path of plugstack.conf, if slurm.conf names it */
	char *topology;		/* "topology/tree" */
	char *select_params;	/* "CR_CORE_MEMORY" */
	char *scheduler_params;
	char *preempt_type;	/* "preempt/none" */
	char *preempt_mode;	/* "GANG,SUSPEND" */
	char *enforce;		/* "associations,limits", "none" */
	char *private_data;	/* "jobs,nodes", "none" */
	char *memory_per_cpu, *memory_per_node;	/* defaults, MB */
};

/*
 * From `scontrol show config`, which the controller answers.  On failure
 * nothing is left to free.
 */
int slurmfacts_ask(struct slurmfacts *s, struct sfab_err *err);
/* The same from that text; SFAB_EFORMAT: a line is missing. */
int slurmfacts_parse(struct slurmfacts *s, const char *text,
		     struct sfab_err *err);
/* "24.11.5" as 2411, 100 * major + minor; 0: it is no such version. */
uint32_t slurmfacts_release(const char *version);
void slurmfacts_free(struct slurmfacts *s);	/* twice is fine */

#endif
