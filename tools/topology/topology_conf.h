/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology_conf.h - the switches of Slurm's topology.conf or topology.yaml
 *
 *     SwitchName=leaf1 Nodes=n[001-018]
 *     SwitchName=top Switches=leaf[1-2] LinkSpeed=1
 *
 *     - topology: any
 *       cluster_default: true
 *       tree:
 *         switches:
 *           - switch: leaf1
 *             nodes: n[001-018]
 *           - switch: top
 *             children: leaf[1-2]
 */
#ifndef SFAB_TOPOLOGY_CONF_H
#define SFAB_TOPOLOGY_CONF_H

#include <stddef.h>
#include <stdint.h>
#include <uthash.h>

#include "core/err.h"

struct topology_switch {
	char *name;
	char *nodes;		/* hostlist, or NULL */
	char *switches;		/* likewise */
	char *speed;		/* LinkSpeed, ignored by Slurm, or NULL */
	unsigned line;		/* in the file; 0: made from a fabric */
	unsigned level;		/* if made from a fabric; 0: a leaf */
	uint32_t parent;	/* the first switch above it, or SFAB_NONE */
	char *unknown;		/* those of the nodes that the fabric does not have, or NULL */
	UT_hash_handle hh;	/* by name */
};

struct topology_conf {
	char *name;		/* of the file */
	uint32_t n;
	struct topology_switch *sw;
	struct topology_switch *by_name;	/* the same, for topology_conf_find() */
};

/*
 * -1 with *err "FILE:LINE: ..." and nothing left to free: a line that is not
 * Slurm syntax, a switch twice, a switch without nodes and switches, no switch
 * at all.  Text that begins as a YAML list is topology.yaml.
 */
int topology_conf_read(struct topology_conf *t, const char *path,
		       struct sfab_err *err);
/* The same from memory; @text is cut into lines. */
int topology_conf_parse(struct topology_conf *t, const char *name, char *text,
			struct sfab_err *err);
/* All switches of the tree that is the cluster's default, else of the first one. */
int topology_yaml_read(struct topology_conf *t, char *text, struct sfab_err *err);
void topology_conf_free(struct topology_conf *t);	/* twice is fine */

/* A new switch, to be filled in before the next one; its texts are then @t's. */
struct topology_switch *topology_conf_add(struct topology_conf *t, unsigned line);
/* Call when all are added: checks each, and for duplicates.  On failure @t is freed. */
int topology_conf_finish(struct topology_conf *t, struct sfab_err *err);

/* Index of a switch, or SFAB_NONE. */
uint32_t topology_conf_find(const struct topology_conf *t, const char *name);

/*
 * By host of a fabric, the switch that names it as a node, or SFAB_NONE; caller
 * frees.  *@unknown is the number of nodes that the fabric does not have; sw->unknown has
 * them.  NULL with *err: a bad hostlist, or a host in two switches.
 */
struct sfab_fabric;
uint32_t *topology_conf_groups(struct topology_conf *t,
			       const struct sfab_fabric *f, uint32_t *unknown,
			       struct sfab_err *err);

#endif
