/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_place_feedback.c - history and FoundTraffic: read when they change, kept when they are
 * bad, shared
 */

#include "tests/unit/fixtures/unit.h"

#include <unistd.h>

#include "place/state/feedback.h"
#include "tests/unit/fixtures/fabrics.h"

#define NOW 1700000000u

static const struct sfab_trust any = { 0 };
static struct sfab_feedback l;
static struct sfab_fabric *f, *other;
static struct sfab_err err;
static const char *path;

static void set_up(void)
{
	static const struct clos shape = { .leaves = 4, .spines = 2, .hosts = 6 };
	static const struct clos large = { .leaves = 4, .spines = 2, .hosts = 60 };

	memset(&l, 0, sizeof(l));
	memset(&err, 0, sizeof(err));
	f = unit_fabric(&shape);
	other = unit_fabric(&large);
	path = unit_path("file");
}

static void tear_down(void)
{
	sfab_feedback_clear(&l);
}

/* A history of @of in which user 5 has so many runs. */
static void put_history(const struct sfab_fabric *of, uint32_t runs)
{
	const struct sfab_history_facts job = { .user = 5, .name = "a" };
	struct sfab_traffic sent;
	struct sfab_history_run run = { .sent = &sent, .weight = 1, .end_s = NOW };
	struct sfab_history *h = sfab_history_create(1);

	ck_assert(h && !sfab_traffic_parse("mpi=0.2", NULL, &sent, NULL));
	sfab_history_adopt(h, of);
	for (uint32_t i = 0; i < runs; i++)
		ck_assert(!sfab_history_add(h, &job, &run, NULL));
	ck_assert(!sfab_history_save(h, path, 0600, NULL));
	sfab_history_destroy(h);
}

static void put_found(uint32_t id)
{
	struct sfab_found *found = sfab_found_create(1);

	found->job[0].id = id;
	found->time_ms = NOW * 1000ull;
	ck_assert(!sfab_found_save(found, path, 0600, NULL));
	sfab_found_destroy(found);
}

static int read_history(const struct sfab_fabric *of)
{
	err.code = 0;
	return sfab_feedback_read_history(&l, path, of, &any, &err);
}

static int read_found(void)
{
	err.code = 0;
	return sfab_feedback_read_found(&l, path, &any, &err);
}

/* Runs of user 5 that the history in use knows; 0: none is trusted, or none is used. */
static uint32_t runs_known(void)
{
	const struct sfab_history_facts job = { .user = 5, .name = "a" };
	struct sfab_learned learned;

	return l.history && sfab_history_find(l.history, &job, NOW, &learned) ?
	       learned.runs : 0;
}

TEST(without_a_history_file_there_is_no_history)
{
	ck_assert_int_eq(read_history(f), 0);
	ck_assert_ptr_null(l.history);
	put_history(f, 3);
	ck_assert_int_eq(read_history(f), 1);
	ck_assert_uint_eq(runs_known(), 3);
	unlink(path);
	ck_assert_int_eq(read_history(f), 1);
	ck_assert_ptr_null(l.history);
	ck_assert_int_eq(read_history(f), 0);
}

TEST(a_history_is_read_when_its_file_changes)
{
	put_history(f, 3);
	ck_assert_int_eq(read_history(NULL), 0);	/* of which fabric is not known */
	ck_assert_int_eq(read_history(f), 1);
	put_history(f, 4);
	ck_assert_int_eq(read_history(f), 1);
	ck_assert_uint_eq(runs_known(), 4);
	/* History= was taken out of the conf */
	ck_assert_int_eq(sfab_feedback_read_history(&l, "", f, &any, &err), 1);
	ck_assert_ptr_null(l.history);
}

static const char *const bad[] = { "", "SFABHIST", "no history at all" };

LOOP_TEST(a_wrong_history_leaves_the_last_in_use, N(bad))
{
	put_history(f, 3);
	ck_assert_int_eq(read_history(f), 1);
	unit_write(path, bad[_i]);
	ck_assert_int_eq(read_history(f), -1);
	ck_assert(strncmp(err.text, path, strlen(path)) == 0);
	ck_assert_uint_eq(runs_known(), 3);
	put_history(other, 5);
	ck_assert_int_eq(read_history(f), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "of another fabric"));
	ck_assert_uint_eq(runs_known(), 3);
	put_history(f, 6);
	ck_assert_int_eq(read_history(f), 1);
	ck_assert_uint_eq(runs_known(), 6);
}

TEST(found_traffic_is_read_in_the_same_way)
{
	ck_assert_int_eq(read_found(), 0);
	put_found(7);
	ck_assert_int_eq(read_found(), 1);
	ck_assert_ptr_nonnull(sfab_found_job(l.found, 7));
	unit_write(path, "SFABTRAF");
	ck_assert_int_eq(read_found(), -1);
	ck_assert_ptr_nonnull(sfab_found_job(l.found, 7));
	put_found(8);
	ck_assert_int_eq(read_found(), 1);
	ck_assert_ptr_null(sfab_found_job(l.found, 7));
	unlink(path);
	ck_assert_int_eq(read_found(), 1);
	ck_assert_ptr_null(l.found);
}

/* When it ages for a generation that is made now. */
static uint64_t ages_at(uint64_t now_s)
{
	struct sfab_generation gen = { .jobs = NULL };

	sfab_feedback_lend(&l, &gen, now_s);
	sfab_history_destroy(gen.history);
	sfab_found_destroy(gen.found);
	return l.next_s;
}

TEST(found_traffic_ages)
{
	ck_assert_uint_eq(ages_at(NOW), UINT64_MAX);
	put_found(7);
	ck_assert_int_eq(read_found(), 1);
	ck_assert_uint_eq(ages_at(NOW), NOW + SFAB_FOUND_OLD_S + 1);
	ck_assert_uint_eq(ages_at(NOW + SFAB_FOUND_OLD_S + 1), UINT64_MAX);
}

/* Generations go on with what they were made with. */
TEST(users_keep_what_they_use)
{
	struct sfab_history *h;
	struct sfab_found *found;

	ck_assert(!sfab_history_share(NULL) && !sfab_found_share(NULL));
	put_history(f, 3);
	ck_assert_int_eq(read_history(f), 1);
	h = sfab_history_share(l.history);
	put_history(f, 4);
	ck_assert_int_eq(read_history(f), 1);
	ck_assert(l.history != h);
	ck_assert_uint_gt(sfab_history_count(h), 0);
	sfab_history_destroy(h);
	put_found(7);
	ck_assert_int_eq(read_found(), 1);
	found = sfab_found_share(l.found);
	sfab_feedback_clear(&l);
	ck_assert_ptr_nonnull(sfab_found_job(found, 7));
	sfab_found_destroy(found);
}

TEST(reset_reads_again)
{
	put_history(f, 3);
	ck_assert_int_eq(read_history(f), 1);
	sfab_feedback_reset(&l);
	ck_assert_int_eq(read_history(f), 1);
	ck_assert_uint_eq(runs_known(), 3);
}

UNIT_MAIN_WITH("place, feedback", set_up, tear_down)
