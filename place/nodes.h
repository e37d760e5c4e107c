/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodes.h - Slurm's node table, and which host of the fabric each node is
 *
 * A node is the host of the same name.  A node without a host, or whose host has no cable, has
 * no route: it is never chosen, only left to Slurm.
 */
#ifndef SFAB_PLACE_NODES_H
#define SFAB_PLACE_NODES_H

#include <stdint.h>

#include "core/fabric/fabric.h"
#include "place/place.h"

struct sfab_nodes {
	uint32_t n;
	struct sfab_place_node *node;	/* [n] the names are owned */
	uint32_t *host;			/* [n] host id or SFAB_NONE */
	uint32_t nmapped;		/* how many have a host */
	uint32_t nhosts;
	uint32_t *of_host;		/* [nhosts] node index or SFAB_NONE */
};

/* Copy the table.  No node has a host afterwards.  -1: no memory, then empty. */
int sfab_nodes_set(struct sfab_nodes *nodes, const struct sfab_place_node *table, uint32_t n);
/* 1: the table was copied from one that equals @table. */
int sfab_nodes_same(const struct sfab_nodes *nodes, const struct sfab_place_node *table,
		    uint32_t n);
/* Find the hosts.  O(n log hosts).  -1: no memory, then no node has one. */
int sfab_nodes_map(struct sfab_nodes *nodes, const struct sfab_fabric *f);
/* Exchange the hosts of two tables of the same nodes. */
void sfab_nodes_swap_hosts(struct sfab_nodes *a, struct sfab_nodes *b);
/* Return the names as a hostlist, which the caller frees.  NULL: none is known, or no memory. */
char *sfab_nodes_fold(const struct sfab_nodes *nodes);
void sfab_nodes_clear(struct sfab_nodes *nodes);

/* Return @cpus as a share of the CPUs of node @i, at most 1. */
static inline double sfab_nodes_share(const struct sfab_nodes *nodes, uint32_t i, double cpus)
{
	double all = nodes->node[i].cpus;

	return cpus < all ? cpus / all : 1;
}

#endif
