/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_route.c - routes: paths, groups, dead ends, loops, and what freeze refuses */

#include "tests/unit/fixtures/unit.h"

#include "core/fabric/route.h"
#include "tests/unit/fixtures/fabrics.h"

#include <math.h>

static uint32_t port_of(const struct sfab_fabric *f, const char *host)
{
	uint32_t h = sfab_fabric_host(f, host);

	ck_assert_uint_ne(h, SFAB_NONE);
	return f->hosts[h].port0;
}

TEST(path_through_the_spine_of_the_lid)
{
	struct sfab_fabric *f = unit_small_fabric();
	struct sfab_route r = { 0 };

	/* n4 has LID 4: spine 4 % 2 = 0, the first */
	ck_assert_int_eq(sfab_route_ports(f, port_of(f, "n1"), port_of(f, "n4"), &r), 0);
	ck_assert_int_eq(r.status, SFAB_ROUTE_OK);
	ck_assert_uint_eq(r.n, 4);
	ck_assert_str_eq(sfab_link_to_name(f, r.hop[0].link), "leaf1");
	ck_assert_str_eq(sfab_link_to_name(f, r.hop[1].link), "spine1");
	ck_assert_str_eq(sfab_link_to_name(f, r.hop[2].link), "leaf2");
	ck_assert_str_eq(sfab_link_to_name(f, r.hop[3].link), "n4");
	sfab_route_clear(&r);
}

TEST(shares_sum_to_one_at_every_hop)
{
	struct clos shape = { .leaves = 3, .spines = 4, .hosts = 2, .grouped = 1 };
	struct sfab_fabric *f = unit_fabric(&shape);
	struct sfab_route r = { 0 };
	double up = 0, down = 0, last = 0;

	ck_assert_int_eq(sfab_route_ports(f, port_of(f, "n1"), port_of(f, "n6"), &r), 0);
	ck_assert_int_eq(r.status, SFAB_ROUTE_OK);
	ck_assert_uint_eq(r.n, 1 + 4 + 4 + 1);
	for (uint32_t i = 0; i < r.n; i++) {
		const struct sfab_link *l = &f->links[r.hop[i].link];

		if (l->kind == SFAB_LINK_EJECT)
			last += r.hop[i].share;
		else if (l->kind == SFAB_LINK_ISL && f->switches[l->from].leaf != SFAB_NONE)
			up += r.hop[i].share;
		else if (l->kind == SFAB_LINK_ISL)
			down += r.hop[i].share;
	}
	ck_assert_double_eq_tol(up, 1, 1e-12);
	ck_assert_double_eq_tol(down, 1, 1e-12);
	ck_assert_double_eq_tol(last, 1, 1e-12);
	sfab_route_clear(&r);
}

#define WIDE 33u		/* uplinks of a switch: 33 x 33 at the top */

static void join(struct sfab_builder *b, uint64_t guid, unsigned num, uint64_t to,
		 unsigned to_num)
{
	unit_must(sfab_builder_add_link(b, 0, guid, num, to, to_num, 1e9, 1, &unit_err) == 0 &&
		  sfab_builder_add_link(b, 0, to, to_num, guid, num, 1e9, 1, &unit_err) == 0);
}

/* A leaf at @end of 0 and 1 with a host, and the middle switches above it. */
static void add_wide_side(struct sfab_builder *b, unsigned end)
{
	const char *host = end ? "n2 HCA-1" : "n1 HCA-1";
	uint64_t leaf = 0x100 + end;

	sfab_builder_add_switch(b, 0, leaf, "leaf", WIDE + 1, 3 + end, NULL);
	sfab_builder_add_port(b, 0, 0x9000 + 16 * end, 1, 0x9001 + 16 * end, host, NULL,
			      1 + end, 0, NULL);
	join(b, 0x9000 + 16 * end, 1, leaf, WIDE + 1);
	for (unsigned i = 1; i <= WIDE; i++) {
		sfab_builder_add_switch(b, 0, 0x1000 * (end + 1) + i, "middle", WIDE + 1,
					0, NULL);
		join(b, leaf, i, 0x1000 * (end + 1) + i, WIDE + 1);
	}
}

/* LID @lid, of the host at @end, goes up to all and down by the only way. */
static void route_wide(struct sfab_builder *b, unsigned end)
{
	uint8_t up[WIDE], port;
	double even[WIDE];
	unsigned lid = 1 + end;

	for (unsigned i = 0; i < WIDE; i++) {
		up[i] = (uint8_t) (i + 1);
		even[i] = 1;
	}
	sfab_builder_add_group(b, 0, 0x101 - end, lid, up, even, WIDE, NULL);
	port = WIDE + 1;
	sfab_builder_add_lft(b, 0, 0x100 + end, lid, &port, 1, NULL);
	for (unsigned i = 1; i <= WIDE; i++) {
		sfab_builder_add_group(b, 0, 0x1000 * (2 - end) + i, lid, up, even, WIDE, NULL);
		port = WIDE + 1;
		sfab_builder_add_lft(b, 0, 0x1000 * (end + 1) + i, lid, &port, 1, NULL);
		port = (uint8_t) (end + 1);
		for (unsigned k = 1; k <= WIDE; k++)
			sfab_builder_add_lft(b, 0, 0x10000 + 64 * i + k, lid, &port, 1, NULL);
	}
}

/* Two leaves, WIDE switches above each, and WIDE x WIDE that join these. */
static struct sfab_fabric *wide_tree(void)
{
	struct sfab_builder *b = unit_empty_builder(SFAB_BUILD_STRICT, "plane1");

	add_wide_side(b, 0);
	add_wide_side(b, 1);
	for (unsigned i = 1; i <= WIDE; i++)
		for (unsigned k = 1; k <= WIDE; k++) {
			sfab_builder_add_switch(b, 0, 0x10000 + 64 * i + k, "top", 2, 0, NULL);
			join(b, 0x10000 + 64 * i + k, 1, 0x1000 + i, k);
			join(b, 0x10000 + 64 * i + k, 2, 0x2000 + i, k);
		}
	route_wide(b, 0);
	route_wide(b, 1);
	sfab_builder_set_adaptive(b, SFAB_ADAPTIVE_GROUPS);
	return unit_freeze(b);
}

/* The walk has room for every switch of the fabric at one distance. */
TEST(a_thousand_spines_share_a_flow)
{
	struct clos shape = { .leaves = 2, .spines = 2, .hosts = 2, .grouped = 1 };
	struct sfab_fabric *f = wide_tree(), *small = unit_fabric(&shape);
	struct sfab_route r = { 0 };
	double last = 0;

	/* first with the room of a smaller fabric, which then grows */
	ck_assert_int_eq(sfab_route_ports(small, port_of(small, "n1"),
					  port_of(small, "n4"), &r), 0);
	ck_assert_int_eq(sfab_route_ports(f, port_of(f, "n1"), port_of(f, "n2"), &r), 0);
	ck_assert_int_eq(r.status, SFAB_ROUTE_OK);
	ck_assert_uint_eq(r.n, 1 + WIDE + WIDE * WIDE + WIDE * WIDE + WIDE + 1);
	for (uint32_t i = 0; i < r.n; i++) {
		uint32_t kind = f->links[r.hop[i].link].kind;

		last += kind == SFAB_LINK_EJECT ? r.hop[i].share : 0;
	}
	ck_assert_double_eq_tol(last, 1, 1e-12);
	sfab_route_clear(&r);
}

TEST(planes_do_not_meet)
{
	struct clos shape = { .leaves = 2, .spines = 2, .hosts = 2, .planes = 2 };
	struct sfab_fabric *f = unit_fabric(&shape);
	struct sfab_route r = { 0 };
	uint32_t n1 = port_of(f, "n1"), n4 = port_of(f, "n4");

	ck_assert_uint_eq(f->nrails, 2);
	ck_assert_int_eq(sfab_route_ports(f, n1, n4 + 1, &r), 0);
	ck_assert_int_eq(r.status, SFAB_ROUTE_OTHER_PLANE);
	ck_assert_int_eq(sfab_route_ports(f, n1 + 1, n4 + 1, &r), 0);
	ck_assert_int_eq(r.status, SFAB_ROUTE_OK);
	sfab_route_clear(&r);
}

TEST(every_lid_of_a_port_has_its_route)
{
	struct clos shape = { .leaves = 2, .spines = 2, .hosts = 2, .lmc = 1 };
	struct sfab_fabric *f = unit_fabric(&shape);
	struct sfab_route r = { 0 };
	uint32_t sw = f->ports[port_of(f, "n1")].sw, dst = port_of(f, "n4");
	uint32_t first;

	ck_assert_int_eq(sfab_route_from(f, sw, dst, &r), 0);
	first = r.hop[0].link;
	((struct sfab_port *) f->ports)[dst].entry++;
	ck_assert_int_eq(sfab_route_from(f, sw, dst, &r), 0);
	ck_assert_int_eq(r.status, SFAB_ROUTE_OK);
	ck_assert_uint_ne(first, r.hop[0].link);
	sfab_route_clear(&r);
}

/* Freeze must refuse, and say @says. */
static void refused(struct sfab_builder *b, const char *says)
{
	struct sfab_err err = { 0 };

	ck_assert_ptr_null(sfab_builder_freeze(b, &err));
	ck_assert_msg(strstr(err.text, says) != NULL, "%s", err.text);
	ck_assert_int_eq(err.code, SFAB_EFORMAT);
}

static struct sfab_builder *small_builder(void)
{
	struct clos shape = { .leaves = 2, .spines = 2, .hosts = 2 };

	return unit_builder(&shape);
}

static void set_port(struct sfab_builder *b, uint64_t guid, unsigned lid, uint8_t port)
{
	sfab_builder_set_origin(b, "x.dump", 7);
	ck_assert_int_eq(sfab_builder_add_lft(b, 0, guid, lid, &port, 1, NULL), 0);
}

TEST(a_loop_is_found_at_freeze)
{
	struct sfab_builder *b = small_builder();

	set_port(b, 0x200, 4, 1);	/* spine1 sends n4's LID back to leaf1 */
	refused(b, "route loop: LID 0x4");
}

TEST(bad_fabrics_are_refused)
{
	struct sfab_builder *b = small_builder();

	set_port(b, 0x100, 4, 40);
	refused(b, "switch leaf1, LID 0x4: port 40 (expected 0-4)");

	b = small_builder();
	set_port(b, 0x100, 900, 1);
	refused(b, "unknown LID 0x384");

	b = small_builder();
	set_port(b, 0x999, 1, 1);
	refused(b, "x.dump:7: forwarding table of switch 0x0000000000000999");

	b = small_builder();
	sfab_builder_set_origin(b, "net", 3);
	ck_assert_int_eq(sfab_builder_add_switch(b, 0, 0x300, "alone", 4, 77, NULL), 0);
	refused(b, "net:3: switch alone (0x0000000000000300) has no forwarding table");

	b = small_builder();
	ck_assert_int_eq(sfab_builder_add_port(b, 0, 0x5000, 1, 0x5001, "x HCA-1", NULL, 1,
					       0, NULL), 0);
	refused(b, "LID 0x1 belongs to another port");
}

TEST(links_must_agree)
{
	struct sfab_builder *b = small_builder();

	ck_assert_int_eq(sfab_builder_add_port(b, 0, 0x5000, 1, 0x5001, "x HCA-1", NULL, 60,
					       0, NULL), 0);
	sfab_builder_set_origin(b, "net", 9);
	ck_assert_int_eq(sfab_builder_add_link(b, 0, 0x5000, 1, 0x100, 1, 1e9, 1, NULL), 0);
	refused(b, "net:9: one-way link 0x0000000000005000 port 1");

	b = small_builder();
	ck_assert_int_eq(sfab_builder_add_link(b, 0, 0x100, 4, 0x201, 2, 1e9, 1, NULL), 0);
	refused(b, "two links");
}

/* bytes/s of a link, and what is said of it. */
static const struct {
	double capacity;
	const char *error;	/* NULL: fine */
} capacities[] = {
	{ SFAB_CAPACITY_MIN, NULL },
	{ SFAB_CAPACITY_MAX, NULL },
	{ 0, "net:9: link of 0x0000000000005000 port 1: unknown rate" },
	{ 1e-30,
	  "net:9: link of 0x0000000000005000 port 1: capacity 1e-39 GB/s (expected 0.001 to "
	  "1e+06 GB/s)" },
	{ 4.9e-324, "capacity 0 GB/s (expected" },
	{ 999999, "capacity 0.000999999 GB/s (expected" },
	{ 1.01e15, "capacity 1.01e+06 GB/s (expected" },
	{ 1e300, "capacity 1e+291 GB/s (expected" },
	{ -4e9, "capacity -4 GB/s (expected" },
	{ INFINITY, "capacity inf GB/s (expected" },
	{ NAN, "capacity nan GB/s (expected" },
};

LOOP_TEST(a_capacity_has_bounds, N(capacities))
{
	struct sfab_builder *b = small_builder();
	struct sfab_err err = { 0 };
	double x = capacities[_i].capacity;

	sfab_builder_set_origin(b, "net", 9);
	sfab_builder_add_port(b, 0, 0x5000, 1, 0x5001, "x HCA-1", NULL, 60, 0, NULL);
	if (!capacities[_i].error) {
		ck_assert_int_eq(sfab_builder_add_link(b, 0, 0x5000, 1, 0x100, 1, x,
						       1, &err), 0);
	} else {
		ck_assert_int_eq(sfab_builder_add_link(b, 0, 0x5000, 1, 0x100, 1, x,
						       1, &err), -1);
		ck_assert_msg(strstr(err.text, capacities[_i].error) != NULL,
			      "%s", err.text);
		ck_assert_int_eq(sfab_builder_add_link(b, 0, 0x5000, 1, 0x100, 1, x,
						       SFAB_CABLE_DIRECTED, &err), -1);
	}
}

TEST(what_is_said_twice_must_be_the_same)
{
	struct sfab_builder *b = small_builder();
	struct sfab_err err;

	sfab_builder_set_origin(b, "second", 2);
	ck_assert_int_eq(sfab_builder_add_switch(b, 0, 0x100, "leaf1", 4, 0, &err), 0);
	ck_assert_int_eq(sfab_builder_add_switch(b, 0, 0x100, "leaf1", 5, 0, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "second:2: duplicate GUID"));
	ck_assert_int_eq(sfab_builder_add_port(b, 0, 0x1010, 1, 0x9999, "n1 HCA-1", NULL,
					       1, 0, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "duplicate GUID"));
	ck_assert_int_eq(sfab_builder_add_port(b, 0, 0x7010, 1, 0x7011, "  ", NULL, 1, 0,
					       &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "host without a name"));
}

TEST(an_aggregation_node_makes_no_leaf)
{
	struct sfab_builder *b = small_builder();
	struct sfab_fabric *f;
	uint8_t port[] = { 1, 1 };

	/* in a spine of its own, LID 0x40, so that the tables are whole */
	ck_assert_int_eq(sfab_builder_add_switch(b, 0, 0x300, "s3", 1, 0x41, NULL), 0);
	ck_assert_int_eq(sfab_builder_add_port(b, 0, 0x5000, 1, 0x5001,
		"Mellanox Technologies Aggregation Node", NULL, 0x40, 0, NULL), 0);
	ck_assert_int_eq(sfab_builder_add_link(b, 0, 0x5000, 1, 0x300, 1, 1e9, 1, NULL), 0);
	ck_assert_int_eq(sfab_builder_add_link(b, 0, 0x300, 1, 0x5000, 1, 1e9, 1, NULL), 0);
	ck_assert_int_eq(sfab_builder_add_lft(b, 0, 0x300, 0x40, port, 1, NULL), 0);
	f = unit_freeze(b);
	ck_assert_uint_eq(f->nleaves, 2);
	ck_assert(!sfab_switch_is_leaf(f, 2));
	ck_assert(sfab_switch_is_leaf(f, 0));
}

TEST(names_are_ordered_by_number)
{
	ck_assert_int_lt(sfab_fabric_name_cmp("c2", "c10"), 0);
	ck_assert_int_lt(sfab_fabric_name_cmp("c09", "c10"), 0);
	ck_assert_int_lt(sfab_fabric_name_cmp("c", "c1"), 0);
	ck_assert_int_gt(sfab_fabric_name_cmp("d1", "c9"), 0);
	ck_assert_int_eq(sfab_fabric_name_cmp("rack1-n2", "rack1-n2"), 0);
	ck_assert_int_ne(sfab_fabric_name_cmp("n01", "n1"), 0);
	ck_assert_int_eq(sfab_fabric_name_cmp("n01", "n1"), -sfab_fabric_name_cmp("n1", "n01"));
}

/* Which host each of some end ports gets. */
static const struct {
	const char *desc[4];	/* of nodes 0x9000, 0x9010, ... */
	const char *host[4];
	uint32_t nameless;
} names[] = {
	{ { "a HCA-1", "a HCA-2", "b HCA-1", "b" }, { "a", "a", "b", "b" }, 0 },
	{ { "a HCA-1", "a HCA-1", "a HCA-2", "b" },
	  { "0x0000000000009000", "0x0000000000009010", "a", "b" }, 2 },
	{ { "a", "a", "a", "a " }, { "a", "a", "a", "a" }, 0 },
	{ { "n1 HCA-1", "b", "c", "d" }, { "0x0000000000009000", "b", "c", "d" }, 2 },
};

LOOP_TEST(a_description_of_several_nodes_names_none, N(names))
{
	struct sfab_builder *b = small_builder();
	struct sfab_fabric *f;
	uint32_t one;

	for (unsigned i = 0; i < 4; i++)
		for (unsigned port = 2; port; port--)	/* two ports of a node */
			ck_assert_int_eq(sfab_builder_add_port(b, 0, 0x9000 + 16 * i,
				port, 0x9000 + 16 * i + port, names[_i].desc[i],
				NULL, 0, 0, &unit_err), 0);
	f = unit_freeze(b);
	for (unsigned i = 0; i < 8; i++) {
		uint32_t p = sfab_fabric_port_by_guid(f, 0x9000 + 16 * (i / 2) + 1 + i % 2);

		ck_assert_str_eq(f->hosts[f->ports[p].host].name,
				 names[_i].host[i / 2]);
	}
	ck_assert_uint_eq(sfab_fabric_nameless(f, &one), names[_i].nameless);
	ck_assert((one == SFAB_NONE) == !names[_i].nameless);
}

/*
 * The same four nodes twice: what they say first, what they say then, and the names then.
 * NULL: the node is not there.
 */
static const struct {
	const char *before[4], *desc[4], *host[4];
} later[] = {
	/* the second says that it is the first */
	{ { "a HCA-1", "b HCA-1", "c", "d" }, { "a HCA-1", "a HCA-1", "c", "d" },
	  { "a", "0x0000000000009010", "c", "d" } },
	/* and the other way round */
	{ { "a HCA-1", "b HCA-1", "c", "d" }, { "b HCA-1", "b HCA-1", "c", "d" },
	  { "0x0000000000009000", "b", "c", "d" } },
	/* three say it */
	{ { "a HCA-1", "b HCA-1", "c", "d" }, { "a HCA-1", "a HCA-1", "a HCA-1", "d" },
	  { "a", "0x0000000000009010", "0x0000000000009020", "d" } },
	/* a new node does */
	{ { "a HCA-1", NULL, "c", "d" }, { "a HCA-1", "a HCA-1", "c", "d" },
	  { "a", "0x0000000000009010", "c", "d" } },
	/* nobody had the name */
	{ { "x", "b HCA-1", "c", "d" }, { "a HCA-1", "a HCA-1", "c", "d" },
	  { "0x0000000000009000", "0x0000000000009010", "c", "d" } },
	/* the adapter was replaced: the old one is gone */
	{ { "a HCA-1", NULL, "c", "d" }, { NULL, "a HCA-1", "c", "d" },
	  { NULL, "a", "c", "d" } },
	/* two swap their names */
	{ { "a HCA-1", "b HCA-1", "c", "d" }, { "b HCA-1", "a HCA-1", "c", "d" },
	  { "b", "a", "c", "d" } },
};

static struct sfab_fabric *described(const char *const *desc, const struct sfab_fabric *past)
{
	struct sfab_builder *b = small_builder();

	sfab_builder_set_past(b, past);
	for (unsigned i = 0; i < 4; i++)
		for (unsigned port = 1; desc[i] && port <= 2; port++)
			ck_assert_int_eq(sfab_builder_add_port(b, 0, 0x9000 + 16 * i, port,
				0x9000 + 16 * i + port, desc[i], NULL, 0, 0, &unit_err), 0);
	return unit_freeze(b);
}

LOOP_TEST(a_node_keeps_the_name_that_it_had, N(later))
{
	struct sfab_fabric *past = described(later[_i].before, NULL);

	/* the second time nothing is new: it must stay so */
	for (int n = 0; n < 2; n++) {
		struct sfab_fabric *f = described(later[_i].desc, past);

		for (unsigned i = 0; i < 4; i++) {
			uint32_t p = sfab_fabric_port_by_guid(f, 0x9001 + 16 * i);

			ck_assert_int_eq(p == SFAB_NONE, later[_i].host[i] == NULL);
			if (p != SFAB_NONE)
				ck_assert_str_eq(f->hosts[f->ports[p].host].name,
						 later[_i].host[i]);
		}
		past = f;
	}
}

/* As many as no host has: cloned machines. */
TEST(one_word_of_many_nodes_names_none)
{
	for (unsigned n = 16; n <= 17; n++) {
		struct sfab_builder *b = small_builder();
		struct sfab_fabric *f;

		for (unsigned i = 0; i < n; i++)
			sfab_builder_add_port(b, 0, 0x9000 + 16 * i, 1,
					      0x9001 + 16 * i, "node", NULL, 0, 0, NULL);
		f = unit_freeze(b);
		ck_assert_uint_eq(sfab_fabric_nameless(f, NULL), n > 16 ? n : 0);
		ck_assert_int_eq(sfab_fabric_host(f, "node") == SFAB_NONE, n > 16);
	}
}

UNIT_MAIN("route")
