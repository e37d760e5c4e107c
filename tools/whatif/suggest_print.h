/* SPDX-License-Identifier: GPL-2.0-or-later */
/* suggest_print.h - what a search tried and found, as text or JSON */
#ifndef SFAB_WHATIF_SUGGEST_PRINT_H
#define SFAB_WHATIF_SUGGEST_PRINT_H

#include "tools/whatif/candidates.h"
#include "tools/whatif/suggest.h"

struct change_outcome {
	struct sfab_err err;	/* code 0: OpenSM routed it */
	char engine[32];
	double gbs, lockstep, possible;	/* rate of the finding's hosts, bytes/s */
	double loss;		/* maximum over all sets and classes */
	double bisect, rotate;
	double mixed;		/* sfab_io_mixing() of the finding's set */
	double score;		/* less is better */
	int gains;		/* improves the finding */
};

struct tried {
	const struct sfab_io_rate *finding;	/* the unchanged fabric */
	uint32_t plane;				/* its engine belongs to this one */
	struct change_outcome now;		/* as OpenSM routes it here */
	int differs;				/* from the tables of the snapshot */
	struct change_outcome snapshot;		/* on these, if they differ */
	struct change_outcome of[CANDIDATES_MOST]; /* by candidate */
};

int suggest_print(const struct suggest_ask *ask, const struct sfab_fabric *now,
		  const struct candidates *c, const struct tried *t,
		  struct answer *a, struct sfab_err *err);

#endif
