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
#include "tools/whatif/candidates.h"

struct suggest_ask {
	const struct site *site;
	const struct wish *base;	/* its base options apply */
	uint32_t nodes;			/* nodes of a job, as in facts_find() */
};

extern const struct column suggest_columns[];

/* Print what was tried, and the best three.  STATUS_FINE or -1 with *err. */
int suggest(const struct suggest_ask *ask, struct answer *a,
	    struct sfab_err *err);

/* -- suggest_print.c: what was tried and found, as text or JSON -------------- */

struct tried {
	const struct sfab_io_rate *finding;	/* the unchanged fabric */
	uint32_t plane;				/* its engine belongs to this one */
	struct change_outcome now;		/* as OpenSM routes it here */
	int differs;				/* from the tables of the snapshot */
	struct change_outcome snapshot;		/* on these, if they differ */
};

/* Puts the best candidates first. */
int suggest_print(const struct suggest_ask *ask, const struct sfab_fabric *now,
		  struct candidates *c, const struct tried *t,
		  struct answer *a, struct sfab_err *err);

#endif
