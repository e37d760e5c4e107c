/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tres.h - what a job would hold on its nodes
 *
 * Where nodes differ in size, a job that wants whole nodes could hold more CPUs on our nodes
 * than on those that Slurm would choose.  Slurm checks the limits of an association or a QOS
 * after nodes have been chosen: a job that is within its limits on Slurm's nodes could exceed
 * them forever on ours.
 */
#ifndef SFAB_SLURM_TRES_H
#define SFAB_SLURM_TRES_H

#include "plugin/slurm/glue.h"

struct tres {
	uint32_t cpus;
	uint32_t nodes;		/* 0 where no limits are enforced */
	uint64_t memory_mb;	/* likewise; 0 unless it wants all memory of its nodes */
};

/* Do these nodes differ in size? */
int tres_may_differ(bitstr_t *nodes);

/* Return what the job would hold, after the stock plugin has answered the question with success. */
struct tres tres_of(const struct glue_question *q);

/* Is @a at most @b in every respect? */
int tres_is_within(const struct tres *a, const struct tres *b);

#endif
