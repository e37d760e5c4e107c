/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_text.c - files plain and gzipped, cut, too big, standard input */

#include <zlib.h>

#include "io/readers/reader.h"
#include "io/readers/text.h"
#include "tests/unit/fixtures/unit.h"

#define BIG ((size_t) 3 << 20)	/* more than one block of the reader */

static const char *path;

static void set_up(void)
{
	path = unit_path("file");
}

static void write_plain(const void *bytes, size_t size)
{
	FILE *f = fopen(path, "wb");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(bytes, 1, size, f), size);
	ck_assert_int_eq(fclose(f), 0);
}

static void write_gzipped(const char *text, size_t size)
{
	gzFile f = gzopen(path, "wb");

	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(gzwrite(f, text, (unsigned) size), (int) size);
	ck_assert_int_eq(gzclose(f), Z_OK);
}

/* Lines of numbers, as little alike as text gets. */
static char *make_text(size_t size)
{
	char *text = malloc(size + 16);
	size_t n = 0;
	unsigned x = 1;

	ck_assert_ptr_nonnull(text);
	while (n < size) {
		x = x * 1103515245u + 12345u;
		n += (size_t) snprintf(text + n, 16, "%u\n", x);
	}
	text[size] = '\0';
	return text;
}

static const size_t sizes[] = { 0, 1, 100, (1 << 20) - 1, 1 << 20, BIG };

static void check_reads(const char *text, size_t size)
{
	char *got;
	size_t n;

	unit_must(!sfab_reader_read_text(path, 0, &got, &n, &unit_err));
	ck_assert_uint_eq(n, size);
	ck_assert_mem_eq(got, text, size + 1);
	free(got);
}

LOOP_TEST(plain_and_gzipped, N(sizes))
{
	char *text = make_text(sizes[_i]);

	write_plain(text, sizes[_i]);
	check_reads(text, sizes[_i]);
	write_gzipped(text, sizes[_i]);
	check_reads(text, sizes[_i]);
	free(text);
}

static size_t load(unsigned char *buf, size_t room)
{
	FILE *f = fopen(path, "rb");
	size_t n;

	ck_assert_ptr_nonnull(f);
	n = fread(buf, 1, room, f);
	fclose(f);
	ck_assert_uint_lt(n, room);
	return n;
}

/* 1,000 times its size: an error long before it is in memory. */
TEST(ratio_of_a_gzip_bomb)
{
	static char block[1 << 20];
	struct sfab_err err = { 0 };
	struct sfab_text t;
	gzFile f;

	memset(block, 'x', sizeof(block));
	f = gzopen(path, "wb");
	ck_assert_ptr_nonnull(f);
	for (int i = 0; i < 160; i++)
		ck_assert_int_eq(gzwrite(f, block, sizeof(block)), sizeof(block));
	ck_assert_int_eq(gzclose(f), Z_OK);
	ck_assert_int_eq(sfab_text_open(&t, path, 0, &err), 0);
	ck_assert_int_eq(sfab_text_fill_all(&t, &err), -1);
	ck_assert_int_eq(err.code, SFAB_ELIMIT);
	ck_assert_msg(strstr(err.text, ": unpacks to more than 200 times its size "
			     "(expected a text)") != NULL, "%s", err.text);
	ck_assert_uint_le(t.total, 100 << 20);
	sfab_text_close(&t);
}

/* Many times its size, but small: repeated lines are no bomb. */
TEST(a_text_that_packs_well)
{
	char *text = malloc(BIG + 1);

	memset(text, 'x', BIG);
	text[BIG] = '\0';
	write_gzipped(text, BIG);
	check_reads(text, BIG);
	free(text);
}

/* From 3 bytes on (magic number and method) it is a gzip file that was cut. */
TEST(cut_gzip)
{
	unsigned char bytes[4096];
	struct sfab_err err = { 0 };
	char *text = make_text(500), *got;
	size_t all, size, n;

	write_gzipped(text, 500);
	all = load(bytes, sizeof(bytes));
	for (size = 3; size < all; size++) {
		write_plain(bytes, size);
		ck_assert_msg(sfab_reader_read_text(path, 0, &got, &n, &err) == -1,
			      "%zu of %zu bytes are taken for all", size, all);
		ck_assert_int_eq(err.code, SFAB_EFORMAT);
		ck_assert_msg(strstr(err.text, "truncated") != NULL, "%s",
			      err.text);
	}
	free(text);
}

TEST(damaged_gzip)
{
	unsigned char bytes[4096];
	char *text = make_text(500), *got;
	size_t all, n;

	write_gzipped(text, 500);
	all = load(bytes, sizeof(bytes));
	bytes[all - 6] ^= 1;	/* its checksum */
	write_plain(bytes, all);
	ck_assert_int_eq(sfab_reader_read_text(path, 0, &got, &n, &unit_err), -1);
	ck_assert_int_eq(unit_err.code, SFAB_EFORMAT);
	free(text);
}

/* A device that never ends, or any other thing that is no text. */
TEST(what_has_a_nul_is_no_text)
{
	char *got;
	size_t n;

	ck_assert_int_eq(sfab_reader_read_text("/dev/zero", 0, &got, &n, &unit_err), -1);
	ck_assert_int_eq(unit_err.code, SFAB_EFORMAT);
	ck_assert_str_eq(unit_err.text, "/dev/zero: not a text file (byte 0 is NUL)");
}

/* A megabyte of blanks in a thousand bytes. */
TEST(gzip_bomb)
{
	struct sfab_err err = { 0 };
	char *blanks = malloc((size_t) 1 << 20), *got, expected[256];
	size_t n;

	ck_assert_ptr_nonnull(blanks);
	memset(blanks, ' ', (size_t) 1 << 20);
	write_gzipped(blanks, (size_t) 1 << 20);
	ck_assert_int_eq(sfab_reader_read_text(path, 100000, &got, &n, &err), -1);
	ck_assert_int_eq(err.code, SFAB_ELIMIT);
	snprintf(expected, sizeof(expected), "%s: too big (found more than the "
		 "100000 bytes of text that are allowed)", path);
	ck_assert_str_eq(err.text, expected);
	ck_assert_int_eq(sfab_reader_read_text(path, (size_t) 1 << 20, &got, &n, &err),
			 0);
	free(got);
	free(blanks);
}

TEST(missing_file_and_folder)
{
	struct sfab_err err = { 0 };
	char *got;
	size_t n;

	ck_assert_int_eq(sfab_reader_read_text(path, 0, &got, &n, &err), -1);
	ck_assert_int_eq(err.code, SFAB_ENOENT);
	ck_assert_int_eq(sfab_reader_read_text(unit_folder(), 0, &got, &n, &err), -1);
	ck_assert_int_eq(err.code, SFAB_EIO);
}

TEST(standard_input)
{
	char *got;
	size_t n;

	write_gzipped("hello\n", 6);
	ck_assert_ptr_nonnull(freopen(path, "rb", stdin));
	unit_must(!sfab_reader_read_text("-", 0, &got, &n, &unit_err));
	ck_assert_str_eq(got, "hello\n");
	free(got);
}

UNIT_MAIN_WITH("text", set_up, NULL)
