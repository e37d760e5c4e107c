/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scontrol_fields.c - the fields of nodes, jobs and partitions that are read
 *
 * One table per kind of record: key, where its value goes, and how it is read.  A
 * setter returns -1 after it set *expected for the message; unknown words are no
 * error, because other versions of Slurm have others.
 *
 * A text that a user or an administrator can write is in the table even if
 * nobody reads it: FIELD_TO_EOL makes its key end the line.  Without the row,
 * words of that text could pass for fields.
 */

#include <stdlib.h>
#include <string.h>

#include "tools/slurm/scontrol.h"
#include "tools/slurm/scontrol_private.h"
#include "tools/ui/duration.h"
#include "tools/ui/number.h"
#include "tools/ui/say.h"

#define AT(type, member) offsetof(struct scontrol_##type, member)

/* -- nodes ---------------------------------------------------------------- */

/*
 * States and flags of nodes on which jobs may start.  A word that is not here
 * (DRAIN, DOWN, COMPLETING, ...) keeps jobs off.  So a state that a later
 * version invents makes a node unusable, which is the safe way to be wrong.
 */
static const struct {
	const char *word;
	unsigned state;
} node_words[] = {
	{ "IDLE", 0 },
	{ "MIXED", 0 },
	{ "ALLOCATED", 0 },
	{ "CLOUD", 0 },
	{ "DYNAMIC_FUTURE", 0 },
	{ "DYNAMIC_NORM", 0 },
	{ "MAINTENANCE", NODE_RESERVED },
	{ "PLANNED", 0 },
	{ "POWERED_DOWN", 0 },
	{ "POWERING_UP", 0 },
	{ "RESERVED", NODE_RESERVED },
};

/* "IDLE+PLANNED": up if each word is in the list above. */
static int set_state(void *record, const char *value, const char **expected)
{
	struct scontrol_node *node = record;
	unsigned up = NODE_UP;

	node->state = 0;
	for (const char *p = value; p; p = strchr(p, '+')) {
		unsigned state;
		size_t size;

		p += *p == '+';
		size = strcspn(p, "+");
		state = 0;
		for (size_t i = 0;
		     i < sizeof(node_words) / sizeof(node_words[0]); i++)
			if (strncmp(node_words[i].word, p, size) == 0 &&
			    !node_words[i].word[size]) {
				state = NODE_UP | node_words[i].state;
				break;
			}
		up &= state;
		node->state |= state & ~(unsigned) NODE_UP;
	}
	node->state |= up;
	return 0;
}

/* "N/A": the node belongs to no user. */
static int set_owner(void *record, const char *value, const char **expected)
{
	struct scontrol_node *node = record;

	node->owner = strcmp(value, "N/A") ? value : NULL;
	return 0;
}

static const struct field node_fields[] = {
	{ "NodeName", FIELD_TEXT, 0, AT(node, name), NULL },
	{ "CPUAlloc", FIELD_U32, 0, AT(node, cpus_held), NULL },
	{ "CPUEfctv", FIELD_U32, 0, AT(node, cpus_effective), NULL },
	{ "CPUTot", FIELD_U32, 0, AT(node, cpus), NULL },
	{ "ActiveFeatures", FIELD_TEXT, 0, AT(node, features), NULL },
	{ "Gres", FIELD_TEXT, 0, AT(node, devices), NULL },
	{ "GresUsed", FIELD_TEXT, 0, AT(node, devices_held), NULL },
	{ "Sockets", FIELD_U32, 0, AT(node, sockets), NULL },
	{ "ThreadsPerCore", FIELD_U32, 0, AT(node, threads), NULL },
	{ "OS", FIELD_SKIP, FIELD_TO_EOL, 0, NULL },
	{ "RealMemory", FIELD_U64, 0, AT(node, memory_mb), NULL },
	{ "AllocMem", FIELD_U64, 0, AT(node, memory_held_mb), NULL },
	{ "MemSpecLimit", FIELD_U64, 0, AT(node, memory_kept_mb), NULL },
	{ "State", FIELD_OTHER, 0, 0, set_state },
	{ "TmpDisk", FIELD_U32, 0, AT(node, tmp_disk_mb), NULL },
	{ "Weight", FIELD_U32, 0, AT(node, weight), NULL },
	{ "Owner", FIELD_OTHER, 0, 0, set_owner },
	{ "Reason", FIELD_SKIP, FIELD_TO_EOL, 0, NULL },
	{ "Comment", FIELD_SKIP, FIELD_TO_EOL, 0, NULL },
	{ "Extra", FIELD_SKIP, FIELD_TO_EOL, 0, NULL },
	{ 0 }
};

const struct record_type scontrol_node_type = {
	"node", sizeof(struct scontrol_node), node_fields, NULL,
};

/* -- jobs ----------------------------------------------------------------- */

/*
 * States of a job that holds its nodes, or waits for some.  A job that is
 * STOPPED or SIGNALING still has its nodes.
 */
static const struct {
	const char *word;
	enum job_state state;
} job_words[] = {
	{ "PENDING", JOB_PENDING },
	{ "RUNNING", JOB_RUNNING },
	{ "CONFIGURING", JOB_RUNNING },
	{ "RESIZING", JOB_RUNNING },
	{ "SIGNALING", JOB_RUNNING },
	{ "STOPPED", JOB_RUNNING },
	{ "SUSPENDED", JOB_SUSPENDED },
};

/* States that are not in the table neither run nor wait: nothing is set. */
static int set_job_state(void *record, const char *value,
			 const char **expected)
{
	struct scontrol_job *job = record;

	for (size_t i = 0; i < sizeof(job_words) / sizeof(job_words[0]); i++)
		if (strcmp(job_words[i].word, value) == 0)
			job->state = job_words[i].state;
	return 0;
}

/*
 * Seconds, because cluster_ask() requests that format; other text is not a
 * time.
 */
static int set_start(void *record, const char *value, const char **expected)
{
	number_parse(value, INT64_MAX, &((struct scontrol_job *) record)->start_s);
	return 0;
}

static int set_end(void *record, const char *value, const char **expected)
{
	number_parse(value, INT64_MAX, &((struct scontrol_job *) record)->end_s);
	return 0;
}

/* UNLIMITED is 0 seconds here. */
static int set_limit(uint64_t *seconds, const char *value,
		     const char **expected)
{
	*expected = "[DAYS-]HOURS:MINUTES:SECONDS";
	return duration_parse(value, seconds);
}

/* Partition_Limit sets nothing. */
static int set_job_limit(void *record, const char *value,
			 const char **expected)
{
	struct scontrol_job *job = record;

	if (strcmp(value, "Partition_Limit") == 0)
		return 0;
	return set_limit(&job->limit_s, value, expected);
}

/* "NO": no other job; YES, OK, USER and MCS allow others. */
static int set_job_exclusive(void *record, const char *value,
			     const char **expected)
{
	struct scontrol_job *job = record;

	job->exclusive = strcmp(value, "NO") == 0;
	job->shares = strcmp(value, "YES") == 0;
	return 0;
}

/*
 * NODE: no other job.  From 26.05 on this says so, and OverSubscribe=NO is said of
 * nearly all jobs.  A job with TOPO (--exclusive=topo) owns cores of its nodes only.
 */
static int set_job_alone(void *record, const char *value, const char **expected)
{
	struct scontrol_job *job = record;

	job->exclusive = strcmp(value, "NODE") == 0;
	return 0;
}

/* "Nodes=n[1-2] CPU_IDs=0-3 Mem=100": begins a share. */
static int set_share(void *record, const char *value, const char **expected)
{
	struct scontrol_job *job = record;

	job->share = need_more(job->share, job->nshares, sizeof(*job->share));
	job->share[job->nshares++] = (struct scontrol_share){ .nodes = value };
	return 0;
}

/* NULL: no "Nodes=" came yet. */
static struct scontrol_share *last_share(struct scontrol_job *job)
{
	return job->nshares ? &job->share[job->nshares - 1] : NULL;
}

/* "0-3,8" is five CPUs; which ones they are does not matter here. */
static int set_share_cpus(void *record, const char *value,
			  const char **expected)
{
	struct scontrol_share *share = last_share(record);
	const char *text = value;
	uint32_t total = 0;

	*expected = "Nodes=LIST before, CPUs like 0-3,8";
	if (!share)
		return -1;
	while (*text) {
		uint64_t first, last;
		const char *end = number_take(text, UINT16_MAX, &first);

		last = first;
		if (end && *end == '-')
			end = number_take(end + 1, UINT16_MAX, &last);
		if (!end || last < first || (*end && *end != ','))
			return -1;
		total += (uint32_t) (last - first + 1);
		/*
		 * More than a node can have: a text that repeats ranges must
		 * not let the sum run over.
		 */
		if (total > UINT16_MAX + 1u)
			return -1;
		text = *end ? end + 1 : end;
	}
	share->cpus = total;
	return 0;
}

/* Only within a share: "Mem" may get other meanings elsewhere. */
static int set_share_memory(void *record, const char *value,
			    const char **expected)
{
	struct scontrol_share *share = last_share(record);

	*expected = "a number";
	return share ? number_parse(value, UINT64_MAX, &share->memory_mb) : 0;
}

/* "name(1234)" */
static int set_user(void *record, const char *value, const char **expected)
{
	struct scontrol_job *job = record;
	const char *open = strrchr(value, '(');
	char *end;
	unsigned long user = open ? strtoul(open + 1, &end, 10) : 0;

	*expected = "NAME(NUMBER)";
	if (!open || open[1] < '0' || open[1] > '9' || *end != ')' ||
	    user > UINT32_MAX)
		return -1;
	job->user = (uint32_t) user;
	return 0;
}

static const struct field job_fields[] = {
    {"JobId", FIELD_U32, 0, AT(job, id), NULL},
    {"JobName", FIELD_TEXT, FIELD_TO_EOL, AT(job, name), NULL},
    {"UserId", FIELD_OTHER, 0, 0, set_user},
    {"Account", FIELD_TEXT, 0, AT(job, account), NULL},
    {"QOS", FIELD_TEXT, 0, AT(job, qos), NULL},
    {"JobState", FIELD_OTHER, 0, 0, set_job_state},
    {"TimeLimit", FIELD_OTHER, 0, 0, set_job_limit},
    {"StartTime", FIELD_OTHER, 0, 0, set_start},
    {"EndTime", FIELD_OTHER, 0, 0, set_end},
    {"Priority", FIELD_U32, 0, AT(job, priority), NULL},
    {"Partition", FIELD_TEXT, 0, AT(job, partition), NULL},
    {"NodeList", FIELD_TEXT, 0, AT(job, nodes), NULL},
    {"Nodes", FIELD_OTHER, FIELD_AGAIN, 0, set_share},
    {"CPU_IDs", FIELD_OTHER, FIELD_AGAIN, 0, set_share_cpus},
    {"Mem", FIELD_OTHER, FIELD_AGAIN, 0, set_share_memory},
    {"OverSubscribe", FIELD_OTHER, 0, 0, set_job_exclusive},
    {"Exclusive", FIELD_OTHER, 0, 0, set_job_alone},
    {"Network", FIELD_TEXT, FIELD_TO_EOL, AT(job, network), NULL},
    {"Comment", FIELD_TEXT, FIELD_TO_EOL, AT(job, comment), NULL},
    {"AdminComment", FIELD_SKIP, FIELD_TO_EOL, 0, NULL},
    {"SystemComment", FIELD_SKIP, FIELD_TO_EOL, 0, NULL},
    {"Extra", FIELD_SKIP, FIELD_TO_EOL, 0, NULL},
    {"Command", FIELD_SKIP, FIELD_TO_EOL, 0, NULL},
    {"SubmitLine", FIELD_SKIP, FIELD_TO_EOL, 0, NULL},
    {"WorkDir", FIELD_SKIP, FIELD_TO_EOL, 0, NULL},
    {"StdErr", FIELD_SKIP, FIELD_TO_EOL, 0, NULL},
    {"StdIn", FIELD_SKIP, FIELD_TO_EOL, 0, NULL},
    {"StdOut", FIELD_SKIP, FIELD_TO_EOL, 0, NULL},
    {0}};

static void free_job_shares(void *record)
{
	free(((struct scontrol_job *) record)->share);
}

const struct record_type scontrol_job_type = {
    "job",
    sizeof(struct scontrol_job),
    job_fields,
    free_job_shares,
};

/* -- partitions ----------------------------------------------------------- */

/* DOWN, DRAIN and INACTIVE start no jobs. */
static int set_up(void *record, const char *value, const char **expected)
{
	struct scontrol_partition *part = record;

	part->is_up = strcmp(value, "UP") == 0;
	return 0;
}

/*
 * EXCLUSIVE, NO, YES:4 or FORCE:4.  The number says how many jobs may share a
 * resource.
 */
static int set_part_oversubscribe(void *record, const char *value,
				  const char **expected)
{
	struct scontrol_partition *part = record;
	const char *colon = strchr(value, ':');
	uint64_t rows = 1;

	*expected = "EXCLUSIVE, NO, YES:N or FORCE:N";
	part->exclusive |= strcmp(value, "EXCLUSIVE") == 0;
	part->forced = strncmp(value, "FORCE", 5) == 0;
	part->shared = part->forced || strncmp(value, "YES", 3) == 0;
	if (colon && number_parse(colon + 1, UINT16_MAX, &rows) != 0)
		return -1;
	part->rows = part->exclusive ? 0 : (uint32_t) rows;
	return 0;
}

/*
 * From 26.05 on, and before OverSubscribe=NO: NODE or TOPO for what was
 * OverSubscribe=EXCLUSIVE, USER for what was ExclusiveUser=YES.
 */
static int set_part_alone(void *record, const char *value,
			  const char **expected)
{
	struct scontrol_partition *part = record;

	part->exclusive = strcmp(value, "NODE") == 0 || strcmp(value, "TOPO") == 0;
	part->takes_units = strcmp(value, "TOPO") == 0;
	part->exclusive_user |= strcmp(value, "USER") == 0;
	return 0;
}

/* UNLIMITED sets no number. */
static int set_default_memory(struct scontrol_partition *part,
			      const char *value, const char **expected,
			      int per_cpu)
{
	*expected = "a number or UNLIMITED";
	part->memory_per_cpu = per_cpu;
	if (strcmp(value, "UNLIMITED") == 0)
		return 0;
	return number_parse(value, UINT64_MAX, &part->memory_mb);
}

/* Which of the two a partition has is said by the key, not by the value. */
static int set_memory_cpu(void *record, const char *value,
			  const char **expected)
{
	return set_default_memory(record, value, expected, 1);
}

static int set_memory_node(void *record, const char *value,
			   const char **expected)
{
	return set_default_memory(record, value, expected, 0);
}

/* NONE: jobs without a limit get the partition's maximum. */
static int set_default_time(void *record, const char *value,
			    const char **expected)
{
	struct scontrol_partition *part = record;

	if (strcmp(value, "NONE") == 0)
		return 0;
	return set_limit(&part->default_s, value, expected);
}

static int set_max_time(void *record, const char *value,
			const char **expected)
{
	struct scontrol_partition *part = record;

	return set_limit(&part->limit_s, value, expected);
}

static const struct field partition_fields[] = {
    {"PartitionName", FIELD_TEXT, 0, AT(partition, name), NULL},
    {"Default", FIELD_YES, 0, AT(partition, is_default), NULL},
    {"ExclusiveUser", FIELD_YES, 0, AT(partition, exclusive_user), NULL},
    {"ExclusiveTopo", FIELD_YES, 0, AT(partition, takes_units), NULL},
    {"Exclusive", FIELD_OTHER, 0, 0, set_part_alone},
    {"MaxNodes", FIELD_LIMIT, 0, AT(partition, max_nodes), NULL},
    {"MinNodes", FIELD_U32, 0, AT(partition, min_nodes), NULL},
    {"MaxCPUsPerNode", FIELD_LIMIT, 0, AT(partition, max_cpus), NULL},
    {"LLN", FIELD_YES, 0, AT(partition, least_loaded), NULL},
    {"Nodes", FIELD_TEXT, 0, AT(partition, nodes), NULL},
    {"OverSubscribe", FIELD_OTHER, 0, 0, set_part_oversubscribe},
    {"Topology", FIELD_TEXT, 0, AT(partition, topology), NULL},
    {"State", FIELD_OTHER, 0, 0, set_up},
    {"SelectTypeParameters", FIELD_TEXT, 0, AT(partition, select), NULL},
    {"JobDefaults", FIELD_TEXT, 0, AT(partition, job_defaults), NULL},
    {"DefaultTime", FIELD_OTHER, 0, 0, set_default_time},
    {"MaxTime", FIELD_OTHER, 0, 0, set_max_time},
    {"DefMemPerCPU", FIELD_OTHER, 0, 0, set_memory_cpu},
    {"DefMemPerNode", FIELD_OTHER, 0, 0, set_memory_node},
    {0}};

const struct record_type scontrol_partition_type = {
	"partition", sizeof(struct scontrol_partition), partition_fields, NULL,
};

/* -- reservations --------------------------------------------------------- */

/* @list is separated by commas; the whole word must be equal. */
static int has_flag(const char *list, const char *flag)
{
	size_t n = strlen(flag);

	for (const char *p = list; p; p = strchr(p, ',')) {
		p += *p == ',';
		if (strncmp(p, flag, n) == 0 && (!p[n] || p[n] == ','))
			return 1;
	}
	return 0;
}

/* Only flags that change which nodes a reservation keeps, and when. */
static int set_flags(void *record, const char *value, const char **expected)
{
	struct scontrol_reservation *r = record;

	r->all_nodes = has_flag(value, "ALL_NODES");
	r->all_of_partition = has_flag(value, "PART_NODES");
	r->repeats = has_flag(value, "HOURLY") || has_flag(value, "DAILY") ||
		     has_flag(value, "WEEKLY") || has_flag(value, "WEEKDAY") ||
		     has_flag(value, "WEEKEND");
	r->is_maintenance = has_flag(value, "MAINT");
	r->is_flexible = has_flag(value, "FLEX");
	return 0;
}

/*
 * Seconds, because cluster_ask() requests that format; other text is not a
 * time.
 */
static int set_from(void *record, const char *value, const char **expected)
{
	number_parse(value, INT64_MAX,
		     &((struct scontrol_reservation *) record)->start_s);
	return 0;
}

static int set_until(void *record, const char *value, const char **expected)
{
	number_parse(value, INT64_MAX,
		     &((struct scontrol_reservation *) record)->end_s);
	return 0;
}

/*
 * Its lines name the cores of one node each; that there are any is all that is
 * used.
 */
static int set_in_part(void *record, const char *value, const char **expected)
{
	((struct scontrol_reservation *) record)->in_part = 1;
	return 0;
}

static const struct field reservation_fields[] = {
	{ "ReservationName", FIELD_TEXT, 0, AT(reservation, name), NULL },
	{ "StartTime", FIELD_OTHER, 0, 0, set_from },
	{ "EndTime", FIELD_OTHER, 0, 0, set_until },
	{ "Nodes", FIELD_TEXT, 0, AT(reservation, nodes), NULL },
	{ "CoreIDs", FIELD_OTHER, FIELD_AGAIN, 0, set_in_part },
	{ "PartitionName", FIELD_TEXT, 0, AT(reservation, partition), NULL },
	{ "Flags", FIELD_OTHER, 0, 0, set_flags },
	{ "Users", FIELD_TEXT, 0, AT(reservation, users), NULL },
	{ "Accounts", FIELD_TEXT, 0, AT(reservation, accounts), NULL },
	{ "Groups", FIELD_TEXT, 0, AT(reservation, groups), NULL },
	{ 0 }
};

const struct record_type scontrol_reservation_type = {
	"reservation", sizeof(struct scontrol_reservation), reservation_fields,
	NULL,
};

/* -- licenses ------------------------------------------------------------- */

static const struct field license_fields[] = {
	{ "LicenseName", FIELD_TEXT, 0, AT(license, name), NULL },
	{ "Total", FIELD_U32, 0, AT(license, total), NULL },
	{ "Free", FIELD_U32, 0, AT(license, free), NULL },
	{ "Reserved", FIELD_U32, 0, AT(license, reserved), NULL },
	{ 0 }
};

const struct record_type scontrol_license_type = {
	"license", sizeof(struct scontrol_license), license_fields, NULL,
};
