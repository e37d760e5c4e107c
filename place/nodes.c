/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodes.c - Slurm's node table and the hosts of its nodes; see nodes.h
 *
 * Two parts that change at different times.  Names, CPUs and memory come from Slurm and stay
 * until the next slurm.conf.  host, of_host, nhosts and mapped come from the fabric: the loader
 * fills them for a new generation in a table of its own, and the asking thread exchanges just
 * these four (sfab_nodes_swap_hosts()).
 */

#include "place/nodes.h"

#include <stdlib.h>
#include <string.h>

#include "core/same_text.h"
#include "io/hostlist.h"

void sfab_nodes_clear(struct sfab_nodes *nodes)
{
	for (uint32_t i = 0; i < nodes->n; i++)
		free((char *) nodes->node[i].name);
	free(nodes->node);
	free(nodes->host);
	free(nodes->of_host);
	memset(nodes, 0, sizeof(*nodes));
}

int sfab_nodes_set(struct sfab_nodes *nodes, const struct sfab_place_node *table, uint32_t n)
{
	int has_failed;

	sfab_nodes_clear(nodes);
	nodes->node = calloc(n + 1u, sizeof(*nodes->node));
	nodes->host = calloc(n + 1u, sizeof(*nodes->host));
	has_failed = !nodes->node || !nodes->host;
	for (; nodes->n < n && !has_failed; nodes->n++) {
		struct sfab_place_node *node = &nodes->node[nodes->n];

		*node = table[nodes->n];
		node->name = node->name ? strdup(node->name) : NULL;
		has_failed = table[nodes->n].name && !node->name;
		nodes->host[nodes->n] = SFAB_NONE;
	}
	if (has_failed)
		sfab_nodes_clear(nodes);
	return has_failed ? -1 : 0;
}

int sfab_nodes_same(const struct sfab_nodes *nodes, const struct sfab_place_node *table, uint32_t n)
{
	uint32_t i = 0;

	if (nodes->n != n)
		return 0;
	while (i < n && sfab_same_text(nodes->node[i].name, table[i].name) &&
	       nodes->node[i].cpus == table[i].cpus &&
	       nodes->node[i].memory_mb == table[i].memory_mb &&
	       nodes->node[i].sockets == table[i].sockets &&
	       nodes->node[i].threads == table[i].threads)
		i++;
	return i == n;
}

/* Set all to "no host" if there is no memory, so that no id of an old fabric is left. */
int sfab_nodes_map(struct sfab_nodes *nodes, const struct sfab_fabric *f)
{
	uint32_t *of_host = malloc((f->nhosts + 1) * sizeof(*of_host));

	free(nodes->of_host);
	nodes->of_host = of_host;
	nodes->nhosts = of_host ? f->nhosts : 0;
	nodes->nmapped = 0;
	for (uint32_t h = 0; h < nodes->nhosts; h++)
		of_host[h] = SFAB_NONE;
	for (uint32_t i = 0; i < nodes->n; i++) {
		const char *name = of_host ? nodes->node[i].name : NULL;
		uint32_t host = name ? sfab_fabric_host(f, name) : SFAB_NONE;

		/* Not cabled, or given a role in which it never runs jobs. */
		if (host != SFAB_NONE && (f->hosts[host].role == SFAB_HOST_SHARP ||
					  f->hosts[host].role == SFAB_HOST_OTHER ||
					  sfab_host_leaf(f, host) == SFAB_NONE))
			host = SFAB_NONE;
		nodes->host[i] = host;
		if (host == SFAB_NONE)
			continue;
		of_host[host] = i;
		nodes->nmapped++;
	}
	return of_host ? 0 : -1;
}

void sfab_nodes_swap_hosts(struct sfab_nodes *a, struct sfab_nodes *b)
{
	struct sfab_place_node *of_a = a->node;
	struct sfab_nodes old = *a;

	*a = *b;
	*b = old;
	b->node = a->node;
	a->node = of_a;
}

char *sfab_nodes_fold(const struct sfab_nodes *nodes)
{
	const char **name = malloc((nodes->n + 1u) * sizeof(*name));
	uint32_t n = 0;
	char *list;

	for (uint32_t i = 0; name && i < nodes->n; i++)
		if (nodes->node[i].name)
			name[n++] = nodes->node[i].name;
	list = n ? sfab_hostlist_fold(name, n) : NULL;
	free(name);
	return list;
}
