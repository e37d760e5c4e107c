/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_rate.c - widths and speeds as the tools write them */

#include "io/rate.h"
#include "tests/unit/fixtures/unit.h"

static const struct {
	const char *text;
	double rate;		/* GB/s; 0: not understood */
} text_vectors[] = {
	{ "1xSDR", 0.25 },    { "4xSDR", 1 },	  { "4xDDR", 2 },
	{ "4xQDR", 4 },	      { "4xFDR10", 5 },	  { "4xEDR", 12.5 },
	{ "4xHDR", 25 },      { "2xHDR", 12.5 },  { "4xNDR", 50 },
	{ "4xXDR", 100 },     { "12xQDR", 12 },	  { "8xSDR", 2 },
	{ "4x QDR", 4 },      { "4X qdr", 4 },	  { "4xfdr10", 5 },
	{ "", 0 },	      { "4x", 0 },	  { "QDR", 0 },
	{ "4QDR", 0 },	      { "3xQDR", 0 },	  { "0xQDR", 0 },
	{ "-4xQDR", 0 },      { "4x???", 0 },	  { "??QDR", 0 },
	{ "4xQDR2", 0 },      { "4294967300xQDR", 0 },
};

LOOP_TEST(text, N(text_vectors))
{
	double rate = sfab_rate_text(text_vectors[_i].text);

	ck_assert_double_eq_tol(rate, text_vectors[_i].rate * 1e9, 1);
}

/* 14.0625 Gbaud in 64b/66b. */
TEST(fdr)
{
	ck_assert_double_eq_tol(sfab_rate_text("4xFDR"), 6.818182e9, 1e3);
	ck_assert(sfab_rate_lane("FDR") == sfab_rate_lane_gbps("14"));
}

static const struct {
	const char *name, *number;
} same_vectors[] = {
	{ "SDR", "2.5" }, { "DDR", "5" },  { "QDR", "10" },
	{ "FDR10", "FDR10" }, { "FDR", "14" }, { "EDR", "25" },
	{ "HDR", "50" },  { "NDR", "100" }, { "XDR", "200" },
};

LOOP_TEST(names_and_numbers, N(same_vectors))
{
	ck_assert(sfab_rate_lane(same_vectors[_i].name) > 0);
	ck_assert(sfab_rate_lane(same_vectors[_i].name) ==
		  sfab_rate_lane_gbps(same_vectors[_i].number));
}

TEST(not_understood)
{
	ck_assert(sfab_rate_lane("") == 0);
	ck_assert(sfab_rate_lane("10") == 0);
	ck_assert(sfab_rate_lane_gbps("QDR") == 0);
	ck_assert(sfab_rate_lane_gbps("??") == 0);
	ck_assert_uint_eq(sfab_rate_width("4x"), 4);
	ck_assert_uint_eq(sfab_rate_width("12x"), 12);
	ck_assert_uint_eq(sfab_rate_width("4xQDR"), 0);
	ck_assert_uint_eq(sfab_rate_width("??"), 0);
}

static const struct {
	unsigned width, speed, extended;
	int fdr10;
	const char *text;	/* NULL: not understood */
} code_vectors[] = {
	{ 2, 1, 0, 0, "4xSDR" }, { 2, 2, 0, 0, "4xDDR" },
	{ 1, 4, 0, 0, "1xQDR" }, { 2, 4, 0, 1, "4xFDR10" },
	{ 2, 4, 1, 0, "4xFDR" }, { 8, 4, 2, 0, "12xEDR" },
	{ 4, 4, 4, 0, "8xHDR" }, { 16, 4, 8, 0, "2xNDR" },
	{ 2, 0, 16, 0, "4xXDR" }, { 2, 4, 2, 1, "4xEDR" },
	{ 0, 4, 0, 0, NULL }, { 3, 4, 0, 0, NULL }, { 32, 4, 0, 0, NULL },
	{ 2, 0, 0, 0, NULL }, { 2, 3, 0, 0, NULL }, { 2, 8, 0, 0, NULL },
	{ 2, 4, 32, 0, NULL }, { 2, 4, 3, 0, NULL },
};

LOOP_TEST(codes, N(code_vectors))
{
	double expected = code_vectors[_i].text ?
			  sfab_rate_text(code_vectors[_i].text) : 0;

	ck_assert(sfab_rate_codes(code_vectors[_i].width,
				  code_vectors[_i].speed,
				  code_vectors[_i].extended,
				  code_vectors[_i].fdr10) == expected);
	ck_assert(!code_vectors[_i].text || expected > 0);
}

UNIT_MAIN("rate")
