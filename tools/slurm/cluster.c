/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster.c - nodes, partitions and jobs of a Slurm cluster; see cluster.h
 *
 * Reads the text of scontrol, which all versions print alike; its JSON and libslurm differ
 * between versions.  The lists keep pointers into these texts.
 */

#include "tools/slurm/cluster.h"

#include <stdlib.h>
#include <string.h>

#include "io/hostlist.h"
#include "tools/slurm/program.h"
#include "tools/ui/xalloc.h"

/*
 * What scontrol is asked, in the order of the lists: jobs and nodes last, and one right after
 * the other, because they must match.  -a shows hidden partitions too; -d adds what jobs hold
 * of each node.
 */
static const struct {
	const struct record_type *type;
	const char *flag, *kind;	/* NULL: jobtext.h asks */
} questions[CLUSTER_LISTS] = {
	{ &scontrol_partition_type, "-a", "partition" },
	{ &scontrol_reservation_type, "-a", "reservation" },
	{ &scontrol_license_type, "-a", "licenses" },
	{ &scontrol_job_type, NULL, NULL },
	{ &scontrol_node_type, "-ad", "node" },
};

/* Free what a job holds; the members are const for all others. */
static void free_hold(struct sfab_place_run *run)
{
	free((void *) run->node);
	free((void *) run->cpus);
	free((void *) run->memory_mb);
}

void cluster_free(struct cluster *c)
{
	free(c->by_name);
	for (uint32_t i = 0; i < c->jobs.n; i++)
		free_hold(&c->jobs.job[i].run);
	free_hold(&c->hidden);
	for (size_t i = 0; i < CLUSTER_LISTS; i++)
		scontrol_free(&c->list[i]);
	slurmfacts_free(&c->config);
	free(c->topologies);
	memset(c, 0, sizeof(*c));
}

static int compare_cluster_nodes(const void *a, const void *b)
{
	const struct scontrol_node *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

/*
 * Sort the nodes by name.  A job's hostlist can have thousands of names, and comparing each
 * with all nodes would be slow.
 */
static int sort_nodes(struct cluster *c, struct sfab_err *err)
{
	uint32_t n = c->nodes.n;

	c->by_name = xcalloc(n, sizeof(*c->by_name));
	for (uint32_t i = 0; i < n; i++) {
		c->by_name[i] = &c->nodes.node[i];
		if (!c->by_name[i]->name)
			return sfab_fail(err, SFAB_EFORMAT, "scontrol show node: no NodeName");
	}
	qsort(c->by_name, n, sizeof(*c->by_name), compare_cluster_nodes);
	for (uint32_t i = 1; i < n; i++)
		if (strcmp(c->by_name[i]->name, c->by_name[i - 1]->name) == 0)
			return sfab_fail(err, SFAB_EFORMAT, "scontrol show node: "
					 "NodeName=%.60s twice", c->by_name[i]->name);
	return 0;
}

/* Compare two ids.  They are unsigned, and their difference may not fit an int. */
static int compare_job_ids(const void *a, const void *b)
{
	const struct scontrol_job *x = a, *y = b;

	return x->run.id < y->run.id ? -1 : x->run.id > y->run.id;
}

const struct scontrol_job *cluster_job(const struct cluster *c, uint32_t id)
{
	const struct scontrol_job wanted = { .run.id = id };

	return c->jobs.n ? bsearch(&wanted, c->jobs.job, c->jobs.n,
				   sizeof(wanted), compare_job_ids)
			 : NULL;
}

/* -- what jobs hold ------------------------------------------------------- */

int cluster_job_runs(const struct scontrol_job *job)
{
	return job->state == JOB_RUNNING || job->state == JOB_SUSPENDED;
}

/*
 * Does the job hold CPUs?  One suspended by hand frees them; one suspended by the gang
 * scheduler keeps them.
 */
int cluster_job_holds_cpus(const struct scontrol_job *job)
{
	return job->state == JOB_RUNNING ||
	       (job->state == JOB_SUSPENDED && job->priority);
}

int cluster_job_ended(const struct scontrol_job *job)
{
	return job->state == JOB_OTHER && job->run.nodes && job->end_s;
}

static void add_to_hold(struct sfab_place_run *run, uint32_t i, uint32_t cpus,
			uint64_t memory_mb)
{
	uint32_t *node = xgrow((void *) run->node, run->n, sizeof(*node));
	uint32_t *held = xgrow((void *) run->cpus, run->n, sizeof(*held));
	uint64_t *memory = xgrow((void *) run->memory_mb, run->n, sizeof(*memory));

	node[run->n] = i;
	held[run->n] = cpus;
	memory[run->n++] = memory_mb;
	run->node = node;
	run->cpus = held;
	run->memory_mb = memory;
}

enum { HOLD_NODE = 1, HOLD_SHARE = 2 };

/*
 * Find what a job holds.  A share may name nodes that the job has given back.  NodeList has
 * what it still holds, so a share counts only as far as that goes.
 */
static int find_hold(const struct cluster *c, struct scontrol_job *job,
		     struct sfab_err *err)
{
	uint16_t *marks = xcalloc(c->nodes.n, sizeof(*marks));
	int rc = cluster_mark(c, job->run.nodes, UNKNOWN_LEFT_OUT, marks, HOLD_NODE, err);

	for (uint32_t i = 0; rc >= 0 && i < job->nshares; i++) {
		const struct scontrol_share *s = &job->share[i];

		rc = cluster_mark(c, s->nodes, UNKNOWN_LEFT_OUT, marks, HOLD_SHARE, err);
		for (uint32_t k = 0; k < c->nodes.n; k++) {
			if (marks[k] == (HOLD_NODE | HOLD_SHARE)) {
				add_to_hold(&job->run, k, s->cpus, s->memory_mb);
				marks[k] = 0;
			}
			marks[k] &= HOLD_NODE;
		}
	}
	free(marks);
	return rc < 0 ? sfab_fail_prefix(err, "scontrol show job: job %u", job->run.id) : 0;
}

/*
 * Find what hidden jobs hold: a node's own totals minus what the listed jobs hold there.
 * PrivateData hides these jobs from this user, but the preview must not give their CPUs away.
 */
static void find_hidden(struct cluster *c)
{
	uint32_t *cpus = xcalloc(c->nodes.n, sizeof(*cpus));
	uint64_t *memory = xcalloc(c->nodes.n, sizeof(*memory));

	for (uint32_t i = 0; i < c->nodes.n; i++) {
		cpus[i] = c->nodes.node[i].cpus_held;
		memory[i] = c->nodes.node[i].memory_held_mb;
	}
	for (uint32_t i = 0; i < c->jobs.n; i++) {
		const struct scontrol_job *job = &c->jobs.job[i];
		const struct sfab_place_run *run = &job->run;

		/* Not below zero: nodes are asked for a moment after jobs. */
		for (uint32_t k = 0; cluster_job_runs(job) && k < run->n; k++) {
			uint32_t *cpus_left = &cpus[run->node[k]];
			uint64_t *mb_left = &memory[run->node[k]];

			if (cluster_job_holds_cpus(job))
				*cpus_left -= run->cpus[k] < *cpus_left ? run->cpus[k] : *cpus_left;
			*mb_left -= run->memory_mb[k] < *mb_left ? run->memory_mb[k] : *mb_left;
		}
	}
	for (uint32_t i = 0; i < c->nodes.n; i++)
		if (cpus[i] || memory[i])
			add_to_hold(&c->hidden, i, cpus[i], memory[i]);
	free(cpus);
	free(memory);
}

/* -- asking ---------------------------------------------------------------- */

int cluster_take(struct cluster *c, struct sfab_err *err)
{
	int rc = slurmfacts_parse(&c->config, c->config.text, err);

	for (size_t i = 0; rc == 0 && i < CLUSTER_LISTS; i++)
		rc = scontrol_parse(&c->list[i], questions[i].type, c->list[i].text, err);
	if (rc == 0)
		rc = sort_nodes(c, err);
	if (rc == 0 && c->jobs.n)
		qsort(c->jobs.job, c->jobs.n, sizeof(*c->jobs.job),
		      compare_job_ids);
	for (uint32_t i = 0; rc == 0 && i < c->jobs.n; i++)
		if (c->jobs.job[i].nshares)
			rc = find_hold(c, &c->jobs.job[i], err);
	if (rc == 0)
		find_hidden(c);
	else
		cluster_free(c);
	return rc;
}

/* Run `scontrol FLAG show KIND`; the caller frees *@text. */
static int run_scontrol_show(const char *flag, const char *kind, char **text,
			     struct sfab_err *err)
{
	char *argv[] = { (char *) "scontrol", (char *) flag, (char *) "show",
			 (char *) kind, NULL };

	return program_output(argv, 0, text, err);
}

/* Return the names of all nodes.  Jobs are not asked for. */
char *cluster_hostlist(struct sfab_err *err)
{
	struct scontrol_list nodes;
	const char **name;
	char *text, *list;

	if (run_scontrol_show("-a", "node", &text, err) != 0 ||
	    scontrol_parse(&nodes, &scontrol_node_type, text, err) != 0)
		return NULL;
	name = xcalloc(nodes.n, sizeof(*name));
	for (uint32_t i = 0; i < nodes.n; i++)
		name[i] = nodes.node[i].name ? nodes.node[i].name : "";
	list = sfab_hostlist_fold(name, nodes.n);
	if (!list)
		sfab_no_memory(err);
	free(name);
	scontrol_free(&nodes);
	return list;
}

int cluster_ask(struct cluster *c, struct sfab_err *err)
{
	struct sfab_err refusal;
	int rc;

	memset(c, 0, sizeof(*c));
	/* Seconds since the epoch, so that no time zone matters. */
	setenv("SLURM_TIME_FORMAT", "%s", 1);	/* of reservations */
	rc = run_scontrol_show("-a", "config", &c->config.text, err);
	for (size_t i = 0; rc == 0 && i < CLUSTER_LISTS; i++)
		rc = questions[i].kind ? run_scontrol_show(questions[i].flag, questions[i].kind,
							   &c->list[i].text, err) :
				     jobtext_ask(NULL, &c->jobs.text, &c->lost, err);
	if (rc != 0) {
		cluster_free(c);
		return rc;
	}
	/* There are several from 25.05 on; a refusal means that there are not. */
	run_scontrol_show("-a", "topoconf", &c->topologies, &refusal);
	return cluster_take(c, err);
}

/* -- topologies ------------------------------------------------------------- */

#define TOPOLOGY "- topology: "

/* Is the line at @line exactly @words? */
static int is_line(const char *line, const char *words)
{
	size_t n = strlen(words);

	return strncmp(line, words, n) == 0 && (line[n] == '\n' || !line[n]);
}

/* Return where the next line begins, or the final NUL. */
static const char *line_after(const char *line)
{
	const char *end = strchr(line, '\n');

	return end ? end + 1 : line + strlen(line);
}

/*
 * Does the topology whose first line is at @line have that name?  NULL stands for the cluster's
 * default: then one of the lines up to the next topology must say so.
 */
static int is_named_topology(const char *line, const char *name)
{
	if (name)
		return is_line(line + strlen(TOPOLOGY), name);
	for (line = line_after(line); *line && strncmp(line, TOPOLOGY, strlen(TOPOLOGY)) != 0;
	     line = line_after(line))
		if (is_line(line, "  cluster_default: true"))
			return 1;
	return 0;
}

/*
 * Is the topology of that name (NULL: the cluster's default) one of blocks?  @text is what
 * `scontrol show topoconf` prints from 25.05 on, topology.yaml as slurmctld understood it:
 *
 *     - topology: racks
 *       cluster_default: false
 *       block:
 *         block_sizes:
 *       tree: {}
 *
 * All kinds are there; those that it is not of are "{}".  -1: @text names no such topology.
 */
static int find_topology_blocks(const char *text, const char *name)
{
	/* -1: not in the topology that is meant; 0: in it; 1: it has blocks. */
	int found = -1;

	for (const char *line = text; *line; line = line_after(line)) {
		if (strncmp(line, TOPOLOGY, strlen(TOPOLOGY)) == 0) {
			if (found >= 0)
				return found;
			found = is_named_topology(line, name) ? 0 : -1;
		} else if (found == 0 && is_line(line, "  block:")) {
			found = 1;
		}
	}
	return found;
}

/*
 * Does the partition pack jobs into blocks?  Before 25.05 there is one topology, and its
 * plugin's name says whether it has blocks.  From then on each partition may name its own.
 */
int cluster_packs(const struct cluster *c, const struct scontrol_partition *p)
{
	const char *plugin = slurmfacts_get(&c->config, "TopologyPlugin");
	int blocks = c->topologies ? find_topology_blocks(c->topologies, p->topology) :
				     -1;

	if (blocks < 0)
		blocks = plugin && strcmp(plugin, "topology/block") == 0;
	return blocks || p->takes_units;
}

/* -- looking up ------------------------------------------------------------- */

const struct scontrol_partition *cluster_partition(const struct cluster *c,
						   const char *name)
{
	if (name)
		return scontrol_named(&c->partitions, name);
	for (uint32_t i = 0; i < c->partitions.n; i++)
		if (c->partitions.partition[i].is_default)
			return &c->partitions.partition[i];
	return NULL;
}

/* Mark the nodes of @hostlist.  A name that is listed twice is counted once. */
int cluster_mark(const struct cluster *c, const char *hostlist,
		 enum cluster_unknown unknown, uint16_t *marks, uint16_t bits,
		 struct sfab_err *err)
{
	struct sfab_names names = { 0 };
	int n = hostlist ? sfab_hostlist_expand(hostlist, &names, err) : 0;

	for (uint32_t i = 0; n >= 0 && i < names.n; i++) {
		const struct scontrol_node wanted = { .name = names.name[i] }, *key = &wanted;
		const struct scontrol_node **node = bsearch(&key, c->by_name, c->nodes.n,
							    sizeof(*node),
							    compare_cluster_nodes);

		if (node) {
			uint16_t *mark = &marks[*node - c->nodes.node];

			n += (*mark & bits) != bits;
			*mark |= bits;
		} else if (unknown == UNKNOWN_FAILS) {
			n = sfab_fail(err, SFAB_ENOENT, "%.200s: no such node in Slurm",
				      names.name[i]);
		}
	}
	sfab_names_free(&names);
	return n;
}
