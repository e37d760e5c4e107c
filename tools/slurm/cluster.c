/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster.c - nodes, partitions and jobs of a Slurm cluster; see cluster.h
 *
 * Reads the text of scontrol, which all versions print alike; its JSON and libslurm
 * differ between versions.  The lists keep pointers into these texts.
 */

#include "tools/slurm/cluster.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "io/hostlist.h"
#include "tools/slurm/blocks.h"
#include "tools/slurm/program.h"
#include "tools/ui/say.h"

/*
 * From a name to the number of its node.  A job's hostlist can have thousands
 * of names, and comparing each with all nodes would be slow.
 */
struct cluster_name {
	const char *name;
	uint32_t node;
	UT_hash_handle hh;
};

/*
 * What scontrol is asked, in this order: jobs and nodes last, and one right after the
 * other, because they must match.  -a shows hidden partitions too; -d adds what jobs hold
 * of each node.
 */
static const struct {
	const struct record_type *type;
	size_t list, text;		/* in struct cluster, in struct cluster_texts */
	const char *flag, *kind;	/* NULL: jobtext.h asks */
} parts[] = {
#define PART(name, lists, text) &scontrol_##name##_type, offsetof(struct cluster, lists), \
	offsetof(struct cluster_texts, text)
	{ PART(partition, partitions, partition), "-a", "partition" },
	{ PART(reservation, reservations, reservation), "-a", "reservation" },
	{ PART(license, licenses, license), "-a", "licenses" },
	{ PART(job, jobs, job), NULL, NULL },
	{ PART(node, nodes, node), "-ad", "node" },
};
#define NPARTS (sizeof(parts) / sizeof(parts[0]))

static struct scontrol_list *list_of_part(struct cluster *c, size_t i)
{
	return (struct scontrol_list *) ((char *) c + parts[i].list);
}

static char **text_of_part(struct cluster_texts *t, size_t i)
{
	return (char **) ((char *) t + parts[i].text);
}

void cluster_free(struct cluster *c)
{
	struct cluster_name *name, *next;

	HASH_ITER(hh, c->names, name, next) {
		HASH_DEL(c->names, name);
		free(name);
	}
	for (size_t i = 0; i < NPARTS; i++)
		scontrol_free(list_of_part(c, i));
	slurmfacts_free(&c->config);
	free(c->topologies);
	memset(c, 0, sizeof(*c));
}

/* Its index, or CLUSTER_NONE. */
static uint32_t find_cluster_node(const struct cluster *c, const char *name)
{
	struct cluster_name *found;

	HASH_FIND_STR(c->names, name, found);
	return found ? found->node : CLUSTER_NONE;
}

/* Nodes are numbered in the order of scontrol's answer. */
static int number_nodes(struct cluster *c, struct sfab_err *err)
{
	for (uint32_t i = 0; i < c->nodes.n; i++) {
		struct cluster_name *entry;
		const char *name = c->nodes.node[i].name;

		if (!name || find_cluster_node(c, name) != CLUSTER_NONE)
			return sfab_fail(err, SFAB_EFORMAT, "scontrol show node: "
					 "NodeName=%.60s twice or no name",
					 name ? name : "");
		entry = need(1, sizeof(*entry));
		entry->name = name;
		entry->node = i;
		HASH_ADD_KEYPTR(hh, c->names, entry->name, strlen(entry->name),
				entry);
	}
	return 0;
}

/* Ids are unsigned, and their difference may not fit an int. */
static int compare_job_ids(const void *a, const void *b)
{
	const struct scontrol_job *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

const struct scontrol_job *cluster_job(const struct cluster *c, uint32_t id)
{
	const struct scontrol_job wanted = { .id = id };

	return c->jobs.n ? bsearch(&wanted, c->jobs.job, c->jobs.n,
				   sizeof(wanted), compare_job_ids)
			 : NULL;
}

/* Texts that no list has taken. */
static void free_texts(struct cluster_texts *t)
{
	for (size_t i = 0; i < NPARTS; i++)
		free(*text_of_part(t, i));
	free(t->config);
	free(t->topologies);
	memset(t, 0, sizeof(*t));
}

/*
 * The topologies' text is kept whole, because blocks.c reads it once for each
 * partition that is asked about.
 */
int cluster_take(struct cluster *c, struct cluster_texts *t,
		 struct sfab_err *err)
{
	int rc;

	memset(c, 0, sizeof(*c));
	rc = slurmfacts_parse(&c->config, t->config, err);
	/* Each list takes over its text, also on failure. */
	for (size_t i = 0; rc == 0 && i < NPARTS; i++) {
		char **text = text_of_part(t, i);

		rc = scontrol_parse(list_of_part(c, i), parts[i].type, *text, err);
		*text = NULL;
	}
	if (rc == 0)
		rc = number_nodes(c, err);
	if (rc == 0 && c->jobs.n)
		qsort(c->jobs.job, c->jobs.n, sizeof(*c->jobs.job),
		      compare_job_ids);
	if (rc == 0) {
		c->topologies = t->topologies;
		t->topologies = NULL;
	}
	free_texts(t);
	if (rc != 0)
		cluster_free(c);
	return rc;
}

/* Output of `scontrol FLAG show KIND`; caller frees. */
static int run_scontrol_show(const char *flag, const char *kind, char **text,
			     struct sfab_err *err)
{
	char *argv[] = { (char *) "scontrol", (char *) flag, (char *) "show",
			 (char *) kind, NULL };

	return program_output(argv, text, err);
}

/* Names are all that is wanted here, so jobs are not asked for. */
char *cluster_hostlist(struct sfab_err *err)
{
	struct scontrol_list nodes;
	const char **name;
	char *text, *list;

	if (run_scontrol_show("-a", "node", &text, err) != 0 ||
	    scontrol_parse(&nodes, &scontrol_node_type, text, err) != 0)
		return NULL;
	name = need(nodes.n, sizeof(*name));
	for (uint32_t i = 0; i < nodes.n; i++)
		name[i] = nodes.node[i].name ? nodes.node[i].name : "";
	list = sfab_hostlist_fold(name, nodes.n);
	if (!list)
		sfab_no_memory(err);
	free(name);
	scontrol_free(&nodes);
	return list;
}

/* There are several from 25.05 on; a refusal means that there are not. */
#define SEVERAL_TOPOLOGIES 2505

static void ask_topologies(struct cluster_texts *t)
{
	struct slurmfacts config;
	struct sfab_err err;

	if (slurmfacts_parse(&config, t->config, &err) != 0)
		return;
	if (slurmfacts_release(config.version) >= SEVERAL_TOPOLOGIES &&
	    run_scontrol_show("-a", "topoconf", &t->topologies, &err) != 0)
		t->topologies = NULL;
	slurmfacts_free(&config);
}

int cluster_ask(struct cluster *c, struct sfab_err *err)
{
	struct cluster_texts t = { 0 };
	struct jobtext_lost lost;
	int rc;

	memset(c, 0, sizeof(*c));
	/* Seconds since the epoch, so that no time zone matters. */
	setenv("SLURM_TIME_FORMAT", "%s", 1);	/* of reservations */
	rc = run_scontrol_show("-a", "config", &t.config, err);
	for (size_t i = 0; rc == 0 && i < NPARTS; i++)
		rc = parts[i].kind ? run_scontrol_show(parts[i].flag, parts[i].kind,
						       text_of_part(&t, i), err) :
				     jobtext_ask(NULL, &t.job, &lost, err);
	if (rc == 0)
		ask_topologies(&t);
	if (rc == 0)
		rc = cluster_take(c, &t, err);
	else
		free_texts(&t);
	if (rc == 0)
		c->lost = lost;
	return rc;
}

/*
 * Before 25.05 there is one topology, and its plugin's name says whether it has
 * blocks.  From then on each partition may name its own.
 */
int cluster_packs(const struct cluster *c, const struct scontrol_partition *p)
{
	int blocks = c->topologies ? blocks_in_topology(c->topologies, p->topology) :
				     -1;

	if (blocks < 0)
		blocks = c->config.topology &&
			 strcmp(c->config.topology, "topology/block") == 0;
	return blocks || p->takes_units;
}

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

uint8_t *cluster_flags(const struct cluster *c, const char *hostlist,
		       enum cluster_unknown unknown, uint32_t *n,
		       struct sfab_err *err)
{
	uint8_t *flags = need(c->nodes.n, 1);
	struct sfab_names names;
	int rc = sfab_hostlist_expand(hostlist, &names, err);

	/* A name that is listed twice is counted once. */
	*n = 0;
	for (uint32_t i = 0; rc == 0 && i < names.n; i++) {
		uint32_t node = find_cluster_node(c, names.name[i]);

		if (node != CLUSTER_NONE) {
			*n += !flags[node];
			flags[node] = 1;
		} else if (unknown == UNKNOWN_FAILS) {
			rc = sfab_fail(err, SFAB_ENOENT,
				       "%.200s: no such node in Slurm",
				       names.name[i]);
		}
	}
	sfab_names_free(&names);
	if (rc == 0)
		return flags;
	free(flags);
	return NULL;
}

/* -- what jobs hold ------------------------------------------------------- */

int cluster_job_runs(const struct scontrol_job *job)
{
	return job->state == JOB_RUNNING || job->state == JOB_SUSPENDED;
}

/*
 * A job suspended by hand frees its CPUs; one suspended by the gang scheduler
 * keeps them.
 */
int cluster_job_holds_cpus(const struct scontrol_job *job)
{
	return job->state == JOB_RUNNING ||
	       (job->state == JOB_SUSPENDED && job->priority);
}

int cluster_job_ended(const struct scontrol_job *job)
{
	return job->state == JOB_OTHER && job->nodes && job->end_s;
}

void cluster_hold_init(struct cluster_hold *h, const struct cluster *c)
{
	h->n = 0;
	h->node = need(c->nodes.n, sizeof(*h->node));
	h->cpus = need(c->nodes.n, sizeof(*h->cpus));
	h->memory_mb = need(c->nodes.n, sizeof(*h->memory_mb));
}

void cluster_hold_free(struct cluster_hold *h)
{
	free(h->node);
	free(h->cpus);
	free(h->memory_mb);
	memset(h, 0, sizeof(*h));
}

/* Fails only if a hostlist cannot be read. */
int cluster_job_hold(const struct cluster *c, const struct scontrol_job *job,
		     struct cluster_hold *h, struct sfab_err *err)
{
	uint32_t n;
	uint8_t *left;
	int rc = 0;

	h->n = 0;
	if (!job->nodes)
		return 0;
	/*
	 * A share may name nodes that the job has given back.  NodeList has
	 * what it still holds, so a share counts only as far as that goes.
	 */
	left = cluster_flags(c, job->nodes, UNKNOWN_LEFT_OUT, &n, err);
	for (uint32_t i = 0; left && rc == 0 && i < job->nshares; i++) {
		const struct scontrol_share *s = &job->share[i];
		uint8_t *flags = cluster_flags(c, s->nodes, UNKNOWN_LEFT_OUT, &n, err);

		for (uint32_t k = 0; flags && k < c->nodes.n; k++) {
			if (!flags[k] || !left[k])
				continue;
			left[k] = 0;
			h->node[h->n] = k;
			h->cpus[h->n] = s->cpus;
			h->memory_mb[h->n++] = s->memory_mb;
		}
		rc = flags ? 0 : -1;
		free(flags);
	}
	if (left && rc == 0) {
		free(left);
		return 0;
	}
	free(left);
	return sfab_fail_prefix(err, "scontrol show job: job %u", job->id);
}

/*
 * A node's own totals minus what the listed jobs hold there.  What remains
 * belongs to jobs that PrivateData hides from this user, and the preview must
 * not give it away.
 */
int cluster_hidden(const struct cluster *c, struct cluster_hold *h,
		   struct sfab_err *err)
{
	uint32_t *cpus = need(c->nodes.n, sizeof(*cpus));
	uint64_t *memory = need(c->nodes.n, sizeof(*memory));
	int rc = 0;

	for (uint32_t i = 0; i < c->nodes.n; i++) {
		cpus[i] = c->nodes.node[i].cpus_held;
		memory[i] = c->nodes.node[i].memory_held_mb;
	}
	for (uint32_t i = 0; rc == 0 && i < c->jobs.n; i++) {
		const struct scontrol_job *job = &c->jobs.job[i];

		if (!cluster_job_runs(job))
			continue;
		rc = cluster_job_hold(c, job, h, err);
		/* Not below zero. */
		for (uint32_t k = 0; k < h->n; k++) {
			uint32_t *left = &cpus[h->node[k]];
			uint64_t *left_mb = &memory[h->node[k]];

			if (cluster_job_holds_cpus(job))
				*left -= h->cpus[k] < *left ? h->cpus[k] : *left;
			*left_mb -= h->memory_mb[k] < *left_mb ? h->memory_mb[k] : *left_mb;
		}
	}
	h->n = 0;
	for (uint32_t i = 0; i < c->nodes.n; i++) {
		if (!cpus[i] && !memory[i])
			continue;
		h->node[h->n] = i;
		h->cpus[h->n] = cpus[i];
		h->memory_mb[h->n++] = memory[i];
	}
	free(cpus);
	free(memory);
	return rc;
}
