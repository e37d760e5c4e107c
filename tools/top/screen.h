/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen.h - a whole terminal that is redrawn again and again
 *
 * A process has one screen, that of standard output; keys come from standard
 * input.  However the process ends or is stopped (signals, exit()), the
 * terminal is restored.  It uses termios and the few escape sequences that
 * every terminal has: curses would not save any code here.
 */
#ifndef SFAB_TOP_SCREEN_H
#define SFAB_TOP_SCREEN_H

#include "core/err.h"

/* SFAB_EINVAL: standard output is not a terminal, or a dumb one. */
int screen_open(struct sfab_err *err);
void screen_close(void);		/* twice is fine */

void screen_size(unsigned *rows, unsigned *columns);

/*
 * Draw the lines of @text, cut to the screen.  @style is the terminal code
 * (SGR: "1;31") of each of the first @n lines, or NULL; ignored where colors
 * are not wanted (NO_COLOR).
 */
void screen_draw(const char *text, const char *const *style, unsigned n);

enum screen_event {
	SCREEN_TIME,			/* the time is up */
	SCREEN_AGAIN,			/* redraw: new size, or continued */
	SCREEN_KEY,
};

/* Wait for at most @ms; *@key gets the key. */
enum screen_event screen_wait(unsigned ms, char *key);

#endif
