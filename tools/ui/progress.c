/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.c - a bar on standard error; see progress.h
 *
 * A line like
 *
 *      42% [################                        ] ftree
 *
 * that is drawn over itself.  Where standard error is a file nothing is drawn: a
 * log of bars helps nobody.
 */

#include "tools/ui/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#define WIDTH 40	/* of the bar, in characters; as many as marks[] */

static int on_screen;		/* a bar is on the last line */

void progress_give_way(void)
{
	if (on_screen)
		fprintf(stderr, "\r\033[K");
	on_screen = 0;
}

void progress_begin(struct progress *p)
{
	p->shown = isatty(STDERR_FILENO);
	p->percent = -1;
	p->name[0] = '\0';
}

void progress_name(struct progress *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(p->name, sizeof(p->name), fmt, ap);
	va_end(ap);
	p->percent = -1;
}

void progress_set(struct progress *p, double done)
{
	static const char marks[] = "########################################";
	int percent = (int) (done * 100), bar;

	/*
	 * Callers report each step of thousands; the terminal gets a hundred at
	 * most.
	 */
	if (!p->shown || percent == p->percent)
		return;
	p->percent = percent;
	bar = percent * WIDTH / 100;
	fprintf(stderr, "\r\033[K%3d%% [%-*.*s] %s", percent, WIDTH, bar, marks,
		p->name);
	on_screen = 1;
}

void progress_end(struct progress *p)
{
	progress_give_way();
	p->shown = 0;
}
