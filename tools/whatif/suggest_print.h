/* SPDX-License-Identifier: GPL-2.0-or-later */
/* suggest_print.h - what a search tried and found, as text or JSON */
#ifndef SFAB_WHATIF_SUGGEST_PRINT_H
#define SFAB_WHATIF_SUGGEST_PRINT_H

#include "tools/whatif/candidates.h"
#include "tools/whatif/suggest.h"

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
