/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_reader_far.c - tables with adaptive routing, whole and spoilt */

#include "tests/unit/fixtures/fabrics.h"
#include "tests/unit/fixtures/texts.h"
#include "tests/unit/fixtures/unit.h"

#define HEAD(guid) \
	"\nSwitch 0x0000000000000" guid "\nar_enable:1 sub_grps_active:0\n"
#define GROUPS \
	"Groups Definition:\nGroup      SubGroup   WHBF       Ports\n" \
	"--------------------------------------------------\n"
#define LFT \
	"\nLFT Definition:\n" \
	"LID        StaticPort LidState   Group\n" \
	"--------------------------------------------------\n"
#define FIXED(lid, port) "0x000" lid "     " port "          Static     0\n"
#define FREE(lid, port, group) \
	"0x000" lid "     " port "          Free       " group "\n"

static const char text[] =
	"File version: 2\n"
	HEAD("a01") GROUPS
	"0          0          0          4\n"
	"1          0          0          3, 4\n"
	"1          1          0          2\n"
	"2          0          0          \n"
	"2          1          0          4\n" LFT
	FREE("1", "0", "0") FIXED("2", "4") FIXED("3", "4") FIXED("4", "1")
	FIXED("5", "2") FREE("6", "4", "1") "0x0007|4|HBF|2\n"
	HEAD("a02") GROUPS LFT
	FIXED("1", "4") FIXED("2", "0") FIXED("3", "4") FIXED("4", "4")
	FIXED("5", "4") FIXED("6", "1") FIXED("7", "2")
	HEAD("b01") LFT
	FIXED("1", "1") FIXED("2", "2") FIXED("3", "0") FIXED("4", "1")
	FIXED("5", "1") FIXED("6", "2") FIXED("7", "2");

/* Static ports are the tables; free LIDs have groups besides. */
TEST(groups_where_the_switch_chooses)
{
	struct sfab_fabric *f = texts_routed_by(text);
	const struct sfab_switch *leaf1 = &f->switches[0];
	const struct sfab_group *g;

	ck_assert_uint_eq(f->adaptive, 1);
	ck_assert_uint_eq(leaf1->ngroups, 2);
	ck_assert_uint_eq(leaf1->lft_group[0], 0);
	ck_assert_uint_eq(leaf1->lft_group[4], 0);
	g = &leaf1->groups[leaf1->lft_group[5] - 1];
	ck_assert_uint_eq(g->nports, 2);
	ck_assert_mem_eq(g->port, ((uint8_t []) { 3, 4 }), 2);
	ck_assert(g->share[0] == 0.5 && g->share[1] == 0.5);
	g = &leaf1->groups[leaf1->lft_group[6] - 1];
	ck_assert_uint_eq(g->nports, 1);
	ck_assert_uint_eq(g->port[0], 4);
	ck_assert_ptr_null(f->switches[1].lft_group);
}

TEST(all_static_is_not_adaptive)
{
	char *one = texts_edit(text, "Free       1", "Static     0");
	char *two = texts_edit(one, "|HBF|2", "|Static|");
	char *three = texts_edit(two, "Free       0", "Static     0");
	struct sfab_fabric *a = texts_routed_by(text_lfts), *b = texts_routed_by(three);

	ck_assert_uint_eq(b->adaptive, 0);
	texts_check_same(a, b);
}

/* Switches keep entries of hosts that left: LID 8 by a group, 9 by a port. */
TEST(lids_that_nobody_has_are_left_out)
{
	char all[sizeof(text) + 100];
	char *more = texts_edit(text, "|HBF|2\n", "|HBF|2\n" FREE("8", "4", "1"));
	struct sfab_fabric *one = texts_routed_by(text), *f;

	snprintf(all, sizeof(all), "%s%s", more, FIXED("9", "2"));
	f = texts_routed_by(all);
	ck_assert_int_eq(f->adaptive, SFAB_ADAPTIVE_GROUPS);
	texts_check_same(one, f);
}

static const struct text_damage spoilt_vectors[] = {
	{ "Switch 0x", "Switch ",
	  "tables:3: bad switch (found \"0000000000000a01\", expected 0xGUID)" },
	{ "\nSwitch 0x0000000000000b01", "\nSwitch spine",
	  "tables:42: bad switch (found \"spine\", expected 0xGUID)" },
	{ "0          0          0          4\n", "0          zero\n",
	  "tables:8: bad sub-group (found \"zero\", expected 0-255)" },
	{ "3, 4", "3, 5",
	  "tables:9: bad port of a group (found \"5\", expected ports that the switch has)" },
	{ "Free       1", "Free       3",
	  "tables:22: switch 0x0000000000000a01: LID 0x6 uses group 3 (expected one that is "
	  "defined and has ports)" },
	{ "Free       1", "Odd        1",
	  "tables:22: bad state of the LID (found \"Odd\", expected Static, Free, Bounded or "
	  "HBF)" },
	{ "Free       1", "Free       one",
	  "tables:22: bad group (found \"one\", expected 0-4094)" },
	{ "0x0002     4", "0x0002     5",
	  "tables:18: LID 0x2: bad port (found 5, expected 0-4)" },
	{ "0x0002     4", "0x0001     4",
	  "tables:18: bad LID (found 0x1, expected one above 0x1)" },
	{ "0x0002     4", "2     4",
	  "tables:18: bad LID (found \"2\", expected 0x0-0xBFFF)" },
};

LOOP_TEST(spoilt_lines, N(spoilt_vectors))
{
	texts_check_damage(text_ibnetdiscover, text, text, &spoilt_vectors[_i]);
}

/* The first table of a switch counts; its others would send LID 2 out of port 1. */
TEST(private_tables_are_only_observed)
{
	char *more = texts_edit(text, "\nSwitch 0x0000000000000a02",
				LFT FIXED("2", "1") LFT FIXED("2", "1")
				"\nSwitch 0x0000000000000a02");
	struct sfab_remark remark = { "" };
	struct sfab_builder *b = unit_empty_builder(SFAB_BUILD_STRICT, "");
	struct sfab_reader_ctx ctx = { .builder = b, .file = "far", .remark = &remark };
	struct sfab_fabric *one = texts_routed_by(text), *f = texts_routed_by(more);

	ck_assert_int_eq(one->adaptive, SFAB_ADAPTIVE_GROUPS);
	ck_assert_int_eq(f->adaptive, SFAB_ADAPTIVE_UNKNOWN);
	texts_check_same(one, f);
	ck_assert_int_eq(texts_read(sfab_reader_detect(more, strlen(more)), &ctx, more,
				    strlen(more), &unit_err), 0);
	ck_assert_str_eq(remark.text, "1 switches have several tables (private "
			 "LFTs): only the first of each is used, and the plugin "
			 "only observes");
}

TEST(cut_anywhere)
{
	texts_check_cuts(text_ibnetdiscover, text, text);
}

UNIT_MAIN("reader_far")
