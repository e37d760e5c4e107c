/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * routes.h - a fabric without a subnet manager, described by sfabric-routes(5)
 *
 * read_routes.c makes the lists, routes_build.c builds a fabric from them.  A host with a
 * single cable, to a switch, is an end port there.  Any other host can send over several cables
 * and perhaps forwards: it becomes two switches, "in" and "out", as builder.h explains.
 */
#ifndef SFAB_ROUTES_H
#define SFAB_ROUTES_H

#include <stdint.h>

#include "io/readers/reader.h"

#define SFAB_ROUTES_NODES_MAX 4096	/* written by hand */
#define SFAB_ROUTES_PORTS_MAX 252	/* two more are needed internally */
#define SFAB_ROUTES_NAME_SIZE 64
#define SFAB_ROUTES_ALL UINT32_MAX	/* destination "*" */

struct sfab_routes_node {
	char name[SFAB_ROUTES_NAME_SIZE];
	int is_switch;
	uint32_t nports;
	uint32_t ncables;
	/* by port */
	uint8_t is_cabled[SFAB_ROUTES_PORTS_MAX + 1];
	uint32_t host;		/* 0, 1, ... in the order of the hosts */
	double forward;		/* bytes/s it forwards, 0: it does not */
	double rate;		/* bytes/s of its own traffic, 0: all its cables */
	double cables;		/* bytes/s of all its cables together */
	uint32_t leaf;		/* of a host with one cable, or SFAB_NONE */
	unsigned leaf_port;	/* port of that switch */
	unsigned line;
};

struct sfab_routes_cable {
	uint32_t node[2];
	unsigned port[2];
	double capacity;	/* bytes/s in each direction */
	unsigned line;
};

struct sfab_routes_route {
	uint32_t node, to;	/* node ids; to may be SFAB_ROUTES_ALL */
	uint32_t first, n;	/* of port[] and share[] below */
	unsigned line;
};

struct sfab_routes {
	struct sfab_routes_node *node;
	struct sfab_routes_cable *cable;
	struct sfab_routes_route *route;
	uint8_t *port;
	double *share;
	uint32_t nnodes, nhosts, ncables, nroutes, nports;
};

/* Pass all to the builder; sorts the routes. */
int sfab_routes_build(struct sfab_routes *r, const struct sfab_reader_ctx *ctx,
		      struct sfab_err *err);

#endif
