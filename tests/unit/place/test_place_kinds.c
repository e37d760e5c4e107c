/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_place_kinds.c - which jobs the service places, and what the site and the user may say to
 * it
 */

#include "tests/unit/fixtures/unit.h"

#include "place/state/generation.h"
#include "tests/unit/fixtures/service.h"

static struct service t;

static const struct {
	unsigned flag;
	enum sfab_reason reason;
} kinds[] = {
	{ SFAB_ASK_TEST_ONLY, SFAB_STOCK_TEST_ONLY },
	{ SFAB_ASK_RESERVATION, SFAB_STOCK_RESERVATION },
	{ SFAB_ASK_FUTURE, SFAB_STOCK_FUTURE },
	{ SFAB_ASK_HET, SFAB_STOCK_HET },
	{ SFAB_ASK_LLN, SFAB_STOCK_LLN },
	{ SFAB_ASK_SPREAD, SFAB_STOCK_SPREAD },
	{ SFAB_ASK_SERIAL, SFAB_STOCK_SERIAL },
	{ SFAB_ASK_BUSY_NODES, SFAB_STOCK_BUSY_NODES },
	{ SFAB_ASK_SEGMENT, SFAB_STOCK_SEGMENT },
	{ SFAB_ASK_TOPOLOGY, SFAB_STOCK_TOPOLOGY },
	{ SFAB_ASK_GRES, SFAB_STOCK_GRES },
	{ SFAB_ASK_OVERCOMMIT, SFAB_PLACED },
	{ 0, SFAB_PLACED },
};

LOOP_TEST(kinds_of_jobs_left_to_slurm, N(kinds))
{
	service_start(&t, &service_shape, SERVICE_CONF);
	t.ask.flags = kinds[_i].flag;
	ck_assert_int_eq(service_ask(&t, 7, 4)->reason, kinds[_i].reason);
}

TEST(a_question_without_a_job_id_is_left_to_slurm)
{
	service_start(&t, &service_shape, SERVICE_CONF);
	ck_assert_int_eq(service_ask(&t, 0, 4)->reason, SFAB_STOCK_NO_ID);
}

struct looker {
	struct service *t;
	struct sfab_ask ask;
};

static void look(void *context)
{
	struct looker *l = context;

	l->ask.node = l->t->node;
	l->ask.weight = l->t->weight;
}

/* Are single nodes looked at?  If not, the reason must be @reason. */
static int looks(const struct sfab_ask *ask,
		 enum sfab_reason reason)
{
	struct looker l = { &t, *ask };
	const struct sfab_decision *d;

	l.ask.look = look;
	l.ask.context = &l;
	d = sfab_place_ask(t.p, &l.ask);
	ck_assert(l.ask.node || d->reason == reason);
	return l.ask.node != NULL;
}

/* Nodes are not looked at when they are too few, or not ours to choose. */
TEST(too_few_candidates)
{
	struct sfab_ask ask = { .id = 7, .min_nodes = 4, .req_nodes = 4,
				.max_usable = 4 };

	service_start(&t, &service_shape, SERVICE_CONF);
	ck_assert(looks(&ask, SFAB_PLACED));
	ask.comment = "sfabric:off";
	ck_assert(!looks(&ask, SFAB_STOCK_HINT_OFF));
	ask.comment = NULL;
	ask.max_usable = 3;
	ck_assert(!looks(&ask, SFAB_STOCK_FEW_NODES));
	ask.flags = SFAB_ASK_GRES;
	ck_assert(!looks(&ask, SFAB_STOCK_GRES));
}

#define SPARE SERVICE_CONF "Plans=spare\n"

/* Plans are touched for a job that is too large for now, with Plans=spare and in mode on only. */
LOOP_TEST(plans_of_jobs_that_have_to_wait, 9)
{
	static const struct {
		const char *conf;
		uint32_t nodes;
		unsigned flags;
		int plans;
	} cases[] = {
		{ SPARE, SERVICE_NODES + 1, 0, 1 },
		{ SPARE, 1, SFAB_ASK_FUTURE, 1 },
		{ SPARE, 1, 0, 0 },
		{ SPARE, SERVICE_NODES + 1, SFAB_ASK_HET, 0 },
		{ SPARE, SERVICE_NODES + 1, SFAB_ASK_LLN, 0 },
		{ SERVICE_CONF, SERVICE_NODES + 1, 0, 0 },
		{ SERVICE_CONF "Plans=keep\n", SERVICE_NODES + 1, 0, 0 },
		{ "Mode=observe\nPlans=spare\n", SERVICE_NODES + 1, 0, 0 },
		{ "Mode=off\nPlans=spare\n", SERVICE_NODES + 1, 0, 0 },
	};
	const struct sfab_decision *d;

	service_start(&t, &service_shape, cases[_i].conf);
	t.ask.flags |= cases[_i].flags;
	d = service_ask(&t, 7, cases[_i].nodes);
	ck_assert_int_eq(sfab_place_may_spare(t.p, d), cases[_i].plans);
}

/* Shared nodes: one CPU is free, on one node, whatever the candidates are. */
TEST(too_few_free_cpus)
{
	struct sfab_ask ask = { .id = 7, .tasks = 1 };
	uint32_t cpus[SERVICE_NODES], node[SERVICE_NODES];
	struct sfab_place_run run = { .id = 8, .node = node, .cpus = cpus };

	service_start(&t, &service_shape, SERVICE_CONF);
	for (run.n = 0; run.n < t.nnodes; run.n++) {
		node[run.n] = run.n;
		cpus[run.n] = run.n ? 8 : 7;
	}
	sfab_place_begin(t.p, &run);
	ck_assert(looks(&ask, SFAB_PLACED));
	ask.cpus_per_task = 2;
	ck_assert(!looks(&ask, SFAB_STOCK_FEW_NODES));
	ask.flags = SFAB_ASK_OVERCOMMIT;
	ck_assert(looks(&ask, SFAB_PLACED));
	ask.req_nodes = 2;	/* -N0-2: one does */
	ck_assert(looks(&ask, SFAB_PLACED));
	ask.min_nodes = 2;
	ck_assert(!looks(&ask, SFAB_STOCK_FEW_NODES));
	sfab_place_end(t.p, 8, 0);
	ck_assert(looks(&ask, SFAB_PLACED));
}

static const struct {
	const char *conf, *comment, *network, *partition;
	enum sfab_reason reason;
	const char *traffic;
} intents[] = {
	{ "Mode=on\nDefaultTraffic=mpi=0.2\n", NULL, NULL, NULL, SFAB_PLACED, "mpi=0.2" },
	{ SERVICE_CONF, "sfabric:io-write@fs=0.5", NULL, NULL, SFAB_PLACED, "io-write@fs=0.5" },
	{ SERVICE_CONF, "x", "y,sfabric:neighbor=0.1", NULL, SFAB_PLACED, "neighbor=0.1" },
	{ SERVICE_CONF, "sfabric:off", NULL, NULL, SFAB_STOCK_HINT_OFF, NULL },
	{ SERVICE_CONF, NULL, "sfabric:off", NULL, SFAB_STOCK_HINT_OFF, NULL },
	{ "Mode=off\n", NULL, NULL, NULL, SFAB_STOCK_OFF, NULL },
	{ "Mode=observe\n", NULL, NULL, NULL, SFAB_STOCK_OBSERVE, NULL },
	{ SERVICE_CONF "PartitionMode=a:off\n", NULL, NULL, "a", SFAB_STOCK_OFF, NULL },
	{ SERVICE_CONF "PartitionMode=a:off\n", NULL, NULL, "b", SFAB_PLACED, NULL },
	{ "Mode=off\nPartitionMode=a:on\n", NULL, NULL, "a", SFAB_PLACED, NULL },
	/* wrong hints: the default, and the job is placed all the same */
	{ "Mode=on\nDefaultTraffic=mpi=0.2\n", "sfabric:nonsense", NULL, NULL,
	  SFAB_PLACED, "mpi=0.2" },
	{ "Mode=on\nDefaultTraffic=mpi=0.2\n", "sfabric:io-write@nosuch", NULL,
	  NULL, SFAB_PLACED, "mpi=0.2" },
	/* the default names an IO set that this fabric lacks */
	{ "Mode=on\nDefaultTraffic=io-write@gone=0.2\n", NULL, NULL, NULL,
	  SFAB_STOCK_NO_TRAFFIC, NULL },
};

LOOP_TEST(conf_and_hint_decide_reason_and_traffic, N(intents))
{
	const struct sfab_decision *d;
	char text[200];

	service_start(&t, &service_shape, intents[_i].conf);
	t.ask.comment = intents[_i].comment;
	t.ask.network = intents[_i].network;
	t.ask.partition = intents[_i].partition;
	d = service_ask(&t, 7, 4);
	ck_assert_int_eq(d->reason, intents[_i].reason);
	if (intents[_i].traffic)
		ck_assert_str_eq(sfab_traffic_text(&d->traffic, text, sizeof(text)),
				 intents[_i].traffic);
}

TEST(without_snapshot_or_nodes)
{
	struct sfab_place_options o = { .log = service_keep_line };

	t.p = sfab_place_create(&o, NULL);
	unit_cleanup(t.p, sfab_place_destroy);
	ck_assert_int_eq(service_ask(&t, 7, 4)->reason, SFAB_STOCK_NO_SNAPSHOT);
	service_set_nodes(&t, 16);
	ck_assert_int_eq(service_ask(&t, 7, 4)->reason, SFAB_STOCK_NO_SNAPSHOT);
	ck_assert_int_eq(sfab_place_use_snapshot(t.p, service_snapshot(&service_shape),
						 service_parse_conf(SERVICE_CONF), &unit_err), 0);
	ck_assert_int_eq(service_ask(&t, 7, 4)->reason, SFAB_PLACED);
}

TEST(a_snapshot_of_another_fabric)
{
	const struct sfab_place_node other[2] = {
		{ "cn1", 8, 1000, 1, 1 }, { "cn2", 8, 1000, 1, 1 },
	};

	service_start(&t, &service_shape, SERVICE_CONF);
	ck_assert_int_eq(sfab_place_set_nodes(t.p, other, 2, NULL), 0);
	ck_assert_int_eq(service_ask(&t, 7, 1)->reason, SFAB_STOCK_OTHER_FABRIC);
}

/* Over known groups jobs are placed, over unknown ones never. */
static const struct {
	enum sfab_adaptive state;
	const char *conf;
	enum sfab_reason reason;
} adaptive_vectors[] = {
	{ SFAB_ADAPTIVE_GROUPS, SERVICE_CONF, SFAB_PLACED },
	{ SFAB_ADAPTIVE_GROUPS, SERVICE_CONF "Adaptive=split\n", SFAB_PLACED },
	{ SFAB_ADAPTIVE_GROUPS, SERVICE_CONF "Adaptive=observe\n", SFAB_STOCK_OBSERVE },
	{ SFAB_ADAPTIVE_UNKNOWN, SERVICE_CONF, SFAB_STOCK_OBSERVE },
	{ SFAB_ADAPTIVE_UNKNOWN, SERVICE_CONF "Adaptive=split\n", SFAB_STOCK_OBSERVE },
	/* The site knows that its switches do not adapt. */
	{ SFAB_ADAPTIVE_UNKNOWN, SERVICE_CONF "Adaptive=no\n", SFAB_PLACED },
};

LOOP_TEST(adaptive_routes_need_known_groups, N(adaptive_vectors))
{
	const struct clos groups = { .leaves = 4, .spines = 2, .hosts = 4,
				     .grouped = adaptive_vectors[_i].state };

	service_start(&t, &groups, adaptive_vectors[_i].conf);
	ck_assert_int_eq(service_ask(&t, 7, 4)->reason,
			 adaptive_vectors[_i].reason);
}

TEST(a_job_names_its_pattern)
{
	const struct sfab_generation *gen;
	const struct sfab_decision *d;
	double mix[SFAB_NPATTERNS];

	service_start(&t, &service_shape, SERVICE_CONF "MpiMix=alltoall:0.25,ring:0.75\n");
	d = service_ask(&t, 7, 4);
	gen = sfab_place_generation(t.p);
	ck_assert_int_eq(d->reason, SFAB_PLACED);
	sfab_traffic_mix(&d->traffic, gen->model->mix, mix);
	ck_assert_double_eq(mix[SFAB_ALLTOALL], 0.25);
	ck_assert_double_eq(mix[SFAB_ALLREDUCE], 0);
	ck_assert_double_eq(mix[SFAB_RING], 0.75);
	t.ask.comment = "sfabric:allreduce";
	d = service_ask(&t, 8, 4);
	ck_assert_int_eq(d->reason, SFAB_PLACED);
	sfab_traffic_mix(&d->traffic, gen->model->mix, mix);
	ck_assert_double_eq(mix[SFAB_ALLREDUCE], 1);
}

UNIT_MAIN("place kinds")
