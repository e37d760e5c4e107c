/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time limits as Slurm writes them, and texts that are none. */

#include "../../tools/duration.h"
#include "unit.h"

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

START_TEST(durations)
{
	uint64_t seconds = 1;

	ck_assert_int_eq(duration_parse(good[_i].text, &seconds), 0);
	ck_assert_uint_eq(seconds, good[_i].seconds);
}
END_TEST

static const char *const bad[] = {
	"", "x", "5x", "1:", ":1", "1:2:3:4", "1-", "1-x", "-2", "1 2",
	"99999999999", "1-2:3:4:5", "NONE",
};

START_TEST(no_durations)
{
	uint64_t seconds = 1;

	ck_assert_int_eq(duration_parse(bad[_i], &seconds), -1);
	ck_assert_uint_eq(seconds, 0);
}
END_TEST

static void list(TCase *tc)
{
	tcase_add_loop_test(tc, durations, 0, sizeof(good) / sizeof(good[0]));
	tcase_add_loop_test(tc, no_durations, 0, sizeof(bad) / sizeof(bad[0]));
}

UNIT_MAIN("duration", list)
