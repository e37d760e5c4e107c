/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_scontrol.c - recorded outputs of scontrol, and made ones that are wrong */

#include "tests/unit/fixtures/unit.h"
#include "tools/slurm/scontrol.h"

static struct scontrol_list list;
static struct sfab_err err;

static void tear_down(void)
{
	scontrol_free(&list);
}

/* Parse what has no mistake.  @text is from malloc. */
static void parse(const struct record_type *type, char *text)
{
	ck_assert_msg(scontrol_parse(&list, type, text, &err) == 0, "%s", err.text);
}

/* A recorded text: tests/data/scontrol/KIND.txt. */
static char *recorded(const char *kind)
{
	const char *srcdir = getenv("SFAB_SRCDIR");
	char path[1024], *text = calloc(1, 1 << 16);
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/data/scontrol/%s.txt",
		 srcdir ? srcdir : ".", kind);
	f = fopen(path, "r");
	ck_assert_msg(f != NULL, "%s", path);
	ck_assert_uint_gt(fread(text, 1, (1 << 16) - 1, f), 100);
	fclose(f);
	return text;
}

static const struct {
	const char *name, *features;
	uint32_t held, weight;
	unsigned state;
	uint64_t memory_held;
} nodes[] = {
	{ "n1", "fast,ib", 3, 1, NODE_UP, 300 },
	{ "n5", "fast,ib", 0, 1, NODE_UP, 800 },	/* suspended */
	{ "n6", "fast,ib", 0, 1, NODE_UP, 400 },
	{ "n8", NULL, 0, 10, 0, 0 },			/* drained */
};

TEST(recorded_nodes)
{
	parse(&scontrol_node_type, recorded("node"));
	ck_assert_uint_eq(list.n, 4);
	for (uint32_t i = 0; i < list.n; i++) {
		const struct scontrol_node *n = &list.node[i];

		ck_assert_str_eq(n->name, nodes[i].name);
		ck_assert_pstr_eq(n->features, nodes[i].features);
		ck_assert_uint_eq(n->state, nodes[i].state);
		ck_assert_uint_eq(n->cpus, 8);
		ck_assert_uint_eq(n->cpus_effective, 8);
		ck_assert_uint_eq(n->cpus_held, nodes[i].held);
		ck_assert_uint_eq(n->weight, nodes[i].weight);
		ck_assert_uint_eq(n->memory_mb, 8000);
		ck_assert_uint_eq(n->memory_held_mb, nodes[i].memory_held);
		ck_assert_str_eq(n->owner, "N/A");
	}
	scontrol_free(&list);
}

TEST(recorded_jobs)
{
	const struct scontrol_job *j;

	parse(&scontrol_job_type, recorded("job"));
	ck_assert_uint_eq(list.n, 4);

	/* name and comment have words that look like fields */
	j = &list.job[0];
	ck_assert_uint_eq(j->run.id, 1);
	ck_assert_int_eq(j->state, JOB_RUNNING);
	ck_assert_int_eq(j->exclusive, 0);
	ck_assert_str_eq(j->run.partition, "main");
	ck_assert_str_eq(j->run.nodes, "n[1-2]");
	ck_assert_str_eq(j->run.comment, "sfabric:mpi=0.3; hello=1 NodeList=n[1-8]");
	ck_assert_ptr_null(j->run.network);
	ck_assert_uint_eq(j->nshares, 2);
	ck_assert_str_eq(j->share[0].nodes, "n1");
	ck_assert_uint_eq(j->share[0].cpus, 3);
	ck_assert_uint_eq(j->share[0].memory_mb, 300);
	ck_assert_str_eq(j->share[1].nodes, "n2");
	ck_assert_uint_eq(j->share[1].cpus, 1);

	j = &list.job[1];
	ck_assert_int_eq(j->exclusive, 1);
	ck_assert_str_eq(j->run.network, "sfabric:io-write");
	ck_assert_ptr_null(j->run.comment);
	ck_assert_uint_eq(j->share[0].cpus, 8);

	j = &list.job[2];
	ck_assert_int_eq(j->state, JOB_SUSPENDED);
	ck_assert_uint_eq(j->priority, 0);
	ck_assert_uint_eq(j->share[1].cpus, 4);

	j = &list.job[3];
	ck_assert_int_eq(j->state, JOB_PENDING);
	ck_assert_uint_eq(j->nshares, 0);
}

TEST(recorded_partitions)
{
	const struct scontrol_partition *p;

	parse(&scontrol_partition_type, recorded("partition"));
	ck_assert_uint_eq(list.n, 2);
	p = &list.partition[0];
	ck_assert_str_eq(p->name, "main");
	ck_assert_str_eq(p->nodes, "n[1-8]");
	ck_assert_int_eq(p->is_default, 1);
	ck_assert_int_eq(p->is_up, 1);
	ck_assert_int_eq(p->exclusive, 0);
	ck_assert_uint_eq(p->max_nodes, 0);
	ck_assert_uint_eq(p->cpu_mb, 0);
	ck_assert_uint_eq(p->node_mb, 0);
	ck_assert_str_eq(p->select, "NONE");
	p = &list.partition[1];
	ck_assert_int_eq(p->is_default, 0);
	ck_assert_int_eq(p->exclusive, 1);
	ck_assert_uint_eq(p->max_nodes, 4);
}

static const struct {
	const char *state;
	unsigned is;
} states[] = {
	{ "IDLE", NODE_UP },
	{ "MIXED", NODE_UP },
	{ "ALLOCATED+PLANNED", NODE_UP },
	{ "IDLE+CLOUD+POWERED_DOWN", NODE_UP },
	{ "MIXED+COMPLETING", 0 },
	{ "IDLE+DRAIN", 0 },
	{ "IDLE+NOT_RESPONDING", 0 },
	{ "IDLE+RESERVED", NODE_UP | NODE_RESERVED },
	{ "IDLE+MAINTENANCE+RESERVED", NODE_UP | NODE_RESERVED },
	{ "DOWN", 0 },
	{ "IDLE*", 0 },
	{ "IDLE+", 0 },
	{ "NEW_WORD+IDLE", 0 },
	{ "", 0 },
};

LOOP_TEST(node_states, N(states))
{
	char text[80];

	snprintf(text, sizeof(text), "NodeName=a\n   State=%s Weight=2\n",
		 states[_i].state);
	parse(&scontrol_node_type, strdup(text));
	ck_assert_uint_eq(list.node[0].state, states[_i].is);
	ck_assert_uint_eq(list.node[0].weight, 2);
}

static const struct {
	const struct record_type *type;
	const char *text, *error;	/* error NULL: fine */
	uint32_t n;
} texts[] = {
	{ &scontrol_job_type, "No jobs in the system\n", NULL, 0 },
	{ &scontrol_node_type, "", NULL, 0 },
	{ &scontrol_job_type, "JobId=7 NodeList=a NodeList=b", NULL, 1 },
	{ &scontrol_job_type, "JobId=7\n\nJobId=8", NULL, 2 },
	{ &scontrol_job_type, "=7 = JobId==", "scontrol show job:1: JobId== "
	  "(expected a number)", 0 },
	{ &scontrol_job_type, "JobId=-7", "scontrol show job:1: JobId=-7 "
	  "(expected a number)", 0 },
	{ &scontrol_job_type, "JobId=4294967296", "scontrol show job:1: "
	  "JobId=4294967296 (expected a number)", 0 },
	{ &scontrol_node_type, "\n   CPUTot=8\nNodeName=a", "scontrol show node:2: "
	  "CPUTot before NodeName", 0 },
	{ &scontrol_node_type, "NodeName=a\n RealMemory=18446744073709551616\n",
	  "scontrol show node:2: RealMemory=18446744073709551616 (expected a "
	  "number)", 0 },
	{ &scontrol_job_type, "JobId=1 CPU_IDs=0", "scontrol show job:1: CPU_IDs=0 "
	  "(expected Nodes=LIST before, CPUs like 0-3,8)", 0 },
	{ &scontrol_job_type, "JobId=1 Nodes=a CPU_IDs=3-1", "scontrol show job:1: "
	  "CPU_IDs=3-1 (expected Nodes=LIST before, CPUs like 0-3,8)", 0 },
	{ &scontrol_job_type, "JobId=1 Nodes=a CPU_IDs=0-99999999", "scontrol show "
	  "job:1: CPU_IDs=0-99999999 (expected Nodes=LIST before, CPUs like "
	  "0-3,8)", 0 },
	{ &scontrol_job_type, "JobId=1 Nodes=a CPU_IDs=0-1, Mem=2", NULL, 1 },
	{ &scontrol_job_type, "JobId=1 Nodes=a Mem=lots", "scontrol show job:1: "
	  "Mem=lots (expected a number)", 0 },
	{ &scontrol_partition_type, "PartitionName=a MaxNodes=many", "scontrol show "
	  "partition:1: MaxNodes=many (expected a number or UNLIMITED)", 0 },
	{ &scontrol_partition_type, "PartitionName=a OverSubscribe=YES:x", "scontrol show "
	  "partition:1: OverSubscribe=YES:x (expected EXCLUSIVE, NO, YES:N or "
	  "FORCE:N)", 0 },
	{ &scontrol_partition_type, "PartitionName=a DefMemPerCPU=x", "scontrol show "
	  "partition:1: DefMemPerCPU=x (expected a number or UNLIMITED)", 0 },
};

LOOP_TEST(made_texts, N(texts))
{
	int rc = scontrol_parse(&list, texts[_i].type, strdup(texts[_i].text), &err);

	ck_assert_int_eq(rc, texts[_i].error ? -1 : 0);
	ck_assert_uint_eq(list.n, texts[_i].n);
	if (texts[_i].error)
		ck_assert_str_eq(err.text, texts[_i].error);
}

/* What a user writes cannot stand for Slurm's own fields, which come first. */
TEST(first_field_counts)
{
	parse(&scontrol_job_type, strdup(
		"JobId=3 JobName=x NodeList=n9\n   NodeList=n1\n"
		"   Comment=a\n   NodeList=n2\n   Comment=sfabric:off\n"));
	ck_assert_str_eq(list.job[0].run.nodes, "n1");
	ck_assert_str_eq(list.job[0].run.comment, "a");
}

TEST(other_fields)
{
	parse(&scontrol_node_type, strdup(
		"NodeName=a CPUTot=8\n   MemSpecLimit=100\n"
		"   TmpDisk=5 Owner=me(1000) MCS_label=N/A\n"));
	ck_assert_uint_eq(list.node[0].memory_kept_mb, 100);
	ck_assert_uint_eq(list.node[0].tmp_disk_mb, 5);
	ck_assert_str_eq(list.node[0].owner, "me(1000)");
	ck_assert_uint_eq(list.node[0].cpus_effective, 0);
	scontrol_free(&list);
	parse(&scontrol_partition_type, strdup(
		"PartitionName=a LLN=YES ExclusiveUser=YES\n"
		"   DefMemPerCPU=200\n\nPartitionName=b\n   Nodes=(null)\n"
		"   DefMemPerNode=300"));
	ck_assert_int_eq(list.partition[0].least_loaded, 1);
	ck_assert_int_eq(list.partition[0].exclusive_user, 1);
	ck_assert_uint_eq(list.partition[0].cpu_mb, 200);
	ck_assert_uint_eq(list.partition[0].node_mb, 0);
	ck_assert_uint_eq(list.partition[1].cpu_mb, 0);
	ck_assert_uint_eq(list.partition[1].node_mb, 300);
	ck_assert_ptr_null(list.partition[1].nodes);
}

static const struct {
	const char *text;
	int exclusive, forced;
	uint32_t rows, max_cpus;
} shares[] = {
	{ "MaxCPUsPerNode=UNLIMITED OverSubscribe=NO", 0, 0, 1, 0 },
	{ "MaxCPUsPerNode=4 OverSubscribe=EXCLUSIVE", 1, 0, 0, 4 },
	{ "OverSubscribe=YES:4", 0, 0, 4, 0 },
	{ "OverSubscribe=FORCE:1", 0, 1, 1, 0 },
	/* 26.05 */
	{ "Exclusive=NODE GraceTime=0 OverSubscribe=NO", 1, 0, 0, 0 },
	{ "Exclusive=TOPO GraceTime=0 OverSubscribe=NO", 1, 0, 0, 0 },
	{ "Exclusive=NO GraceTime=0 OverSubscribe=YES:2", 0, 0, 2, 0 },
};

LOOP_TEST(what_partitions_share, N(shares))
{
	const struct scontrol_partition *p;
	char text[100];

	snprintf(text, sizeof(text), "PartitionName=a %s\n", shares[_i].text);
	parse(&scontrol_partition_type, strdup(text));
	p = &list.partition[0];
	ck_assert_int_eq(p->exclusive, shares[_i].exclusive);
	ck_assert_int_eq(p->forced, shares[_i].forced);
	ck_assert_uint_eq(p->rows, shares[_i].rows);
	ck_assert_uint_eq(p->max_cpus, shares[_i].max_cpus);
}

TEST(reservations)
{
	const struct scontrol_reservation *r;

	parse(&scontrol_reservation_type, strdup(
		"ReservationName=a StartTime=100 EndTime=200 Duration=00:01:40\n"
		"   Nodes=n[1-2] NodeCnt=2 CoreCnt=3 Features=(null) "
		"PartitionName=(null) Flags=MAINT,SPEC_NODES,DAILY\n"
		"     NodeName=n1 CoreIDs=0-1\n     NodeName=n2 CoreIDs=0\n"
		"   TRES=cpu=3\n\n"
		"ReservationName=b StartTime=2026-01-01T00:00:00 EndTime=300\n"
		"   Nodes=(null) PartitionName=main Flags=PART_NODES\n"
		"ReservationName=c Nodes=n3 Flags=ALL_NODES\n"));
	ck_assert_uint_eq(list.n, 3);
	r = list.reservation;
	ck_assert_str_eq(r[0].name, "a");
	ck_assert_str_eq(r[0].nodes, "n[1-2]");
	ck_assert_uint_eq(r[0].start_s, 100);
	ck_assert_uint_eq(r[0].end_s, 200);
	ck_assert_str_eq(r[0].cores, "0");
	ck_assert_str_eq(r[0].flags, "MAINT,SPEC_NODES,DAILY");
	ck_assert_ptr_null(r[1].nodes);
	ck_assert_str_eq(r[1].partition, "main");
	ck_assert_uint_eq(r[1].start_s, 0);
	ck_assert_str_eq(r[1].flags, "PART_NODES");
	ck_assert_ptr_null(r[1].cores);
}

UNIT_MAIN_WITH("scontrol", NULL, tear_down)
