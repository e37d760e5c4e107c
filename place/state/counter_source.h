/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counter_source.h - counters.snap for the worlds that the loader makes
 *
 * The file is read when it changes.  Each new world comes with what its links
 * carry, put on the jobs that the loader knows of: the asking thread does
 * nothing about it.  New counters, and old ones that have aged, are worth a new
 * world of the same fabric.  A file that is not there is no trouble; one that is
 * bad leaves the last good one to age.
 */
#ifndef SFAB_PLACE_COUNTER_SOURCE_H
#define SFAB_PLACE_COUNTER_SOURCE_H

#include "core/err.h"
#include "io/counters/counters.h"
#include "place/state/generation.h"
#include "place/state/watch.h"

struct sfab_meter {		/* the loader's */
	struct sfab_watch file;
	struct sfab_counters *counters;	/* the last good ones, or NULL */
	uint32_t unknown;	/* rows of ports that the newest world lacks */
	uint64_t next_s;	/* when the newest world's have aged */
};

void sfab_meter_clear(struct sfab_meter *m);

/* Read @path if it changed: 1 it did, 0 not, -1 with *err. */
int sfab_meter_read(struct sfab_meter *m, const char *path,
		    const struct sfab_trust *trust, struct sfab_err *err);

/*
 * Put them on the jobs of a world that is about to be published.  It keeps
 * them, for the asking thread that has to do it all itself (replica.h).
 */
void sfab_meter_prepare(struct sfab_meter *m, struct sfab_world *w,
			uint64_t now_s);

/* Jobs that ended before (seconds since 1970) are in no counter any more. */
uint64_t sfab_meter_since(const struct sfab_meter *m, uint64_t now_s);

#endif
