/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sacct_text.c - times, durations and steps in tables of sacct */

#include "tests/unit/fixtures/unit.h"

#include "io/readers/sacct.h"

static struct sfab_csv_field field_of(const char *text)
{
	return (struct sfab_csv_field){ text, text + strlen(text) };
}

static const struct {
	const char *text;
	double utc;		/* -1: no time */
} times[] = {
	{ "1970-01-01T00:00:00", 0 },
	{ "2024-02-29T23:59:59", 1709251199 },
	{ "2016-12-31T23:59:60", 1483228800 },
	{ "2024-02-29T23:59", -1 },
	{ "2024-02-29T23:59:59Z", -1 },
	{ "2024-02-29 23:59:59", -1 },
	{ "2024-2-29T23:59:59", -1 },
	{ "2024-13-01T00:00:00", -1 },
	{ "2024-00-01T00:00:00", -1 },
	{ "2024-01-00T00:00:00", -1 },
	{ "2024-01-32T00:00:00", -1 },
	{ "2024-01-01T24:00:00", -1 },
	{ "2024-01-01T00:60:00", -1 },
	{ "2024-01-01T00:00:61", -1 },
	{ "1969-12-31T23:59:59", -1 },
	{ "Unknown", -1 }, { "", -1 },
};

LOOP_TEST(a_time_is_whole_or_none, N(times))
{
	struct sfab_csv_field f = field_of(times[_i].text);
	struct tm tm;

	if (times[_i].utc < 0) {
		ck_assert_int_eq(sfab_sacct_time(&f, &tm), -1);
		return;
	}
	ck_assert_int_eq(sfab_sacct_time(&f, &tm), 0);
	ck_assert_double_eq((double) timegm(&tm), times[_i].utc);
}

static const struct {
	const char *text;
	double seconds;		/* -1: no duration, or above 1e7 */
} durations[] = {
	{ "00:10:00", 600 }, { "05:06", 306 }, { "05:06.789", 306 },
	{ "1-02:03:04", 93784 }, { "100:00:00", 360000 }, { "7", 7 },
	{ "115-17:46:40", 1e7 }, { "115-17:46:41", -1 }, { "999999999-00:00:00", -1 },
	{ "00:61:00", -1 }, { "1-", -1 }, { ":10", -1 }, { "00::10", -1 }, { "00:10:", -1 },
	{ "1000000000", -1 }, { "-5", -1 }, { "x", -1 }, { "", -1 },
};

LOOP_TEST(a_duration_in_seconds, N(durations))
{
	struct sfab_csv_field f = field_of(durations[_i].text);
	double seconds;
	int rc = sfab_sacct_duration(&f, 1e7, &seconds);

	ck_assert_int_eq(rc, durations[_i].seconds < 0 ? -1 : 0);
	if (rc == 0)
		ck_assert_double_eq(seconds, durations[_i].seconds);
}

TEST(a_step_stands_after_the_dot)
{
	struct sfab_csv_field job = field_of("8_3"), part = field_of("11+1.extern");

	ck_assert_ptr_null(sfab_sacct_step(&job));
	ck_assert_str_eq(sfab_sacct_step(&part), "extern");
}

UNIT_MAIN("sacct text")
