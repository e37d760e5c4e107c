/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The links by which hosts write, worked out by hand.
 *
 * Fabric: leaves with n1 n2, n3 n4 and n5 n6, two spines, 4 GB/s links.  Leaves
 * send to n2, n4, n6 by one spine (even) and to n1, n3, n5 by the other (odd).
 */

#include "tests/unit/fixtures/unit.h"

#include "core/audit/io_mixing.h"
#include "core/load/io_way.h"
#include "core/search/score.h"
#include "tests/unit/fixtures/made.h"

#include <string.h>

static struct sfab_fabric *f;
static struct sfab_iosets *io;
static struct sfab_model *m;
static struct sfab_io_way way;

static void set_up(uint32_t nservers)
{
	static const struct made shape = { .leaves = 3, .spines = 2, .hosts = 2 };
	static const char *const hosts[] = { "n6", "n4" };
	const struct sfab_ioset_spec is = { .name = "io", .nhosts = nservers,
					    .host = hosts };

	f = made_fabric(&shape);
	io = nservers ? sfab_iosets_create(f, &is, 1, NULL) : NULL;
	m = sfab_model_create(f, io);
	ck_assert(m && (io || !nservers));
	ck_assert_int_eq(sfab_io_way_init(&way, m), 0);
}

static void tear_down(void)
{
	sfab_io_way_free(&way);
	sfab_model_destroy(m);
	sfab_iosets_destroy(io);
	sfab_fabric_destroy(f);
}

/* Link from leaf @leaf (from 0) to the spine by which it sends to host n@to. */
static uint32_t uplink_to(unsigned leaf, uint32_t to)
{
	const struct sfab_switch *sw =
		&f->switches[sfab_fabric_switch_by_guid(f, 0x100 + leaf)];
	uint32_t lid = f->ports[f->hosts[to - 1].port0].lid;

	return sw->out[3 + lid % 2];
}

/*
 * n1 to n5 write to n6, which takes 4 GB/s: 0.8 each.  Two on a leaf fill 1.6 / 4 of
 * its uplink; n5 needs none.
 */
START_TEST(ways_of_one_server)
{
	set_up(1);
	ck_assert_double_eq_tol(way.link[uplink_to(0, 6)], 0.4, 1e-12);
	ck_assert_double_eq_tol(way.link[uplink_to(1, 6)], 0.4, 1e-12);
	ck_assert_double_eq(way.link[uplink_to(2, 6)], 0);
	ck_assert_double_eq(way.link[uplink_to(0, 5)], 0);
	/* from its two other leaves, 0.4 and 0 */
	ck_assert_double_eq_tol(way.host[3], 0.2, 1e-12);
	ck_assert_double_eq(way.host[2], 0);
	tear_down();
}
END_TEST

START_TEST(nobody_writes_without_a_set)
{
	set_up(0);
	ck_assert_ptr_null(way.link);
	ck_assert_ptr_null(way.host);
	tear_down();
}
END_TEST

/*
 * The other host of each leaf may write: 0.2 of its uplink.  Only steps go at the
 * full rate.
 */
static const struct {
	const char *traffic;
	uint32_t host[2];
	int by_steps;
	double term;
} vector[] = {
	{ "mpi=1", { 1, 3 }, 1, 0.2 },
	{ "mpi=1", { 0, 2 }, 1, 0 },	/* odd */
	{ "mpi=1", { 2, 3 }, 1, 0 },	/* on one leaf */
	{ "mpi=0.5", { 1, 3 }, 1, 0.1 },
	{ "mpi=0.5+io-write=0.5", { 1, 3 }, 1, 0.1 },
	{ "io-write=1", { 1, 3 }, 1, 0 },
	{ "mpi=1", { 1, 3 }, 0, 0 },
};
#define NVECTORS ((int) (sizeof(vector) / sizeof(vector[0])))

START_TEST(the_term_by_hand)
{
	struct sfab_spec spec = { .n = 2, .host = vector[_i].host };
	struct sfab_traffic t;
	struct sfab_score s;
	struct sfab_scorer *sc;

	set_up(1);
	m->by_steps = vector[_i].by_steps;
	sc = sfab_scorer_create(m);
	ck_assert_int_eq(sfab_traffic_parse(vector[_i].traffic, NULL, &t, NULL), 0);
	spec.traffic = &t;
	ck_assert_int_eq(sfab_score(sc, NULL, &spec, NULL, NULL, &s, NULL), 0);
	ck_assert_double_eq_tol(s.term[SFAB_TERM_IO_WAY], vector[_i].term, 1e-12);
	sfab_scorer_destroy(sc);
	tear_down();
}
END_TEST

/*
 * n6 and n4 serve, both even.  Of the 10 routes between n1, n2, n3 and n5 on
 * different leaves, those of n3 and of n5 to n2 share the uplink with writes.  If n4
 * changes places with n3, which is odd, it is 6: all from n1 and n2, from n4's new
 * neighbor to n2, and from n5 to n1.
 */
START_TEST(moving_io_mixes_routes)
{
	struct sfab_move move = { .host = 3, .place = 2 };
	const struct sfab_moves moves = { .n = 1, .move = &move };
	double part;

	set_up(2);
	move.from = f->hosts[3].port0;
	ck_assert_int_eq(sfab_io_mixing(m, 0, NULL, &part, NULL), 0);
	ck_assert_double_eq_tol(part, 0.2, 1e-12);
	ck_assert_int_eq(sfab_io_mixing(m, 0, &moves, &part, NULL), 0);
	ck_assert_double_eq_tol(part, 0.6, 1e-12);
	tear_down();
}
END_TEST

static void list(TCase *tcase)
{
	tcase_add_test(tcase, ways_of_one_server);
	tcase_add_test(tcase, nobody_writes_without_a_set);
	tcase_add_loop_test(tcase, the_term_by_hand, 0, NVECTORS);
	tcase_add_test(tcase, moving_io_mixes_routes);
}

UNIT_MAIN("io_way", list)
