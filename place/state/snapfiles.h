/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapfiles.h - the snapshot files that sfabric.conf names, read and confirmed
 *
 * One (Snapshot, Alive), or one for each fabric (Fabric=NAME:PATH), which are
 * merged; then the whole is as well confirmed as the worst of them.
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
	struct sfab_alive word;		/* last good one of fabric.alive */
	struct sfab_err word_err;	/* code 0: that is not spoilt */
	uint64_t fingerprint;		/* of the last good one */
	int64_t confirmed;		/* when it was, seconds since 1970 */
};

struct sfab_snapfiles {
	uint32_t n;
	struct sfab_snapfile file[SFAB_CONF_FABRICS];
};

/* Another conf: read all files again. */
void sfab_snapfiles_reset(struct sfab_snapfiles *s, const struct sfab_conf *c);

/* 1 if one of the files changed since this was asked. */
int sfab_snapfiles_changed(struct sfab_snapfiles *s, const struct sfab_conf *c);

/*
 * Read them all, each of MaxSnapshotSize at most; @s (NULL: fine) notes what was read.  IO sets of several
 * are left out: sfabric.conf or its script names them.  NULL with *err.
 */
struct sfab_snapshot *sfab_snapfiles_load(struct sfab_snapfiles *s,
					  const struct sfab_conf *c,
					  const struct sfab_trust *trust,
					  struct sfab_err *err);

/*
 * Look at the files that confirm them: *@since gets when the one was confirmed
 * whose word is oldest.  -1 with *err: such a file is spoilt; *@since holds.
 */
int sfab_snapfiles_confirm(struct sfab_snapfiles *s, const struct sfab_conf *c,
			   const struct sfab_trust *trust, int64_t now,
			   int64_t *since, struct sfab_err *err);

/* What to call them in a line: a path, or "fabrics a, b". */
const char *sfab_snapfiles_name(const struct sfab_conf *c, char *buf,
				size_t size);

#endif
