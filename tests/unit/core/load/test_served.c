/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_served.c - what servers let through, and the trees of those that hold data back, against
 * values worked out by hand
 *
 * Fabric: leaf1 n1-n3, leaf2 n4-n6, all routes over spine1, 4 GB/s links.  The server is n6.
 * What leaf1 writes goes over its uplink and spine1's link to leaf2; n3 and n4 exchange over
 * these two and the two back.
 *
 * And Wolf (fabrics.h).
 */

#include "tests/unit/fixtures/unit.h"

#include "core/predict/throughput.h"
#include "core/search/search.h"
#include "tests/unit/fixtures/fabrics.h"

#include <math.h>

#define G 1e9

static struct sfab_fabric *f;
static struct sfab_iosets *io;
static struct sfab_model *m;
static struct sfab_jobs *js;
static struct sfab_scorer *sc;
static struct sfab_traffic t;

static void open_model(void)
{
	m = unit_model(f, io);
	js = unit_jobs(m);
	sc = unit_scorer(m);
}

static void set_up(double gbs, int held)
{
	static const struct clos shape = { .leaves = 2, .spines = 2, .hosts = 3,
					   .same_spine = 1 };
	static const char *const hosts[] = { "n6" };
	const struct sfab_ioset_spec is = { .name = "io", .nhosts = 1, .host = hosts,
					    .capacity = gbs * G, .holds_writes = held };

	f = unit_fabric(&shape);
	io = unit_sets(f, &is, 1);
	open_model();
}

static struct sfab_job job(const char *traffic, uint32_t n, const uint32_t *host)
{
	struct sfab_job s = { .n = n, .host = host, .traffic = &t };

	t = unit_traffic(traffic);
	return s;
}

static void start(uint64_t id, const char *traffic, uint32_t n, const uint32_t *host)
{
	struct sfab_job s = job(traffic, n, host);

	ck_assert_int_eq(sfab_jobs_add(js, id, &s, NULL), 0);
}

static struct sfab_score score(const char *traffic, uint32_t n, const uint32_t *host)
{
	struct sfab_job s = job(traffic, n, host);
	struct sfab_score out, kept;

	ck_assert_int_eq(sfab_score(sc, js, &s, NULL, NULL, &out, NULL), 0);
	ck_assert_int_eq(sfab_score_below(sc, js, &s, NULL, INFINITY, &kept, NULL), 0);
	for (int i = 0; i < SFAB_NTERMS; i++)
		ck_assert_double_eq_tol(kept.term[i], out.term[i],
					1e-5 * (1 + out.term[i]));
	return out;
}

static uint32_t uplink(void)
{
	return f->switches[0].out[4];
}

/* Ids are in name order. */
static const uint32_t n1[] = { 0 }, n2[] = { 1 }, writers[] = { 0, 1 },
		      talkers[] = { 2, 3 };

TEST(what_passes_is_what_the_server_takes)
{
	double load[64] = { 0 };

	set_up(1, 0);
	ck_assert_uint_le(m->nres, 64);
	start(7, "io-write=0.125", 1, n1);	/* 0.5 of 1 GB/s */
	ck_assert_double_eq(sfab_jobs_background(js)[uplink()], 0.5 * G);
	start(8, "io-write=1", 1, n2);		/* 4.5 of 1 GB/s */
	ck_assert_double_eq_tol(sfab_jobs_background(js)[uplink()], G, 1);
	sfab_jobs_add_demand(js, 8, m->nres, load);
	ck_assert_double_eq_tol(load[uplink()], 4 * G / 4.5, 1);
	ck_assert_double_eq_tol(load[f->nlinks], 4 * G / 4.5, 1);
	sfab_jobs_remove(js, 8);
	ck_assert_double_eq(sfab_jobs_background(js)[uplink()], 0.5 * G);
	sfab_jobs_remove(js, 7);
	for (uint32_t e = 0; e < m->nres; e++)
		ck_assert_double_eq(sfab_jobs_background(js)[e], 0);
}

TEST(the_port_of_a_fast_server_is_a_limit_too)
{
	set_up(10, 0);
	start(7, "io-write=1", 2, writers);	/* 8 GB/s into a port of 4 */
	ck_assert_double_eq_tol(sfab_jobs_background(js)[uplink()], 4 * G, 1);
}

TEST(what_else_the_server_carries_counts)
{
	double *more;

	set_up(1, 0);
	more = calloc(m->nres, sizeof(*more));
	start(7, "io-write=0.25", 1, n1);	/* all that it can do */
	ck_assert_double_eq(sfab_jobs_background(js)[uplink()], G);
	more[f->nlinks] = G;
	sfab_jobs_set_measured(js, more, NULL);
	ck_assert_double_eq_tol(sfab_jobs_background(js)[uplink()], G / 2, 1);
	free(more);
}

/* Beside 8 GB/s that are asked for and 1 that flows, (4 + 1) / 4: n3 and n4 exchange. */
TEST(a_job_suffers_from_what_flows)
{
	set_up(1, 0);
	start(7, "io-write=1", 2, writers);
	ck_assert_double_eq_tol(score("uniform=0.4", 2, talkers).term[SFAB_TERM_OWN],
				2 * 0.4 * 0.25, 1e-9);
}

/* All its steps cross, and each gets longer by 1 of 4. */
TEST(running_jobs_suffer_from_what_flows)
{
	set_up(1, 0);
	start(7, "uniform=0.4", 2, talkers);
	ck_assert_double_eq_tol(score("io-write=1", 2, writers).term[SFAB_TERM_OTHERS],
				2 * 0.4 * 0.25, 1e-9);
	sfab_jobs_remove(js, 7);
	start(7, "mpi=1", 2, talkers);
	start(8, "io-write=1", 2, writers);
	ck_assert_double_eq_tol(sfab_jobs_slowdown(js, 7), 1.25, 1e-9);
}

/*
 * The server's 1 GB/s is shared with one that writes already: half of it passes.  That one
 * waits for 0.25 + 4/4, its own and those that talk, and then for half a GB/s more.
 */
TEST(one_more_writer_leaves_less_to_the_others)
{
	struct sfab_score s;

	set_up(1, 0);
	start(7, "io-write=1", 1, n1);
	start(8, "mpi=1", 2, talkers);
	ck_assert_double_eq_tol(sfab_jobs_slowdown(js, 8), 1.25, 1e-9);
	s = score("io-write=1", 1, n2);
	ck_assert_double_eq_tol(s.term[SFAB_TERM_OTHERS], 2 * 0.125 + 0.125, 1e-9);
}

/* -- trees ---------------------------------------------------------------- */

/* n3 and n4 have two of their four links in the tree, where a quarter of the rate is left. */
#define IN_TREE (3 * 0.5)

static const struct {
	const char *writes;
	double tree;		/* S - 1 of n3 and n4 by the tree */
	double flows;		/* GB/s of it up leaf1 */
} vector[] = {
	{ "io-write=0.125", 0, 1 },	/* 1 of 1 GB/s */
	{ "io-write=0.126", IN_TREE, 1 },
	{ "io-write=1", IN_TREE, 1 },
	{ "io-read=1", 0, 1 },
	{ "io-write=0.1+io-read=0.1", IN_TREE, 0.5 },
	{ "mpi=1", 0, 0 },
};

LOOP_TEST(a_job_beside_a_tree, N(vector))
{
	set_up(1, 1);
	start(7, vector[_i].writes, 2, writers);
	ck_assert_double_eq_tol(score("uniform=0.1", 2, talkers).term[SFAB_TERM_OWN],
				2 * 0.1 * (vector[_i].tree + vector[_i].flows / 4), 1e-9);
	/* of its own IO only the part between its hosts counts */
	ck_assert_double_eq(score("io-write=0.1", 1, n1).term[SFAB_TERM_OWN], 0);
}

LOOP_TEST(a_job_that_makes_a_tree, N(vector))
{
	double flows = vector[_i].flows / 4;

	set_up(1, 1);
	start(7, "uniform=0.1", 2, talkers);
	ck_assert_double_eq_tol(score(vector[_i].writes, 2, writers).term[SFAB_TERM_OTHERS],
				2 * 0.1 * (vector[_i].tree + flows), 1e-9);
	/* what is in a tree already is no worse for one more */
	start(8, "io-write=1", 1, n1);
	ck_assert_double_le(score(vector[_i].writes, 1, n2).term[SFAB_TERM_OTHERS],
			    2 * 0.1 * 0.25);
}

TEST(servers_that_take_what_they_can_make_no_tree)
{
	set_up(1, 0);
	start(7, "io-write=1", 1, n1);
	ck_assert_double_eq_tol(score("uniform=0.1", 2, talkers).term[SFAB_TERM_OWN],
				2 * 0.1 * 0.25, 1e-9);
}

/* With the new job the server is over: its tree is that of the others, too. */
TEST(a_mixed_job_fills_the_server)
{
	struct sfab_score s;

	set_up(1, 1);
	start(7, "io-write=0.25", 1, n1);
	s = score("uniform=0.5+io-write=0.1", 2, talkers);
	/* n3 writes with 4 of 8 GB/s that the server gets 1 of; and B is 1 */
	ck_assert_double_eq_tol(s.lost.part[0].beside, 1.25, 1e-9);
	ck_assert_double_eq_tol(s.lost.part[1].beside, 1, 1e-9);
	ck_assert_double_eq_tol(s.term[SFAB_TERM_OWN], 2 * 0.5 * (0.25 + IN_TREE), 1e-9);
}

/* -- the case of three writers on Wolf ------------------------------------ */

#define WRITERS 3u

static uint32_t writer[WRITERS][44], talker[64];

static uint32_t host(uint32_t leaf, uint32_t port)
{
	return unit_wolf_host(f, leaf, port);
}

static void wolf(int held)
{
	f = unit_wolf();
	io = unit_wolf_servers(f, held);
	open_model();
}

/* Two nodes of each writer on leaf 25, the others four to a leaf elsewhere. */
static void seat_writers(void)
{
	for (uint32_t i = 0; i < 3 * 44; i++) {
		uint32_t k = i / WRITERS, *at = &writer[i % WRITERS][k];
		uint32_t leaf = (i - 6) / 4 + 1;

		*at = i < 6 ? host(25, i + 1) :
			      host(leaf > 24 ? leaf + 4 : leaf, (i - 6) % 4 + 1);
	}
}

/* 64 nodes on four leaves, two of them on port 18 as the servers are. */
static void seat_talkers(void)
{
	uint32_t n = 0;

	for (uint32_t port = 7; port <= 18; port++)
		talker[n++] = host(25, port);
	for (uint32_t port = 1; port <= 18; port++)
		talker[n++] = host(26, port);
	for (uint32_t port = 1; port <= 17; port++) {
		talker[n++] = host(27, port);
		talker[n++] = host(28, port);
	}
	ck_assert_uint_eq(n, 64);
}

static double by_max_min(uint32_t writers_there)
{
	struct sfab_throughput *tp = sfab_throughput_create(m);
	struct sfab_job s;
	double rate, slowdown;

	for (uint32_t i = 0; i < writers_there; i++) {
		s = job("io-write=0.5", 44, writer[i]);
		ck_assert_int_eq(sfab_throughput_add(tp, &s, NULL), 0);
	}
	s = job("mpi=0.5", 64, talker);
	ck_assert_int_eq(sfab_throughput_beside(tp, &s, &rate, &slowdown, NULL), 0);
	sfab_throughput_destroy(tp);
	return slowdown;
}

/* Return how full the fullest link of the job is that was scored last. */
static double fullest(void)
{
	const struct sfab_load *net = &sc->net;
	const double *b = sfab_jobs_background(js);
	double max = 0;

	for (uint32_t i = 0; i < net->ntouched; i++) {
		uint32_t e = net->touched[i];
		double x = (net->v[e] + b[e]) * m->inv_cap[e];

		if (m->isl[e] && x > max)
			max = x;
	}
	return max;
}

/*
 * From leaf 25 six nodes write 12 GB/s to spine 18, and the twelve of the job send to the one
 * node on port 18 of another leaf: 3.095 of the link.  All servers together take 55 of the 264
 * GB/s that they are asked for.
 */
TEST(sixty_four_nodes_beside_three_writers)
{
	double asked = 6 * 2 * G, own = 12 * 2 * G / 63;

	wolf(0);
	seat_writers();
	seat_talkers();
	ck_assert_double_eq_tol((asked + own) / (4 * G), 3.095, 1e-3);
	for (uint32_t i = 0; i < WRITERS; i++)
		start(i, "io-write=0.5", 44, writer[i]);
	ck_assert_double_eq(score("uniform=0.5", 64, talker).term[SFAB_TERM_OWN], 0);
	ck_assert_double_eq_tol(fullest(), (asked * 55 / 264 + own) / (4 * G), 1e-9);
	ck_assert_double_eq_tol(by_max_min(WRITERS), 1, 1e-6);
}

/*
 * Where the servers hold back, the links that both use are what hurts.  Of the pairs of hosts
 * on two leaves, those are from leaf 25 to port 18; at full rate they send 12/63 of the
 * capacity of its uplink there.
 */
TEST(three_writers_whose_servers_hold_back)
{
	double in_tree = 12 / (2.0 * (12 * 52 + 18 * 46 + 2 * 17 * 47)), up = 12.0 / 63;

	wolf(1);
	seat_writers();
	seat_talkers();
	for (uint32_t i = 0; i < WRITERS; i++)
		start(i, "io-write=0.5", 44, writer[i]);
	ck_assert_double_eq_tol(score("uniform=0.5", 64, talker).term[SFAB_TERM_OWN],
				64 * 0.5 * 3 * in_tree, 1e-9);
	for (uint32_t i = 0; i < WRITERS; i++)
		sfab_jobs_remove(js, i);
	start(100, "uniform=0.5", 64, talker);
	/* of 88 GB/s 55 pass; two nodes of the writer on leaf 25 send 4 of them */
	ck_assert_double_eq_tol(score("io-write=0.5", 44, writer[1]).term[SFAB_TERM_OTHERS],
				64 * 0.5 * (3 * in_tree + up * 55 / 88), 1e-9);
	/*
	 * Beside another such writer half of that passes, by the same links.  It has 2.5 of 4
	 * GB/s there in its phases, those that talk the mean of theirs.
	 */
	start(0, "io-write=0.5", 44, writer[0]);
	ck_assert_double_eq_tol(score("io-write=0.5", 44, writer[1]).term[SFAB_TERM_OTHERS],
				64 * 0.5 * up * 55 / 176 +
				44 * 0.5 * (55.0 / 88 + 0.5 * up + 55.0 / 176 - 1), 1e-9);
}

/* Hosts of @c that leaf 25 sends to over its link of the tree. */
static uint32_t count_in_tree(const struct sfab_choice *c)
{
	uint32_t n = 0;

	for (uint32_t leaf = 26; leaf <= 29; leaf++)
		for (uint32_t i = 0; i < c->n; i++)
			n += c->host[i] == host(leaf, 18);
	return n;
}

/* 64 of 72 hosts are wanted, three are in the tree: they are left out.  Each vector is a seed. */
LOOP_TEST_FROM(hosts_in_a_tree_are_left_alone, 1, 6)
{
	static const struct { uint32_t leaf, from, to; } room[] = {
		{ 25, 7, 18 }, { 26, 1, 18 }, { 27, 1, 18 }, { 28, 1, 18 },
		{ 29, 5, 10 },
	};
	static const double weights[SFAB_NTERMS] = { [SFAB_TERM_OWN] = 1,
						     [SFAB_TERM_OTHERS] = 1 };
	uint8_t avail[WOLF_LEAVES * WOLF_PORTS] = { 0 };
	struct sfab_request rq = { .n = 64, .avail = avail, .traffic = &t,
				   .weights = weights, .seed = (uint64_t) _i };
	struct sfab_choice c;

	wolf(1);
	seat_writers();
	for (uint32_t i = 0; i < WRITERS; i++)
		start(i, "io-write=0.5", 44, writer[i]);
	for (int i = 0; i < 5; i++)
		for (uint32_t port = room[i].from; port <= room[i].to; port++)
			avail[host(room[i].leaf, port)] = 1;
	job("uniform=0.5", 0, NULL);
	ck_assert_int_eq(sfab_search_by(sc, js, &rq, SFAB_POLICY_TREE, &c, NULL), 0);
	ck_assert_uint_gt(count_in_tree(&c), 0);
	sfab_choice_clear(&c);
	ck_assert_int_eq(sfab_search(sc, js, &rq, &c, NULL), 0);
	ck_assert_uint_eq(count_in_tree(&c), 0);
	ck_assert_uint_le(c.steps, SFAB_MAX_STEPS_DEFAULT * 3 / 2);
	sfab_choice_clear(&c);
}

UNIT_MAIN("served")
