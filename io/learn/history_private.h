/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_private.h - rows, which history.c (keys), history_work.c (means) and history_file.c
 * (bytes) share
 */
#ifndef SFAB_HISTORY_PRIVATE_H
#define SFAB_HISTORY_PRIVATE_H

#include "io/learn/history.h"
#include "io/learn/learn_file.h"

#define HISTORY_ADDED 8192u	/* runs that are remembered to be in it: 64 KB */
#define HISTORY_SKETCH 16u		/* host names that identify the fabric */
#define HISTORY_WINDOW 12.0	/* runs */
#define HISTORY_FOLLOWED 3u	/* runs in a row that are enough for a change */
#define HISTORY_RECENT 12u		/* last runs whose users and names are kept */

/* What some of the runs have sent. */
struct history_work {
	uint32_t nparts, runs;
	uint8_t at_least;	/* 1: all of them met full servers */
	double weight;		/* at the row's last_s */
	double variance;	/* summed over the parts */
	struct learn_part part[SFAB_TRAFFIC_PARTS];
};

struct history_row {
	uint64_t key;
	uint8_t kind, hashed;
	uint8_t streak;		/* last runs in a row that all did the other work, new then */
	int8_t trend;		/* last usual runs in a row above the mean; < 0: below it */
	uint32_t user, nodes;	/* 0 if the kind has none, or hashed */
	double weight;		/* of all runs, at last_s */
	uint64_t last_s;
	char text[SFAB_NAME_SIZE];
	/* of the last runs, newest first: a byte of the hash; 0: no run, no name */
	uint8_t users[HISTORY_RECENT], names[HISTORY_RECENT];
	struct history_work usual, other;
};

struct sfab_history {
	unsigned sharers;			/* further owners, each of which destroys it */
	uint64_t salt;
	int hides;				/* 1: rows keep no names */
	uint64_t sketch[HISTORY_SKETCH];	/* ascending; 0: none */
	struct learn_sets sets;
	uint32_t n;
	struct history_row **row;		/* by kind, then key; each owned */
	uint32_t nadded;			/* runs so far; the next is at this, modulo ADDED */
	uint64_t added[HISTORY_ADDED];		/* hashes of runs; 0: none */
};

/* Compare rows in their order: < 0, 0 or > 0. */
int sfab_history_row_cmp(const struct history_row *a, const struct history_row *b);

/* Add the run to the usual work or to the other, or take its weight from the other. */
void sfab_history_take_run(const struct sfab_history *h, struct history_row *r,
			   const struct sfab_history_run *run);

#endif
