/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * governor.c - levels of harm by partition; see governor.h
 *
 * A level is a leaky bucket: harm fills it, and what goes well drains it.  So in the long run a
 * partition trips if its share of harm is above drain / (fill + drain).  The limit is the harm
 * above that share which may be chance.  A level is empty again after ten minutes without harm.
 *
 *     REFUSED   above half of the jobs: a choice must be of use more often than not.  A
 *               refused job loses nothing.  The limit of 20 jobs is one array of a kind that
 *               we misjudge.  tests/slurm/soak.t prints how many are refused: 0 of 1,002.
 *     SLOW      above one search in 100, the 99th percentile.  A search ends at
 *               MaxSearchTime; one that takes twice as long did not get the CPU.  The limit
 *               of 10 searches is a host that stood still for a while.  `make bench-speed`
 *               prints what decisions take: at p99 1.6 ms for 64 nodes of 640, 21 ms for 512
 *               of 5,184, and 118 ms, which the default ends, for 2,048 of 11,664.
 *     BUSY      above a quarter of slurmctld's time.  The limit of 20 s is reached after 27 s
 *               without a pause: by the same figures 16,000 jobs of 64 nodes, or 1,200 of
 *               512, one after another.
 */

#include "place/state/governor.h"

#include <stdio.h>
#include <string.h>

#define SECOND_US UINT64_C(1000000)
#define FORGET_US INT64_C(600000000)	/* ten minutes */
#define BUSY_PART 4		/* a quarter of the time is not too busy */

static const struct {
	uint64_t fill, drain, limit;
} trips[SFAB_NTRIPS] = {
	[SFAB_TRIP_REFUSED] = { 1, 1, 20 },
	[SFAB_TRIP_SLOW] = { 99, 1, 990 },
	[SFAB_TRIP_BUSY] = { 0, 0, 20 * SECOND_US },
};

static struct sfab_trip_state *find_governed(struct sfab_governor *g, const char *name)
{
	const size_t size = sizeof(g->partition[0].name) - 1;

	if (!name)
		name = "";
	for (uint32_t i = 0; i < g->n; i++) {
		uint32_t k = (g->last + i) % g->n;

		if (strncmp(g->partition[k].name, name, size) != 0)
			continue;
		g->last = k;
		return &g->partition[k];
	}
	if (g->n < SFAB_GOVERNED) {
		g->n++;
		snprintf(g->partition[g->n - 1].name, size + 1, "%s",
			 g->n < SFAB_GOVERNED ? name : "(others)");
	}
	g->last = g->n - 1;
	return &g->partition[g->last];
}

static int is_mode_on(const struct sfab_conf *modes, const char *partition)
{
	return sfab_conf_mode(modes, partition) == SFAB_MODE_ON;
}

/* Follow all confs in turn: a change counts even if a later one took it back. */
void sfab_governor_follow(struct sfab_governor *g, const struct sfab_conf *previous,
			  const struct sfab_conf *modes)
{
	g->governing = modes->governor;
	for (const struct sfab_conf *conf = modes; conf; conf = conf->older)
		for (uint32_t i = 0; i < g->n; i++) {
			const struct sfab_conf *before = conf->older ? conf->older : previous;
			struct sfab_trip_state *state = &g->partition[i];
			int is_placing = is_mode_on(conf, state->name);
			int was_placing = !before || is_mode_on(before, state->name);

			if (conf->governor == SFAB_GOVERNOR_OFF || (is_placing && !was_placing))
				state->trip = SFAB_TRIP_NONE;
			else if (was_placing && !is_placing)
				state->is_acknowledged = 1;
		}
}

enum sfab_trip sfab_governor_trip(struct sfab_governor *g, const char *partition)
{
	return g->governing == SFAB_GOVERNOR_OFF ? SFAB_TRIP_NONE :
						    find_governed(g, partition)->trip;
}

const char *sfab_governor_word(struct sfab_governor *g, const char *partition)
{
	enum sfab_trip trip = sfab_governor_trip(g, partition);

	return trip && find_governed(g, partition)->is_acknowledged ? NULL : sfab_trip_word(trip);
}

/* Trip, and return @state.  NULL: it tripped before. */
static const struct sfab_trip_state *trip_partition(struct sfab_trip_state *state,
						    enum sfab_trip trip)
{
	if (state->trip)
		return NULL;
	state->trip = trip;
	state->is_acknowledged = 0;
	memset(state->level, 0, sizeof(state->level));
	return state;
}

static void drain_level(struct sfab_level *l, uint64_t drain)
{
	l->harm -= drain < l->harm ? drain : l->harm;
}

/*
 * Count a decision or a begin on the level of @trip.  Return @state if it trips now, else NULL.
 * @harm 0: it went well, and drains the level.
 */
static const struct sfab_trip_state *count_harm(struct sfab_trip_state *state, enum sfab_trip trip,
						int64_t now_us, int harm)
{
	struct sfab_level *l = &state->level[trip];

	if (!harm) {
		drain_level(l, trips[trip].drain);
		return NULL;
	}
	if (now_us - l->last_us > FORGET_US)
		l->harm = 0;
	l->last_us = now_us;
	l->harm += trips[trip].fill;
	return l->harm >= trips[trip].limit ? trip_partition(state, trip) : NULL;
}

const struct sfab_trip_state *sfab_governor_note_begin(struct sfab_governor *g,
						       const char *partition, int64_t now_us,
						       int refused)
{
	if (g->governing == SFAB_GOVERNOR_OFF)
		return NULL;
	return count_harm(find_governed(g, partition), SFAB_TRIP_REFUSED, now_us, refused);
}

const struct sfab_trip_state *sfab_governor_note_decision(struct sfab_governor *g,
							  const char *partition, int64_t now_us,
							  uint64_t took_us, uint64_t max_us)
{
	const struct sfab_trip_state *tripped;
	struct sfab_trip_state *state;
	struct sfab_level *busy;

	if (g->governing == SFAB_GOVERNOR_OFF)
		return NULL;
	state = find_governed(g, partition);
	tripped = count_harm(state, SFAB_TRIP_SLOW, now_us, took_us > 2 * max_us);
	if (tripped)
		return tripped;
	busy = &state->level[SFAB_TRIP_BUSY];
	drain_level(busy, (uint64_t) (now_us - busy->last_us) / BUSY_PART);
	busy->last_us = now_us;
	/* More than a second is a host that stood still, not our work. */
	busy->harm += took_us < SECOND_US ? took_us : SECOND_US;
	if (busy->harm < trips[SFAB_TRIP_BUSY].limit)
		return NULL;
	return trip_partition(state, SFAB_TRIP_BUSY);
}

char *sfab_governor_line(const struct sfab_governor *g, const struct sfab_trip_state *state,
			 char *buf, size_t size)
{
	snprintf(buf, size, "partition %s: %s: %s (Governor=%s)", state->name,
		 sfab_trip_text(state->trip), g->governing == SFAB_GOVERNOR_ON ?
		 "decisions are only observed, until its mode is set to observe and to on "
		 "again" : "jobs are still placed", g->governing == SFAB_GOVERNOR_ON ? "on" :
		 "warn");
	return buf;
}
