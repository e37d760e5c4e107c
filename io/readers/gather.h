/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gather.h - nodes, ports and links in any order -> builder
 *
 * For files that list nodes, ports and cables separately.  Each entry remembers its line.  Only
 * cabled end ports are passed on, as in ibnetdiscover; two hosts cabled to each other are not
 * part of a fabric.
 */
#ifndef SFAB_GATHER_H
#define SFAB_GATHER_H

#include <stdint.h>

#include "io/readers/reader.h"

#define SFAB_GATHER_DESC 256	/* bytes; longer descriptions are cut */

enum sfab_gather_kind {
	SFAB_GATHER_HOST, SFAB_GATHER_SWITCH, SFAB_GATHER_ROUTER,
};

struct sfab_gather_node {
	uint64_t guid;
	enum sfab_gather_kind kind;
	unsigned nports;
	uint32_t vendor, device;	/* of a switch; 0: not known */
	char desc[SFAB_GATHER_DESC];
	unsigned line;
};

struct sfab_gather_port {	/* the LID of a switch is at its port 0 */
	uint64_t guid;		/* of the node */
	uint64_t port_guid;
	unsigned num, lid, lmc;
	double rate;		/* bytes/s that it can send; 0: none, or unknown */
	int is_active;
	unsigned line;
};

struct sfab_gather_link {	/* both directions */
	uint64_t guid[2];
	unsigned num[2];
	unsigned line;
};

struct sfab_gather {		/* zeroed before the first use; sfab_resize_append() fills it */
	struct sfab_gather_node *node;
	struct sfab_gather_port *port;
	struct sfab_gather_link *link;
	uint32_t nnodes, nports, nlinks;
};

/* Pass all to the builder.  SFAB_EFORMAT: a link to an unknown node or port. */
int sfab_gather_give(struct sfab_gather *g, const struct sfab_reader_ctx *ctx,
		     struct sfab_err *err);

/* Free the lists; needed after a failed sfab_gather_give(), too. */
void sfab_gather_free(struct sfab_gather *g);

/* A port of a host or a router. */
struct sfab_end_port {
	uint64_t node, guid;	/* GUID of the node, and of the port */
	const char *desc;	/* of the node; its host is named by it */
	unsigned num, lid, lmc;
	int is_router;		/* 1: never a node of a job */
};
/* Pass one end port to the builder. */
int sfab_gather_give_port(const struct sfab_reader_ctx *ctx, const struct sfab_end_port *p,
			  struct sfab_err *err);

#endif
