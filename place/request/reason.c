/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reason.c - the words for reasons; see reason.h
 *
 * The words are in decision logs, metrics and AdminComments that other programs read: a word
 * never changes.  The texts are for people and may.
 */

#include "place/request/reason.h"

#include <string.h>

static const struct {
	const char *word, *text;
} reasons[SFAB_NREASONS] = {
	[SFAB_PLACED] = { "placed", "placed by its routes" },
	[SFAB_STOCK_TEST_ONLY] = { "test-only", "Slurm asks whether it could ever run" },
	[SFAB_STOCK_RESERVATION] = { "reservation", "a reservation is being made" },
	[SFAB_STOCK_NO_ID] = { "no-job", "Slurm asks without a job" },
	[SFAB_STOCK_FUTURE] = { "future", "it cannot start now" },
	[SFAB_STOCK_HET] = { "het", "a part of a heterogeneous job" },
	[SFAB_STOCK_LLN] = { "lln", "least loaded nodes are wanted" },
	[SFAB_STOCK_SPREAD] = { "spread", "--spread-job" },
	[SFAB_STOCK_SERIAL] = { "serial", "pack_serial_at_end" },
	[SFAB_STOCK_BUSY_NODES] = { "busy-nodes", "allocated nodes are preferred" },
	[SFAB_STOCK_SEGMENT] = { "segment", "segments of a block topology" },
	[SFAB_STOCK_TOPOLOGY] = { "topology", "Slurm packs it into blocks, or whole "
					      "units, of its topology" },
	[SFAB_STOCK_GRES] = { "gres", "it wants generic resources that are not per "
				      "node" },
	[SFAB_STOCK_OFF] = { "off", "the mode is off" },
	[SFAB_STOCK_OBSERVE] = { "observe", "the mode is observe" },
	[SFAB_STOCK_HINT_OFF] = { "hint-off", "its hint says off" },
	[SFAB_STOCK_SCRIPT_OFF] = { "policy-off", "sfabric.lua says off" },
	[SFAB_STOCK_NO_SNAPSHOT] = { "no-snapshot", "no snapshot is in use" },
	[SFAB_STOCK_NOT_READY] = { "not-ready", "the running jobs are not all known "
						"yet" },
	[SFAB_STOCK_OTHER_FABRIC] = { "other-fabric", "no node is in the snapshot" },
	[SFAB_STOCK_UNMAPPED] = { "unmapped", "nodes it needs are not in the snapshot" },
	[SFAB_STOCK_NO_TRAFFIC] = { "no-traffic", "it sends no traffic to place for" },
	[SFAB_STOCK_FEW_NODES] = { "few-nodes", "fewer nodes are free than it needs" },
	[SFAB_STOCK_NO_CHOICE] = { "no-choice", "it needs all nodes that are free" },
	[SFAB_STOCK_CONTIGUOUS] = { "contiguous", "the nodes found are not "
						  "contiguous (--contiguous)" },
	[SFAB_STOCK_SWITCHES] = { "switches", "the nodes found are on more leaves "
					      "than --switches allows" },
	[SFAB_STOCK_STOPPED] = { "stopped", "the search took longer than MaxSearchTime" },
	[SFAB_STOCK_FAILED] = { "failed", "the search failed" },
	[SFAB_STOCK_REFUSED] = { "refused", "Slurm could not use the chosen nodes" },
	[SFAB_STOCK_UNASKED] = { "unasked", "Slurm started it without asking" },
};

const char *sfab_reason_word(enum sfab_reason reason)
{
	return reasons[reason].word;
}

const char *sfab_reason_text(enum sfab_reason reason)
{
	return reasons[reason].text;
}

int sfab_reason_is_mere_test(enum sfab_reason reason)
{
	return reason == SFAB_STOCK_TEST_ONLY || reason == SFAB_STOCK_RESERVATION ||
	       reason == SFAB_STOCK_NO_ID;
}

int sfab_reason_find(const char *word, size_t n)
{
	for (int i = 0; i < SFAB_NREASONS; i++)
		if (strlen(reasons[i].word) == n && memcmp(reasons[i].word, word, n) == 0)
			return i;
	return -1;
}

/* -- trips of the governor -------------------------------------------------- */

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
