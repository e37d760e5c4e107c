/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_jobtext.c - records of scontrol in which users wrote */

#include "tests/unit/fixtures/unit.h"

#include "tools/slurm/jobtext.h"
#include "tools/slurm/scontrol.h"

#define M "m0123456789abcdef"
#define SQUEUE(id, name, comment) id M name M comment M "\n"

/* A record as scontrol prints it; @mark is what stands behind its times. */
#define RECORD(id, name, mark, nodes, comment)                                 \
	"JobId=" id " ArrayJobId=3 ArrayTaskId=1 JobName=" name "\n"          \
	"   UserId=root(0) GroupId=root(0) MCS_label=N/A\n"                   \
	"   JobState=RUNNING Reason=None Dependency=(null)\n"                 \
	"   SubmitTime=1700000000" mark " EligibleTime=1700000000" mark "\n"  \
	"   StartTime=1700000001" mark " EndTime=1700000099" mark " Deadline=N/A\n" \
	"   NodeList=" nodes "\n"                                             \
	"     Nodes=" nodes " CPU_IDs=0-3 Mem=100 GRES=\n"                    \
	"   OverSubscribe=NO Contiguous=0 Licenses=(null) Network=(null)\n"   \
	"   Command=/x\n   Comment=" comment "\n   StdOut=/dev/null\n   \n\n"

/* The same with a network. */
#define NETWORK(id, network)                                                   \
	"JobId=" id " ArrayJobId=3 ArrayTaskId=1 JobName=x\n"                 \
	"   UserId=root(0) GroupId=root(0) MCS_label=N/A\n"                   \
	"   JobState=RUNNING Reason=None Dependency=(null)\n"                 \
	"   SubmitTime=1700000000" M " EligibleTime=1700000000" M "\n"        \
	"   NodeList=n1\n"                                                    \
	"   OverSubscribe=NO Contiguous=0 Licenses=(null) Network=" network "\n" \
	"   Command=/x\n   Comment=\n   StdOut=/dev/null\n   \n\n"

#define FAKE RECORD("4711", "x", "", "n[1-30]", "")
#define LINES "a\nJobId=8\n   NodeList=n9\n   UserId=zzz"

static const struct {
	const char *what, *squeue, *scontrol;
	const char *jobs;	/* "ID:NODES:NAME:COMMENT ..." of what is there */
	uint32_t lost;
} cases[] = {
	{ "no jobs", "", "No jobs in the system\n", "", 0 },
	{ "a name", SQUEUE("7", "x", "(null)"), RECORD("7", "x", M, "n1", "(null)"),
	  "7:n1:x:-", 0 },
	{ "spaces", SQUEUE("7", "a b", "c d"), RECORD("7", "a b", M, "n1", "c d"),
	  "7:n1:a b:c d", 0 },
	{ "empty texts", SQUEUE("7", "", ""), RECORD("7", "", M, "n1", ""), "7:n1::", 0 },
	{ "a name of lines", SQUEUE("7", LINES, "") SQUEUE("8", "y", ""),
	  RECORD("7", LINES, M, "n1", "") RECORD("8", "y", M, "n2", ""),
	  "7:n1:a JobId=8    NodeList=n9    UserId=zzz: 8:n2:y:", 0 },
	{ "a name that is a record", SQUEUE("7", FAKE, "") SQUEUE("4711", "x", ""),
	  RECORD("7", FAKE, M, "n1", "") RECORD("4711", "x", M, "n2", ""),
	  NULL, 0 },
	{ "a comment that is a record", SQUEUE("7", "y", "\n\n" FAKE),
	  RECORD("7", "y", M, "n1", "\n\n" FAKE), NULL, 0 },
	{ "a comment that is the record of another job",
	  SQUEUE("7", "y", "\n\n" FAKE) SQUEUE("4711", "x", ""),
	  RECORD("7", "y", M, "n1", "\n\n" FAKE) RECORD("4711", "x", M, "n2", ""), NULL, 0 },
	{ "a job renamed since squeue ran", SQUEUE("7", "y", "") SQUEUE("8", "z", ""),
	  RECORD("7", "x", M, "n1", "") RECORD("8", "z", M, "n2", ""),
	  "8:n2:z:", 1 },
	{ "a record instead of a name since squeue ran", SQUEUE("7", "y", "") SQUEUE("8", "x", ""),
	  RECORD("7", FAKE, M, "n1", "") RECORD("8", "x", M, "n2", ""),
	  "8:n2:x:", 1 },
	{ "a job squeue does not list", SQUEUE("8", "z", ""),
	  RECORD("7", "x", M, "n1", "") RECORD("8", "z", M, "n2", ""),
	  "8:n2:z:", 0 },
	{ "a job listed twice by scontrol", SQUEUE("8", "z", ""),
	  RECORD("8", "z", M, "n1", "") RECORD("8", "z", M, "n2", ""),
	  "8:n1:z:", 0 },
	{ "cut in line 2", SQUEUE("7", "x", ""), "JobId=7 JobName=x\n   UserId=root(0)", "", 1 },
	{ "cut in what squeue says", "7" M "x", RECORD("7", "x", M, "n1", ""), "", 0 },
	{ "cut before a name", SQUEUE("7", "x", ""), "JobId=7 JobName=", "", 1 },
	{ "cut behind the id", SQUEUE("7", "x", ""), "JobId=7", "", 1 },
};

static void describe(const struct scontrol_list *list, char *buf, size_t size)
{
	size_t n = 0;

	buf[0] = '\0';
	for (uint32_t i = 0; i < list->n; i++) {
		const struct scontrol_job *j = &list->job[i];

		n += (size_t) snprintf(buf + n, size - n, "%s%u:%s:%s:%s",
				       i ? " " : "", j->run.id, j->run.nodes, j->run.who.name,
				       j->run.comment ? j->run.comment : "-");
	}
}

LOOP_TEST(records, N(cases))
{
	struct jobtext_lost lost;
	struct scontrol_list list;
	struct sfab_err err = { 0 };
	char text[2000];
	char *own = jobtext_make(cases[_i].squeue, cases[_i].scontrol, M, &lost);

	ck_assert_msg(lost.n == cases[_i].lost, "%s: %u lost", cases[_i].what, lost.n);
	ck_assert_ptr_null(strstr(own, M));
	ck_assert_msg(scontrol_parse(&list, &scontrol_job_type, own, &err) == 0, "%s", err.text);
	describe(&list, text, sizeof(text));
	ck_assert_msg(!cases[_i].jobs || strcmp(text, cases[_i].jobs) == 0,
		      "%s: %s (expected %s)", cases[_i].what, text, cases[_i].jobs);
	for (uint32_t i = 0; i < list.n; i++) {	/* whatever was made up */
		ck_assert_msg(strcmp(list.job[i].run.nodes, "n[1-30]") != 0, "%s", cases[_i].what);
		ck_assert_uint_eq(list.job[i].run.start_s, 1700000001);
		ck_assert_uint_eq(list.job[i].nshares, 1);
	}
	if (!cases[_i].jobs)
		ck_assert_uint_eq(list.n, 1 + (strstr(cases[_i].squeue, "4711" M) != NULL));
	scontrol_free(&list);
}

static const struct {
	const char *network, *read;
} networks[] = {
	{ NETWORK("7", "(null)"), NULL },
	{ NETWORK("7", "sfabric:off"), "sfabric:off" },
	{ NETWORK("7", "ib\nsfabric:off"), "ib sfabric:off" },
	{ NETWORK("7", "ib\n   Command=/y\nsfabric:off"), "ib" },
	{ NETWORK("7", "ib\n   NodeList=n[1-30]"), "ib    NodeList=n[1-30]" },
	{ NETWORK("7", "ib\nJobId=9 JobName=y"), "ib" },
};

LOOP_TEST(network_behind_a_newline, N(networks))
{
	struct jobtext_lost lost;
	struct scontrol_list list;
	struct sfab_err err = { 0 };
	char *own = jobtext_make(SQUEUE("7", "x", ""), networks[_i].network, M, &lost);

	ck_assert_msg(scontrol_parse(&list, &scontrol_job_type, own, &err) == 0, "%s", err.text);
	ck_assert_uint_eq(list.n, 1);
	ck_assert_pstr_eq(list.job[0].run.network, networks[_i].read);
	ck_assert_str_eq(list.job[0].run.nodes, "n1");
	scontrol_free(&list);
}

UNIT_MAIN("jobtext")
