/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ioset.h - which ports a job's IO goes to
 *
 * An IO set is a named list of end ports of IO hosts, each with a capacity in
 * bytes/s (of the server behind it; reads and writes together), and a client
 * map: who talks to which members.  A client spreads its IO evenly over its
 * members.  A port may be in several sets; its capacity is one.
 *
 * What a set's servers do when they are asked to write more than they can is the
 * site's word: they take data at their own pace (Lustre and most others fetch it
 * when they have room), or they hold it back in the buffers of the switches.
 */
#ifndef SFAB_IOSET_H
#define SFAB_IOSET_H

#include <stdint.h>

#include "core/err.h"
#include "core/fabric/fabric.h"

enum sfab_iomap {
	SFAB_IOMAP_ALL,		/* every client to every member */
	SFAB_IOMAP_GROUP,	/* clients in a group to the group's members */
	SFAB_IOMAP_NEAREST,	/* to the members that are fewest hops away */
};

struct sfab_ioset {
	const char *name;
	enum sfab_iomap map;
	int held;		/* 1: servers that are full hold writes back */
	uint32_t nmembers;
	const uint32_t *member;	/* IO port index (struct sfab_iosets), ascending */
	uint32_t ngroups;	/* GROUP: at least 1; else 0 */
	const uint32_t *member_group;	/* [nmembers] or NULL */
	const uint32_t *client_group;	/* [hosts] group or SFAB_NONE, or NULL */
};

struct sfab_iosets {
	uint32_t nsets, nioports;
	const struct sfab_ioset *set;
	const uint32_t *ioport;	/* IO port index -> end port, ascending */
	const double *capacity;	/* bytes/s by IO port index */
	uint32_t nuncabled;	/* ports that sfab_iosets_create() left out */
};

/* A description to make them from; all borrowed, nothing kept. */
struct sfab_ioset_spec {
	const char *name;
	enum sfab_iomap map;
	int held;
	uint32_t nhosts;
	const char *const *host;	/* names of IO hosts */
	double capacity;		/* bytes/s per host; 0: rate of its ports */
	const uint32_t *host_group;	/* GROUP: by host */
	uint32_t nclients;		/* GROUP: client hosts by name */
	const char *const *client;
	const uint32_t *client_group;
};

/*
 * Ports without a cable to a leaf are left out and counted; the capacity of a host
 * is that of its others.  Errors: SFAB_ENOENT a host is not in the fabric;
 * SFAB_EINVAL a set that is empty or of which no host is cabled, a capacity that is
 * none, a name used twice, a host in one set twice.  Members of one set given by two
 * hosts of different capacity are two specs of different names; a port in two
 * sets keeps the smaller capacity.  Caller destroys.
 */
struct sfab_iosets *sfab_iosets_create(const struct sfab_fabric *f,
				       const struct sfab_ioset_spec *spec,
				       uint32_t nspecs, struct sfab_err *err);
void sfab_iosets_destroy(struct sfab_iosets *io);	/* NULL is fine */

/*
 * A copy of @from, which whoever read it from a file need not have checked:
 * SFAB_EFORMAT if an index, an order, a map or a capacity is out of range.
 * Caller destroys.
 */
struct sfab_iosets *sfab_iosets_copy(const struct sfab_fabric *f,
				     const struct sfab_iosets *from,
				     struct sfab_err *err);

/*
 * IO ports without a cable to a leaf: those that were left out, and those that a
 * file has all the same, which the model leaves out.
 */
uint32_t sfab_iosets_uncabled(const struct sfab_iosets *io,
			      const struct sfab_fabric *f);

/* Index of a set by name, or SFAB_NONE. */
uint32_t sfab_iosets_find(const struct sfab_iosets *io, const char *name);

/* 1 if @host has a port in any set. */
int sfab_iosets_has_host(const struct sfab_iosets *io,
			 const struct sfab_fabric *f, uint32_t host);

const char *sfab_iomap_name(enum sfab_iomap map);	/* "all", ... */
const char *sfab_ioservers_name(int held);	/* "paced", "held" */

#endif
