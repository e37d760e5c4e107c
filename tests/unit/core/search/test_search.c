/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_search.c - the search: what it must never do, and small cases with a known best */

#include "tests/unit/fixtures/unit.h"

#include "core/random.h"
#include "core/search/pool.h"
#include "core/search/search.h"
#include "tests/unit/fixtures/fabrics.h"

#define NHOSTS 48
#define NEARLY 1e-5			/* nodes: closer scores are equal to a search */

static struct sfab_fabric *f;
static struct sfab_iosets *io;
static struct sfab_model *m;
static struct sfab_jobs *js;
static struct sfab_scorer *sc;
static struct sfab_traffic t;
static uint8_t avail[NHOSTS], required[NHOSTS];
static uint32_t weight[NHOSTS];
static double cpus[NHOSTS];

static uint32_t id_of(const char *name)
{
	return sfab_fabric_host(f, name);
}

/*
 * Six leaves of eight hosts, four spines; IO hosts on the last four leaves, all with LIDs that
 * go over the first spine.
 */
static void set_up(void)
{
	static const struct clos shape = { .leaves = 6, .spines = 4, .hosts = 8 };
	static const char *const hosts[] = { "n20", "n28", "n36", "n44" };
	const struct sfab_ioset_spec is = { .name = "io", .nhosts = 4, .host = hosts };

	f = unit_fabric(&shape);
	io = unit_sets(f, &is, 1);
	m = unit_model(f, io);
	js = unit_jobs(m);
	sc = unit_scorer(m);
	for (uint32_t h = 0; h < NHOSTS; h++) {
		avail[h] = !sfab_iosets_has_host(io, f, h);
		required[h] = 0;
		weight[h] = 0;
	}
}

static struct sfab_request request(uint32_t n, const char *traffic)
{
	struct sfab_request rq = { .n = n, .avail = avail, .traffic = &t, .seed = 1 };

	t = unit_traffic(traffic);
	return rq;
}

static void check_choice(const struct sfab_request *rq, const struct sfab_choice *c)
{
	ck_assert_uint_eq(c->n, rq->n);
	for (uint32_t i = 0; i < c->n; i++) {
		ck_assert(avail[c->host[i]]);
		ck_assert(i == 0 || c->host[i] > c->host[i - 1]);
	}
	for (uint32_t h = 0; rq->required && h < NHOSTS; h++) {
		uint32_t found = 0;

		for (uint32_t i = 0; i < c->n; i++)
			found += c->host[i] == h;
		ck_assert(!required[h] || found == 1);
	}
}

static const char *const kind[] = { "mpi", "neighbor", "io-write", "io-read",
				    "mpi=0.5+io-write=0.5", "io-write=1", "mpi=1",
				    "uniform=0.3+io-read=0.1", "mpi=0.1+io-write=0.02" };
#define NKINDS (sizeof(kind) / sizeof(kind[0]))

/* Jobs of any traffic on any hosts; one of them does not run just now. */
static void start_some(uint64_t *random)
{
	for (uint64_t id = 1; id < 6; id++) {
		uint32_t first = (uint32_t) (sfab_random(random) % NHOSTS), host[3];
		struct sfab_job s = { .n = 3, .host = host, .traffic = &t };

		for (uint32_t i = 0; i < 3; i++)
			host[i] = (first + 9 * i) % NHOSTS;
		ck_assert_int_eq(sfab_traffic_parse(kind[sfab_random(random) % NKINDS],
						    NULL, &t, NULL), 0);
		ck_assert_int_eq(sfab_jobs_add(js, id, &s, NULL), 0);
	}
	sfab_jobs_suspend(js, 3);
}

/* Busy hosts, required ones, two classes of weight, and nodes that serve IO. */
static struct sfab_request any_request(uint64_t *random)
{
	static const double weights[][SFAB_NTERMS] = { { 1, 1, 1 }, { 3, 1, 0 },
						       { 1, 0, 0.2 }, { 0.1, 2, 5 } };
	static const uint32_t steps[] = { 0, 0, 200, 5000 };
	uint32_t left = 0, max = 0;
	struct sfab_request rq;

	if (sfab_random(random) % 4 == 0)
		memset(avail, 1, sizeof(avail));
	for (uint32_t h = 0; h < NHOSTS; h++) {
		avail[h] &= sfab_random(random) % 3 > 0;
		weight[h] = sfab_random(random) % 4 == 0;
		cpus[h] = 0.25 * (1 + (double) (sfab_random(random) % 4));
		left += avail[h];
	}
	rq = request(1 + (uint32_t) (sfab_random(random) % left),
		     kind[sfab_random(random) % NKINDS]);
	for (uint32_t h = 0; h < NHOSTS && max + 1 < rq.n; h++)
		if (avail[h] && sfab_random(random) % 8 == 0)
			max += required[h] = 1;
	rq.required = sfab_random(random) % 2 ? required : NULL;
	rq.weight = sfab_random(random) % 2 ? weight : NULL;
	rq.cpus = sfab_random(random) % 3 ? NULL : cpus;
	rq.weights = weights[sfab_random(random) % 4];
	rq.max_steps = steps[sfab_random(random) % 4];
	rq.seed = sfab_random(random);
	return rq;
}

LOOP_TEST(never_worse_than_a_plain_policy_and_never_a_busy_node, 200)
{
	uint64_t random = 7u + (uint64_t) _i;
	struct sfab_packing packing = { sfab_random(&random) % SFAB_NUNITS,
					(double) (sfab_random(&random) % 4), _i % 2,
					(uint32_t) (_i % 5) };
	struct sfab_request rq;
	struct sfab_choice c, plain;

	start_some(&random);
	sc->packing = packing;
	rq = any_request(&random);
	ck_assert_int_eq(sfab_search(sc, js, &rq, &c, NULL), 0);
	check_choice(&rq, &c);
	for (int p = SFAB_POLICY_CONTIGUOUS; p < SFAB_NPOLICIES; p++) {
		ck_assert_int_eq(sfab_search_by(sc, js, &rq, (enum sfab_policy) p, &plain,
						NULL), 0);
		check_choice(&rq, &plain);
		ck_assert_msg(c.score.total <= plain.score.total + NEARLY,
			      "%s: %g, ours %g", sfab_policy_name((enum sfab_policy) p),
			      plain.score.total, c.score.total);
		sfab_choice_clear(&plain);
	}
	sfab_choice_clear(&c);
}

/* Also of a scorer that was never asked. */
LOOP_TEST(the_same_request_has_the_same_answer, NKINDS)
{
	struct sfab_scorer *another = unit_scorer(m);
	uint64_t random = (uint64_t) _i;
	struct sfab_request rq;
	struct sfab_choice a, b;

	start_some(&random);
	rq = request(11, kind[_i]);
	ck_assert_int_eq(sfab_search(sc, js, &rq, &a, NULL), 0);
	for (int k = 0; k < 2; k++) {
		ck_assert_int_eq(sfab_search(k ? sc : another, js, &rq, &b, NULL), 0);
		ck_assert_mem_eq(a.host, b.host, 11 * sizeof(*a.host));
		ck_assert_mem_eq(a.tree_host, b.tree_host, 11 * sizeof(*a.tree_host));
		ck_assert_uint_eq(a.steps, b.steps);
		sfab_choice_clear(&b);
	}
	sfab_choice_clear(&a);
}

TEST(a_small_mpi_job_takes_the_tightest_leaf)
{
	struct sfab_request rq = request(3, "mpi");
	struct sfab_choice c;

	for (uint32_t i = 0; i < 5; i++)	/* leaf 3 has three hosts left */
		avail[id_of("n17") + i] = 0;
	ck_assert_int_eq(sfab_search(sc, js, &rq, &c, NULL), 0);
	ck_assert_uint_eq(c.score.leaves, 1);
	ck_assert_uint_eq(c.host[0], id_of("n22"));
	sfab_choice_clear(&c);
}

/* Two nodes that exchange alone lose nothing anywhere; of equal sets the earlier one stays. */
TEST(of_equal_sets_the_one_on_fewer_leaves_wins)
{
	static const struct {
		uint32_t pick[2], kept[2];
	} tried[] = { { { 0, 8 }, { 0, 8 } }, { { 0, 1 }, { 0, 1 } },
		      { { 0, 16 }, { 0, 1 } }, { { 2, 3 }, { 0, 1 } } };
	struct sfab_request rq = request(2, "mpi");
	struct sfab_choice c;
	struct pool p;

	sc->packing = (struct sfab_packing) { .price = 0 };
	ck_assert_int_eq(sfab_pool_make(&p, sc, js, &rq, &c, NULL), 0);
	for (int i = 0; i < N(tried); i++) {
		ck_assert_int_eq(sfab_pool_try(&p, tried[i].pick, NULL), 0);
		ck_assert_double_eq(c.score.total, 0);
		ck_assert_mem_eq(c.host, tried[i].kept, sizeof(tried[i].kept));
	}
	sfab_choice_clear(&c);
	sfab_arena_free(&p.arena);
}

/* Fewest leaves that hold the request, those of required hosts among them. */
static uint32_t fewest_leaves(const struct sfab_request *rq)
{
	uint32_t left[6] = { 0 }, in[6] = { 0 }, n = rq->n, leaves = 0;

	for (uint32_t h = 0; h < NHOSTS; h++) {
		left[m->host_leaf[h]] += avail[h];
		in[m->host_leaf[h]] += rq->required && required[h];
	}
	for (int k = 0; k < 6; k++)
		if (in[k]) {
			n -= n < left[k] ? n : left[k];
			left[k] = 0;
			leaves++;
		}
	for (; n; leaves++) {
		int max = 0;

		for (int k = 1; k < 6; k++)
			max = left[k] > left[max] ? k : max;
		n -= n < left[max] ? n : left[max];
		left[max] = 0;
	}
	return leaves;
}

/* By every policy; of one weight, for lower weights go first. */
LOOP_TEST(no_more_leaves_than_the_site_allows, 200)
{
	uint64_t random = 99u + (uint64_t) _i;
	struct sfab_packing packing = { sfab_random(&random) % SFAB_NUNITS, 2, 0,
					1 + (uint32_t) (sfab_random(&random) % 6) };
	struct sfab_request rq;
	struct sfab_choice c, tree;
	uint32_t max;

	start_some(&random);
	sc->packing = packing;
	rq = any_request(&random);
	rq.weight = NULL;
	max = fewest_leaves(&rq);
	if (max < packing.max_leaves)
		max = packing.max_leaves;
	for (int p = 0; p < SFAB_NPOLICIES; p++) {
		ck_assert_int_eq(sfab_search_by(sc, js, &rq, (enum sfab_policy) p, &c, NULL), 0);
		check_choice(&rq, &c);
		ck_assert_msg(c.score.leaves <= max, "%s: %u leaves of %u",
			      sfab_policy_name((enum sfab_policy) p), c.score.leaves, max);
		sfab_choice_clear(&c);
	}
	/* what the log says that Slurm would take */
	ck_assert_int_eq(sfab_search(sc, js, &rq, &c, NULL), 0);
	ck_assert_int_eq(sfab_search_by(sc, js, &rq, SFAB_POLICY_TREE, &tree, NULL), 0);
	ck_assert_mem_eq(c.tree_host, tree.host, c.n * sizeof(*c.tree_host));
	sfab_choice_clear(&c);
	sfab_choice_clear(&tree);
}

TEST(writers_spread_over_uplinks)
{
	/*
	 * 64 GB/s for servers of 16, so each writer gets 1: eight on a leaf wait twice as long
	 * for its uplink of 4 as four on each of more leaves.
	 */
	struct sfab_request rq = request(16, "io-write=1");
	struct sfab_choice c, tree;

	ck_assert_int_eq(sfab_search(sc, js, &rq, &c, NULL), 0);
	ck_assert_int_eq(sfab_search_by(sc, js, &rq, SFAB_POLICY_TREE, &tree, NULL), 0);
	ck_assert_double_eq_tol(tree.score.slowdown, 2, 1e-9);
	ck_assert_double_eq_tol(c.score.slowdown, 1, 1e-9);
	sfab_choice_clear(&c);
	sfab_choice_clear(&tree);
}

TEST(lower_weights_go_first)
{
	struct sfab_request rq = request(14, "mpi");
	struct sfab_choice c;
	uint32_t cheap = 0;

	for (uint32_t h = 0; h < NHOSTS; h++)
		weight[h] = h % 4 ? 10 : 1;	/* twelve cheap ones */
	for (uint32_t h = 0; h < NHOSTS; h++)
		cheap += avail[h] && weight[h] == 1;
	rq.weight = weight;
	ck_assert_uint_eq(cheap, 12);
	ck_assert_int_eq(sfab_search(sc, js, &rq, &c, NULL), 0);
	for (uint32_t i = 0; i < c.n; i++)
		cheap -= weight[c.host[i]] == 1;
	ck_assert_uint_eq(cheap, 0);
	sfab_choice_clear(&c);
}

static void refused(struct sfab_request rq, const char *says)
{
	struct sfab_choice c;
	struct sfab_err err = { 0 };

	ck_assert_int_eq(sfab_search(sc, js, &rq, &c, &err), -1);
	ck_assert_str_eq(err.text, says);
	ck_assert_ptr_null(c.host);
}

TEST(impossible_requests_are_refused)
{
	static const int stop = 1;
	struct sfab_request rq = request(8, "mpi");

	refused(request(0, "mpi"), "0 nodes (expected at least 1)");
	refused(request(45, "mpi"), "45 nodes (44 available)");
	refused(request(8, "io-write@nope"), "traffic io-write: no IO set nope");
	rq = request(8, "mpi");
	rq.stop = &stop;
	refused(rq, "search stopped");
	rq = request(1, "mpi");
	required[0] = required[1] = 1;
	rq.required = required;
	refused(rq, "1 nodes (2 required)");
	avail[1] = 0;
	refused(rq, "required node n2 is not available");
}

/* Powers of a load that is thousands of times the job's are no numbers. */
TEST(a_little_io_beside_much_traffic_finds_hosts)
{
	struct sfab_request rq = request(8, "io-write=0.001");
	struct sfab_traffic much = unit_traffic("mpi=1");
	uint32_t host[8], n = 0;
	struct sfab_job s = { .n = 8, .host = host, .traffic = &much };
	struct sfab_choice c;

	for (uint32_t h = 0; h < NHOSTS; h++)	/* half of two leaves */
		if (m->host_leaf[h] < 2 && h % 2) {
			host[n++] = h;
			avail[h] = 0;
		}
	ck_assert_uint_eq(n, 8);
	ck_assert_int_eq(sfab_jobs_add(js, 1, &s, NULL), 0);
	ck_assert_int_eq(sfab_search(sc, js, &rq, &c, NULL), 0);
	check_choice(&rq, &c);
	sfab_choice_clear(&c);
}

TEST(steps_are_bounded)
{
	struct sfab_request rq = request(30, "mpi+io-write");
	struct sfab_choice c, one;

	rq.max_steps = 1000;
	ck_assert_int_eq(sfab_search_by(sc, js, &rq, SFAB_POLICY_SPREAD, &one, NULL), 0);
	ck_assert_int_eq(sfab_search(sc, js, &rq, &c, NULL), 0);
	/* the last proposal of each search and of the plain ones may run over */
	ck_assert_uint_gt(one.steps, 0);
	ck_assert_uint_le(c.steps, 1500 + 4 * one.steps);
	sfab_choice_clear(&one);
	sfab_choice_clear(&c);
}

/* There is something to gain, and nothing but the steps ends the search. */
TEST(a_hundred_times_the_steps_are_used)
{
	struct sfab_request rq = request(30, "mpi+io-write");
	struct sfab_choice few, many;

	rq.max_steps = 20000;
	ck_assert_int_eq(sfab_search(sc, js, &rq, &few, NULL), 0);
	rq.max_steps *= 100;
	ck_assert_int_eq(sfab_search(sc, js, &rq, &many, NULL), 0);
	ck_assert_double_gt(few.score.total, 0);
	ck_assert_double_le(many.score.total, few.score.total + NEARLY);
	ck_assert_uint_gt(many.steps, 20 * few.steps);
	sfab_choice_clear(&few);
	sfab_choice_clear(&many);
}

UNIT_MAIN_WITH("search", set_up, NULL)
