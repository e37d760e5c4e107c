/* SPDX-License-Identifier: GPL-2.0-or-later */
/* utf8.c - bytes from outside as text that may be printed; see utf8.h */

#include "core/utf8.h"

#include <stdint.h>
#include <string.h>

/* Printable code points, first and last of each range. */
static const struct {
	uint32_t first, last;
} plain_rows[] = {
	{ 0x20, 0x7e },
	{ 0xa0, 0x061b },	/* C1 controls end at 0x9f; 0x061c is a bidi mark */
	{ 0x061d, 0x200a },
	{ 0x2010, 0x2027 },	/* not: zero width, bidi marks, separators */
	{ 0x2030, 0x205f },
	{ 0x2070, 0xd7ff },
	{ 0xe000, 0xfefe },	/* not: byte order mark */
	{ 0xff00, 0xffef },
	{ 0x10000, 0xdffff },
	{ 0xe01f0, 0x10ffff },
};

/* Return the length of a sequence that begins with @byte.  0: it is not a valid first byte. */
static size_t length_of(unsigned char byte)
{
	return byte < 0x80 ? 1 :
	       byte >> 5 == 0x6 ? 2 :
	       byte >> 4 == 0xe ? 3 :
	       byte >> 3 == 0x1e ? 4 : 0;
}

size_t sfab_utf8_char(const char *s, size_t n, int *plain)
{
	/* Lowest code point by length: a longer encoding than needed is not valid UTF-8. */
	static const uint32_t min[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char byte = (unsigned char) *s;
	size_t length = length_of(byte);
	uint32_t c = length == 1 ? byte : byte & (0x7fu >> length);

	*plain = 0;
	if (!length || length > n)
		return 1;
	for (size_t i = 1; i < length; i++) {
		byte = (unsigned char) s[i];
		if (byte >> 6 != 2)
			return 1;
		c = c << 6 | (byte & 0x3f);
	}
	if (c < min[length])
		return 1;
	for (size_t i = 0; !*plain && i < sizeof(plain_rows) / sizeof(plain_rows[0]); i++)
		*plain = c >= plain_rows[i].first && c <= plain_rows[i].last;
	return length;
}

char *sfab_utf8_clean(char *buf, size_t size, const char *text, size_t n)
{
	size_t used = 0;

	while (n && *text) {
		int plain;
		size_t char_length = sfab_utf8_char(text, n, &plain);
		size_t needed = plain ? char_length : 1;

		if (used + needed >= size)
			break;
		if (plain)
			memmove(buf + used, text, char_length);
		else
			buf[used] = '?';
		used += needed;
		text += char_length;
		n -= char_length;
	}
	if (size)
		buf[used] = '\0';
	return buf;
}

void sfab_utf8_mend(char *text)
{
	size_t n = strlen(text), back = 0;

	while (back < 3 && back < n && (unsigned char) text[n - 1 - back] >> 6 == 2)
		back++;
	if (back < n && length_of((unsigned char) text[n - 1 - back]) > back + 1)
		text[n - 1 - back] = '\0';
}
