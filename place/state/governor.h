/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * governor.h - stops placing jobs of a partition where that does harm
 *
 * Each kind of harm fills a level, each good decision (or time) drains it, and at the
 * limit the partition trips.  So a rate above a bound trips however many jobs there are,
 * and a burst within it never does.  A trip holds until sfabric.conf changes the mode of
 * the partition from another one to on: that a script raises it is no word of an admin.
 * The state is of one slurmctld: a start forgets it.
 *
 * Times are microseconds of a clock that never goes back, and the caller's.  All calls
 * come from the asking thread; none allocates.  O(1), but for a first look at a partition
 * after another: O(partitions).
 */
#ifndef SFAB_PLACE_GOVERNOR_H
#define SFAB_PLACE_GOVERNOR_H

#include <stddef.h>
#include <stdint.h>

#include "io/conf/conf.h"
#include "place/request/reason.h"

#define SFAB_GOVERNED 128	/* partitions; the others share the last */

struct sfab_level {
	uint64_t filled;
	int64_t at_us;		/* last harm */
};

struct sfab_governed {		/* a partition */
	char name[64];		/* longer ones are cut */
	enum sfab_trip trip;
	int is_acknowledged;		/* since then the admin has taken on away */
	struct sfab_level level[SFAB_NTRIPS];
};

struct sfab_governor {		/* all 0: watches nothing */
	enum sfab_governing does;
	uint32_t n, last;	/* last: index of the one that was asked for last */
	struct sfab_governed partition[SFAB_GOVERNED];
};

/*
 * A conf was read, after those in @modes->older and, before them, @was (NULL: none): what
 * to do, and which trips end.
 */
void sfab_governor_read(struct sfab_governor *g, const struct sfab_conf *was,
			const struct sfab_conf *modes);

/* What the partition (NULL: not known) tripped by.  It holds if g->does says on. */
enum sfab_trip sfab_governor_trip(struct sfab_governor *g, const char *partition);

/* The word for it, as long as an admin has to act; else NULL. */
const char *sfab_governor_word(struct sfab_governor *g, const char *partition);

/*
 * A job with chosen nodes began, on others if @refused; a decision in mode on that
 * searched took @took_us, where @max_us is MaxSearchTime.  Returns the partition that
 * tripped by it, to be logged once, else NULL.
 */
const struct sfab_governed *sfab_governor_began(struct sfab_governor *g,
						const char *partition, int64_t now_us,
						int refused);
const struct sfab_governed *sfab_governor_decided(struct sfab_governor *g,
						  const char *partition, int64_t now_us,
						  uint64_t took_us, uint64_t max_us);

/* The line for slurmctld.log, in @buf. */
char *sfab_governor_line(const struct sfab_governor *g, const struct sfab_governed *s,
			 char *buf, size_t size);

#endif
