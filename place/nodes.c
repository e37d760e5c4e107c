/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodes.c - Slurm's node table and the hosts of its nodes; see nodes.h
 *
 * Two parts that change at different times.  Names, CPUs and memory come from Slurm
 * and stay until the next slurm.conf.  host, of_host, nhosts and mapped come from the
 * fabric: the loader fills them for a new generation in a table of its own, and the
 * asking thread exchanges just these four (sfab_nodes_swap_hosts()).
 */

#include "place/nodes.h"

#include <stdlib.h>
#include <string.h>

#include "core/same_text.h"
#include "io/hostlist.h"

void sfab_nodes_clear(struct sfab_nodes *nodes)
{
	for (uint32_t i = 0; i < nodes->n && nodes->name; i++)
		free(nodes->name[i]);
	free(nodes->name);
	free(nodes->cpus);
	free(nodes->memory_mb);
	free(nodes->host);
	free(nodes->of_host);
	memset(nodes, 0, sizeof(*nodes));
}

/* -1: no memory; the caller clears what was allocated. */
static int alloc_node_table(struct sfab_nodes *nodes, uint32_t n)
{
	size_t room = n ? n : 1;

	nodes->n = n;
	nodes->name = calloc(room, sizeof(*nodes->name));
	nodes->cpus = calloc(room, sizeof(*nodes->cpus));
	nodes->memory_mb = calloc(room, sizeof(*nodes->memory_mb));
	nodes->host = calloc(room, sizeof(*nodes->host));
	return nodes->name && nodes->cpus && nodes->memory_mb && nodes->host ?
	       0 : -1;
}

/* @name NULL: Slurm's table has a gap at this index. -1: no memory. */
static int set_node_entry(struct sfab_nodes *nodes, uint32_t i,
			  const char *name, uint32_t cpus, uint64_t memory_mb)
{
	nodes->host[i] = SFAB_NONE;
	nodes->cpus[i] = cpus;
	nodes->memory_mb[i] = memory_mb;
	if (name)
		nodes->name[i] = strdup(name);
	return name && !nodes->name[i] ? -1 : 0;
}

int sfab_nodes_set(struct sfab_nodes *nodes, const struct sfab_place_node *in,
		   uint32_t n)
{
	int rc;

	sfab_nodes_clear(nodes);
	rc = alloc_node_table(nodes, n);
	for (uint32_t i = 0; i < n && !rc; i++)
		rc = set_node_entry(nodes, i, in[i].name, in[i].cpus,
				    in[i].memory_mb);
	if (rc)
		sfab_nodes_clear(nodes);
	return rc;
}

int sfab_nodes_same(const struct sfab_nodes *nodes,
		    const struct sfab_place_node *in, uint32_t n)
{
	uint32_t i = 0;

	if (nodes->n != n)
		return 0;
	while (i < n && sfab_same_text(nodes->name[i], in[i].name) &&
	       nodes->cpus[i] == in[i].cpus &&
	       nodes->memory_mb[i] == in[i].memory_mb)
		i++;
	return i == n;
}

int sfab_nodes_copy(struct sfab_nodes *to, const struct sfab_nodes *from)
{
	int rc;

	sfab_nodes_clear(to);
	rc = alloc_node_table(to, from->n);
	for (uint32_t i = 0; i < from->n && !rc; i++)
		rc = set_node_entry(to, i, from->name[i], from->cpus[i],
				    from->memory_mb[i]);
	if (rc)
		sfab_nodes_clear(to);
	return rc;
}

/*
 * The host of a node, or SFAB_NONE: not in the snapshot, not cabled, or given a
 * role in which it never runs jobs.
 */
static uint32_t find_host(const struct sfab_fabric *f, const char *name)
{
	uint32_t host = name ? sfab_fabric_host(f, name) : SFAB_NONE;

	if (host == SFAB_NONE || f->hosts[host].role == SFAB_HOST_SHARP ||
	    f->hosts[host].role == SFAB_HOST_OTHER)
		return SFAB_NONE;
	return sfab_host_leaf(f, host) == SFAB_NONE ? SFAB_NONE : host;
}

/* Without memory all are set to "no host", so that no id of an old fabric is left. */
int sfab_nodes_map(struct sfab_nodes *nodes, const struct sfab_fabric *f)
{
	uint32_t *of_host = malloc((f->nhosts + 1) * sizeof(*of_host));

	free(nodes->of_host);
	nodes->of_host = of_host;
	nodes->nhosts = of_host ? f->nhosts : 0;
	nodes->mapped = 0;
	for (uint32_t h = 0; h < nodes->nhosts; h++)
		of_host[h] = SFAB_NONE;
	for (uint32_t i = 0; i < nodes->n; i++) {
		uint32_t host = of_host ? find_host(f, nodes->name[i]) : SFAB_NONE;

		nodes->host[i] = host;
		if (host == SFAB_NONE)
			continue;
		of_host[host] = i;
		nodes->mapped++;
	}
	return of_host ? 0 : -1;
}

void sfab_nodes_swap_hosts(struct sfab_nodes *a, struct sfab_nodes *b)
{
	struct sfab_nodes was = *a;

	a->host = b->host;
	a->mapped = b->mapped;
	a->nhosts = b->nhosts;
	a->of_host = b->of_host;
	b->host = was.host;
	b->mapped = was.mapped;
	b->nhosts = was.nhosts;
	b->of_host = was.of_host;
}

char *sfab_nodes_fold(const struct sfab_nodes *nodes)
{
	const char **name = malloc((nodes->n + 1u) * sizeof(*name));
	uint32_t n = 0;
	char *list;

	for (uint32_t i = 0; name && i < nodes->n; i++)
		if (nodes->name[i])
			name[n++] = nodes->name[i];
	list = n ? sfab_hostlist_fold(name, n) : NULL;
	free(name);
	return list;
}
