/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scan.h - walk through the lines of a text, take words and numbers from them
 *
 * Shared by the readers.  The text is borrowed, never written to, and may contain any bytes.
 * Each of the functions that take something advances past what it took and returns 1, or does
 * not move and returns 0, so that sfab_scan_expect() can report what was found instead.  None
 * of them leaves the current line.
 */
#ifndef SFAB_SCAN_H
#define SFAB_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/is_digit.h"

struct sfab_scan {
	const char *pos;	/* the rest of the current line */
	const char *end;	/* its end, without "\n" or "\r\n" */
	const char *next;	/* the line after it */
	const char *eof;	/* end of the text */
	const char *file;	/* for error texts */
	unsigned line;		/* 1, 2, ...; 0 before the first */
};

/* Start before the first line of @text, which is borrowed; errors name @file. */
void sfab_scan_init(struct sfab_scan *s, const char *file, const char *text,
		    size_t size);

/* Go to the next line: 1, or 0 at the end of the text. */
int sfab_scan_line(struct sfab_scan *s);

/* Step over blanks and tabs. */
void sfab_scan_blanks(struct sfab_scan *s);

/* Take @word; no blank need follow it. */
int sfab_scan_take(struct sfab_scan *s, const char *word);

/* Take everything up to and including the first @word of the line. */
int sfab_scan_past(struct sfab_scan *s, const char *word);
/* Take everything up to and including the last @word of the line. */
int sfab_scan_past_last(struct sfab_scan *s, const char *word);

/* Return the value of a hexadecimal digit, or -1. */
static inline int sfab_scan_hex_digit(char c)
{
	if (sfab_is_digit(c))
		return c - '0';
	c = (char) (c | 32);	/* to lower case */
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Take a decimal number of at most @max. */
int sfab_scan_dec(struct sfab_scan *s, uint32_t max, uint32_t *value);
/* Take hexadecimal digits without "0x", a number of at most @max. */
int sfab_scan_hex(struct sfab_scan *s, uint64_t max, uint64_t *value);

/*
 * Copy the next word (up to a blank or the end of the line) into @buf.  0 if there is none or
 * it is longer than @size - 1 bytes.
 */
int sfab_scan_word(struct sfab_scan *s, char *buf, size_t size);

/*
 * Copy a description of a node, @from .. @to, without blanks at either end and with '?' for
 * control characters; at most @size - 1 bytes.
 */
void sfab_scan_copy(char *buf, size_t size, const char *from, const char *to);

/* Fail with "FILE:LINE: bad WHAT (found ..., expected EXPECTED)".  -1: SFAB_EFORMAT. */
int sfab_scan_expect(const struct sfab_scan *s, struct sfab_err *err,
		     const char *what, const char *expected);

/* Fail with "FILE:LINE: " and the caller's text.  -1: SFAB_EFORMAT. */
int sfab_scan_fail(const struct sfab_scan *s, struct sfab_err *err,
		   const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Check the end, after the last line.  -1 with *err: the text has no line, or it does not end
 * with a newline, which means that the file was cut while being written.
 */
int sfab_scan_finish(const struct sfab_scan *s, struct sfab_err *err);

#endif
