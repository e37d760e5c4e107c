/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_tree.c - groups of leaves, and which hosts Slurm's topology/tree takes.  What is
 * expected was worked out by hand from slurmctld 22.05.
 */

#include "tests/unit/fixtures/fabrics.h"
#include "tests/unit/fixtures/unit.h"

#include "core/fabric/tree.h"
#include "core/search/search.h"

#define LEAVES 6
#define HOSTS 4			/* of a leaf */
#define NHOSTS (LEAVES * HOSTS)

static struct sfab_fabric *f;
static struct sfab_model *m;
static struct sfab_scorer *sc;
static struct sfab_traffic t;
static uint8_t avail[NHOSTS], required[NHOSTS];
static uint32_t weight[NHOSTS];

static void add_switch(struct sfab_builder *b, uint64_t guid, unsigned lid)
{
	ck_assert_int_eq(sfab_builder_add_switch(b, 0, guid, "switch", 8, lid, NULL), 0);
}

static void cable(struct sfab_builder *b, uint64_t x, unsigned xp, uint64_t y,
		  unsigned yp)
{
	ck_assert_int_eq(sfab_builder_add_link(b, 0, x, xp, y, yp, 1e9, 1, NULL), 0);
	ck_assert_int_eq(sfab_builder_add_link(b, 0, y, yp, x, xp, 1e9, 1, NULL), 0);
}

/* Hosts are cabled in reverse: n1 to the last host port of leaf 0. */
static void add_hosts(struct sfab_builder *b)
{
	char name[16];

	for (unsigned h = 0; h < NHOSTS; h++) {
		uint64_t guid = 0x1000 + 16 * h;

		snprintf(name, sizeof(name), "n%u", h + 1);
		ck_assert_int_eq(sfab_builder_add_port(b, 0, guid, 1, guid + 1, name,
						       NULL, 100 + h, 0, NULL), 0);
		cable(b, guid, 1, 0x100 + h / HOSTS, HOSTS - h % HOSTS);
	}
}

/* Two leaves a pod with a middle switch, middle switches below @tops. */
static void build(unsigned tops)
{
	struct sfab_builder *b = unit_empty_builder(SFAB_BUILD_PARTIAL, "");

	for (unsigned l = 0; l < LEAVES; l++)
		add_switch(b, 0x100 + l, 1 + l);
	for (unsigned pod = 0; pod < LEAVES / 2; pod++)
		add_switch(b, 0x200 + pod, 20 + pod);
	for (unsigned s = 0; s < tops; s++)
		add_switch(b, 0x300 + s, 30 + s);
	add_hosts(b);
	for (unsigned l = 0; l < LEAVES; l++)
		cable(b, 0x100 + l, HOSTS + 1, 0x200 + l / 2, 1 + l % 2);
	for (unsigned pod = 0; pod < LEAVES / 2; pod++)
		for (unsigned s = 0; s < tops; s++)
			cable(b, 0x200 + pod, 3 + s, 0x300 + s, 1 + pod);
	f = unit_freeze(b);
	m = unit_model(f, NULL);
	sc = unit_scorer(m);
	ck_assert_int_eq(sfab_traffic_parse("mpi", NULL, &t, NULL), 0);
}

/* Make so many hosts of each leaf free: its last ones. */
static void set_free(const unsigned *free_on)
{
	memset(required, 0, sizeof(required));
	memset(weight, 0, sizeof(weight));
	for (unsigned h = 0; h < NHOSTS; h++)
		avail[h] = h % HOSTS >= HOSTS - free_on[h / HOSTS];
}

static void check_taken(uint32_t n, const unsigned *taken)
{
	struct sfab_request rq = { .n = n, .avail = avail, .required = required,
				   .weight = weight, .traffic = &t };
	struct sfab_choice c;
	unsigned on[LEAVES] = { 0 };

	unit_must(!sfab_search_by(sc, NULL, &rq, SFAB_POLICY_TREE, &c, &unit_err));
	ck_assert_uint_eq(c.n, n);
	for (uint32_t i = 0; i < n; i++)
		on[c.host[i] / HOSTS]++;
	for (unsigned l = 0; l < LEAVES; l++)
		ck_assert_msg(on[l] == taken[l], "leaf %u: %u hosts, expected %u",
			      l, on[l], taken[l]);
	sfab_choice_clear(&c);
}

TEST(switches_know_how_far_the_leaves_are)
{
	struct sfab_tree *tree;

	build(2);
	tree = sfab_tree_create(f);
	ck_assert_ptr_nonnull(tree);
	for (uint32_t s = 0; s < f->nswitches; s++)
		ck_assert_uint_eq(tree->distance[s],
				  (f->switches[s].guid >> 8) - 1);
	sfab_tree_destroy(tree);
}

static const struct {
	unsigned n, free[LEAVES], taken[LEAVES];
} vector[] = {
	/* the first of equals */
	{ 4, { 4, 4, 4, 4, 4, 4 }, { 4 } },
	/* the tightest */
	{ 2, { 4, 3, 4, 2, 4, 4 }, { 0, 0, 0, 2 } },
	/* the neighbor, as good and nearer */
	{ 6, { 4, 4, 4, 4, 4, 4 }, { 4, 2 } },
	/* the tightest pod, then a tighter leaf far away */
	{ 5, { 4, 4, 2, 2, 3, 3 }, { 0, 0, 2, 0, 3, 0 } },
	/* no pod holds it: the fullest, the rest where it fits */
	{ 10, { 4, 4, 4, 4, 2, 2 }, { 4, 4, 0, 0, 2 } },
	/* crumbs, near ones first */
	{ 3, { 1, 1, 0, 0, 1, 1 }, { 1, 1, 0, 0, 1 } },
	{ 24, { 4, 4, 4, 4, 4, 4 }, { 4, 4, 4, 4, 4, 4 } },
};

LOOP_TEST(leaves_are_taken_as_slurm_does, N(vector))
{
	build(1);
	set_free(vector[_i].free);
	check_taken(vector[_i].n, vector[_i].taken);
}

TEST(leaves_of_required_hosts_come_first)
{
	static const unsigned all[LEAVES] = { 4, 4, 4, 4, 4, 4 };

	build(1);
	set_free(all);
	required[NHOSTS - 1] = 1;
	check_taken(3, (unsigned[LEAVES]) { 0, 0, 0, 0, 0, 3 });
	check_taken(6, (unsigned[LEAVES]) { 0, 0, 0, 0, 2, 4 });
}

TEST(whole_lower_weight_classes_come_first)
{
	static const unsigned all[LEAVES] = { 4, 4, 4, 4, 4, 4 };

	build(1);
	set_free(all);
	for (unsigned h = 0; h < NHOSTS; h++)
		weight[h] = h / HOSTS == 2 ? 1 : 5;
	check_taken(3, (unsigned[LEAVES]) { 0, 0, 3 });
	check_taken(6, (unsigned[LEAVES]) { 0, 0, 4, 2 });
}

TEST(a_job_stays_below_one_of_several_roots)
{
	static const unsigned all[LEAVES] = { 4, 4, 4, 4, 4, 4 };
	static const unsigned few[LEAVES] = { 4, 4, 4, 3, 4, 1 };

	build(0);
	set_free(all);
	check_taken(2, (unsigned[LEAVES]) { 0, 0, 0, 0, 2 });
	set_free(few);
	check_taken(6, (unsigned[LEAVES]) { 0, 0, 4, 2 });
	check_taken(20, few);
}

TEST(hosts_of_a_leaf_go_by_name)
{
	struct sfab_request rq = { .n = 2, .avail = avail, .traffic = &t };
	static const unsigned all[LEAVES] = { 4, 4, 4, 4, 4, 4 };
	struct sfab_choice c;

	build(1);
	set_free(all);
	ck_assert_int_eq(sfab_search_by(sc, NULL, &rq, SFAB_POLICY_TREE, &c, NULL), 0);
	ck_assert_str_eq(f->hosts[c.host[0]].name, "n1");
	ck_assert_str_eq(f->hosts[c.host[1]].name, "n2");
	sfab_choice_clear(&c);
}

TEST(three_levels_make_pods_and_a_root)
{
	build(1);
	ck_assert_uint_eq(m->tree->nlevels, 3);
	ck_assert_uint_eq(m->tree->ngroups[0], 6);
	ck_assert_uint_eq(m->tree->ngroups[1], 3);
	ck_assert_uint_eq(m->tree->ngroups[2], 1);
	ck_assert_uint_eq(m->tree->height[1], 1);
	ck_assert_uint_eq(m->tree->height[2], 2);
	ck_assert_uint_eq(sfab_tree_group(m->tree, 1, 3), 1);
	ck_assert_uint_eq(sfab_tree_meet(m->tree, 4, 4), 0);
	ck_assert_uint_eq(sfab_tree_meet(m->tree, 4, 5), 1);
	ck_assert_uint_eq(sfab_tree_meet(m->tree, 3, 4), 2);
}

TEST(parts_without_a_common_switch_never_meet)
{
	build(0);
	ck_assert_uint_eq(m->tree->nlevels, 2);
	ck_assert_uint_eq(m->tree->ngroups[1], 3);
	ck_assert_uint_eq(sfab_tree_meet(m->tree, 1, 2), SFAB_NONE);
}

UNIT_MAIN("tree")
