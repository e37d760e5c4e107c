/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watch.h - did a file change since it was read?
 *
 * Compares what stat returns for the file and its folder; the folder's mode is part of deciding
 * whether the file can be trusted.  A file that changed just now may change again within the
 * same tick of the file system's clock, so it counts as changed once more after it has rested,
 * often with the same content.
 */
#ifndef SFAB_PLACE_WATCH_H
#define SFAB_PLACE_WATCH_H

#include <sys/stat.h>

struct sfab_watch {
	struct stat file, folder;	/* zero: missing */
	int is_young;			/* it had changed shortly before it was read */
	int is_seen;			/* 0: never looked at */
};

/* Look at @path, and record its state.  1: it must be read (again). */
int sfab_watch_check(struct sfab_watch *w, const char *path);

#endif
