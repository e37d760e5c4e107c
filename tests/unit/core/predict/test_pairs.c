/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_pairs.c - pairs that send at once: against shares worked out by hand
 *
 * One spine, so each leaf has one uplink: leaf1 n1 n2 n3, leaf2 n4 n5 n6.  k pairs from leaf1
 * to leaf2 get 1/k each, and nothing else limits anybody.
 */

#include "tests/unit/fixtures/unit.h"

#include "core/predict/pairs.h"
#include "tests/unit/fixtures/fabrics.h"

#include <math.h>

#define HOSTS 8

static struct sfab_fabric *f;
static struct sfab_model *m;

static void open_fabric(struct sfab_fabric *fabric)
{
	f = fabric;
	m = unit_model(f, NULL);
}

static void check_shares(const double *share, const double *expected, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		ck_assert_double_eq_tol(share[i], expected[i], 1e-12);
}

struct rotation {
	const char *what;
	uint32_t n, host[HOSTS];	/* from 1, in order of ranks */
	double share[HOSTS * HOSTS / 4];	/* [rotation][sender] */
};

static const struct rotation rotations[] = {
	{ "one pair on a leaf", 2, { 1, 2 }, { 1 } },
	{ "one pair, the third left out", 3, { 1, 4, 5 }, { 1 } },
	{ "both leaves' pairs at home, then each way across",
	  4, { 1, 4, 2, 5 }, { 1, 1, 1, 1 } },
	{ "both across, whoever they send to",
	  4, { 1, 2, 4, 5 }, { 0.5, 0.5, 0.5, 0.5 } },
	{ "the upper half sends nothing: the way back is not counted",
	  6, { 1, 2, 3, 4, 5, 6 },
	  { 1 / 3., 1 / 3., 1 / 3., 1 / 3., 1 / 3., 1 / 3., 1 / 3., 1 / 3., 1 / 3. } },
	/* n1-n3 n2-n5 n4-n6 | n1-n5 n2-n6 n4-n3 | n1-n6 n2-n3 n4-n5 */
	{ "two across in the second rotation only",
	  6, { 1, 2, 4, 3, 5, 6 }, { 1, 1, 1, 0.5, 0.5, 1, 1, 1, 1 } },
	{ "the same with a seventh that takes no part",
	  7, { 1, 2, 4, 3, 5, 6, 7 }, { 1, 1, 1, 0.5, 0.5, 1, 1, 1, 1 } },
};
#define NROTATIONS ((int) (sizeof(rotations) / sizeof(rotations[0])))

LOOP_TEST(rotations_share_what_was_worked_out_by_hand, NROTATIONS)
{
	/* the third leaf is for the seventh host */
	static const struct clos shape = { .leaves = 3, .spines = 1, .hosts = 3 };
	const struct rotation *x = &rotations[_i];
	uint32_t host[HOSTS], half = x->n / 2;
	double share[HOSTS * HOSTS / 4 + 1];

	printf("# %s\n", x->what);
	for (uint32_t i = 0; i < x->n; i++)
		host[i] = x->host[i] - 1;
	share[half * half] = -1;
	open_fabric(unit_fabric(&shape));
	ck_assert_int_eq(sfab_pairs_rotate(m, host, x->n, half, share, NULL), 0);
	check_shares(share, x->share, half * half);
	ck_assert_double_eq(share[half * half], -1);
}

/* One of three: the first.  Two of three: the first and the second. */
TEST(few_rotations_begin_with_the_first)
{
	static const struct clos shape = { .leaves = 2, .spines = 1, .hosts = 3 };
	const struct rotation *x = &rotations[5];
	uint32_t host[HOSTS];
	double share[HOSTS];

	for (uint32_t i = 0; i < x->n; i++)
		host[i] = x->host[i] - 1;
	open_fabric(unit_fabric(&shape));
	ck_assert_int_eq(sfab_pairs_rotate(m, host, 6, 1, share, NULL), 0);
	check_shares(share, x->share, 3);
	ck_assert_int_eq(sfab_pairs_rotate(m, host, 6, 2, share, NULL), 0);
	check_shares(share, x->share, 6);
}

/* All of them in order; of fewer, evenly spread and none twice. */
TEST(rotations_are_spread_evenly)
{
	static const uint32_t third[] = { 0, 10, 21 };

	for (uint32_t i = 0; i < 32; i++)
		ck_assert_uint_eq(sfab_pairs_rotation(64, 32, i), i);
	for (uint32_t i = 0; i < 3; i++)
		ck_assert_uint_eq(sfab_pairs_rotation(65, 3, i), third[i]);
	ck_assert_uint_eq(sfab_pairs_rotation(4000000000u, 1000000, 999999),
			  1999998000u);
}

/* n1 and n2 share the uplink, n3's flow fills what n4 leaves of n6's leaf port. */
TEST(pairs_share_links_max_min)
{
	static const struct clos shape = { .leaves = 3, .spines = 1, .hosts = 3 };
	/* leaf1 to leaf2 twice and to leaf3 once; leaf2 to leaf3 */
	static const uint32_t from[] = { 0, 1, 2, 3 }, to[] = { 4, 5, 6, 7 };
	/* uplink of leaf1: 1/3 each; into leaf3: n4 takes what n3 leaves */
	static const double share[] = { 1 / 3., 1 / 3., 1 / 3., 2 / 3. };
	/* two flows into one host */
	static const uint32_t one[] = { 0, 0, 2 };
	static const uint32_t far[] = { 3, 4, 2 };
	static const double halves[] = { 0.5, 0.5 };
	double got[4];

	open_fabric(unit_fabric(&shape));
	ck_assert_int_eq(sfab_pairs(m, 4, from, to, got, NULL), 0);
	check_shares(got, share, 4);
	ck_assert_int_eq(sfab_pairs(m, 2, one, far, got, NULL), 0);
	check_shares(got, halves, 2);
	ck_assert_int_eq(sfab_pairs(m, 3, one, far, got, &unit_err), -1);
	ck_assert_int_eq(unit_err.code, SFAB_EINVAL);
}

/* Pairs from the leaf of @host to the other one; @host: 6, as shuffled. */
static uint32_t pairs_along(const uint32_t *host, uint32_t i)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < 3; k++)
		n += host[k] / 3 == host[i] / 3 && host[3 + k] / 3 != host[k] / 3;
	return n;
}

/* Two leaves of three hosts; the order that is left behind shows who sent to whom. */
TEST(a_bisection_sends_each_host_once)
{
	static const struct clos shape = { .leaves = 2, .spines = 1, .hosts = 3 };
	uint32_t host[] = { 0, 1, 2, 3, 4, 5 }, max = 0;
	double share[3];

	open_fabric(unit_fabric(&shape));
	for (unsigned seed = 1; seed <= 20; seed++) {
		uint8_t seen[6] = { 0 };

		unit_must(sfab_pairs_bisect(m, host, 6, 1, seed, share, &unit_err) == 0);
		for (uint32_t i = 0; i < 6; i++)
			ck_assert_msg(!seen[host[i]]++, "seed %u: host %u twice", seed, host[i]);
		for (uint32_t i = 0; i < 3; i++) {
			int across = host[i] / 3 != host[3 + i] / 3;
			uint32_t n = across ? pairs_along(host, i) : 1;

			ck_assert_msg(fabs(share[i] * n - 1) <= 1e-12, "seed %u: pair %u has %g "
				      "(expected 1/%u)", seed, i, share[i], n);
			max = n > max ? n : max;
		}
	}
	ck_assert_uint_eq(max, 3);
}

UNIT_MAIN("pairs")
