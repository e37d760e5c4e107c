/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sbatch.c - sbatch's options from scripts and variables */

#include "tests/unit/fixtures/unit.h"
#include "tools/slurm/sbatch.h"

static struct sbatch job;
static struct batch_script script;
static struct sfab_err err;

/* Options of "#SBATCH @line". */
static int set(const char *line)
{
	char text[300];

	snprintf(text, sizeof(text), "#!/bin/sh\n#SBATCH %s\n", line);
	batch_script_free(&script);
	ck_assert_int_eq(batch_script_parse(&script, "job.sh", strdup(text),
					    strlen(text), &err), 0);
	sbatch_init(&job);
	return sbatch_set_script(&job, &script, &err);
}

static void accept(const char *line)
{
	ck_assert_msg(set(line) == 0, "%s: %s", line, err.text);
}

/* A number of a row, by its @line. */
#define CHECK(line, got, want) \
	ck_assert_msg((got) == (want), "%s: " #got " is %g (expected %g)", line, \
		      (double) (got), (double) (want))

TEST(defaults)
{
	ck_assert_int_eq(set(""), 0);
	ck_assert_uint_eq(job.flags, 0);
	ck_assert_uint_eq(job.ask.min_nodes, 1);
	ck_assert_uint_eq(job.ask.max_nodes, 0);
	ck_assert_uint_eq(job.ask.tasks, 1);
	ck_assert_uint_eq(job.ask.cpus_per_task, 1);
}

static const struct {
	const char *line;
	unsigned flags, asks;
	uint32_t min_nodes, max_nodes, ntasks, cpus_per_task;
} counts[] = {
	{ "-N4", SBATCH_NODES, 0, 4, 4, 1, 1 },
	{ "-N 2-6", SBATCH_NODES, 0, 2, 6, 1, 1 },
	{ "--nodes=2-", SBATCH_NODES, 0, 2, 0, 1, 1 },
	{ "--nodes 1k-2k", SBATCH_NODES, 0, 1024, 2048, 1, 1 },
	{ "-N4 -N2", SBATCH_NODES, 0, 2, 2, 1, 1 },
	{ "-n 20 -c4", SBATCH_NTASKS | SBATCH_CPUS, 0, 1, 0, 20, 4 },
	{ "--ntasks=7 --cpus-per-t=3", SBATCH_NTASKS | SBATCH_CPUS, 0, 1, 0, 7, 3 },
	{ "-O --contiguous --spread-job --use-min-nodes", SBATCH_MIN_NODES,
	  SFAB_ASK_OVERCOMMIT | SFAB_ASK_CONTIGUOUS | SFAB_ASK_SPREAD, 1, 0, 1, 1 },
	{ "--gres=gpu:1 --gpus-per-node=2", 0, 0, 1, 0, 1, 1 },
	{ "--gres=mps:50", 0, SFAB_ASK_GRES, 1, 0, 1, 1 },
	{ "-G4", 0, 0, 1, 0, 1, 1 },
	{ "--gpus-per-socket=1", 0, SFAB_ASK_GRES, 1, 0, 1, 1 },
	{ "--gres=gpu:1 --cpus-per-gpu=2", 0, SFAB_ASK_GRES, 1, 0, 1, 1 },
	{ "--begin=now+1hour", 0, SFAB_ASK_FUTURE, 1, 0, 1, 1 },
	{ "--begin=now", 0, 0, 1, 0, 1, 1 },
	{ "-H", 0, SFAB_ASK_FUTURE, 1, 0, 1, 1 },
	{ "--exclusive=topo", 0, SFAB_ASK_TOPOLOGY, 1, 0, 1, 1 },
	{ "--segment=2", 0, SFAB_ASK_SEGMENT, 1, 0, 1, 1 },
};

LOOP_TEST(counts_and_flags, N(counts))
{
	accept(counts[_i].line);
	CHECK(counts[_i].line, job.flags, counts[_i].flags);
	CHECK(counts[_i].line, job.ask.flags, counts[_i].asks);
	CHECK(counts[_i].line, job.ask.min_nodes, counts[_i].min_nodes);
	CHECK(counts[_i].line, job.ask.max_nodes, counts[_i].max_nodes);
	CHECK(counts[_i].line, job.ask.tasks, counts[_i].ntasks);
	CHECK(counts[_i].line, job.ask.cpus_per_task, counts[_i].cpus_per_task);
}

static const struct {
	const char *line;
	enum sbatch_memory memory;
	uint64_t mb;
} memories[] = {
	{ "--mem=2000", MEMORY_NODE, 2000 },
	{ "--mem=2000M", MEMORY_NODE, 2000 },
	{ "--mem=16G", MEMORY_NODE, 16384 },
	{ "--mem=1T", MEMORY_NODE, 1048576 },
	{ "--mem=1500k", MEMORY_NODE, 2 },
	{ "--mem=0", MEMORY_NODE, 0 },
	{ "--mem-per-cpu=3g", MEMORY_CPU, 3072 },
};

LOOP_TEST(sizes, N(memories))
{
	accept(memories[_i].line);
	CHECK(memories[_i].line, job.memory, memories[_i].memory);
	CHECK(memories[_i].line, job.ask.memory_mb, memories[_i].mb);
}

static const struct {
	const char *line;
	uint32_t nodes;
	double cores;
} cores[] = {
	{ "-N4", 4, 0 },
	{ "-N4 -c8", 4, 0 },
	{ "-n64 -N4", 4, 16 },
	{ "-n64 -c2", 8, 16 },
	{ "--ntasks-per-node=12 -n24", 2, 12 },
	{ "--ntasks-per-node=3 -c4 -N7", 7, 12 },
};

LOOP_TEST(cores_of_a_node, N(cores))
{
	accept(cores[_i].line);
	CHECK(cores[_i].line, sbatch_cores(&job, cores[_i].nodes), cores[_i].cores);
}

TEST(texts_and_shares)
{
	ck_assert_int_eq(set("-p main -w 'n[1-2]' -xn3 -C fast "
			     "--comment='my job' --network=x --switches=2@10:00 "
			     "--mincpus=4 --tasks-per-node=3 --tmp=1G"), 0);
	ck_assert_str_eq(job.ask.partition, "main");
	ck_assert_str_eq(job.nodelist, "n[1-2]");
	ck_assert_str_eq(job.exclude, "n3");
	ck_assert_str_eq(job.constraint, "fast");
	ck_assert_str_eq(job.ask.comment, "my job");
	ck_assert_str_eq(job.ask.network, "x");
	ck_assert_uint_eq(job.ask.switches, 2);
	ck_assert_uint_eq(job.ask.cpus_per_node, 4);
	ck_assert_uint_eq(job.ask.tasks_per_node, 3);
	ck_assert_uint_eq(job.tmp_mb, 1024);
	ck_assert_int_eq(set("--gres=disk:2 --gpus-per-node=a100:2,v100:1"), 0);
	ck_assert_str_eq(job.gres, "disk:2");
	ck_assert_str_eq(job.gpus, "gpu:a100:2,gpu:v100:1");
	ck_assert_int_eq(set("--exclusive"), 0);
	ck_assert_int_eq(job.share, SHARE_EXCLUSIVE);
	ck_assert_int_eq(set("--exclusive=User"), 0);
	ck_assert_int_eq(job.share, SHARE_USER);
	ck_assert_int_eq(set("--exclusive -s"), 0);
	ck_assert_int_eq(job.share, SHARE_YES);
}

static const struct {
	const char *line;
	uint32_t sockets, cores, threads, per_socket, per_core;
	const char *hint;
} layouts[] = {
	{ "-B 2:4:1", 2, 4, 1, 0, 0, NULL },
	{ "-B 2:*:1", 2, 0, 1, 0, 0, NULL },
	{ "-B 1-2:4-8", 1, 4, 0, 0, 0, NULL },
	{ "--extra-node-info=2", 2, 0, 0, 0, 0, NULL },
	{ "--sockets-per-node=2 --cores-per-socket=3", 2, 3, 0, 0, 0, NULL },
	{ "--threads-per-core=1 --ntasks-per-core=2 --ntasks-per-socket=5",
	  0, 0, 1, 5, 2, NULL },
	{ "--hint=nomultithread", 0, 0, 0, 0, 0, "nomultithread" },
};

LOOP_TEST(layouts_of_nodes, N(layouts))
{
	accept(layouts[_i].line);
	CHECK(layouts[_i].line, job.ask.sockets_per_node, layouts[_i].sockets);
	CHECK(layouts[_i].line, job.ask.cores_per_socket, layouts[_i].cores);
	CHECK(layouts[_i].line, job.ask.threads_per_core, layouts[_i].threads);
	CHECK(layouts[_i].line, job.ask.tasks_per_socket, layouts[_i].per_socket);
	CHECK(layouts[_i].line, job.ask.tasks_per_core, layouts[_i].per_core);
	ck_assert_pstr_eq(job.hint, layouts[_i].hint);
}

TEST(what_is_noted)
{
	ck_assert_int_eq(set("-d afterok:1 --reboot --dependency=singleton -A me "
			     "--mail-type=END -o out -t 10 -J name --qos=high"),
			 0);
	ck_assert_uint_eq(job.nnotes, 2);
	ck_assert_str_eq(job.note[0], "dependency");
	ck_assert_str_eq(job.note[1], "reboot");
}

static const struct {
	const char *line, *error;
} wrong[] = {
	{ "-N0", "job.sh:2: --nodes '0' (expected MIN[-MAX])" },
	{ "-N4-2", "job.sh:2: --nodes '4-2' (expected MIN[-MAX])" },
	{ "-N4x", "job.sh:2: --nodes '4x' (expected MIN[-MAX])" },
	{ "-N 9999999999", "job.sh:2: --nodes '9999999999' (expected "
	  "MIN[-MAX])" },
	{ "-N 4294967295k", "job.sh:2: --nodes '4294967295k' (expected "
	  "MIN[-MAX])" },
	{ "-n 0", "job.sh:2: --ntasks '0' (expected a number from 1 on)" },
	{ "-n 3000000000",
	  "job.sh:2: --ntasks '3000000000' (expected a number from 1 on)" },
	{ "-c -2", "job.sh:2: --cpus-per-task '-2' (expected a number from 1 "
	  "on)" },
	{ "--mem=2X", "job.sh:2: --mem '2X' (expected a size such as 2000M or "
	  "16G)" },
	{ "--mem=2GB", "job.sh:2: --mem '2GB' (expected a size such as 2000M "
	  "or 16G)" },
	{ "--mem=2G --mem-per-cpu=1G", "job.sh:2: --mem-per-cpu '1G' (expected "
	  "either --mem or --mem-per-cpu)" },
	{ "--gres=disk:2,,", "job.sh:2: --gres 'disk:2,,' (expected "
	  "NAME[:TYPE][:COUNT],...)" },
	{ "--exclusive=me", "job.sh:2: --exclusive 'me' (expected user, mcs or topo)" },
	{ "-B 2:4:1:1", "job.sh:2: --extra-node-info '2:4:1:1' (expected "
	  "SOCKETS[:CORES[:THREADS]])" },
	{ "-B two", "job.sh:2: --extra-node-info 'two' (expected "
	  "SOCKETS[:CORES[:THREADS]])" },
	{ "--threads-per-core=4294967296", "job.sh:2: --threads-per-core "
	  "'4294967296' (expected a number)" },
	{ "--hint=fast", "job.sh:2: --hint 'fast' (expected compute_bound, "
	  "memory_bound, multithread or nomultithread)" },
	{ "--switches=x", "job.sh:2: --switches 'x' (expected COUNT[@TIME])" },
	{ "--bananas=3", "job.sh:2: --bananas=3: not an option of sbatch" },
	{ "-N2 -y", "job.sh:2: -y: not an option of sbatch" },
	{ "-N2 --mem", "job.sh:2: --mem: a value is missing" },
	{ "-N2 word", "job.sh:2: 'word' (expected an option)" },
};

LOOP_TEST(refused, N(wrong))
{
	ck_assert_msg(set(wrong[_i].line) == -1, "%s is accepted", wrong[_i].line);
	ck_assert_str_eq(err.text, wrong[_i].error);
}

TEST(variables)
{
	sbatch_init(&job);
	setenv("SBATCH_PARTITION", "night", 1);
	setenv("SBATCH_EXCLUSIVE", "", 1);
	setenv("SBATCH_OVERCOMMIT", "yes", 1);
	ck_assert_int_eq(sbatch_set_env(&job, &err), 0);
	ck_assert_str_eq(job.ask.partition, "night");
	ck_assert_int_eq(job.share, SHARE_EXCLUSIVE);
	ck_assert_uint_eq(job.ask.flags, SFAB_ASK_OVERCOMMIT);
	setenv("SBATCH_MEM_PER_NODE", "much", 1);
	ck_assert_int_eq(sbatch_set_env(&job, &err), -1);
	ck_assert_str_eq(err.text, "SBATCH_MEM_PER_NODE: --mem 'much' (expected "
			 "a size such as 2000M or 16G)");
}

TEST(memory_of_variables)
{
	const struct sbatch_option *per_cpu = sbatch_options;

	while (strcmp(per_cpu->name, "mem-per-cpu"))
		per_cpu++;
	unsetenv("SBATCH_MEM_PER_NODE");
	setenv("SBATCH_MEM_PER_CPU", "10", 1);
	ck_assert_int_eq(set("--mem=2000"), 0);
	ck_assert_int_eq(sbatch_set_env(&job, &err), 0);
	ck_assert_int_eq(job.memory, MEMORY_NODE);	/* the script's stands */
	ck_assert_uint_eq(job.ask.memory_mb, 2000);
	sbatch_init(&job);
	setenv("SBATCH_MEM_PER_NODE", "30", 1);
	ck_assert_int_eq(sbatch_set_env(&job, &err), -1);
	sbatch_init(&job);
	unsetenv("SBATCH_MEM_PER_CPU");
	ck_assert_int_eq(sbatch_set_env(&job, &err), 0);
	ck_assert_uint_eq(job.ask.memory_mb, 30);
	ck_assert_int_eq(sbatch_set(&job, per_cpu, "20", &err), 0);
	ck_assert_int_eq(job.memory, MEMORY_CPU);	/* the command line's */
	unsetenv("SBATCH_MEM_PER_NODE");
}

/* A letter or a name that stands twice would never be reached. */
TEST(table)
{
	for (const struct sbatch_option *a = sbatch_options; a->name; a++)
		for (const struct sbatch_option *b = a + 1; b->name; b++) {
			ck_assert_str_ne(a->name, b->name);
			ck_assert(!a->letter || a->letter != b->letter);
		}
}

UNIT_MAIN("sbatch")
