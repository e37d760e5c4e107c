/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_reader_subnet_lst.c - what it reads, and what is refused and how */

#include "tests/unit/fixtures/fabrics.h"
#include "tests/unit/fixtures/texts.h"
#include "tests/unit/fixtures/unit.h"

static struct sfab_fabric *import(const char *topology, const char *tables)
{
	struct sfab_fabric *f = texts_import(topology, tables, NULL, &unit_err);

	unit_must(f != NULL);
	return f;
}

TEST(the_same_as_ibnetdiscover)
{
	struct sfab_fabric *a = import(text_ibnetdiscover, text_lfts);
	struct sfab_fabric *b = import(text_subnet_lst, text_lfts);

	texts_check_same(a, b);
	ck_assert_uint_eq(a->planes[0].sm_guid, 0);
	ck_assert_uint_eq(b->planes[0].sm_guid, 0xa01);
}

/* Trunk from leaf1 to spine1: which link, in which state, how fast. */
static const struct {
	const char *state;
	int up;
	double capacity;
} state_vectors[] = {
	{ "PHY=4x LOG=ACT SPD=2.5\n", 1, 1e9 },
	{ "PHY=4x LOG=ACT SPD=FDR10\n", 1, 5e9 },
	{ "PHY=12x LOG=ACT SPD=5\n", 1, 6e9 },
	{ "PHY=2x LOG=ACT SPD=50\n", 1, 12.5e9 },
	{ "PHY=4x LOG=INI SPD=10\n", 0, 4e9 },
	{ "PHY=4x LOG=ARM SPD=10\n", 0, 4e9 },
	{ "PHY=?? LOG=DWN SPD=??\n", 0, 0.25e9 },
};

LOOP_TEST(states_and_rates, N(state_vectors))
{
	char *topology = texts_edit(text_subnet_lst,
				    "PHY=4x LOG=ACT SPD=10\n",
				    state_vectors[_i].state);
	struct sfab_fabric *f = import(topology, text_lfts);
	const struct sfab_link *l = &f->links[f->ports[0].inject];

	ck_assert_uint_eq(l->up, state_vectors[_i].up);
	ck_assert(l->capacity == state_vectors[_i].capacity);
}

TEST(odd_descriptions)
{
	char *topology = texts_edit(text_subnet_lst, "{n4 HCA-1}",
				    "{n4 {mlx5_0} LID x}");
	struct sfab_fabric *f;
	char *both;

	f = import(topology, text_lfts);
	ck_assert_str_eq(f->ports[3].desc, "n4 HCA-1");	/* from its own line */
	both = texts_edit(topology, "{n4 HCA-1}", "{n4 {mlx5_0} LID x}");
	f = import(both, text_lfts);
	ck_assert_str_eq(f->ports[3].desc, "n4 {mlx5_0} LID x");
}

TEST(cables_between_hosts_are_left_out)
{
	static const char cable[] =
		"{ CA Ports:02 SystemGUID:0 NodeGUID:c01 PortGUID:c21 VenID:0 DevID:0 Rev:0 {n1 "
		"HCA-1} LID:0001 PN:02 } "
		"{ CA Ports:02 SystemGUID:0 NodeGUID:c02 PortGUID:c22 VenID:0 DevID:0 Rev:0 {n2 "
		"HCA-1} LID:0001 PN:02 } "
		"PHY=4x LOG=ACT SPD=10\n{ CA";
	char *topology = texts_edit(text_subnet_lst, "{ CA", cable);
	struct sfab_fabric *a = import(topology, text_lfts);
	struct sfab_fabric *b = import(text_subnet_lst, text_lfts);

	texts_check_same(a, b);
}

/* OpenSM writes a device in two ways.  Garbage does not matter. */
static const struct {
	const char *ids;
	enum sfab_adaptive state;
} device_vectors[] = {
	{ "VenID:nonsense DevID:D2F20000", SFAB_ADAPTIVE_NO },
	{ "VenID:0002C9 DevID:nonsense", SFAB_ADAPTIVE_NO },
	{ "VenID:0002C9 DevID:C738", SFAB_ADAPTIVE_NO },
	{ "VenID:0002C9 DevID:D2F2", SFAB_ADAPTIVE_UNKNOWN },
	{ "VenID:000002C9 DevID:D2F20000", SFAB_ADAPTIVE_UNKNOWN },
};

/* @from, at its first @n places, is @to, and @last at the one behind them. */
static char *edit_places(char *text, int n, const char *from, const char *to, const char *last)
{
	for (int i = 0; i <= n; i++) {
		char *more = texts_edit(text, from, i < n ? to : last);

		text = more;
	}
	return text;
}

/* Two lines of hosts come before that of the first switch. */
static char *first_switch_is(const char *ids)
{
	return edit_places(texts_edit(text_subnet_lst, "", ""), 4, "VenID:0002C9 DevID:C738",
			   "VenID:0002C9 DevID:673C", ids);
}

LOOP_TEST(switches_that_can_adapt_may_do_so, N(device_vectors))
{
	char *topology = first_switch_is(device_vectors[_i].ids);
	struct sfab_fabric *f = import(topology, text_lfts);

	ck_assert_uint_eq(f->adaptive, device_vectors[_i].state);
}

/* A Quantum-2 is not as slow as OpenSM says that knows no NDR. */
LOOP_TEST(a_fast_switch_with_slow_links_is_remarked, 3)
{
	char *text = edit_places(first_switch_is(_i ? "VenID:0002C9 DevID:D2F2" :
						 "VenID:0002C9 DevID:C738"),
				 2, "SPD=10", "SPD=50", _i < 2 ? "SPD=2.5" : "SPD=50");
	struct sfab_remark remark = { "" };
	struct sfab_builder *b = unit_empty_builder(SFAB_BUILD_STRICT, "");
	struct sfab_reader_ctx ctx = { .builder = b, .file = "lst", .remark = &remark };

	ck_assert_int_eq(texts_read(sfab_reader_detect(text, strlen(text)), &ctx, text,
				    strlen(text), &unit_err), 0);
	ck_assert_int_eq(strstr(remark.text, "SPD=2.5 at a Quantum-2") != NULL, _i == 1);
}

static const struct text_damage spoilt_vectors[] = {
	/* text in place of numbers, numbers out of range */
	{ "{ CA", "{ XX",
	  "topology:1: bad node (found \"XX\", expected { SW, { CA or { Rt)" },
	{ "Ports:01", "Ports:FF",
	  "topology:1: bad Ports: (found \"FF\", expected hexadecimal 1-FE)" },
	{ "Ports:01", "Prots:01",
	  "topology:1: bad Ports: (found \"{n1\", expected hexadecimal 1-FE)" },
	{ "NodeGUID:0000000000000c01", "NodeGUID:n1",
	  "topology:1: bad NodeGUID: (found \"n1\", expected a GUID)" },
	{ "PortGUID:0000000000000c11", "PortGUID:",
	  "topology:1: bad PortGUID: (found \"VenID:0002C9\", expected a GUID)" },
	{ "LID:0004", "LID:zzzz",
	  "topology:1: bad LID (found \"zzzz\", expected hexadecimal 0-BFFF)" },
	{ "LID:0004", "LID:C000",
	  "topology:1: bad LID (found \"C000\", expected hexadecimal 0-BFFF)" },
	{ "{n1 HCA-1}", "n1 HCA-1",
	  "topology:1: bad description (found \"}\", expected {TEXT})" },
	{ "SPD=10", "SPD=ten",
	  "topology:1: bad link rate (found PHY=4x SPD=ten, expected e.g. PHY=4x SPD=50; "
	  "ibnetdiscover may know more)" },
	{ "PHY=4x", "PHI=4x",
	  "topology:1: bad link state (found \"PHI=4x\", expected PHY=WIDTH LOG=STATE SPD=SPEED)" },
	/* ports above the count */
	{ "PN:01", "PN:02",
	  "topology:1: bad port number (found \"02\", expected PN: from 1 to the number in "
	  "Ports:)" },
	{ "PN:01", "PN:00",
	  "topology:1: bad port number (found \"00\", expected PN: from 1 to the number in "
	  "Ports:)" },
	/* duplicate GUIDs */
	{ "NodeGUID:0000000000000a02 PortGUID:0000000000000a02",
	  "NodeGUID:0000000000000a01 PortGUID:0000000000000a01",
	  "topology:6: duplicate GUID 0x0000000000000a01: leaf2 with 4 ports, LID 2 (expected "
	  "leaf1 with 4 ports, LID 1 as before)" },
	{ "PortGUID:0000000000000c12", "PortGUID:0000000000000c11",
	  "topology:2: duplicate GUID 0x0000000000000c11: n2 HCA-1, node 0x0000000000000c02 "
	  "port 1 (expected it once; n1 HCA-1, node 0x0000000000000c01 port 1 has it too)" },
	/* one-way links and hosts */
	{ "LID:0002 PN:04 } PHY", "LID:0002 PN:03 } PHY",
	  "topology:8: one-way link 0x0000000000000a02 port 4 -> 0x0000000000000b01 port 2 "
	  "(that port leads to 0x0000000000000a02 port 3)" },
	/* LIDs */
	{ "LID:0004", "LID:0009",
	  "tables:5: switch leaf1: unknown LID 0x4 (expected a LID of the topology: files of "
	  "two fabrics?)" },
};

LOOP_TEST(spoilt_lines, N(spoilt_vectors))
{
	texts_check_damage(text_subnet_lst, text_lfts, text_subnet_lst,
			   &spoilt_vectors[_i]);
}

TEST(cut_anywhere)
{
	texts_check_cuts(text_subnet_lst, text_lfts, text_subnet_lst);
}

UNIT_MAIN("reader_subnet_lst")
