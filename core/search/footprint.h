/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * footprint.h - what one host's IO adds to the switch-to-switch links
 *
 * In units of link capacity, for a host that asks for the whole rate of its
 * ports; a job's share and CPUs scale it.  Near the servers nearly all writers
 * load the same links, so what a host adds is in two parts: a vector that is
 * common to all of one class and set, of the links that most hosts load, with
 * the most that any puts there; and its own vector, which is positive on other
 * links and negative on common ones that it loads less.
 *
 * Vectors depend on nothing but the tables and the IO sets, so those that a
 * search needed are kept for the next one.  A kind of them is a class and a set; a
 * search asks for SFAB_TRAFFIC_PARTS kinds at most.  Together those kept are never
 * more than SFAB_IOVEC_MAX entries, of SFAB_IOVEC_KINDS kinds: a search that needs
 * another kind has those forgotten that were not asked for the longest.  Where one
 * search's do not fit each vector leaves out its smallest entries, the same ones
 * whatever is kept.  Links that no other covers stand there twice, the second time
 * (few) by themselves.
 *
 * To make vectors is not counted as steps of a search: else an answer would depend
 * on what is kept.  A stop ends it between two hosts.
 */
#ifndef SFAB_FOOTPRINT_H
#define SFAB_FOOTPRINT_H

#include "core/load/model.h"

#define SFAB_IOVEC_MAX (5u << 20)	/* entries kept: 40 MiB */
#define SFAB_IOVEC_KINDS 32u	/* tables by host and link kept: 1 MB each, of 10,000 */

struct sfab_ioentry {
	uint32_t res;		/* a switch-to-switch link */
	float v;
};

struct sfab_iovec {
	uint32_t n, left_out;	/* entries here, and those left out */
	uint32_t nless;		/* so many are negative */
	uint32_t nkey;		/* what is behind these repeats other links' */
	uint32_t nfew, nfewless;	/* n and nless of few */
	float peak;		/* the most that the host puts on any link */
	const struct sfab_ioentry *entry;	/* negative ones, then the largest */
	const struct sfab_ioentry *few;		/* of links that none covers; or NULL */
};

struct sfab_iovecs;		/* opaque; one owner, not thread-safe */

struct sfab_iovecs *sfab_iovecs_create(const struct sfab_model *m);
void sfab_iovecs_destroy(struct sfab_iovecs *vs);	/* NULL is fine */

/*
 * A search begins: what was borrowed may go from here on.  @stop (NULL: none) is
 * looked at until the next one: once it is 1 nothing is made any more, SFAB_ESTALE.
 */
void sfab_iovecs_begin(struct sfab_iovecs *vs, const volatile int *stop);

/*
 * Own vector of @host for IO class @class and set @set, and the common one of
 * that class and set.  Borrowed until the next sfab_iovecs_begin().
 */
int sfab_iovecs_get(struct sfab_iovecs *vs, enum sfab_class class, uint32_t set,
		    uint32_t host, struct sfab_iovec *out, struct sfab_err *err);

int sfab_iovecs_common(struct sfab_iovecs *vs, enum sfab_class class,
		       uint32_t set, struct sfab_iovec *out, struct sfab_err *err);

/*
 * By link: the one that covers it, because it carries as much or more from whatever
 * host and is not common, or itself; @same: one that carries exactly the same, or
 * itself.  NULL: not known for that class and set, or before a vector was asked for.
 */
const uint32_t *sfab_iovecs_cover(const struct sfab_iovecs *vs,
				  enum sfab_class class, uint32_t set,
				  const uint32_t **same);

/*
 * Those of all hosts, set by set, so that no search has to wait for one, until
 * @most link additions are reached or no further kind fits: where there are very
 * many sets, a search makes those of the others that it needs, the same.
 */
#define SFAB_IOVEC_FILL 100000000u	/* a second or two; sets as sites have need less */
int sfab_iovecs_fill(struct sfab_iovecs *vs, uint64_t most, struct sfab_err *err);

/*
 * The first host that writes like @host, or @host: same leaves, rates and, for
 * sets with groups, none but itself.
 */
uint32_t sfab_iovecs_like(const struct sfab_iovecs *vs, uint32_t set,
			  uint32_t host);

/*
 * Add to @io what @spec's IO puts on switch-to-switch links, to about six
 * digits.  1: that is not to be had from vectors (they leave out entries, the
 * set has a client map, a host is a server), @io may hold a part.
 */
int sfab_iovecs_load(struct sfab_iovecs *vs, const struct sfab_spec *spec,
		     struct sfab_load *io, struct sfab_err *err);

#endif
