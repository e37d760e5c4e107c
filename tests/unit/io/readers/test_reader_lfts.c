/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_reader_lfts.c - tables of OpenSM and dump_fts, whole and spoilt */

#include "tests/unit/fixtures/texts.h"
#include "tests/unit/fixtures/unit.h"

TEST(every_entry)
{
	static const uint8_t leaf1[] = { 0, 4, 4, 1, 2, 4, 4 };
	static const uint8_t spine1[] = { 1, 2, 0, 1, 1, 2, 2 };
	struct sfab_fabric *f = texts_routed_by(text_lfts);

	ck_assert_uint_eq(f->planes[0].nlids, 7);
	ck_assert_uint_eq(f->planes[0].lid[6], 7);
	ck_assert_mem_eq(f->switches[0].lft, leaf1, 7);
	ck_assert_mem_eq(f->switches[2].lft, spine1, 7);
}

static const char leaf2_by_dump_fts[] =
	"Unicast lids [0x0-0x7] of switch DR path slid 0; dlid 0; 0,4,2 guid 0x0000000000000a02 "
	"(leaf2):\n"
	"  Lid  Out   Destination\n"
	"       Port     Info \n"
	"0x0001 004 : (Switch portguid 0x0000000000000a01: 'leaf1')\n"
	"0x0002 000 : (Switch portguid 0x0000000000000a02: 'leaf2')\n"
	"0x0003 004 : (Switch portguid 0x0000000000000b01: 'spine1')\n"
	"0x0004 004 : (Channel Adapter portguid 0x0000000000000c11: 'n1 HCA-1')\n"
	"0x0005 004 : (path #2 out of 2: portguid 0x0000000000000c11)\n"
	"0x0006 001 : (Channel Adapter portguid 0x0000000000000c13: 'n3 HCA-1')\n"
	"0x0007 002 : (Channel Adapter portguid 0x0000000000000c14: 'n4 HCA-1')\n"
	"7 valid lids dumped \n"
	"Unicast lids [0-7] of switch Lid 3 ";

TEST(as_dump_fts_prints_it)
{
	char *tail = texts_edit(text_lfts, "Unicast lids [0-7] of switch Lid 3 ",
				leaf2_by_dump_fts);
	struct sfab_fabric *a = texts_routed_by(text_lfts), *b = texts_routed_by(tail);

	texts_check_same(a, b);
}

/* A LID without a line or without an owner has no route. */
static const char *const no_route_vectors[] = {
	"",
	"0x0007 004 # unknown node and type\n",
	"0x0007 255 # Channel Adapter portguid 0x0000000000000c14: 'n4 HCA-1'\n",
};

LOOP_TEST(no_route, N(no_route_vectors))
{
	char *tables = texts_edit(text_lfts,
		"0x0007 004 # Channel Adapter portguid 0x0000000000000c14: 'n4 HCA-1'\n",
		no_route_vectors[_i]);
	struct sfab_fabric *f = texts_routed_by(tables);

	ck_assert_uint_eq(f->switches[0].lft[6], SFAB_PORT_NONE);
	ck_assert_uint_eq(f->switches[1].lft[6], 2);
}

static const struct text_damage spoilt_vectors[] = {
	/* text in place of numbers, numbers out of range */
	{ "[0-7]", "[0-seven]",
	  "tables:1: bad LID range (found \"seven]\", expected [0-49151])" },
	{ "[0-7]", "[0-49152]",
	  "tables:1: bad LID range (found \"49152]\", expected [0-49151])" },
	{ "guid 0x0000000000000a01", "guid 0xleaf1",
	  "tables:1: bad switch (found \"leaf1\", expected guid 0xGUID)" },
	{ "0x0001 000", "0xzzzz 000",
	  "tables:2: bad LID (found \"zzzz\", expected one of the range above)" },
	{ "0x0002 004", "0x0008 004",
	  "tables:3: bad LID (found \"0008\", expected one of the range above)" },
	{ "0x0002 004", "0x0001 004",
	  "tables:3: bad LID (found 0x1, expected one above 0x1)" },
	{ "0x0002 004", "0x0002 four",
	  "tables:3: bad port (found \"four\", expected 0-254)" },
	{ "0x0002 004", "0x0002 256",
	  "tables:3: bad port (found \"256\", expected 0-254)" },
	{ "0x0002 004", "0x0002 4x",
	  "tables:3: bad entry (found \"x\", expected 0xLID PORT # TEXT or 0xLID PORT : TEXT)" },
	{ "7 lids dumped", "seven lids dumped",
	  "tables:9: bad line (found \"seven\", expected an entry or \"N lids dumped\")" },
	{ "7 lids dumped", "5 lids dumped",
	  "tables:9: 5 lids dumped (found 7, expected as many)" },
	{ "7 lids dumped\n", "",
	  "tables:9: bad line (found \"Unicast\", expected an entry or \"N lids dumped\")" },
	{ "Unicast lids [0-7] of switch Lid 2", "Unicast routes",
	  "tables:10: bad line (found \"Unicast\", expected \"Unicast lids [...] of switch "
	  "...\")" },
	/* a port above the switch's count */
	{ "0x0002 004", "0x0002 005",
	  "tables:3: LID 0x2: bad port (found 5, expected 0-4)" },
	{ "7 lids dumped", "0x0007 001 # x\n7 lids dumped",
	  "tables:9: bad LID (found 0x7, expected one above 0x7)" },
	/* a loop: leaf1 sends n3 up, spine1 sends it back */
	{ "0x0006 002 # ", "0x0006 001 # ",
	  "tables:7: route loop: LID 0x6 comes back to switch leaf1 (expected to arrive)" },
	/* tables of another fabric, tables missing, two of one switch */
	{ "2 guid 0x0000000000000a02", "2 guid 0x0000000000000a09",
	  "topology:19: switch leaf2 (0x0000000000000a02) has no forwarding table (expected one "
	  "in the table files: files of two fabrics?)" },
	{ "Unicast", "Unicast lids [0-7] of switch Lid 9 guid 0xa09 ('x'):\n"
	  "7 lids dumped\nUnicast",
	  "tables:1: forwarding table of switch 0x0000000000000a09 (expected a switch of the "
	  "topology: files of two fabrics?)" },
	{ "2 guid 0x0000000000000a02", "2 guid 0x0000000000000a01",
	  "tables:10: two tables of switch 0x0000000000000a01: LID 0x1 to port 4 (expected port "
	  "0 as before)" },
};

LOOP_TEST(spoilt_lines, N(spoilt_vectors))
{
	texts_check_damage(text_ibnetdiscover, text_lfts, text_lfts,
			   &spoilt_vectors[_i]);
}

TEST(unknown_lid)
{
	char *range = texts_edit(text_lfts, "[0-7]", "[0-8]");
	char *tables = texts_edit(range, "7 lids dumped",
				  "0x0008 001 # Channel Adapter portguid 0x1: 'x'\n8 lids dumped");

	ck_assert_ptr_null(texts_import(text_ibnetdiscover, tables, NULL, &unit_err));
	ck_assert_str_eq(unit_err.text, "tables:9: switch leaf1: unknown LID 0x8 "
			 "(expected a LID of the topology: files of two fabrics?)");
}

TEST(cut_anywhere)
{
	texts_check_cuts(text_ibnetdiscover, text_lfts, text_lfts);
}

UNIT_MAIN("reader_lfts")
