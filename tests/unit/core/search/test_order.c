/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_order.c - orders of nodes: against values by hand, against all orders of up to eight
 * nodes, and what must hold of any order.  The oracle walks each flow by itself and counts; it
 * knows the patterns by its own text.
 *
 * By hand: two leaves of four hosts, two spines; a leaf sends odd LIDs to one and even ones to
 * the other (fabrics.h: LIDs follow names).
 */

#include "core/ascending.h"
#include "tests/unit/fixtures/allocations.h"
#include "tests/unit/fixtures/unit.h"

#include "core/fabric/route.h"
#include "core/random.h"
#include "core/search/order.h"
#include "tests/unit/fixtures/fabrics.h"

static struct sfab_fabric *f;
static struct sfab_model *m;

static void open_made(const struct clos *made)
{
	f = unit_fabric(made);
	m = unit_model(f, NULL);
}

static void forget_order(struct sfab_order *o)
{
	sfab_order_clear(o);
	free(o);
}

/* What it has ends with the test. */
static struct sfab_order find_order(const uint32_t *host, uint32_t n, enum sfab_pattern p)
{
	struct sfab_order_request rq = { .n = n, .host = host };
	struct sfab_order *o = calloc(1, sizeof(*o));

	rq.mix[p] = 1;
	ck_assert_int_eq(sfab_order_find(m, &rq, o, NULL), 0);
	unit_cleanup(o, forget_order);
	return *o;
}

/* -- the oracle ------------------------------------------------------------- */

/* Add what @a sends to @b; one port a host, all of one rate. */
static void count_flow(unsigned *flows, uint32_t a, uint32_t b)
{
	struct sfab_route r = { 0 };

	ck_assert_int_eq(sfab_route_ports(f, f->hosts[a].port0, f->hosts[b].port0, &r), 0);
	ck_assert_int_eq(r.status, SFAB_ROUTE_OK);
	for (uint32_t i = 0; i < r.n; i++)
		flows[r.hop[i].link]++;
	sfab_route_clear(&r);
}

static unsigned fullest_isl(const unsigned *flows)
{
	unsigned max = 1;

	for (uint32_t l = 0; l < f->nlinks; l++)
		if (f->links[l].kind == SFAB_LINK_ISL && flows[l] > max)
			max = flows[l];
	return max;
}

/* Steps by the textbook; halving for 4 and 8 ranks only. */
static double oracle(const uint32_t *host, uint32_t n, enum sfab_pattern p)
{
	uint32_t nsteps = p == SFAB_ALLTOALL ? n - 1 : p == SFAB_RING ? 1 : n == 4 ? 2 : 3;
	double sum = 0;

	for (uint32_t s = 0; s < nsteps; s++) {
		unsigned flows[512] = { 0 };

		ck_assert_uint_le(f->nlinks, 512);
		for (uint32_t i = 0; i < n; i++)
			count_flow(flows, host[i], host[p == SFAB_ALLREDUCE ? i ^ (1u << s) :
						  (i + 1 + s) % n]);
		sum += fullest_isl(flows);
	}
	return sum / nsteps;
}

/* The least over all orders that begin with the first @fixed hosts as they are. */
static double best_of_all(uint32_t *host, uint32_t n, uint32_t fixed, enum sfab_pattern p)
{
	double best = 1e9;

	if (fixed == n)
		return oracle(host, n, p);
	for (uint32_t i = fixed; i < n; i++) {
		uint32_t was = host[fixed];
		double x;

		host[fixed] = host[i];
		host[i] = was;
		x = best_of_all(host, n, fixed + 1, p);
		best = x < best ? x : best;
		host[i] = host[fixed];
		host[fixed] = was;
	}
	return best;
}

static const struct {
	struct clos made;
	enum sfab_pattern pattern;
	uint32_t n, host[8];
} small[] = {
	{ { .leaves = 2, .spines = 2, .hosts = 4 }, SFAB_ALLREDUCE, 8,
	  { 0, 1, 2, 3, 4, 5, 6, 7 } },
	{ { .leaves = 2, .spines = 2, .hosts = 6 }, SFAB_ALLREDUCE, 8,
	  { 0, 1, 2, 3, 4, 6, 8, 10 } },
	{ { .leaves = 3, .spines = 2, .hosts = 4 }, SFAB_ALLREDUCE, 8,
	  { 0, 1, 2, 4, 5, 6, 8, 10 } },
	{ { .leaves = 4, .spines = 3, .hosts = 3 }, SFAB_ALLREDUCE, 8,
	  { 0, 1, 2, 3, 4, 6, 9, 10 } },
	{ { .leaves = 2, .spines = 2, .hosts = 2, .same_spine = 1 }, SFAB_ALLREDUCE, 4,
	  { 0, 1, 2, 3 } },
	{ { .leaves = 3, .spines = 2, .hosts = 4 }, SFAB_RING, 7, { 0, 2, 4, 6, 8, 9, 10 } },
	{ { .leaves = 3, .spines = 1, .hosts = 3 }, SFAB_ALLTOALL, 7,
	  { 0, 1, 3, 4, 6, 7, 8 } },
	{ { .leaves = 3, .spines = 2, .hosts = 4 }, SFAB_ALLTOALL, 7,
	  { 0, 2, 4, 5, 7, 9, 10 } },
};

LOOP_TEST(the_order_found_is_the_best_of_all, N(small))
{
	uint32_t host[8], n = small[_i].n;
	enum sfab_pattern p = small[_i].pattern;
	struct sfab_order o;
	/* Rank 0 may stay: shifts turn, and xor maps any rank to it. */
	uint32_t fixed = 1;

	open_made(&small[_i].made);
	memcpy(host, small[_i].host, sizeof(host));
	o = find_order(host, n, p);
	ck_assert_int_eq(o.reason, SFAB_ORDER_SEARCHED);
	for (int k = 0; k < SFAB_NORDERS; k++)
		ck_assert_double_eq_tol(o.steps[k].mean, oracle(o.host[k], n, p), 1e-9);
	ck_assert_double_eq_tol(o.steps[SFAB_ORDER_FOUND].mean,
				best_of_all(host, n, fixed, p), 1e-9);
}

/*
 * Four nodes, all routes over one spine: one of the two steps has two flows on each uplink, in
 * any order.  With hosts 0 1 2 and 4 5 6 7 of the other leaf and a ring, one flow leaves each
 * leaf if each leaf is together.
 */
TEST(orders_are_those_worked_out_by_hand)
{
	static const struct clos one_spine = { .leaves = 2, .spines = 2, .hosts = 4,
					       .same_spine = 1 };
	static const uint32_t four[] = { 0, 1, 4, 5 }, ring[] = { 0, 4, 1, 5, 2, 6 };
	struct sfab_order o;

	open_made(&one_spine);
	o = find_order(four, 4, SFAB_ALLREDUCE);
	ck_assert_double_eq(o.steps[SFAB_ORDER_FOUND].mean, 1.5);
	ck_assert_mem_eq(o.host[SFAB_ORDER_FOUND], four, sizeof(four));
	o = find_order(ring, 6, SFAB_RING);
	ck_assert_double_eq(o.steps[SFAB_ORDER_LEAF].mean, 1);
	ck_assert_double_eq(o.steps[SFAB_ORDER_FOUND].mean, 1);
	ck_assert_uint_eq(o.host[SFAB_ORDER_NAME][1], 1);
}

/* Draw @n different hosts. */
static void draw_hosts(uint32_t *host, uint32_t n, uint64_t *random)
{
	uint32_t *all = calloc(f->nhosts, sizeof(*all));

	for (uint32_t h = 0; h < f->nhosts; h++)
		all[h] = h;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = i + (uint32_t) (sfab_random(random) % (f->nhosts - i));

		host[i] = all[at];
		all[at] = all[i];
	}
	free(all);
}

static const struct clos large[] = {
	{ .leaves = 8, .spines = 6, .hosts = 12 },
	{ .leaves = 5, .spines = 2, .hosts = 20 },
	{ .leaves = 4, .spines = 4, .hosts = 24, .planes = 2 },
	{ .leaves = 6, .spines = 4, .hosts = 16, .grouped = 1 },
};
#define NLARGE (sizeof(large) / sizeof(large[0]))

/* Each order has the nodes once; found is never worse; the same request, the same
 * answer, whatever the order in which the nodes were named. */
LOOP_TEST(an_order_has_each_node_once_however_named, NLARGE)
{
	static const uint32_t sizes[] = { 3, 5, 16, 23, 64, 70 };
	uint64_t random = 7;

	open_made(&large[_i]);
	for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
		uint32_t host[70], again[70], n = sizes[k];
		struct sfab_order o, p;

		draw_hosts(host, n, &random);
		for (uint32_t i = 0; i < n; i++)
			again[i] = host[n - 1 - i];
		o = find_order(host, n, (enum sfab_pattern) (k % SFAB_NPATTERNS));
		p = find_order(again, n, (enum sfab_pattern) (k % SFAB_NPATTERNS));
		ck_assert_mem_eq(o.host[SFAB_ORDER_FOUND], p.host[SFAB_ORDER_FOUND],
				 n * sizeof(*host));
		ck_assert_double_le(o.steps[SFAB_ORDER_FOUND].mean,
				    o.steps[SFAB_ORDER_NAME].mean + 1e-9);
		ck_assert_double_le(o.steps[SFAB_ORDER_FOUND].mean,
				    o.steps[SFAB_ORDER_LEAF].mean + 1e-9);
		qsort(host, n, sizeof(*host), sfab_ascending_u32);
		ck_assert_mem_eq(o.host[SFAB_ORDER_NAME], host, n * sizeof(*host));
		for (int x = SFAB_ORDER_LEAF; x < SFAB_NORDERS; x++) {
			qsort(o.host[x], n, sizeof(*host), sfab_ascending_u32);
			ck_assert_mem_eq(o.host[x], host, n * sizeof(*host));
		}
	}
}

/* A search with more work is not worse, and one with none is a plain order. */
TEST(more_work_finds_no_worse_order)
{
	struct sfab_order_request rq = { .n = 48, .mix = { 0, 1, 0 } };
	uint32_t host[48];
	uint64_t random = 3;
	struct sfab_order none, more;

	open_made(&large[0]);
	draw_hosts(host, 48, &random);
	rq.host = host;
	rq.max_work = 1;
	ck_assert_int_eq(sfab_order_find(m, &rq, &none, NULL), 0);
	rq.max_work = 400000;
	ck_assert_int_eq(sfab_order_find(m, &rq, &more, NULL), 0);
	ck_assert_uint_le(none.tried, 1);
	ck_assert_uint_gt(more.tried, 1000);
	ck_assert_double_lt(more.steps[SFAB_ORDER_FOUND].mean,
			    none.steps[SFAB_ORDER_FOUND].mean - 0.1);
	sfab_order_clear(&none);
	sfab_order_clear(&more);
}

/* Lent parts change nothing and can be used again; a stop leaves nothing behind. */
TEST(lent_parts_change_no_order)
{
	static const uint32_t host[] = { 0, 1, 2, 4, 5, 8, 9, 10 };
	const struct clos three = { .leaves = 3, .spines = 2, .hosts = 4 };
	volatile int stop = 0;
	struct sfab_order_request rq = { .n = 8, .host = host, .stop = &stop };
	struct sfab_order own, lent;
	struct sfab_arena arena = { 0 };
	struct sfab_err err = { 0 };

	open_made(&three);
	own = find_order(host, 8, SFAB_ALLREDUCE);
	rq.mix[SFAB_ALLREDUCE] = 1;
	rq.grid = sfab_class_grid_create(&arena, m);
	rq.stepper = sfab_stepper_create(m);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(sfab_order_find(m, &rq, &lent, &err), 0);
		ck_assert_mem_eq(lent.host[SFAB_ORDER_FOUND],
				 own.host[SFAB_ORDER_FOUND], sizeof(host));
		sfab_order_clear(&lent);
	}
	stop = 1;
	ck_assert_int_eq(sfab_order_find(m, &rq, &lent, &err), -1);
	ck_assert_int_eq(err.code, SFAB_ESTALE);
	ck_assert_ptr_null(lent.host[SFAB_ORDER_FOUND]);
	sfab_stepper_destroy(rq.stepper);
	sfab_arena_free(&arena);
}

TEST(an_order_says_why_it_was_not_searched)
{
	static const uint32_t leaf[] = { 3, 0, 2, 1 }, two[] = { 5, 0 };
	struct sfab_order o;

	open_made(&large[0]);
	o = find_order(leaf, 4, SFAB_ALLREDUCE);
	ck_assert_int_eq(o.reason, SFAB_ORDER_LOCAL);
	ck_assert_uint_eq(o.host[SFAB_ORDER_FOUND][0], 0);
	o = find_order(two, 2, SFAB_RING);
	ck_assert_int_eq(o.reason, SFAB_ORDER_FEW);
	o = find_order(two, 1, SFAB_RING);
	ck_assert_int_eq(o.reason, SFAB_ORDER_FEW);
	ck_assert_uint_eq(o.host[SFAB_ORDER_FOUND][0], 5);
	o = find_order(two, 0, SFAB_RING);
	ck_assert_int_eq(o.reason, SFAB_ORDER_FEW);
}

/* A host that nobody cabled: the order of names, and which host it was. */
TEST(an_uncabled_host_leaves_the_order_of_names)
{
	static const uint32_t host[] = { 4, 2, 0, 9 };
	struct sfab_order o;

	open_made(&large[0]);
	m->host_leaf[2] = SFAB_NONE;
	o = find_order(host, 4, SFAB_ALLREDUCE);
	ck_assert_int_eq(o.reason, SFAB_ORDER_UNCABLED);
	ck_assert_uint_eq(o.uncabled, 2);
	for (int i = 0; i < SFAB_NORDERS; i++) {
		ck_assert_uint_eq(o.host[i][0], 0);
		ck_assert_uint_eq(o.host[i][3], 9);
	}
}

/* Tables that lead nowhere or around: an answer, and each node once. */
LOOP_TEST(an_order_on_spoiled_tables_has_each_node_once, 12)
{
	uint32_t host[40];
	uint64_t random = (uint64_t) _i;
	struct sfab_order o;

	f = unit_fabric(&large[0]);
	unit_spoil_tables(f, (unsigned) _i);
	m = unit_model(f, NULL);
	draw_hosts(host, 40, &random);
	o = find_order(host, 40, (enum sfab_pattern) (_i % SFAB_NPATTERNS));
	qsort(host, 40, sizeof(*host), sfab_ascending_u32);
	qsort(o.host[SFAB_ORDER_FOUND], 40, sizeof(*host), sfab_ascending_u32);
	ck_assert_mem_eq(o.host[SFAB_ORDER_FOUND], host, sizeof(host));
}

TEST(a_search_of_orders_without_memory_fails)
{
	struct sfab_order_request rq = { .n = 24, .mix = { 1, 1, 1 }, .max_work = 5000 };
	uint32_t host[24];
	uint64_t random = 1;
	int reached = 1, failures = 0;
	struct sfab_order o;
	struct sfab_err err;

	open_made(&large[0]);
	draw_hosts(host, 24, &random);
	rq.host = host;
	for (long fail_at = 0; reached; fail_at++) {
		int rc;

		allocations_left = fail_at;
		rc = sfab_order_find(m, &rq, &o, &err);
		reached = allocations_left < 0;
		allocations_left = -1;
		ck_assert(rc == 0 || (reached && err.code == SFAB_ENOMEM));
		failures += rc != 0;
		sfab_order_clear(&o);
	}
	ck_assert_int_gt(failures, 20);
}

UNIT_MAIN("order")
