/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whatif.h - the parts of `sfabric whatif` */
#ifndef SFAB_WHATIF_H
#define SFAB_WHATIF_H

#include <stdint.h>

#include "core/audit/audit.h"
#include "tools/opensm/change.h"
#include "tools/site/site.h"
#include "tools/ui/answer.h"

/* -- routing_facts.c: figures of one routing ------------------------------------ */

struct routing_facts {
	struct sfab_model *m;
	struct sfab_audit audit;	/* uplinks and rates */
	double *spine_ports;		/* by IO set: toward it */
	double *mixed;			/* by IO set: sfab_io_mixing() */
	double bisect, rotate;		/* mean shares of compute hosts */
	double all_to_all;		/* slowdown, sfab_audit_all_to_all() */
};

/*
 * IO of all compute nodes and of the worst @job neighbors; uplinks and spine
 * ports toward each IO set; shares that nodes reach when half of them send at once.  -1
 * with *err; free it in that case too.
 */
int facts_find(struct routing_facts *x, const struct sfab_fabric *f,
	       const struct sfab_iosets *io, uint32_t job,
	       struct sfab_err *err);
void routing_facts_free(struct routing_facts *x); /* twice is fine */

/* NULL: no such IO set. */
const struct sfab_io_rates *facts_rates(const struct routing_facts *x,
					uint32_t set, enum sfab_class class);

/*
 * The rate that loses most over all sets, for a job or for all; NULL: no IO
 * set.
 */
const struct sfab_io_rate *facts_worst(const struct routing_facts *x);

/* -- compare.c: two routings of the same nodes, number next to number ----------- */

extern const struct column compare_columns[];

/*
 * A row for each measure; caller destroys.  @base: the unchanged fabric as it was routed
 * again, NULL: its tables are those of @now.
 */
struct table *compare(const struct routing_facts *now, const struct routing_facts *base,
		      const struct routing_facts *then);

/* -- fidelity.c: how far a simulation can be trusted ---------------------------- */

/* Table entries of @now that are not those of @snapshot. */
uint64_t fidelity_differing(const struct sfab_fabric *snapshot,
			    const struct sfab_fabric *now);

/*
 * Report which engines OpenSM used for the unchanged fabric @now and the
 * changed one, @then (NULL: reported elsewhere).  Also report how many table
 * entries of @now equal those of @snapshot, from which it was made.
 */
void fidelity_report(const struct sfab_fabric *snapshot, const struct sfab_fabric *now,
		     const struct sfab_fabric *then, struct answer *a);

/* -- suggest.c: changes that repair the worst IO finding ------------------------ */

extern const struct column suggest_columns[];

/*
 * Print what was tried, and the best three.  @base: options of both routings; @nodes of a job,
 * as in facts_find().  STATUS_FINE or -1 with *err.
 */
int suggest(const struct site *site, const struct changes *base, uint32_t nodes,
	    struct answer *a, struct sfab_err *err);

#endif
