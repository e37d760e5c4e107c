/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * say.c - lines on standard error, memory that never fails; see say.h
 *
 * Everything for the user that is no answer comes through here, so standard
 * output has the answer alone and can be piped.  Memory: a command that has run
 * out of it has nothing better to do than end, which saves a check at each
 * call.  Nothing below tools/ may rely on that.
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
 * Names from outside are in it, so the line is made printable first.  A line of
 * progress is wiped first.
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

/* fputs(), as say() itself needs memory. */
static void exit_no_memory(void)
{
	fputs("sfabric: out of memory\n", stderr);
	exit(STATUS_ERROR);
}

void *need_made(void *made)
{
	if (!made)
		exit_no_memory();
	return made;
}

/*
 * Never of size 0: malloc may return NULL for that, which would look like a
 * failure.
 */
void *need(size_t n, size_t size)
{
	return need_made(calloc(n ? n : 1, size ? size : 1));
}

void *need_more(void *array, uint32_t n, size_t size)
{
	void *more;

	/*
	 * The array is full exactly when its length is a power of two, so no
	 * capacity has to be kept beside it.
	 */
	if (n & (n - 1))
		return array;
	more = need(n ? 2 * (size_t) n : 1, size);
	if (n)
		memcpy(more, array, n * size);
	free(array);
	return more;
}

char *need_copy(const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		exit_no_memory();
	return copy;
}

char *need_text_of(const char *fmt, va_list ap)
{
	char *text;

	if (vasprintf(&text, fmt, ap) < 0)
		exit_no_memory();
	return text;
}

char *need_text(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = need_text_of(fmt, ap);
	va_end(ap);
	return text;
}

void need_joined(char **text, const char *between, const char *fmt, ...)
{
	int is_empty = !*text || !**text;
	char *more, *all;
	va_list ap;

	va_start(ap, fmt);
	more = need_text_of(fmt, ap);
	va_end(ap);
	all = need_text("%s%s%s", is_empty ? "" : *text, is_empty ? "" : between, more);
	free(more);
	free(*text);
	*text = all;
}
