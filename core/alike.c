/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alike.c - candidates that put the same loads on the links
 *
 * Writers that hang on the same leaves are alike; nobody is alike when read
 * to, because every LID has its own way.
 */

#include "search_private.h"

static int may_be_alike(const struct pool *p)
{
	const struct sfab_traffic *t = p->rq->traffic;

	for (uint32_t i = 0; i < t->nparts; i++) {
		uint32_t set;

		if (t->part[i].class == SFAB_IO_READ)
			return 0;
		if (t->part[i].class == SFAB_IO_WRITE &&
		    (sfab_model_set(p->m, &t->part[i], &set, NULL) < 0 ||
		     p->m->io->set[set].map == SFAB_IOMAP_GROUP))
			return 0;
	}
	return 1;
}

static int cmp_ports(const struct sfab_port *a, const struct sfab_port *b)
{
	if (a->leaf != b->leaf)
		return a->leaf < b->leaf ? -1 : 1;
	if (a->rate != b->rate)
		return a->rate < b->rate ? -1 : 1;
	return 0;
}

/* 0: the candidates at places @a and @b are alike. */
static int cmp_alike(const struct pool *p, uint32_t a, uint32_t b)
{
	const struct sfab_fabric *f = p->m->f;
	uint32_t leaf = sfab_host_leaf(f, p->host[a]);
	uint32_t other = sfab_host_leaf(f, p->host[b]);
	const struct sfab_host *x = &f->hosts[p->host[a]];
	const struct sfab_host *y = &f->hosts[p->host[b]];
	int c = (leaf > other) - (leaf < other);

	if (c == 0)
		c = (x->nports > y->nports) - (x->nports < y->nports);
	for (uint32_t k = 0; c == 0 && k < x->nports; k++)
		c = cmp_ports(&f->ports[x->port0 + k], &f->ports[y->port0 + k]);
	if (c == 0 && p->rq->cpus)
		c = (p->rq->cpus[p->host[a]] > p->rq->cpus[p->host[b]]) -
		    (p->rq->cpus[p->host[a]] < p->rq->cpus[p->host[b]]);
	return c;
}

/* Candidates lie leaf by leaf already: they move within their leaf only. */
static void sort_within_leaves(const struct pool *p, uint32_t *order)
{
	for (uint32_t i = 1; i < p->nhosts; i++) {
		uint32_t x = order[i], k = i;

		while (k && cmp_alike(p, order[k - 1], x) > 0) {
			order[k] = order[k - 1];
			k--;
		}
		order[k] = x;
	}
}

uint32_t sfab_alike_groups(const struct pool *p, uint32_t *order, uint32_t *first)
{
	int alike = may_be_alike(p);
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->nhosts; i++)
		order[i] = i;
	if (alike)
		sort_within_leaves(p, order);
	for (uint32_t i = 0; i < p->nhosts; i++)
		if (!alike || i == 0 || cmp_alike(p, order[i - 1], order[i]) != 0)
			first[n++] = i;
	first[n] = p->nhosts;
	return n;
}
