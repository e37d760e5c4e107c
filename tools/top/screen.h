/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen.h - a whole terminal that is drawn again and again
 *
 * There is one screen in a process, that of standard output; keys come from
 * standard input.  However the process ends or is stopped (signals, exit()),
 * the terminal is as it was before.  termios and the few escape sequences that
 * every terminal has: curses would bring no less code here.
 */
#ifndef SFAB_TOP_SCREEN_H
#define SFAB_TOP_SCREEN_H

#include "core/err.h"

/* SFAB_EINVAL: standard output is no terminal, or one that can nothing. */
int screen_open(struct sfab_err *err);
void screen_close(void);		/* twice is fine */

void screen_size(unsigned *rows, unsigned *columns);

/*
 * Draw the lines of @text, cut to the screen.  @style: for each of the first
 * @n lines what a terminal wants (SGR: "1;31") or NULL; left out where there
 * shall be no colours (NO_COLOR).
 */
void screen_draw(const char *text, const char *const *style, unsigned n);

enum screen_event {
	SCREEN_TIME,			/* it is over */
	SCREEN_AGAIN,			/* draw: another size, or continued */
	SCREEN_KEY,
};

/* Wait for at most @ms; *@key gets the key. */
enum screen_event screen_wait(unsigned ms, char *key);

#endif
