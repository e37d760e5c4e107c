/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * feedback.h - counters.snap, History and FoundTraffic for the generations that the loader
 * makes
 *
 * Each file is read when it changes.  A missing file is no error: nothing was measured or
 * learned.  If a file is bad, or the history is of another fabric, what was read before
 * stays in use, and ages.
 *
 * Each new generation carries the measured load of its links, split over the jobs that the
 * loader knows, so the asking thread does no work for it.  Generations share history and
 * found traffic.  New content, and old content that has aged, justify a new generation of
 * the same fabric.
 */
#ifndef SFAB_PLACE_FEEDBACK_H
#define SFAB_PLACE_FEEDBACK_H

#include "core/err.h"
#include "io/counters/counters.h"
#include "place/state/generation.h"
#include "place/state/watch.h"

/*
 * Owned by the loader, or by sfab_place_use_snapshot().  Only the thread that makes and destroys
 * generations shares and destroys what was read.  In slurmctld this is the loader's: the
 * hook only reads through its generation, and hands it back to be destroyed (handoff.h).
 */
struct sfab_feedback {
	struct sfab_watch counters_file, history_file, found_file;
	struct sfab_counters *counters;	/* the last good ones, or NULL */
	struct sfab_history *history;
	struct sfab_found *found;
	uint32_t unknown;	/* rows of ports that the newest generation lacks */
	double full_hours;	/* of full links, up to counted_s */
	uint64_t counted_s;
	uint64_t next_s;	/* when what the newest generation has will have aged */
};

/* Free what was read; @b is then all zero. */
void sfab_feedback_clear(struct sfab_feedback *b);
/* The conf changed: read all files again. */
void sfab_feedback_reset(struct sfab_feedback *b);

/*
 * Read the file if it changed: 1 changed, 0 unchanged, -1 with *err.  @f: the fabric
 * that the history must be of; NULL: not known, read it later.
 */
int sfab_feedback_counters(struct sfab_feedback *b, const char *path,
			   const struct sfab_trust *trust, struct sfab_err *err);
int sfab_feedback_history(struct sfab_feedback *b, const char *path,
			  const struct sfab_fabric *f, const struct sfab_trust *trust,
			  struct sfab_err *err);
int sfab_feedback_found(struct sfab_feedback *b, const char *path,
			const struct sfab_trust *trust, struct sfab_err *err);

/* Share history and found traffic with a generation that has no jobs yet. */
void sfab_feedback_lend(struct sfab_feedback *b, struct sfab_generation *gen, uint64_t now_s);
/*
 * Then, split the measured load over the jobs of the generation, which is about to be
 * published.  It keeps it, for an asking thread that must redo the split (replica.h).
 */
void sfab_feedback_measure(struct sfab_feedback *b, struct sfab_generation *gen,
			   uint64_t now_s);

/* Jobs that ended before this time (s since 1970) are in no counter any more. */
uint64_t sfab_feedback_since(const struct sfab_feedback *b, uint64_t now_s);

#endif
