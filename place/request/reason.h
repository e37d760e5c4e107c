/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reason.h - why a job is placed by its routes, or left to Slurm
 *
 * One table (reason.c) gives each reason a keyword, used in the decision log and in
 * AdminComment, and a sentence for people.
 */
#ifndef SFAB_PLACE_REASON_H
#define SFAB_PLACE_REASON_H

#include <stddef.h>

enum sfab_reason {
	SFAB_PLACED,		/* a subset was chosen */

	/* always left to Slurm; all but NO_ID are bits of enum sfab_ask_flag (place.h) */
	SFAB_STOCK_TEST_ONLY,
	SFAB_STOCK_RESERVATION,
	SFAB_STOCK_NO_ID,
	SFAB_STOCK_FUTURE,
	SFAB_STOCK_HET,
	SFAB_STOCK_LLN,
	SFAB_STOCK_SPREAD,
	SFAB_STOCK_SERIAL,
	SFAB_STOCK_BUSY_NODES,
	SFAB_STOCK_SEGMENT,
	SFAB_STOCK_TOPOLOGY,
	SFAB_STOCK_GRES,

	/* the site or the user wants Slurm's own placement */
	SFAB_STOCK_OFF,
	SFAB_STOCK_OBSERVE,
	SFAB_STOCK_HINT_OFF,
	SFAB_STOCK_SCRIPT_OFF,

	/* no usable routes */
	SFAB_STOCK_NO_SNAPSHOT,
	SFAB_STOCK_NOT_READY,
	SFAB_STOCK_OTHER_FABRIC,
	SFAB_STOCK_UNMAPPED,
	SFAB_STOCK_NO_TRAFFIC,

	/* nothing to choose */
	SFAB_STOCK_FEW_NODES,
	SFAB_STOCK_NO_CHOICE,

	/* the nodes found violate what the user asked for */
	SFAB_STOCK_CONTIGUOUS,
	SFAB_STOCK_SWITCHES,

	/* the search failed, or its answer was not used */
	SFAB_STOCK_STOPPED,
	SFAB_STOCK_FAILED,
	SFAB_STOCK_REFUSED,
	SFAB_STOCK_UNASKED,
};
#define SFAB_NKINDS (SFAB_STOCK_GRES + 1)	/* reasons that are bits */
#define SFAB_NREASONS (SFAB_STOCK_UNASKED + 1)

const char *sfab_reason_word(enum sfab_reason reason);		/* "few-nodes" */
const char *sfab_reason_text(enum sfab_reason reason);

/* Is it of a question that only tests?  No job begins with such an answer. */
int sfab_reason_is_mere_test(enum sfab_reason reason);

/* Find the reason whose word has these @n bytes; -1: none, it may be a newer version's. */
int sfab_reason_find(const char *word, size_t n);

/* Why a partition tripped (place/state/governor.h). */
enum sfab_trip {
	SFAB_TRIP_NONE,
	SFAB_TRIP_REFUSED,	/* Slurm could not use the chosen nodes */
	SFAB_TRIP_SLOW,		/* searches took twice MaxSearchTime */
	SFAB_TRIP_BUSY,		/* decisions took much of slurmctld's time */
};
#define SFAB_NTRIPS (SFAB_TRIP_BUSY + 1)

const char *sfab_trip_word(enum sfab_trip trip);	/* "refused"; NONE: NULL */
const char *sfab_trip_text(enum sfab_trip trip);	/* a sentence */
enum sfab_trip sfab_trip_find(const char *word);	/* NULL, or not known: NONE */
int sfab_trip_rests(enum sfab_trip trip);	/* 1: do not even search */

#endif
