/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * printable.h - names from outside, made safe for terminals, tables and JSON
 *
 * A node description is whatever its host set.  Each byte that is not part of a printable
 * character in valid UTF-8 (core/utf8.h) becomes \xHH.  A backslash becomes \x5c, so that the
 * result is unambiguous.
 */
#ifndef SFAB_PRINTABLE_H
#define SFAB_PRINTABLE_H

#include <stddef.h>

/*
 * Printable copy of @text; caller frees.  @separator (0: none) is one more ASCII character to
 * escape, as it separates the fields of a table.  Ends the program when out of memory.
 */
char *printable(const char *text, char separator);

/*
 * How many bytes the first @n characters of @text have, which is valid UTF-8; all if there are
 * fewer.
 */
size_t printable_clip(const char *text, size_t n);

#endif
