/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_phases.c - what a job loses in its phases, worked out by hand
 *
 * Four leaves of two hosts, all routes over one spine, links of 4 GB/s.  n7 and n8 on leaf 4
 * serve IO.  n1 n2 are on leaf 1, n3 n4 on leaf 2.
 */

#include "tests/unit/fixtures/unit.h"

#include "core/load/phases.h"
#include "tests/unit/fixtures/fabrics.h"

#define G 1e9

static const struct clos shape = { .leaves = 4, .spines = 2, .hosts = 2,
				   .same_spine = 1 };
static struct sfab_fabric *f;
static struct sfab_iosets *io;
static struct sfab_model *m;
static struct sfab_phases *ph;

static void open_with_servers(double capacity)
{
	f = unit_fabric(&shape);
	io = unit_servers(f, "fs", "n7 n8", capacity);
	m = unit_model(f, io);
	ph = sfab_phases_create(m);
	unit_cleanup(ph, sfab_phases_destroy);
}

/* Host n1 has id 0. */
static const struct vector {
	const char *traffic;
	double server;		/* GB/s each */
	uint32_t n, host[4];
	double up;		/* GB/s of others on the uplink of leaf 1 */
	double part[2], time;
} vectors[] = {
	/* both by one uplink of 4: 8 GB/s are asked of it */
	{ "io-write=0.1", 4, 2, { 0, 1 }, 0, { 2 }, 0.1 },
	/* by an uplink each, but one link goes down to leaf 4 */
	{ "io-write=0.1", 4, 2, { 0, 2 }, 0, { 2 }, 0.1 },
	/* servers of 2 let 4 of 8 GB/s through: the uplink is no limit */
	{ "io-write=0.1", 2, 2, { 0, 1 }, 0, { 1 }, 0 },
	/* and it is one beside others: (8/2 + 2) / 4 */
	{ "io-write=0.1", 2, 2, { 0, 1 }, 2, { 1.5 }, 0.05 },
	/* what is read comes down: others that go up do not matter */
	{ "io-read=0.5", 4, 2, { 0, 1 }, 2, { 2 }, 0.5 },
	/* shift 2 of three crosses the uplinks twice */
	{ "alltoall=0.3", 4, 4, { 0, 1, 2, 3 }, 0, { 4.0 / 3 }, 0.1 },
	{ "alltoall=0.3+io-write=0.1", 4, 4, { 0, 1, 2, 3 }, 0, { 4.0 / 3, 2 }, 0.2 },
	/* on one leaf MPI does not leave it, IO does */
	{ "alltoall=0.3+io-write=0.1", 4, 2, { 0, 1 }, 4, { 1, 3 }, 0.2 },
	/* a ring: 1 goes to 2, half of 1's; 2 to 3 crosses with half, and 4 to 1 */
	{ "neighbor=0.5", 4, 4, { 0, 1, 2, 3 }, 0, { 1 }, 0 },
};

LOOP_TEST(by_hand, N(vectors))
{
	const struct vector *v = &vectors[_i];
	struct sfab_traffic t;
	struct sfab_job job = { .n = v->n, .host = v->host, .traffic = &t };
	struct sfab_lost lost;
	double *b;

	open_with_servers(v->server * G);
	ck_assert_int_eq(sfab_traffic_parse(v->traffic, NULL, &t, NULL), 0);
	b = calloc(m->nres, sizeof(*b));
	b[unit_link(f, "leaf1", 3)] = v->up * G;
	ck_assert_int_eq(sfab_phases_lost(ph, &job, v->up > 0 ? b : NULL, &lost, NULL), 0);
	for (uint32_t i = 0; i < t.nparts; i++)
		ck_assert_double_eq_tol(lost.part[i].beside, v->part[i], 1e-12);
	ck_assert_double_eq_tol(lost.time, v->time, 1e-12);
	free(b);
}

/* Twice the time in phases is twice the loss: S does not depend on the weight. */
TEST(loss_grows_with_the_part_of_the_time)
{
	static const uint32_t host[] = { 0, 1, 2, 3 };
	struct sfab_traffic t = unit_traffic("mpi=0.1+io-write=0.02");
	struct sfab_job job = { .n = 4, .host = host, .traffic = &t };
	struct sfab_lost little, much;

	open_with_servers(4 * G);
	ck_assert_int_eq(sfab_phases_lost(ph, &job, NULL, &little, NULL), 0);
	ck_assert_int_eq(sfab_traffic_parse("mpi=0.2+io-write=0.04", NULL, &t, NULL), 0);
	ck_assert_int_eq(sfab_phases_lost(ph, &job, NULL, &much, NULL), 0);
	ck_assert_double_gt(little.time, 0);
	ck_assert_double_eq_tol(much.time, 2 * little.time, 1e-12);
}

TEST(an_unknown_set_is_refused)
{
	static const uint32_t host[] = { 0, 1 };
	struct sfab_traffic t = unit_traffic("io-write@home=0.1");
	struct sfab_job job = { .n = 2, .host = host, .traffic = &t };
	struct sfab_lost lost;

	open_with_servers(4 * G);
	ck_assert_int_eq(sfab_phases_lost(ph, &job, NULL, &lost, &unit_err), -1);
	ck_assert_int_eq(unit_err.code, SFAB_ENOENT);
}

UNIT_MAIN("phases")
