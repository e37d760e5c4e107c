/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_opensm_totals.c - PerfMgr's deltas become totals and rates */

#include "tests/unit/fixtures/unit.h"

#include "plugin/opensm/totals.h"

/* A switch 0x100 with ports 2 and 1, hosts 0x10 and 0x20. */
static struct sfab_topo_node nodes[] = {
	{ .guid = 0x100, .first_port = 0, .nlisted = 2, .is_switch = 1 },
	{ .guid = 0x10, .first_port = 2, .nlisted = 1 },
	{ .guid = 0x20, .first_port = 3, .nlisted = 1 },
};
static struct sfab_topo_port ports[] = {
	{ .num = 2 }, { .num = 1 }, { .num = 1 }, { .num = 1 },
};
static const struct sfab_topology small = {
	.nnodes = 3, .nports = 4, .node = nodes, .port = ports,
};
static const struct sfab_topology smaller = {
	.nnodes = 2, .nports = 3, .node = nodes, .port = ports,
};

static struct sfab_totals *make(void)
{
	struct sfab_totals *t = sfab_totals_create();

	unit_cleanup(t, sfab_totals_destroy);
	ck_assert_int_eq(sfab_totals_set_ports(t, &small, NULL), 0);
	return t;
}

static struct sfab_counters *take(struct sfab_totals *t, uint64_t now_ms)
{
	struct sfab_counters *c = sfab_totals_take(t, now_ms, NULL);

	unit_cleanup(c, sfab_counters_destroy);
	return c;
}

TEST(only_ports_with_counters_have_rows)
{
	struct sfab_totals *t = make();
	struct sfab_counters *c;

	sfab_totals_add_data(t, 0x100, 2, 10, 20, 5000);
	sfab_totals_add_data(t, 0x100, 1, 30, 40, 5001);
	sfab_totals_add_data(t, 0x100, 3, 1, 1, 5002);
	sfab_totals_add_data(t, 0x999, 1, 1, 1, 5002);
	sfab_totals_add_errors(t, 0x10, 1, 7, 0, 0);
	c = take(t, 6000);
	ck_assert_uint_eq(c->n, 2);
	ck_assert_uint_eq(c->row[0].port, 1);
	ck_assert_uint_eq(c->row[0].xmit_words, 30);
	ck_assert_uint_eq(c->row[1].port, 2);
	ck_assert_uint_eq(c->row[1].rcv_words, 20);
	ck_assert_uint_eq(c->time_ms, 6000);
	ck_assert_str_eq(c->source, "perfmgr");
}

TEST(totals_grow_and_make_rates)
{
	struct sfab_totals *t = make();
	struct sfab_counters *a, *b;

	sfab_totals_add_data(t, 0x10, 1, 1000, 0, 10000);
	sfab_totals_add_errors(t, 0x10, 1, 5, 1, 2);
	a = take(t, 10000);
	sfab_counters_follow(a, NULL, 0);
	ck_assert(a->row[0].flags & SFAB_COUNTER_NO_RATE);
	sfab_totals_add_errors(t, 0x10, 1, 3000, 2, 0);
	sfab_totals_add_data(t, 0x10, 1, 1000, 500, 12000);
	b = take(t, 12000);
	sfab_counters_follow(b, a, 0);
	ck_assert_uint_eq(b->row[0].xmit_words, 2000);
	ck_assert(b->row[0].xmit_rate == 1000 * SFAB_WORD / 2);
	ck_assert(b->row[0].rcv_rate == 500 * SFAB_WORD / 2);
	ck_assert(b->row[0].wait_share == 0.75);
	ck_assert_uint_eq(b->row[0].new_discards, 2);
	ck_assert_uint_eq(b->row[0].errors, 2);
}

TEST(a_new_topology_keeps_what_stays)
{
	struct sfab_totals *t = make();
	struct sfab_counters *c;

	sfab_totals_add_data(t, 0x10, 1, 7, 0, 1000);
	sfab_totals_add_data(t, 0x20, 1, 8, 0, 1000);
	ck_assert_int_eq(sfab_totals_set_ports(t, &smaller, NULL), 0);
	sfab_totals_add_data(t, 0x20, 1, 8, 0, 2000);
	c = take(t, 2000);
	ck_assert_uint_eq(c->n, 1);
	ck_assert_uint_eq(c->row[0].guid, 0x10);
	ck_assert_uint_eq(c->row[0].xmit_words, 7);
}

/* The end of a sweep is a silence; without an end it is five seconds. */
TEST(ready_when_the_sweep_is_over)
{
	struct sfab_totals *t = make();

	ck_assert_int_eq(sfab_totals_is_ready(t, 100000), 0);
	sfab_totals_add_data(t, 0x10, 1, 1, 1, 1000);
	ck_assert_int_eq(sfab_totals_has_pending(t), 1);
	ck_assert_int_eq(sfab_totals_is_ready(t, 1249), 0);
	ck_assert_int_eq(sfab_totals_is_ready(t, 1250), 1);
	ck_assert_int_eq(sfab_totals_is_ready(t, 900), 1);
	for (uint64_t ms = 1000; ms < 6000; ms += 100) {
		sfab_totals_add_data(t, 0x10, 1, 1, 1, ms);
		ck_assert_int_eq(sfab_totals_is_ready(t, ms), 0);
	}
	ck_assert_int_eq(sfab_totals_is_ready(t, 6000), 1);
	take(t, 6000);
	ck_assert_int_eq(sfab_totals_has_pending(t), 0);
	ck_assert_int_eq(sfab_totals_is_ready(t, 9000), 0);
}

/* How far an XmitWait went: what comes, and whether it is believed. */
static const struct {
	uint64_t ticks[3];
	int stuck;
} wait_vectors[] = {
	{ { 5, 5, 5 }, 0 },
	{ { UINT32_MAX, 0, 0 }, 0 },		/* long ago */
	{ { 0, 0, UINT32_MAX }, 1 },
	{ { 0, UINT32_MAX / 2, UINT32_MAX / 2 + 1 }, 1 },
	/* PerfMgr cleared it in between */
	{ { 0, UINT32_MAX - 9, UINT32_MAX - 9 }, 0 },
	{ { UINT32_MAX / 2, UINT32_MAX / 3, UINT32_MAX / 2 }, 0 },
};

LOOP_TEST(a_full_wait_counter_is_not_believed, N(wait_vectors))
{
	struct sfab_totals *t = make();
	struct sfab_counters *c;

	for (int i = 0; i < 3; i++)
		sfab_totals_add_errors(t, 0x10, 1, wait_vectors[_i].ticks[i], 0, 0);
	sfab_totals_add_data(t, 0x10, 1, 1, 1, 1000);
	c = take(t, 1000);
	ck_assert_uint_eq(c->row[0].flags,
			  wait_vectors[_i].stuck ?
			  SFAB_COUNTER_STUCK | SFAB_COUNTER_NO_WAIT : 0);
}

UNIT_MAIN("opensm totals")
