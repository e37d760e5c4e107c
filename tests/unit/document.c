/* SPDX-License-Identifier: GPL-2.0-or-later */
/* document.c - bytes that a page shows; see document.h */

#include "tests/unit/document.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"

char *document_read(const char *page, const char *from, const char *to)
{
	const char *source = getenv("SFAB_SRCDIR");
	char name[600];
	char *text, *begin, *end;
	size_t size;
	struct sfab_err err;

	snprintf(name, sizeof(name), "%s/doc/%s", source ? source : ".", page);
	ck_assert_msg(sfab_file_read(name, NULL, (uint8_t **) &text, &size,
				     &err) == 0, "%s", err.text);
	begin = from ? strstr(text, from) : text;
	ck_assert_msg(begin != NULL, "%s: no \"%s\"", name, from);
	end = to ? strstr(begin, to) : text + size;
	ck_assert_msg(end != NULL, "%s: no \"%s\"", name, to);
	*end = 0;
	memmove(text, begin, (size_t) (end - begin) + 1);
	return text;
}

/* "00000040  53 46 41 42 ...": 16 bytes at an offset. */
static void hex_line(const uint8_t *buf, size_t size, size_t at, char *line)
{
	line += sprintf(line, "\n%08zx ", at);
	for (size_t i = at; i < at + 16 && i < size; i++)
		line += sprintf(line, " %02x", buf[i]);
}

void document_check_hexdump(const char *text, const uint8_t *buf, size_t size,
			    unsigned least)
{
	const char *at = text;
	char line[80];
	unsigned lines = 0;

	while ((at = strstr(at, "\n00000"))) {
		hex_line(buf, size, strtoul(at + 1, NULL, 16), line);
		ck_assert_msg(strncmp(at, line, strlen(line)) == 0,
			      "\"%.60s\", expected \"%s\"", at + 1, line + 1);
		at++;
		lines++;
	}
	ck_assert_uint_ge(lines, least);
}
