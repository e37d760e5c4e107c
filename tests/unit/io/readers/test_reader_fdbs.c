/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_reader_fdbs.c - tables as ibdmchk reads them, whole and spoilt */

#include "tests/unit/fixtures/texts.h"
#include "tests/unit/fixtures/unit.h"

static const struct {
	const char *from, *to;
} same_vectors[] = {
	{ "", "" },
	{ "dump_ucast_routes", "osm_ucast_mgr_dump_ucast_routes" },
	{ "yes", "No 01 hop path possible via port 003!" },
	{ "004  : 01   : yes", "004  : HOPS UNKNOWN" },
	{ "0x0001 : ", "0x0000 : UNREACHABLE\n0x0001 : " },
};

LOOP_TEST(the_same_as_lfts, N(same_vectors))
{
	char *tables = texts_edit(text_fdbs, same_vectors[_i].from,
				  same_vectors[_i].to);
	struct sfab_fabric *a = texts_routed_by(text_lfts), *b = texts_routed_by(tables);

	texts_check_same(a, b);
}

TEST(unreachable)
{
	char *tables = texts_edit(text_fdbs, "0x0007 : 004  : 01   : yes",
				  "0x0007 : UNREACHABLE");
	struct sfab_fabric *f = texts_routed_by(tables);

	ck_assert_uint_eq(f->switches[0].lft[6], SFAB_PORT_NONE);
	ck_assert_uint_eq(f->switches[1].lft[6], 2);
}

static const struct text_damage spoilt_vectors[] = {
	/* text in place of numbers, numbers out of range */
	{ "Switch 0x0000000000000a02", "Switch leaf2",
	  "tables:10: bad switch (found \"leaf2\", expected 0xGUID)" },
	{ "0x0002", "0xz",
	  "tables:4: bad LID (found \"z\", expected hexadecimal 0-BFFF)" },
	{ "0x0002", "0xC000",
	  "tables:4: bad LID (found \"C000\", expected hexadecimal 0-BFFF)" },
	{ "0x0002 : ", "0x0002 ",
	  "tables:4: bad entry (found \"004\", expected 0xLID : PORT)" },
	{ "0x0002 : 004", "0x0002 : UP",
	  "tables:4: bad port (found \"UP\", expected 0-254 or UNREACHABLE)" },
	{ "0x0002 : 004", "0x0002 : 300",
	  "tables:4: bad port (found \"300\", expected 0-254 or UNREACHABLE)" },
	{ "0x0002 : 004  :", "0x0002 : 004",
	  "tables:4: bad entry (found \"01\", expected 0xLID : PORT : HOPS : OPTIMAL)" },
	{ "0x0002 : 004", "LIDs 2 : 004",
	  "tables:4: bad line (found \"LIDs\", expected 0xLID : PORT or \"dump_ucast_routes: "
	  "Switch 0xGUID\")" },
	/* lines missing or twice */
	{ "0x0002 : 004", "0x0003 : 004",
	  "tables:4: bad LID (found 0x3, expected 0x2)" },
	{ "0x0002 : 004", "0x0001 : 004",
	  "tables:4: bad LID (found 0x1, expected one above 0x1)" },
	{ "0x0007 : 002  : 01   : yes\n", "",
	  "tables:18: the table of switch 0x0000000000000a02 ends early (found 7 LIDs, expected "
	  "8 as in the first table)" },
	/* a port above the switch's count, an unknown LID, a loop */
	{ "0x0002 : 004", "0x0002 : 005",
	  "tables:4: LID 0x2: bad port (found 5, expected 0-4)" },
	{ "0x0006 : 002", "0x0006 : 001",
	  "tables:8: route loop: LID 0x6 comes back to switch leaf1 (expected to arrive)" },
	/* tables of another fabric, two of one switch */
	{ "Switch 0x0000000000000a02", "Switch 0x0000000000000a09",
	  "topology:19: switch leaf2 (0x0000000000000a02) has no forwarding table (expected one "
	  "in the table files: files of two fabrics?)" },
	{ "Switch 0x0000000000000a02", "Switch 0x0000000000000a01",
	  "tables:10: two tables of switch 0x0000000000000a01: LID 0x1 to port 4 (expected port "
	  "0 as before)" },
};

LOOP_TEST(spoilt_lines, N(spoilt_vectors))
{
	texts_check_damage(text_ibnetdiscover, text_fdbs, text_fdbs,
			   &spoilt_vectors[_i]);
}

TEST(unknown_lid)
{
	struct text_damage how = { "lid 7 lmc 0", "lid 8 lmc 0",
		"tables:9: switch leaf1: unknown LID 0x7 (expected a LID of the topology: files "
		"of two fabrics?)" };

	texts_check_damage(text_ibnetdiscover, text_fdbs, text_ibnetdiscover,
			   &how);
}

TEST(cut_anywhere)
{
	texts_check_cuts(text_ibnetdiscover, text_fdbs, text_fdbs);
}

UNIT_MAIN("reader_fdbs")
