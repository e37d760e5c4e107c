/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conffile.h - sfabric.conf on its own: its modes take effect at once
 *
 * The snapshot, the counters and the script may be broken or on a file system that hangs.  The
 * modes in sfabric.conf must not wait for them: a thread that opens no other file reads it and
 * passes it on in two ways,
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
#include "io/log_once.h"
#include "io/worker.h"
#include "place/place.h"
#include "place/state/handoff.h"
#include "place/state/watch.h"

struct sfab_conffile {		/* owned by the loader, which sets the first three */
	const struct sfab_place_options *o;
	struct sfab_handoff *handoff;
	struct sfab_worker *loader;		/* woken by a new conf */
	struct sfab_watch file;
	struct sfab_conf *modes;		/* the conf whose modes were logged last, or NULL */
	_Atomic(struct sfab_conf *) new_conf;	/* for the loader */
	struct sfab_log_once logged;
	struct sfab_worker worker;
};

/* Read the file now, if it changed. */
void sfab_conffile_step(struct sfab_conffile *cf);
/* Do that every tick in a thread of its own, @cf->worker.  -1 with *err. */
int sfab_conffile_start(struct sfab_conffile *cf, struct sfab_err *err);
/* Free what @cf owns; its thread has ended, or never ran. */
void sfab_conffile_clear(struct sfab_conffile *cf);

/* For the loader: return the newest good conf, which the caller then owns; NULL: no new one. */
struct sfab_conf *sfab_conffile_take(struct sfab_conffile *cf);

#endif
