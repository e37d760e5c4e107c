/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_learn_usage.c - from bytes of jobs to shares, and to runs of the history */

#include "tests/unit/fixtures/unit.h"

#include <math.h>

#include "tests/unit/fixtures/fabrics.h"
#include "tools/learn/learn_usage.h"

#define NOW 1700000000u

static const struct {
	unsigned known;
	double sent, received, read, wrote;	/* of what the ports could carry */
	const char *shares;
} cases[] = {
	{ 3, 0.5, 0.3, 0, 0.2, "mpi=0.3+io-write=0.2" },
	{ 3, 0.3, 0.5, 0.2, 0, "mpi=0.3+io-read=0.2" },
	{ 3, 0.2, 0.2, 0, 0, "mpi=0.2" },
	{ 3, 0.1, 0.1, 0, 0.4, "mpi=0.05+io-write=0.4" },	/* cached, or other nets */
	{ 3, 0.001, 0.002, 0, 0, "" },
	{ 3, 0.9, 0.9, 0, 0.9, "mpi=0.333333+io-write=0.666667" },	/* more than fits */
	/* without fs/lustre: what did not come back is IO */
	{ 1, 0.5, 0.3, 0, 0, "mpi=0.3+io-write=0.2" },
	{ 1, 0.1, 0.4, 0, 0, "mpi=0.1+io-read=0.3" },
	{ 1, 0.2, 0.2, 0, 0, "mpi=0.2" },
};

LOOP_TEST(shares_of_bytes, N(cases))
{
	double all = 4 * 100.0 * 1e9;
	struct sfab_usage_job j = { .nodes = 4, .elapsed_s = 100, .known = cases[_i].known,
		.sent = all * cases[_i].sent, .received = all * cases[_i].received,
		.read = all * cases[_i].read, .wrote = all * cases[_i].wrote };
	struct sfab_traffic got, want = { 0 };

	learn_usage_traffic(&j, 1e9, &got);
	if (*cases[_i].shares)
		ck_assert(!sfab_traffic_parse(cases[_i].shares, NULL, &want, NULL));
	ck_assert_uint_eq(got.nparts, want.nparts);
	for (uint32_t i = 0; i < want.nparts; i++) {
		ck_assert_int_eq(got.part[i].class, want.part[i].class);
		ck_assert(fabs(got.part[i].share - want.part[i].share) < 1e-5);
	}
}

TEST(runs_that_count_are_added)
{
	static const struct clos shape = { .leaves = 2, .spines = 2, .hosts = 4 };
	struct sfab_fabric *f = unit_fabric(&shape);
	double all = 2 * 100 * f->ports[f->hosts[0].port0].rate;
	struct sfab_usage_job jobs[] = {
		{ .user = 5, .nodes = 2, .end_s = NOW, .elapsed_s = 100, .known = 3,
		  .sent = 0.4 * all, .wrote = 0.4 * all, .name = "w_1", .id = 1 },
		{ .user = 5, .nodes = 2, .end_s = NOW, .elapsed_s = 100, .known = 3,
		  .sent = 0.4 * all, .wrote = 0.4 * all, .name = "w_2", .id = 2 },
		{ .user = 5, .nodes = 2, .end_s = NOW, .elapsed_s = 100, .known = 3,
		  .sent = 0.4 * all, .wrote = 0.4 * all, .name = "w_3", .id = 3 },
		{ .user = 5, .nodes = 2, .end_s = 0, .elapsed_s = 100, .known = 3, .name = "w_" },
		{ .user = 5, .nodes = 2, .end_s = NOW, .elapsed_s = 59, .known = 3, .name = "w_" },
		{ .user = 5, .nodes = 2, .end_s = NOW, .elapsed_s = 99, .known = 2, .name = "w_" },
		{ .user = 5, .nodes = 2, .end_s = NOW, .elapsed_s = 99,
		  .known = SFAB_USAGE_PACKETS, .name = "w_" },
	};
	struct sfab_usage u = { .n = sizeof(jobs) / sizeof(jobs[0]), .job = jobs };
	const struct sfab_history_facts next = { .user = 5, .name = "w_4", .nodes = 2 };
	struct sfab_history *h = sfab_history_create(1);
	struct learn_usage_sums sums;
	struct sfab_learned l;

	ck_assert_int_eq(learn_usage(h, &u, f, &sums, NULL), 0);
	ck_assert_uint_eq(sums.added, 3);
	ck_assert(sums.unfinished == 1 && sums.brief == 1 && sums.uncounted == 2);
	ck_assert(sums.packets == 1 && sums.repeated == 0);
	ck_assert_int_eq(learn_usage(h, &u, f, &sums, NULL), 0);	/* the same again */
	ck_assert(sums.added == 0 && sums.repeated == 3);
	ck_assert(sfab_history_find(h, &next, NOW, &l) && l.runs == 3);
	ck_assert_int_eq(l.traffic.part[0].class, SFAB_IO_WRITE);
	ck_assert(l.traffic.nparts == 1 && fabs(l.traffic.part[0].share - 0.4) < 1e-9);
	sfab_history_destroy(h);
}

UNIT_MAIN("learn usage")
