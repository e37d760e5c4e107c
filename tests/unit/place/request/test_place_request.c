/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_place_request.c - from usable nodes to a search: weights, shared nodes, nodes without a
 * host
 */

#include "tests/unit/fixtures/unit.h"

#include "place/request/request.h"
#include "tests/unit/fixtures/fabrics.h"

#define NODES 8

static struct bench {
	struct sfab_fabric *f;
	struct sfab_nodes nodes;
	struct sfab_running running;
	struct sfab_scratch scratch;
	uint8_t node[NODES];
	uint64_t weight[NODES];
	struct sfab_ask ask;
} b;

/* Eight idle nodes of 8 CPUs, hosts n1 .. n8 on four leaves. */
static void set_up(void)
{
	const struct clos shape = { .leaves = 4, .spines = 2, .hosts = 2 };
	struct sfab_place_node table[NODES];
	char name[NODES][8];

	memset(&b, 0, sizeof(b));
	b.f = unit_fabric(&shape);
	for (int i = 0; i < NODES; i++) {
		snprintf(name[i], sizeof(name[i]), "n%d", i + 1);
		table[i] = (struct sfab_place_node){ name[i], 8, 1000, 1, 1 };
		b.node[i] = SFAB_NODE_USABLE | SFAB_NODE_IDLE;
		b.weight[i] = 1;
	}
	ck_assert_int_eq(sfab_nodes_set(&b.nodes, table, NODES), 0);
	ck_assert_int_eq(sfab_nodes_map(&b.nodes, b.f), 0);
	ck_assert_uint_eq(b.nodes.nmapped, NODES);
	ck_assert_int_eq(sfab_running_reset(&b.running, b.nodes.node, NODES), 0);
	ck_assert_int_eq(sfab_scratch_reset(&b.scratch, NODES, b.f->nhosts), 0);
	b.ask = (struct sfab_ask){
		.id = 1, .min_nodes = 2, .req_nodes = 2, .max_nodes = 2,
		.node = b.node, .weight = b.weight,
		.flags = SFAB_ASK_WHOLE_NODES,
	};
}

static void tear_down(void)
{
	sfab_nodes_clear(&b.nodes);
	sfab_running_clear(&b.running);
	sfab_scratch_free(&b.scratch);
}

static enum sfab_reason make(void)
{
	return sfab_request_make(&b.scratch, &b.ask, &b.nodes, &b.running, 0);
}

/* Return the nodes whose hosts may be used: bit i is node i. */
static unsigned available(void)
{
	unsigned bits = 0;

	for (uint32_t i = 0; i < NODES; i++)
		if (b.nodes.host[i] != SFAB_NONE &&
		    b.scratch.rq.avail[b.nodes.host[i]])
			bits |= 1u << i;
	return bits;
}

/* Return the same of a request that is placed. */
static unsigned candidates(void)
{
	ck_assert_int_eq(make(), SFAB_PLACED);
	return available();
}

static uint32_t weight_of(uint32_t node)
{
	return b.scratch.rq.weight[b.nodes.host[node]];
}

static void use_cpus(uint32_t node, uint32_t cpus)
{
	struct sfab_place_run run = {
		.id = 100 + node, .n = 1, .node = &node, .cpus = &cpus,
	};

	sfab_running_put(&b.running, &run);
	b.node[node] = SFAB_NODE_USABLE | SFAB_NODE_SHARE;
}

/* Change the number of nodes only. */
static void ask_for_nodes(uint32_t n)
{
	b.ask.min_nodes = b.ask.req_nodes = b.ask.max_nodes = n;
}

/* Ask for @tasks tasks on any number of nodes, which need not be whole. */
static void ask_for_tasks(uint32_t tasks)
{
	b.ask = (struct sfab_ask){
		.id = 1, .min_nodes = 1, .req_nodes = 1, .tasks = tasks,
		.node = b.node, .weight = b.weight,
	};
}

TEST(idle_nodes_for_whole_nodes)
{
	use_cpus(3, 1);
	b.node[5] = SFAB_NODE_IDLE;	/* not a candidate */
	ck_assert_uint_eq(candidates(), 0xff & ~(1u << 3) & ~(1u << 5));
	ck_assert_uint_eq(b.scratch.rq.n, 2);
	ck_assert_double_eq(b.scratch.rq.cpus[b.nodes.host[0]], 1);
}

TEST(lowest_weights_that_can_hold_it)
{
	for (int i = 0; i < 5; i++)
		b.weight[i] = 50;
	ck_assert_uint_eq(candidates(), 0xe0);
	/* three light nodes, and one of the heavier */
	ask_for_nodes(4);
	ck_assert_uint_eq(candidates(), 0xff);
	ck_assert_uint_eq(weight_of(7), 0);
	ck_assert_uint_eq(weight_of(0), 1);
	/* just the light ones */
	ask_for_nodes(3);
	ck_assert_uint_eq(candidates(), 0xe0);
}

TEST(smallest_nodes_where_cpus_count)
{
	for (int i = 0; i < 4; i++)
		b.nodes.node[i].cpus = 16;
	b.ask.flags = 0;
	ck_assert_uint_eq(candidates(), 0xff);
	b.ask.flags = SFAB_ASK_FEW_CPUS;
	ck_assert_uint_eq(candidates(), 0xf0);
	b.ask.flags = SFAB_ASK_WHOLE_NODES;
	ck_assert_uint_eq(candidates(), 0xf0);
	/* where the small ones are too few: all of them, and some large ones */
	ask_for_nodes(5);
	ck_assert_uint_eq(candidates(), 0xff);
	ck_assert_uint_eq(weight_of(4), 0);
	ck_assert_uint_eq(weight_of(0), 1);
	/* heavier ones are dearer than large ones */
	b.weight[6] = b.weight[7] = 50;
	ask_for_nodes(3);
	ck_assert_uint_eq(candidates(), 0x3f);
	ck_assert_uint_eq(weight_of(4), 0);
	ck_assert_uint_eq(weight_of(0), 1);
}

TEST(cpus_that_its_partition_may_have)
{
	uint32_t allowed[NODES] = { 0, 4, 4, 8, 8, 3, 9, 0 };

	b.ask.flags = 0;
	b.ask.tasks = 8;
	b.ask.allowed = allowed;
	ck_assert_uint_eq(candidates(), 0x5e);
	for (int i = 0; i < NODES; i++)
		b.nodes.node[i].threads = 2;
	b.ask.threads_per_core = 1;	/* four tasks a node, all in use but one */
	use_cpus(1, 1);
	ck_assert_uint_eq(candidates(), 0x5c);
}

TEST(nothing_to_choose)
{
	ask_for_nodes(8);
	ck_assert_int_eq(make(), SFAB_STOCK_NO_CHOICE);
	ask_for_nodes(9);
	ck_assert_int_eq(make(), SFAB_STOCK_FEW_NODES);
	memset(b.node, 0, NODES);
	ask_for_nodes(1);
	ck_assert_int_eq(make(), SFAB_STOCK_FEW_NODES);
}

TEST(a_range_of_counts_wants_the_most)
{
	b.ask.max_nodes = b.ask.req_nodes = 6;
	ck_assert_int_eq(make(), SFAB_PLACED);
	ck_assert_uint_eq(b.scratch.rq.n, 6);
	ck_assert_uint_eq(b.scratch.enough, 2);
	memset(b.node, 0, 3);		/* five are left: all of them, or fewer */
	ck_assert_int_eq(make(), SFAB_PLACED);
	ck_assert_uint_eq(b.scratch.rq.n, 5);
	ck_assert_uint_eq(b.scratch.enough, 2);
	b.ask.flags |= SFAB_ASK_CONTIGUOUS;
	ck_assert_int_eq(make(), SFAB_STOCK_NO_CHOICE);
	b.ask.flags = SFAB_ASK_WHOLE_NODES;
	b.ask.switches = 2;
	ck_assert_int_eq(make(), SFAB_STOCK_NO_CHOICE);
	b.ask.flags = b.ask.switches = 0;	/* parts of nodes are not hours of nodes */
	ck_assert_int_eq(make(), SFAB_STOCK_NO_CHOICE);
	ck_assert_uint_eq(b.scratch.nusable, 5);
	b.ask.min_nodes = 6;
	ck_assert_int_eq(make(), SFAB_STOCK_FEW_NODES);
}

TEST(required_nodes_stay)
{
	ask_for_nodes(3);
	b.node[6] |= SFAB_NODE_REQUIRED;
	ck_assert_int_eq(make(), SFAB_PLACED);
	ck_assert_uint_eq(b.scratch.rq.required[b.nodes.host[6]], 1);
	ck_assert_uint_eq(b.scratch.rq.required[b.nodes.host[5]], 0);
	b.node[6] = SFAB_NODE_REQUIRED;		/* busy */
	ck_assert_int_eq(make(), SFAB_STOCK_FEW_NODES);
}

TEST(nodes_outside_the_fabric)
{
	b.nodes.host[0] = SFAB_NONE;
	ck_assert_uint_eq(candidates(), 0xfe);
	/* it is the one that Slurm would have to take first */
	b.weight[0] = 0;
	ck_assert_int_eq(make(), SFAB_STOCK_UNMAPPED);
	b.weight[0] = 1;
	b.node[0] |= SFAB_NODE_REQUIRED;
	ck_assert_int_eq(make(), SFAB_STOCK_UNMAPPED);
}

TEST(tasks_alone_give_the_count)
{
	ask_for_tasks(20);
	use_cpus(0, 3);		/* 5 CPUs left, not the 7 needed */
	ck_assert_uint_eq(candidates(), 0xff);
	ck_assert_uint_eq(b.scratch.rq.n, 3);
	ck_assert_uint_eq(weight_of(0), 0);	/* but it is in use: it is in */
	ck_assert_uint_eq(weight_of(1), 1);
	ck_assert_double_eq_tol(b.scratch.rq.cpus[b.nodes.host[1]], 7 / 8., 1e-9);
}

/*
 * Two idle nodes and 5 tasks in use: Slurm would leave out one of three nodes that take 7
 * tasks.  The smallest that is not needed is no candidate.
 */
TEST(each_node_is_needed)
{
	ask_for_tasks(20);
	use_cpus(0, 7);		/* takes 1 */
	use_cpus(1, 4);		/* 4 */
	use_cpus(2, 6);		/* 2 */
	ck_assert_uint_eq(candidates(), 0xff & ~(1u << 0 | 1u << 2));
	ck_assert_uint_eq(b.scratch.rq.n, 3);
	ck_assert_uint_eq(weight_of(1), 0);
	/* where nodes are said they are all taken */
	ask_for_nodes(5);
	ck_assert_uint_eq(candidates(), 0xff);
}

/*
 * Six idle nodes are all needed, and hold 36 of 35 tasks: Slurm would leave out the one in use,
 * which takes 1.
 */
TEST(the_used_node_is_not_needed)
{
	ask_for_tasks(35);
	use_cpus(0, 7);
	for (uint32_t i = 1; i < NODES - 1; i++)
		b.nodes.node[i].cpus = i <= 3 ? 7 : 5;
	b.node[NODES - 1] = 0;
	ck_assert_uint_eq(candidates(), 0x7e);
	ck_assert_uint_eq(b.scratch.rq.n, 6);
}

/* Five that are in use will do, and the idle one stays idle. */
TEST(tasks_alone_leave_idle_nodes)
{
	ask_for_tasks(10);
	for (uint32_t i = 0; i < NODES; i++)
		if (i != 3)
			use_cpus(i, i == 5 ? 7 : 6);
	ck_assert_uint_eq(candidates(), 0xff & ~(1u << 3 | 1u << 5));
	ck_assert_uint_eq(b.scratch.rq.n, 5);
}

/* Slurm refused the one used node that the user named: its class has no other. */
TEST(more_than_the_class_has)
{
	use_cpus(2, 4);
	b.node[2] |= SFAB_NODE_REQUIRED;
	ask_for_tasks(1);
	for (uint32_t extra = 1; extra < 3; extra++)
		ck_assert_int_eq(sfab_request_make(&b.scratch, &b.ask, &b.nodes,
						   &b.running, extra),
				 SFAB_STOCK_NO_CHOICE);
}

/* Whole nodes, of two sizes: two will do if the largest is among them. */
TEST(the_largest_node_is_in)
{
	ask_for_tasks(10);
	for (uint32_t i = 0; i < NODES; i++)
		b.nodes.node[i].cpus = i == 3 ? 8 : i == 5 ? 1 : 2;
	ck_assert_int_eq(make(), SFAB_PLACED);
	ck_assert_uint_eq(b.scratch.rq.n, 2);
	ck_assert_uint_eq(b.scratch.rq.required[b.nodes.host[3]], 1);
	ck_assert_uint_eq(available(), 0xff & ~(1u << 5));
}

/* Two nodes in use are in; of more than it needs any will do. */
TEST(a_job_of_several_nodes_looks_at_used_ones_first)
{
	b.ask = (struct sfab_ask){
		.id = 1, .min_nodes = 3, .req_nodes = 3, .max_nodes = 3,
		.tasks = 6, .node = b.node, .weight = b.weight,
	};
	use_cpus(2, 2);
	use_cpus(4, 2);
	ck_assert_uint_eq(candidates(), 0xff);
	ck_assert_uint_eq(weight_of(2), 0);
	ck_assert_uint_eq(weight_of(4), 0);
	ck_assert_uint_eq(weight_of(0), 1);
	use_cpus(6, 2);
	use_cpus(7, 2);
	ck_assert_uint_eq(candidates(), 1u << 2 | 1u << 4 | 1u << 6 | 1u << 7);
	/* whole nodes are idle ones */
	b.ask.flags = SFAB_ASK_WHOLE_NODES;
	ck_assert_uint_eq(candidates(), 1u << 0 | 1u << 1 | 1u << 3 | 1u << 5);
}

TEST(a_small_job_looks_at_used_nodes_first)
{
	ask_for_tasks(4);
	use_cpus(2, 3);
	use_cpus(4, 4);
	use_cpus(6, 5);		/* too full */
	ck_assert_uint_eq(candidates(), 1u << 2 | 1u << 4);
	ck_assert_uint_eq(b.scratch.rq.n, 1);
	/* node weights come before that */
	b.weight[0] = b.weight[1] = 0;
	ck_assert_uint_eq(candidates(), 3);
}

TEST(the_key_tells_questions_apart)
{
	static const double w[SFAB_NTERMS] = { 1 }, other[SFAB_NTERMS] = { 2 };
	uint64_t key;

	ck_assert_int_eq(make(), SFAB_PLACED);
	key = sfab_request_key(&b.scratch, "mpi=0.3", w);
	ck_assert_uint_ne(key, 0);
	ck_assert_int_eq(make(), SFAB_PLACED);
	ck_assert_uint_eq(sfab_request_key(&b.scratch, "mpi=0.3", w), key);
	ck_assert_uint_ne(sfab_request_key(&b.scratch, "mpi=0.4", w), key);
	ck_assert_uint_ne(sfab_request_key(&b.scratch, "mpi=0.3", other), key);
	b.scratch.enough--;
	ck_assert_uint_ne(sfab_request_key(&b.scratch, "mpi=0.3", w), key);
	b.node[7] = 0;
	ck_assert_int_eq(make(), SFAB_PLACED);
	ck_assert_uint_ne(sfab_request_key(&b.scratch, "mpi=0.3", w), key);
}

UNIT_MAIN_WITH("place request", set_up, tear_down)
