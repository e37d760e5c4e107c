/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counter_source.h - counters.snap for the generations that the loader makes
 *
 * The file is read when it changes.  Each new generation carries the measured
 * load of its links, split over the jobs that the loader knows, so the asking
 * thread does no work for it.  New counters, and old ones that have aged, justify
 * a new generation of the same fabric.  A missing file is no error.  If the file
 * is bad, the last good counters are kept and age.
 */
#ifndef SFAB_PLACE_COUNTER_SOURCE_H
#define SFAB_PLACE_COUNTER_SOURCE_H

#include "core/err.h"
#include "io/counters/counters.h"
#include "place/state/generation.h"
#include "place/state/watch.h"

struct sfab_counter_source {		/* owned by the loader */
	struct sfab_watch file;
	struct sfab_counters *counters;	/* the last good ones, or NULL */
	uint32_t unknown;	/* rows of ports that the newest generation lacks */
	double full_hours;	/* of full links, up to counted_s */
	uint64_t counted_s;
	uint64_t next_s;	/* when the newest generation's counters have aged */
};

void sfab_counter_source_clear(struct sfab_counter_source *source);

/* Read @path if it changed: 1 changed, 0 unchanged, -1 with *err. */
int sfab_counter_source_read(struct sfab_counter_source *source, const char *path,
			     const struct sfab_trust *trust, struct sfab_err *err);

/*
 * Split the measured load over the jobs of a generation that is about to be
 * published.  The generation keeps it, for an asking thread that must redo the
 * split (replica.h).
 */
void sfab_counter_source_prepare(struct sfab_counter_source *source,
				 struct sfab_generation *gen, uint64_t now_s);

/* Jobs that ended before this time (s since 1970) are in no counter any more. */
uint64_t sfab_counter_source_since(const struct sfab_counter_source *source,
				   uint64_t now_s);

#endif
