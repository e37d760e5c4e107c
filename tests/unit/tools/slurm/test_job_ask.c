/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_job_ask.c - licenses, reservations and options that only some Slurms have */

#include <time.h>
#include <unistd.h>

#include <pwd.h>

#include "tests/unit/fixtures/unit.h"
#include "tools/slurm/job_ask.h"
#include "tools/ui/json.h"

#define NOW "$now"		/* a minute ago */
#define LATER "$later"		/* in an hour */

static struct cluster cluster;
static struct job_ask ask;
static struct reply report;
static struct sfab_err err;

/* @text with times and this user's name in it; from malloc. */
static char *fill(const char *text)
{
	const struct passwd *me = getpwuid(getuid());
	char now[24], later[24];
	const struct {
		const char *word, *is;
	} words[] = {
		{ NOW, now }, { LATER, later }, { "$me", me ? me->pw_name : "?" },
	};
	char *out = calloc(1, 4000);

	snprintf(now, sizeof(now), "%ld", (long) time(NULL) - 60);
	snprintf(later, sizeof(later), "%ld", (long) time(NULL) + 3600);
	while (*text) {
		size_t i = 0, n = strlen(out);

		while (i < 3 && strncmp(text, words[i].word, strlen(words[i].word)))
			i++;
		snprintf(out + n, 4000 - n, "%.*s", i < 3 ? 100 : 1,
			 i < 3 ? words[i].is : text);
		text += i < 3 ? strlen(words[i].word) : 1;
	}
	return out;
}

static void open_cluster(const char *version)
{
	char config[300];

	cluster = (struct cluster) {
		.nodes.text = fill(
			"NodeName=n1 CPUAlloc=0 CPUTot=8 State=IDLE\n"
			"NodeName=n2 CPUAlloc=0 CPUTot=8 State=IDLE+RESERVED\n"
			"NodeName=n3 CPUAlloc=0 CPUTot=8 State=IDLE\n"
			"   Gres=gpu:2 GresUsed=gpu:1\n"
			"NodeName=n4 CPUAlloc=0 CPUTot=8 State=IDLE\n"
			"NodeName=n5 CPUAlloc=0 CPUTot=8 State=IDLE\n"),
		.jobs.text = fill(""),
		.partitions.text = fill(
			"PartitionName=main Default=YES State=UP\n"
			"   Nodes=n[1-5] OverSubscribe=NO "
			"DefaultTime=00:10:00\n"),
		.reservations.text = fill(
			"ReservationName=ours StartTime=" NOW " EndTime=" LATER
			" Nodes=n2\n   Users=x,$me Groups=(null) Accounts=(null)\n"
			"ReservationName=soon StartTime=" LATER " EndTime=" LATER
			"\n   Nodes=n1 Users=$me\n"
			"ReservationName=over StartTime=1 EndTime=2 Nodes=n1\n"
			"   Users=$me\n"
			"ReservationName=theirs StartTime=" LATER " EndTime=" LATER
			"\n   Nodes=n1 Users=x$me,$mex\n"
			"ReservationName=group StartTime=" NOW " EndTime=" LATER
			"\n   Nodes=n4 Accounts=physics\n"
			"ReservationName=flexible StartTime=" NOW " EndTime=" LATER
			"\n   Nodes=n5 Users=$me Flags=FLEX\n"),
		.licenses.text = fill(
			"LicenseName=tool\n"
			"    Total=3 Used=1 Free=2 Reserved=0 Remote=no\n"
			"LicenseName=disk@site\n"
			"    Total=1 Used=0 Free=1 Reserved=1 Remote=yes\n"),
	};

	snprintf(config, sizeof(config),
		 "SLURM_VERSION = %s\nPluginDir = /usr/lib\nSelectType = x\n"
		 "SLURM_CONF = x\nSlurmctldPidFile = x\nSlurmUser = slurm(64030)\n",
		 version);
	cluster.config.text = strdup(config);
	ck_assert_int_eq(cluster_take(&cluster, &err), 0);
}

static struct batch_script script;

/* Make the question for a job of these options. */
static int make_ask(const char *line)
{
	struct sbatch job;
	char text[300];

	snprintf(text, sizeof(text), "#!/bin/sh\n#SBATCH %s\n", line);
	ck_assert_int_eq(batch_script_parse(&script, "job.sh", strdup(text),
					    strlen(text), &err), 0);
	sbatch_init(&job);
	ck_assert_int_eq(sbatch_set_script(&job, &script, &err), 0);
	reply_init(&report, "test");
	report.is_quiet = 1;
	return job_ask_make(&ask, &job, &cluster, &report, &err);
}

static void close_ask(void)
{
	job_ask_free(&ask);
	batch_script_free(&script);
	reply_free(&report);
	cluster_free(&cluster);
}

static const struct {
	const char *version, *line;
	const char *error;	/* or */
	const char *waits;
	int n1, n2, n3;		/* usable? */
	const char *warning;	/* begins so; NULL: none */
} asks[] = {
	{ "22.05.8", "-N1", NULL, "", 1, 0, 1, NULL },
	{ "22.05.8", "-N1 --exclusive", NULL, "", 1, 0, 0, NULL },
	{ "22.05.8", "--segment=2",
	  "--segment: Slurm 22.05.8 does not have it", NULL, 0, 0, 0, NULL },
	{ "23.11.10", "--exclusive=topo",
	  "--exclusive=topo: Slurm 23.11.10 does not have it", NULL, 0, 0, 0, NULL },
	{ "24.05.0", "--segment=2", NULL, "", 1, 0, 1, NULL },
	{ "24.05.0", "--exclusive=topo", NULL, "", 1, 0, 0, NULL },
	{ "22.05.8", "-L tool:2", NULL, "", 1, 0, 1, NULL },
	{ "22.05.8", "-L 'tool;disk@site'", NULL, "", 1, 0, 1,
	  "license disk@site: the preview ignores who reserved 1 of them" },
	{ "22.05.8", "-L tool:3", NULL, "license tool: 3 wanted, 2 free", 0, 0, 0, NULL },
	{ "22.05.8", "-L tool:4", "license tool: there are 3 (found 4)", NULL, 0, 0, 0,
	  NULL },
	{ "22.05.8", "-L none", "--licenses 'none': no such license", NULL, 0, 0, 0,
	  NULL },
	{ "22.05.8", "-L tool:x", "--licenses 'tool' (expected NAME[:COUNT],...)",
	  NULL, 0, 0, 0, NULL },
	{ "22.05.8", "-L 'tool|disk'", NULL, "", 1, 0, 1,
	  "--licenses 'tool|disk' is not understood" },
	{ "22.05.8", "--reservation=ours", NULL, "", 0, 1, 0, NULL },
	{ "22.05.8", "--reservation=soon", NULL, "reservation soon has not begun", 0, 0,
	  0, NULL },
	{ "22.05.8", "--reservation=over", NULL, "reservation over is over", 0, 0, 0,
	  NULL },
	{ "22.05.8", "--reservation=none",
	  "--reservation 'none': no such reservation", NULL, 0, 0, 0, NULL },
	{ "22.05.8", "--reservation=theirs", "--reservation 'theirs': not for ", NULL,
	  0, 0, 0, NULL },
	{ "22.05.8", "--reservation=flexible", NULL, "", 1, 0, 1,
	  "reservation flexible is flexible: " },
	{ "22.05.8", "--reservation=group", NULL, "", 0, 0, 0,
	  "reservation group: the preview does not know" },
	{ "22.05.8", "--reservation=ours,soon", NULL, "", 1, 0, 1,
	  "--reservation: the preview ignores several" },
};

static void check_warning(const char *expect)
{
	size_t n = json_object_array_length(report.warnings);
	const char *text = n ? json_object_get_string(
		json_object_array_get_idx(report.warnings, 0)) : "";

	ck_assert_msg(expect ? strncmp(text, expect, strlen(expect)) == 0 : !n,
		      "found %s, expected %s", text, expect ? expect : "none");
}

LOOP_TEST(what_is_asked, N(asks))
{
	const char *error = asks[_i].error;
	int rc;

	open_cluster(asks[_i].version);
	rc = make_ask(asks[_i].line);
	if (error) {
		ck_assert_int_eq(rc, -1);
		ck_assert_msg(strncmp(err.text, error, strlen(error)) == 0,
			      "found %s, expected %s", err.text, error);
	} else {
		ck_assert_int_eq(rc, 0);
		ck_assert_str_eq(ask.wait_reason, asks[_i].waits);
		check_warning(asks[_i].warning);
		ck_assert_int_eq(ask.node[0] & SFAB_NODE_USABLE, asks[_i].n1);
		ck_assert_int_eq(ask.node[1] & SFAB_NODE_USABLE, asks[_i].n2);
		ck_assert_int_eq(ask.node[2] & SFAB_NODE_USABLE, asks[_i].n3);
	}
	close_ask();
}

UNIT_MAIN("job ask")
