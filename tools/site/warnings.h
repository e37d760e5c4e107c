/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * warnings.h - what somebody who relies on a fabric should know of it
 *
 * Each is a line in the report's warnings; none makes the fabric unusable.
 */
#ifndef SFAB_WARNINGS_H
#define SFAB_WARNINGS_H

#include "core/err.h"
#include "io/conf/conf.h"
#include "io/snapshot/snapshot.h"
#include "tools/ui/json.h"

/*
 * Another routing engine than the first that was asked for; adaptive routing;
 * switches without a table; pairs without a route; hosts that nobody named.
 */
void warn_of_fabric(struct report *r, const struct sfab_fabric *f);

/* Hosts that are named by their GUID. */
void warn_of_names(struct report *r, const struct sfab_fabric *f);

/* Ports of IO servers without a cable.  @io may be NULL. */
void warn_of_iosets(struct report *r, const struct sfab_fabric *f,
		    const struct sfab_iosets *io);

/*
 * The words that belong to the snapshot at @path (NULL: to those that @conf
 * names), where there are any: of a standby subnet manager, or of another one
 * than the snapshot is of (two masters).
 */
void warn_of_source(struct report *r, const struct sfab_fabric *f,
		    const struct sfab_conf *conf, const char *path);

/* Slurm's nodes beside the compute hosts of a fabric. */
struct nodes_found {
	uint32_t nodes;		/* that Slurm knows */
	uint32_t portless;	/* of them: no host of the fabric */
	uint32_t unused;	/* hosts that are no nodes and serve no IO set */
	char a_node[256], a_host[256];	/* one of the portless, of the unused */
};

/* @nodes, a hostlist: all that Slurm knows.  @io may be NULL. */
int find_nodes(struct nodes_found *found, const struct sfab_fabric *f,
	       const struct sfab_iosets *io, const char *nodes,
	       struct sfab_err *err);

/* Warn of what was found: all, or of the hosts only. */
void warn_of_hosts(struct report *r, const struct nodes_found *found);
int warn_of_nodes(struct report *r, const struct sfab_fabric *f,
		  const struct sfab_iosets *io, const char *nodes,
		  struct sfab_err *err);

#endif
