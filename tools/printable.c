/* SPDX-License-Identifier: GPL-2.0-or-later */
/* printable.c - names from outside, made safe; see printable.h */

#include "printable.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "say.h"

/* First and last code points that are written as they are, by rows. */
static const struct {
	uint32_t first, last;
} plain[] = {
	{ 0x20, 0x7e },
	{ 0xa0, 0x061b },	/* C1 controls end at 0x9f; 0x061c is bidi */
	{ 0x061d, 0x200a },
	{ 0x2010, 0x2027 },	/* not: zero width, bidi marks, separators */
	{ 0x2030, 0x205f },
	{ 0x2070, 0xd7ff },
	{ 0xe000, 0xfefe },	/* not: byte order mark */
	{ 0xff00, 0xffef },
	{ 0x10000, 0xdffff },
	{ 0xe01f0, 0x10ffff },
};

static int is_plain(uint32_t c)
{
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (c >= plain[i].first && c <= plain[i].last)
			return c != '\\';
	return 0;
}

/* Length of the UTF-8 sequence at @s with its code point, 0 if it is none. */
static size_t decode(const unsigned char *s, uint32_t *c)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = *s < 0x80 ? 1 :
		   *s >> 5 == 0x6 ? 2 :
		   *s >> 4 == 0xe ? 3 :
		   *s >> 3 == 0x1e ? 4 : 0;

	if (!n)
		return 0;
	*c = n == 1 ? *s : *s & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if (s[i] >> 6 != 2)
			return 0;
		*c = *c << 6 | (s[i] & 0x3f);
	}
	return *c >= least[n] ? n : 0;
}

char *printable(const char *text, char also)
{
	const unsigned char *s = (const unsigned char *) text;
	char *out = need(4 * strlen(text) + 1, 1), *p = out;

	while (*s) {
		uint32_t c = 0;
		size_t n = decode(s, &c);

		if (n && is_plain(c) && (!also || c != (unsigned char) also)) {
			memcpy(p, s, n);
			p += n;
		} else {
			n = n ? n : 1;
			for (size_t i = 0; i < n; i++)
				p += sprintf(p, "\\x%02x", s[i]);
		}
		s += n;
	}
	*p = '\0';
	return out;
}

size_t printable_clip(const char *text, size_t n)
{
	const char *p = text;

	for (; *p; p++)
		if (((unsigned char) *p >> 6) != 2 && n-- == 0)
			break;
	return (size_t) (p - text);
}
