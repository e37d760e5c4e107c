/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * printable.c - names from outside, made safe; see printable.h
 *
 * The escapes are ASCII, so what is valid UTF-8 stays valid and the other bytes stay readable:
 * "node\x1b[2J" clears no screen.
 */

#include "tools/ui/printable.h"

#include <stdio.h>
#include <string.h>

#include "core/utf8.h"
#include "tools/ui/xalloc.h"

char *printable(const char *text, char separator)
{
	size_t rest = strlen(text);
	char *out = xcalloc(4 * rest + 1, 1), *p = out;	/* all of it "\xHH" */

	while (rest) {
		int is_plain;
		size_t n = sfab_utf8_char(text, rest, &is_plain);

		if (is_plain && *text != '\\' && (!separator || *text != separator)) {
			memcpy(p, text, n);
			p += n;
		} else {
			for (size_t i = 0; i < n; i++)
				p += sprintf(p, "\\x%02x",
					     (unsigned char) text[i]);
		}
		text += n;
		rest -= n;
	}
	*p = '\0';
	return out;
}

/*
 * Count the bytes of @n characters, not columns of the screen: wide ones would need a table of
 * them.
 */
size_t printable_clip(const char *text, size_t n)
{
	const char *p = text;

	for (; *p; p++)
		/* Bytes 10xxxxxx continue a character; all others begin one. */
		if (((unsigned char) *p >> 6) != 2 && n-- == 0)
			break;
	return (size_t) (p - text);
}
