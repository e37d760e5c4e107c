/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * feedback.h - what was measured and learned, for the generations that the loader makes
 *
 * The files are counters.snap and those of History and FoundTraffic in sfabric.conf.
 *
 * Each file is read when it changes.  A missing file is no error: nothing was measured or
 * learned.  If a file is bad, or the history is of another fabric, what was read before stays
 * in use, and ages.
 *
 * Each new generation carries the measured load of its links, split over the jobs that the
 * loader knows, so the asking thread does no work for it.  Generations share history and found
 * traffic.  New content, and old content that has aged, justify a new generation of the same
 * fabric.
 */
#ifndef SFAB_PLACE_FEEDBACK_H
#define SFAB_PLACE_FEEDBACK_H

#include "core/err.h"
#include "io/counters/counters.h"
#include "place/state/generation.h"
#include "place/state/watch.h"

/*
 * Owned by the loader, or by sfab_place_use_snapshot().  Only the thread that makes and
 * destroys generations shares and destroys what was read.  In slurmctld this is the loader's:
 * the hook only reads through its generation, and hands it back to be destroyed (handoff.h).
 */
struct sfab_feedback {
	struct sfab_watch counters_file, history_file, found_file;
	struct sfab_counters *counters;	/* the last good ones, or NULL */
	struct sfab_history *history;
	struct sfab_found *found;
	uint32_t nunknown;		/* rows of ports that the newest generation lacks */
	double full_hours;		/* of full links, as in struct sfab_generation */
	uint64_t counted_until_s;	/* up to when these were counted */
	uint64_t next_s;		/* when the newest generation is outdated by age */
};

/* Free what was read; @feedback is then all zero. */
void sfab_feedback_clear(struct sfab_feedback *feedback);
/* Read all files again, because the conf changed. */
void sfab_feedback_reset(struct sfab_feedback *feedback);

/* Read the file if it changed: 1 changed, 0 unchanged, -1 with *err. */
int sfab_feedback_read_counters(struct sfab_feedback *feedback, const char *path,
				const struct sfab_trust *trust, struct sfab_err *err);
/*
 * Read the history if it changed, as above.  It must be of @f; with @f NULL (not known) it is
 * not read yet.
 */
int sfab_feedback_read_history(struct sfab_feedback *feedback, const char *path,
			       const struct sfab_fabric *f, const struct sfab_trust *trust,
			       struct sfab_err *err);
/* Read the file if it changed: 1 changed, 0 unchanged, -1 with *err. */
int sfab_feedback_read_found(struct sfab_feedback *feedback, const char *path,
			     const struct sfab_trust *trust, struct sfab_err *err);

/* Share history and found traffic with a generation that has no jobs yet. */
void sfab_feedback_lend(struct sfab_feedback *feedback, struct sfab_generation *gen,
			uint64_t now_s);
/*
 * Split the measured load over the jobs of the generation, just before it is published.  The
 * generation keeps the measured load, because the asking thread may have to split it again.
 */
void sfab_feedback_measure(struct sfab_feedback *feedback, struct sfab_generation *gen,
			   uint64_t now_s);

/* Return a time, s since 1970: the counters contain no load of jobs that ended before it. */
uint64_t sfab_feedback_horizon(const struct sfab_feedback *feedback, uint64_t now_s);

#endif
