/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conffile.h - sfabric.conf on its own: its modes take effect at once
 *
 * The snapshot, the counters and the script may be broken or on a file system
 * that hangs.  The modes in sfabric.conf must not wait for them: a thread that
 * opens no other file reads it and passes it on two ways,
 *
 *     modes --> asking thread	(handoff.h)
 *     conf  --> loader, for the next generation that it makes
 *
 * Each new error is logged once; the last good conf stays in use.
 */
#ifndef SFAB_PLACE_CONFFILE_H
#define SFAB_PLACE_CONFFILE_H

#include "core/err.h"
#include "io/conf/conf.h"
#include "io/thread.h"
#include "place/place.h"
#include "place/state/handoff.h"

struct sfab_conffile;		/* opaque */

/* Copies what it needs from @o; @handoff must outlive it.  NULL: no memory. */
struct sfab_conffile *sfab_conffile_create(const struct sfab_place_options *o,
					   struct sfab_handoff *handoff,
					   struct sfab_err *err);
/* End the thread.  -1: it hangs and still uses all this.  NULL is fine. */
int sfab_conffile_stop(struct sfab_conffile *cf);
int sfab_conffile_destroy(struct sfab_conffile *cf);	/* NULL is fine */

/* Check the file once, now. */
void sfab_conffile_step(struct sfab_conffile *cf);
/* Check it every tick in a thread of its own; a new conf wakes @loader. */
int sfab_conffile_start(struct sfab_conffile *cf, struct sfab_worker *loader,
			struct sfab_err *err);

/* For the loader: the newest good conf, now the caller's; NULL: no new one. */
struct sfab_conf *sfab_conffile_take(struct sfab_conffile *cf);

#endif
