/* SPDX-License-Identifier: GPL-2.0-or-later */
/* routing_facts.h - figures of one routing */
#ifndef SFAB_ROUTING_FACTS_H
#define SFAB_ROUTING_FACTS_H

#include <stdint.h>

#include "core/audit/audit.h"

struct routing_facts {
	struct sfab_model *m;
	struct sfab_audit audit;	/* uplinks and rates */
	double *spine_ports;		/* by IO set: output ports of spines used toward it */
	double *mixed;			/* by IO set: sfab_io_measure_mixing() */
	double bisect, rotate;		/* mean shares of compute hosts */
	double all_to_all;		/* slowdown, sfab_audit_all_to_all() */
};

/*
 * Find the figures: IO rates of all compute nodes and of the @job neighboring ones that do
 * worst; uplinks and spine ports toward each IO set; the shares that nodes reach when half of
 * them send at once.  -1 with *err; free it in that case too.
 */
int routing_facts_find(struct routing_facts *x, const struct sfab_fabric *f,
		       const struct sfab_iosets *io, uint32_t job, struct sfab_err *err);
void routing_facts_free(struct routing_facts *x); /* twice is fine */

/* Return the IO rates of a set for a class of traffic.  NULL: there is no such IO set. */
const struct sfab_io_rates *routing_facts_rates(const struct routing_facts *x,
						uint32_t set, enum sfab_class class);

/* Return the worst IO rate over all sets, of a job or of all nodes.  NULL: there is no IO set. */
const struct sfab_io_rate *routing_facts_worst(const struct routing_facts *x);

#endif
