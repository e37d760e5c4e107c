/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest.h - search for changes that repair the worst IO finding
 *
 * Candidates come from the tables (candidates.h).  OpenSM routes each of them,
 * and the unchanged fabric too, so that simulations are compared with a
 * simulation.
 */
#ifndef SFAB_WHATIF_SUGGEST_H
#define SFAB_WHATIF_SUGGEST_H

#include "tools/site/site.h"
#include "tools/ui/answer.h"
#include "tools/whatif/change.h"

struct suggest_ask {
	const struct site *site;
	const struct wish *base;	/* its base options apply */
	uint32_t nodes;			/* nodes of a job, as in facts_find() */
};

extern const struct column suggest_columns[];

/* Print what was tried, and the best three.  STATUS_FINE or -1 with *err. */
int suggest(const struct suggest_ask *ask, struct answer *a,
	    struct sfab_err *err);

#endif
