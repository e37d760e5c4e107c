/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * warnings.h - what anybody who relies on a fabric should know about it
 *
 * Each is a line in the report's warnings; none makes the fabric unusable.
 */
#ifndef SFAB_WARNINGS_H
#define SFAB_WARNINGS_H

#include "core/err.h"
#include "io/conf/conf.h"
#include "io/snapshot/snapshot.h"
#include "tools/site/hosts.h"
#include "tools/ui/reply.h"

/*
 * A routing engine other than the first requested; adaptive routing; switches without a table;
 * pairs without a route; hosts without a name.
 */
void warn_of_fabric(struct reply *r, const struct sfab_fabric *f);
/* What it says of adaptive routing; "": nothing, for routes are static. */
const char *warnings_adaptive_text(const struct sfab_fabric *f);

/* "second": where the engine that routed is in the list of those requested. */
const char *warnings_engine_ordinal(const struct sfab_plane *p);

/* Hosts that are named by their GUID. */
void warn_of_names(struct reply *r, const struct sfab_fabric *f);

/* Ports of IO servers without a cable.  @io may be NULL. */
void warn_of_iosets(struct reply *r, const struct sfab_fabric *f,
		    const struct sfab_iosets *io);

/*
 * Confirmations of the snapshot at @path (NULL: of those that @conf names), if any: from a
 * standby subnet manager, or from a different one than the snapshot's (two masters).
 */
void warn_of_source(struct reply *r, const struct sfab_fabric *f,
		    const struct sfab_conf *conf, const char *path);

/* Slurm's nodes compared with the compute hosts of a fabric. */
struct nodes_found {
	struct hosts_unknown portless;	/* nodes that Slurm knows; those that are no hosts */
	uint32_t unused;	/* hosts that are neither nodes nor in an IO set */
	char a_host[256];	/* one of them */
};

/* @nodes is a hostlist of all that Slurm knows.  @io may be NULL. */
int warnings_find_nodes(struct nodes_found *found, const struct sfab_fabric *f,
			const struct sfab_iosets *io, const char *nodes,
			struct sfab_err *err);

/* Warn about the findings: about all, or about the hosts only. */
void warn_of_hosts(struct reply *r, const struct nodes_found *found);
int warn_of_nodes(struct reply *r, const struct sfab_fabric *f,
		  const struct sfab_iosets *io, const char *nodes,
		  struct sfab_err *err);

/*
 * Warn of servers in no IO set, with the line and what says so, and of hosts in doubt.
 * @conf has its nodes; @io: in use; @rate: [nlinks] as measured.  Both may be NULL.
 */
void warn_of_found_io(struct reply *r, const struct sfab_conf *conf,
		      const struct sfab_fabric *f, const struct sfab_iosets *io,
		      const double *rate);

/* The same by the counters at @path (NULL: none), if they are there and of this fabric. */
void warn_of_counted_io(struct reply *r, const struct sfab_conf *conf,
			const struct sfab_fabric *f, const struct sfab_iosets *io,
			const char *path);

#endif
