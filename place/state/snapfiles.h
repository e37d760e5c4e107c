/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapfiles.h - the snapshot files that sfabric.conf names, read and confirmed
 *
 * Either one file (Snapshot, Alive), or one per fabric (Fabric=NAME:PATH), which are merged.
 * The merged snapshot counts as confirmed when its least recently confirmed file was.
 */
#ifndef SFAB_PLACE_SNAPFILES_H
#define SFAB_PLACE_SNAPFILES_H

#include <stdint.h>

#include "core/err.h"
#include "io/conf/conf.h"
#include "io/snapshot/alive.h"
#include "io/snapshot/snapshot.h"
#include "place/state/watch.h"

struct sfab_snapfile {
	struct sfab_watch snap, alive;
	struct sfab_alive confirmation;	/* last good content of fabric.alive */
	struct sfab_err alive_err;	/* code 0: the newest content is good */
	uint64_t fingerprint;		/* of the last good snapshot */
	int64_t confirmed_s;		/* when it was last confirmed, s since 1970 */
};

struct sfab_snapfiles {
	uint32_t n;
	struct sfab_snapfile file[SFAB_CONF_FABRICS];
};

/* Read all files again, because the conf changed. */
void sfab_snapfiles_reset(struct sfab_snapfiles *s, const struct sfab_conf *c);

/* Look at all files, and record their state.  1: one changed since the last call. */
int sfab_snapfiles_check(struct sfab_snapfiles *s, const struct sfab_conf *c);

/*
 * Read all files, each at most MaxSnapshotSize; @s (NULL: fine) records what was read.  With
 * several files the IO sets in them are ignored: sfabric.conf or its script must name them.
 * NULL with *err.
 */
struct sfab_snapshot *sfab_snapfiles_load(struct sfab_snapfiles *s,
					  const struct sfab_conf *c,
					  const struct sfab_trust *trust,
					  struct sfab_err *err);

/*
 * Read the files that confirm the snapshots.  *@confirmed_s: when the least recently confirmed
 * one was confirmed.  -1 with *err: a fabric.alive is bad; *@confirmed_s is valid nevertheless.
 */
int sfab_snapfiles_confirm(struct sfab_snapfiles *s, const struct sfab_conf *c,
			   const struct sfab_trust *trust, int64_t now_s,
			   int64_t *confirmed_s, struct sfab_err *err);

/* Return a name for log lines: a path, or "fabrics a, b". */
const char *sfab_snapfiles_name(const struct sfab_conf *c, char *buf, size_t size);

#endif
