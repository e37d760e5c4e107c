/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * io_moves.h - better positions for the hosts of an IO set, tried on the tables
 *
 * Only the subnet manager knows how it would route the new positions: these are good guesses.
 */
#ifndef SFAB_IO_MOVES_H
#define SFAB_IO_MOVES_H

#include <stdint.h>

#include "core/audit/audit.h"

enum sfab_moves_kind {
	SFAB_MOVES_SAME_LEAF,	/* swap with hosts of the same leaf */
	SFAB_MOVES_ANY_LEAF,	/* swap with hosts of other leaves, one leaf after the other */
	SFAB_MOVES_FREE_PORTS,	/* to free ports of the same leaf, or together on a few others */
};

enum sfab_moves_amount { SFAB_MOVES_ALL, SFAB_MOVES_FEWEST };

#define SFAB_MOVES_GAIN 0.02	/* of the possible rate; a smaller gain is not worth the work */

struct sfab_moves_options {
	const struct sfab_model *m;
	uint32_t block;				/* as in sfab_audit_options */
	const struct sfab_io_rates *rates;	/* also gives set and class */
	enum sfab_moves_kind kind;
	enum sfab_moves_amount amount;
};

struct sfab_moves {
	uint32_t n;			/* 0: no moves that gain anything were found */
	struct sfab_move *move;		/* malloced, owned by the caller */
	struct sfab_io_rates rates;
};

/*
 * Search moves of one kind.  -1 with SFAB_ENOMEM.  O(members x positions x leaves x hops) plus
 * one rating.  For the fewest moves, one rating more each time that their number is halved.
 */
int sfab_io_find_moves(const struct sfab_moves_options *ask, struct sfab_moves *out,
		       struct sfab_err *err);

/* Return the loss of the block or of all hosts, whichever is larger. */
double sfab_io_rates_loss(const struct sfab_io_rates *r);

#define SFAB_MIXING_LEAVES 64	/* source leaves that are sampled, evenly spread */

/*
 * Set *@part to what moves cost others: the part (0..1) of the routes between compute hosts on
 * different leaves that cross a switch-to-switch link on the routes of writes from any compute
 * host to set @set.  It is 0 if there are no such routes.  @moves (NULL: none) are done first:
 * IO hosts swap ports with compute hosts, and the tables stay as they are.  -1: SFAB_ENOMEM.
 * O((members + hosts) x leaves x hops).
 */
int sfab_io_measure_mixing(const struct sfab_model *m, uint32_t set,
			   const struct sfab_moves *moves, double *part, struct sfab_err *err);

#endif
