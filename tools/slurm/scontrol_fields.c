/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scontrol_fields.c - the fields of nodes, jobs and partitions that are read; see
 * scontrol_private.h
 *
 * One table per kind of record: key, where its value goes, and how it is read.  A setter
 * returns what it expected if the value is wrong; unknown words are no error, because other
 * versions of Slurm have others.
 *
 * A text that a user or an administrator can write is in the table even if nobody reads it:
 * FIELD_TO_EOL makes its key end the line.  Without the row, words of that text could pass for
 * fields.
 */

#include <stdlib.h>
#include <string.h>

#include "tools/slurm/scontrol.h"
#include "tools/slurm/scontrol_private.h"
#include "tools/ui/number.h"
#include "tools/ui/xalloc.h"

#define OFFSET(type, member) offsetof(struct scontrol_##type, member)

/* -- nodes ---------------------------------------------------------------- */

/*
 * States and flags of nodes on which jobs may start.  A word that is not here (DRAIN, DOWN,
 * COMPLETING, ...) keeps jobs off.  So a state that a later version invents makes a node
 * unusable, which is the safe way to be wrong.
 */
#define STATES_UP "IDLE,MIXED,ALLOCATED,CLOUD,DYNAMIC_FUTURE,DYNAMIC_NORM,PLANNED," \
	"POWERED_DOWN,POWERING_UP," STATES_RESERVED
#define STATES_RESERVED "MAINTENANCE,RESERVED"

/* Set a node's state: "IDLE+PLANNED" is up if each word is in STATES_UP. */
static const char *set_state(void *record, const char *value)
{
	struct scontrol_node *node = record;
	unsigned up = NODE_UP;

	node->state = 0;
	for (const char *p = value; p; p = strchr(p, '+')) {
		size_t size;

		p += *p == '+';
		size = strcspn(p, "+");
		if (!scontrol_has_word(STATES_UP, p, size))
			up = 0;
		if (scontrol_has_word(STATES_RESERVED, p, size))
			node->state |= NODE_RESERVED;
	}
	node->state |= up;
	return NULL;
}

static const struct field node_fields[] = {
	{ "NodeName", FIELD_TEXT, .offset = OFFSET(node, name) },
	{ "CPUAlloc", FIELD_U32, .offset = OFFSET(node, cpus_held) },
	{ "CPUEfctv", FIELD_U32, .offset = OFFSET(node, cpus_effective) },
	{ "CPUTot", FIELD_U32, .offset = OFFSET(node, cpus) },
	{ "ActiveFeatures", FIELD_TEXT, .offset = OFFSET(node, features) },
	{ "Gres", FIELD_TEXT, .offset = OFFSET(node, devices) },
	{ "GresUsed", FIELD_TEXT, .offset = OFFSET(node, devices_held) },
	{ "Sockets", FIELD_U32, .offset = OFFSET(node, sockets) },
	{ "ThreadsPerCore", FIELD_U32, .offset = OFFSET(node, threads) },
	{ "OS", FIELD_SKIP, .flags = FIELD_TO_EOL },
	{ "RealMemory", FIELD_U64, .offset = OFFSET(node, memory_mb) },
	{ "AllocMem", FIELD_U64, .offset = OFFSET(node, memory_held_mb) },
	{ "MemSpecLimit", FIELD_U64, .offset = OFFSET(node, memory_kept_mb) },
	{ "State", FIELD_OTHER, .set = set_state },
	{ "TmpDisk", FIELD_U32, .offset = OFFSET(node, tmp_disk_mb) },
	{ "Weight", FIELD_U32, .offset = OFFSET(node, weight) },
	{ "Owner", FIELD_TEXT, .offset = OFFSET(node, owner) },
	{ "Reason", FIELD_SKIP, .flags = FIELD_TO_EOL },
	{ "Comment", FIELD_SKIP, .flags = FIELD_TO_EOL },
	{ "Extra", FIELD_SKIP, .flags = FIELD_TO_EOL },
	{ 0 }
};

const struct record_type scontrol_node_type = {
	"node", sizeof(struct scontrol_node), node_fields, NULL,
};

/* -- jobs ----------------------------------------------------------------- */

/*
 * Set the state of a job that holds its nodes, or waits for some.  One that is STOPPED or
 * SIGNALING still has them.  Of other states nothing is set.
 */
static const char *set_job_state(void *record, const char *value)
{
	static const char running[] = "RUNNING,CONFIGURING,RESIZING,SIGNALING,STOPPED";
	struct scontrol_job *job = record;

	if (scontrol_has_word(running, value, strlen(value)))
		job->state = JOB_RUNNING;
	else if (strcmp(value, "PENDING") == 0)
		job->state = JOB_PENDING;
	else if (strcmp(value, "SUSPENDED") == 0)
		job->state = JOB_SUSPENDED;
	return NULL;
}

/* Set whether other jobs may join.  "NO": no other job; YES, OK, USER and MCS allow others. */
static const char *set_job_exclusive(void *record, const char *value)
{
	struct scontrol_job *job = record;

	job->exclusive = strcmp(value, "NO") == 0;
	job->shares = strcmp(value, "YES") == 0;
	return NULL;
}

/* Begin a share: "Nodes=n[1-2] CPU_IDs=0-3 Mem=100". */
static const char *set_share(void *record, const char *value)
{
	struct scontrol_job *job = record;

	job->share = xgrow(job->share, job->nshares, sizeof(*job->share));
	job->share[job->nshares++] = (struct scontrol_share){ .nodes = value };
	return NULL;
}

/* Return the share that is being read; NULL: there was no "Nodes=" yet. */
static struct scontrol_share *last_share(struct scontrol_job *job)
{
	return job->nshares ? &job->share[job->nshares - 1] : NULL;
}

/* Count the CPUs of a share: "0-3,8" is five; which ones they are does not matter here. */
static const char *set_share_cpus(void *record, const char *value)
{
	static const char expected[] = "Nodes=LIST before, CPUs like 0-3,8";
	struct scontrol_share *share = last_share(record);
	const char *text = value;
	uint32_t total = 0;

	if (!share)
		return expected;
	while (*text) {
		uint64_t first, last;
		const char *end = number_take(text, UINT16_MAX, &first);

		last = first;
		if (end && *end == '-')
			end = number_take(end + 1, UINT16_MAX, &last);
		if (!end || last < first || (*end && *end != ','))
			return expected;
		total += (uint32_t) (last - first + 1);
		/*
		 * More than a node can have: a text that repeats ranges must not let the sum
		 * run over.
		 */
		if (total > UINT16_MAX + 1u)
			return expected;
		text = *end ? end + 1 : end;
	}
	share->cpus = total;
	return NULL;
}

/* Set the memory of a share.  Outside a share "Mem" is ignored, since it may get other meanings. */
static const char *set_share_memory(void *record, const char *value)
{
	struct scontrol_share *share = last_share(record);

	return share && number_parse(value, UINT64_MAX, &share->memory_mb) ? "a number" : NULL;
}

/* Set the user from "name(1234)". */
static const char *set_job_user(void *record, const char *value)
{
	struct scontrol_job *job = record;
	const char *open = strrchr(value, '(');
	char *end;
	unsigned long user = open ? strtoul(open + 1, &end, 10) : 0;

	if (!open || open[1] < '0' || open[1] > '9' || *end != ')' ||
	    user > UINT32_MAX)
		return "NAME(NUMBER)";
	job->run.who.user = (uint32_t) user;
	return NULL;
}

static const struct field job_fields[] = {
	{ "JobId", FIELD_U32, .offset = OFFSET(job, run.id) },
	{ "JobName", FIELD_TEXT, .offset = OFFSET(job, run.who.name), .flags = FIELD_TO_EOL },
	{ "UserId", FIELD_OTHER, .set = set_job_user },
	{ "Account", FIELD_TEXT, .offset = OFFSET(job, run.who.account) },
	{ "QOS", FIELD_TEXT, .offset = OFFSET(job, run.who.qos) },
	{ "JobState", FIELD_OTHER, .set = set_job_state },
	{ "TimeLimit", FIELD_DURATION, .offset = OFFSET(job, run.limit_s) },
	{ "StartTime", FIELD_TIME, .offset = OFFSET(job, run.start_s) },
	{ "EndTime", FIELD_TIME, .offset = OFFSET(job, end_s) },
	{ "Priority", FIELD_U32, .offset = OFFSET(job, priority) },
	{ "Partition", FIELD_TEXT, .offset = OFFSET(job, run.partition) },
	{ "NodeList", FIELD_TEXT, .offset = OFFSET(job, run.nodes) },
	{ "Nodes", FIELD_OTHER, .flags = FIELD_AGAIN, .set = set_share },
	{ "CPU_IDs", FIELD_OTHER, .flags = FIELD_AGAIN, .set = set_share_cpus },
	{ "Mem", FIELD_OTHER, .flags = FIELD_AGAIN, .set = set_share_memory },
	{ "OverSubscribe", FIELD_OTHER, .set = set_job_exclusive },
	/*
	 * No other job.  From 26.05 on this says so, and OverSubscribe=NO is said of nearly all
	 * jobs.  A job with TOPO (--exclusive=topo) owns cores of its nodes only.
	 */
	{ "Exclusive", FIELD_IS, .offset = OFFSET(job, exclusive), .word = "NODE" },
	{ "Network", FIELD_TEXT, .offset = OFFSET(job, run.network), .flags = FIELD_TO_EOL },
	{ "Comment", FIELD_TEXT, .offset = OFFSET(job, run.comment), .flags = FIELD_TO_EOL },
	{ "AdminComment", FIELD_SKIP, .flags = FIELD_TO_EOL },
	{ "SystemComment", FIELD_SKIP, .flags = FIELD_TO_EOL },
	{ "Extra", FIELD_SKIP, .flags = FIELD_TO_EOL },
	{ "Command", FIELD_SKIP, .flags = FIELD_TO_EOL },
	{ "SubmitLine", FIELD_SKIP, .flags = FIELD_TO_EOL },
	{ "WorkDir", FIELD_SKIP, .flags = FIELD_TO_EOL },
	{ "StdErr", FIELD_SKIP, .flags = FIELD_TO_EOL },
	{ "StdIn", FIELD_SKIP, .flags = FIELD_TO_EOL },
	{ "StdOut", FIELD_SKIP, .flags = FIELD_TO_EOL },
	{ 0 }
};

static void free_job_shares(void *record)
{
	free(((struct scontrol_job *) record)->share);
}

const struct record_type scontrol_job_type = {
	"job", sizeof(struct scontrol_job), job_fields, free_job_shares,
};

/* -- partitions ----------------------------------------------------------- */

/*
 * Set OverSubscribe: EXCLUSIVE, NO, YES:4 or FORCE:4.  The number says how many jobs may share
 * a resource.
 */
static const char *set_part_oversubscribe(void *record, const char *value)
{
	struct scontrol_partition *part = record;
	const char *colon = strchr(value, ':');
	uint64_t rows = 1;

	part->exclusive |= strcmp(value, "EXCLUSIVE") == 0;
	part->forced = strncmp(value, "FORCE", 5) == 0;
	if (colon && number_parse(colon + 1, UINT16_MAX, &rows) != 0)
		return "EXCLUSIVE, NO, YES:N or FORCE:N";
	part->rows = part->exclusive ? 0 : (uint32_t) rows;
	return NULL;
}

/*
 * Set Exclusive, which scontrol prints from 26.05 on, before OverSubscribe=NO.  NODE or TOPO is
 * what was OverSubscribe=EXCLUSIVE, USER what was ExclusiveUser=YES.
 */
static const char *set_part_exclusive(void *record, const char *value)
{
	struct scontrol_partition *part = record;

	part->exclusive = strcmp(value, "NODE") == 0 || strcmp(value, "TOPO") == 0;
	part->takes_units = strcmp(value, "TOPO") == 0;
	part->exclusive_user |= strcmp(value, "USER") == 0;
	return NULL;
}

static const struct field partition_fields[] = {
	{ "PartitionName", FIELD_TEXT, .offset = OFFSET(partition, name) },
	{ "Default", FIELD_IS, .offset = OFFSET(partition, is_default), .word = "YES" },
	{ "ExclusiveUser", FIELD_IS, .offset = OFFSET(partition, exclusive_user), .word = "YES" },
	{ "ExclusiveTopo", FIELD_IS, .offset = OFFSET(partition, takes_units), .word = "YES" },
	{ "Exclusive", FIELD_OTHER, .set = set_part_exclusive },
	{ "MaxNodes", FIELD_LIMIT, .offset = OFFSET(partition, max_nodes) },
	{ "MinNodes", FIELD_U32, .offset = OFFSET(partition, min_nodes) },
	{ "MaxCPUsPerNode", FIELD_LIMIT, .offset = OFFSET(partition, max_cpus) },
	{ "LLN", FIELD_IS, .offset = OFFSET(partition, least_loaded), .word = "YES" },
	{ "Nodes", FIELD_TEXT, .offset = OFFSET(partition, nodes) },
	{ "OverSubscribe", FIELD_OTHER, .set = set_part_oversubscribe },
	{ "Topology", FIELD_TEXT, .offset = OFFSET(partition, topology) },
	{ "State", FIELD_IS, .offset = OFFSET(partition, is_up), .word = "UP" },
	{ "SelectTypeParameters", FIELD_TEXT, .offset = OFFSET(partition, select) },
	{ "JobDefaults", FIELD_TEXT, .offset = OFFSET(partition, job_defaults) },
	{ "DefaultTime", FIELD_DURATION, .offset = OFFSET(partition, default_s) },
	{ "MaxTime", FIELD_DURATION, .offset = OFFSET(partition, limit_s) },
	{ "DefMemPerCPU", FIELD_LIMIT, .offset = OFFSET(partition, cpu_mb) },
	{ "DefMemPerNode", FIELD_LIMIT, .offset = OFFSET(partition, node_mb) },
	{ 0 }
};

const struct record_type scontrol_partition_type = {
	"partition", sizeof(struct scontrol_partition), partition_fields, NULL,
};

/* -- reservations --------------------------------------------------------- */

static const struct field reservation_fields[] = {
	{ "ReservationName", FIELD_TEXT, .offset = OFFSET(reservation, name) },
	{ "StartTime", FIELD_TIME, .offset = OFFSET(reservation, start_s) },
	{ "EndTime", FIELD_TIME, .offset = OFFSET(reservation, end_s) },
	{ "Nodes", FIELD_TEXT, .offset = OFFSET(reservation, nodes) },
	{ "CoreIDs", FIELD_TEXT, .offset = OFFSET(reservation, cores), .flags = FIELD_AGAIN },
	{ "PartitionName", FIELD_TEXT, .offset = OFFSET(reservation, partition) },
	{ "Flags", FIELD_TEXT, .offset = OFFSET(reservation, flags) },
	{ "Users", FIELD_TEXT, .offset = OFFSET(reservation, users) },
	{ "Accounts", FIELD_TEXT, .offset = OFFSET(reservation, accounts) },
	{ "Groups", FIELD_TEXT, .offset = OFFSET(reservation, groups) },
	{ 0 }
};

const struct record_type scontrol_reservation_type = {
	"reservation", sizeof(struct scontrol_reservation), reservation_fields,
	NULL,
};

/* -- licenses ------------------------------------------------------------- */

static const struct field license_fields[] = {
	{ "LicenseName", FIELD_TEXT, .offset = OFFSET(license, name) },
	{ "Total", FIELD_U32, .offset = OFFSET(license, total) },
	{ "Free", FIELD_U32, .offset = OFFSET(license, free) },
	{ "Reserved", FIELD_U32, .offset = OFFSET(license, reserved) },
	{ 0 }
};

const struct record_type scontrol_license_type = {
	"license", sizeof(struct scontrol_license), license_fields, NULL,
};
