/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * governor.h - stops placing jobs of a partition where that does harm
 *
 * Each kind of harm has a level.  Harm raises the level; a good decision, or time, lowers it.
 * At the limit the partition trips.  So harm above a certain rate trips whatever the number of
 * jobs, and harm below it never does.
 *
 * A trip holds until an admin changes the partition's mode in sfabric.conf from another mode to
 * on; a script that returns mode on does not end it.  slurmctld forgets all levels and trips
 * when it starts.
 *
 * The caller passes times in microseconds of a monotonic clock.  All calls come from the asking
 * thread; none allocates.  O(1); O(partitions) if the last call was about another partition.
 */
#ifndef SFAB_PLACE_GOVERNOR_H
#define SFAB_PLACE_GOVERNOR_H

#include <stddef.h>
#include <stdint.h>

#include "io/conf/conf.h"
#include "place/request/reason.h"

#define SFAB_GOVERNED 128	/* partitions; the others share the last */

struct sfab_level {		/* of one kind of harm */
	uint64_t harm;
	int64_t last_us;		/* last harm */
};

struct sfab_trip_state {		/* a partition */
	char name[64];		/* longer ones are cut */
	enum sfab_trip trip;
	int is_acknowledged;	/* an admin has set another mode since it tripped */
	struct sfab_level level[SFAB_NTRIPS];
};

struct sfab_governor {		/* all 0: watches nothing */
	enum sfab_conf_governor governing;	/* Governor of the newest conf */
	uint32_t n;
	uint32_t last;			/* index of the partition of the last call */
	struct sfab_trip_state partition[SFAB_GOVERNED];
};

/*
 * Follow the confs that were read since @previous (NULL: none): @modes is the newest, its chain
 * ->older has those before it.  Takes over Governor, and ends trips.
 */
void sfab_governor_follow(struct sfab_governor *g, const struct sfab_conf *previous,
			  const struct sfab_conf *modes);

/*
 * Return why jobs of the partition (NULL: not known) do harm, or SFAB_TRIP_NONE.  Only with
 * Governor=on may this keep them from being placed.
 */
enum sfab_trip sfab_governor_trip(struct sfab_governor *g, const char *partition);

/* Return sfab_trip_word() of that, or NULL once an admin has set another mode. */
const char *sfab_governor_word(struct sfab_governor *g, const char *partition);

/*
 * Note that a job began for which nodes were chosen, with @refused on others.  Return the state
 * of the partition if it trips now, for sfab_governor_line(), else NULL.
 */
const struct sfab_trip_state *sfab_governor_note_begin(struct sfab_governor *g,
						       const char *partition, int64_t now_us,
						       int refused);
/*
 * Note that a decision with a search in mode on took @took_us, where MaxSearchTime is @max_us.
 * Return the state of the partition if it trips now, else NULL.
 */
const struct sfab_trip_state *sfab_governor_note_decision(struct sfab_governor *g,
							  const char *partition, int64_t now_us,
							  uint64_t took_us, uint64_t max_us);

/* Write the line for slurmctld.log about a trip into @buf, and return @buf. */
char *sfab_governor_line(const struct sfab_governor *g, const struct sfab_trip_state *state,
			 char *buf, size_t size);

#endif
