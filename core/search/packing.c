/* SPDX-License-Identifier: GPL-2.0-or-later */
/* packing.c - the hosts by unit, what a set breaks, and best fit on units */

#include "core/search/packing.h"

#include <string.h>

#define SCARCE 0.5		/* part of the machine in use from where units have their full
				   price; flat from 0.5 to 0.75 (make bench-packing) */

const struct sfab_packing sfab_default_packing = { .unit = SFAB_UNIT_LEAF, .price = 1 };

/* Return the index of the unit of @host; hosts without a class are in the last column. */
static uint32_t unit_of_host(const struct sfab_model *m, const struct sfab_class_grid *g,
			     enum sfab_unit unit, uint32_t host)
{
	uint32_t c = g->ncolumns ? g->column[host] : SFAB_NONE;

	if (!sfab_model_computes(m, host) || m->host_leaf[host] == SFAB_NONE)
		return SFAB_NONE;
	if (unit == SFAB_UNIT_LEAF)
		return m->host_leaf[host];
	return c == SFAB_NONE ? g->ncolumns : c;
}

int sfab_units_init(struct sfab_units *u, struct sfab_arena *a, const struct sfab_model *m,
		    const struct sfab_class_grid *g, enum sfab_unit unit)
{
	uint32_t nhosts = m->leaf_first[m->f->nleaves];

	memset(u, 0, sizeof(*u));
	u->n = unit == SFAB_UNIT_LEAF ? m->f->nleaves : g->ncolumns + 1;
	u->unit_of = sfab_arena_take(a, m->f->nhosts, sizeof(*u->unit_of));
	u->host = sfab_arena_take(a, m->f->nhosts, sizeof(*u->host));
	u->first = sfab_arena_take(a, u->n + 1u, sizeof(*u->first));
	u->free = sfab_arena_take(a, u->n, sizeof(*u->free));
	u->taken = sfab_arena_take(a, u->n, sizeof(*u->taken));
	if (a->failed)
		return -1;
	for (uint32_t h = 0; h < m->f->nhosts; h++)
		u->unit_of[h] = unit_of_host(m, g, unit, h);
	/* Count the hosts of each unit, then list them by leaf and port. */
	for (uint32_t i = 0; i < nhosts; i++)
		if (u->unit_of[m->leaf_host[i]] != SFAB_NONE)
			u->first[u->unit_of[m->leaf_host[i]] + 1]++;
	for (uint32_t i = 0; i < u->n; i++) {
		u->free[i] = u->first[i + 1];
		u->first[i + 1] += u->first[i];
	}
	for (uint32_t i = 0; i < nhosts; i++) {
		uint32_t h = m->leaf_host[i], own = u->unit_of[h];

		if (own != SFAB_NONE)
			u->host[u->first[own] + u->taken[own]++] = h;
	}
	memset(u->taken, 0, u->n * sizeof(*u->taken));
	u->nfree = u->first[u->n];
	return 0;
}

void sfab_units_set_free(struct sfab_units *u, const uint8_t *avail)
{
	u->nfree = 0;
	for (uint32_t i = 0; i < u->n; i++) {
		u->free[i] = 0;
		for (uint32_t k = u->first[i]; k < u->first[i + 1]; k++)
			u->free[i] += avail ? avail[u->host[k]] : 1;
		u->nfree += u->free[i];
	}
}

double sfab_units_broken(struct sfab_units *u, const uint32_t *host, uint32_t n)
{
	double broken = 0;

	for (uint32_t i = 0; i < n; i++)
		if (u->unit_of[host[i]] != SFAB_NONE)
			u->taken[u->unit_of[host[i]]]++;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t unit = u->unit_of[host[i]];

		if (unit == SFAB_NONE || !u->taken[unit])
			continue;
		if (u->taken[unit] < u->free[unit])
			broken += u->free[unit] == sfab_unit_size(u, unit) ? 1 : 0.5;
		u->taken[unit] = 0;
	}
	return broken;
}

double sfab_units_scarcity(const struct sfab_units *u, uint32_t n)
{
	double all = u->first[u->n], in_use = all - u->nfree + n;

	return in_use < SCARCE * all ? in_use / (SCARCE * all) : 1;
}

uint32_t sfab_units_best_fit(struct sfab_units *u, const uint8_t *avail, uint32_t n,
			     uint32_t *pick)
{
	const uint32_t wanted = n;

	while (n) {
		uint32_t best = SFAB_NONE;

		for (uint32_t i = 0; i < u->n; i++)
			if (u->free[i] && !u->taken[i] &&
			    (best == SFAB_NONE ||
			     sfab_packing_compare_fit(u->free[i], u->free[best], n) > 0))
				best = i;
		if (best == SFAB_NONE)
			break;
		u->taken[best] = 1;
		for (uint32_t k = u->first[best]; n && k < u->first[best + 1]; k++)
			if (avail[u->host[k]]) {
				*pick++ = u->host[k];
				n--;
			}
	}
	memset(u->taken, 0, u->n * sizeof(*u->taken));
	return wanted - n;
}
