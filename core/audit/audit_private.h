/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_private.h - what the files of the audit share
 *
 *   audit.c         the rules' names, the list of findings
 *   audit_io.c      uplinks towards IO sets, and what IO gets
 *   audit_rates.c   rates of blocks of neighbours
 *   io_moves.c      better places for IO hosts, tried on the tables
 *   audit_spines.c  spine ports unused and overloaded
 *   audit_links.c   links that are down, slow or faulty
 *   audit_routes.c  pairs without a route, loops, ways there and back, engine
 *   audit_hosts.c   hosts against their neighbours, rails
 *   audit_topology.c  topology.conf against the cabling
 */
#ifndef SFAB_AUDIT_PRIVATE_H
#define SFAB_AUDIT_PRIVATE_H

#include "core/audit/audit.h"

struct auditing {
	const struct sfab_audit_ask *ask;
	const struct sfab_model *m;
	const struct sfab_fabric *f;
	struct sfab_audit *out;
	struct sfab_err *err;
};

/*
 * One more finding, all but rule, severity and object zero; NULL: no memory.
 * It stays where it is only until the next.
 */
struct sfab_finding *sfab_audit_add(struct auditing *a, enum sfab_rule rule,
			       enum sfab_severity severity, const char *fmt,
			       ...) __attribute__((format(printf, 4, 5)));

/* Name of a plane, or "fabric". */
const char *sfab_audit_plane(const struct sfab_fabric *f, uint32_t plane);

/* Which ends of a link between switches are leaves: 0..3, alike within a tier. */
#define AUDIT_TIERS 4
unsigned sfab_audit_tier(const struct sfab_fabric *f, const struct sfab_link *l);

/* The rules, in this order.  -1: no memory. */
int sfab_audit_io(struct auditing *a);
int sfab_audit_engine(struct auditing *a);
int sfab_audit_routes(struct auditing *a);
int sfab_audit_links(struct auditing *a);
int sfab_audit_spines(struct auditing *a);
int sfab_audit_hosts(struct auditing *a);
int sfab_audit_topology(struct auditing *a);

/*
 * What blocks of @block neighbours (0: the hosts of a leaf) get of IO set @set,
 * the one that loses most, and what all get.
 */
int sfab_audit_io_rates(const struct sfab_model *m, uint32_t block, uint32_t set,
		   enum sfab_class class, struct sfab_io_rates *out,
		   struct sfab_err *err);

#endif
