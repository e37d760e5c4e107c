/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_place_measured.c - the service and what is measured: hot links are left alone, ended
 * jobs too
 */

#include "tests/unit/fixtures/unit.h"

#include <time.h>

#include "place/state/generation.h"
#include "tests/unit/fixtures/service.h"

static struct service t;

/* n1-n4 on the first leaf ... n13-n16 on the last; one spine, one IO host on
 * each leaf but the first. */
static const struct clos tree = { .leaves = 4, .spines = 1, .hosts = 4 };
static const char conf[] = "Mode=on\nDefaultTraffic=io-write=0.3\n";

static const struct sfab_fabric *fabric(void)
{
	return sfab_place_generation(t.p)->f;
}

/* Link from a leaf to the spine. */
static uint32_t uplink(uint32_t leaf)
{
	const struct sfab_fabric *f = fabric();

	for (uint32_t e = 0; e < f->nlinks; e++)
		if (f->links[e].kind == SFAB_LINK_ISL &&
		    f->links[e].from == f->leaves[leaf].sw)
			return e;
	ck_abort_msg("leaf %u has no uplink", leaf);
	return SFAB_NONE;
}

/* The uplink of @leaf carries @rate. */
static void measure(uint32_t leaf, double rate)
{
	struct sfab_measured *ms = sfab_measured_create(fabric());

	ms->rate[uplink(leaf)] = rate;
	ms->time_s[uplink(leaf)] = (uint64_t) time(NULL);
	sfab_place_use_measured(t.p, ms);
}

/* Leaves of the nodes that were chosen, as bits. */
static unsigned leaves_of(const struct sfab_decision *d)
{
	unsigned leaves = 0;

	for (uint32_t i = 0; i < t.nnodes; i++)
		if (sfab_decision_has(d, i))
			leaves |= 1u << sfab_host_leaf(fabric(),
						       sfab_place_host(t.p, i));
	return leaves;
}

TEST(a_hot_uplink_is_left_alone_while_it_is_hot)
{
	unsigned cool, hot;
	uint32_t leaf = 0;

	service_start(&t, &tree, conf);
	cool = leaves_of(service_ask(&t, 1, 1));
	while (!(cool & 1u << leaf))
		leaf++;
	measure(leaf, 3.8e9);
	hot = leaves_of(service_ask(&t, 1, 1));	/* the same job again */
	ck_assert_msg(!(hot & cool), "leaf %u is hot, got %#x", leaf, hot);
	measure(leaf, 0);
	ck_assert_uint_eq(leaves_of(service_ask(&t, 1, 1)), cool);
}

TEST(counters_of_another_fabric_are_not_used)
{
	struct sfab_fabric *other = unit_small_fabric();
	const double *b;

	service_start(&t, &tree, conf);
	sfab_place_use_measured(t.p, sfab_measured_create(other));
	b = sfab_jobs_background(sfab_place_generation(t.p)->jobs);
	ck_assert_double_eq(b[uplink(0)], 0);
}

/* Its load is still in the smoothed rates, but it is nobody's: not hot. */
TEST(the_load_of_a_job_that_just_ended_does_not_count)
{
	static const uint32_t nodes[] = { 0, 1 };
	const struct sfab_place_run run = {
		.id = 1, .n = 2, .node = nodes,
		.flags = SFAB_RUN_KNOWN | SFAB_RUN_WHOLE_NODES,
	};
	double rate;
	const double *b;

	service_start(&t, &tree, conf);
	service_begin_on(&t, 1, nodes, 2, SFAB_RUN_WHOLE_NODES);
	b = sfab_jobs_background(sfab_place_generation(t.p)->jobs);
	rate = b[uplink(0)];
	ck_assert_double_gt(rate, 0);
	sfab_place_end(t.p, 1, 0);
	sfab_place_add_past_job(t.p, &run, (uint64_t) time(NULL));
	ck_assert_uint_eq(sfab_place_count_running(t.p), 0);
	ck_assert_double_eq(b[uplink(0)], 0);
	measure(0, rate);
	ck_assert_double_eq(b[uplink(0)], 0);
	measure(0, rate + 1e9);
	ck_assert_double_eq(b[uplink(0)], 1e9);
}

UNIT_MAIN("place measured")
