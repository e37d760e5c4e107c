/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * say.c - lines on standard error; see say.h
 *
 * Everything for the user that is no answer comes through here, so standard output has the
 * answer alone and can be piped.
 */

#include "tools/ui/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/ui/printable.h"
#include "tools/ui/status.h"

static int progress_on_screen;		/* the last line is one of progress */

void say_progress_done(void)
{
	if (progress_on_screen)
		fprintf(stderr, "\r\033[K");
	progress_on_screen = 0;
}

void say_progress(const char *fmt, ...)
{
	va_list ap;

	if (!isatty(STDERR_FILENO))
		return;
	say_progress_done();
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	progress_on_screen = 1;
}

/*
 * Print a line to stderr.  Names from outside are in it, so it is made printable first.  A line
 * of progress is wiped first.
 */
void say(const char *fmt, ...)
{
	char *text, *line;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	line = printable(text, 0);
	say_progress_done();
	fprintf(stderr, "sfabric: %s\n", line);
	free(line);
	free(text);
}
