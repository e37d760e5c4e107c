/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xalloc.c - memory that never fails; see xalloc.h */

#include "tools/ui/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ui/status.h"

/* Report that memory is lacking, and exit.  By fputs(), as say() needs memory itself. */
static void exit_no_memory(void)
{
	fputs("sfabric: out of memory\n", stderr);
	exit(STATUS_ERROR);
}

void *xnonnull(void *pointer)
{
	if (!pointer)
		exit_no_memory();
	return pointer;
}

/*
 * Allocate zeros, never of size 0: malloc may return NULL for that, which would look like a
 * failure.
 */
void *xcalloc(size_t n, size_t size)
{
	return xnonnull(calloc(n ? n : 1, size ? size : 1));
}

void *xgrow(void *array, uint32_t n, size_t size)
{
	void *larger;

	/*
	 * The array is full exactly when its length is a power of two, so no capacity has to be
	 * kept beside it.
	 */
	if (n & (n - 1))
		return array;
	larger = xcalloc(n ? 2 * (size_t) n : 1, size);
	if (n)
		memcpy(larger, array, n * size);
	free(array);
	return larger;
}

char *xstrdup(const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		exit_no_memory();
	return copy;
}

char *xvstrfmt(const char *fmt, va_list ap)
{
	char *text;

	if (vasprintf(&text, fmt, ap) < 0)
		exit_no_memory();
	return text;
}

char *xstrfmt(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvstrfmt(fmt, ap);
	va_end(ap);
	return text;
}

void xjoin(char **text, const char *between, const char *fmt, ...)
{
	int is_empty = !*text || !**text;
	char *added, *joined;
	va_list ap;

	va_start(ap, fmt);
	added = xvstrfmt(fmt, ap);
	va_end(ap);
	joined = xstrfmt("%s%s%s", is_empty ? "" : *text, is_empty ? "" : between, added);
	free(added);
	free(*text);
	*text = joined;
}
