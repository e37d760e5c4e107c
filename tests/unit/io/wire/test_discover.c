/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_discover.c - who is on a subnet: a tree, and agents that would have us ask for ever */

#include "tests/unit/fixtures/unit.h"

#include "io/wire/discover.h"

#define NODE_DESC 0x10
#define NODE_INFO 0x11
#define SWITCH_INFO 0x12
#define PORT_INFO 0x15

/* Host 0 on port 1 of switch 1, host 2 on its port 2; port 3 is up, and no more. */
struct subnet {
	unsigned asked, asked_last, limit;
	int twin, makes_up, silent_port, far_port;
};

static void put_guid(uint8_t *at, uint64_t guid)
{
	for (int i = 7; i >= 0; i--, guid >>= 8)
		at[i] = (uint8_t) guid;
}

/* 0 host, 1 switch, 2 host at the end, -1 nobody. */
static int walk_to(const struct subnet *s, const struct sfab_smp_path *to)
{
	if (to->hops == 0)
		return 0;
	if (to->hops == 1 || s->makes_up)
		return 1;
	return to->hops == 2 && to->port[2] == 2 ? 2 : -1;
}

static void node_info_of(const struct subnet *s, const struct sfab_smp_path *to,
			 int node, uint8_t *out)
{
	uint64_t guid = 0x100 + (uint64_t) node;

	if (s->makes_up && to->hops)
		guid = 0x1000 + s->asked;	/* another one each time */
	if (s->twin && node == 2)
		guid = 0x100;			/* gives itself out for us */
	out[2] = node == 1 ? 2 : 1;
	out[3] = node == 1 ? 4 : 1;
	put_guid(out + 12, guid);
	put_guid(out + 20, guid + 0x1000000);
	out[36] = node == 2 && s->far_port ? 200 : 1;
}

static enum sfab_smp_answer answer_to(void *ctx, const struct sfab_smp_path *to,
				      unsigned id, unsigned mod, uint8_t *out)
{
	struct subnet *s = ctx;
	int node = walk_to(s, to);

	s->asked++;
	if (s->limit && s->asked > s->limit)
		return SFAB_SMP_OVER;
	if (node < 0)
		return SFAB_SMP_SILENT;
	if (id == NODE_INFO) {
		node_info_of(s, to, node, out);
	} else if (id == SWITCH_INFO) {
		out[7] = 130;	/* LinearFDBTop: three blocks */
	} else if (id == NODE_DESC) {
		strcpy((char *) out, node == 1 ? "leaf  " : "n HCA-1");
	} else if (id == PORT_INFO) {
		if (s->silent_port && node == 1 && mod == (unsigned) s->silent_port)
			return SFAB_SMP_SILENT;
		out[17] = (uint8_t) (node + 1);
		out[19] = 3;	/* the manager is on node 2 */
		out[31] = 2;
		out[32] = 4;
		out[33] = mod <= 3 ? 0x52 : 0x22;
		out[62] = 0x20;
	} else {
		return SFAB_SMP_REFUSED;
	}
	s->asked_last = mod;
	return SFAB_SMP_ANSWER;
}

static struct sfab_discovery *discover(struct subnet *s, struct sfab_err *err)
{
	const struct sfab_smp_channel channel = { s, answer_to };

	return sfab_discover(&channel, err);
}

TEST(a_switch_and_its_hosts)
{
	struct subnet s = { 0 };
	struct sfab_discovery *d = discover(&s, NULL);
	const struct sfab_wire_node *node;

	ck_assert_ptr_nonnull(d);
	ck_assert_uint_eq(d->n, 3);
	node = d->node;
	ck_assert_int_eq(node[0].kind, SFAB_WIRE_CA);
	ck_assert_uint_eq(node[0].port[1].to, 1);
	ck_assert_int_eq(node[1].kind, SFAB_WIRE_SWITCH);
	ck_assert_uint_eq(node[1].guid, 0x101);
	ck_assert_str_eq(node[1].desc, "leaf");
	ck_assert_uint_eq(node[1].nblocks, 3);
	ck_assert_uint_eq(node[1].port[0].lid, 2);
	ck_assert_double_eq(node[1].port[2].rate, 12.5e9);
	ck_assert_int_eq(node[1].port[2].state, SFAB_WIRE_ACTIVE);
	ck_assert_uint_eq(node[1].port[2].to, 2);
	ck_assert_uint_eq(node[1].port[3].to, SFAB_WIRE_NOBODY);
	ck_assert_uint_eq(node[2].guid, 0x102);
	ck_assert_uint_eq(node[2].path.port[2], 2);
	ck_assert_uint_eq(d->silent, 1);
	ck_assert_uint_eq(d->sm_guid, 0x1000102);
	sfab_discovery_destroy(d);
}

/* Each path leads to another new switch: no subnet has so many. */
TEST(a_switch_that_makes_up_others)
{
	struct subnet s = { .makes_up = 1 };

	ck_assert_ptr_null(discover(&s, &unit_err));
	ck_assert_int_eq(unit_err.code, SFAB_ELIMIT);
	ck_assert_str_eq(unit_err.text, "more than 49151 nodes or 4000000 ports "
			 "answer: no subnet has so many LIDs");
	ck_assert_uint_lt(s.asked, 10 * SFAB_DISCOVER_NODES);
}

TEST(somebody_who_says_to_be_us)
{
	struct subnet s = { .twin = 1 };
	struct sfab_discovery *d = discover(&s, NULL);

	ck_assert_ptr_nonnull(d);
	ck_assert_uint_eq(d->n, 2);
	ck_assert_uint_lt(s.asked, 20);
	sfab_discovery_destroy(d);
}

TEST(a_port_that_the_node_does_not_have)
{
	struct subnet s = { .far_port = 1 };
	struct sfab_discovery *d = discover(&s, NULL);

	ck_assert_ptr_nonnull(d);
	ck_assert_uint_eq(d->n, 2);
	ck_assert_uint_eq(d->silent, 2);
	sfab_discovery_destroy(d);
}

/* Its ports from there on would each cost a time-out. */
TEST(a_switch_that_falls_silent)
{
	struct subnet s = { .silent_port = 2 };
	struct sfab_discovery *d = discover(&s, NULL);

	ck_assert_ptr_nonnull(d);
	ck_assert_uint_eq(d->n, 2);
	ck_assert_uint_eq(s.asked_last, 1);
	sfab_discovery_destroy(d);
}

TEST(called_off_at_any_question)
{
	struct subnet whole = { 0 };
	struct sfab_err err;

	sfab_discovery_destroy(discover(&whole, NULL));
	ck_assert_uint_gt(whole.asked, 10);
	for (unsigned limit = 1; limit < whole.asked; limit++) {
		struct subnet s = { .limit = limit };

		memset(&err, 0, sizeof(err));
		ck_assert_ptr_null(discover(&s, &err));
		ck_assert_int_eq(err.code, SFAB_ELIMIT);
		ck_assert_uint_eq(s.asked, limit + 1);
	}
}

UNIT_MAIN("discover")
