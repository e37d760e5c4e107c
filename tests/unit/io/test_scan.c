/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_scan.c - lines, words and numbers, and what error texts quote */

#include "io/scan.h"
#include "tests/unit/fixtures/unit.h"

static struct sfab_scan on_line(const char *text)
{
	struct sfab_scan s;

	sfab_scan_init(&s, "file", text, strlen(text));
	sfab_scan_line(&s);
	return s;
}

TEST(lines)
{
	static const char text[] = "one\r\n\ntwo\0x\nlast";
	struct sfab_scan s;

	sfab_scan_init(&s, "file", text, sizeof(text) - 1);
	ck_assert_int_eq(sfab_scan_line(&s), 1);
	ck_assert_int_eq(s.end - s.pos, 3);
	ck_assert_int_eq(sfab_scan_line(&s), 1);
	ck_assert_int_eq(s.end - s.pos, 0);
	ck_assert_int_eq(sfab_scan_line(&s), 1);
	ck_assert_int_eq(s.end - s.pos, 5);	/* a NUL is any byte */
	ck_assert_int_eq(sfab_scan_line(&s), 1);
	ck_assert_uint_eq(s.line, 4);
	ck_assert_int_eq(sfab_scan_take(&s, "last"), 1);
	ck_assert_int_eq(sfab_scan_line(&s), 0);
	ck_assert_int_eq(sfab_scan_line(&s), 0);
	ck_assert_int_eq(s.end - s.pos, 0);
}

static const struct {
	const char *text;
	uint32_t max;
	int taken;
	uint32_t value;
	char next;		/* what stands behind it */
} dec_vectors[] = {
	{ "0]", 9, 1, 0, ']' },
	{ "007 ", 7, 1, 7, ' ' },
	{ "4294967295x", UINT32_MAX, 1, UINT32_MAX, 'x' },
	{ "4294967296", UINT32_MAX, 0, 0, '4' },
	{ "99999999999999999999999", UINT32_MAX, 0, 0, '9' },
	{ "8", 7, 0, 0, '8' },
	{ "-1", 7, 0, 0, '-' },
	{ " 1", 7, 0, 0, ' ' },
	{ "x", 7, 0, 0, 'x' },
};

LOOP_TEST(decimal, N(dec_vectors))
{
	struct sfab_scan s = on_line(dec_vectors[_i].text);
	uint32_t value = 0;

	ck_assert_int_eq(sfab_scan_dec(&s, dec_vectors[_i].max, &value),
			 dec_vectors[_i].taken);
	ck_assert_uint_eq(value, dec_vectors[_i].value);
	ck_assert_int_eq(*s.pos, dec_vectors[_i].next);
}

static const struct {
	const char *text;
	uint64_t max;
	int taken;
	uint64_t value;
	char next;
} hex_vectors[] = {
	{ "00fF.", 255, 1, 255, '.' },
	{ "100", 255, 0, 0, '1' },
	{ "fe", 254, 1, 254, '\0' },
	{ "ff", 254, 0, 0, 'f' },
	{ "ffffffffffffffff)", UINT64_MAX, 1, UINT64_MAX, ')' },
	{ "0ffffffffffffffff", UINT64_MAX, 1, UINT64_MAX, '\0' },
	{ "10000000000000000", UINT64_MAX, 0, 0, '1' },
	{ "0x1", 255, 1, 0, 'x' },
	{ "g", 255, 0, 0, 'g' },
};

LOOP_TEST(hexadecimal, N(hex_vectors))
{
	struct sfab_scan s = on_line(hex_vectors[_i].text);
	uint64_t value = 0;

	ck_assert_int_eq(sfab_scan_hex(&s, hex_vectors[_i].max, &value),
			 hex_vectors[_i].taken);
	ck_assert_uint_eq(value, hex_vectors[_i].value);
	ck_assert_int_eq(*s.pos, hex_vectors[_i].next);
}

TEST(takers_stay_in_the_line)
{
	struct sfab_scan s = on_line("a lid 1 lid 2\nlid 3\n"), start = s;

	ck_assert_int_eq(sfab_scan_past(&s, "lid 3"), 0);
	ck_assert_int_eq(sfab_scan_past_last(&s, "lid 3"), 0);
	ck_assert_int_eq(sfab_scan_take(&s, "a lid 1 lid 2\n"), 0);
	ck_assert_ptr_eq(s.pos, start.pos);
	ck_assert_int_eq(sfab_scan_past(&s, "lid "), 1);
	ck_assert_int_eq(*s.pos, '1');
	ck_assert_int_eq(sfab_scan_past_last(&s, "lid "), 1);
	ck_assert_int_eq(*s.pos, '2');
	ck_assert_int_eq(sfab_scan_past_last(&s, "lid "), 0);
	ck_assert_int_eq(*s.pos, '2');
}

TEST(words)
{
	struct sfab_scan s = on_line(" \tLOG=ACT next");
	char buf[8];

	ck_assert_int_eq(sfab_scan_word(&s, buf, sizeof(buf)), 0);
	sfab_scan_blanks(&s);
	ck_assert_int_eq(sfab_scan_word(&s, buf, 7), 0);
	ck_assert_int_eq(sfab_scan_word(&s, buf, 8), 1);
	ck_assert_str_eq(buf, "LOG=ACT");
	sfab_scan_blanks(&s);
	ck_assert_int_eq(sfab_scan_word(&s, buf, 8), 1);
	ck_assert_str_eq(buf, "next");
	ck_assert_int_eq(sfab_scan_word(&s, buf, 8), 0);
}

static const struct {
	const char *from, *copy;
} copy_vectors[] = {
	{ "", "" },	       { "  \t ", "" },	   { " a b  ", "a b" },
	{ "a\x01\x7f", "a??" }, { "\xc3\xa4", "\xc3\xa4" },
	{ "12345678", "1234567" },
};

LOOP_TEST(descriptions, N(copy_vectors))
{
	const char *from = copy_vectors[_i].from;
	char buf[8];

	sfab_scan_copy(buf, sizeof(buf), from, from + strlen(from));
	ck_assert_str_eq(buf, copy_vectors[_i].copy);
}

static const struct {
	const char *text, *found;
} found_vectors[] = {
	{ "port 7\n", "\"port\"" },
	{ "  7\n", "\"7\"" },
	{ "\n", "the end of the line" },
	{ "  \nnext\n", "the end of the line" },
	{ "  ", "the end of the file" },
	{ "a\x1b[1m\n", "\"a?[1m\"" },
	{ "0123456789012345678901234567890123456789012345\n",
	  "\"0123456789012345678901234567890123456789\"" },
};

LOOP_TEST(errors_quote_what_was_found, N(found_vectors))
{
	struct sfab_scan s = on_line(found_vectors[_i].text);
	char expected[128];

	snprintf(expected, sizeof(expected), "file:1: bad LID (found %s, "
		 "expected 1-9)", found_vectors[_i].found);
	ck_assert_int_eq(sfab_scan_expect(&s, &unit_err, "LID", "1-9"), -1);
	ck_assert_str_eq(unit_err.text, expected);
	ck_assert_int_eq(unit_err.code, SFAB_EFORMAT);
	ck_assert_int_eq(sfab_scan_expect(&s, NULL, "LID", "1-9"), -1);
}

static const struct {
	const char *text, *error;	/* NULL: fine */
} finish_vectors[] = {
	{ "a\n", NULL },
	{ "\n", NULL },
	{ "", "file:1: the file is empty" },
	{ "a\nb", "file:2: the file ends inside a line (expected a newline; truncated?)" },
};

LOOP_TEST(ends, N(finish_vectors))
{
	struct sfab_scan s = on_line(finish_vectors[_i].text);
	struct sfab_err err = { 0 };

	while (sfab_scan_line(&s))
		;
	ck_assert_int_eq(sfab_scan_finish(&s, &err),
			 finish_vectors[_i].error ? -1 : 0);
	if (finish_vectors[_i].error)
		ck_assert_str_eq(err.text, finish_vectors[_i].error);
}

UNIT_MAIN("scan")
