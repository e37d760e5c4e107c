/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * price.h - what counts against the limits of an association or a QOS
 *
 * Slurm checks such limits after nodes have been chosen.  Where nodes differ in
 * size, a job could be within its limits on the nodes that Slurm would choose,
 * and exceed them forever on ours.
 */
#ifndef SFAB_SLURM_PRICE_H
#define SFAB_SLURM_PRICE_H

#include "plugin/slurm/glue.h"

struct price {
	uint32_t cpus, nodes;
	uint64_t memory_mb;	/* of a job that wants all memory, else 0 */
};

/* Are limits enforced, and do these nodes differ in size? */
int price_matters(bitstr_t *nodes);

/* For a question that the stock plugin has just answered with success. */
struct price price_of(const struct glue_question *q);

/* Is @a at most @b in every respect? */
int price_is_within(const struct price *a, const struct price *b);

#endif
