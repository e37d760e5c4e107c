/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_reader_ibnetdiscover.c - what it reads, and what is refused and how */

#include "tests/unit/fixtures/fabrics.h"
#include "tests/unit/fixtures/texts.h"
#include "tests/unit/fixtures/unit.h"

static struct sfab_fabric *import_edited(const char *from, const char *to)
{
	char *edited = texts_edit(text_ibnetdiscover, from, to);
	struct sfab_fabric *f = texts_import(edited, text_lfts, NULL, &unit_err);

	unit_must(f != NULL);
	return f;
}

TEST(all_that_it_reads)
{
	struct sfab_fabric *f = import_edited("", "");
	const struct sfab_port *n3;

	ck_assert_uint_eq(f->nswitches, 3);
	ck_assert_uint_eq(f->nhosts, 4);
	ck_assert_uint_eq(f->nports, 4);
	ck_assert_uint_eq(f->nlinks, 12);
	ck_assert_uint_eq(f->nleaves, 2);
	ck_assert_str_eq(f->switches[2].name, "spine1");
	ck_assert_uint_eq(f->switches[2].guid, 0xb01);
	ck_assert_uint_eq(f->switches[2].lid, 3);
	ck_assert_uint_eq(f->switches[2].nports, 4);
	n3 = &f->ports[2];
	ck_assert_str_eq(f->hosts[n3->host].name, "n3");
	ck_assert_str_eq(n3->desc, "n3 HCA-1");
	ck_assert_uint_eq(n3->node_guid, 0xc03);
	ck_assert_uint_eq(n3->guid, 0xc13);
	ck_assert_uint_eq(n3->lid, 6);
	ck_assert_uint_eq(n3->lmc, 0);
	ck_assert_uint_eq(n3->sw, 1);
	ck_assert_uint_eq(n3->sw_port, 1);
	ck_assert(n3->rate == 4e9);
}

/* Other ways to write the same, as different versions and options do. */
static const struct {
	const char *from, *to;
} same_vectors[] = {
	{ "[4]\t\"S-", "[4][ext 12]\t\"S-" },
	{ "lid 3 4xQDR\n", "lid 3 4xQDR s=4 w=2 v=4\n" },
	{ "lid 3 4xQDR\n", "lid 3 4xQDR\r\n" },
	{ "switchguid=0xa01(a01)\n", "switchguid=0xa01(a01)\t# ISR2012 spine 1\n" },
	{ "\nvendid", "\nChassis 1 (guid 0xa01)\n\n# Spine Nodes\nvendid" },
	{ "\nvendid", "\nNon-Chassis Nodes\n\nvendid" },
	{ "\"n1 HCA-1\"\n", "\" n1 HCA-1  \"\n" },
	{ "\"n1 HCA-1\"\n", "\"n1 HCA-1\" (scp)\n" },
	{ "# Topology file", "# Reported max hops discovered: 4\n# Topology file" },
};

LOOP_TEST(other_ways_to_say_it, N(same_vectors))
{
	struct sfab_fabric *plain = import_edited("", "");
	struct sfab_fabric *f = import_edited(same_vectors[_i].from,
					      same_vectors[_i].to);

	texts_check_same(plain, f);
}

TEST(odd_descriptions)
{
	struct sfab_fabric *f;

	f = import_edited("# \"leaf1\" enh", "# \"4036 # \"x\" lid 9\" enh");
	ck_assert_str_eq(f->switches[0].name, "4036 # \"x\" lid 9");
	f = import_edited("# \"n4 HCA-1\"\n", "# \"n\x01" "4 \xc3\xa4\"\n");
	ck_assert_str_eq(f->ports[3].desc, "n?4 \xc3\xa4");
}

TEST(names_from_a_map)
{
	static const char text[] = "0xa02 \"edge two\"\n0xc03 \"gpu7 mlx5_0\"\n";
	struct sfab_namemap *map;
	struct sfab_fabric *f;

	map = sfab_namemap_parse(text, strlen(text), "map", &unit_err);
	unit_must(map != NULL);
	f = texts_import(text_ibnetdiscover, text_lfts, map, &unit_err);
	unit_must(f != NULL);
	ck_assert_str_eq(f->switches[1].name, "edge two");
	ck_assert_uint_ne(sfab_fabric_host(f, "gpu7"), SFAB_NONE);
	ck_assert_uint_eq(sfab_fabric_host(f, "n3"), SFAB_NONE);
	sfab_namemap_destroy(map);
}

TEST(nodes_that_are_no_host)
{
	struct sfab_fabric *f;
	uint32_t host;

	f = import_edited("# \"n2 HCA-1\"\n",
			  "# \"Mellanox Technologies Aggregation Node\"\n");
	host = sfab_fabric_host(f, "0x0000000000000c02");
	ck_assert_uint_ne(host, SFAB_NONE);
	ck_assert_int_eq(f->hosts[host].role, SFAB_HOST_SHARP);
	f = import_edited("# \"n2 HCA-1\"\n",
			  "# \"MT25408 ConnectX Mellanox Technologies\"\n");
	ck_assert_uint_ne(sfab_fabric_host(f, "0x0000000000000c02"), SFAB_NONE);
}

TEST(routers_are_end_ports)
{
	char *ca = texts_edit(text_ibnetdiscover, "Ca\t1 \"H-0000000000000c02",
			      "Rt\t1 \"R-0000000000000c02");
	char *rt = texts_edit(ca, "\"H-0000000000000c02\"",
			      "\"R-0000000000000c02\"");
	struct sfab_fabric *f = texts_import(rt, text_lfts, NULL, &unit_err);

	unit_must(f != NULL);
	ck_assert_uint_eq(f->nports, 4);
}

/* Second ports of n1 and n2 cabled to each other. */
TEST(cables_between_hosts_are_left_out)
{
	static const char first[] = "lid 4 lmc 0 \"leaf1\" lid 1 4xQDR\n";
	static const char second[] =
		"lid 4 lmc 0 \"leaf1\" lid 1 4xQDR\n"
		"[2](c21) \t\"H-0000000000000c02\"[2] (c22) \t\t"
		"# lid 1 lmc 0 \"n2 HCA-1\" lid 2 4xQDR\n";
	char *ports = texts_edit(text_ibnetdiscover, "Ca\t1 \"H-0000000000000c01",
				 "Ca\t2 \"H-0000000000000c01");
	char *cabled = texts_edit(ports, first, second);
	struct sfab_fabric *plain = import_edited("", "");
	struct sfab_fabric *f = texts_import(cabled, text_lfts, NULL, &unit_err);

	unit_must(f != NULL);
	texts_check_same(plain, f);
}

static const struct text_damage spoilt_vectors[] = {
	/* text in place of numbers, numbers out of range */
	{ "Switch\t4 ", "Switch\tfour ",
	  "topology:10: bad port count (found \"four\", expected 1-254)" },
	{ "Switch\t4 ", "Switch\t255 ",
	  "topology:10: bad port count (found \"255\", expected 1-254)" },
	{ "Switch\t4 ", "Switch\t0 ",
	  "topology:10: bad port count (found \"0\", expected 1-254)" },
	{ "\"S-0000000000000a01\"\t", "\"S-leaf1\"\t",
	  "topology:10: bad node id (found \"\"S-leaf1\"\", expected \"S-GUID\" of a Switch, "
	  "\"H-\" of a Ca, \"R-\" of an Rt)" },
	{ "\"S-0000000000000a01\"\t", "\"S-10000000000000a01\"\t",
	  "topology:10: bad node id (found \"\"S-10000000000000a01\"\", expected \"S-GUID\" of "
	  "a Switch, \"H-\" of a Ca, \"R-\" of an Rt)" },
	{ "port 0 lid 1 ", "port 0 lid one ",
	  "topology:10: bad switch LID (found \"one\", expected lid 0-49151)" },
	{ "port 0 lid 1 ", "port 0 lid 49152 ",
	  "topology:10: bad switch LID (found \"49152\", expected lid 0-49151)" },
	{ "[1]\t\"H-", "[x]\t\"H-",
	  "topology:11: bad port number (found \"[x]\", expected [1]-[4])" },
	{ "(c11) \t\"S-", "(eleven) \t\"S-",
	  "topology:37: bad port GUID (found \"(eleven)\", expected (GUID))" },
	{ "# lid 4 lmc 0", "# lid -4 lmc 0",
	  "topology:37: bad LID (found \"-4\", expected # lid 0-49151)" },
	{ "# lid 4 lmc 0", "# lid 4 lmc 8",
	  "topology:37: bad LMC (found \"8\", expected lmc 0-7)" },
	{ "lid 3 4xQDR", "lid 3 4x???",
	  "topology:13: bad link rate (found \"4x???\", expected width and speed, e.g. 4xHDR)" },
	{ "lid 3 4xQDR", "lid 3 5xQDR",
	  "topology:13: bad link rate (found \"5xQDR\", expected width and speed, e.g. 4xHDR)" },
	{ "lid 3 4xQDR", "LID 3 4xQDR",
	  "topology:13: bad LID of the other end (found \"LID\", expected # \"TEXT\" lid "
	  "0-49151)" },
	{ "sysimgguid=0xa01", "hello",
	  "topology:8: bad line (found \"hello\", expected Switch, Ca, Rt or [PORT])" },
	{ "Switch\t4 \"S-0000000000000a01\"\t\t# \"leaf1\" enhanced port 0 lid 1 lmc 0\n",
	  "", "topology:10: bad line (found \"[1]\", expected Switch, Ca or Rt before its ports)" },
	/* ports above the switch's count */
	{ "[4]\t\"S-", "[5]\t\"S-",
	  "topology:13: bad port number (found \"[5]\", expected [1]-[4])" },
	{ "\"S-0000000000000b01\"[1]", "\"S-0000000000000b01\"[9]",
	  "topology:13: switch spine1: port 9 (expected 1-4)" },
	/* duplicate GUIDs */
	{ "\"S-0000000000000a02\"\t\t# \"leaf2\" enhanced",
	  "\"S-0000000000000a01\"\t\t# \"leaf2\" enhanced",
	  "topology:19: duplicate GUID 0x0000000000000a01: leaf2 with 4 ports, LID 2 (expected "
	  "leaf1 with 4 ports, LID 1 as before)" },
	{ "\"H-0000000000000c02\"\t\t# \"n2", "\"H-0000000000000c01\"\t\t# \"n2",
	  "topology:44: duplicate GUID 0x0000000000000c01: n2 HCA-1, port 0x0000000000000c12, "
	  "LID 5 (expected n1 HCA-1, port 0x0000000000000c11, LID 4 as before)" },
	{ "[1](c12) \t\"S-", "[1](c11) \t\"S-",
	  "topology:44: duplicate GUID 0x0000000000000c11: n2 HCA-1, node 0x0000000000000c02 "
	  "port 1 (expected it once; n1 HCA-1, node 0x0000000000000c01 port 1 has it too)" },
	/* one-way links */
	{ "[2]\t\"S-0000000000000a02\"[4]\t\t# \"leaf2\" lid 2 4xQDR\n", "",
	  "topology:22: one-way link 0x0000000000000a02 port 4 -> 0x0000000000000b01 port 2 "
	  "(expected the opposite direction too)" },
	{ "[1]\t\"S-0000000000000a01\"[4]", "[1]\t\"S-0000000000000a02\"[4]",
	  "topology:13: one-way link 0x0000000000000a01 port 4 -> 0x0000000000000b01 port 1 "
	  "(that port leads to 0x0000000000000a02 port 4)" },
	/* hosts */
	{ "# \"n1 HCA-1\"\n", "# n1\n",
	  "topology:36: bad description (found \"#\", expected # \"TEXT\")" },
	/* LIDs */
	{ "# lid 7 lmc 0", "# lid 9 lmc 0",
	  "tables:8: switch leaf1: unknown LID 0x7 (expected a LID of the topology: files of "
	  "two fabrics?)" },
};

/*
 * The device of the first switch decides if no engine is known: switches that can adapt may do
 * so.
 */
static const struct {
	const char *vendor, *device, *engine;
	enum sfab_adaptive state;
} device_vectors[] = {
	{ "0x2c9", "0xbd36", "", SFAB_ADAPTIVE_NO },	/* InfiniScale IV */
	{ "0x2c9", "0xc738", "", SFAB_ADAPTIVE_NO },	/* SwitchX-2 */
	{ "0x2c9", "0xcb20", "", SFAB_ADAPTIVE_UNKNOWN },	/* Switch-IB */
	{ "0x2c9", "0xcf08", "", SFAB_ADAPTIVE_UNKNOWN },	/* Switch-IB 2 */
	{ "0x2c9", "0xd2f0", "", SFAB_ADAPTIVE_UNKNOWN },	/* Quantum */
	{ "0x2c9", "0xd2f2", "", SFAB_ADAPTIVE_UNKNOWN },	/* Quantum-2 */
	{ "0x2c9", "0xd2f4", "", SFAB_ADAPTIVE_UNKNOWN },	/* Quantum-3 */
	{ "0x119f", "0x1bd3", "", SFAB_ADAPTIVE_UNKNOWN },	/* Bull's Switch-IB */
	{ "0x2c9", "0xd2f2", "ftree", SFAB_ADAPTIVE_NO },
	{ "0x2c9", "0xd2f2", "ar_ftree", SFAB_ADAPTIVE_UNKNOWN },
	{ "0x2c9", "0xbd36", "ar_updn", SFAB_ADAPTIVE_UNKNOWN },
	{ "0x8f1", "0xd2f2", "", SFAB_ADAPTIVE_NO },	/* of another vendor */
	{ "0x2c9", "0x1d2f2", "", SFAB_ADAPTIVE_NO },
	{ "nonsense", "0xd2f2", "", SFAB_ADAPTIVE_NO },
	{ "0x2c9", "", "", SFAB_ADAPTIVE_NO },
};

LOOP_TEST(switches_that_can_adapt_may_do_so, N(device_vectors))
{
	struct sfab_builder *b = unit_empty_builder(SFAB_BUILD_UNROUTED, "");
	struct sfab_reader_ctx ctx = { .builder = b, .file = "topology" };
	char lines[64], *topology;
	struct sfab_fabric *f;

	snprintf(lines, sizeof(lines), "vendid=%s\ndevid=%s", device_vectors[_i].vendor,
		 device_vectors[_i].device);
	topology = texts_edit(text_ibnetdiscover, "vendid=0x2c9\ndevid=0xc738", lines);
	unit_must(texts_read(sfab_reader_detect(topology, strlen(topology)), &ctx,
			     topology, strlen(topology), &unit_err) == 0);
	sfab_builder_set_engine(b, 0, device_vectors[_i].engine);
	f = unit_freeze(b);
	ck_assert_uint_eq(f->adaptive, device_vectors[_i].state);
}

LOOP_TEST(spoilt_lines, N(spoilt_vectors))
{
	texts_check_damage(text_ibnetdiscover, text_lfts, text_ibnetdiscover,
			   &spoilt_vectors[_i]);
}

TEST(cut_anywhere)
{
	texts_check_cuts(text_ibnetdiscover, text_lfts, text_ibnetdiscover);
}

UNIT_MAIN("reader_ibnetdiscover")
