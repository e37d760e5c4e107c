/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology.h - the parts of `sfabric topology`
 *
 * Both take the hosts that Slurm has as nodes as flags by host id, and return a
 * table that the caller uses up (answer_table).
 */
#ifndef SFAB_TOPOLOGY_H
#define SFAB_TOPOLOGY_H

#include <stdint.h>
#include <stdio.h>

#include "../core/fabric.h"
#include "table.h"
#include "topology_conf.h"

/* One line of topology.conf. */
extern const struct column topology_switch_columns[];

/*
 * The tree of core/tree.h, from the leaves up: one root for each part of the
 * fabric.  With @conf lines of topology.conf go there too.  NULL: no memory.
 */
struct table *topology_make(const struct sfab_fabric *f, const uint8_t *node,
			    FILE *conf);

/* One finding. */
extern const struct column topology_finding_columns[];

/*
 * What @t says that the cabling does not; *@n gets the number of findings.
 * NULL with *err: see topology_conf_groups().
 */
struct table *topology_lint(const struct topology_conf *t,
			    const struct sfab_fabric *f, const uint8_t *node,
			    uint32_t *n, struct sfab_err *err);

#endif
