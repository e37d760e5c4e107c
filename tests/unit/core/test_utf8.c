/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_utf8.c - bytes from outside as text that may be printed */

#include "tests/unit/fixtures/unit.h"

#include "core/err.h"
#include "core/utf8.h"

static const struct {
	const char *text;
	size_t size;
	const char *clean;
} vectors[] = {
	{ "", 10, "" },
	{ "plain", 10, "plain" },
	{ "plain", 6, "plain" },
	{ "plain", 5, "plai" },
	{ "plain", 1, "" },
	{ "a\nb\tc\rd", 10, "a?b?c?d" },
	{ "\033[31m\x7f", 10, "?[31m?" },
	{ "\xc3\xa4\xc2\x9b\xc2\x85", 10, "\xc3\xa4??" },	/* C1 */
	{ "\x9b\x85\xff\xfe", 10, "????" },
	{ "\xc0\x80\xc1\xbf", 10, "????" },	/* too long for what they are */
	{ "\xed\xa0\x80", 10, "?" },		/* a surrogate */
	{ "\xf4\x90\x80\x80", 10, "?" },	/* behind the last */
	{ "\xe2\x80\xa8\xe2\x80\xae\xef\xbb\xbf", 10, "???" },
	{ "\xe2\x82", 10, "??" },
	{ "\xf0\x9f\x98\x80!", 10, "\xf0\x9f\x98\x80!" },
	{ "\xf0\x9f\x98\x80!", 5, "\xf0\x9f\x98\x80" },
	{ "\xf0\x9f\x98\x80!", 4, "" },
	{ "a\\b\"c", 10, "a\\b\"c" },
};

LOOP_TEST(cleaned, N(vectors))
{
	char buf[20], same[20];

	memset(buf, 'z', sizeof(buf));
	ck_assert_ptr_eq(sfab_utf8_clean(buf, vectors[_i].size, vectors[_i].text,
					 100), buf);
	ck_assert_str_eq(buf, vectors[_i].clean);
	ck_assert_int_eq(buf[vectors[_i].size], 'z');
	strcpy(same, vectors[_i].text);
	sfab_utf8_clean(same, vectors[_i].size, same, 100);
	ck_assert_str_eq(same, vectors[_i].clean);
}

TEST(no_byte_behind_the_text_is_looked_at)
{
	char buf[20] = "z";

	sfab_utf8_clean(buf, sizeof(buf), "ab\xc3\xa4", 3);
	ck_assert_str_eq(buf, "ab?");
	sfab_utf8_clean(buf, 0, "ab", 2);
	ck_assert_str_eq(buf, "ab?");
}

/* Whatever the bytes: valid, and clean again is the same. */
LOOP_TEST(random_bytes_become_text, 3)
{
	char text[40], buf[40], again[40];

	srandom((unsigned) _i);
	for (int i = 0; i < 100000; i++) {
		size_t n = (size_t) random() % sizeof(text);

		for (size_t k = 0; k < n; k++)
			text[k] = (char) (random() % 3 ? 0x80 | random() : random());
		sfab_utf8_clean(buf, 1 + (size_t) random() % sizeof(buf), text, n);
		for (size_t k = 0, left = strlen(buf), size; left;
		     k += size, left -= size) {
			int plain;

			size = sfab_utf8_char(buf + k, left, &plain);
			ck_assert_int_eq(plain, 1);
		}
		sfab_utf8_clean(again, sizeof(again), buf, sizeof(buf));
		ck_assert_str_eq(again, buf);
	}
}

static const struct {
	const char *cut, *mended;
} ends[] = {
	{ "", "" },
	{ "a", "a" },
	{ "a\xc3", "a" },
	{ "a\xc3\xa4", "a\xc3\xa4" },
	{ "a\xe2\x82", "a" },
	{ "a\xf0\x9f\x98", "a" },
	{ "\xf0", "" },
	{ "a\x80\x80\x80\x80", "a\x80\x80\x80\x80" },	/* never was one */
};

LOOP_TEST(cut_ends_are_mended, N(ends))
{
	char buf[20];

	strcpy(buf, ends[_i].cut);
	sfab_utf8_mend(buf);
	ck_assert_str_eq(buf, ends[_i].mended);
}

TEST(errors_are_cut_between_characters)
{
	char text[1000];
	struct sfab_err err;

	for (int shift = 0; shift < 3; shift++) {
		memset(text, 'x', sizeof(text));
		for (size_t i = (size_t) shift; i + 3 < sizeof(text); i += 3)
			memcpy(text + i, "\xe2\x82\xac", 3);
		text[sizeof(text) - 1] = '\0';
		sfab_fail(&err, SFAB_EFORMAT, "%s", text);
		ck_assert_uint_ge(strlen(err.text), sizeof(err.text) - 4);
		ck_assert_uint_eq((strlen(err.text) - (size_t) shift) % 3, 0);
		sfab_fail_prefix(&err, "file:%d", 12);
		ck_assert_uint_eq((strlen(err.text) - (size_t) shift - 9) % 3, 0);
	}
}

UNIT_MAIN("utf8")
