/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_nodedesc.c - which descriptions name a host */

#include "io/nodedesc.h"
#include "tests/unit/fixtures/unit.h"

static const struct {
	const char *desc;
	int names_host;
} vectors[] = {
	{ "c001 HCA-1", 1 },
	{ "c001", 1 },
	{ "localhost-7 mlx5_0", 1 },
	{ "MT-login mlx5_0", 1 },
	{ "Mellanox Technologies Aggregation Node", 0 },
	{ "Quantum Aggregation Node", 0 },
	{ "MT25408 ConnectX Mellanox Technologies", 0 },
	{ "localhost HCA-2", 0 },
	{ "localhost", 0 },
	{ "localhost.localdomain mlx5_0", 0 },
	{ "(none) HCA-1", 0 },
	{ "<unknown>", 0 },
	{ "", 0 },
	{ "   ", 0 },
	{ "0x0002c90300100002 HCA-1", 0 },
	{ "0x0002c9 HCA-1", 1 },
};

LOOP_TEST(hosts, N(vectors))
{
	char buf[SFAB_NODEDESC_HOST_SIZE];
	const char *host = sfab_nodedesc_host(vectors[_i].desc,
					      0x2c90300100001, buf);

	if (vectors[_i].names_host)
		ck_assert_ptr_null(host);
	else
		ck_assert_str_eq(host, "0x0002c90300100001");
}

UNIT_MAIN("nodedesc")
