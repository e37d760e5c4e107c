/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_replay_jobs.c - where jobs come from: the model, the mix of traffic, a trace fitted */

#include "tests/unit/fixtures/unit.h"

#include "tools/replay/mix.h"
#include "tools/replay/workload.h"

#include <math.h>

#define MANY 20000
#define DAY 86400.0

/* Shares and limits as the paper has them, for a machine of 128 nodes. */
TEST(jobs_of_the_model)
{
	uint32_t serial = 0, powers = 0, day = 0, longest = 0;
	struct trace t;

	ck_assert_int_eq(trace_make_lublin(&t, 128, MANY, 1, NULL), 0);
	ck_assert_uint_eq(t.n, MANY);
	for (uint32_t i = 0; i < MANY; i++) {
		const struct trace_job *j = &t.job[i];
		double hour = fmod(j->submit, DAY) / 3600;

		ck_assert(j->nodes >= 1 && j->nodes <= 128);
		ck_assert(j->run >= 1 && j->run <= exp(12));
		ck_assert(i == 0 || j->submit >= t.job[i - 1].submit);
		serial += j->nodes == 1;
		powers += j->nodes > 1 && !(j->nodes & (j->nodes - 1));
		day += hour >= 9 && hour < 21;
		longest += j->run > 3600;
	}
	ck_assert_double_eq_tol(serial / (double) MANY, 0.244, 0.01);
	/* others happen to be powers of two as well */
	ck_assert(powers > 0.57 * MANY && powers < 0.72 * MANY);
	/* three of four jobs arrive in the half day around the peak at 16:12 */
	ck_assert(day > 0.7 * MANY && day < 0.9 * MANY);
	/* most are shorter than an hour */
	ck_assert(longest > 0.2 * MANY && longest < 0.5 * MANY);
	trace_free(&t);
}

TEST(the_model_repeats_itself_by_seed)
{
	struct trace a, b, c;

	ck_assert_int_eq(trace_make_lublin(&a, 600, 50, 1, NULL), 0);
	ck_assert_int_eq(trace_make_lublin(&b, 600, 50, 1, NULL), 0);
	ck_assert_int_eq(trace_make_lublin(&c, 600, 50, 2, NULL), 0);
	ck_assert_mem_eq(a.job, b.job, 50 * sizeof(*a.job));
	ck_assert_mem_ne(a.job, c.job, 50 * sizeof(*a.job));
	trace_free(&a);
	trace_free(&b);
	trace_free(&c);
	ck_assert_int_eq(trace_make_lublin(&a, 7, 50, 1, NULL), -1);
}

static const struct {
	const char *text;
	double u;
	unsigned class;
} mixed[] = {
	{ "1:mpi", 0.5, SFAB_MPI },
	{ "1:mpi,3:off", 0.24, SFAB_MPI },
	{ "1:mpi,3:off", 0.26, JOB_SILENT },
	{ "0:mpi,2:io-write@a=0.1,2:io-read", 0, SFAB_IO_WRITE },
	{ "0:mpi,2:io-write@a=0.1,2:io-read", 0.999, SFAB_IO_READ },
	{ "1:mpi+io-write", 0, JOB_MIXED },
	{ "1:mpi=0.5+mpi=0.2", 0, SFAB_MPI },
	{ "1:mpi=0+neighbor", 0, SFAB_NEIGHBOR },
	{ "1:mpi=0", 0, JOB_SILENT },
};

LOOP_TEST(a_mix_of_traffic, N(mixed))
{
	struct mix m;

	ck_assert_msg(mix_parse(&m, mixed[_i].text, NULL, &unit_err) == 0, "%s: %s",
		      mixed[_i].text, unit_err.text);
	ck_assert_int_eq(mix_class_of(&mix_at(&m, mixed[_i].u)->traffic), mixed[_i].class);
	ck_assert_int_eq(mix_has_io(&m), strstr(mixed[_i].text, "io-") != NULL);
}

TEST(names_and_sensitivity)
{
	struct mix m;

	ck_assert_int_eq(mix_parse(&m, "1:mpi,1:mpi:wrf,1:off::0.5,1:mpi:a:0",
				   NULL, NULL), 0);
	ck_assert_str_eq(mix_at(&m, 0)->name, "");
	ck_assert_double_eq(mix_at(&m, 0)->sensitivity, 1);
	ck_assert_str_eq(mix_at(&m, 0.3)->name, "wrf");
	ck_assert_double_eq(mix_at(&m, 0.3)->sensitivity, 1);
	ck_assert_str_eq(mix_at(&m, 0.6)->name, "");
	ck_assert_double_eq(mix_at(&m, 0.6)->sensitivity, 0.5);
	ck_assert_double_eq(mix_at(&m, 0.9)->sensitivity, 0);
}

static const char *const no_mix[] = {
	"", ",", "mpi", ":mpi", "x:mpi", "-1:mpi", "nan:mpi", "1e9:mpi", "1:",
	"1:mpi,", "1:mpi=2", "0:mpi", "1:a:b",
	"1:mpi:a:2", "1:mpi:a:x", "1:mpi:a:1:b",
	"1:mpi:abcdefghijklmnopqrstuvwxyz0123456789",
	"1:mpi,1:mpi,1:mpi,1:mpi,1:mpi,1:mpi,1:mpi,1:mpi,1:mpi,1:mpi,1:mpi,"
	"1:mpi,1:mpi,1:mpi,1:mpi,1:mpi,1:mpi",
};

LOOP_TEST(no_mix_of_traffic, N(no_mix))
{
	struct mix m;

	ck_assert_int_eq(mix_parse(&m, no_mix[_i], NULL, &unit_err), -1);
	ck_assert(unit_err.text[0]);
}

static struct trace_job logged[] = {
	{ .submit = 1000, .run = 10, .nodes = 1, .limit = 60 },
	{ .submit = 1030, .run = 20, .nodes = 3, .limit = 5 },
	{ .submit = 1050, .run = 30, .nodes = 8 },
};

static void make(struct workload *w, const struct mix *mix,
		 const struct workload_options *o)
{
	const struct trace t = { .n = 3, .job = logged };

	workload_make(w, &t, mix, o);
}

TEST(a_trace_is_fitted)
{
	struct workload_options o = { .hosts = 20, .machine = 8 };
	struct workload w;
	struct mix mix;

	ck_assert_int_eq(mix_parse(&mix, "1:mpi", NULL, NULL), 0);
	make(&w, &mix, &o);
	ck_assert_uint_eq(w.n, 3);
	ck_assert_double_eq(w.job[0].submit, 0);
	ck_assert_double_eq(w.job[2].submit, 50);
	ck_assert_uint_eq(w.job[0].nodes, 3);	/* 1 x 20 / 8 = 2.5 */
	ck_assert_uint_eq(w.job[1].nodes, 8);
	ck_assert_uint_eq(w.job[2].nodes, 20);
	ck_assert_double_eq(w.job[0].limit, 60);
	ck_assert_double_eq(w.job[1].limit, 20);	/* it ran longer */
	ck_assert(w.job[2].limit >= 30 && w.job[2].limit <= 90);
	ck_assert_ptr_eq(w.job[0].stated, w.job[0].traffic);
	workload_free(&w);
	o.machine = 1000;
	o.njobs = 1;
	make(&w, &mix, &o);
	ck_assert_uint_eq(w.n, 1);
	ck_assert_uint_eq(w.job[0].nodes, 1);
	workload_free(&w);
}

/* Jobs are believed, or all are taken for the same. */
LOOP_TEST(hints_are_heard_or_not, 2)
{
	struct workload_options o = { .hosts = 20, .machine = 8 };
	struct sfab_traffic site;
	struct workload w;
	struct mix mix;

	ck_assert_int_eq(mix_parse(&mix, "2:mpi,1:off", NULL, NULL), 0);
	ck_assert_int_eq(sfab_traffic_parse("neighbor", NULL, &site, NULL), 0);
	o.site = _i ? &site : NULL;
	make(&w, &mix, &o);
	for (uint32_t i = 0; i < w.n; i++) {
		ck_assert_int_eq(w.job[i].class, mix_class_of(w.job[i].traffic));
		ck_assert_int_eq(mix_class_of(w.job[i].stated),
				 _i ? SFAB_NEIGHBOR : w.job[i].class);
	}
	workload_free(&w);
}

UNIT_MAIN("replayed jobs")
