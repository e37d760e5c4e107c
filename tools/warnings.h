/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * warnings.h - what somebody who relies on a fabric should know of it
 *
 * Each is a line in the report's warnings; none makes the fabric unusable.
 */
#ifndef SFAB_WARNINGS_H
#define SFAB_WARNINGS_H

#include "../core/err.h"
#include "../io/conf.h"
#include "../io/snapshot.h"
#include "json.h"

/*
 * Another routing engine than the first that was asked for; adaptive routing;
 * switches without a table; pairs without a route.
 */
void warn_of_fabric(struct report *r, const struct sfab_fabric *f);

/*
 * The words that belong to the snapshot at @path (NULL: to those that @conf
 * names), where there are any: of a standby subnet manager, or of another one
 * than the snapshot is of (two masters).
 */
void warn_of_source(struct report *r, const struct sfab_fabric *f,
		    const struct sfab_conf *conf, const char *path);

/*
 * @nodes, a hostlist: all that Slurm knows.  Those that have no port, and hosts
 * that are neither there nor in an IO set.  -1: no hostlist.
 */
int warn_of_nodes(struct report *r, const struct sfab_snapshot *s,
		  const char *nodes, struct sfab_err *err);

#endif
