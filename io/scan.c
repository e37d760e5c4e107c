/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scan.c - walk over lines, words and numbers by hand; see scan.h
 *
 * A scan is a place in a text that need not end with NUL.  A function that takes something
 * moves the place behind it and returns 1; otherwise the place stays and it returns 0.  So
 * alternatives can be tried one after another, and none of them copies.
 */

#include "io/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FOUND_MAX 40	/* bytes of input that an error text quotes */

void sfab_scan_init(struct sfab_scan *s, const char *file, const char *text,
		    size_t size)
{
	s->pos = s->end = s->next = text;
	s->eof = text + size;
	s->file = file;
	s->line = 0;
}

int sfab_scan_line(struct sfab_scan *s)
{
	const char *newline;

	if (s->next == s->eof) {
		s->pos = s->end = s->eof;
		return 0;
	}
	s->pos = s->next;
	newline = memchr(s->pos, '\n', (size_t) (s->eof - s->pos));
	s->end = newline ? newline : s->eof;
	s->next = newline ? newline + 1 : s->eof;
	if (s->end > s->pos && s->end[-1] == '\r')
		s->end--;
	s->line++;
	return 1;
}

static int is_blank(char c)
{
	return c == ' ' || c == '\t';
}

void sfab_scan_blanks(struct sfab_scan *s)
{
	while (s->pos < s->end && is_blank(*s->pos))
		s->pos++;
}

static int starts_with(const char *at, const char *end, const char *word,
		       size_t len)
{
	return (size_t) (end - at) >= len && memcmp(at, word, len) == 0;
}

int sfab_scan_take(struct sfab_scan *s, const char *word)
{
	size_t len = strlen(word);

	if (!starts_with(s->pos, s->end, word, len))
		return 0;
	s->pos += len;
	return 1;
}

int sfab_scan_past(struct sfab_scan *s, const char *word)
{
	size_t len = strlen(word);
	const char *p = memmem(s->pos, (size_t) (s->end - s->pos), word, len);

	if (p)
		s->pos = p + len;
	return p != NULL;
}

int sfab_scan_past_last(struct sfab_scan *s, const char *word)
{
	size_t len = strlen(word);
	const char *p;

	for (p = s->end; p-- > s->pos;) {
		if (starts_with(p, s->end, word, len)) {
			s->pos = p + len;
			return 1;
		}
	}
	return 0;
}

/* Refuse a number that would overflow, like one above @max. */
int sfab_scan_dec(struct sfab_scan *s, uint32_t max, uint32_t *value)
{
	const char *p = s->pos;
	uint64_t sum = 0;

	for (; p < s->end && sfab_is_digit(*p); p++) {
		sum = sum * 10 + (uint64_t) (*p - '0');
		if (sum > max)
			return 0;
	}
	if (p == s->pos)
		return 0;
	*value = (uint32_t) sum;
	s->pos = p;
	return 1;
}

int sfab_scan_hex(struct sfab_scan *s, uint64_t max, uint64_t *value)
{
	const char *p = s->pos;
	uint64_t sum = 0;
	int digit;

	for (; p < s->end && (digit = sfab_scan_hex_digit(*p)) >= 0; p++) {
		if (sum > max >> 4)
			return 0;
		sum = sum << 4 | (uint64_t) digit;
	}
	if (p == s->pos || sum > max)
		return 0;
	*value = sum;
	s->pos = p;
	return 1;
}

/* Refuse a word that does not fit: it would be cut. */
int sfab_scan_word(struct sfab_scan *s, char *buf, size_t size)
{
	const char *p = s->pos;
	size_t len;

	while (p < s->end && !is_blank(*p))
		p++;
	len = (size_t) (p - s->pos);
	if (len == 0 || len >= size)
		return 0;
	memcpy(buf, s->pos, len);
	buf[len] = '\0';
	s->pos = p;
	return 1;
}

void sfab_scan_copy(char *buf, size_t size, const char *from, const char *to)
{
	size_t n = 0;

	while (from < to && is_blank(*from))
		from++;
	while (from < to && is_blank(to[-1]))
		to--;
	/* Bytes above 0x7e are kept: descriptions may be UTF-8. */
	for (; from < to && n < size - 1; from++)
		buf[n++] = (*from >= 0 && *from < ' ') || *from == 0x7f ? '?' : *from;
	buf[n] = '\0';
}

int sfab_scan_expect(const struct sfab_scan *s, struct sfab_err *err,
		     const char *what, const char *expected)
{
	const char *p = s->pos, *to;
	char word[FOUND_MAX + 1];

	while (p < s->end && is_blank(*p))
		p++;
	if (p == s->end)
		return sfab_scan_fail(s, err, "bad %s (found the end of the %s, expected %s)",
				      what, p == s->eof ? "file" : "line", expected);
	for (to = p + 1; to < s->end && !is_blank(*to); to++)
		if (to - p == FOUND_MAX)
			break;
	sfab_scan_copy(word, sizeof(word), p, to);
	return sfab_scan_fail(s, err, "bad %s (found \"%s\", expected %s)", what, word,
			      expected);
}

int sfab_scan_fail(const struct sfab_scan *s, struct sfab_err *err,
		   const char *fmt, ...)
{
	char text[sizeof(err->text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return sfab_fail(err, SFAB_EFORMAT, "%s:%u: %s", s->file,
			 s->line ? s->line : 1, text);
}

int sfab_scan_finish(const struct sfab_scan *s, struct sfab_err *err)
{
	if (s->line == 0)
		return sfab_scan_fail(s, err, "the file is empty");
	if (s->eof[-1] != '\n')
		return sfab_scan_fail(s, err, "the file ends inside a line "
				      "(expected a newline; truncated?)");
	return 0;
}
