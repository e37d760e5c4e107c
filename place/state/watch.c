/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watch.c - did a file change since it was read?  See watch.h
 *
 * Polled with stat() and not with inotify, which does not see what another machine writes into
 * a shared file system.  The folder is watched too: a change of who may write there can make a
 * file trusted, or distrusted, without touching it.
 */

#include "place/state/watch.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* More than one: some file systems keep time stamps in whole seconds. */
#define REST_SECONDS 2

static int are_same_times(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static int is_same_file_state(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
	       a->st_size == b->st_size && a->st_mode == b->st_mode &&
	       a->st_uid == b->st_uid && are_same_times(a->st_mtim, b->st_mtim) &&
	       are_same_times(a->st_ctim, b->st_ctim);
}

int sfab_watch_check(struct sfab_watch *w, const char *path)
{
	struct stat file, folder;
	time_t now = time(NULL);
	int is_young, changed;
	const char *slash = strrchr(path, '/');
	char name[4096];

	if (lstat(path, &file))
		memset(&file, 0, sizeof(file));
	if (slash == path)
		snprintf(name, sizeof(name), "/");
	else if (slash)
		snprintf(name, sizeof(name), "%.*s", (int) (slash - path),
			 path);
	else
		snprintf(name, sizeof(name), ".");
	if (stat(name, &folder))
		memset(&folder, 0, sizeof(folder));
	/*
	 * A file that changed a moment ago may change again without a new time stamp.  It is
	 * read once more when it is no longer young.
	 */
	is_young = file.st_ctim.tv_sec + REST_SECONDS > now;
	changed = !w->is_seen || !is_same_file_state(&file, &w->file) || (w->is_young && !is_young);
	/* Only who may write to a folder counts: its times change all day. */
	changed |= folder.st_dev != w->folder.st_dev || folder.st_ino != w->folder.st_ino ||
		   folder.st_mode != w->folder.st_mode || folder.st_uid != w->folder.st_uid;
	w->file = file;
	w->folder = folder;
	w->is_young = is_young;
	w->is_seen = 1;
	return changed;
}
