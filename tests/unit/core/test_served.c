/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What servers let through, and the trees of those that hold data back, against
 * values worked out by hand.
 *
 * Fabric: leaf1 n1-n3, leaf2 n4-n6, all routes over spine1, 4 GB/s links.  The
 * server is n6.  What leaf1 writes goes over its uplink and spine1's link to leaf2;
 * n3 and n4 exchange over these two and the two back.
 *
 * And Wolf: 36 leaves of 18 hosts, 18 spines, a LID's spine by its port of the leaf.
 */

#include "tests/unit/fixtures/unit.h"

#include "core/load/throughput.h"
#include "core/search/search.h"
#include "tests/unit/fixtures/made.h"

#include <stdio.h>

#define G 1e9

static struct sfab_fabric *f;
static struct sfab_iosets *io;
static struct sfab_model *m;
static struct sfab_jobs *js;
static struct sfab_scorer *sc;
static struct sfab_traffic t;

static void open_model(void)
{
	m = sfab_model_create(f, io);
	js = sfab_jobs_create(m);
	sc = sfab_scorer_create(m);
	ck_assert(io && m && js && sc);
}

static void set_up(double gbs, int held)
{
	static const struct made shape = { .leaves = 2, .spines = 2, .hosts = 3,
					   .same_spine = 1 };
	static const char *const hosts[] = { "n6" };
	const struct sfab_ioset_spec is = { .name = "io", .nhosts = 1, .host = hosts,
					    .capacity = gbs * G, .held = held };

	f = made_fabric(&shape);
	io = sfab_iosets_create(f, &is, 1, NULL);
	open_model();
}

static void tear_down(void)
{
	sfab_scorer_destroy(sc);
	sfab_jobs_destroy(js);
	sfab_model_destroy(m);
	sfab_iosets_destroy(io);
	sfab_fabric_destroy(f);
}

static struct sfab_spec spec(const char *traffic, uint32_t n, const uint32_t *host)
{
	struct sfab_spec s = { .n = n, .host = host, .traffic = &t };

	ck_assert_int_eq(sfab_traffic_parse(traffic, NULL, &t, NULL), 0);
	return s;
}

static void start(uint64_t id, const char *traffic, uint32_t n, const uint32_t *host)
{
	struct sfab_spec s = spec(traffic, n, host);

	ck_assert_int_eq(sfab_jobs_add(js, id, &s, NULL), 0);
}

static struct sfab_score score(const char *traffic, uint32_t n, const uint32_t *host)
{
	struct sfab_spec s = spec(traffic, n, host);
	struct sfab_score out, quick;

	ck_assert_int_eq(sfab_score(sc, js, &s, NULL, NULL, &out, NULL), 0);
	ck_assert_int_eq(sfab_score_quick(sc, js, &s, NULL, NULL, &quick, NULL), 0);
	for (int i = 0; i < SFAB_NTERMS; i++)
		ck_assert_double_eq_tol(quick.term[i], out.term[i], 1e-5);
	return out;
}

static uint32_t uplink(void)
{
	return f->switches[sfab_fabric_switch_by_guid(f, 0x100)].out[4];
}

/* Ids are in name order. */
static const uint32_t n1[] = { 0 }, n2[] = { 1 }, writers[] = { 0, 1 },
		      talkers[] = { 2, 3 };

START_TEST(what_passes_is_what_the_server_takes)
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
	tear_down();
}
END_TEST

START_TEST(the_port_of_a_fast_server_is_a_limit_too)
{
	set_up(10, 0);
	start(7, "io-write=1", 2, writers);	/* 8 GB/s into a port of 4 */
	ck_assert_double_eq_tol(sfab_jobs_background(js)[uplink()], 4 * G, 1);
	tear_down();
}
END_TEST

START_TEST(what_else_the_server_carries_counts)
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
	tear_down();
}
END_TEST

/* Beside 8 GB/s that are asked for and 1 that flows: 3 + 1 of 4 GB/s. */
START_TEST(a_job_suffers_from_what_flows)
{
	struct sfab_score s;

	set_up(1, 0);
	start(7, "io-write=1", 2, writers);
	s = score("mpi=0.75", 2, talkers);
	ck_assert_double_eq_tol(s.slowdown, 1, 1e-9);
	ck_assert_double_eq_tol(s.term[SFAB_TERM_CONTENTION], 0, 1e-9);
	s = score("mpi=1", 2, talkers);
	ck_assert_double_eq_tol(s.slowdown, 1.25, 1e-9);
	ck_assert_double_eq_tol(s.term[SFAB_TERM_OVERLAP], 0.5 / 4, 1e-9);
	tear_down();
}
END_TEST

START_TEST(running_jobs_suffer_from_what_flows)
{
	struct sfab_score s;

	set_up(1, 0);
	start(7, "mpi=0.75", 2, talkers);
	s = score("io-write=1", 2, writers);
	ck_assert_double_eq_tol(s.term[SFAB_TERM_SLOWED], 0, 1e-9);
	ck_assert_double_eq_tol(s.slowdown, 1, 1e-9);
	sfab_jobs_remove(js, 7);
	start(7, "mpi=1", 2, talkers);
	s = score("io-write=1", 2, writers);
	ck_assert_double_eq_tol(s.term[SFAB_TERM_SLOWED], 0.25, 1e-9);
	ck_assert_double_eq_tol(s.term[SFAB_TERM_HARM], 0.25, 1e-9);
	ck_assert_double_eq_tol(s.term[SFAB_TERM_CONTENTION], 0.25, 1e-9);
	start(8, "io-write=1", 2, writers);
	ck_assert_double_eq_tol(sfab_jobs_slowdown(js, 7), 1.25, 1e-9);
	tear_down();
}
END_TEST

/* The server's 1 GB/s is shared with those that write already. */
START_TEST(one_more_writer_leaves_less_to_the_others)
{
	struct sfab_score s;

	set_up(1, 0);
	start(7, "io-write=1", 1, n1);
	start(8, "mpi=1", 2, talkers);
	ck_assert_double_eq_tol(sfab_jobs_slowdown(js, 8), 1.25, 1e-9);
	s = score("io-write=1", 1, n2);
	ck_assert_double_eq_tol(s.term[SFAB_TERM_SLOWED], 0, 1e-9);
	ck_assert_double_eq_tol(s.slowdown, 1.25, 1e-9);
	tear_down();
}
END_TEST

/* -- trees ---------------------------------------------------------------- */

static const struct {
	const char *writes;
	double tree;		/* of n3 and n4, over two of their four links */
} vector[] = {
	{ "io-write=0.125", 0 },	/* 1 of 1 GB/s */
	{ "io-write=0.126", 0.5 },
	{ "io-write=1", 0.5 },
	{ "io-read=1", 0 },
	{ "io-write=0.1+io-read=0.1", 0.5 },
	{ "mpi=1", 0 },
};

START_TEST(a_job_beside_a_tree)
{
	set_up(1, 1);
	start(7, vector[_i].writes, 2, writers);
	ck_assert_double_eq(score("mpi=0.1", 2, talkers).term[SFAB_TERM_TREE],
			    vector[_i].tree);
	/* of its own IO only the part between its hosts counts */
	ck_assert_double_eq(score("io-write=0.1", 1, n1).term[SFAB_TERM_TREE], 0);
	tear_down();
}
END_TEST

START_TEST(a_job_that_makes_a_tree)
{
	set_up(1, 1);
	start(7, "mpi=0.1", 2, talkers);
	ck_assert_double_eq(score(vector[_i].writes, 2, writers).term[SFAB_TERM_TREE],
			    vector[_i].tree);
	/* what is in a tree already is no worse for one more */
	start(8, "io-write=1", 1, n1);
	ck_assert_double_eq(score(vector[_i].writes, 1, n2).term[SFAB_TERM_TREE], 0);
	tear_down();
}
END_TEST

START_TEST(servers_that_take_what_they_can_make_no_tree)
{
	set_up(1, 0);
	start(7, "io-write=1", 1, n1);
	start(8, "mpi=0.1", 2, talkers);
	ck_assert_double_eq(score("mpi=0.1", 2, talkers).term[SFAB_TERM_TREE], 0);
	ck_assert_double_eq(score("io-write=1", 1, n2).term[SFAB_TERM_TREE], 0);
	tear_down();
}
END_TEST

/* With the new job the server is over: its tree is that of the others, too. */
START_TEST(a_mixed_job_fills_the_server)
{
	struct sfab_score s;

	set_up(1, 1);
	start(7, "io-write=0.25", 1, n1);
	s = score("mpi=0.5+io-write=0.1", 2, talkers);
	ck_assert_double_eq(s.term[SFAB_TERM_TREE], 0.5);
	tear_down();
}
END_TEST

/* -- the case of three writers on Wolf ------------------------------------ */

#define LEAVES 36u
#define PORTS 18u
#define SERVERS 24u
#define WRITERS 3u

static uint32_t writer[WRITERS][44], talker[64];

static uint32_t host(uint32_t leaf, uint32_t port)
{
	char name[16];

	snprintf(name, sizeof(name), "n%u", (leaf - 1) * PORTS + port);
	return sfab_fabric_host(f, name);
}

static void wolf(int held)
{
	static const struct made shape = { .leaves = LEAVES, .spines = PORTS,
					   .hosts = PORTS };
	char name[SERVERS][16];
	const char *hosts[SERVERS];
	const struct sfab_ioset_spec is = { .name = "io", .nhosts = SERVERS,
					    .host = hosts, .held = held,
					    .capacity = 55 * G / SERVERS };

	for (uint32_t i = 0; i < SERVERS; i++) {
		snprintf(name[i], sizeof(name[i]), "n%u", (i + 1) * PORTS);
		hosts[i] = name[i];
	}
	f = made_fabric(&shape);
	io = sfab_iosets_create(f, &is, 1, NULL);
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
	struct sfab_spec s = spec("mpi=0.5", 64, talker);
	struct sfab_rates r;

	ck_assert_int_eq(sfab_throughput_add(tp, 100, &s, NULL), 0);
	for (uint32_t i = 0; i < writers_there; i++) {
		s = spec("io-write=0.5", 44, writer[i]);
		ck_assert_int_eq(sfab_throughput_add(tp, i, &s, NULL), 0);
	}
	ck_assert_int_eq(sfab_throughput_solve(tp, 100, &r, NULL), 0);
	sfab_throughput_destroy(tp);
	return r.among;
}

/* The fullest link of the job that was scored last. */
static double fullest(void)
{
	const struct sfab_load *net = sfab_scorer_net(sc);
	const double *b = sfab_jobs_background(js);
	double most = 0;

	for (uint32_t i = 0; i < net->ntouched; i++) {
		uint32_t e = net->touched[i];
		double x = (net->v[e] + b[e]) * m->inv_cap[e];

		if (m->isl[e] && x > most)
			most = x;
	}
	return most;
}

/*
 * From leaf 25 six nodes write 12 GB/s to spine 18, and the twelve of the job send
 * to the one node on port 18 of another leaf: 3.095 of the link.  All servers
 * together take 55 of the 264 GB/s that they are asked for.
 */
START_TEST(sixty_four_nodes_beside_three_writers)
{
	double asked = 6 * 2 * G, own = 12 * 2 * G / 63;
	struct sfab_score s;

	wolf(0);
	seat_writers();
	seat_talkers();
	ck_assert_double_eq_tol((asked + own) / (4 * G), 3.095, 1e-3);
	for (uint32_t i = 0; i < WRITERS; i++)
		start(i, "io-write=0.5", 44, writer[i]);
	s = score("mpi=0.5", 64, talker);
	ck_assert_double_eq_tol(s.slowdown, 1, 1e-9);
	ck_assert_double_eq(s.term[SFAB_TERM_CONTENTION], 0);
	ck_assert_double_eq(s.term[SFAB_TERM_TREE], 0);
	ck_assert_double_eq_tol(fullest(), (asked * 55 / 264 + own) / (4 * G), 1e-9);
	ck_assert_double_eq_tol(by_max_min(WRITERS), 1, 1e-6);
	tear_down();
}
END_TEST

/* Where the servers hold back, the links that both use are what hurts. */
START_TEST(three_writers_whose_servers_hold_back)
{
	struct sfab_score s;
	double in_tree = 0, all = 0;

	wolf(1);
	seat_writers();
	seat_talkers();
	for (uint32_t i = 0; i < WRITERS; i++)
		start(i, "io-write=0.5", 44, writer[i]);
	s = score("mpi=0.5", 64, talker);
	/* of the pairs of hosts on two leaves, those from leaf 25 to port 18 */
	in_tree = 12;
	all = 2.0 * (12 * 52 + 18 * 46 + 2 * 17 * 47);
	ck_assert_double_eq_tol(s.term[SFAB_TERM_TREE], in_tree / all, 1e-9);
	for (uint32_t i = 0; i < WRITERS; i++)
		sfab_jobs_remove(js, i);
	start(100, "mpi=0.5", 64, talker);
	start(0, "io-write=0.5", 44, writer[0]);	/* 88 of 55 GB/s */
	s = score("io-write=0.5", 44, writer[1]);
	ck_assert_double_eq(s.term[SFAB_TERM_TREE], 0);	/* the same links */
	sfab_jobs_remove(js, 0);
	s = score("io-write=0.5", 44, writer[1]);
	ck_assert_double_eq_tol(s.term[SFAB_TERM_TREE], in_tree / all, 1e-9);
	ck_assert_double_eq(s.term[SFAB_TERM_SLOWED], 0);
	tear_down();
}
END_TEST

/*
 * 64 of 72 hosts: those of port 18 are too many, on whichever leaves.  Leaves that
 * are left in part would cost more than so few routes in a tree: not here.
 */
START_TEST(hosts_on_the_worst_link_are_swapped)
{
	static const struct { uint32_t leaf, from, to; } room[] = {
		{ 25, 7, 18 }, { 26, 1, 18 }, { 27, 1, 18 }, { 28, 1, 18 },
		{ 29, 5, 10 },
	};
	uint8_t avail[LEAVES * PORTS] = { 0 };
	struct sfab_request rq = { .n = 64, .avail = avail, .traffic = &t };
	double weights[SFAB_NTERMS];
	struct sfab_choice c;

	for (int i = 0; i < SFAB_NTERMS; i++)
		weights[i] = sfab_default_weights[i];
	weights[SFAB_TERM_BROKEN] = 0;
	rq.weights = weights;
	wolf(1);
	seat_writers();
	for (uint32_t i = 0; i < WRITERS; i++)
		start(i, "io-write=0.5", 44, writer[i]);
	for (int i = 0; i < 5; i++)
		for (uint32_t port = room[i].from; port <= room[i].to; port++)
			avail[host(room[i].leaf, port)] = 1;
	spec("mpi=0.5", 0, NULL);
	for (rq.seed = 1; rq.seed <= 5; rq.seed++) {
		ck_assert_int_eq(sfab_candidate(sc, js, &rq, SFAB_POLICY_TREE, &c,
						NULL), 0);
		ck_assert_double_gt(c.score.term[SFAB_TERM_TREE], 0);
		sfab_choice_clear(&c);
		ck_assert_int_eq(sfab_search(sc, js, &rq, &c, NULL), 0);
		ck_assert_double_eq(c.score.term[SFAB_TERM_TREE], 0);
		ck_assert_double_eq_tol(c.score.slowdown, 1, 1e-9);
		ck_assert_uint_le(c.steps, SFAB_MAX_STEPS_DEFAULT * 3 / 2);
		sfab_choice_clear(&c);
	}
	tear_down();
}
END_TEST

static void list(TCase *tc)
{
	int n = (int) (sizeof(vector) / sizeof(vector[0]));

	tcase_add_test(tc, what_passes_is_what_the_server_takes);
	tcase_add_test(tc, the_port_of_a_fast_server_is_a_limit_too);
	tcase_add_test(tc, what_else_the_server_carries_counts);
	tcase_add_test(tc, a_job_suffers_from_what_flows);
	tcase_add_test(tc, running_jobs_suffer_from_what_flows);
	tcase_add_test(tc, one_more_writer_leaves_less_to_the_others);
	tcase_add_loop_test(tc, a_job_beside_a_tree, 0, n);
	tcase_add_loop_test(tc, a_job_that_makes_a_tree, 0, n);
	tcase_add_test(tc, servers_that_take_what_they_can_make_no_tree);
	tcase_add_test(tc, a_mixed_job_fills_the_server);
	tcase_add_test(tc, sixty_four_nodes_beside_three_writers);
	tcase_add_test(tc, three_writers_whose_servers_hold_back);
	tcase_add_test(tc, hosts_on_the_worst_link_are_swapped);
}

UNIT_MAIN("served", list)
