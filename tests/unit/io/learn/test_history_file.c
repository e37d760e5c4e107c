/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_history_file.c - the file of the history: its format, damage, and the runs that it
 * remembers
 */

#include "tests/unit/fixtures/damage.h"
#include "tests/unit/fixtures/unit.h"

#include "io/learn/history_private.h"
#include "io/little.h"
#include "tests/unit/fixtures/past_runs.h"

#define NOW PAST_NOW

static uint8_t *example(size_t *size)
{
	struct sfab_err err = { 0 };
	uint8_t *buf;

	for (int i = 0; i < 3; i++)
		past_ran(learning_job(5, "run_1", 8), "io-write@fs=0.25", 1, NOW);
	ck_assert_msg(!sfab_history_encode(past_history, &buf, size, &err), "%s", err.text);
	return buf;
}

TEST(what_is_written_is_read_again)
{
	const char *path = unit_path(SFAB_HISTORY_NAME);
	size_t size, n;
	uint8_t *buf = example(&size), *again;

	unit_must(!sfab_history_save(past_history, path, 0600, &unit_err));
	sfab_history_destroy(past_history);
	past_history = sfab_history_load(path, NULL, &unit_err);
	unit_must(past_history != NULL);
	ck_assert(past_learns(learning_job(5, "run_2", 8), NOW));
	ck_assert_int_eq(past_learned.kind, SFAB_BY_NAME_NODES);
	ck_assert_str_eq(past_said(), "io-write@fs=0.25");
	ck_assert(!sfab_history_encode(past_history, &again, &n, &unit_err));
	ck_assert_uint_eq(n, size);
	ck_assert_mem_eq(buf, again, n);
	free(again);
	free(buf);
}

#define SETS (64 + 128 + 8 * HISTORY_ADDED)
#define ROW(i) (SETS + 64 + (i) * 432)

/* The offsets that doc/learn-format.md gives. */
TEST(numbers_stand_where_the_format_says)
{
	size_t size;
	uint8_t *buf = example(&size);

	ck_assert_uint_eq(size, ROW(5));
	ck_assert_mem_eq(buf, "SFABHIST\3\0\0\0\5\0\0\0\7\0\0\0\0\0\0\0", 24);
	ck_assert_uint_eq(sfab_little_get32(buf + 40), 1);
	ck_assert_str_eq((char *) buf + SETS, "fs");
	ck_assert_mem_eq(buf + ROW(0) + 8, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08\x40", 16);
	ck_assert_uint_eq(sfab_little_get64(buf + ROW(0) + 24), NOW);
	ck_assert_uint_eq(sfab_little_get32(buf + ROW(0) + 32), 5);
	ck_assert_uint_eq(sfab_little_get32(buf + ROW(0) + 36), 8);
	ck_assert(buf[ROW(0) + 40] && buf[ROW(0) + 42] && !buf[ROW(0) + 43]);
	ck_assert(buf[ROW(0) + 52] && buf[ROW(0) + 54] && !buf[ROW(0) + 55]);
	ck_assert_str_eq((char *) buf + ROW(0) + 64, "run");
	ck_assert_mem_eq(buf + ROW(0) + 128, "\3\0\0\0\1\0\0\0\0\0\0\0\0\0\x08\x40", 16);
	ck_assert_mem_eq(buf + ROW(0) + 152, "\2\1\0\0\0\0\0\0\0\0\0\0\0\0\xd0\x3f", 16);
	ck_assert_uint_eq(sfab_little_get32(buf + ROW(0) + 280), 0);
	ck_assert_str_eq((char *) buf + ROW(4) + 64, "part");
	free(buf);
}

static int accepts_history(const uint8_t *buf, size_t size, struct sfab_err *err)
{
	struct sfab_history *read = sfab_history_decode(buf, size, err);
	int accepted = read != NULL;

	sfab_history_destroy(read);
	return accepted;
}

static const struct damage_format format = { accepts_history, LEARN_HEADER };

static const struct damage_byte spoilt[] = {
	{ 0, 'X', "not a history" },
	{ 8, 4, "a history of format 4" },
	{ 8, 2, "a history of format 2" },
	{ 12, 4, "a history: 67952 bytes (expected" },
	{ 14, 1, "a history: 65541 rows (expected at most" },
	{ 41, 1, "a history: 257 IO sets (expected at most" },
	{ 24, 2, "a history: unknown flags 0x2" },
	{ 44, 1, "a history: reserved bytes" },
	{ 64 + 128 + 8, 1, "a history: run 1 follows none" },
	{ SETS, 0, "a history: name 0 of an IO set" },
	{ SETS + 63, 'x', "a history: name 0 of an IO set" },
	{ ROW(0) + 8, 5, "a history: row 0: kind 5" },
	{ ROW(0) + 9, 2, "a history: row 0: kind 0, hashed 2" },
	{ ROW(0) + 9, 1, "a history: row 0: weight 3, or its name is not one" },
	{ ROW(0) + 10, 4, "a history: row 0: kind 0" },
	{ ROW(0) + 11, 0xfc, "a history: row 0: kind 0" },
	{ ROW(0) + 12, 1, "a history: row 0: kind 0" },
	{ ROW(0) + 23, 0xff, "a history: row 0: weight" },
	{ ROW(0) + 64, 0, "a history: row 0: weight 3, or its name is not one" },
	{ ROW(0) + 127, 'x', "a history: row 0: weight 3, or its name is not one" },
	{ ROW(1) + 8, 4, "a history: row 2: its key is there twice or out of order" },
	{ ROW(0) + 132, 9, "a history: row 0: 9 parts" },
	{ ROW(0) + 133, 2, "a history: row 0: 1 parts, at least 2" },
	{ ROW(0) + 134, 1, "a history: row 0: 1 parts" },
	{ ROW(0) + 143, 0xff, "a history: row 0: weight" },
	{ ROW(0) + 151, 0xff, "a history: row 0: weight 3, variance" },
	{ ROW(0) + 152, 4, "a history: row 0: part 0 is no traffic (class 4" },
	{ ROW(0) + 152, 0, "a history: row 0: part 0 is no traffic" },
	{ ROW(0) + 153, 2, "a history: row 0: part 0 is no traffic" },
	{ ROW(0) + 154, 1, "a history: row 0: part 0 is no traffic" },
	{ ROW(0) + 167, 0x7f, "a history: row 0: part 0 is no traffic" },
	{ ROW(0) + 167, 0xbf, "a history: row 0: part 0 is no traffic" },
	{ ROW(0) + 170, 1, "a history: row 0: part 1 is no traffic" },
	{ ROW(0) + 284, 9, "a history: row 0: 9 parts" },
	{ ROW(0) + 295, 0xff, "a history: row 0: weight" },
};

LOOP_TEST(spoilt_history_is_refused, N(spoilt))
{
	size_t size;
	uint8_t *buf = example(&size);

	damage_check_byte(&format, buf, size, &spoilt[_i]);
	free(buf);
}

TEST(damage_and_cuts_are_refused)
{
	size_t size;
	uint8_t *buf = example(&size);

	damage_check_all(&format, buf, size);
	free(buf);
}

/* A run of @job that began at @start_s: was it added? */
static int adds_run(uint64_t job_id, uint64_t start_s)
{
	struct sfab_traffic t = past_sends("mpi=0.4");
	struct sfab_history_facts facts = learning_job(5, "run_1", 8);
	struct sfab_history_run run = { .sent = &t, .weight = 1, .end_s = NOW, .job = job_id,
					.start_s = start_s };
	int rc = sfab_history_add(past_history, &facts, &run, NULL);

	ck_assert_int_ge(rc, 0);
	return !rc;
}

static void reload_history(void)
{
	struct sfab_history *old = past_history;
	uint8_t *buf;
	size_t n;

	ck_assert(!sfab_history_encode(old, &buf, &n, &unit_err));
	past_history = sfab_history_decode(buf, n, &unit_err);
	unit_must(past_history != NULL);
	sfab_history_destroy(old);
	free(buf);
}

TEST(a_run_counts_once)
{
	struct sfab_history_facts facts = learning_job(5, "run_2", 8), all = { .user = SFAB_NONE };

	ck_assert(adds_run(1, NOW) && adds_run(2, NOW) && adds_run(1, NOW + 9));
	ck_assert(!adds_run(1, NOW) && !adds_run(1, NOW + 9));
	ck_assert(adds_run(0, NOW) && adds_run(0, NOW));	/* job not known */
	reload_history();
	ck_assert(!adds_run(2, NOW) && adds_run(3, NOW));
	ck_assert(sfab_history_find(past_history, &facts, NOW, &past_learned));
	ck_assert_uint_eq(past_learned.runs, 6);
	sfab_history_forget(past_history, &all);
	ck_assert(adds_run(2, NOW));
}

TEST(the_last_runs_are_remembered)
{
	for (uint32_t i = 1; i <= HISTORY_ADDED + 5; i++)
		ck_assert(adds_run(i, NOW));
	reload_history();
	ck_assert(!adds_run(6, NOW) && !adds_run(HISTORY_ADDED + 5, NOW));
	ck_assert(adds_run(5, NOW) && adds_run(6, NOW));	/* 5 takes the place of 6 */
}

UNIT_MAIN_WITH("history file", past_set_up, past_tear_down)
