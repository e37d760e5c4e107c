/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurmfacts.h - what Slurm says about its own configuration */
#ifndef SFAB_SLURMFACTS_H
#define SFAB_SLURMFACTS_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

struct slurmfacts {
	char *text;		/* a string for each line */
	size_t size;		/* of all */
	/* what every Slurm shows */
	const char *version;	/* "22.05.8" */
	const char *plugindir;	/* as in slurm.conf: DIR[:DIR...] */
	const char *select_type;
	const char *conf;	/* path of slurm.conf */
	const char *pidfile;	/* of slurmctld */
	uint32_t uid;		/* of SlurmUser */
};

/*
 * From `scontrol show config`, which the controller answers.  On failure nothing is left to
 * free.
 */
int slurmfacts_ask(struct slurmfacts *s, struct sfab_err *err);
/* Read the facts from that text, which is taken over.  SFAB_EFORMAT: a line is missing. */
int slurmfacts_parse(struct slurmfacts *s, char *text, struct sfab_err *err);
/* The value of a key of slurm.conf(5).  NULL: this Slurm does not show it, or it is "(null)". */
const char *slurmfacts_get(const struct slurmfacts *s, const char *key);
/*
 * Does PrivateData hide other users' jobs from this user?  Root and SlurmUser see all.
 * Operators do too, but we cannot tell who is one.
 */
int slurmfacts_hides_jobs(const struct slurmfacts *s);
/* "24.11.5" as 2411, 100 * major + minor; 0: it is no such version. */
uint32_t slurmfacts_release(const char *version);
void slurmfacts_free(struct slurmfacts *s);	/* twice is fine */

#endif
