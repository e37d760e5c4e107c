/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pending jobs: which are remembered, and in which order. */

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

static void list(TCase *tc)
{
	tcase_add_test(tc, tier_then_priority_then_id);
	tcase_add_test(tc, what_a_job_is_now_counts);
	tcase_add_test(tc, the_last_makes_room);
}

UNIT_MAIN("place pending queue", list)
