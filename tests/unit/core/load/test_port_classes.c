/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_port_classes.c - port classes of tables whose classes are known: destination mod k on
 * two and three levels, one spine for all, port groups, random tables, a cable that is gone
 */

#include "tests/unit/fixtures/allocations.h"
#include "tests/unit/fixtures/unit.h"

#include "core/load/port_classes.h"
#include "core/random.h"
#include "tests/unit/fixtures/fabrics.h"

static struct sfab_fabric *f;
static struct sfab_model *m;
static struct sfab_port_classes *c;

static void learn(struct sfab_fabric *fabric)
{
	f = fabric;
	m = unit_model(f, NULL);
	c = sfab_port_classes_learn(m, NULL);
	ck_assert_ptr_nonnull(c);
}

static void forget(void)
{
	sfab_port_classes_destroy(c);
}

/* 1: two ports are of one class exactly where @key says so. */
static int is_partition(uint32_t (*key)(uint32_t port))
{
	for (uint32_t a = 0; a < f->nports; a++)
		for (uint32_t b = 0; b < f->nports; b++) {
			uint32_t x = c->class_of[a];

			if (f->ports[a].plane != f->ports[b].plane)
				continue;
			if (x == SFAB_NONE || (x == c->class_of[b]) !=
						      (key(a) == key(b)))
				return 0;
		}
	return 1;
}

static uint32_t by_lid(uint32_t port)
{
	return f->ports[port].lid % 4;
}

TEST(a_class_is_what_shares_a_spine)
{
	static const struct clos shape = { .leaves = 5, .spines = 4, .hosts = 4,
					   .planes = 2 };

	learn(unit_fabric(&shape));
	ck_assert_uint_eq(c->nclasses, 8);
	for (uint32_t p = 0; p < 2; p++)
		ck_assert_double_eq_tol(c->agreement[p], 1, 1e-12);
	for (uint32_t i = 0; i < c->nclasses; i++) {
		ck_assert_uint_eq(c->class[i].plane, i / 4);
		ck_assert_uint_eq(c->class[i].nports, 5);
		ck_assert_uint_eq(c->class[i].nleaves, 5);
		ck_assert_double_eq(c->class[i].agreement, 1);
	}
	ck_assert(is_partition(by_lid));
	ck_assert_uint_eq(c->class_of[f->leaves[0].port[0]], 0);
}

TEST(routes_over_one_spine_are_one_class)
{
	static const struct clos shape = { .leaves = 4, .spines = 4, .hosts = 4,
					   .same_spine = 1 };

	learn(unit_fabric(&shape));
	ck_assert_uint_eq(c->nclasses, 1);
	ck_assert_double_eq_tol(c->agreement[0], 1, 1e-12);
	ck_assert_uint_eq(c->class[0].nports, 16);
}

static const struct clos without[] = {
	{ .leaves = 4, .spines = 4, .hosts = 4, .grouped = 1 },	/* shared ports */
	{ .leaves = 2, .spines = 4, .hosts = 4 },	/* nobody sees both leaves */
	{ .leaves = 1, .hosts = 4 },			/* no way up */
};

LOOP_TEST(uneven_fabrics_have_no_classes, 3)
{
	learn(unit_fabric(&without[_i]));
	ck_assert_uint_eq(c->nclasses, 0);
	ck_assert_double_le(c->agreement[0], SFAB_CLASSES_AGREE);
	for (uint32_t p = 0; p < f->nports; p++)
		ck_assert_uint_eq(c->class_of[p], SFAB_NONE);
}

/* Frozen tables are changed as no caller may. */
static uint8_t *entry(struct sfab_fabric *fabric, uint32_t leaf, uint32_t port)
{
	const struct sfab_switch *sw = &fabric->switches[fabric->leaves[leaf].sw];

	return (uint8_t *) (uintptr_t) &sw->lft[fabric->ports[port].entry];
}

static const struct clos eight = { .leaves = 8, .spines = 4, .hosts = 4 };

LOOP_TEST_FROM(random_tables_have_no_classes, 1, 41)
{
	static const struct clos shape = { .leaves = 12, .spines = 8, .hosts = 8 };
	uint64_t seed = (uint64_t) _i;
	struct sfab_fabric *fabric = unit_fabric(&shape);

	for (uint32_t l = 0; l < fabric->nleaves; l++)
		for (uint32_t p = 0; p < fabric->nports; p++)
			if (fabric->ports[p].leaf != l)
				*entry(fabric, l, p) =
					(uint8_t) (9 + sfab_random(&seed) % 8);
	learn(fabric);
	ck_assert_uint_eq(c->nclasses, 0);
	ck_assert_double_le(c->agreement[0], SFAB_CLASSES_AGREE);
}

/*
 * The cable of leaf1 to spine1 is gone: what leaf1 sent up there, and what others sent down
 * there to leaf1, goes over spine2.
 */
static uint32_t by_lid_but_one(uint32_t port)
{
	return by_lid(port) == 0 && f->ports[port].leaf == 0 ? 1 : by_lid(port);
}

TEST(a_cable_that_is_gone_keeps_the_classes)
{
	struct sfab_fabric *fabric = unit_fabric(&eight);

	for (uint32_t l = 0; l < fabric->nleaves; l++)
		for (uint32_t p = 0; p < fabric->nports; p++)
			if ((l == 0) != (fabric->ports[p].leaf == 0) &&
			    *entry(fabric, l, p) == 5)
				*entry(fabric, l, p) = 6;
	learn(fabric);
	ck_assert_uint_eq(c->nclasses, 4);
	ck_assert_double_eq_tol(c->agreement[0], 1, 1e-12);
	ck_assert(is_partition(by_lid_but_one));
}

/* -- three levels ------------------------------------------------------- */

/*
 * Three pods of two leaves of four hosts and two middle switches, with two top switches above
 * each of a pod's middle ones.  Host x of a leaf (from 0) is reached by middle switch x mod 2
 * and its top switch x/2.  GUIDs: leaf 0x100 + l, middle 0x200 + 2 pod + j, top 0x300 + 2 j +
 * t.  Ports: leaf 1-4 hosts, 5 + j up; middle 1, 2 leaves, 3 + t up; top 1 + pod.
 */
enum { PODS = 3, LEAVES = 2 * PODS, HOSTS = 4 * LEAVES };

static void cable(struct sfab_builder *b, uint64_t a, unsigned p, uint64_t z, unsigned q)
{
	ck_assert(sfab_builder_add_link(b, 0, a, p, z, q, 4e9, 1, NULL) == 0);
	ck_assert(sfab_builder_add_link(b, 0, z, q, a, p, 4e9, 1, NULL) == 0);
}

static void add_switch(struct sfab_builder *b, uint64_t guid, unsigned ports)
{
	char name[32];

	snprintf(name, sizeof(name), "s%x", (unsigned) guid);
	ck_assert(sfab_builder_add_switch(b, 0, guid, name, ports,
					  0x1000 + (unsigned) guid, NULL) == 0);
}

static void send(struct sfab_builder *b, uint64_t guid, unsigned lid, unsigned port)
{
	uint8_t e = (uint8_t) port;

	ck_assert(sfab_builder_add_lft(b, 0, guid, lid, &e, 1, NULL) == 0);
}

static void add_switches(struct sfab_builder *b)
{
	for (unsigned l = 0; l < LEAVES; l++)
		add_switch(b, 0x100 + l, 6);
	for (unsigned j = 0; j < 2 * PODS; j++)
		add_switch(b, 0x200 + j, 4);
	for (unsigned t = 0; t < 4; t++)
		add_switch(b, 0x300 + t, PODS);
	for (unsigned l = 0; l < LEAVES; l++)
		for (unsigned j = 0; j < 2; j++)
			cable(b, 0x100 + l, 5 + j, 0x200 + l / 2 * 2 + j, 1 + l % 2);
	for (unsigned pod = 0; pod < PODS; pod++)
		for (unsigned t = 0; t < 4; t++)
			cable(b, 0x200 + 2 * pod + t / 2, 3 + t % 2, 0x300 + t, 1 + pod);
}

static void add_host(struct sfab_builder *b, unsigned h)
{
	unsigned l = h / 4, x = h % 4, lid = h + 1;
	char name[32];

	snprintf(name, sizeof(name), "n%u HCA-1", h + 1);
	ck_assert(sfab_builder_add_port(b, 0, 0x5000 + 2 * h, 1, 0x5001 + 2 * h, name, NULL,
					lid, 0, NULL) == 0);
	cable(b, 0x5000 + 2 * h, 1, 0x100 + l, 1 + x);
	for (unsigned k = 0; k < LEAVES; k++)
		send(b, 0x100 + k, lid, k == l ? 1 + x : 5 + x % 2);
	for (unsigned k = 0; k < 2 * PODS; k++)
		send(b, 0x200 + k, lid, k / 2 == l / 2 ? 1 + l % 2 : 3 + x / 2);
	for (unsigned t = 0; t < 4; t++)
		send(b, 0x300 + t, lid, 1 + l / 2);
}

static struct sfab_fabric *pods(void)
{
	struct sfab_builder *b = unit_empty_builder(SFAB_BUILD_STRICT, "");

	add_switches(b);
	for (unsigned h = 0; h < HOSTS; h++)
		add_host(b, h);
	return unit_freeze(b);
}

static uint32_t by_middle(uint32_t port)
{
	return (f->ports[port].lid - 1u) % 2;
}

static void check_pods(void)
{
	ck_assert_uint_eq(c->nclasses, 2);
	ck_assert_double_eq_tol(c->agreement[0], 1, 1e-12);
	ck_assert(is_partition(by_middle));
	for (uint32_t i = 0; i < 2; i++) {
		ck_assert_uint_eq(c->class[i].nports, HOSTS / 2);
		ck_assert_uint_eq(c->class[i].nleaves, LEAVES);
	}
}

TEST(pods_have_classes_with_or_without_paths)
{
	learn(pods());
	check_pods();
	/* the same without a table of paths */
	ck_assert_ptr_nonnull(m->paths);
	m->paths = NULL;
	sfab_port_classes_destroy(c);
	c = sfab_port_classes_learn(m, NULL);
	check_pods();
}

TEST(classes_without_memory_are_not_learned)
{
	int reached = 1, failures = 0;

	learn(pods());
	for (long fail_at = 0; reached; fail_at++) {
		struct sfab_err err = { 0 };

		sfab_port_classes_destroy(c);
		allocations_left = fail_at;
		c = sfab_port_classes_learn(m, &err);
		reached = allocations_left < 0;
		allocations_left = -1;
		ck_assert_int_eq(c == NULL, reached);
		ck_assert(!reached || err.code == SFAB_ENOMEM);
		failures += reached;
	}
	ck_assert_int_gt(failures, 10);
	check_pods();
}

UNIT_MAIN_WITH("classes", NULL, forget)
