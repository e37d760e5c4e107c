/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * io_moves.h - better places for the hosts of an IO set, tried on the tables
 *
 * Only the subnet manager knows how it would route them: these are good guesses.
 */
#ifndef SFAB_IO_MOVES_H
#define SFAB_IO_MOVES_H

#include <stdint.h>

#include "core/audit/audit.h"

enum sfab_moves_way {
	SFAB_MOVES_SAME_LEAF,	/* change places with hosts of the same leaf */
	SFAB_MOVES_ANY_LEAF,	/* of one leaf in turn for each */
	SFAB_MOVES_FREE_PORTS,	/* of the same leaf, or together on a few others */
};

enum sfab_moves_amount { SFAB_MOVES_ALL, SFAB_MOVES_FEWEST };

#define SFAB_MOVES_GAIN 0.02	/* of what is possible; less is not worth it */

struct sfab_moves_ask {
	const struct sfab_model *m;
	uint32_t block;				/* as sfab_audit_ask */
	const struct sfab_io_rates *now;	/* tells set and class */
	enum sfab_moves_way way;
	enum sfab_moves_amount amount;
};

struct sfab_moves {
	uint32_t n;			/* 0: none that gains is known */
	struct sfab_move *move;		/* from malloc, the caller's */
	struct sfab_io_rates then;
};

/*
 * -1 with SFAB_ENOMEM.  O(members x places x leaves x hops) and one rating, or
 * for the fewest moves as many as halve their number to 1.
 */
int sfab_io_moves(const struct sfab_moves_ask *ask, struct sfab_moves *out,
		  struct sfab_err *err);

/* What the block or all hosts lose, whichever is more. */
double sfab_io_rates_loss(const struct sfab_io_rates *r);

#endif
