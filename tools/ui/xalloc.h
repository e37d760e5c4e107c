/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xalloc.h - memory that never fails: without it the command says so and ends
 *
 * A command that is out of memory has nothing better to do, and no caller has to check.
 * Nothing below tools/ may rely on that.  The caller frees what these functions return.
 */
#ifndef SFAB_XALLOC_H
#define SFAB_XALLOC_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed memory for @n entries of @size bytes. */
void *xcalloc(size_t n, size_t size);

/* Return @pointer, the result of a function that returns NULL when out of memory. */
void *xnonnull(void *pointer);

/*
 * Make space for one more entry after the @n of an array that always grows by one.  Return
 * @array itself or, when @n is 0 or a power of two, a copy twice as large.
 */
void *xgrow(void *array, uint32_t n, size_t size);

char *xstrdup(const char *text);

/* Text as printf() would print it. */
char *xstrfmt(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *xvstrfmt(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));

/* Append to *@text, which may be NULL or ""; if it is not empty, @between comes first. */
void xjoin(char **text, const char *between, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
