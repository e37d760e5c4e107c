/* SPDX-License-Identifier: GPL-2.0-or-later */
/* iovec_private.h - vectors of IO as iovec.c makes and iovec_sum.c adds them */
#ifndef SFAB_IOVEC_PRIVATE_H
#define SFAB_IOVEC_PRIVATE_H

#include "iovec.h"
#include "iovec_cover.h"

struct kind {			/* of vectors: one class and set */
	enum sfab_class class;
	uint32_t set;
	int has_common;
	struct sfab_iovec common;
	float *most;		/* [nlinks] common part; NULL: there is none */
	uint32_t *cover;	/* [nlinks] see iovec_cover.h; NULL: not known */
	uint32_t *same;
	struct sfab_iovec *of;	/* [nhosts] own part; entry NULL: not yet */
};

struct sfab_iovecs {
	const struct sfab_model *m;
	uint32_t nkinds;	/* 2 x sets: writes and reads of each */
	struct kind *kind;
	uint32_t *like;		/* [nhosts] first host that writes alike */
	uint32_t nlike;		/* different ones */
	struct sfab_load net, io;
	struct sfab_ioentry *scratch;	/* of a vector in the making */
	uint32_t n;
	struct sfab_load sum;	/* of vectors, in units of capacity */
};

/* The vectors of one class and set, with what is common to them. */
int sfab_iovecs_kind(struct sfab_iovecs *vs, enum sfab_class class, uint32_t set,
		     struct kind **out, struct sfab_err *err);

#endif
