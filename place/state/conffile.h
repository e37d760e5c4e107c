/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conffile.h - sfabric.conf by itself: its modes hold at once
 *
 * The snapshot, the counters and the script may be no good, or lie on a file
 * system that hangs.  What sfabric.conf says of modes waits for none of them:
 * it is read by a thread that touches no other file, and goes two ways,
 *
 *     modes --> asking thread	(handoff.h)
 *     conf  --> loader, for the next world that it makes
 *
 * Anything wrong is one line, once; the last good one stays.
 */
#ifndef SFAB_PLACE_CONFFILE_H
#define SFAB_PLACE_CONFFILE_H

#include "core/err.h"
#include "io/conf/conf.h"
#include "io/thread.h"
#include "place/place.h"
#include "place/state/handoff.h"

struct sfab_conffile;		/* opaque */

/* Copies what it needs of @o; @feed must outlive it.  NULL: memory. */
struct sfab_conffile *sfab_conffile_create(const struct sfab_place_options *o,
					   struct sfab_feed *feed,
					   struct sfab_err *err);
/* End the thread.  -1: it hangs, and still uses all this.  NULL is fine. */
int sfab_conffile_stop(struct sfab_conffile *cf);
int sfab_conffile_destroy(struct sfab_conffile *cf);	/* NULL is fine */

/* Look at the file once, now. */
void sfab_conffile_step(struct sfab_conffile *cf);
/* Look at it every tick in a thread of its own; news wake @loader. */
int sfab_conffile_start(struct sfab_conffile *cf, struct sfab_worker *loader,
			struct sfab_err *err);

/* The loader's side: the newest good one, the caller's then; NULL: no news. */
struct sfab_conf *sfab_conffile_take(struct sfab_conffile *cf);

#endif
