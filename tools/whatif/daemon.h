/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon.h - programs that run beside this one, in a folder of their own
 *
 * Only for a program with one thread.
 */
#ifndef SFAB_WHATIF_DAEMON_H
#define SFAB_WHATIF_DAEMON_H

#include <sys/types.h>

#include "core/err.h"

struct daemon_folder {
	char path[256];		/* "": none */
};

/* A new one, mode 0700, in $TMPDIR or /tmp; SFAB_EIO. */
int daemon_folder_make(struct daemon_folder *d, struct sfab_err *err);
void daemon_folder_remove(struct daemon_folder *d);	/* with all in it */

struct daemon {
	pid_t pid;		/* 0: does not run */
	const char *name;
	time_t start;		/* seconds of the monotonic clock */
};

/*
 * Run @argv (found in PATH, /usr/sbin or /sbin) in @folder with @env beside the
 * environment; its output goes to NAME.out there.  It dies with this program.
 * SFAB_ENOENT: it is not installed.
 */
int daemon_start(struct daemon *d, char *const argv[], char *const env[],
		 const struct daemon_folder *folder, struct sfab_err *err);

/*
 * 0: it runs, 1: it has ended with status 0.  SFAB_EIO: with another, or it
 * has run for more than @seconds.
 */
int daemon_look(struct daemon *d, unsigned seconds, struct sfab_err *err);

/* Wait until the next look is worth it; SFAB_EIO: a signal came. */
int daemon_pause(struct sfab_err *err);

/* Kill it, wait for it; nothing if it does not run. */
void daemon_end(struct daemon *d);

/* A library by the end of its path, where libraries are; caller frees. */
char *daemon_library(const char *name);

/* SIGINT, SIGTERM, SIGHUP end daemon_pause() instead of the program. */
void daemon_signals_catch(void);
void daemon_signals_restore(void);

#endif
