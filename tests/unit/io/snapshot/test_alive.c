/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_alive.c - fabric.alive: written, read again, refused when spoilt. */

#include "tests/unit/fixtures/unit.h"

#include "io/snapshot/alive.h"

#define GOOD "sfabric-alive 1\nfingerprint 0xabc\nsm 0x17\ntime 1700000000\n"

static const struct sfab_alive words[] = {
	{ 0xfedcba9876543210, 0x0002c90300a1b2c3, 1700000000, 0, 0 },
	{ 1, 2, 1700000000, 1699990000, 0 },
	{ 0, 2, 1700000000, 0, 1 },
	{ UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, 1 },
};

LOOP_TEST(what_is_written_is_read, N(words))
{
	struct sfab_alive a = words[_i];
	struct sfab_alive b = { 0 };
	const char *path = unit_path(SFAB_ALIVE_NAME);

	unit_must(!sfab_alive_save(&a, path, 0644, &unit_err));
	unit_must(!sfab_alive_load(path, NULL, &b, &unit_err));
	ck_assert_mem_eq(&a, &b, sizeof(a));
}

static const struct {
	const char *text, *expect;
} spoilt[] = {
	{ "", "f:1: " },
	{ "sfabric-alive 2\nfingerprint 1\nsm 0\ntime 1\n", "f:1: version 2" },
	{ "sfabric-alive 1\nfingerprint abc\nsm 0\ntime 1\n", "f:2: " },
	{ "sfabric-alive 1\nfingerprint 0x1 x\nsm 0\ntime 1\n", "f:2: " },
	{ "sfabric-alive 1\nfingerprint 0x1\nsm -1\ntime 1\n", "f:3: " },
	{ "sfabric-alive 1\nfingerprint 0x1\ntime 1\nsm 0\n", "f:3: " },
	{ "sfabric-alive 1\nfingerprint 0x1\nsm 0\ntime 1", "f:4: " },
};

LOOP_TEST(spoilt_files_are_named_by_line, N(spoilt))
{
	struct sfab_alive a;
	const char *text = spoilt[_i].text;

	ck_assert_int_eq(sfab_alive_parse(text, strlen(text), "f", &a, &unit_err), -1);
	ck_assert_msg(strstr(unit_err.text, spoilt[_i].expect) == unit_err.text,
		      "found \"%s\", expected \"%s\"", unit_err.text, spoilt[_i].expect);
}

TEST(lines_that_may_be_there)
{
	static const char text[] = GOOD "new 1\nstandby 1\nsince x\nsince 7\nend";
	struct sfab_alive a;

	ck_assert_int_eq(sfab_alive_parse(text, sizeof(text) - 1, "f", &a, &unit_err), 0);
	ck_assert_uint_eq(a.since, 7);
	ck_assert_uint_eq(a.standby, 1);
}

TEST(later_lines_and_nul_bytes)
{
	struct sfab_alive a;

	ck_assert_int_eq(sfab_alive_parse(GOOD "new 1\n", sizeof(GOOD "new 1\n") - 1,
					  "f", &a, &unit_err), 0);
	ck_assert_uint_eq(a.sm_guid, 0x17);
	ck_assert_int_eq(sfab_alive_parse(GOOD "\0", sizeof(GOOD), "f", &a, &unit_err), -1);
}

TEST(stands_beside_the_snapshot)
{
	char buf[100];

	ck_assert_str_eq(sfab_alive_path("", "/a/b/fabric.snap", buf, sizeof(buf)),
			 "/a/b/fabric.alive");
	ck_assert_str_eq(sfab_alive_path(NULL, "x.snap", buf, sizeof(buf)),
			 "fabric.alive");
	ck_assert_str_eq(sfab_alive_path("/c", "/a/b", buf, sizeof(buf)), "/c");
}

UNIT_MAIN("alive")
