/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * utf8.h - make bytes from outside safe to print
 *
 * Job names, comments, hints and node descriptions hold whatever somebody sent.  A character is
 * printable if it is valid UTF-8 and neither moves the cursor nor hides or reorders the text
 * next to it.  This excludes C0 and C1 controls, line and paragraph separators, direction marks
 * and zero-width characters.  All functions below are O(bytes) and never read past the end of
 * the text.
 */
#ifndef SFAB_UTF8_H
#define SFAB_UTF8_H

#include <stddef.h>

/*
 * Return the length in bytes of the character at @s, of which @n > 0 bytes are readable; 1 if
 * the bytes are not UTF-8.  Set *@plain to 1 if the character is printable, else to 0.
 */
size_t sfab_utf8_char(const char *s, size_t n, int *plain);

/*
 * Copy @text, up to its NUL or @n bytes, into @buf.  The copy stops before the first character
 * that does not fit.  Each unprintable character becomes one '?'.  The result ends with NUL
 * unless @size is 0.  @buf may be @text.  Return @buf.
 */
char *sfab_utf8_clean(char *buf, size_t size, const char *text, size_t n);

/* Remove an incomplete UTF-8 character from the end of @text. */
void sfab_utf8_mend(char *text);

#endif
