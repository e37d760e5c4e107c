/* SPDX-License-Identifier: GPL-2.0-or-later */
/* demand.h - the load that a job's traffic asks for on every resource */
#ifndef SFAB_DEMAND_H
#define SFAB_DEMAND_H

#include "core/load/load.h"
#include "core/load/model.h"

/*
 * Add the demand of @job on every resource to @load.  Demand of an end port = share x rate x
 * cpus.  Each port of a host carries its own part.  Port k talks to port k of the peer in the
 * same plane, modulo the number of ports that the peer has there.  Pairs without a route add
 * nothing.  -1 with *err: SFAB_ENOMEM, or SFAB_ENOENT for IO traffic without such a set.  O(n x
 * leaves x hops) for mpi, O(n x members x hops) for IO.
 */
int sfab_demand(const struct sfab_model *m, const struct sfab_job *job,
		struct sfab_load *load, struct sfab_err *err);

/*
 * Add the demand of one part of @job's traffic, as if the job sent it all of the time.  Errors
 * and cost are those of sfab_demand().
 */
int sfab_demand_part(const struct sfab_model *m, const struct sfab_job *job,
		     const struct sfab_traffic_part *part, struct sfab_load *load,
		     struct sfab_err *err);

/*
 * Do the same, but without the load of IO on switch-to-switch links.  A server that some
 * clients cannot reach counts as if they could.  O(n + members) for IO.
 */
int sfab_demand_part_ends(const struct sfab_model *m, const struct sfab_job *job,
			  const struct sfab_traffic_part *part, struct sfab_load *load,
			  struct sfab_err *err);

#endif
