/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * warnings.h - what anybody who relies on a fabric should know about it
 *
 * Each is a line in the reply's warnings; none makes the fabric unusable.
 */
#ifndef SFAB_WARNINGS_H
#define SFAB_WARNINGS_H

#include "core/err.h"
#include "io/conf/conf.h"
#include "io/snapshot/snapshot.h"
#include "tools/site/hosts.h"
#include "tools/ui/reply.h"

/*
 * Warn about a routing engine other than the first requested, adaptive routing, switches
 * without a table, pairs without a route, and hosts without a name.
 */
void warnings_of_fabric(struct reply *r, const struct sfab_fabric *f);
/* The warning about adaptive routing; "": none, because routes are static. */
const char *warnings_adaptive_text(const struct sfab_fabric *f);

/* Where the engine that routed is in the list of those requested: "first", "second", ... "last". */
const char *warnings_engine_ordinal(const struct sfab_plane *p);

/* Warn about hosts that are named by their GUID, because they have no usable name. */
void warnings_of_names(struct reply *r, const struct sfab_fabric *f);

/* Warn about ports of IO servers without a cable.  @io may be NULL. */
void warnings_of_iosets(struct reply *r, const struct sfab_fabric *f, const struct sfab_iosets *io);

/*
 * Warn if the snapshot is confirmed by a standby subnet manager, or by a different one than the
 * one that it was read from (two masters).  @path NULL: the snapshots that @conf names.
 */
void warnings_of_source(struct reply *r, const struct sfab_fabric *f,
			const struct sfab_conf *conf, const char *path);

/* Slurm's nodes compared with the compute hosts of a fabric. */
struct nodes_found {
	struct hosts_unknown portless;	/* nodes that Slurm knows; those that are no hosts */
	uint32_t unused;		/* hosts that are neither nodes nor in an IO set */
	char unused_host[256];		/* one of them */
};

/* Compare.  @nodes is a hostlist of all nodes in Slurm; @io may be NULL. */
int warnings_find_nodes(struct nodes_found *found, const struct sfab_fabric *f,
			const struct sfab_iosets *io, const char *nodes, struct sfab_err *err);

/* Warn about unused hosts. */
void warnings_of_hosts(struct reply *r, const struct nodes_found *found);
/* Compare, and warn about nodes and hosts. */
int warnings_of_nodes(struct reply *r, const struct sfab_fabric *f, const struct sfab_iosets *io,
		      const char *nodes, struct sfab_err *err);

/*
 * Warn about IO servers that are in no IO set, with the line for sfabric.conf and the reasons,
 * and about hosts that may be servers.  @io: the sets in use; @rate: [nlinks] as measured; both
 * may be NULL.
 */
void warnings_of_found_io(struct reply *r, const struct sfab_conf *conf,
			  const struct sfab_fabric *f,
			  const struct sfab_iosets *io, const double *rate);

/*
 * As warnings_of_found_io(), with rates from the counters at @path, if these exist and are of
 * this fabric; NULL: without rates.
 */
void warnings_of_counted_io(struct reply *r, const struct sfab_conf *conf,
			    const struct sfab_fabric *f,
			    const struct sfab_iosets *io, const char *path);

#endif
