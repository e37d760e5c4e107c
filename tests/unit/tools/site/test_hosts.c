/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_hosts.c - leaf switches that hosts are on */

#include "tests/unit/fixtures/fabrics.h"
#include "tests/unit/fixtures/unit.h"
#include "tools/site/hosts.h"

/* Three leaves of two hosts in each plane: n1 and n2 are on the first of each. */
static const struct {
	unsigned planes;
	uint32_t n, host[4], first, all;
} leaf_vectors[] = {
	{ 1, 0, { 0 }, 0, 0 },
	{ 1, 1, { 4 }, 1, 1 },
	{ 1, 2, { 0, 1 }, 1, 1 },
	{ 1, 4, { 5, 0, 1, 4 }, 2, 2 },
	{ 2, 0, { 0 }, 0, 0 },
	{ 2, 2, { 0, 1 }, 1, 2 },
	{ 2, 3, { 0, 2, 4 }, 3, 6 },
};

LOOP_TEST(leaves_of_hosts_are_counted_by_ports, N(leaf_vectors))
{
	const struct clos shape = { .leaves = 3, .spines = 2, .hosts = 2,
				    .planes = leaf_vectors[_i].planes };
	struct sfab_fabric *f = unit_fabric(&shape);

	ck_assert_uint_eq(hosts_leaves(f, leaf_vectors[_i].host, leaf_vectors[_i].n,
				       HOSTS_FIRST_PORTS), leaf_vectors[_i].first);
	ck_assert_uint_eq(hosts_leaves(f, leaf_vectors[_i].host, leaf_vectors[_i].n,
				       HOSTS_ALL_PORTS), leaf_vectors[_i].all);
}

UNIT_MAIN("hosts")
