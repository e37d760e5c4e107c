/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pending jobs: which are remembered, in which order, what a search sees. */

#include "tests/unit/fixtures/unit.h"

#include <stdio.h>
#include <string.h>

#include "place/state/pending_queue.h"
#include "tests/unit/fixtures/placed.h"

#define JOBS 400

/* What each job is now; nodes 0: it does not wait. */
static struct sfab_place_waiting job[JOBS];
static int asked;

static int is_waiting(void *context, uint32_t id, struct sfab_place_waiting *w)
{
	ck_assert_ptr_eq(context, job);
	ck_assert_uint_lt(id, JOBS);
	asked++;
	*w = job[id];
	return w->nodes > 0;
}

static const struct sfab_place_options options = {
	.waiting = is_waiting, .context = job,
};

static void wait_for(struct sfab_pending_queue *pending, uint32_t id, uint32_t tier,
		     uint32_t priority)
{
	job[id] = (struct sfab_place_waiting){
		.asked_id = id, .tier = tier, .priority = priority, .nodes = 1,
	};
	sfab_pending_queue_note(pending, id, tier, priority);
}

static void expect(const struct sfab_pending_queue *pending, const char *ids)
{
	char text[100] = "";

	for (uint32_t i = 0; i < pending->n; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%u",
			 i ? " " : "", pending->wait[i].id);
	ck_assert_str_eq(text, ids);
}

START_TEST(tier_then_priority_then_id)
{
	static struct sfab_pending_queue pending;

	wait_for(&pending, 5, 1, 10);
	wait_for(&pending, 4, 1, 10);
	wait_for(&pending, 6, 1, 30);
	wait_for(&pending, 9, 2, 1);
	expect(&pending, "9 6 4 5");
	sfab_pending_queue_note(&pending, 4, 1, 40);	/* again, dearer now */
	expect(&pending, "9 4 6 5");
}
END_TEST

START_TEST(what_a_job_is_now_counts)
{
	static struct sfab_pending_queue pending;

	for (uint32_t id = 1; id <= 4; id++)
		wait_for(&pending, id, 1, 100 - id);
	job[2].nodes = 0;	/* began, or was cancelled */
	job[4].priority = 500;
	sfab_pending_queue_refresh(&pending, &options);
	expect(&pending, "4 1 3");
	sfab_pending_queue_refresh(&pending, &(struct sfab_place_options){ 0 });
	expect(&pending, "");
}
END_TEST

START_TEST(the_last_makes_room)
{
	static struct sfab_pending_queue pending;

	for (uint32_t id = 1; id < JOBS; id++)
		wait_for(&pending, id, 1, id);
	ck_assert_uint_eq(pending.n, SFAB_PENDING_MAX);
	ck_assert_uint_eq(pending.wait[0].id, JOBS - 1);
	ck_assert_uint_eq(pending.wait[pending.n - 1].id, JOBS - SFAB_PENDING_MAX);
	asked = 0;
	sfab_pending_queue_refresh(&pending, &options);
	ck_assert_int_eq(asked, SFAB_PENDING_MAX);
	sfab_pending_queue_clear(&pending);
	ck_assert_uint_eq(pending.n, 0);
}
END_TEST

/* -- what a search does with them ------------------------------------------ */

static const struct made tree = { .leaves = 4, .spines = 1, .hosts = 4 };

static struct placed start(void)
{
	static struct placed t;
	const struct sfab_place_options o = {
		.log = placed_log, .waiting = is_waiting, .context = job,
	};
	struct sfab_err err = { 0 };

	memset(job, 0, sizeof(job));
	memset(&t, 0, sizeof(t));
	t.p = sfab_place_create(&o, &err);
	ck_assert_ptr_nonnull(t.p);
	ck_assert_int_eq(sfab_place_take(t.p, placed_snapshot(&tree),
					 placed_conf("Mode=on\n"
						     "DefaultTraffic=mpi=1\n"),
					 &err), 0);
	placed_nodes(&t, tree.leaves * tree.hosts);
	return t;
}

static void pend(struct placed *t, uint32_t id, uint32_t nodes)
{
	job[id] = (struct sfab_place_waiting){
		.asked_id = id, .nodes = nodes, .limit_s = 60, .priority = 1,
	};
	sfab_place_wait(t->p, id, 0, 1);
}

/* What the term "ahead" came to for job 7 on 4 nodes. */
static double ahead_of(struct placed *t)
{
	const struct sfab_decision *d = placed_ask(t, 7, 4);

	ck_assert_int_eq(d->reason, SFAB_PLACED);
	return d->score.term[SFAB_TERM_AHEAD];
}

START_TEST(the_next_start_is_seen)
{
	struct placed t = start();

	ck_assert(!(ahead_of(&t) > 0));
	pend(&t, 8, 12);	/* over one spine with the others: it suffers */
	placed_begin_on(&t, 99, (const uint32_t[]){ 0 }, 0, SFAB_RUN_KNOWN);
	ck_assert(ahead_of(&t) > 0);
	placed_stop(&t);
}
END_TEST

START_TEST(the_job_itself_is_not)
{
	struct placed t = start();

	pend(&t, 7, 12);
	pend(&t, 9, 12);
	job[9].asked_id = 7;	/* the rest of its array */
	ck_assert(!(ahead_of(&t) > 0));
	placed_stop(&t);
}
END_TEST

START_TEST(those_that_cannot_start_are_not)
{
	struct placed t = start();

	pend(&t, 8, 12);
	placed_begin_on(&t, 99, (const uint32_t[]){ 0 }, 1, SFAB_RUN_KNOWN);
	ck_assert(!(ahead_of(&t) > 0));	/* 99 has no limit: 12 are never free */
	sfab_place_forget_pending(t.p);
	placed_stop(&t);
}
END_TEST

START_TEST(a_limit_frees_nodes)
{
	struct placed t = start();
	const struct sfab_place_run run = {
		.id = 99, .flags = SFAB_RUN_KNOWN | SFAB_RUN_WHOLE_NODES, .n = 1,
		.node = (const uint32_t[]){ 0 }, .start_s = 1000, .limit_s = 60,
	};

	pend(&t, 8, 12);
	sfab_place_begin(t.p, &run);
	t.node[0] = 0;
	ck_assert(ahead_of(&t) > 0);
	placed_stop(&t);
}
END_TEST

static void list(TCase *tc)
{
	tcase_add_test(tc, tier_then_priority_then_id);
	tcase_add_test(tc, what_a_job_is_now_counts);
	tcase_add_test(tc, the_last_makes_room);
	tcase_add_test(tc, the_next_start_is_seen);
	tcase_add_test(tc, the_job_itself_is_not);
	tcase_add_test(tc, those_that_cannot_start_are_not);
	tcase_add_test(tc, a_limit_frees_nodes);
}

UNIT_MAIN("place pending queue", list)
