/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_usage.c - bytes of jobs as sacct counted them */

#include "tests/unit/fixtures/unit.h"

#include "io/readers/sacct.h"

#define HEAD "JobIDRaw|UID|Account|Partition|NNodes|ElapsedRaw|End|TRESUsageInTot|" \
	"TRESUsageOutTot|JobName\n"
#define JOB "77|1000|acc|main|4|3600|2026-11-23T07:15:12|||write_01\n"

static struct sfab_usage u;
static struct sfab_err err;

static void set_up(void)
{
	memset(&u, 0, sizeof(u));
	memset(&err, 0, sizeof(err));
	setenv("TZ", "UTC", 1);
}

static void tear_down(void)
{
	sfab_usage_free(&u);
}

static void read_good(const char *text)
{
	ck_assert_msg(!sfab_usage_sacct(&u, "sacct", text, strlen(text), &err), "%s",
		      err.text);
}

TEST(a_job_and_its_steps)
{
	read_good(HEAD JOB
		  "77.batch||acc||1|3600||cpu=01:00:00,fs/lustre=10,ic/ofed=900|"
		  "ic/ofed=1000,fs/lustre=500|batch\n"
		  "77.extern||acc||4|3600||ic/ofed=4000|ic/ofed=5000,fs/lustre=2000|extern\n"
		  "77.0||acc||4|1800||ic/ofed=1500,fs/lustre=100,fs/disk=77|ic/ofed=2500|a|b\n"
		  "77.1||acc||4|1800||ic/ofed=2000,mem=3M|ic/ofed=1.5K,fs/lustre=900|c\n"
		  "78|0|||1|10|Unknown|||77\n"
		  "79.0||||1|10||ic/ofed=5|ic/ofed=5|orphan\n"
		  "80|7|x|y|2|61|1795413312|ic/sysfs=55|ic/sysfs=66|z|y\n");
	ck_assert_uint_eq(u.n, 3);
	ck_assert_uint_eq(u.job[0].id, 77);
	ck_assert_uint_eq(u.job[0].user, 1000);
	ck_assert_uint_eq(u.job[0].nodes, 4);
	ck_assert_uint_eq(u.job[0].end_s, 1795418112);
	ck_assert_str_eq(u.job[0].name, "write_01");
	ck_assert_str_eq(u.job[0].account, "acc");
	ck_assert_str_eq(u.job[0].partition, "main");
	ck_assert_uint_eq(u.job[0].known, SFAB_USAGE_NET | SFAB_USAGE_FS);
	ck_assert(u.job[0].received == 4000 && u.job[0].sent == 5000);
	ck_assert(u.job[0].read == 100 && u.job[0].wrote == 2000);
	ck_assert(u.job[1].known == 0 && !u.job[1].end_s && u.job[1].elapsed_s == 10);
	ck_assert_uint_eq(u.job[2].known, SFAB_USAGE_PACKETS);
	ck_assert_uint_eq(u.job[2].end_s, 1795413312);
	ck_assert_str_eq(u.job[2].name, "z|y");
}

/* Steps one after another, no extern: their sum. */
TEST(numbered_steps_are_summed)
{
	read_good(HEAD JOB "77.0||||4|9||ic/ofed=1K|ic/ofed=2M|a\n"
		  "77.1||||4|9||ic/ofed=1|ic/ofed=1|a\n");
	ck_assert(u.job[0].received == 1025 && u.job[0].sent == 2097153);
	ck_assert_uint_eq(u.job[0].known, SFAB_USAGE_NET);
}

/* Only the beginning of a file is searched for NULs. */
TEST(a_nul_ends_no_amount)
{
	static const char text[] = HEAD JOB
		"77.0||acc||4|1800||ic/ofed=12\0junk,fs/lustre=3|ic/ofed=1,fs/lustre=4|a\n";

	ck_assert_int_eq(sfab_usage_sacct(&u, "sacct", text, sizeof(text) - 1, &err), 0);
	ck_assert_uint_eq(u.n, 1);
	ck_assert(u.job[0].received == 0 && u.job[0].read == 3);
}

static const struct {
	const char *text, *expect;
} bad[] = {
	{ "", "sacct:1: empty" },
	{ "JobIDRaw|UID\n", "column" },
	{ HEAD "77|1000|acc\n", "sacct:2" },
	{ HEAD "x|1000|acc|main|4|3600|Unknown|||n\n", "sacct:2: bad JobIDRaw (found \"x\"" },
	{ HEAD "78|root|acc|main|4|3600|Unknown|||n\n", "sacct:2: bad UID (found \"root\"" },
	{ HEAD "77|1|acc|main|4-8|3600|Unknown|||n\n", "sacct:2: bad NNodes" },
	{ HEAD "77|1|acc|main|4|01:00|Unknown|||n\n", "sacct:2: bad ElapsedRaw" },
};

#define SAFE "JobIDRaw@5f0c@UID@5f0c@Account@5f0c@Partition@5f0c@NNodes@5f0c@ElapsedRaw@5f0c@" \
	"End@5f0c@TRESUsageInTot@5f0c@TRESUsageOutTot@5f0c@JobName\n" \
	"77@5f0c@1000@5f0c@acc@5f0c@main@5f0c@4@5f0c@3600@5f0c@1795413312@5f0c@@5f0c@@5f0c@"
#define FORGED "901|1001|victims|main|16|3600|1795413312|fs/lustre=99|fs/lustre=99|cfd"

static const struct {
	const char *text;
	uint32_t n, bad;
	int may_lie;
	const char *name, *first;
} mixed[] = {
	/* what a name of two lines leaves */
	{ HEAD JOB "lines\n78|1|acc|main|4|3600|Unknown|||n\n", 2, 1, 1, "write_01",
	  "sacct:3: 1 fields (expected 10)" },
	{ HEAD "x|y\n\n" JOB "77.0|z\n", 1, 3, 1, "write_01", "sacct:2: 2 fields" },
	{ HEAD JOB "78|root|acc|main|4|3600|Unknown|||n\n78.0||||4|9||ic/ofed=9|ic/ofed=9|a\n",
	  1, 1, 1, "write_01", "sacct:3: bad UID" },
	/* nobody knows the delimiter, so no row is forged */
	{ SAFE "x|y\n", 1, 0, 0, "x|y", "" },
	{ SAFE "x\n" FORGED "\n", 1, 1, 0, "x", "sacct:3: 1 fields" },
	{ SAFE "x@a@b\n902@5f0b@1001@5f0b@\n", 1, 1, 0, "x@a@b", "sacct:3: 1 fields" },
};

LOOP_TEST(rows_that_cannot_be_right_are_left_out, N(mixed))
{
	read_good(mixed[_i].text);
	ck_assert_uint_eq(u.n, mixed[_i].n);
	ck_assert_uint_eq(u.bad.n, mixed[_i].bad);
	ck_assert_int_eq(u.may_lie, mixed[_i].may_lie);
	ck_assert_str_eq(u.job[0].name, mixed[_i].name);
	ck_assert(u.job[0].sent == 0 && u.job[0].known == 0);
	ck_assert_msg(strncmp(u.bad.first.text, mixed[_i].first,
			      strlen(mixed[_i].first)) == 0, "%s", u.bad.first.text);
}

LOOP_TEST(what_is_wrong_has_a_line, N(bad))
{
	ck_assert_int_eq(sfab_usage_sacct(&u, "sacct", bad[_i].text, strlen(bad[_i].text),
					  &err), -1);
	ck_assert_msg(strstr(err.text, bad[_i].expect) != NULL, "%s", err.text);
	ck_assert_uint_eq(u.n, 0);
}

/* A cut text gives fewer jobs, or an error with its line; it never hangs or crashes. */
TEST(cut_anywhere)
{
	static const char text[] = HEAD JOB "77.0||||4|9||ic/ofed=1K|fs/lustre=2|a\n" JOB;

	for (size_t n = 0; n < sizeof(text); n++) {
		set_up();
		if (sfab_usage_sacct(&u, "sacct", text, n, &err) == 0)
			ck_assert_uint_le(u.n, 2);
		else
			ck_assert(strncmp(err.text, "sacct:", 6) == 0);
		sfab_usage_free(&u);
	}
}

/* Each of 8 tasks on 4 nodes has counted its node; sacct has the sum. */
TEST(tasks_of_a_node_count_once)
{
	read_good("JobIDRaw|UID|Account|Partition|NNodes|NTasks|ElapsedRaw|End|TRESUsageInTot|"
		  "TRESUsageOutTot|JobName\n"
		  "77|1000|acc|main|4||3600|2026-11-23T07:15:12|||write_01\n"
		  "77.0||acc||4|8|1800||ic/ofed=8000|ic/ofed=1600,fs/lustre=800|a\n"
		  "77.1||acc||4||1800||ic/ofed=50|ic/ofed=0|b\n");
	ck_assert_uint_eq(u.n, 1);
	ck_assert(u.job[0].received == 4050 && u.job[0].sent == 800 && u.job[0].wrote == 400);
}

UNIT_MAIN_WITH("usage", set_up, tear_down)
