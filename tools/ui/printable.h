/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * printable.h - names from outside, safe for terminals, tables and JSON
 *
 * Node descriptions are whatever a host said.  What is not a printable
 * character of valid UTF-8 (core/utf8.h) becomes \xHH, a byte at a time; a backslash becomes
 * \x5c, so that nothing is ambiguous.
 */
#ifndef SFAB_PRINTABLE_H
#define SFAB_PRINTABLE_H

#include <stddef.h>

/*
 * Printable copy of @text; @also (0: none) is one more ASCII character to
 * escape: the separator of a table.  Caller frees; ends without memory.
 */
char *printable(const char *text, char also);

/* Bytes of the longest beginning of valid UTF-8 @text of @n characters. */
size_t printable_clip(const char *text, size_t n);

#endif
