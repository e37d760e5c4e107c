/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_replay_trace.c - logs of jobs as sacct prints them, good ones and spoilt ones */

#include "tests/unit/fixtures/unit.h"

#include "tools/replay/trace.h"

static const char sacct[] =
	"JobID|JobName|Submit|Start|Elapsed|NNodes|Timelimit|State\n"
	"7|a|2024-02-29T23:59:00|2024-03-01T00:01:00|1-02:03:04|4|2-00:00:00|COMPLETED\n"
	"7.batch|batch|2024-02-29T23:59:00|2024-03-01T00:01:00|1-02:03:04|1||COMPLETED\n"
	"8_3|b|2024-02-29T00:00:00|Unknown|00:10:00|1|UNLIMITED|TIMEOUT\n"
	"9|c|2024-02-29T00:00:01|None|00:00:00|2|Partition_Limit|CANCELLED by 5\n"
	"10|d|2024-02-29T00:00:02|2024-02-29T00:00:03|00:10:00|2|01:00:00|RUNNING\n"
	"11+1|e|2024-02-29T00:00:04|2024-02-29T00:00:05|05:06.7|2|60:00|FAILED\n";

static int parse(struct trace *t, const char *text, struct sfab_err *err)
{
	return trace_parse(t, "log", text, strlen(text), err);
}

static void check_job(const struct trace_job *j, double submit, double run, double limit,
		      uint32_t nodes)
{
	ck_assert_double_eq(j->submit, submit);
	ck_assert_double_eq(j->run, run);
	ck_assert_double_eq(j->limit, limit);
	ck_assert_uint_eq(j->nodes, nodes);
}

#define LEAP_DAY 1709164800.0	/* 2024-02-29T00:00:00Z */

TEST(an_sacct_log)
{
	struct trace t;

	ck_assert_msg(parse(&t, sacct, &unit_err) == 0, "%s", unit_err.text);
	ck_assert_uint_eq(t.n, 3);
	ck_assert_uint_eq(t.skipped, 2);
	check_job(&t.job[0], LEAP_DAY, 600, 0, 1);
	check_job(&t.job[1], LEAP_DAY + 4, 306, 3600, 2);
	check_job(&t.job[2], LEAP_DAY + 86340, 93784, 172800, 4);
	trace_free(&t);
}

TEST(columns_in_any_case_and_raw)
{
	static const char text[] = "nnodes|SUBMIT|ElapsedRaw|TimeLimit|JobName\n"
				   "3|2024-02-29T00:00:00|90|60:00|a|b|c\n";
	struct trace t;

	ck_assert_msg(parse(&t, text, &unit_err) == 0, "%s", unit_err.text);
	check_job(&t.job[0], LEAP_DAY, 90, 3600, 3);
	trace_free(&t);
}

/* Users call their jobs what they like; the last column may hold bars. */
LOOP_TEST(job_names_with_quotes_and_bars, 2)
{
	static const char *const text[] = {
		"NNodes|JobName|Submit|Elapsed\n"
		"3|a\"b|2024-02-29T00:00:00|00:01:00\n",
		"NNodes|Submit|Elapsed|JobName\n"
		"3|2024-02-29T00:00:00|00:01:00|\"a|b\n"
		"3|2024-02-29T00:00:00|00:01:00|\n",
	};
	struct trace t;

	ck_assert_msg(parse(&t, text[_i], &unit_err) == 0, "%s", unit_err.text);
	ck_assert_uint_eq(t.n, (unsigned) _i + 1);
	check_job(&t.job[_i], LEAP_DAY, 60, 0, 3);
	trace_free(&t);
}

static const struct {
	const char *text, *error;
} bad[] = {
	{ "", "log:1: empty" },
	{ "JobID|Submit|Elapsed\n", "log:1: no column NNodes" },
	{ "JobID|NNodes|Elapsed\n", "log:1: no column Submit" },
	{ "7|2024-02-29T00:00:00|4\n", "log:1: no column Submit" },
	{ "Submit|Elapsed|NNodes\n", "log: no job that ran" },
	{ "Submit|Elapsed|NNodes\n2024-02-29T00:00:00|00:01:00\n",
	  "log:2: 2 fields (expected 3)" },
	{ "Submit|Elapsed|NNodes\n2024-02-29T00:00:00|00:01:00|1|2\n",
	  "log:2: 4 fields (expected 3)" },
	{ "Submit|JobName|Elapsed|NNodes\n2024-02-29T00:00:00|a|b|00:01:00|1\n",
	  "log:2: 5 fields (expected 4)" },
	{ "Submit|Elapsed|NNodes\n2024-02-29 00:00:00|00:01:00|1\n",
	  "log:2: Submit '2024-02-29 00:00:00' (expected YYYY-" },
	{ "Submit|Elapsed|NNodes\n2024-13-01T00:00:00|00:01:00|1\n",
	  "log:2: Submit" },
	{ "Submit|Elapsed|NNodes\n2024-00-01T00:00:00|00:01:00|1\n",
	  "log:2: Submit" },
	{ "Submit|Elapsed|NNodes\n2024-02-29T00:00:00|00:61:00|1\n",
	  "log:2: Elapsed '00:61:00' (expected [D-]HH:MM:SS)" },
	{ "Submit|Elapsed|NNodes\n2024-02-29T00:00:00|1-|1\n",
	  "log:2: Elapsed '1-'" },
	{ "Submit|Elapsed|NNodes\n2024-02-29T00:00:00||1\n",
	  "log:2: Elapsed ''" },
	{ "Submit|Elapsed|NNodes\n2024-02-29T00:00:00|999999999-00:00:00|1\n",
	  "log:2: Elapsed" },
	{ "Submit|ElapsedRaw|NNodes\n2024-02-29T00:00:00|1:00|1\n",
	  "log:2: ElapsedRaw '1:00' (expected seconds)" },
	{ "Submit|Elapsed|NNodes\n2024-02-29T00:00:00|00:01:00|two\n",
	  "log:2: NNodes 'two' (expected a number of nodes)" },
	{ "Submit|Elapsed|NNodes\n2024-02-29T00:00:00|00:01:00|10000001\n",
	  "log:2: NNodes" },
	{ "Submit|Elapsed|NNodes|Timelimit\n2024-02-29T00:00:00|00:01:00|1|x\n",
	  "log:2: Timelimit 'x'" },
};

LOOP_TEST(spoilt_logs_are_refused, N(bad))
{
	struct trace t;

	ck_assert_int_eq(parse(&t, bad[_i].text, &unit_err), -1);
	ck_assert_msg(strstr(unit_err.text, bad[_i].error) == unit_err.text,
		      "'%s', expected '%s'", unit_err.text, bad[_i].error);
	ck_assert_ptr_null(t.job);
}

/* Every text that ends too early is refused or has fewer jobs; none crashes. */
TEST(logs_that_were_cut)
{
	char part[1024];
	struct trace t;

	for (size_t n = 0; n < strlen(sacct); n++) {
		memcpy(part, sacct, n);
		part[n] = '\0';
		if (trace_parse(&t, "log", part, n, NULL) == 0)
			ck_assert_uint_le(t.n, 3);
		trace_free(&t);
	}
}

UNIT_MAIN("trace")
