/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search_shapes.h - proposals for fabrics whose leaves are joined without spines
 *
 * They end with the pool's steps.  @pick: room for p->need hosts.
 */
#ifndef SFAB_SEARCH_SHAPES_H
#define SFAB_SEARCH_SHAPES_H

#include "core/search/search_private.h"

#define SHAPES_RAILS 4		/* hosts with so many ports */

/* 1: whole leaves are too few proposals: no spines, or many rails of few hosts. */
static inline int sfab_shapes_apply(const struct sfab_model *m)
{
	return m->direct || m->nrails >= SHAPES_RAILS;
}

/* The plain policies, random sets, and balls around leaves. */
int sfab_shapes_propose(struct pool *p, uint32_t *pick, struct sfab_err *err);

/* Swap any hosts of the best set for any others; there must be a best set. */
int sfab_shapes_swap(struct pool *p, uint32_t *pick, struct sfab_err *err);

#endif
