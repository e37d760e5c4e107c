/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watch.h - did a file change since it was read?
 *
 * By what stat says of it and of its folder, for the folder's mode decides
 * whether the file may be trusted.  A file that changed just now may change
 * again within the same tick of the file system's clock, so it counts as
 * changed once more when it has rested.
 */
#ifndef SFAB_PLACE_WATCH_H
#define SFAB_PLACE_WATCH_H

#include <sys/stat.h>

struct sfab_watch {
	struct stat file, folder;	/* zero: none */
	int young;	/* had changed just before it was read; may be cleared */
	int seen;
};

/* 1 if @path is to be read (again); notes what it is now. */
int sfab_watch_changed(struct sfab_watch *w, const char *path);

#endif
