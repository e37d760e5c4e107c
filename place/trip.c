/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trip.c - see trip.h */

#include "place/trip.h"

#include <string.h>

static const struct {
	const char *word, *text;
} trips[SFAB_NTRIPS] = {
	[SFAB_TRIP_REFUSED] = { "refused", "Slurm could not use the nodes chosen for most "
				"jobs" },
	[SFAB_TRIP_SLOW] = { "slow", "more than one search in a hundred took twice as long "
			     "as MaxSearchTime" },
	[SFAB_TRIP_BUSY] = { "busy", "decisions took more than a quarter of slurmctld's time" },
};

const char *sfab_trip_word(enum sfab_trip trip)
{
	return trips[trip].word;
}

const char *sfab_trip_text(enum sfab_trip trip)
{
	return trips[trip].text;
}

enum sfab_trip sfab_trip_find(const char *word)
{
	for (int i = SFAB_TRIP_NONE + 1; word && i < SFAB_NTRIPS; i++)
		if (strcmp(trips[i].word, word) == 0)
			return (enum sfab_trip) i;
	return SFAB_TRIP_NONE;
}

int sfab_trip_rests(enum sfab_trip trip)
{
	return trip == SFAB_TRIP_SLOW || trip == SFAB_TRIP_BUSY;
}
