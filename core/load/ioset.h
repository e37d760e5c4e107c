/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ioset.h - which ports a job's IO goes to
 *
 * An IO set is a named list of end ports of IO hosts, with a client map that says who talks to
 * which members.  Each port has a capacity in bytes/s, that of its server, for reads and writes
 * together.  A client spreads its IO evenly over its members.  A port may be in several sets
 * but has only one capacity.
 *
 * The site's configuration says what the servers of a set do when clients write more than they
 * can take.  Either they take data at their own pace (Lustre and most others fetch it when they
 * have room), or they hold it back in the buffers of the switches.
 */
#ifndef SFAB_IOSET_H
#define SFAB_IOSET_H

#include <stdint.h>

#include "core/arena.h"
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
	int holds_writes;		/* 1: full servers hold writes back in the switches */
	uint32_t nmembers;
	const uint32_t *member;		/* IO port index (struct sfab_iosets), ascending */
	uint32_t ngroups;		/* GROUP: at least 1; else 0 */
	const uint32_t *member_group;	/* [nmembers] or NULL */
	const uint32_t *client_group;	/* [hosts] group or SFAB_NONE, or NULL */
};

struct sfab_iosets {
	uint32_t nsets, nioports;
	const struct sfab_ioset *set;
	const uint32_t *ioport;		/* IO port index -> end port, ascending */
	const double *capacity;		/* bytes/s by IO port index */
	uint32_t nuncabled;		/* ports left out by sfab_iosets_create() */
	struct sfab_arena arena;	/* holds all arrays and names above */
};

/* Input for sfab_iosets_create(); all borrowed, nothing kept. */
struct sfab_ioset_spec {
	const char *name;
	enum sfab_iomap map;
	int holds_writes;
	uint32_t nhosts;
	const char *const *host;	/* names of IO hosts */
	double capacity;		/* bytes/s per host; 0: the rate of its ports */
	const uint32_t *host_group;	/* GROUP: by host */
	uint32_t nclients;		/* GROUP: client hosts by name */
	const char *const *client;
	const uint32_t *client_group;
};

/*
 * Make the sets of @nspecs specs.  Ports that are not cabled to a leaf are left out and
 * counted, and the host's capacity goes to its other ports.  NULL with *err: SFAB_ENOENT if a
 * host is not in the fabric, SFAB_EINVAL for a set that is empty or has no cabled host, an
 * invalid capacity, a name used twice, or a host twice in one set.  Hosts of different capacity
 * need two specs with different names.  A port in two sets keeps the smaller capacity.  The
 * caller destroys the result.
 */
struct sfab_iosets *sfab_iosets_create(const struct sfab_fabric *f,
				       const struct sfab_ioset_spec *spec,
				       uint32_t nspecs, struct sfab_err *err);
void sfab_iosets_destroy(struct sfab_iosets *io);	/* NULL is fine */

/*
 * Copy @from, which may come unchecked from a file.  SFAB_EFORMAT if an index, an order, a map
 * or a capacity is out of range.  The caller destroys the result.
 */
struct sfab_iosets *sfab_iosets_copy(const struct sfab_fabric *f,
				     const struct sfab_iosets *from,
				     struct sfab_err *err);

/*
 * Count the IO ports that are not cabled to a leaf: those left out at creation, plus those in
 * sets read from a file, which the model ignores.
 */
uint32_t sfab_iosets_uncabled(const struct sfab_iosets *io,
			      const struct sfab_fabric *f);

/* Return the index of the set with this name, or SFAB_NONE. */
uint32_t sfab_iosets_find(const struct sfab_iosets *io, const char *name);

/* Does @host have a port in any set? */
int sfab_iosets_has_host(const struct sfab_iosets *io,
			 const struct sfab_fabric *f, uint32_t host);

/* Return "all", "group" or "nearest". */
const char *sfab_iomap_name(enum sfab_iomap map);
/* Return "held" if the servers hold writes back, else "paced". */
const char *sfab_ioset_servers_name(int held);

#endif
