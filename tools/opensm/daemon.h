/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon.h - child programs, in a folder of their own
 *
 * Only for a program with one thread.
 */
#ifndef SFAB_DAEMON_H
#define SFAB_DAEMON_H

#include <sys/types.h>

#include "core/err.h"

/* Make a new folder with mode 0700 in $TMPDIR or /tmp.  NULL with *err: SFAB_EIO. */
char *daemon_folder_make(struct sfab_err *err);
void daemon_folder_remove(char *folder);	/* with everything in it; NULL is fine */

struct daemon {
	pid_t pid;		/* 0: not running */
	const char *name;
	time_t start;		/* seconds of the monotonic clock */
	int console;		/* writes to its standard input */
};

/*
 * Let sh run @command in @folder.  The command ends with exec of @name, which is found in PATH,
 * /usr/sbin or /sbin.  Output goes to NAME.out in the folder.  The program is killed when this
 * one ends.
 */
int daemon_start(struct daemon *d, const char *name, const char *command, const char *folder,
		 struct sfab_err *err);
/* Write all of @text to its standard input.  SFAB_EIO: it does not take it. */
int daemon_send(const struct daemon *d, const char *text, struct sfab_err *err);

/*
 * Ask whether the program has ended, without waiting.  0: it runs.  1: it ended with status 0.
 * SFAB_ENOENT: it is not installed.  SFAB_EIO: it ended with another status, or has run for
 * more than @seconds.
 */
int daemon_poll(struct daemon *d, unsigned seconds, struct sfab_err *err);

/* Sleep for a moment between two polls.  SFAB_EIO: a signal arrived. */
int daemon_pause(struct sfab_err *err);

/* Kill the program and wait for it.  Do nothing if it is not running. */
void daemon_end(struct daemon *d);

/* Let SIGINT, SIGTERM and SIGHUP end daemon_pause() instead of the program. */
void daemon_signals_catch(void);
void daemon_signals_restore(void);

#endif
