/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * say.h - lines for the user on standard error, and memory that never fails
 *
 * Every line begins with "sfabric: " and is made printable: names from a fabric
 * must not bring control characters to the terminal.
 */
#ifndef SFAB_SAY_H
#define SFAB_SAY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

/* An error or a remark. */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * What is going on, while somebody waits at a terminal: in place of the line of
 * progress before, until say() or say_progress_done().  Nothing where standard error is
 * a file: a log of such lines helps nobody.
 */
void say_progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void say_progress_done(void);

/* Zeroed memory / a copy / printed text.  Without memory the program ends. */
void *need(size_t n, size_t size);
/*
 * Returns @made; ends the program if that is NULL, which means out of memory.
 */
void *need_made(void *made);
char *need_copy(const char *text);
/*
 * Makes space for one more entry after the @n of an array that only grows by
 * one.  Returns @array itself or, when @n is 0 or a power of two, a copy twice
 * as large.
 */
void *need_more(void *array, uint32_t n, size_t size);
char *need_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *need_text_of(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));
/* Add to a text, "" or NULL: empty; @between comes first unless it is empty. */
void need_joined(char **text, const char *between, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
