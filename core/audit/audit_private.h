/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_private.h - what the files of the audit share
 *
 *   audit.c         runs the checks and sorts their findings
 *   audit_findings.c  names of the rules, list of findings, severity
 *   audit_io.c      uplinks toward IO sets, and rates of IO
 *   audit_rates.c   rates of blocks of neighbors
 *   io_moves.c      better positions for IO hosts, tried on the tables
 *   io_mixing.c     routes that share links with writes
 *   audit_spines.c  unused and overloaded spine ports
 *   audit_links.c   links that are down, slow or faulty
 *   audit_routes.c  missing routes, loops, asymmetric routes, engine, strays
 *   audit_static.c  LIDs that stay static where routing is adaptive; unknown routing
 *   audit_lanes.c   service levels that keep jobs out of IO's lane
 *   audit_hosts.c   hosts compared with their neighbors, rails
 */
#ifndef SFAB_AUDIT_PRIVATE_H
#define SFAB_AUDIT_PRIVATE_H

#include "core/arena.h"
#include "core/audit/audit.h"
#include "core/fabric/route.h"

struct auditing {
	const struct sfab_audit_options *ask;
	const struct sfab_model *m;
	const struct sfab_fabric *f;
	struct sfab_audit *out;
	struct sfab_err *err;
	int failed;			/* 1: there was no memory for a finding; *err is set */
	struct sfab_finding spare;	/* findings without memory are written here */
	struct sfab_arena arena;	/* arrays of the checks, until all have run */
	struct sfab_route route;	/* scratch of the check that runs */
};

/*
 * Add a finding on @object with @number and what is wrong.  Unit, remedy and unit of the effect
 * are those of the rule (audit_findings.c), the rest is zero.  The pointer is valid until the
 * next call.  Without memory it points to a->spare, and sfab_audit() reports the failure:
 * callers need not check.
 */
struct sfab_finding *sfab_audit_add(struct auditing *a, enum sfab_rule rule,
				    enum sfab_severity severity, double number,
				    const char *object, const char *what, ...)
				    __attribute__((format(printf, 6, 7)));

/* Write the port where @link begins, as an object: "NAME port 7".  Return @text. */
#define AUDIT_PORT_SIZE 150
const char *sfab_audit_port(const struct sfab_fabric *f, uint32_t link,
			    char text[AUDIT_PORT_SIZE]);

/* Return the name of the switch of a leaf. */
const char *sfab_audit_leaf(const struct sfab_fabric *f, uint32_t leaf);

/*
 * Count the cables to other switches that are up.  Set *@gbs (NULL: not wanted) to the GB/s
 * that they can carry.
 */
uint32_t sfab_audit_cables(const struct sfab_fabric *f, uint32_t sw, double *gbs);

/* Return the name of a plane, or "fabric" if it has none. */
const char *sfab_audit_plane(const struct sfab_fabric *f, uint32_t plane);

/*
 * Return which ends of an ISL are leaves: bit 1 is set if the link begins at one, bit 0 if it
 * ends at one.  Links of one tier are comparable.
 */
#define AUDIT_TIERS 4
unsigned sfab_audit_tier(const struct sfab_fabric *f, const struct sfab_link *l);

/*
 * Run one check each.  IO needs the list of rates, otherwise their order does not matter.  -1:
 * out of memory.
 */
int sfab_audit_list_rates(struct auditing *a);
int sfab_audit_io(struct auditing *a);
int sfab_audit_engine(struct auditing *a);
int sfab_audit_routes(struct auditing *a);
int sfab_audit_links(struct auditing *a);
int sfab_audit_spines(struct auditing *a);
int sfab_audit_static(struct auditing *a);
int sfab_audit_followed(struct auditing *a);
int sfab_audit_lanes(struct auditing *a);
int sfab_audit_hosts(struct auditing *a);

/*
 * Find the rates that blocks of @block neighbors (0: the hosts of a leaf) get from IO set @set:
 * that of the block that loses most, and of all hosts together.
 */
int sfab_audit_rates(const struct sfab_model *m, uint32_t block, uint32_t set,
		     enum sfab_class class, struct sfab_io_rates *out,
		     struct sfab_err *err);

#endif
