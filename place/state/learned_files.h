/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * learned_files.h - History and FoundTraffic for the generations that the loader makes
 *
 * Each file is read when it changes.  A missing file is no error: nothing was
 * learned.  If a file is bad, or the history is of another fabric, what was read
 * before stays in use.  Traffic that was found ages: sfab_learned_next().
 */
#ifndef SFAB_PLACE_LEARNED_FILES_H
#define SFAB_PLACE_LEARNED_FILES_H

#include "core/err.h"
#include "io/learn/found.h"
#include "io/learn/history.h"
#include "place/state/watch.h"

/*
 * Owned by the loader, or by sfab_place_take().  Only the thread that makes and destroys
 * generations shares and destroys what was read.  In slurmctld this is the loader's: the
 * hook only reads through its generation, and hands it back to be destroyed (handoff.h).
 */
struct sfab_learned_files {
	struct sfab_watch history_file, found_file;
	struct sfab_history *history;	/* the last good ones, or NULL */
	struct sfab_found *found;
};

void sfab_learned_files_clear(struct sfab_learned_files *l);
/* The conf changed: read both files again. */
void sfab_learned_files_reset(struct sfab_learned_files *l);

/*
 * Read the file if it changed: 1 changed, 0 unchanged, -1 with *err.  @f: the fabric
 * that the history must be of; NULL: not known, read it later.
 */
int sfab_learned_read_history(struct sfab_learned_files *l, const char *path,
			      const struct sfab_fabric *f,
			      const struct sfab_trust *trust, struct sfab_err *err);
int sfab_learned_read_found(struct sfab_learned_files *l, const char *path,
			    const struct sfab_trust *trust, struct sfab_err *err);

/* When the found traffic counts no more, s since 1970; UINT64_MAX: never. */
uint64_t sfab_learned_next(const struct sfab_learned_files *l, uint64_t now_s);

#endif
