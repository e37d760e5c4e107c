/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes.c - Slurm's node table and the hosts behind it; see nodes.h */

#include "nodes.h"

#include <stdlib.h>
#include <string.h>

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

static int allocate(struct sfab_nodes *nodes, uint32_t n)
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

int sfab_nodes_set(struct sfab_nodes *nodes, const struct sfab_place_node *in,
		   uint32_t n)
{
	sfab_nodes_clear(nodes);
	if (allocate(nodes, n))
		goto fail;
	for (uint32_t i = 0; i < n; i++) {
		nodes->host[i] = SFAB_NONE;
		nodes->cpus[i] = in[i].cpus;
		nodes->memory_mb[i] = in[i].memory_mb;
		if (in[i].name && !(nodes->name[i] = strdup(in[i].name)))
			goto fail;
	}
	return 0;
fail:
	sfab_nodes_clear(nodes);
	return -1;
}

static uint32_t find_host(const struct sfab_fabric *f, const char *name)
{
	uint32_t host = name ? sfab_fabric_host(f, name) : SFAB_NONE;

	if (host == SFAB_NONE || f->hosts[host].role == SFAB_HOST_SHARP)
		return SFAB_NONE;
	return sfab_host_leaf(f, host) == SFAB_NONE ? SFAB_NONE : host;
}

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
