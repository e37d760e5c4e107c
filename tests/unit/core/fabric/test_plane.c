/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_plane.c - did the routing engine fall back? */

#include "tests/unit/fixtures/unit.h"

#include "core/fabric/fabric.h"

static const struct {
	const char *asked, *engine;
	int fell_back, asked_for;
} vectors[] = {
	{ "", "", 0, 0 },
	{ "", "minhop", 0, 0 },
	{ "ftree", "", 0, 0 },
	{ "ftree", "ftree", 0, 1 },
	{ "ftree", "updn", 1, 0 },
	{ "ftree,updn", "ftree", 0, 1 },
	{ "ftree,updn", "updn", 1, 2 },
	{ " ftree, updn", "ftree", 0, 1 },
	{ "ftree no_fallback", "ftree", 0, 1 },
	{ "no_fallback,ftree", "ftree", 0, 1 },
	{ "no_fallback,ftree", "minhop", 1, 0 },
	{ "no_fallback", "minhop", 0, 0 },
	{ "sssp", "dfsssp", 1, 0 },
	{ "dfsssp", "sssp", 1, 0 },
	{ "ft", "ftree", 1, 0 },
};

LOOP_TEST(fell_back, N(vectors))
{
	struct sfab_plane p = { .asked = vectors[_i].asked,
				.engine = vectors[_i].engine };

	ck_assert_int_eq(sfab_plane_fell_back(&p), vectors[_i].fell_back);
	ck_assert_int_eq(sfab_plane_asked_for(&p), vectors[_i].asked_for);
}

static const struct {
	const char *text;
	int are_names;
} engines[] = {
	{ "", 1 }, { "ftree", 1 }, { "torus-2QoS", 1 }, { "ar_updn,kdor-hc", 1 },
	{ " ftree,\tupdn no_fallback", 1 },
	{ "ftree\nevent_plugin_name x", 0 }, { "ftree\r", 0 }, { "a#b", 0 }, { "a=b", 0 },
	{ "/bin/sh", 0 }, { "f\303\274", 0 }, { "\033[2J", 0 }, { "a\"b", 0 },
};

LOOP_TEST(names_of_engines, N(engines))
{
	ck_assert_int_eq(sfab_plane_engines_are_names(engines[_i].text), engines[_i].are_names);
}

UNIT_MAIN("plane")
