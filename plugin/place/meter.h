/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * meter.h - counters.snap for the fabric in use
 *
 *     loader --- counters ---> asking thread      what its links carry
 *
 * The loader reads the file when it changes, and finds the links of the newest
 * world for it: those of a new world go with it, later ones are handed over.
 * The asking thread puts them on the running jobs.  A file that is not there is
 * no trouble; one that is bad leaves the last good one to age.
 */
#ifndef SFAB_PLACE_METER_H
#define SFAB_PLACE_METER_H

#include "../../core/err.h"
#include "../../io/counters.h"
#include "feed.h"
#include "watch.h"

struct sfab_meter {		/* the loader's */
	struct sfab_watch file;
	struct sfab_counters *counters;	/* the last good ones, or NULL */
	const struct sfab_fabric *f;	/* of the newest world, or NULL */
	uint32_t unknown;	/* rows of ports that it does not have */
};

void sfab_meter_clear(struct sfab_meter *m);

/* Read @path if it changed: 1 it did, 0 not, -1 with *err. */
int sfab_meter_read(struct sfab_meter *m, const char *path,
		    const struct sfab_trust *trust, struct sfab_err *err);

/* For a world that is about to be published: it is the newest from now on. */
void sfab_meter_prepare(struct sfab_meter *m, struct sfab_world *w);

/* Hand over what was read. */
void sfab_meter_publish(struct sfab_meter *m, struct sfab_feed *feed);

#endif
