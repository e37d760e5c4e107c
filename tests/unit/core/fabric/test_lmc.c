/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_lmc.c - the LMC that no source gives, from LIDs and routes */

#include "tests/unit/fixtures/fabrics.h"
#include "tests/unit/fixtures/unit.h"

#define TABLE 32

/* One switch, LID 1, with two hosts; a table that routes some of the LIDs. */
static const struct {
	const char *what;
	unsigned lid[2];	/* of the hosts; 0: none */
	unsigned given;		/* LMC of the second host */
	const char *routed;	/* LIDs 0, 1, ...: '.' not, 'a' and 'b' to a host */
	unsigned lmc[2];
} vectors[] = {
	{ "one LID each", { 2, 3 }, SFAB_LMC_UNKNOWN, ".0ab", { 0, 0 } },
	{ "two LIDs each", { 2, 4 }, SFAB_LMC_UNKNOWN, ".0aabb", { 1, 1 } },
	{ "four LIDs each", { 4, 8 }, SFAB_LMC_UNKNOWN, ".0..aaaabbbb", { 2, 2 } },
	{ "eight LIDs each", { 8, 16 }, SFAB_LMC_UNKNOWN, ".0......aaaaaaaabbbbbbbb", { 3, 3 } },
	{ "holes behind one LID", { 2, 4 }, SFAB_LMC_UNKNOWN, ".0a.b.", { 0, 0 } },
	{ "holes behind two LIDs", { 4, 8 }, SFAB_LMC_UNKNOWN, ".0..aa..bb", { 1, 1 } },
	{ "one has no LID yet", { 2, 0 }, SFAB_LMC_UNKNOWN, ".0aa", { 1, 0 } },
	{ "given for one of them", { 2, 4 }, 1, ".0aabb", { 1, 1 } },
	{ "given as 0 for one of them", { 2, 4 }, 0, ".0aab", { 1, 0 } },
	{ "given as 0, one LID each", { 2, 3 }, 0, ".0ab", { 0, 0 } },
};

static struct sfab_builder *build(int i)
{
	struct sfab_builder *b = unit_empty_builder(SFAB_BUILD_STRICT, "");
	const char *names[] = { "a", "b" };
	uint8_t lft[TABLE];
	size_t n = strlen(vectors[i].routed);

	sfab_builder_add_switch(b, 0, 0x100, "sw", 2, 1, NULL);
	for (unsigned h = 0; h < 2; h++) {
		ck_assert_int_eq(sfab_builder_add_port(b, 0, 0x1000 + h, 1,
			0x2000 + h, names[h], NULL, vectors[i].lid[h],
			h ? vectors[i].given : SFAB_LMC_UNKNOWN, NULL), 0);
		sfab_builder_add_link(b, 0, 0x1000 + h, 1, 0x100, h + 1, 1e9, 1, NULL);
		sfab_builder_add_link(b, 0, 0x100, h + 1, 0x1000 + h, 1, 1e9, 1, NULL);
	}
	ck_assert_uint_le(n, TABLE);
	for (size_t lid = 0; lid < n; lid++)
		lft[lid] = vectors[i].routed[lid] == '.' ? SFAB_PORT_NONE
			 : vectors[i].routed[lid] == '0' ? 0
			 : (uint8_t) (vectors[i].routed[lid] - 'a' + 1);
	ck_assert_int_eq(sfab_builder_add_lft(b, 0, 0x100, 0, lft, (unsigned) n, NULL), 0);
	return b;
}

LOOP_TEST(lmc_from_lids_and_routes, N(vectors))
{
	struct sfab_builder *b = build(_i);
	struct sfab_fabric *f = unit_freeze(b);

	for (int i = 0; i < 2; i++)
		ck_assert_msg(f->ports[i].lmc == vectors[_i].lmc[i], "%s: %u (expected %u)",
			      vectors[_i].what, f->ports[i].lmc, vectors[_i].lmc[i]);
}

/* Enhanced port 0 with LMC 1: given, worked out, or neither. */
static const struct {
	const char *what;
	int given;		/* LMC of the switch, -1: not given */
	unsigned lmc;		/* of the host, which is given */
	const char *routed;
	const char *error;
} switch_vectors[] = {
	{ "given", 1, 0, "..00a", NULL },
	{ "worked out", -1, 1, "..00aa", NULL },
	{ "given as 0", 0, 1, "..00aa",
	  "switch sw: unknown LID 0x3 (expected a LID of the topology: files of two fabrics?)" },
	{ "neither", -1, 0, "..00a",
	  "switch sw: unknown LID 0x3 (expected a LID of the topology: files of two fabrics?)" },
};

LOOP_TEST(switches_with_several_lids, N(switch_vectors))
{
	struct sfab_builder *b = unit_empty_builder(SFAB_BUILD_STRICT, "");
	struct sfab_err err = { 0 };
	struct sfab_fabric *f;
	uint8_t lft[TABLE];
	size_t n = strlen(switch_vectors[_i].routed);

	sfab_builder_add_switch(b, 0, 0x100, "sw", 2, 2, NULL);
	if (switch_vectors[_i].given >= 0)
		sfab_builder_set_switch_lmc(b, 0, 0x100,
					    (unsigned) switch_vectors[_i].given);
	sfab_builder_add_port(b, 0, 0x1000, 1, 0x2000, "a", NULL, 4,
			      switch_vectors[_i].lmc, NULL);
	sfab_builder_add_link(b, 0, 0x1000, 1, 0x100, 1, 1e9, 1, NULL);
	sfab_builder_add_link(b, 0, 0x100, 1, 0x1000, 1, 1e9, 1, NULL);
	for (size_t lid = 0; lid < n; lid++)
		lft[lid] = switch_vectors[_i].routed[lid] == '.' ? SFAB_PORT_NONE
			 : switch_vectors[_i].routed[lid] == 'a';
	sfab_builder_add_lft(b, 0, 0x100, 0, lft, (unsigned) n, NULL);
	f = unit_try_freeze(b, &err);
	if (switch_vectors[_i].error)
		ck_assert_str_eq(err.text, switch_vectors[_i].error);
	else
		ck_assert_msg(f != NULL, "%s: %s", switch_vectors[_i].what, err.text);
	if (f) {
		const struct sfab_plane *p = f->planes;

		ck_assert_uint_eq(f->switches[0].lft[sfab_plane_entry(p, 2)], 0);
		ck_assert_uint_eq(sfab_plane_entry(p, 3), SFAB_NONE);
		ck_assert_uint_eq(f->switches[0].lft[sfab_plane_entry(p, 4)], 1);
	}
}

/* A file that gives the LMC wins over one that does not, in either order. */
TEST(lmc_given_by_another_file)
{
	for (int first = 0; first < 2; first++) {
		struct sfab_builder *b = build(1);
		struct sfab_fabric *f;

		if (first)
			ck_assert_int_eq(sfab_builder_add_port(b, 0, 0x1000, 1,
				0x2000, "a", NULL, 2, 1, NULL), 0);
		ck_assert_int_eq(sfab_builder_add_port(b, 0, 0x1000, 1, 0x2000, "a",
			NULL, 2, SFAB_LMC_UNKNOWN, NULL), 0);
		f = unit_freeze(b);
		ck_assert_uint_eq(f->ports[0].lmc, 1);
	}
}

/* What two files say of one port, and what is wrong with it together. */
static const struct {
	unsigned lid[2], lmc[2];
	const char *error;
} together[] = {
	{ { 0xBFFF, 0 }, { SFAB_LMC_UNKNOWN, 7 }, "LID 0xbfff (expected at most 0xbfff)" },
	{ { 0, 0xBFFF }, { 7, SFAB_LMC_UNKNOWN }, "LID 0xbfff (expected at most 0xbfff)" },
	{ { 0, 0xBFFF }, { 7, 0 }, "LID 0xbfff (expected at most 0xbfff)" },
	{ { 8, 8 }, { 2, 3 }, "a: LMC 3 (expected 2 as before)" },
};

LOOP_TEST(lids_of_two_files_stay_in_range, N(together))
{
	struct sfab_builder *b = unit_empty_builder(SFAB_BUILD_PARTIAL, "");
	struct sfab_err err = { 0 };

	ck_assert_int_eq(sfab_builder_add_port(b, 0, 0x1000, 1, 0x2000, "a", NULL,
		together[_i].lid[0], together[_i].lmc[0], &err), 0);
	ck_assert_int_eq(sfab_builder_add_port(b, 0, 0x1000, 1, 0x2000, "a", NULL,
		together[_i].lid[1], together[_i].lmc[1], &err), -1);
	ck_assert_str_eq(err.text, together[_i].error);
}

UNIT_MAIN("lmc")
