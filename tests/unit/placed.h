/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * placed.h - a placement service on a made fabric, for unit tests
 *
 * Hosts n1 .. nH of the fabric are nodes 0 .. H-1 of 8 CPUs and 1000 MB.  A
 * question is for whole nodes among all that are idle, unless it says else.
 */
#ifndef SFAB_TEST_PLACED_H
#define SFAB_TEST_PLACED_H

#include "plugin/place/place.h"
#include "tests/unit/made.h"

#define PLACED_NODES 64

struct placed {
	struct sfab_place *p;
	uint32_t nnodes;
	uint8_t node[PLACED_NODES];
	uint64_t weight[PLACED_NODES];
	struct sfab_ask ask;
};

/* Conf from text; the first host of each leaf but the first is in IO set "fs". */
struct sfab_conf *placed_conf(const char *text);
struct sfab_snapshot *placed_snapshot(const struct made *m);

/* The nodes, told to the service. */
void placed_nodes(struct placed *t, uint32_t nnodes);

/* Everything: service, snapshot, conf, nodes. */
void placed_start(struct placed *t, const struct made *m, const char *conf);
void placed_stop(struct placed *t);

/* A question for @n whole nodes. */
const struct sfab_decision *placed_ask(struct placed *t, uint32_t id, uint32_t n);

/* The job begins on the nodes of the last answer to @id, or on @node. */
void placed_begin(struct placed *t, const struct sfab_decision *d, uint32_t id);
void placed_begin_on(struct placed *t, uint32_t id, const uint32_t *node,
		     uint32_t n, unsigned flags);

/* "0 3 7": node indices of a decision; in a buffer of its own. */
const char *placed_text(const struct sfab_decision *d, uint32_t nnodes);

/* What the service logged so far, and how often a line contains @text. */
void placed_log(enum sfab_place_level level, const char *line);
int placed_logged(const char *text);
void placed_forget_log(void);

#endif
