/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps_ways.c - the routes of a job, each read once
 *
 * The links that a job uses are few.  They get numbers of their own in the order in which
 * routes meet them, so that the loads of a step are a short array.
 */

#include "core/load/steps_private.h"
#include "core/resize.h"

#include <stdlib.h>
#include <string.h>

/* Read the route by walking the switches' tables; 0: there is none; -1: out of memory. */
static int walk_way(struct sfab_stepper *sp, uint32_t leaf, uint32_t dst)
{
	const struct sfab_fabric *f = sp->m->f;
	struct sfab_route *r = &sp->way;
	uint32_t kept = 0;

	if (sfab_route_from(f, f->leaves[leaf].sw, dst, r) < 0)
		return -1;
	if (r->status != SFAB_ROUTE_OK)
		return 0;
	for (uint32_t i = 0; i < r->n; i++)
		if (sp->m->isl[r->hop[i].link])
			r->hop[kept++] = r->hop[i];
	r->n = kept;
	return 1;
}

int sfab_stepper_way(struct sfab_stepper *sp, uint32_t leaf, uint32_t dst)
{
	const struct sfab_paths *p = sp->m->paths;
	const uint16_t *row = p ? sfab_path(p, leaf, dst) : NULL;
	struct sfab_route *r = &sp->way;

	if (!p)
		return walk_way(sp, leaf, dst);
	r->n = 0;
	if (row[0] == SFAB_PATH_LOST)
		return 0;
	while (r->n < p->width && row[r->n] != SFAB_PATH_END) {
		r->hop[r->n].link = row[r->n];
		r->hop[r->n++].share = 1.0;
	}
	return 1;
}

uint32_t sfab_stepper_link(struct sfab_stepper *sp, uint32_t res)
{
	if (sp->number[res] == SFAB_NONE) {
		sp->number[res] = sp->nlinks;
		sp->link[sp->nlinks++] =
			(struct step_link){ .res = res, .at = SFAB_NONE, .lo = SFAB_NONE };
	}
	return sp->number[res];
}

int sfab_stepper_make_rows(struct sfab_stepper *sp)
{
	size_t n = (size_t) sp->nleaves * sp->c->n;

	sp->nhops = 0;
	sp->nlost = 0;
	sp->words = sp->c->n / 64 + 1;
	if (n < sp->rows_room)
		return 0;
	if (sfab_resize(&sp->row, n + 1, sizeof(*sp->row)) < 0 ||
	    sfab_resize(&sp->open, n + 1, sizeof(*sp->open)) < 0)
		return -1;
	sp->rows_room = n + 1;
	return 0;
}

/*
 * The route from leaf @k to @rank crosses @res, maybe not for the first time, with @part of
 * what the leaf sends to it.
 */
static inline void note_hop(struct sfab_stepper *sp, uint32_t k, uint32_t rank, uint32_t res,
			   double part)
{
	uint32_t l = sfab_stepper_link(sp, res);
	struct step_link *e = &sp->link[l];
	const struct step_leaf *leaf = &sp->leaf[k];
	size_t row = (size_t) k * sp->c->n + rank + 1;

	if (e->row != row) {
		e->row = row;
		e->sum = 0;
	}
	e->sum += part;
	if (e->from != k + 1) {
		e->from = k + 1;
		e->part = 0;
		e->lo = leaf->lo < e->lo ? leaf->lo : e->lo;
		e->hi = leaf->hi > e->hi ? leaf->hi : e->hi;
	}
	if (e->sum > e->part) {
		e->by_src += leaf->sends * (e->sum - e->part);
		e->part = e->sum;
		e->share = e->sum > e->share ? e->sum : e->share;
	}
	sp->gets[(size_t) l * sp->words + rank / 64] |= UINT64_C(1) << rank % 64;
	sp->hop[sp->nhops++] = l;
}

/* Room for @n hops more, and for the bits of @n links more. */
static int make_row_room(struct sfab_stepper *sp, uint32_t n)
{
	size_t hops = sp->nhops + n, bits = ((size_t) sp->nlinks + n) * sp->words;

	if (hops > sp->hops_room) {
		hops = 2 * hops + 1024;
		if (sfab_resize(&sp->hop, hops, sizeof(*sp->hop)) < 0 ||
		    (!sp->m->paths && sfab_resize(&sp->share, hops, sizeof(*sp->share)) < 0))
			return -1;
		sp->hops_room = hops;
	}
	if (bits > sp->gets_room) {
		if (sfab_resize(&sp->gets, 2 * bits, sizeof(*sp->gets)) < 0)
			return -1;
		memset(sp->gets + sp->gets_room, 0,
		       (2 * bits - sp->gets_room) * sizeof(*sp->gets));
		sp->gets_room = 2 * bits;
	}
	return 0;
}

/* 1: read; 0: no route; -1: no memory. */
static int read_route_row(struct sfab_stepper *sp, uint32_t k, uint32_t rank, uint32_t dst)
{
	const struct sfab_paths *p = sp->m->paths;
	const uint16_t *row = p ? sfab_path(p, sp->leaf[k].leaf, dst) : NULL;
	uint32_t n = p ? p->width : 0;
	int rc;

	if (!p) {
		rc = walk_way(sp, sp->leaf[k].leaf, dst);
		if (rc <= 0)
			return rc;
		n = sp->way.n;
	} else if (row[0] >= SFAB_PATH_LOST) {
		return row[0] == SFAB_PATH_END;
	}
	if (make_row_room(sp, n) < 0)
		return -1;
	for (uint32_t i = 0; p && i < n && row[i] != SFAB_PATH_END; i++)
		note_hop(sp, k, rank, row[i], 1);
	for (uint32_t i = 0; !p && i < n; i++) {
		sp->share[sp->nhops] = sp->way.hop[i].share;
		note_hop(sp, k, rank, sp->way.hop[i].link, sp->way.hop[i].share);
	}
	return 1;
}

int sfab_stepper_read(struct sfab_stepper *sp, uint32_t rail)
{
	uint32_t n = sp->c->n;
	const struct step_flow *w = &sp->flow[(size_t) rail * n];

	for (uint32_t k = sp->first[rail]; k < sp->first[rail + 1]; k++)
		for (uint32_t i = 0; i < n; i++) {
			size_t at = (size_t) k * n + i;
			int rc = 1;

			sp->row[at] = (uint32_t) sp->nhops;
			if (w[i].dst != SFAB_NONE)
				rc = read_route_row(sp, k, i, w[i].dst);
			if (rc < 0)
				return -1;
			if (sp->nhops > HOPS_MOST)
				return 1;
			sp->nlost += rc == 0;
			sp->open[at] = rc ? 0 : STEPS_LOST;
		}
	return 0;
}
