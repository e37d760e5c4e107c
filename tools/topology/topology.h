/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology.h - the parts of `sfabric topology`
 *
 * Functions take the hosts that are nodes in Slurm as flags by host id.  Tables belong to the
 * caller (answer_table() consumes them).
 */
#ifndef SFAB_TOPOLOGY_H
#define SFAB_TOPOLOGY_H

#include <stdint.h>
#include <stdio.h>
#include <uthash.h>

#include "core/fabric/fabric.h"
#include "tools/ui/table.h"

struct reply;

/* -- topology_conf.c: the switches of Slurm's topology.conf or topology.yaml ------ */

/*
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

struct topology_switch {
	char *name;
	char *nodes;		/* hostlist, or NULL */
	char *switches;		/* list of switches below it, or NULL */
	char *speed;		/* LinkSpeed, ignored by Slurm, or NULL */
	unsigned line;		/* in the file; 0: made from a fabric */
	unsigned level;		/* if made from a fabric; 0: a leaf */
	uint32_t parent;	/* the first switch above it, or SFAB_NONE */
	char *unknown;		/* those of the nodes that the fabric does not have, or NULL */
	UT_hash_handle hh;	/* by name */
};

struct topology_conf {
	char *name;				/* of the file */
	uint32_t n;
	struct topology_switch *sw;
	struct topology_switch *by_name;	/* hash of sw, for topology_conf_find() */
};

/*
 * Read topology.conf.  -1 with *err "FILE:LINE: ..." and nothing left to free: a line is not
 * Slurm syntax, a switch is there twice or has neither nodes nor switches, or there is no
 * switch.  Text that begins as a YAML list is topology.yaml.
 */
int topology_conf_read(struct topology_conf *t, const char *path, struct sfab_err *err);
/* Read topology.conf from memory; @text is cut into lines. */
int topology_conf_parse(struct topology_conf *t, const char *name, char *text,
			struct sfab_err *err);
/*
 * Read topology.yaml: the switches of the tree that is the cluster's default, else of the first
 * tree.
 */
int topology_yaml_read(struct topology_conf *t, char *text, struct sfab_err *err);
void topology_conf_free(struct topology_conf *t);	/* twice is fine */

/* Add a switch, which the caller fills in before it adds the next one; @t then owns its texts. */
struct topology_switch *topology_conf_add(struct topology_conf *t, unsigned line);
/* Check each switch, and for duplicates, when all are added.  On failure @t is freed. */
int topology_conf_finish(struct topology_conf *t, struct sfab_err *err);

/* Return the index of a switch, or SFAB_NONE. */
uint32_t topology_conf_find(const struct topology_conf *t, const char *name);

/*
 * Return, by host of @f, the switch that has it as a node, or SFAB_NONE.  Caller frees.
 * *@unknown gets the number of nodes that the fabric does not have; sw->unknown has them.  NULL
 * with *err: a bad hostlist, or a host in two switches.
 */
uint32_t *topology_conf_groups(struct topology_conf *t, const struct sfab_fabric *f,
			       uint32_t *unknown, struct sfab_err *err);

/* -- topology_make.c: those of a fabric ------------------------------------------- */

/*
 * Make the switches that Slurm should see: the tree of core/fabric/tree.h, from the leaves up,
 * with one root for each part of the fabric.  Hosts whose names Slurm cannot have are left out
 * with a warning.  SFAB_ENOENT: none of the nodes has such a name, or is on a leaf.
 */
int topology_make(struct topology_conf *t, const struct sfab_fabric *f,
		  const uint8_t *node, struct reply *r, struct sfab_err *err);

/* -- topology_print.c -------------------------------------------------------------- */

/* A row for each switch. */
extern const struct column topology_switch_columns[];
struct table *topology_table(const struct topology_conf *t);

/* Print the switches in Slurm's syntax; all names must be plain. */
void topology_print_conf(const struct topology_conf *t, FILE *out);
void topology_print_yaml(const struct topology_conf *t, FILE *out);

/* -- topology_diff.c --------------------------------------------------------------- */

/* A row for each finding. */
extern const struct column topology_finding_columns[];

/*
 * Make a table of where @t differs from @made, which topology_make() made.  Both get what they
 * say of @f.  NULL with *err: see topology_conf_groups(), or no node at all is in the fabric.
 */
struct table *topology_diff(struct topology_conf *t, struct topology_conf *made,
			    const struct sfab_fabric *f, const uint8_t *node,
			    struct reply *r, struct sfab_err *err);

#endif
