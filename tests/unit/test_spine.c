/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_spine.c - a switch with nothing but a SHARP node is a spine */

#include "../../core/builder.h"
#include "../../tools/spine.h"
#include "unit.h"

enum { LEAF = 0x100, SPINE = 0x200, HOST = 0x1000, SHARP = 0x2000 };

static void cable(struct sfab_builder *b, uint64_t guid, unsigned port,
		  uint64_t to, unsigned to_port)
{
	struct sfab_err err;

	ck_assert_int_eq(sfab_builder_link(b, 0, guid, port, to, to_port, 4e9,
					   1, &err), 0);
	ck_assert_int_eq(sfab_builder_link(b, 0, to, to_port, guid, port, 4e9,
					   1, &err), 0);
}

START_TEST(test_sharp)
{
	struct sfab_builder *b = sfab_builder_create(SFAB_BUILD_PARTIAL);
	struct sfab_err err = { 0 };
	struct sfab_fabric *f;

	ck_assert_int_eq(sfab_builder_plane(b, "", &err), 0);
	sfab_builder_switch(b, 0, LEAF, "leaf", 2, 1, &err);
	sfab_builder_switch(b, 0, SPINE, "spine", 2, 2, &err);
	sfab_builder_port(b, 0, HOST, 1, HOST + 1, "n1 HCA-1", NULL, 3, 0, &err);
	sfab_builder_port(b, 0, SHARP, 1, SHARP + 1, "Mellanox Technologies "
			  "Aggregation Node", NULL, 4, 0, &err);
	cable(b, LEAF, 1, HOST, 1);
	cable(b, LEAF, 2, SPINE, 1);
	cable(b, SPINE, 2, SHARP, 1);
	f = sfab_builder_freeze(b, &err);
	ck_assert_msg(f != NULL, "%s", err.text);
	ck_assert_uint_eq(f->nleaves, 2);	/* to the core both have ports */
	ck_assert_int_eq(spine_is(f, 0), 0);
	ck_assert_int_eq(spine_is(f, 1), 1);
	sfab_fabric_destroy(f);
	sfab_builder_destroy(b);
}
END_TEST

static void tests(TCase *tc)
{
	tcase_add_test(tc, test_sharp);
}

UNIT_MAIN("spine", tests)
