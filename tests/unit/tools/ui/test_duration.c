/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_duration.c - time limits as Slurm writes them, and texts that are none */

#include "tests/unit/fixtures/unit.h"
#include "tools/ui/duration.h"
#include "tools/ui/number.h"

static const struct {
	const char *text;
	uint64_t seconds;
} good[] = {
	{ "5", 300 },
	{ "0", 0 },
	{ "1:30", 120 },	/* rounded up to minutes */
	{ "2:00:00", 7200 },
	{ "00:00:01", 60 },
	{ "365-00:00:00", UINT64_C(365) * 86400 },
	{ "1-2", 93600 },
	{ "1-2:3", 93780 },
	{ "UNLIMITED", 0 },
	{ "infinite", 0 },
	{ "-1", 0 },
};

LOOP_TEST(durations, N(good))
{
	uint64_t seconds = 1;

	ck_assert_int_eq(duration_parse(good[_i].text, &seconds), 0);
	ck_assert_uint_eq(seconds, good[_i].seconds);
}

static const char *const bad[] = {
	"", "x", "5x", "1:", ":1", "1:2:3:4", "1-", "1-x", "-2", "1 2",
	"99999999999", "1-2:3:4:5", "NONE",
};

LOOP_TEST(no_durations, N(bad))
{
	uint64_t seconds = 1;

	ck_assert_int_eq(duration_parse(bad[_i], &seconds), -1);
	ck_assert_uint_eq(seconds, 0);
}

static const struct {
	const char *text;
	uint64_t max, n;
	const char *rest;		/* NULL: no number */
} numbers[] = {
	{ "0", 0, 0, "" },
	{ "1", 0, 0, NULL },
	{ "007:8", 7, 7, ":8" },
	{ "8", 7, 0, NULL },
	{ "", 9, 0, NULL },
	{ "-1", 9, 0, NULL },
	{ " 1", 9, 0, NULL },
	{ "+1", 9, 0, NULL },
	{ "12k", 12, 12, "k" },
	{ "18446744073709551615", UINT64_MAX, UINT64_MAX, "" },
	{ "18446744073709551616", UINT64_MAX, 0, NULL },
	{ "99999999999999999999999", UINT64_MAX, 0, NULL },
};

LOOP_TEST(numbers_at_the_beginning, N(numbers))
{
	uint64_t n = 77, all = 77;
	const char *rest = number_take(numbers[_i].text, numbers[_i].max, &n);
	int rc = number_parse(numbers[_i].text, numbers[_i].max, &all);

	ck_assert_uint_eq(n, numbers[_i].n);
	ck_assert_int_eq(!rest, !numbers[_i].rest);
	if (rest)
		ck_assert_str_eq(rest, numbers[_i].rest);
	ck_assert_int_eq(rc, rest && !*rest ? 0 : -1);
	ck_assert_uint_eq(all, rc ? 0 : n);
}

UNIT_MAIN("duration")
