/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Units, rectangles and streams, on tables whose classes are known: a leaf sends LID x
 * to spine x mod 4, so that a host's class is its place on its leaf.
 *
 *	          a   b   c   d
 *	leaf 1    0   1   2   3		host ids
 *	leaf 2    4   5   6   7
 *	...
 */

#include "tests/unit/fixtures/unit.h"

#include <string.h>

#include "core/load/steps.h"
#include "core/random.h"
#include "core/search/packing.h"
#include "core/search/play_stream.h"
#include "core/search/rectangles.h"
#include "tests/unit/fixtures/made.h"

enum { LEAVES = 8, CLASSES = 4, HOSTS = LEAVES * CLASSES };

static struct sfab_fabric *f;
static struct sfab_model *m;
static struct sfab_class_grid *grid;
static struct sfab_units leaves, columns;
static uint8_t avail[HOSTS];

static void set_up(void)
{
	struct made shape = { .leaves = LEAVES, .spines = CLASSES, .hosts = CLASSES };

	f = made_fabric(&shape);
	m = sfab_model_create(f, NULL);
	ck_assert_ptr_nonnull(m);
	grid = sfab_class_grid_create(m);
	ck_assert_ptr_nonnull(grid);
	ck_assert_int_eq(sfab_units_init(&leaves, m, grid, SFAB_UNIT_LEAF), 0);
	ck_assert_int_eq(sfab_units_init(&columns, m, grid, SFAB_UNIT_COLUMN), 0);
	memset(avail, 1, sizeof(avail));
}

static void tear_down(void)
{
	sfab_units_free(&leaves);
	sfab_units_free(&columns);
	sfab_class_grid_destroy(grid);
	sfab_model_destroy(m);
	sfab_fabric_destroy(f);
}

static void set_free(void)
{
	sfab_units_set_free(&leaves, avail);
	sfab_units_set_free(&columns, avail);
}

START_TEST(each_host_is_in_one_unit)
{
	ck_assert_uint_eq(leaves.n, LEAVES);
	ck_assert_uint_eq(columns.n, CLASSES + 1);
	ck_assert_uint_eq(sfab_unit_size(&columns, CLASSES), 0);
	for (uint32_t h = 0; h < HOSTS; h++) {
		ck_assert_uint_eq(leaves.of[h], h / CLASSES);
		ck_assert_uint_eq(columns.of[h], columns.of[h % CLASSES]);
		ck_assert_uint_eq(columns.host[columns.first[columns.of[h]] + h / CLASSES], h);
	}
}
END_TEST

START_TEST(a_part_of_a_unit_breaks_it)
{
	static const uint32_t row[] = { 0, 1, 2, 3 }, column[] = { 0, 4, 8, 12, 16, 20, 24, 28 };

	set_free();
	ck_assert_double_eq(sfab_units_broken(&leaves, row, 4), 0);
	ck_assert_double_eq(sfab_units_broken(&leaves, row, 2), 1);
	ck_assert_double_eq(sfab_units_broken(&columns, row, 4), 4);
	ck_assert_double_eq(sfab_units_broken(&columns, column, 8), 0);
	ck_assert_double_eq(sfab_units_broken(&leaves, column, 8), 8);
	/* host 3 is busy: its leaf and its column are broken already */
	avail[3] = 0;
	set_free();
	ck_assert_double_eq(sfab_units_broken(&leaves, row, 3), 0);
	ck_assert_double_eq(sfab_units_broken(&leaves, row, 2), 0.5);
	ck_assert_double_eq(sfab_units_broken(&columns, row + 2, 1), 1);
}
END_TEST

/* Of the leaves with 4, 3, 2 and 1 free hosts the one that fits is taken. */
START_TEST(best_fit_takes_the_smallest_that_holds_all)
{
	uint32_t pick[HOSTS];

	memset(avail, 0, sizeof(avail));
	for (uint32_t l = 0; l < 4; l++)
		memset(avail + l * CLASSES, 1, 4 - l);
	set_free();
	for (uint32_t n = 1; n <= 4; n++) {
		sfab_units_best_fit(&leaves, avail, n, pick);
		for (uint32_t i = 0; i < n; i++)
			ck_assert_uint_eq(pick[i], (4 - n) * CLASSES + i);
	}
	/* 6 are 4 and 2 */
	sfab_units_best_fit(&leaves, avail, 6, pick);
	ck_assert_uint_eq(pick[3], 3);
	ck_assert_uint_eq(pick[4], 2 * CLASSES);
	ck_assert_uint_eq(pick[5], 2 * CLASSES + 1);
}
END_TEST

static int cmp_hosts(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

	return (x > y) - (x < y);
}

/* The mean over all shifts of the set in the order of its hosts. */
static double shifts(const uint32_t *host, uint32_t n)
{
	struct sfab_collective c = { .n = n, .host = host, .share = 1 };
	struct sfab_stepper *sp = sfab_stepper_create(m);
	struct sfab_steps out;

	ck_assert_int_eq(sfab_stepper_take(sp, &c, NULL), 0);
	ck_assert_int_eq(sfab_stepper_steps(sp, SFAB_ALLTOALL, &out, NULL, NULL), 0);
	sfab_stepper_destroy(sp);
	return out.mean;
}

/* On an empty machine each width has its rectangle, and no shift has a conflict. */
START_TEST(a_rectangle_does_not_meet_itself)
{
	struct sfab_rectangles *r = sfab_rectangles_create(&grid->level[0], m->host_leaf,
							   f->nhosts);
	uint32_t pick[HOSTS], found = 0;

	sfab_rectangles_set_free(r, avail);
	for (uint32_t n = 2; n <= HOSTS; n++)
		for (uint32_t width = 1; width <= CLASSES && width <= n; width++) {
			uint32_t k = n / width, rest = n % width;

			if (k + !!rest > LEAVES || rest > CLASSES - width)
				continue;
			ck_assert_int_eq(sfab_rectangles_find(r, n, width, 0,
							      SFAB_ROWS_FULLEST, pick), 1);
			qsort(pick, n, sizeof(*pick), cmp_hosts);
			for (uint32_t i = 1; i < n; i++)
				ck_assert_uint_lt(pick[i - 1], pick[i]);
			ck_assert_double_eq_tol(shifts(pick, n), 1, 1e-9);
			found++;
		}
	ck_assert_uint_eq(found, 45);
	sfab_rectangles_destroy(r);
}
END_TEST

/* On a busy machine what is found is free, and in as many columns as asked for. */
START_TEST(a_rectangle_is_of_free_hosts)
{
	struct sfab_rectangles *r = sfab_rectangles_create(&grid->level[0], m->host_leaf,
							   f->nhosts);
	uint64_t random = (uint64_t) _i;
	uint32_t pick[HOSTS];

	for (uint32_t h = 0; h < HOSTS; h++)
		avail[h] = sfab_uniform(&random) < 0.6;
	sfab_rectangles_set_free(r, avail);
	for (uint32_t n = 1; n <= HOSTS; n++)
		for (uint32_t nth = 0; nth < CLASSES; nth++)
			for (uint32_t width = 1; width <= CLASSES; width++) {
				uint8_t seen[HOSTS] = { 0 };

				if (!sfab_rectangles_find(r, n, width, nth,
							  SFAB_ROWS_EMPTIEST, pick))
					continue;
				for (uint32_t i = 0; i < n; i++) {
					ck_assert(avail[pick[i]] && !seen[pick[i]]);
					seen[pick[i]] = 1;
					ck_assert(i >= n / width * width ||
						  grid->level[0].column[pick[i]] ==
						  grid->level[0].column[pick[i % width]]);
				}
			}
	sfab_rectangles_destroy(r);
}
END_TEST

/* Less is lost than with one host of each leaf in turn; and twice the same. */
START_TEST(a_stream_tells_what_a_packing_is_worth)
{
	struct sfab_scorer *sc = sfab_scorer_create(m);
	struct sfab_traffic t;
	struct sfab_stream s = { .player = SFAB_PLAYER_PACKED, .unit = SFAB_UNIT_COLUMN,
				 .price = 1, .utilization = 0.9, .jobs = 60, .largest = 16,
				 .seed = 1, .traffic = &t };
	struct sfab_played packed, again, spread;
	struct sfab_err err;

	ck_assert_int_eq(sfab_traffic_parse("mpi=0.3", NULL, &t, NULL), 0);
	ck_assert_int_eq(sfab_play(m, sc, &s, &packed, &err), 0);
	ck_assert_int_eq(sfab_play(m, sc, &s, &again, &err), 0);
	ck_assert_double_eq(packed.loss, again.loss);
	ck_assert_double_ge(packed.loss, packed.alone);
	ck_assert_double_eq_tol(packed.loss, packed.part[0], 1e-12);
	s.player = SFAB_PLAYER_SPREAD;
	ck_assert_int_eq(sfab_play(m, sc, &s, &spread, &err), 0);
	ck_assert_double_lt(packed.loss, 0.9 * spread.loss);
	s.largest = HOSTS;
	ck_assert_int_eq(sfab_play(m, sc, &s, &spread, &err), -1);
	ck_assert_str_eq(err.text, "a job of 32 hosts is too large for a stream on 32");
	sfab_scorer_destroy(sc);
}
END_TEST

static void list(TCase *tc)
{
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, each_host_is_in_one_unit);
	tcase_add_test(tc, a_part_of_a_unit_breaks_it);
	tcase_add_test(tc, best_fit_takes_the_smallest_that_holds_all);
	tcase_add_test(tc, a_rectangle_does_not_meet_itself);
	tcase_add_loop_test(tc, a_rectangle_is_of_free_hosts, 0, 20);
	tcase_add_test(tc, a_stream_tells_what_a_packing_is_worth);
}

UNIT_MAIN("packing", list)
