/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest.h - search changes that repair the worst IO finding
 *
 * Candidates come from the tables (candidates.h), each is routed by OpenSM, and
 * what is compared is simulated with simulated.
 */
#ifndef SFAB_WHATIF_SUGGEST_H
#define SFAB_WHATIF_SUGGEST_H

#include "tools/site/joblist.h"
#include "tools/site/site.h"
#include "tools/ui/answer.h"
#include "tools/whatif/change.h"

struct suggest_ask {
	const struct site *site;
	const struct joblist *jobs;	/* NULL: none are looked at */
	const struct wish *base;	/* its base options count */
	uint32_t nodes;			/* of a job, as facts_find() */
	const char *snapshot;		/* to write the best to, or NULL */
};

extern const struct column suggest_columns[];

/* Print what was tried and the best three.  STATUS_FINE or -1 with *err. */
int suggest(const struct suggest_ask *ask, struct answer *a,
	    struct sfab_err *err);

#endif
