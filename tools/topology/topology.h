/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology.h - the parts of `sfabric topology`
 *
 * All functions take the hosts that are nodes in Slurm as flags by host id.
 * Tables belong to the caller (answer_table() consumes them).
 */
#ifndef SFAB_TOPOLOGY_H
#define SFAB_TOPOLOGY_H

#include <stdint.h>
#include <stdio.h>

#include "core/fabric/fabric.h"
#include "tools/topology/topology_conf.h"
#include "tools/ui/table.h"

struct report;

/*
 * The tree of core/fabric/tree.h, from the leaves up, with one root for each
 * part of the fabric.  SFAB_ENOENT: none of the nodes is on a leaf.
 */
int topology_make(struct topology_conf *t, const struct sfab_fabric *f,
		  const uint8_t *node, struct sfab_err *err);

/* A name that Slurm does not read as a list. */
int topology_is_plain(const char *name);

/* One switch. */
extern const struct column topology_switch_columns[];
struct table *topology_table(const struct topology_conf *t);

/* The same in Slurm's syntax, for names that are plain. */
void topology_print_conf(const struct topology_conf *t, FILE *out);
void topology_print_yaml(const struct topology_conf *t, FILE *out);

/* One finding. */
extern const struct column topology_finding_columns[];

/*
 * Where @t differs from @made, which topology_make() made; *@n is the number of
 * findings.  Both get what they say of @f.  NULL with *err: see
 * topology_conf_groups(), or no node at all is in the fabric.
 */
struct table *topology_diff(struct topology_conf *t, struct topology_conf *made,
			    const struct sfab_fabric *f, const uint8_t *node,
			    uint32_t *n, struct report *r, struct sfab_err *err);

#endif
