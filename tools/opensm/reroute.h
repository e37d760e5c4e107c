/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reroute.h - a changed fabric with the tables that OpenSM computes for it */
#ifndef SFAB_REROUTE_H
#define SFAB_REROUTE_H

#include <stdint.h>

#include "core/fabric/builder.h"
#include "core/load/ioset.h"
#include "tools/opensm/change.h"

/* What all runs of one command share. */
struct reroute_request {
	const struct sfab_fabric *f;
	const struct sfab_iosets *io;	/* may be NULL */
	const struct changes *base;	/* options of the site */
	const char *command;		/* for the fabric's source text */
};

struct rerouting {
	const struct changes *changes;
	struct sfab_fabric *f;		/* NULL: err has the reason */
	struct sfab_err err;
	char gave_up[200];		/* why its first engine did (struct simulation), or "" */
	const struct reroute_request *request;	/* private */
	struct cabling_plan plan;	/* private */
	struct sfab_builder *b;		/* private: tables and engines of all planes */
};

/*
 * Route the changed fabrics @list [@n].  Each plane is routed by its own OpenSM.  Names, roles,
 * ids and link speeds are those of the original fabric; tables and LIDs are OpenSM's.  Nodes
 * that OpenSM cannot reach have neither.  A failure of one run is kept in that run's err.  -1
 * with *err for what stops all (simulate()), and for a change that cannot be made; there is
 * then no fabric.
 */
int reroute(const struct reroute_request *request, struct rerouting *list, uint32_t n,
	    struct sfab_err *err);

#endif
