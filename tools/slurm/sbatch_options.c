/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sbatch_options.c - the table of sbatch's options; see sbatch.h
 *
 * A setter stores a value in struct sbatch, or returns what it expected.  Options that cannot
 * change the placement are in the table too, so that they are accepted and ignored.
 */

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "tools/slurm/gres_text.h"
#include "tools/slurm/sbatch.h"
#include "tools/ui/duration.h"
#include "tools/ui/number.h"

/* All setters have them, though few use all. */
#define PARAMETERS struct sbatch *s, const struct sbatch_option *option, const char *value

static void *option_member(struct sbatch *s, const struct sbatch_option *option)
{
	return (char *) s + option->offset;
}

/* Parse digits and an optional k or m; *@end is what follows. */
static int parse_sbatch_count(const char *text, uint32_t *n, const char **end)
{
	uint64_t x;

	*end = number_take(text, UINT32_MAX, &x);
	if (!*end)
		return -1;
	x <<= number_take_unit(end, "km");
	*n = (uint32_t) x;
	return x > UINT32_MAX ? -1 : 0;
}

/* Set the numbers of nodes.  "4-" has no upper end, which is 0 here. */
static const char *set_nodes(PARAMETERS)
{
	uint32_t min, max;
	const char *end;

	if (parse_sbatch_count(value, &min, &end) != 0 || !min)
		return option->value;
	max = min;
	if (*end == '-' && !end[1]) {
		max = 0;
		end++;
	} else if (*end == '-' &&
		   parse_sbatch_count(end + 1, &max, &end) != 0) {
		return option->value;
	}
	if (*end || (max && max < min))
		return option->value;
	s->ask.min_nodes = min;
	s->ask.max_nodes = max;
	s->flags |= SBATCH_NODES;
	return NULL;
}

/* Set a number >= 1. */
static const char *set_number(PARAMETERS)
{
	uint64_t x;

	s->flags |= option->flag;
	if (number_parse(value, INT32_MAX, &x) != 0 || !x)
		return "a number from 1 on";
	*(uint32_t *) option_member(s, option) = (uint32_t) x;
	return NULL;
}

/* Parse "2", or "*" for any; "1-4" means at least 1. */
static int parse_min(const char *text, size_t size, uint32_t *n)
{
	const char *end;
	uint64_t x;

	*n = 0;
	if (!size || *text == '*')
		return size > 1 ? -1 : 0;
	end = number_take(text, INT32_MAX, &x);
	*n = (uint32_t) x;
	return !end || (end < text + size && *end != '-') ? -1 : 0;
}

/* Set -B: "2:4:1" is sockets, cores of a socket and threads of a core. */
static const char *set_sbatch_layout(PARAMETERS)
{
	uint32_t *const part[] = { &s->ask.sockets_per_node, &s->ask.cores_per_socket,
				   &s->ask.threads_per_core };

	s->flags |= option->flag;
	for (int i = 0; i < 3; i++) {
		size_t n = strcspn(value, ":");

		if (parse_min(value, n, part[i]) != 0)
			return option->value;
		value += n + (value[n] == ':');
	}
	return *value ? option->value : NULL;
}

static const char *set_min(PARAMETERS)
{
	return parse_min(value, strlen(value), option_member(s, option)) ? "a number" : NULL;
}

/* Keep the hint as a word: what it means depends on the nodes' threads. */
static const char *set_hint(PARAMETERS)
{
	static const char *const words[] = {
		"compute_bound", "memory_bound", "multithread", "nomultithread",
	};

	s->hint = value;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasecmp(value, words[i]) == 0)
			return NULL;
	return option->doc;
}

static const char *set_time(PARAMETERS)
{
	s->flags |= option->flag;
	return duration_parse(value, &s->ask.limit_s) ? "MINUTES[:SECONDS], HOURS:MINUTES:SECONDS "
	       "or DAYS-HOURS[:MINUTES[:SECONDS]]" : NULL;
}

/* Parse a size such as "16G" to MB, which are meant without a unit.  Return as a setter does. */
static const char *parse_size(const char *value, uint64_t max, uint64_t *mb)
{
	static const char expected[] = "a size such as 2000M or 16G";
	unsigned bits;
	uint64_t x;

	value = number_take(value, UINT32_MAX, &x);
	if (!value)
		return expected;
	bits = number_take_unit(&value, "kmgt");
	*mb = bits == 10 ? (x + 1023) / 1024 : x << (bits ? bits - 20 : 0);
	return *value || *mb > max ? expected : NULL;
}

/*
 * Set --mem or --mem-per-cpu.  A variable yields to the script where the script gave the other
 * kind.  Otherwise the two contradict each other, as they do in sbatch.
 */
static const char *set_memory(PARAMETERS)
{
	enum sbatch_memory kind = strcmp(option->name, "mem") == 0 ? MEMORY_NODE : MEMORY_CPU;
	int is_env = !!(s->flags & SBATCH_ENV);

	if (s->memory != MEMORY_UNSAID && s->memory != kind) {
		if (is_env == !!(s->flags & SBATCH_MEMORY_ENV))
			return "either --mem or --mem-per-cpu";
		if (is_env)
			return NULL;
	}
	s->memory = kind;
	s->flags &= ~(unsigned) SBATCH_MEMORY_ENV;
	s->flags |= is_env ? SBATCH_MEMORY_ENV : 0;
	return parse_size(value, UINT64_MAX, &s->ask.memory_mb);
}

/* Set --tmp, in MiB. */
static const char *set_tmp(PARAMETERS)
{
	uint64_t mb;
	const char *expected = parse_size(value, UINT32_MAX, &mb);

	s->tmp_mb = expected ? 0 : (uint32_t) mb;
	return expected;
}

/* Set --exclusive.  Without a value the first row counts: the job has its nodes to itself. */
static const char *set_sbatch_exclusive(PARAMETERS)
{
	static const struct {
		const char *word;
		enum sbatch_share share;
		unsigned flag;
	} words[] = {
		{ "exclusive", SHARE_EXCLUSIVE, 0 },
		{ "user", SHARE_USER, 0 },
		{ "mcs", SHARE_USER, 0 },
		{ "topo", SHARE_EXCLUSIVE, SFAB_ASK_TOPOLOGY },
		{ "oversubscribe", SHARE_YES, 0 },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (value && strcasecmp(value, words[i].word) != 0)
			continue;
		s->share = words[i].share;
		s->ask.flags |= words[i].flag;
		return NULL;
	}
	return "user, mcs or topo";
}

static const char *set_sbatch_oversubscribe(PARAMETERS)
{
	s->share = SHARE_YES;
	return NULL;
}

/* Set --switches.  The time after '@' is how long to wait for them; a preview is about now. */
static const char *set_switches(PARAMETERS)
{
	const char *end;

	if (parse_sbatch_count(value, &s->ask.switches, &end) != 0)
		return option->value;
	return *end && *end != '@' ? option->value : NULL;
}

/* Set a flag, whatever the value is. */
static const char *set_flag(PARAMETERS)
{
	*(unsigned *) option_member(s, option) |= option->flag;
	return NULL;
}

/*
 * Set the devices of each node.  Devices that the plugin leaves to Slurm are only noted: mps
 * and shard are parts of a GPU, and only Slurm knows of which one.
 */
static const char *set_gres(PARAMETERS)
{
	s->gres = strcasecmp(value, "none") ? value : NULL;
	if (value && (strstr(value, "mps") || strstr(value, "shard")))
		s->ask.flags |= option->flag;
	return gres_text_is_valid(value) ? NULL : "NAME[:TYPE][:COUNT],...";
}

/* Set GPUs: "a100:2,v100:1" is kept as "gpu:a100:2,gpu:v100:1". */
static const char *set_gpus(PARAMETERS)
{
	size_t size = sizeof(s->gpus), n = 0, word;
	char *list = option_member(s, option);

	list[0] = '\0';
	for (const char *p = value; *p && n < size; p += word + !!p[word]) {
		word = strcspn(p, ",");
		n += (size_t) snprintf(list + n, size - n, "%sgpu:%.*s",
				       n ? "," : "", (int) word, p);
	}
	return n < size && gres_text_is_valid(list) ? NULL : "[TYPE:]COUNT,...";
}

/* Note an option whose effect cannot be previewed. */
static const char *set_note(PARAMETERS)
{
	s->ask.flags |= option->flag;
	/* Each option is reported once, however often it is given. */
	for (uint32_t i = 0; i < s->nnotes; i++)
		if (s->note[i] == option->name)
			return NULL;
	if (s->nnotes < SBATCH_NOTES)
		s->note[s->nnotes++] = option->name;
	return NULL;
}

/* Note --begin, except "now": a job that begins later is not previewed as one that starts now. */
static const char *set_begin(PARAMETERS)
{
	return strcmp(value, "now") == 0 ? NULL : set_note(s, option, value);
}

/* Keep the text as it is, borrowed from the caller. */
static const char *set_sbatch_text(PARAMETERS)
{
	*(const char **) option_member(s, option) = value;
	return NULL;
}

/*
 * Columns of the table: name, letter, flags, variable, what its value is called, text for
 * --help (NULL: not listed), setter, the flag that it sets, and the member.
 */
#define NO SBATCH_NO_VALUE
#define MAY SBATCH_MAY_HAVE_VALUE
#define SCRIPT SBATCH_SCRIPT_ONLY
#define ENV(name) "SBATCH_" name
#define OFFSET(member) offsetof(struct sbatch, member)
#define TEXT(name, letter, env, value, doc, member) \
	{ name, letter, 0, env, value, doc, set_sbatch_text, 0, OFFSET(member) }
#define NUMBER(name, letter, doc, flag, member) \
	{ name, letter, 0, NULL, "N", doc, set_number, flag, OFFSET(member) }
#define LEAST(name, env, doc, member) \
	{ name, 0, 0, env, "N", doc, set_min, 0, OFFSET(member) }
#define NOTE(name, letter, env) \
	{ name, letter, 0, env, "VALUE", NULL, set_note, 0, 0 }
#define GRES(name, env) \
	{ name, 0, 0, ENV(env), "VALUE", NULL, set_flag, SFAB_ASK_GRES, OFFSET(ask.flags) }
#define FREE_AS(name, letter, flags) \
	{ name, letter, flags, NULL, "VALUE", NULL, NULL, 0, 0 }
#define FREE(name) FREE_AS(name, 0, 0)

const struct sbatch_option sbatch_options[] = {
	/* these decide where a job may go */
	{ "nodes", 'N', 0, NULL, "MIN[-MAX]", "Number of nodes; as many as possible up to MAX",
	  set_nodes, 0, 0 },
	NUMBER("ntasks", 'n', "Tasks", SBATCH_NTASKS, ask.tasks),
	NUMBER("cpus-per-task", 'c', "CPUs per task", SBATCH_CPUS, ask.cpus_per_task),
	NUMBER("ntasks-per-node", 0, "Tasks per node", 0, ask.tasks_per_node),
	NUMBER("tasks-per-node", 0, NULL, 0, ask.tasks_per_node),
	{ "mem", 0, 0, ENV("MEM_PER_NODE"), "SIZE[KMGT]", "Memory per node", set_memory,
	  0, 0 },
	{ "mem-per-cpu", 0, 0, ENV("MEM_PER_CPU"), "SIZE[KMGT]", "Memory per CPU",
	  set_memory, 0, 0 },
	NUMBER("mincpus", 0, "CPUs that a node must have free", 0, ask.cpus_per_node),
	{ "extra-node-info", 'B', 0, NULL, "SOCKETS[:CORES[:THREADS]]",
	  "Sockets per node, cores per socket, threads per core", set_sbatch_layout,
	  SBATCH_LAYOUT, 0 },
	LEAST("sockets-per-node", NULL, NULL, ask.sockets_per_node),
	LEAST("cores-per-socket", NULL, NULL, ask.cores_per_socket),
	LEAST("threads-per-core", ENV("THREADS_PER_CORE"),
	      "Threads per core to use", ask.threads_per_core),
	LEAST("ntasks-per-core", NULL, "Tasks per core", ask.tasks_per_core),
	LEAST("ntasks-per-socket", NULL, "Tasks per socket", ask.tasks_per_socket),
	{ "hint", 0, 0, ENV("HINT"), "WORD", "compute_bound, memory_bound, multithread or "
	  "nomultithread", set_hint, 0, 0 },
	{ "tmp", 0, 0, NULL, "SIZE[KMGT]", "Temporary disk per node", set_tmp, 0, 0 },
	TEXT("partition", 'p', ENV("PARTITION"), "NAME", "Partition", ask.partition),
	TEXT("nodelist", 'w', NULL, "HOSTLIST", "Nodes that the job must have", nodelist),
	TEXT("exclude", 'x', NULL, "HOSTLIST", "Nodes that the job must not have", exclude),
	{ "exclusive", 0, MAY, ENV("EXCLUSIVE"), "user|mcs|topo", "Share no node with other jobs",
	  set_sbatch_exclusive, 0, 0 },
	{ "oversubscribe", 's', NO, NULL, NULL, "Share nodes", set_sbatch_oversubscribe, 0, 0 },
	{ "overcommit", 'O', NO, ENV("OVERCOMMIT"), NULL, "Tasks may share CPUs", set_flag,
	  SFAB_ASK_OVERCOMMIT, OFFSET(ask.flags) },
	{ "contiguous", 0, NO, NULL, NULL, "Neighboring nodes", set_flag, SFAB_ASK_CONTIGUOUS,
	  OFFSET(ask.flags) },
	{ "switches", 0, 0, NULL, "COUNT[@TIME]", "At most this many leaf switches", set_switches,
	  0, 0 },
	{ "spread-job", 0, NO, ENV("SPREAD_JOB"), NULL, "Spread over as many nodes as possible",
	  set_flag, SFAB_ASK_SPREAD, OFFSET(ask.flags) },
	{ "use-min-nodes", 0, NO, ENV("USE_MIN_NODES"), NULL, "Prefer MIN of -N to MAX",
	  set_flag, SBATCH_MIN_NODES, OFFSET(flags) },
	TEXT("constraint", 'C', ENV("CONSTRAINT"), "FEATURES",
	     "Features that nodes must have: a, a&b or a|b", constraint),
	TEXT("comment", 0, NULL, "TEXT", "The job's comment; may be a hint", ask.comment),
	TEXT("network", 0, ENV("NETWORK"), "TEXT", "The job's network; may be a hint", ask.network),
	TEXT("job-name", 'J', ENV("JOB_NAME"), "NAME", "The job's name", ask.who.name),
	TEXT("account", 'A', ENV("ACCOUNT"), "NAME", "The job's account", ask.who.account),
	TEXT("qos", 'q', ENV("QOS"), "NAME", "The job's quality of service", ask.who.qos),
	{ "time", 't', 0, ENV("TIMELIMIT"), "TIME", "Time limit", set_time, SBATCH_TIME, 0 },
	TEXT("reservation", 0, ENV("RESERVATION"), "NAME",
	     "Nodes of this reservation", reservation),
	TEXT("licenses", 'L', NULL, "NAME[:COUNT],...", "Licenses that must be free", licenses),
	{ "segment", 0, 0, NULL, "N", NULL, set_flag, SFAB_ASK_SEGMENT, OFFSET(ask.flags) },

	{ "gres", 0, 0, ENV("GRES"), "LIST", "Devices on each node: name, type, count", set_gres,
	  SFAB_ASK_GRES, 0 },
	{ "gpus-per-node", 0, 0, ENV("GPUS_PER_NODE"), "[TYPE:]COUNT", "GPUs on each node",
	  set_gpus, 0, OFFSET(gpus) },

	/* the plugin leaves such jobs to Slurm */
	{ "gpus", 'G', 0, ENV("GPUS"), "[TYPE:]COUNT", "GPUs of all nodes", set_gpus, 0,
	  OFFSET(gpus_job) },
	{ "gpus-per-task", 0, 0, ENV("GPUS_PER_TASK"), "[TYPE:]COUNT", "GPUs of each task",
	  set_gpus, 0, OFFSET(gpus_task) },
	GRES("gpus-per-socket", "GPUS_PER_SOCKET"),
	GRES("cpus-per-gpu", "CPUS_PER_GPU"),
	GRES("mem-per-gpu", "MEM_PER_GPU"),
	{ "begin", 'b', 0, NULL, "TIME", NULL, set_begin, SFAB_ASK_FUTURE, 0 },
	{ "dependency", 'd', 0, NULL, "LIST", NULL, set_note, SFAB_ASK_FUTURE, 0 },
	{ "hold", 'H', NO, NULL, NULL, NULL, set_note, SFAB_ASK_FUTURE, 0 },

	/* the preview cannot know the effect */
	NOTE("bb", 0, ENV("BURST_BUFFER")),
	NOTE("bbf", 0, NULL),
	NOTE("cluster-constraint", 0, ENV("CLUSTER_CONSTRAINT")),
	NOTE("clusters", 'M', ENV("CLUSTERS")),
	NOTE("core-spec", 'S', ENV("CORE_SPEC")),
	NOTE("mcs-label", 0, NULL),
	NOTE("nodefile", 'F', NULL),
	NOTE("ntasks-per-gpu", 0, NULL),
	NOTE("ntasks-per-tres", 0, NULL),
	NOTE("prefer", 0, NULL),
	NOTE("thread-spec", 0, ENV("THREAD_SPEC")),
	{ "reboot", 0, NO, NULL, NULL, NULL, set_note, 0, 0 },

	/* no effect on placement: those with a value and without a letter, and the others */
	FREE("acctg-freq"), FREE("batch"), FREE("container"), FREE("context"), FREE("cpu-freq"),
	FREE("deadline"), FREE("delay-boot"), FREE("export"), FREE("export-file"), FREE("extra"),
	FREE("gid"), FREE("gpu-bind"), FREE("gpu-freq"), FREE("gres-flags"),
	FREE("kill-on-invalid-dep"), FREE("mail-type"), FREE("mail-user"), FREE("mem-bind"),
	FREE("open-mode"), FREE("power"), FREE("priority"), FREE("profile"), FREE("signal"),
	FREE("time-min"), FREE("uid"), FREE("wait-all-nodes"), FREE("wckey"), FREE("wrap"),
	FREE_AS("array", 'a', 0),
	FREE_AS("chdir", 'D', 0),
	FREE_AS("distribution", 'm', 0),
	FREE_AS("error", 'e', 0),
	FREE_AS("get-user-env", 0, MAY),
	FREE_AS("help", 'h', NO | SCRIPT),
	FREE_AS("ignore-pbs", 0, NO),
	FREE_AS("input", 'i', 0),
	FREE_AS("nice", 0, MAY),
	FREE_AS("no-kill", 'k', MAY),
	FREE_AS("no-requeue", 0, NO),
	FREE_AS("output", 'o', SCRIPT),
	FREE_AS("parsable", 0, NO),
	FREE_AS("propagate", 0, MAY),
	FREE_AS("quiet", 'Q', NO),
	FREE_AS("requeue", 0, NO),
	FREE_AS("test-only", 0, NO),
	FREE_AS("usage", 0, NO | SCRIPT),
	FREE_AS("verbose", 'v', NO | SCRIPT),
	FREE_AS("version", 'V', NO | SCRIPT),
	FREE_AS("wait", 'W', NO),
	{ 0 }
};
