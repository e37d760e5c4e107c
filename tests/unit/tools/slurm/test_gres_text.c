/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_gres_text.c - devices of nodes and requests of jobs, as texts */

#include "tests/unit/fixtures/unit.h"

#include "tools/slurm/gres_text.h"

static const struct {
	const char *request, *all, *used;
	int fit;
} fits[] = {
	{ NULL, NULL, NULL, 1 },
	{ "", "disk:2", "", 1 },
	{ "disk", "disk:2", "disk:1", 1 },
	{ "disk", "disk:2", "disk:2", 0 },
	{ "disk:2", "disk:2", NULL, 1 },
	{ "disk:3", "disk:2", NULL, 0 },
	{ "disk:1", NULL, NULL, 0 },
	{ "disk:1", "disks:2", NULL, 0 },
	{ "gpu:2", "gpu:a100:2(S:0),gpu:v100:2(S:1)", "gpu:a100:1(IDX:0)", 1 },
	{ "gpu:4", "gpu:a100:2,gpu:v100:2", "gpu:a100:1(IDX:0)", 0 },
	{ "gpu:a100:2", "gpu:a100:2,gpu:v100:2", "gpu:v100:2(IDX:0,1)", 1 },
	{ "gpu:a100", "gpu:a100:2,gpu:v100:2", "gpu:a100:2(IDX:0-1),disk:0", 0 },
	{ "gpu:1,disk:1", "gpu:4,disk:1", "gpu:3(IDX:0,2-3),disk:0", 1 },
	{ "gpu:1,disk:1", "gpu:4,disk:1", "gpu:0(IDX:N/A),disk:1", 0 },
	{ "bw:1G", "bw:no_consume:4G", "bw:0", 1 },
	/* a type that begins with a number */
	{ "gpu:3g.20gb", "gpu:3g.20gb:2", "gpu:3g.20gb:1(IDX:0)", 1 },
	{ "bw:1025", "bw:1K", NULL, 0 },
};

LOOP_TEST(a_node_has_the_devices_free, N(fits))
{
	ck_assert(gres_text_is_valid(fits[_i].request));
	ck_assert_int_eq(gres_text_fits(fits[_i].request, fits[_i].all, fits[_i].used),
			 fits[_i].fit);
}

static const char *const wrong[] = { ",", "disk:1,,", ":2", "disk(x)y" };

LOOP_TEST(texts_that_are_no_devices, N(wrong))
{
	ck_assert(!gres_text_is_valid(wrong[_i]));
}

static const struct {
	const char *list;
	uint32_t times, nodes;
	const char *each;	/* NULL: does not divide */
} shares[] = {
	{ "gpu:8", 1, 4, "gpu:2" },
	{ "gpu", 16, 4, "gpu:4" },
	{ "gpu:a100:2,gpu:v100:4", 2, 2, "gpu:a100:2,gpu:v100:4" },
	{ "gpu:3", 1, 2, NULL },
	{ "gpu:2,gpu:v100:3", 1, 2, NULL },
	{ "gpu:0", 1, 2, NULL },
	{ "gpu:2", 0, 2, NULL },
	{ "gpu:2", 1, 0, NULL },
	{ "gpu:5G", 4000000000, 1, NULL },
	{ "gpu:a_long_name_of_a_type:1", 1, 1, NULL },
	{ "", 1, 2, "" },
};

LOOP_TEST(each_node_has_an_equal_share, N(shares))
{
	char text[24];
	int rc = gres_text_share(shares[_i].list, shares[_i].times,
				 shares[_i].nodes, text, sizeof(text));

	ck_assert_int_eq(rc, shares[_i].each ? 0 : -1);
	if (rc == 0)
		ck_assert_str_eq(text, shares[_i].each);
}

UNIT_MAIN("devices")
