/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_counters.c - counters.snap: written, read again, refused when spoilt. */

#include "tests/unit/fixtures/damage.h"
#include "tests/unit/fixtures/document.h"
#include "tests/unit/fixtures/unit.h"

#include "io/counters/counters.h"
#include "io/little.h"

#define ROW(i) (SFAB_COUNTERS_HEADER + (i) * SFAB_COUNTERS_ROW)

static const struct sfab_counter example[] = {
	{ .guid = 0x100, .port = 36, .interval_ms = 30000, .time_ms = 1700000000123,
	  .xmit_words = 1, .rcv_words = 2, .wait_ticks = 3, .discards = 4,
	  .errors = 5, .new_discards = 6, .new_errors = 7, .xmit_rate = 4e9,
	  .rcv_rate = 0.5, .wait_share = 0.25 },
	{ .guid = 0x101, .port = 1, .flags = SFAB_COUNTER_NO_RATE,
	  .xmit_words = UINT64_MAX },
	{ .guid = 0x101, .port = 254, .wait_share = 1, .xmit_rate = SFAB_RATE_MAX,
	  .flags = SFAB_COUNTER_STUCK | SFAB_COUNTER_NO_WAIT },
};
#define NROWS (sizeof(example) / sizeof(example[0]))

/* Rows in the wrong order, sorted. */
static struct sfab_counters *made(void)
{
	struct sfab_counters *c = sfab_counters_create(NROWS);

	unit_cleanup(c, sfab_counters_destroy);
	for (size_t i = 0; i < NROWS; i++)
		c->row[NROWS - 1 - i] = example[i];
	c->time_ms = 1700000001000;
	c->missed = 2;
	strcpy(c->source, "collect");
	ck_assert_int_eq(sfab_counters_sort(c, &unit_err), 0);
	return c;
}

static uint8_t *encoded(size_t *size)
{
	struct sfab_counters *c = made();
	uint8_t *buf;

	unit_must(!sfab_counters_encode(c, &buf, size, &unit_err));
	unit_cleanup(buf, free);
	return buf;
}

static void check_same(const struct sfab_counters *c)
{
	struct sfab_counters *want = made();

	ck_assert_uint_eq(c->time_ms, want->time_ms);
	ck_assert_uint_eq(c->half_life_s, SFAB_HALF_LIFE_S);
	ck_assert_uint_eq(c->missed, want->missed);
	ck_assert_str_eq(c->source, want->source);
	ck_assert_uint_eq(c->n, want->n);
	for (uint32_t i = 0; i < c->n; i++)
		ck_assert_mem_eq(&c->row[i], &want->row[i], sizeof(c->row[i]));
}

TEST(what_is_written_is_read)
{
	const char *path = unit_path(SFAB_COUNTERS_NAME);
	struct sfab_counters *c = made(), *again;

	unit_must(!sfab_counters_save(c, path, 0644, &unit_err));
	again = sfab_counters_load(path, NULL, &unit_err);
	unit_must(again != NULL);
	check_same(again);
	sfab_counters_destroy(again);
}

/* The offsets that doc/snapshot-format.md gives. */
TEST(numbers_stand_where_the_format_says)
{
	size_t size;
	uint8_t *buf = encoded(&size), *row = buf + ROW(0);
	static const uint8_t quarter[8] = { [6] = 0xd0, [7] = 0x3f };

	ck_assert_uint_eq(size, 56 + 3 * 96);
	ck_assert_mem_eq(buf, "SFABCNTR\1\0\0\0\3\0\0", 16);
	ck_assert_uint_eq(sfab_little_get64(buf + 16), 1700000001000);
	ck_assert_uint_eq(sfab_little_get32(buf + 24), 60);
	ck_assert_uint_eq(sfab_little_get32(buf + 28), 2);
	ck_assert_mem_eq(buf + 40, "collect\0\0\0\0\0\0\0\0", 16);
	ck_assert_uint_eq(sfab_little_get64(row), 0x100);
	ck_assert_uint_eq(sfab_little_get32(row + 8), 30000);
	ck_assert_uint_eq(row[12], 36);
	ck_assert_uint_eq(sfab_little_get64(row + 16), 1700000000123);
	for (uint64_t i = 1; i <= 5; i++)
		ck_assert_uint_eq(sfab_little_get64(row + 16 + 8 * i), i);
	ck_assert_mem_eq(row + 80, quarter, 8);
	ck_assert_uint_eq(sfab_little_get32(row + 88), 6);
	ck_assert_uint_eq(sfab_little_get32(row + 92), 7);
	ck_assert_uint_eq(buf[ROW(2) + 13], 6);
}

static int accepts_counters(const uint8_t *buf, size_t size, struct sfab_err *err)
{
	struct sfab_counters *read = sfab_counters_decode(buf, size, err);
	int accepted = read != NULL;

	sfab_counters_destroy(read);
	return accepted;
}

static const struct damage_format format = { accepts_counters, SFAB_COUNTERS_HEADER };

static const struct damage_byte spoilt[] = {
	{ 0, 'X', "not a file of counters" },
	{ 8, 2, "a file of counters of format 2" },
	{ 12, 2, "a file of counters: 344 bytes (expected 248" },
	{ 15, 1, "a file of counters: 16777219 rows (expected at most" },
	{ 24, 0, "half-life 0 s" },
	{ 27, 1, "half-life 16777276 s" },
	{ ROW(0) + 12, 0, "counters row 0: port 0" },
	{ ROW(0) + 12, 255, "counters row 0: port 255" },
	{ ROW(1) + 13, 16, "counters row 1: unknown flags 0x10" },
	{ ROW(1) + 14, 1, "counters row 1: unknown flags" },
	{ ROW(0) + 71, 0xff, "counters row 0: rates" },
	{ ROW(0) + 71, 0x7f, "counters row 0: rates" },
	{ ROW(0) + 79, 0xbf, "counters row 0: rates" },
	{ ROW(0) + 86, 0xf1, "counters row 0: wait share 1.0625" },
	{ ROW(2) + 12, 1, "counters row 2: port 1 of 0x0000000000000101 twice" },
	{ ROW(1), 0, "counters row 1: port 1 of 0x0000000000000100 twice or out" },
};

/* The file of the document: the first row alone. */
TEST(hexdump_of_the_document_is_right)
{
	struct sfab_counters *c = sfab_counters_create(1);
	char *text = document_read("snapshot-format.md", "\n# Counters", NULL);
	uint8_t *buf;
	size_t size;

	ck_assert_ptr_nonnull(c);
	c->row[0] = example[0];
	c->time_ms = 1700000001000;
	strcpy(c->source, "collect");
	ck_assert_int_eq(sfab_counters_encode(c, &buf, &size, NULL), 0);
	document_check_hexdump(text, buf, size, 10);
	free(buf);
	sfab_counters_destroy(c);
}

LOOP_TEST(spoilt_files_are_refused, N(spoilt))
{
	size_t size;
	uint8_t *buf = encoded(&size);

	damage_check_byte(&format, buf, size, &spoilt[_i]);
}

TEST(a_source_without_end_is_refused)
{
	size_t size;
	uint8_t *buf = encoded(&size);

	memset(buf + 40, 'x', 16);
	sfab_rowfile_seal(SFAB_COUNTERS_HEADER, buf, size);
	ck_assert_ptr_null(sfab_counters_decode(buf, size, &unit_err));
	ck_assert_str_eq(unit_err.text, "source does not end");
}

TEST(any_changed_byte_and_any_cut_is_seen)
{
	size_t size;
	uint8_t *buf = encoded(&size);

	damage_check_all(&format, buf, size);
}

TEST(a_port_is_found_by_guid_and_number)
{
	struct sfab_counters *c = made();

	ck_assert_ptr_eq(sfab_counters_find(c, 0x100, 36), &c->row[0]);
	ck_assert_ptr_eq(sfab_counters_find(c, 0x101, 254), &c->row[2]);
	ck_assert_ptr_null(sfab_counters_find(c, 0x101, 2));
	ck_assert_ptr_null(sfab_counters_find(c, 0x102, 1));
}

TEST(no_port_twice_and_no_rows_at_all)
{
	struct sfab_counters *c = made(), *none = sfab_counters_create(0);
	struct sfab_err err = { 0 };
	uint8_t *buf;
	size_t size;

	c->row[0] = c->row[1];
	ck_assert_int_eq(sfab_counters_sort(c, &err), -1);
	ck_assert_int_eq(err.code, SFAB_EINVAL);
	ck_assert_int_eq(sfab_counters_encode(c, &buf, &size, &err), -1);
	ck_assert_int_eq(sfab_counters_encode(none, &buf, &size, &err), 0);
	sfab_counters_destroy(none);
	none = sfab_counters_decode(buf, size, &err);
	ck_assert_ptr_nonnull(none);
	ck_assert_ptr_null(sfab_counters_find(none, 0, 1));
	sfab_counters_destroy(none);
	sfab_counters_destroy(NULL);
	free(buf);
}

UNIT_MAIN("counters")
