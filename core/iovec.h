/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * iovec.h - what one host's IO adds to the switch-to-switch links
 *
 * A vector is sparse, in units of link capacity, for a host that asks for the
 * whole rate of its ports; a job's share and CPUs scale it.  Vectors depend on
 * nothing but the tables and the IO set, so those that a search needed are
 * kept for the next one, up to SFAB_IOVEC_MAX entries; what is beyond that is
 * worked out again each time.
 */
#ifndef SFAB_IOVEC_H
#define SFAB_IOVEC_H

#include "model.h"

#define SFAB_IOVEC_MAX (12u << 20)	/* entries kept: 96 MiB */

struct sfab_iovec {
	uint32_t n;
	const uint32_t *res;
	const float *v;
};

struct sfab_iovecs;		/* opaque; one owner, not thread-safe */

struct sfab_iovecs *sfab_iovecs_create(const struct sfab_model *m);
void sfab_iovecs_destroy(struct sfab_iovecs *vs);	/* NULL is fine */

/*
 * Vector of @host for IO class @class and set @set.  Borrowed until the next
 * sfab_iovecs_begin().
 */
int sfab_iovecs_get(struct sfab_iovecs *vs, enum sfab_class class, uint32_t set,
		    uint32_t host, struct sfab_iovec *out, struct sfab_err *err);

/* A search begins: vectors that are not kept may be dropped. */
void sfab_iovecs_begin(struct sfab_iovecs *vs);

#endif
