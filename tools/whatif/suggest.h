/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest.h - changes that repair the worst IO finding
 *
 * Only OpenSM can tell whether a candidate helps: it routes each of them, and the unchanged
 * fabric too, so that simulations are compared with a simulation.
 */
#ifndef SFAB_SUGGEST_H
#define SFAB_SUGGEST_H

#include "tools/opensm/reroute.h"
#include "tools/site/site.h"
#include "tools/ui/answer.h"
#include "tools/whatif/candidates.h"

extern const struct column suggest_columns[];

/*
 * Try the candidates, and print what was tried and the best three.  @base: options of both
 * routings.  @nodes of a job, as in routing_facts_find().  Return STATUS_FINE, or -1 with *err.
 */
int suggest(const struct site *site, const struct changes *base, uint32_t nodes,
	    struct answer *a, struct sfab_err *err);

/* -- suggest_print.c: what was tried and found, as text or JSON -------------- */

#define SUGGEST_BEST 3		/* shown with their commands */

struct suggest_search {
	const struct site *site;
	struct reroute_request request;
	uint32_t nodes;
	struct candidates c;
	uint32_t ngains;			/* candidates that gain; these come first */
	struct sfab_fabric *rerouted;		/* the unchanged fabric as OpenSM routes it here */
	struct routing_facts facts;		/* of rerouted */
	const struct sfab_io_rate *finding;	/* the worst of rerouted */
	uint32_t plane;				/* of the finding; its engine is shown */
	struct change_outcome as_is;		/* outcome of rerouted */
	uint32_t nshown, shown[SUGGEST_BEST];	/* entries of c that have a command */
	int differs;				/* rerouted has other tables than the snapshot */
	struct change_outcome snapshot;		/* outcome of the snapshot, if it differs */
};

/* Sort the candidates, the best ones first, and print the search. */
int suggest_print(struct suggest_search *s, struct answer *a, struct sfab_err *err);

#endif
