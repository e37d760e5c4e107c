/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fabrics without spines: a torus of 4 x 4 switches with three hosts each, routed by
 * dimension.  Choices are never worse than plain policies, and whole leaves hardly count.
 */

#include "tests/unit/fixtures/unit.h"

#include <string.h>

#include "core/random.h"
#include "core/search/search.h"
#include "core/search/search_shapes.h"
#include "tests/unit/fixtures/made.h"

enum { SIDE = 4, LEAVES = SIDE * SIDE, EACH = 3, NHOSTS = LEAVES * EACH };
enum { UP_X = EACH + 1, DOWN_X, UP_Y, DOWN_Y, NPORTS = DOWN_Y };

static struct sfab_fabric *f;
static struct sfab_iosets *io;
static struct sfab_model *m;
static struct sfab_jobs *js;
static struct sfab_scorer *sc;
static struct sfab_traffic t;
static uint8_t avail[NHOSTS];

static unsigned switch_at(unsigned x, unsigned y)
{
	return y % SIDE * SIDE + x % SIDE;
}

static void link_both(struct sfab_builder *b, uint64_t from, unsigned port, uint64_t to,
		      unsigned to_port)
{
	ck_assert_int_eq(sfab_builder_link(b, 0, from, port, to, to_port, MADE_CAPACITY, 1,
					   NULL), 0);
	ck_assert_int_eq(sfab_builder_link(b, 0, to, to_port, from, port, MADE_CAPACITY, 1,
					   NULL), 0);
}

static void add_switch(struct sfab_builder *b, unsigned s)
{
	char name[32];

	snprintf(name, sizeof(name), "switch%u", s);
	ck_assert_int_eq(sfab_builder_switch(b, 0, 0x100 + s, name, NPORTS,
					     NHOSTS + 1 + s, NULL), 0);
	for (unsigned k = 0; k < EACH; k++) {
		unsigned h = s * EACH + k;

		snprintf(name, sizeof(name), "n%u HCA-1", h + 1);
		ck_assert_int_eq(sfab_builder_port(b, 0, 0x1000 + 16 * h, 1, 0x1001 + 16 * h,
						   name, NULL, h + 1, 0, NULL), 0);
		link_both(b, 0x1000 + 16 * h, 1, 0x100 + s, k + 1);
	}
}

/* The shorter way along x, then along y. */
static uint8_t port_towards(unsigned from, unsigned to)
{
	unsigned dx = (to % SIDE + SIDE - from % SIDE) % SIDE;
	unsigned dy = (to / SIDE + SIDE - from / SIDE) % SIDE;

	if (dx)
		return dx <= SIDE / 2 ? UP_X : DOWN_X;
	return dy == 0 ? 0 : dy <= SIDE / 2 ? UP_Y : DOWN_Y;
}

static void add_lft(struct sfab_builder *b, unsigned s)
{
	uint8_t port[NHOSTS + LEAVES + 1] = { SFAB_PORT_NONE };

	for (unsigned h = 0; h < NHOSTS; h++)
		port[h + 1] = h / EACH == s ? (uint8_t) (1 + h % EACH)
					    : port_towards(s, h / EACH);
	for (unsigned other = 0; other < LEAVES; other++)
		port[NHOSTS + 1 + other] = port_towards(s, other);
	ck_assert_int_eq(sfab_builder_lft(b, 0, 0x100 + s, 0, port, sizeof(port), NULL), 0);
}

static struct sfab_fabric *torus(void)
{
	struct sfab_builder *b = sfab_builder_create(SFAB_BUILD_STRICT);
	struct sfab_fabric *made;
	struct sfab_err err;

	ck_assert_int_eq(sfab_builder_plane(b, "ib", NULL), 0);
	for (unsigned s = 0; s < LEAVES; s++)
		add_switch(b, s);
	for (unsigned s = 0; s < LEAVES; s++) {
		link_both(b, 0x100 + s, UP_X,
			  0x100 + switch_at(s % SIDE + 1, s / SIDE), DOWN_X);
		link_both(b, 0x100 + s, UP_Y,
			  0x100 + switch_at(s % SIDE, s / SIDE + 1), DOWN_Y);
		add_lft(b, s);
	}
	made = sfab_builder_freeze(b, &err);
	ck_assert_msg(made != NULL, "%s", err.text);
	sfab_builder_destroy(b);
	return made;
}

static void set_up(void)
{
	static const char *const hosts[] = { "n3", "n21", "n33", "n48" };
	const struct sfab_ioset_spec is = { .name = "io", .nhosts = 4, .host = hosts };

	f = torus();
	io = sfab_iosets_create(f, &is, 1, NULL);
	m = sfab_model_create(f, io);
	js = sfab_jobs_create(m);
	sc = sfab_scorer_create(m);
	ck_assert(io && m && js && sc);
	for (uint32_t h = 0; h < NHOSTS; h++)
		avail[h] = !sfab_iosets_has_host(io, f, h);
}

static void tear_down(void)
{
	sfab_scorer_destroy(sc);
	sfab_jobs_destroy(js);
	sfab_model_destroy(m);
	sfab_iosets_destroy(io);
	sfab_fabric_destroy(f);
}

static struct sfab_choice choice(uint32_t n, enum sfab_policy policy)
{
	struct sfab_request rq = { .n = n, .avail = avail, .traffic = &t, .seed = 1 };
	struct sfab_choice c;

	ck_assert_int_eq(sfab_candidate(sc, js, &rq, policy, &c, NULL), 0);
	return c;
}

/* Jobs of four hosts each on part of the machine, at random. */
static void start_jobs(uint64_t seed, unsigned njobs)
{
	for (uint64_t id = 1; id <= njobs; id++) {
		struct sfab_spec s = { .n = 4, .traffic = &t };
		uint32_t host[4], n = 0;

		while (n < 4) {
			uint32_t h = (uint32_t) (sfab_random(&seed) % NHOSTS);

			if (!avail[h])
				continue;
			avail[h] = 0;
			host[n++] = h;
		}
		s.host = host;
		ck_assert_int_eq(sfab_traffic_parse("mpi=1", NULL, &t, NULL), 0);
		ck_assert_int_eq(sfab_jobs_add(js, id, &s, NULL), 0);
	}
}

static const char *const sends[] = { "mpi=1", "io-write", "io-read", "neighbor=1",
				     "mpi=0.5+io-write=0.5" };

START_TEST(never_worse_than_plain_policies)
{
	struct sfab_choice ours, plain;

	start_jobs((uint64_t) _i, (unsigned) _i % 7);
	ck_assert_int_eq(sfab_traffic_parse(sends[_i % 5], NULL, &t, NULL), 0);
	ours = choice(12, SFAB_POLICY_SFABRIC);
	for (int p = SFAB_POLICY_CONTIGUOUS; p <= SFAB_POLICY_RANDOM; p++) {
		plain = choice(12, (enum sfab_policy) p);
		ck_assert_double_le(ours.score.total, plain.score.total + 1e-6);
		sfab_choice_clear(&plain);
	}
	sfab_choice_clear(&ours);
}
END_TEST

/* Hosts in a row share two rings; on an idle machine the fabric need not show. */
START_TEST(an_idle_torus_does_not_slow_a_job)
{
	struct sfab_choice ours, rows;

	ck_assert_int_eq(sfab_traffic_parse("mpi=1", NULL, &t, NULL), 0);
	rows = choice(12, SFAB_POLICY_CONTIGUOUS);
	ours = choice(12, SFAB_POLICY_SFABRIC);
	ck_assert_double_gt(rows.score.slowdown, 1.05);
	ck_assert_double_le(ours.score.slowdown, 1 + 1e-9);
	sfab_choice_clear(&rows);
	sfab_choice_clear(&ours);
}
END_TEST

START_TEST(the_same_torus_has_the_same_answer)
{
	struct sfab_choice a, b;

	ck_assert_int_eq(sfab_traffic_parse(sends[_i], NULL, &t, NULL), 0);
	a = choice(9, SFAB_POLICY_SFABRIC);
	b = choice(9, SFAB_POLICY_SFABRIC);
	ck_assert_mem_eq(a.host, b.host, 9 * sizeof(*a.host));
	ck_assert_uint_eq(a.steps, b.steps);
	sfab_choice_clear(&a);
	sfab_choice_clear(&b);
}
END_TEST

START_TEST(required_hosts_stay)
{
	uint8_t required[NHOSTS] = { 0 };
	struct sfab_request rq = { .n = 12, .avail = avail, .required = required,
				   .traffic = &t, .seed = 1 };
	struct sfab_choice c;
	uint32_t found = 0;

	required[0] = required[NHOSTS - 2] = 1;
	ck_assert_int_eq(sfab_traffic_parse("mpi=1", NULL, &t, NULL), 0);
	ck_assert_int_eq(sfab_search(sc, js, &rq, &c, NULL), 0);
	for (uint32_t i = 0; i < c.n; i++) {
		ck_assert(avail[c.host[i]]);
		found += required[c.host[i]];
	}
	ck_assert_uint_eq(found, 2);
	sfab_choice_clear(&c);
}
END_TEST

START_TEST(a_tree_keeps_its_weights)
{
	static const struct made shape = { .leaves = 6, .spines = 4, .hosts = 8 };
	struct sfab_fabric *tree = made_fabric(&shape);
	struct sfab_model *other = sfab_model_create(tree, NULL);
	struct sfab_choice c;

	ck_assert(other && m->direct && !other->direct);
	ck_assert(sfab_shapes_apply(m) && !sfab_shapes_apply(other));
	ck_assert_int_eq(sfab_traffic_parse("mpi=1", NULL, &t, NULL), 0);
	c = choice(12, SFAB_POLICY_TREE);
	ck_assert_double_eq_tol(c.score.weight[SFAB_TERM_BROKEN],
				0.03 * sfab_default_weights[SFAB_TERM_BROKEN], 1e-12);
	sfab_choice_clear(&c);
	sfab_model_destroy(other);
	sfab_fabric_destroy(tree);
}
END_TEST

/* @hosts hosts on the first ports of switch @s. */
static void add_hosts(struct sfab_builder *b, unsigned s, unsigned hosts)
{
	for (unsigned k = 0; k < hosts; k++) {
		uint64_t node = 0x1000 + 0x1000 * s + 16 * k;
		char name[32];

		snprintf(name, sizeof(name), "s%un%u HCA-1", s, k);
		ck_assert_int_eq(sfab_builder_port(b, 0, node, 1, node + 1, name, NULL,
						   1 + 32 * s + k, 0, NULL), 0);
		link_both(b, node, 1, 0x100 + s, 1 + k);
	}
}

/* Five leaves of nine hosts with two cables to each of two spines; hosts on a spine. */
static int is_direct_with_hosts_on_a_spine(unsigned hosts)
{
	struct sfab_builder *b = sfab_builder_create(SFAB_BUILD_UNROUTED);
	struct sfab_err err = { 0 };
	struct sfab_fabric *made;
	int direct;

	ck_assert_int_eq(sfab_builder_plane(b, "plane1", NULL), 0);
	for (unsigned s = 0; s < 7; s++) {
		char name[32];

		snprintf(name, sizeof(name), "switch%u", s);
		ck_assert_int_eq(sfab_builder_switch(b, 0, 0x100 + s, name, 24, 1000 + s,
						     NULL), 0);
		add_hosts(b, s, s < 5 ? 9 : s == 5 ? hosts : 0);
	}
	for (unsigned i = 0; i < 20; i++)
		link_both(b, 0x100 + i / 4, 10 + i % 4, 0x105 + i % 2,
			  15 + 2 * (i / 4) + i % 4 / 2);
	made = sfab_builder_freeze(b, &err);
	sfab_builder_destroy(b);
	ck_assert_msg(made != NULL, "%s", err.text);
	direct = sfab_fabric_is_direct(made);
	sfab_fabric_destroy(made);
	return direct;
}

START_TEST(a_spine_with_a_few_hosts_is_no_neighbor)
{
	ck_assert(sfab_fabric_is_direct(f));
	for (unsigned hosts = 0; hosts < 3; hosts++)
		ck_assert(!is_direct_with_hosts_on_a_spine(hosts));
	ck_assert(is_direct_with_hosts_on_a_spine(9));
}
END_TEST

static void list(TCase *tc)
{
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_loop_test(tc, never_worse_than_plain_policies, 0, 35);
	tcase_add_test(tc, an_idle_torus_does_not_slow_a_job);
	tcase_add_loop_test(tc, the_same_torus_has_the_same_answer, 0, 5);
	tcase_add_test(tc, required_hosts_stay);
	tcase_add_test(tc, a_tree_keeps_its_weights);
	tcase_add_test(tc, a_spine_with_a_few_hosts_is_no_neighbor);
}

UNIT_MAIN("search_shapes", list)
