/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_adaptive.c - sweep after sweep over one adaptive switch: what is asked for again, and
 * what is seen
 */

#include "tests/unit/fixtures/unit.h"

#include "io/wire/adaptive.h"

#define LIDS 256u
#define BLOCKS (LIDS / SFAB_LFT_BLOCK)
#define TABLE (LIDS / 16)	/* blocks of the adaptive table */
#define PARTS 8u
#define ALWAYS 3u		/* questions: does it adapt, private tables, a block of groups */
#define MAP 2u			/* blocks that say which private table */

static struct sfab_ar_tables ar_tables;

/* LID n leaves by port 1 + n % 2, or by its group 0: both ports. */
static struct adaptive_switch {
	uint32_t entry[LIDS];
	unsigned asked, asked_static, asked_table;
	int is_static_mute, from_1;	/* the first bit of a group is port 1 */
	uint8_t private_mode, private;	/* table of port 4, service level 3 */
	uint8_t info[SFAB_SMP_SIZE];	/* what it says whether it adapts */
	uint8_t used[BLOCKS];
	struct sfab_ar_past past;
	uint32_t kept[LIDS];
} s;

static void put_word(uint8_t *at, uint32_t word)
{
	for (int i = 3; i >= 0; i--, word >>= 8)
		at[i] = (uint8_t) word;
}

static void route_adaptively(void)
{
	memset(&s, 0, sizeof(s));
	for (uint32_t lid = 0; lid < LIDS; lid++)
		s.entry[lid] = 1u << 30 | (1 + lid % 2) << 16;
	s.past.entry = s.kept;
	s.info[3] = 1;
	s.info[7] = 16;
	memset(s.used, 1, BLOCKS);
}

static void say_static(unsigned block, uint8_t *out)
{
	for (unsigned i = 0; i < SFAB_LFT_BLOCK; i++)
		out[i] = (uint8_t) (s.entry[block * SFAB_LFT_BLOCK + i] >> 16);
}

static enum sfab_smp_answer answer_adaptively(void *ctx, const struct sfab_smp_path *to,
					      unsigned id, unsigned mod, uint8_t *out)
{
	(void) ctx;
	(void) to;
	s.asked++;
	switch (id) {
	case 0x0019:
		s.asked_static++;
		say_static(mod, out);
		return s.is_static_mute ? SFAB_SMP_SILENT : SFAB_SMP_ANSWER;
	case 0xFF10:
		out[3] = s.private_mode;
		return SFAB_SMP_ANSWER;
	case 0xFF14:
		out[3] = mod == 1 ? s.private : 0;
		return SFAB_SMP_ANSWER;
	case 0xFF20:
		memcpy(out, s.info, SFAB_SMP_SIZE);
		return SFAB_SMP_ANSWER;
	case 0xFF21:
		out[31] = out[63] = s.from_1 ? 0x03 : 0x06;
		return SFAB_SMP_ANSWER;
	case 0xFF23:
		s.asked_table++;
		for (unsigned i = 0; i < 16; i++)
			put_word(out + 4 * i, s.entry[16 * mod + i]);
		return SFAB_SMP_ANSWER;
	default:
		return SFAB_SMP_REFUSED;
	}
}

static enum sfab_ar_answer ask_switch(struct sfab_ar_past *past)
{
	const struct sfab_smp_channel channel = { NULL, answer_adaptively };
	const struct sfab_wire_node node = { .kind = SFAB_WIRE_SWITCH, .nports = 4,
					     .nblocks = BLOCKS, .used = s.used };

	s.asked = s.asked_static = s.asked_table = 0;
	return sfab_adaptive_read(&channel, &node, past, &ar_tables);
}

static void sweep_switch(struct sfab_ar_past *past)
{
	ck_assert_int_eq(ask_switch(past), SFAB_AR_ON);
}

/* Are the tables that were read what the switch has? */
static int is_true(void)
{
	for (uint32_t lid = 0; lid < LIDS; lid++)
		if (ar_tables.port[lid] != (uint8_t) (s.entry[lid] >> 16) ||
		    !ar_tables.group[lid] != (s.entry[lid] >> 30 == 2))
			return 0;
	return ar_tables.nlids == LIDS;
}

TEST(a_known_table_costs_an_eighth)
{
	sweep_switch(&s.past);
	ck_assert_uint_eq(s.asked, ALWAYS + TABLE);
	for (int i = 0; i < 9; i++) {
		sweep_switch(&s.past);
		ck_assert_uint_eq(s.asked, ALWAYS + BLOCKS + TABLE / PARTS);
		ck_assert_int_eq(is_true(), 1);
	}
	sweep_switch(NULL);
	ck_assert_uint_eq(s.asked, ALWAYS + TABLE);
	ck_assert_int_eq(is_true(), 1);
}

TEST(a_change_of_routes_is_seen_at_once)
{
	sweep_switch(&s.past);
	s.entry[200] ^= 3 << 16;	/* port 2 for 1 */
	sweep_switch(&s.past);
	ck_assert_int_eq(is_true(), 1);
	ck_assert_uint_eq(s.asked_table, TABLE);
	sweep_switch(&s.past);
	ck_assert_uint_eq(s.asked_table, TABLE / PARTS);
}

/* In each block: the eighth sweep after it knows. */
LOOP_TEST(a_change_of_states_alone_is_seen_in_eight_sweeps, TABLE)
{
	int sweeps = 0;

	sweep_switch(&s.past);
	s.entry[16 * _i + 3] = 2u << 30 | (s.entry[16 * _i + 3] & 0xFF0000);
	s.entry[5] = 2u << 30 | (s.entry[5] & 0xFF0000);
	do {
		sweep_switch(&s.past);
		sweeps++;
	} while (sweeps < (int) PARTS && !is_true());
	ck_assert_int_eq(is_true(), 1);
}

TEST(without_its_static_table_all_is_asked_for)
{
	sweep_switch(&s.past);
	s.is_static_mute = 1;
	s.entry[100] = 2u << 30 | (s.entry[100] & 0xFF0000);
	sweep_switch(&s.past);
	ck_assert_uint_eq(s.asked_static, 1);
	ck_assert_uint_eq(s.asked_table, TABLE);
	ck_assert_int_eq(is_true(), 1);
}

/* LIDs 64 to 127 are nobody's, until somebody has one. */
TEST(lids_of_nobody_are_not_asked_for)
{
	s.used[1] = 0;
	for (int sweep = 0; sweep < 2; sweep++) {
		sweep_switch(&s.past);
		ck_assert_uint_eq(s.asked_static, sweep ? BLOCKS - 1 : 0);
		ck_assert_uint_eq(s.asked_table, sweep ? TABLE / PARTS : TABLE - 4);
		ck_assert_uint_eq(ar_tables.port[64], SFAB_PORT_NONE);
		ck_assert_uint_eq(ar_tables.group[64] + ar_tables.group[127], 0);
		ck_assert_uint_eq(ar_tables.group[128], 1);
	}
	s.used[1] = 1;
	sweep_switch(&s.past);
	ck_assert_uint_eq(s.asked_table, TABLE);
	ck_assert_int_eq(is_true(), 1);
}

TEST(private_tables_leave_the_first)
{
	s.private = 1;
	sweep_switch(NULL);		/* mode 0: the map says nothing */
	s.private_mode = 1;
	ck_assert_int_eq(ask_switch(NULL), SFAB_AR_UNCLEAR);
	ck_assert_str_eq(ar_tables.reason, "has private tables (pLFT): port 4, service level 3");
	ck_assert_uint_eq(s.asked, ALWAYS + MAP + TABLE);
	ck_assert_int_eq(is_true(), 1);
	s.private = 0;
	sweep_switch(NULL);		/* all by table 0 */
}

/* Bits of AdaptiveRoutingInfo, and what the switch is said to do. */
static const struct {
	uint8_t byte, value;
	enum sfab_ar_answer answer;
	unsigned traits;
	const char *why;
} ar_infos[] = {
	{ 3, 0x11, SFAB_AR_ON, 1 << SFAB_AR_SHIELD, "" },
	{ 22, 0x80, SFAB_AR_ON, 1 << SFAB_AR_HBF, "" },
	{ 22, 0x10, SFAB_AR_ON, 1 << SFAB_AR_PFRN, "" },
	{ 22, 0x20, SFAB_AR_UNCLEAR, 0, "adapts for some virtual lanes only" },
	{ 15, 0x02, SFAB_AR_ON, 0, "" },	/* it cannot tell transports apart */
	{ 0, 0x10, SFAB_AR_UNCLEAR, 0, "adapts for some service levels only (0x0000)" },
	{ 3, 0x10, SFAB_AR_OFF, 0, "" },
};

LOOP_TEST(a_group_may_begin_with_port_1, 2)
{
	s.from_1 = _i;
	sweep_switch(&s.past);
	ck_assert_int_eq(is_true(), 1);
	ck_assert_str_eq(ar_tables.reason, "");
	ck_assert_uint_eq(ar_tables.groups[0].n, 2);
	ck_assert_uint_eq(ar_tables.groups[0].port[0], 1);
	ck_assert_uint_eq(ar_tables.groups[0].port[1], 2);
}

LOOP_TEST(other_traits_are_reported, N(ar_infos))
{
	s.info[ar_infos[_i].byte] = ar_infos[_i].value;
	ck_assert_int_eq(ask_switch(NULL), ar_infos[_i].answer);
	ck_assert_uint_eq(ar_tables.traits, ar_infos[_i].traits);
	ck_assert_str_eq(ar_tables.reason, ar_infos[_i].why);
}

/* RC, by which most of MPI goes; datagrams do not matter. */
TEST(transports_that_do_not_adapt)
{
	s.info[0] = 0x20;
	s.info[15] = 0x01;
	sweep_switch(NULL);
	s.info[15] = 0x03;
	ck_assert_int_eq(ask_switch(NULL), SFAB_AR_UNCLEAR);
	ck_assert_str_eq(ar_tables.reason, "does not adapt for some transports (0x3)");
	ck_assert_uint_eq(s.asked, 1);
}

UNIT_MAIN_WITH("adaptive", route_adaptively, NULL)
