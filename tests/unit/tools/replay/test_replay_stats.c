/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_replay_stats.c - quantiles, means over runs, and the bisection for a utilization */

#include "tests/unit/fixtures/unit.h"

#include "tools/replay/stats.h"

#include <math.h>

TEST(a_spread)
{
	double x[101];
	struct spread s;

	for (int i = 0; i <= 100; i++)
		x[i] = (i * 37) % 101;
	s = stats_spread(x, 101);
	ck_assert_double_eq_tol(s.mean, 50, 1e-9);
	ck_assert_double_eq(s.p95, 95);
	ck_assert_double_eq(s.max, 100);
	s = stats_spread(x, 1);
	ck_assert_double_eq(s.p95, x[0]);
	s = stats_spread(x, 0);
	ck_assert_double_eq(s.mean, 0);
	ck_assert_double_eq(s.max, 0);
}

TEST(a_mean_over_runs)
{
	struct run_stats a = { .runs = 1, .utilization = 0.5 };
	struct run_stats b = { .runs = 1, .utilization = 0.7 }, sum = { 0 };

	a.class[CLASS_ALL].quantity[TOTAL].max = 3;
	b.class[CLASS_ALL].quantity[TOTAL].max = 5;
	stats_add(&sum, &a);
	stats_add(&sum, &b);
	stats_mean(&sum);
	ck_assert_double_eq_tol(sum.runs, 2, 1e-12);
	ck_assert_double_eq_tol(sum.utilization, 0.6, 1e-12);
	ck_assert_double_eq_tol(sum.class[CLASS_ALL].quantity[TOTAL].max, 4,
				1e-12);
}

/* A machine that cannot be filled above @ctx. */
static double saturating(void *ctx, double compress, struct sfab_err *err)
{
	double max = *(double *) ctx;

	return max * (1 - exp(-1 / compress));
}

static double broken(void *ctx, double compress, struct sfab_err *err)
{
	return sfab_fail(err, SFAB_ENOMEM, "broken");
}

LOOP_TEST(the_utilization_is_found_from_either_side, 4)
{
	static const double guess[] = { 1e-3, 0.3, 1, 50 };
	double max = 0.95, compress, reached;

	ck_assert_int_eq(sim_calibrate(saturating, &max, guess[_i], 0.8, &compress,
				       &reached, NULL), 0);
	ck_assert_double_eq_tol(reached, 0.8, CALIBRATE_CLOSE);
	ck_assert_double_eq_tol(saturating(&max, compress, NULL), reached, 1e-12);
}

TEST(a_utilization_out_of_reach)
{
	double max = 0.9, compress, reached;
	struct sfab_err err = { 0 };

	ck_assert_int_eq(sim_calibrate(saturating, &max, 1, 0.95, &compress,
				       &reached, &err), 0);
	ck_assert_double_eq_tol(reached, 0.9, 1e-3);
	ck_assert_double_eq_tol(saturating(&max, compress, NULL), reached, 1e-12);
	ck_assert_int_eq(sim_calibrate(broken, NULL, 1, 0.9, &compress, &reached,
				       &err), -1);
	ck_assert_str_eq(err.text, "broken");
}

UNIT_MAIN("replay statistics")
