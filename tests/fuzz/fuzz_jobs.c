/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_jobs.c - jobs whose users write anything, as squeue and scontrol print them: what is
 * read back is what Slurm said of each job, or the job is left out
 *
 * The input draws jobs.  They are written as Slurm 22.05 writes them, with the marks of
 * jobtext.h, which users do not know, and read into a cluster of eight nodes.  No job is
 * another's, none is made up, and what all hold is counted.
 */

#include <stdio.h>

#include "tests/fuzz/bytes.h"
#include "tests/fuzz/fuzz.h"
#include "tools/slurm/cluster.h"
#include "tools/slurm/jobtext.h"

#define MARK "m0123456789abcdef"
#define JOBS 8
#define NODES 8
#define CPUS 16
#define TEXT 400

enum { NAME, NETWORK, COMMENT, PATH, NTEXTS };

struct job {			/* as it was drawn */
	uint32_t id, user, array_id, first, nodes, cpus, memory_mb;
	unsigned state, minutes, priority;
	int exclusive;
	char text[NTEXTS][TEXT];
};

static const struct {
	const char *word;
	enum job_state state;
	int holds;
} states[] = {
	{ "PENDING", JOB_PENDING, 0 }, { "RUNNING", JOB_RUNNING, 1 },
	{ "SUSPENDED", JOB_SUSPENDED, 1 }, { "COMPLETED", JOB_OTHER, 0 },
	{ "CONFIGURING", JOB_RUNNING, 1 }, { "FAILED", JOB_OTHER, 0 },
};

/* What a user would write who knows the format, but for the mark. */
static const char *const words[] = {
	"a", " ", "\n", "\n   ", "JobId=1", "JobId=2 JobName=a", " JobName=",
	"UserId=root(0) GroupId=root(0) MCS_label=N/A", "JobState=RUNNING",
	"SubmitTime=1700000000m0 EligibleTime=1", "NodeList=n[1-8]",
	"  Nodes=n[1-8] CPU_IDs=0-15 Mem=1 GRES=", "OverSubscribe=NO Network=",
	"sfabric:mpi=0.3", "(null)", "\r", "\t", "\x1b[2J", "\xC3\xB6", "\xFF",
	"Comment=", "\n\n", "HetJobIdSet=1", "m0", "=", "TimeLimit=zzz",
};

static void take_words(struct bytes *in, char *to)
{
	size_t n = 0;

	for (unsigned k = take_below(in, 12); k && n + 60 < TEXT; k--) {
		uint8_t b = take8(in);

		if (b < 220)
			n += (size_t) sprintf(to + n, "%s", words[
				b % (sizeof(words) / sizeof(words[0]))]);
		else if (b > 220)
			to[n++] = (char) (take8(in) | 1);
	}
	to[n] = '\0';
}

static void take_job(struct bytes *in, struct job *job, uint32_t id)
{
	memset(job, 0, sizeof(*job));
	job->id = id;
	job->state = take_below(in, sizeof(states) / sizeof(states[0]));
	job->user = take8(in);
	job->array_id = take8(in) % 4 ? 0 : 1 + take8(in);
	job->first = take_below(in, NODES);
	job->nodes = 1 + take_below(in, NODES - job->first);
	job->cpus = 1 + take_below(in, CPUS);
	job->memory_mb = take8(in);
	job->minutes = take8(in);
	job->priority = take16(in);
	job->exclusive = take8(in) & 1;
	for (int i = 0; i < NTEXTS; i++)
		take_words(in, job->text[i]);
}

/* -- as Slurm prints it ----------------------------------------------------- */

static void print_squeue(FILE *out, const struct job *job)
{
	fprintf(out, "%u" MARK "%s" MARK "%s" MARK "\n", job->id,
		job->text[NAME], job->text[COMMENT]);
}

static void print_places(FILE *out, const struct job *job)
{
	if (!states[job->state].holds) {
		fprintf(out, "   NodeList=\n");
		return;
	}
	fprintf(out, "   NodeList=n[%u-%u]\n   BatchHost=n%u\n", job->first + 1,
		job->first + job->nodes, job->first + 1);
	fprintf(out, "   NumNodes=%u NumCPUs=%u NumTasks=1 CPUs/Task=1\n"
		"   JOB_GRES=(null)\n", job->nodes, job->nodes * job->cpus);
	fprintf(out, "     Nodes=n[%u-%u] CPU_IDs=0-%u Mem=%u GRES=\n",
		job->first + 1, job->first + job->nodes, job->cpus - 1,
		job->memory_mb);
}

static void print_job(FILE *out, const struct job *job)
{
	fprintf(out, "JobId=%u ", job->id);
	if (job->array_id)
		fprintf(out, "ArrayJobId=%u ArrayTaskId=3 ", job->array_id);
	fprintf(out, "JobName=%s\n", job->text[NAME]);
	fprintf(out, "   UserId=u(%u) GroupId=g(1) MCS_label=N/A\n"
		"   Priority=%u Nice=0 Account=(null) QOS=normal\n"
		"   JobState=%s Reason=None Dependency=(null)\n"
		"   RunTime=00:00:02 TimeLimit=00:%02u:00 TimeMin=N/A\n",
		job->user, job->priority, states[job->state].word,
		job->minutes % 60);
	fprintf(out, "   SubmitTime=1700000000" MARK " EligibleTime=1700000000"
		MARK "\n   StartTime=1700000001" MARK " EndTime=1700000999" MARK
		" Deadline=N/A\n   Partition=main AllocNode:Sid=h:1\n");
	print_places(out, job);
	fprintf(out, "   OverSubscribe=%s Contiguous=0 Licenses=(null) Network=%s\n"
		"   Command=%s\n   WorkDir=%s\n   Comment=%s\n   Power=\n   \n\n",
		job->exclusive ? "NO" : "OK", job->text[NETWORK],
		job->text[PATH], job->text[PATH], job->text[COMMENT]);
}

static char *print(void (*one)(FILE *, const struct job *),
		   const struct job *job, uint32_t n)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fuzz_check(out != NULL);
	for (uint32_t i = 0; i < n; i++)
		one(out, &job[i]);
	fuzz_check(fclose(out) == 0);
	return text;
}

static char *print_nodes(void)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fuzz_check(out != NULL);
	for (unsigned i = 0; i < NODES; i++)
		fprintf(out, "NodeName=n%u CoresPerSocket=8\n   CPUAlloc=%u "
			"CPUEfctv=%u CPUTot=%u CPULoad=0.00\n   OS=Linux\n   "
			"RealMemory=1000 AllocMem=0 FreeMem=1\n   State=IDLE "
			"Weight=1 Owner=N/A\n\n", i + 1, CPUS, CPUS, CPUS);
	fuzz_check(fclose(out) == 0);
	return text;
}

/* Print them once: they are the same for every input. */
static const char *nodes_text(void)
{
	static char *text;

	if (!text)
		text = print_nodes();
	return text;
}

/* -- and what is read of it ------------------------------------------------- */

/* One line, blanks for other white space, printable; NULL: none, or "(null)". */
static void check_words(const char *is, const char *was)
{
	if (!is)
		return;
	fuzz_check(strlen(is) <= strlen(was));
	for (; *is; is++)
		fuzz_check((unsigned char) *is >= ' ');
}

static void check_job(const struct scontrol_job *is, const struct job *was)
{
	char nodes[32];

	fuzz_check(is->state == states[was->state].state);
	fuzz_check(is->run.who.user == was->user);
	fuzz_check(is->priority == was->priority);
	fuzz_check(is->run.limit_s == was->minutes % 60 * 60 && is->run.start_s == 1700000001);
	fuzz_check(is->exclusive == was->exclusive);
	check_words(is->run.who.name, was->text[NAME]);
	check_words(is->run.comment, was->text[COMMENT]);
	fuzz_check(is->nshares == (uint32_t) states[was->state].holds);
	if (!is->nshares)
		return;
	snprintf(nodes, sizeof(nodes), "n[%u-%u]", was->first + 1,
		 was->first + was->nodes);
	fuzz_check(is->run.nodes && strcmp(is->run.nodes, nodes) == 0);
	fuzz_check(strcmp(is->share[0].nodes, nodes) == 0);
	fuzz_check(is->share[0].cpus == was->cpus);
	fuzz_check(is->share[0].memory_mb == was->memory_mb);
	fuzz_check(is->run.n == was->nodes && is->run.node[0] == was->first);
	fuzz_check(is->run.cpus[is->run.n - 1] == was->cpus);
}

/* Every job once, but for those that are told to be lost. */
static void check_cluster(const struct cluster *c, const struct job *job,
			  uint32_t n, uint32_t lost)
{
	fuzz_check(c->jobs.n + lost == n && c->nodes.n == NODES);
	for (uint32_t i = 0; i < c->jobs.n; i++) {
		const struct scontrol_job *is = &c->jobs.job[i];

		fuzz_check(is->run.id && is->run.id <= n);
		fuzz_check(!i || is->run.id > c->jobs.job[i - 1].run.id);
		check_job(is, &job[is->run.id - 1]);
	}
	fuzz_check(c->hidden.n <= NODES);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char config[] =
		"SLURM_VERSION = 22.05.8\n"
		"PluginDir = /usr/lib\n"
		"SelectType = select/cons_tres\n"
		"SLURM_CONF = /etc/slurm.conf\n"
		"SlurmctldPidFile = /run/slurmctld.pid\n"
		"SlurmUser = slurm(64030)\n";
	static const char partition[] = "PartitionName=main\n   Nodes=n[1-8]\n"
					"   State=UP PriorityTier=1\n\n";
	static struct job job[JOBS];
	struct bytes in = { data, size };
	uint32_t n = 1 + take_below(&in, JOBS);
	struct cluster c = {
		.config.text = strdup(config), .nodes.text = strdup(nodes_text()),
		.partitions.text = strdup(partition), .reservations.text = strdup(""),
	};
	struct jobtext_lost lost;
	struct sfab_err err = { 0 };
	char *squeue, *scontrol;

	for (uint32_t i = 0; i < n; i++)
		take_job(&in, &job[i], i + 1);
	squeue = print(print_squeue, job, n);
	scontrol = print(print_job, job, n);
	c.jobs.text = jobtext_make(squeue, scontrol, MARK, &lost);
	free(squeue);
	free(scontrol);
	fuzz_check(cluster_take(&c, &err) == 0);
	check_cluster(&c, job, n, lost.n);
	cluster_free(&c);
	return 0;
}
