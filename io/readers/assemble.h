/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assemble.h - nodes, ports and links that come in any order -> builder
 *
 * For files that tell of nodes, of ports and of cables in lists of their own.
 * Each thing remembers its line.  Only cabled end ports are given on, as
 * ibnetdiscover lists them; hosts cabled to each other are no part of a fabric.
 */
#ifndef SFAB_ASSEMBLE_H
#define SFAB_ASSEMBLE_H

#include <stdint.h>

#include "io/readers/reader.h"

enum sfab_gather_kind {
	SFAB_GATHER_HOST, SFAB_GATHER_SWITCH, SFAB_GATHER_ROUTER,
};

struct sfab_gather_node {
	uint64_t guid;
	enum sfab_gather_kind kind;
	unsigned nports;
	char *desc;		/* copied */
	unsigned line;
};

struct sfab_gather_port {	/* port 0 of a switch has its LID */
	uint64_t guid;		/* of the node */
	uint64_t port_guid;
	unsigned num, lid, lmc;
	double rate;		/* bytes/s out of it, 0: none, or not known */
	int active;
	unsigned line;
};

struct sfab_gather_link {	/* both directions */
	uint64_t guid[2];
	unsigned num[2];
	unsigned line;
};

struct sfab_gather {		/* zeroed before the first use */
	struct sfab_gather_node *node;
	struct sfab_gather_port *port;
	struct sfab_gather_link *link;
	uint32_t nnodes, nports, nlinks;
};

/* Remember a copy; -1 with *@err without memory. */
int sfab_gather_node(struct sfab_gather *g, const struct sfab_gather_node *n,
		     struct sfab_err *err);
int sfab_gather_port(struct sfab_gather *g, const struct sfab_gather_port *p,
		     struct sfab_err *err);
int sfab_gather_link(struct sfab_gather *g, const struct sfab_gather_link *l,
		     struct sfab_err *err);

/* Give all to the builder.  SFAB_EFORMAT: a link of a node or port unknown. */
int sfab_gather_give(struct sfab_gather *g, const struct sfab_reader_ctx *ctx,
		     struct sfab_err *err);

void sfab_gather_free(struct sfab_gather *g);

#endif
