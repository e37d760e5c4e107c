/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counter_source.h - counters.snap for the worlds that the loader makes
 *
 * The file is read when it changes.  Each new world carries the measured load of
 * its links, split over the jobs that the loader knows, so the asking thread does
 * no work for it.  New counters, and old ones that have aged, justify a new world
 * of the same fabric.  A missing file is no error.  If the file is bad, the last
 * good counters are kept and age.
 */
#ifndef SFAB_PLACE_COUNTER_SOURCE_H
#define SFAB_PLACE_COUNTER_SOURCE_H

#include "core/err.h"
#include "io/counters/counters.h"
#include "place/state/generation.h"
#include "place/state/watch.h"

struct sfab_meter {		/* owned by the loader */
	struct sfab_watch file;
	struct sfab_counters *counters;	/* the last good ones, or NULL */
	uint32_t unknown;	/* rows of ports that the newest world does not have */
	uint64_t next_s;	/* when the newest world's counters have aged */
};

void sfab_meter_clear(struct sfab_meter *m);

/* Read @path if it changed: 1 changed, 0 unchanged, -1 with *err. */
int sfab_meter_read(struct sfab_meter *m, const char *path,
		    const struct sfab_trust *trust, struct sfab_err *err);

/*
 * Split the measured load over the jobs of a world that is about to be published.
 * The world keeps it, for an asking thread that must redo the split (replica.h).
 */
void sfab_meter_prepare(struct sfab_meter *m, struct sfab_world *w,
			uint64_t now_s);

/* Jobs that ended before this time (s since 1970) are in no counter any more. */
uint64_t sfab_meter_since(const struct sfab_meter *m, uint64_t now_s);

#endif
