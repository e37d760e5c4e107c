/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.c - a line on standard error that is drawn over itself; see progress.h
 *
 * Where standard error is a file nothing is drawn: a log of such lines helps nobody.
 */

#include "tools/ui/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static int on_screen;		/* it is the last line */

void progress_give_way(void)
{
	if (on_screen)
		fprintf(stderr, "\r\033[K");
	on_screen = 0;
}

void progress(const char *fmt, ...)
{
	va_list ap;

	if (!isatty(STDERR_FILENO))
		return;
	progress_give_way();
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	on_screen = 1;
}
