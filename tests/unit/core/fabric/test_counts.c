/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_counts.c - counts of all pairs against a walk of every pair, on sound and spoilt tables */

#include "tests/unit/fixtures/unit.h"

#include "core/fabric/route.h"
#include "tests/unit/fixtures/fabrics.h"

#include <math.h>

struct counts {
	uint32_t *dlids;
	double *routes;
	uint64_t pairs;
};

static struct counts counts_new(const struct sfab_fabric *f)
{
	struct counts c = { 0 };

	c.dlids = calloc(f->nlinks, sizeof(*c.dlids));
	c.routes = calloc(f->nlinks, sizeof(*c.routes));
	ck_assert(c.dlids && c.routes);
	return c;
}

static void counts_free(struct counts *c)
{
	free(c->dlids);
	free(c->routes);
}

/* One pair by one LID; @seen: the last LID, by its number, that met a link. */
static void walk_pair(const struct sfab_fabric *f, uint32_t src, uint32_t dst,
		      uint32_t offset, uint32_t *seen, struct counts *c)
{
	uint32_t inject = f->ports[src].inject;
	uint32_t number = 8 * dst + offset + 1;
	struct sfab_port *to = (struct sfab_port *) &f->ports[dst];
	struct sfab_route r = { 0 };

	to->entry += offset;
	ck_assert_int_eq(sfab_route_from(f, f->ports[src].sw, dst, &r), 0);
	to->entry -= offset;
	for (uint32_t i = 0; r.status == SFAB_ROUTE_OK && i < r.n; i++) {
		uint32_t link = r.hop[i].link;

		c->dlids[link] += seen[link] != number;
		seen[link] = number;
		if (offset == 0)
			c->routes[link] += r.hop[i].share;
	}
	if (r.status == SFAB_ROUTE_OK) {
		c->dlids[inject]++;
		c->routes[inject] += offset == 0;
		c->pairs += offset == 0;
	}
	sfab_route_clear(&r);
}

static void walk_all(const struct sfab_fabric *f, const uint8_t *src,
		     const uint8_t *dst, struct counts *c)
{
	uint32_t *seen = calloc(f->nlinks, sizeof(*seen));

	for (uint32_t d = 0; d < f->nports; d++)
		for (uint32_t k = 0; k < 1u << f->ports[d].lmc; k++)
			for (uint32_t s = 0; s < f->nports; s++)
				if (s != d && (!src || src[s]) && (!dst || dst[d]) &&
				    f->links[f->ports[s].inject].up)
					walk_pair(f, s, d, k, seen, c);
	free(seen);
}

static void same(const struct sfab_fabric *f, const uint8_t *src,
		 const uint8_t *dst)
{
	struct counts ours = counts_new(f), naive = counts_new(f);

	ck_assert_int_eq(sfab_route_counts(f, src, dst, ours.dlids, ours.routes,
					   &ours.pairs), 0);
	walk_all(f, src, dst, &naive);
	ck_assert_uint_eq(ours.pairs, naive.pairs);
	for (uint32_t i = 0; i < f->nlinks; i++) {
		ck_assert_msg(fabs(ours.routes[i] - naive.routes[i]) < 1e-9,
			      "link %u: %g routes, walks say %g", i,
			      ours.routes[i], naive.routes[i]);
		ck_assert_msg(ours.dlids[i] == naive.dlids[i],
			      "link %u: %u dlids, walks say %u", i, ours.dlids[i],
			      naive.dlids[i]);
	}
	counts_free(&ours);
	counts_free(&naive);
}

static const struct clos counted[] = {
	{ .leaves = 2, .spines = 2, .hosts = 2 },
	{ .leaves = 4, .spines = 3, .hosts = 5 },
	{ .leaves = 4, .spines = 3, .hosts = 1 },
	{ .leaves = 3, .spines = 2, .hosts = 4, .planes = 2 },
	{ .leaves = 3, .spines = 2, .hosts = 3, .lmc = 2 },
	{ .leaves = 3, .spines = 4, .hosts = 3, .grouped = 1 },
	{ .leaves = 5, .spines = 2, .hosts = 2, .same_spine = 1 },
};

LOOP_TEST(all_pairs, N(counted))
{
	struct sfab_fabric *f = unit_fabric(&counted[_i]);
	uint64_t pairs, n = f->nports / f->nplanes;

	same(f, NULL, NULL);
	ck_assert_int_eq(sfab_route_counts(f, NULL, NULL, NULL, NULL, &pairs), 0);
	ck_assert_uint_eq(pairs, f->nplanes * n * (n - 1));
}

static int chance(unsigned in)
{
	return random() % in == 0;
}

LOOP_TEST(some_sources_to_some_destinations, 70)
{
	struct sfab_fabric *f = unit_fabric(&counted[(unsigned) _i % N(counted)]);
	uint8_t *src = calloc(f->nports, 1), *dst = calloc(f->nports, 1);

	srandom((unsigned) _i);
	for (uint32_t i = 0; i < f->nports; i++) {
		src[i] = (uint8_t) chance(2);
		dst[i] = (uint8_t) chance(2);
	}
	same(f, src, dst);
	same(f, src, NULL);
	same(f, NULL, dst);
	free(src);
	free(dst);
}

LOOP_TEST(spoilt_tables, 350)
{
	struct sfab_fabric *f = unit_fabric(&counted[(unsigned) _i % N(counted)]);

	unit_spoil_tables(f, (unsigned) _i);
	same(f, NULL, NULL);
}

TEST(a_group_that_names_a_port_twice)
{
	static const uint8_t ports[] = { 3, 4, 3 };
	static const double shares[] = { 1, 2, 1 };
	struct clos shape = { .leaves = 3, .spines = 2, .hosts = 2 };
	struct sfab_builder *b = unit_builder(&shape);
	struct sfab_fabric *f;

	ck_assert_int_eq(sfab_builder_add_group(b, 0, 0x100, 5, ports, shares, 3,
						NULL), 0);
	f = unit_freeze(b);
	same(f, NULL, NULL);
}

UNIT_MAIN("counts")
