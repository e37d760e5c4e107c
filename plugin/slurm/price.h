/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * price.h - what counts against the limits of an association or a QOS
 *
 * Slurm looks at such limits when nodes have been chosen.  Where nodes are of
 * different sizes a job could be within its limits on those of Slurm's choice, and
 * for ever beyond them on ours.
 */
#ifndef SFAB_SLURM_PRICE_H
#define SFAB_SLURM_PRICE_H

#include "plugin/slurm/glue.h"

struct price {
	uint32_t cpus, nodes;
	uint64_t memory_mb;	/* of a job that wants all of it, else 0 */
};

/* Are there limits, and nodes of several sizes among these? */
int price_matters(bitstr_t *nodes);

/* Of a question that the stock plugin has just answered with success. */
struct price price_of(const struct glue_question *q);

/* Is @a in nothing more than @b? */
int price_is_within(const struct price *a, const struct price *b);

#endif
