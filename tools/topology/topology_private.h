/* SPDX-License-Identifier: GPL-2.0-or-later */
/* topology_private.h - findings about a file */
#ifndef SFAB_TOPOLOGY_PRIVATE_H
#define SFAB_TOPOLOGY_PRIVATE_H

#include "tools/site/hosts.h"
#include "tools/topology/topology.h"
#include "tools/ui/json.h"

struct findings {
	const struct topology_conf *t;
	const struct sfab_fabric *f;
	const uint8_t *node;
	uint32_t *group;	/* by host: switch of the file, or SFAB_NONE */
	uint32_t *parent;	/* by switch: the first one above it, or SFAB_NONE */
	struct table *out;
	uint32_t n;		/* findings */
};

/*
 * Find the nodes of the file, warn if names do not match, and report nodes that
 * are not in the fabric and switches that form no tree.  On failure nothing is
 * left open.
 */
int findings_open(struct findings *x, struct report *r, struct sfab_err *err);
void findings_close(struct findings *x);	/* frees everything but the table */

/*
 * @sw: switch of the file or SFAB_NONE.  @fabric: one of the fabric's or NULL.
 */
void findings_add(struct findings *x, const char *kind, uint32_t sw,
		const char *fabric, const char *names, const char *what);
/* The same for @n hosts. */
void findings_add_hosts(struct findings *x, const char *kind, uint32_t sw,
		      const char *fabric, const uint32_t *host, uint32_t n,
		      const char *what);

/*
 * Most frequent value of @key among @n hosts, the lowest if several are;
 * SFAB_NONE if all have none.  @count is scratch by key, all 0 before and
 * after.
 */
uint32_t findings_usual(const uint32_t *key, const uint32_t *host, uint32_t n,
		    uint32_t *count);

/* Sort hosts by a key, then by id; SFAB_NONE comes last. */
void findings_order(const uint32_t *key, uint32_t *host, uint32_t n);

#endif
