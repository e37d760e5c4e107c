/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * utf8.h - bytes from outside as text that may be printed
 *
 * Job names, comments, hints and node descriptions are whatever somebody sent.
 * Printable are the characters of valid UTF-8 that neither move a cursor nor
 * hide or turn what stands beside them: no C0 and C1 controls, no line or
 * paragraph separators, no marks of direction or of no width.  All below is
 * O(bytes) and looks at no byte behind the text.
 */
#ifndef SFAB_UTF8_H
#define SFAB_UTF8_H

#include <stddef.h>

/*
 * Bytes of the character at @s, of which @n > 0 bytes can be read; 1 if they
 * are no UTF-8.  *@plain: it is printable.
 */
size_t sfab_utf8_char(const char *s, size_t n, int *plain);

/*
 * Copy @text up to its NUL or @n bytes into @buf, cut before the character for
 * which there is no room; each character that is not printable becomes one '?'.
 * Ends with NUL unless @size is 0.  @buf may be @text.  Returns @buf.
 */
char *sfab_utf8_clean(char *buf, size_t size, const char *text, size_t n);

/* End @text before a character of UTF-8 that was cut off at its end. */
void sfab_utf8_mend(char *text);

#endif
