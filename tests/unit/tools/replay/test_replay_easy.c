/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_replay_easy.c - EASY backfill: which job starts next */

#include "tests/unit/fixtures/unit.h"

#include "tools/replay/sim.h"

#include <math.h>

#define NOW 100
#define RUNNING 3
#define QUEUED (EASY_DEPTH + 2)

/* The first run, the others wait in this order. */
static struct replay_job job[RUNNING + QUEUED];
static struct running_job running[RUNNING];
static uint32_t queue[QUEUED];
static struct sim_outcome out[RUNNING];
static const struct workload w = { .job = job };

struct job_end {
	double time;
	uint32_t nodes;
};

/* Ten nodes: four run to 150, three to 200, one to 300; two are free. */
static const struct job_end usual[RUNNING] = { { 300, 1 }, { 150, 4 }, { 200, 3 } };

static struct sim machine(uint32_t nfree, const struct job_end *end, uint32_t nqueue)
{
	for (uint32_t i = 0; i < RUNNING; i++) {
		job[i].nodes = end[i].nodes;
		running[i] = (struct running_job){ .job = i, .expected = end[i].time };
	}
	for (uint32_t i = 0; i < nqueue; i++)
		queue[i] = RUNNING + i;
	return (struct sim){ .w = &w, .time_s = NOW, .nfree = nfree, .nrunning = RUNNING,
			     .running = running, .nqueue = nqueue, .queue = queue, .out = out };
}

static const struct {
	uint32_t need;
	double time;
	uint32_t spare;
} reservation[] = {
	{ 3, 150, 3 },
	{ 6, 150, 0 },
	{ 7, 200, 2 },
	{ 9, 200, 0 },
	{ 10, 300, 0 },
	{ 11, INFINITY, 0 },
};

LOOP_TEST(a_reservation, N(reservation))
{
	struct sim s = machine(2, usual, 0);
	struct sim_reservation r = sim_reserve(&s, reservation[_i].need);

	ck_assert_double_eq(r.time, reservation[_i].time);
	ck_assert_uint_eq(r.spare, reservation[_i].spare);
}

/* All that end at the time of the reservation are spare then. */
TEST(jobs_that_end_together)
{
	static const struct job_end end[RUNNING] = { { 150, 1 }, { 150, 5 }, { 150, 2 } };
	struct sim s = machine(0, end, 0);
	struct sim_reservation r = sim_reserve(&s, 2);

	ck_assert_double_eq(r.time, 150);
	ck_assert_uint_eq(r.spare, 6);
}

static const struct {
	struct replay_job queue[3];
	uint32_t next;
} choice[] = {
#define JOB(n, seconds) { .nodes = n, .limit = seconds }
	/* the head fits */
	{ { JOB(2, 900), JOB(1, 1) }, 0 },
	/* it does not; the next ends before it needs its nodes */
	{ { JOB(7, 900), JOB(2, 100) }, 1 },
	/* a second too long, but two nodes are spare then */
	{ { JOB(7, 900), JOB(2, 101) }, 1 },
	/* a second too long, and only one node is spare */
	{ { JOB(8, 900), JOB(2, 101) }, SIM_NONE },
	{ { JOB(8, 900), JOB(2, 101), JOB(1, 999) }, 2 },
	/* too large to be backfilled */
	{ { JOB(7, 900), JOB(3, 1) }, SIM_NONE },
#undef JOB
};

LOOP_TEST(the_next_job, N(choice))
{
	struct sim s;
	uint32_t n = 3;

	while (choice[_i].queue[n - 1].nodes == 0)
		n--;
	s = machine(2, usual, n);
	memcpy(&job[RUNNING], choice[_i].queue, n * sizeof(*job));
	ck_assert_uint_eq(sim_next(&s), choice[_i].next);
}

TEST(nothing_waits_or_nothing_is_free)
{
	struct sim s = machine(5, usual, 0);

	ck_assert_uint_eq(sim_next(&s), SIM_NONE);
	s = machine(0, usual, 1);
	job[RUNNING] = (struct replay_job){ .nodes = 1, .limit = 1 };
	ck_assert_uint_eq(sim_next(&s), SIM_NONE);
}

TEST(backfill_looks_so_deep_and_no_deeper)
{
	struct sim s = machine(2, usual, QUEUED);

	for (uint32_t i = 0; i < QUEUED; i++)
		job[RUNNING + i] = (struct replay_job){ .nodes = 9, .limit = 10 };
	job[RUNNING + EASY_DEPTH + 1].nodes = 1;
	ck_assert_uint_eq(sim_next(&s), SIM_NONE);
	job[RUNNING + EASY_DEPTH].nodes = 1;
	ck_assert_uint_eq(sim_next(&s), EASY_DEPTH);
}

UNIT_MAIN("easy")
