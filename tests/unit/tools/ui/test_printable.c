/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_printable.c - what may reach a terminal, and what becomes \xHH */

#include "tests/unit/fixtures/unit.h"
#include "tools/ui/printable.h"
#include "tools/ui/shell.h"

static const struct {
	const char *text;
	char also;
	const char *expect;
} vectors[] = {
	{ "", 0, "" },
	{ "wf0001 HCA-1", 0, "wf0001 HCA-1" },
	{ "J\xc3\xbclich", 0, "J\xc3\xbclich" },
	{ "\xe8\x8a\x82\xe7\x82\xb9", 0, "\xe8\x8a\x82\xe7\x82\xb9" },
	{ "\xf0\x9f\x90\xa7", 0, "\xf0\x9f\x90\xa7" },
	{ "\033[2Jgone", 0, "\\x1b[2Jgone" },
	{ "a\tb\nc\r", 0, "a\\x09b\\x0ac\\x0d" },
	{ "del\x7f", 0, "del\\x7f" },
	{ "C1 \xc2\x9b" "31m", 0, "C1 \\xc2\\x9b31m" },
	{ "back\\slash", 0, "back\\x5cslash" },
	{ "a|b", '|', "a\\x7cb" },
	{ "a|b", 0, "a|b" },
	/* right-to-left override, zero width space, byte order mark */
	{ "a\xe2\x80\xae" "b", 0, "a\\xe2\\x80\\xaeb" },
	{ "a\xe2\x80\x8b" "b", 0, "a\\xe2\\x80\\x8bb" },
	{ "\xef\xbb\xbf", 0, "\\xef\\xbb\\xbf" },
	/* no UTF-8: alone, cut off, too long a form, surrogate, beyond */
	{ "\xff\xfe", 0, "\\xff\\xfe" },
	{ "x\xc3", 0, "x\\xc3" },
	{ "x\xe2\x82", 0, "x\\xe2\\x82" },
	{ "\xc0\xaf", 0, "\\xc0\\xaf" },
	{ "\xed\xa0\x80", 0, "\\xed\\xa0\\x80" },
	{ "\xf4\x90\x80\x80", 0, "\\xf4\\x90\\x80\\x80" },
	{ "\xc3(", 0, "\\xc3(" },
};

LOOP_TEST(what_cannot_be_printed_is_escaped, N(vectors))
{
	char *text = printable(vectors[_i].text, vectors[_i].also);

	ck_assert_str_eq(text, vectors[_i].expect);
	free(text);
}

static const struct {
	const char *text, *expect;
} words[] = {
	{ "n0001=leaf-01:18", "n0001=leaf-01:18" },
	{ "", "''" },
	{ "MF0;S1:MQM8700/U1", "'MF0;S1:MQM8700/U1'" },
	{ "a b$(reboot)", "'a b$(reboot)'" },
	{ "it's", "'it'\\''s'" },
	{ "x\n\033[2J", "'x\\x0a\\x1b[2J'" },
};

LOOP_TEST(a_word_is_quoted_for_the_shell, N(words))
{
	char *text = shell_word(words[_i].text);

	ck_assert_str_eq(text, words[_i].expect);
	free(text);
}

TEST(a_clip_cuts_no_character)
{
	ck_assert_uint_eq(printable_clip("", 3), 0);
	ck_assert_uint_eq(printable_clip("abc", 5), 3);
	ck_assert_uint_eq(printable_clip("abc", 2), 2);
	ck_assert_uint_eq(printable_clip("J\xc3\xbclich", 2), 3);
	ck_assert_uint_eq(printable_clip("J\xc3\xbclich", 6), 7);
}

UNIT_MAIN("printable")
