/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trip.h - why jobs of a partition are placed no more (place/state/governor.h) */
#ifndef SFAB_PLACE_TRIP_H
#define SFAB_PLACE_TRIP_H

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
int sfab_trip_rests(enum sfab_trip trip);	/* 1: its remedy is to search no more */

#endif
