/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The service as a whole: questions, answers, begin, comments, new generations. */

#include "tests/unit/fixtures/unit.h"

#include <stdio.h>
#include <string.h>

#include "core/load/jobs.h"
#include "place/log/logline.h"
#include "place/request/decision_cache.h"
#include "place/state/generation.h"
#include "tests/unit/fixtures/placed.h"

static const struct made tree = { .leaves = 4, .spines = 2, .hosts = 4 };

#define ON "Mode=on\nDefaultTraffic=mpi\n"

/* -- who is asked about --------------------------------------------------- */

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

START_TEST(kinds_that_are_slurms)
{
	struct placed t;

	placed_start(&t, &tree, ON);
	t.ask.flags = kinds[_i].flag;
	ck_assert_int_eq(placed_ask(&t, 7, 4)->reason, kinds[_i].reason);
	placed_stop(&t);
}
END_TEST

START_TEST(no_job_no_answer)
{
	struct placed t;

	placed_start(&t, &tree, ON);
	ck_assert_int_eq(placed_ask(&t, 0, 4)->reason, SFAB_STOCK_NO_ID);
	placed_stop(&t);
}
END_TEST

struct looker {
	struct placed *t;
	struct sfab_ask ask;
};

static void look(void *context)
{
	struct looker *l = context;

	l->ask.node = l->t->node;
	l->ask.weight = l->t->weight;
}

/* Are single nodes looked at?  If not, it is for @reason. */
static int looks(struct placed *t, const struct sfab_ask *ask,
		 enum sfab_reason reason)
{
	struct looker l = { t, *ask };
	const struct sfab_decision *d;

	l.ask.look = look;
	l.ask.context = &l;
	d = sfab_place_ask(t->p, &l.ask);
	ck_assert(l.ask.node || d->reason == reason);
	return l.ask.node != NULL;
}

/* Nodes are not looked at when they are too few, or not ours to choose. */
START_TEST(too_few_candidates)
{
	struct sfab_ask ask = { .id = 7, .req_nodes = 4, .candidates = 4 };
	struct placed t;

	placed_start(&t, &tree, ON);
	ck_assert(looks(&t, &ask, SFAB_PLACED));
	ask.comment = "sfabric:off";
	ck_assert(!looks(&t, &ask, SFAB_STOCK_HINT_OFF));
	ask.comment = NULL;
	ask.candidates = 3;
	ck_assert(!looks(&t, &ask, SFAB_STOCK_FEW_NODES));
	ask.flags = SFAB_ASK_GRES;
	ck_assert(!looks(&t, &ask, SFAB_STOCK_GRES));
	placed_stop(&t);
}
END_TEST

/* Plans are touched for a job that is too large for now, in mode on only. */
START_TEST(plans_of_jobs_that_have_to_wait)
{
	static const struct {
		const char *conf;
		uint32_t nodes;
		unsigned flags;
		int plans;
	} cases[] = {
		{ ON, PLACED_NODES + 1, 0, 1 },
		{ ON, 1, SFAB_ASK_FUTURE, 1 },
		{ ON, 1, 0, 0 },
		{ ON, PLACED_NODES + 1, SFAB_ASK_HET, 0 },
		{ ON, PLACED_NODES + 1, SFAB_ASK_LLN, 0 },
		{ "Mode=observe\n", PLACED_NODES + 1, 0, 0 },
		{ "Mode=off\n", PLACED_NODES + 1, 0, 0 },
	};
	const struct sfab_decision *d;
	struct placed t;

	placed_start(&t, &tree, cases[_i].conf);
	t.ask.flags |= cases[_i].flags;
	d = placed_ask(&t, 7, cases[_i].nodes);
	ck_assert_int_eq(sfab_place_plans(t.p, d), cases[_i].plans);
	placed_stop(&t);
}
END_TEST

/* Shared nodes: one CPU is free, on one node, whatever the candidates are. */
START_TEST(too_few_free_cpus)
{
	struct sfab_ask ask = { .id = 7, .tasks = 1 };
	uint32_t cpus[PLACED_NODES], node[PLACED_NODES];
	struct sfab_place_run run = { .id = 8, .node = node, .cpus = cpus };
	struct placed t;

	placed_start(&t, &tree, ON);
	for (run.n = 0; run.n < t.nnodes; run.n++) {
		node[run.n] = run.n;
		cpus[run.n] = run.n ? 8 : 7;
	}
	sfab_place_begin(t.p, &run);
	ck_assert(looks(&t, &ask, SFAB_PLACED));
	ask.cpus_per_task = 2;
	ck_assert(!looks(&t, &ask, SFAB_STOCK_FEW_NODES));
	ask.flags = SFAB_ASK_OVERCOMMIT;
	ck_assert(looks(&t, &ask, SFAB_PLACED));
	ask.req_nodes = 2;
	ck_assert(!looks(&t, &ask, SFAB_STOCK_FEW_NODES));
	sfab_place_end(t.p, 8, 0);
	ck_assert(looks(&t, &ask, SFAB_PLACED));
	placed_stop(&t);
}
END_TEST

static const struct {
	const char *conf, *comment, *network, *partition;
	enum sfab_reason reason;
	const char *traffic;
} wishes[] = {
	{ "Mode=on\nDefaultTraffic=mpi=0.2\n", NULL, NULL, NULL, SFAB_PLACED, "mpi=0.2" },
	{ ON, "sfabric:io-write@fs=0.5", NULL, NULL, SFAB_PLACED, "io-write@fs=0.5" },
	{ ON, "x", "y,sfabric:neighbor=0.1", NULL, SFAB_PLACED, "neighbor=0.1" },
	{ ON, "sfabric:off", NULL, NULL, SFAB_STOCK_HINT_OFF, NULL },
	{ ON, NULL, "sfabric:off", NULL, SFAB_STOCK_HINT_OFF, NULL },
	{ "Mode=off\n", NULL, NULL, NULL, SFAB_STOCK_OFF, NULL },
	{ "Mode=observe\n", NULL, NULL, NULL, SFAB_STOCK_OBSERVE, NULL },
	{ ON "PartitionMode=a:off\n", NULL, NULL, "a", SFAB_STOCK_OFF, NULL },
	{ ON "PartitionMode=a:off\n", NULL, NULL, "b", SFAB_PLACED, NULL },
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

START_TEST(wishes_of_site_and_user)
{
	const struct sfab_decision *d;
	struct placed t;
	char text[200];

	placed_start(&t, &tree, wishes[_i].conf);
	t.ask.comment = wishes[_i].comment;
	t.ask.network = wishes[_i].network;
	t.ask.partition = wishes[_i].partition;
	d = placed_ask(&t, 7, 4);
	ck_assert_int_eq(d->reason, wishes[_i].reason);
	if (wishes[_i].traffic)
		ck_assert_str_eq(sfab_traffic_text(&d->traffic, text, sizeof(text)),
				 wishes[_i].traffic);
	placed_stop(&t);
}
END_TEST

START_TEST(without_snapshot_or_nodes)
{
	struct sfab_place_options o = { .log = placed_log };
	struct placed t = { .p = sfab_place_create(&o, NULL) };
	struct sfab_err err;

	ck_assert_int_eq(placed_ask(&t, 7, 4)->reason, SFAB_STOCK_NO_SNAPSHOT);
	placed_nodes(&t, 16);
	ck_assert_int_eq(placed_ask(&t, 7, 4)->reason, SFAB_STOCK_NO_SNAPSHOT);
	ck_assert_int_eq(sfab_place_take(t.p, placed_snapshot(&tree),
					 placed_conf(ON), &err), 0);
	ck_assert_int_eq(placed_ask(&t, 7, 4)->reason, SFAB_PLACED);
	placed_stop(&t);
}
END_TEST

START_TEST(a_snapshot_of_another_fabric)
{
	const struct sfab_place_node other[2] = {
		{ "cn1", 8, 1000 }, { "cn2", 8, 1000 },
	};
	struct placed t;

	placed_start(&t, &tree, ON);
	ck_assert_int_eq(sfab_place_set_nodes(t.p, other, 2, NULL), 0);
	ck_assert_int_eq(placed_ask(&t, 7, 1)->reason, SFAB_STOCK_OTHER_FABRIC);
	placed_stop(&t);
}
END_TEST

/* -- answers -------------------------------------------------------------- */

START_TEST(the_same_question_gets_the_same_answer)
{
	struct sfab_place_counts c;
	const struct sfab_decision *d;
	const char *first;
	struct placed t;

	placed_start(&t, &tree, ON);
	first = placed_text(placed_ask(&t, 7, 3), t.nnodes);
	for (int i = 0; i < 5; i++) {
		d = placed_ask(&t, 7, 3);
		ck_assert_int_eq(d->reason, SFAB_PLACED);
		ck_assert_uint_eq(d->n, 3);
		ck_assert_str_eq(placed_text(d, t.nnodes), first);
	}
	sfab_place_counts(t.p, &c);
	ck_assert_uint_eq(c.asked, 6);
	ck_assert_uint_eq(c.searched, 1);
	ck_assert_uint_eq(c.cached, 5);
	placed_stop(&t);
}
END_TEST

/* Also of an answer that was remembered; where there was no search there is no time. */
START_TEST(the_time_of_the_search_is_in_the_log)
{
	const struct sfab_decision *d;
	struct sfab_logline l = { .event = "start", .id = 7 };
	char line[8192], expected[40];
	uint32_t took;
	struct placed t;

	placed_start(&t, &tree, ON);
	took = placed_ask(&t, 7, 3)->took_us;
	ck_assert_uint_ge(took, 1);
	ck_assert_uint_lt(took, 60000000);
	d = placed_ask(&t, 7, 3);
	ck_assert_uint_eq(d->took_us, took);
	snprintf(expected, sizeof(expected), ",\"took_us\":%u,", (unsigned) took);
	l.decision = d;
	sfab_logline_json(&l, line, sizeof(line));
	ck_assert_msg(strstr(line, expected) != NULL, "%s", line);
	d = placed_ask(&t, 7, t.nnodes + 1);
	ck_assert_int_ne(d->reason, SFAB_PLACED);
	ck_assert_uint_eq(d->took_us, 0);
	l.decision = d;
	ck_assert_ptr_null(strstr(sfab_logline_json(&l, line, sizeof(line)), "took_us"));
	placed_stop(&t);
}
END_TEST

START_TEST(an_event_or_other_nodes_make_it_a_new_question)
{
	struct sfab_place_counts c;
	struct placed t;

	placed_start(&t, &tree, ON);
	placed_ask(&t, 7, 3);
	t.node[15] = 0;
	placed_ask(&t, 7, 3);
	placed_begin_on(&t, 8, &(uint32_t){ 15 }, 1, 0);
	placed_ask(&t, 7, 3);
	sfab_place_end(t.p, 8, 0);
	placed_ask(&t, 7, 3);
	sfab_place_end(t.p, 8, 0);		/* twice: nothing happened */
	placed_ask(&t, 7, 3);
	sfab_place_counts(t.p, &c);
	ck_assert_uint_eq(c.searched, 4);
	ck_assert_uint_eq(c.cached, 1);
	placed_stop(&t);
}
END_TEST

/* More jobs are asked about than the table holds; it never grows. */
START_TEST(many_jobs_are_asked_about)
{
	const struct sfab_decision *d;
	struct placed t;

	placed_start(&t, &tree, ON);
	for (uint32_t id = 1; id < 3 * SFAB_DECISION_CACHE_SIZE; id++) {
		d = placed_ask(&t, id, 2);
		ck_assert_uint_eq(d->id, id);
		ck_assert_uint_eq(d->n, 2);
	}
	placed_stop(&t);
}
END_TEST

START_TEST(required_and_excluded_nodes)
{
	const struct sfab_decision *d;
	struct placed t;

	placed_start(&t, &tree, ON);
	t.node[5] |= SFAB_NODE_REQUIRED;
	t.node[4] = t.node[6] = t.node[7] = 0;
	d = placed_ask(&t, 7, 4);
	ck_assert_int_eq(d->reason, SFAB_PLACED);
	ck_assert(sfab_decision_has(d, 5));
	ck_assert(!sfab_decision_has(d, 4));
	ck_assert(!sfab_decision_has(d, 6));
	placed_stop(&t);
}
END_TEST

/* Slurm refuses: one larger set for a job that said only tasks, then stock. */
START_TEST(refused_once_then_left_alone)
{
	const struct sfab_decision *d;
	struct placed t;

	placed_start(&t, &tree, ON);
	placed_ask(&t, 7, 4);
	ck_assert_ptr_null(sfab_place_more(t.p, &t.ask));
	ck_assert_int_eq(placed_ask(&t, 7, 4)->reason, SFAB_STOCK_REFUSED);

	t.ask = (struct sfab_ask){ .id = 8, .min_nodes = 1, .req_nodes = 1,
				   .tasks = 32, .node = t.node };
	d = sfab_place_ask(t.p, &t.ask);
	ck_assert_int_eq(d->reason, SFAB_PLACED);
	ck_assert_uint_eq(d->n, 4);
	d = sfab_place_more(t.p, &t.ask);
	ck_assert_ptr_nonnull(d);
	ck_assert_uint_eq(d->n, 5);
	ck_assert_ptr_null(sfab_place_more(t.p, &t.ask));
	placed_stop(&t);
}
END_TEST

START_TEST(observe_finds_but_does_not_place)
{
	const struct sfab_decision *d;
	char buf[SFAB_COMMENT_MORE];
	struct placed t;

	placed_start(&t, &tree, "Mode=observe\nDefaultTraffic=mpi\n");
	d = placed_ask(&t, 7, 4);
	ck_assert_int_eq(d->reason, SFAB_STOCK_OBSERVE);
	ck_assert_uint_eq(d->n, 4);
	placed_begin(&t, d, 7);
	ck_assert_int_eq(placed_logged("JobId=7: the mode is observe"), 1);
	ck_assert_int_eq(sfab_place_comment(t.p, NULL, buf, sizeof(buf)), 0);
	placed_stop(&t);
}
END_TEST

/* Over known groups jobs are placed, over unknown ones never. */
static const struct {
	enum sfab_adaptive state;
	const char *conf;
	enum sfab_reason reason;
} adaptive_vectors[] = {
	{ SFAB_ADAPTIVE_GROUPS, ON, SFAB_PLACED },
	{ SFAB_ADAPTIVE_GROUPS, ON "Adaptive=split\n", SFAB_PLACED },
	{ SFAB_ADAPTIVE_GROUPS, ON "Adaptive=observe\n", SFAB_STOCK_OBSERVE },
	{ SFAB_ADAPTIVE_UNKNOWN, ON, SFAB_STOCK_OBSERVE },
	{ SFAB_ADAPTIVE_UNKNOWN, ON "Adaptive=split\n", SFAB_STOCK_OBSERVE },
};

START_TEST(adaptive_routes_need_known_groups)
{
	const struct made groups = { .leaves = 4, .spines = 2, .hosts = 4,
				     .grouped = adaptive_vectors[_i].state };
	struct placed t;

	placed_start(&t, &groups, adaptive_vectors[_i].conf);
	ck_assert_int_eq(placed_ask(&t, 7, 4)->reason,
			 adaptive_vectors[_i].reason);
	placed_stop(&t);
}
END_TEST

START_TEST(where_there_is_no_choice_the_nodes_are_named)
{
	const struct sfab_decision *d;
	struct placed t;

	placed_start(&t, &tree, ON);
	for (int i = 0; i < 12; i++)
		t.node[i] = 0;
	d = placed_ask(&t, 7, 4);
	ck_assert_int_eq(d->reason, SFAB_STOCK_NO_CHOICE);
	ck_assert_str_eq(placed_text(d, t.nnodes), "12 13 14 15");
	placed_stop(&t);
}
END_TEST

/* Slurm refuses them, so the preview must not name them as the job's. */
START_TEST(the_only_nodes_need_not_be_contiguous)
{
	struct placed t;

	placed_start(&t, &tree, ON);
	t.ask.flags |= SFAB_ASK_CONTIGUOUS;
	for (int i = 0; i < 12; i++)
		t.node[i] = 0;
	ck_assert_int_eq(placed_ask(&t, 7, 4)->reason, SFAB_STOCK_NO_CHOICE);
	t.node[3] = t.node[12];
	t.node[12] = 0;
	ck_assert_int_eq(placed_ask(&t, 8, 4)->reason, SFAB_STOCK_CONTIGUOUS);
	placed_stop(&t);
}
END_TEST

/* -- begin and the comment ------------------------------------------------ */

START_TEST(the_decision_is_committed_at_begin)
{
	const struct sfab_decision *d;
	char buf[SFAB_COMMENT_MORE];
	struct placed t;

	placed_start(&t, &tree, ON);
	d = placed_ask(&t, 7, 4);
	ck_assert_int_eq(placed_logged("JobId=7"), 0);
	placed_begin(&t, d, 7);
	ck_assert_int_eq(placed_logged("JobId=7: placed by its routes, 4 nodes"), 1);
	ck_assert_int_eq(sfab_place_comment(t.p, NULL, buf, sizeof(buf)), 1);
	ck_assert_ptr_eq(strstr(buf, "sfabric:placed traffic=mpi="), buf);
	ck_assert_ptr_nonnull(strstr(buf, " score="));
	ck_assert_ptr_nonnull(strstr(buf, " harm="));
	placed_stop(&t);
}
END_TEST

START_TEST(a_job_on_other_nodes_was_not_placed)
{
	char buf[SFAB_COMMENT_MORE];
	struct placed t;

	placed_start(&t, &tree, ON);
	t.node[15] = 0;
	placed_ask(&t, 7, 1);
	placed_begin_on(&t, 7, &(uint32_t){ 15 }, 1, 0);
	ck_assert_int_eq(sfab_place_comment(t.p, NULL, buf, sizeof(buf)), 1);
	ck_assert_ptr_eq(strstr(buf, "sfabric:stock refused"), buf);
	/* nor one that nobody asked about */
	placed_begin_on(&t, 8, &(uint32_t){ 14 }, 1, 0);
	ck_assert_int_eq(sfab_place_comment(t.p, NULL, buf, sizeof(buf)), 0);
	placed_stop(&t);
}
END_TEST

static const struct {
	const char *old, *expect;	/* expect: around our part */
} comments[] = {
	{ NULL, "@" },
	{ "", "@" },
	{ "of the admin", "of the admin; @" },
	{ "sfabric:placed score=1", "@" },
	{ "a; sfabric:placed score=1", "a; @" },
	{ "a; sfabric:placed score=1; b", "a; b; @" },
	{ "sfabric:stock off; b", "b; @" },
	{ "see sfabric:placed", "see sfabric:placed; @" },
	{ "a;b;sfabric:x", "a;b; @" },
};

START_TEST(the_admins_text_stays)
{
	char buf[SFAB_COMMENT_MORE], *at;
	struct placed t;

	placed_start(&t, &tree, ON);
	placed_begin(&t, placed_ask(&t, 7, 4), 7);
	ck_assert_int_eq(sfab_place_comment(t.p, comments[_i].old, buf,
					    sizeof(buf)), 1);
	at = strstr(buf, "sfabric:placed traffic=");
	ck_assert_ptr_nonnull(at);
	ck_assert_ptr_null(strchr(at, ';'));
	strcpy(at, "@");
	ck_assert_str_eq(buf, comments[_i].expect);
	placed_stop(&t);
}
END_TEST

START_TEST(an_old_part_goes_when_we_have_nothing_to_say)
{
	char buf[SFAB_COMMENT_MORE];
	struct placed t;

	placed_start(&t, &tree, ON "AdminComment=no\n");
	placed_begin(&t, placed_ask(&t, 7, 4), 7);
	ck_assert_int_eq(sfab_place_comment(t.p, "mine", buf, sizeof(buf)), 0);
	ck_assert_int_eq(sfab_place_comment(t.p, "mine; sfabric:placed x", buf,
					    sizeof(buf)), 1);
	ck_assert_str_eq(buf, "mine");
	placed_stop(&t);
}
END_TEST

START_TEST(a_job_names_its_pattern)
{
	const struct sfab_generation *gen;
	const struct sfab_decision *d;
	struct placed t;
	double mix[SFAB_NPATTERNS];

	placed_start(&t, &tree, ON "MpiMix=alltoall:0.25,ring:0.75\n");
	d = placed_ask(&t, 7, 4);
	gen = sfab_place_generation(t.p);
	ck_assert_int_eq(d->reason, SFAB_PLACED);
	sfab_traffic_mix(&d->traffic, gen->model->mix, mix);
	ck_assert_double_eq(mix[SFAB_ALLTOALL], 0.25);
	ck_assert_double_eq(mix[SFAB_HALVING], 0);
	ck_assert_double_eq(mix[SFAB_RING], 0.75);
	t.ask.comment = "sfabric:allreduce";
	d = placed_ask(&t, 8, 4);
	ck_assert_int_eq(d->reason, SFAB_PLACED);
	sfab_traffic_mix(&d->traffic, gen->model->mix, mix);
	ck_assert_double_eq(mix[SFAB_HALVING], 1);
	placed_stop(&t);
}
END_TEST

START_TEST(a_wrong_hint_is_told)
{
	char buf[SFAB_COMMENT_MORE];
	struct placed t;

	placed_start(&t, &tree, ON);
	t.ask.comment = "sfabric:io-write@nosuch;x";
	placed_begin(&t, placed_ask(&t, 7, 4), 7);
	ck_assert_int_eq(sfab_place_comment(t.p, NULL, buf, sizeof(buf)), 1);
	ck_assert_ptr_nonnull(strstr(buf, "sfabric:placed"));
	ck_assert_ptr_nonnull(strstr(buf, "hint is wrong: "));
	ck_assert_ptr_nonnull(strstr(buf, "nosuch"));
	placed_stop(&t);
}
END_TEST

START_TEST(debug_logs_each_answer)
{
	struct placed t;

	placed_start(&t, &tree, ON "Debug=yes\n");
	placed_ask(&t, 7, 4);
	placed_ask(&t, 7, 40);
	ck_assert_int_eq(placed_logged("\"event\":\"ask\",\"job\":7,"), 2);
	ck_assert_int_eq(placed_logged("\"reason\":\"few-nodes\""), 1);
	placed_stop(&t);
}
END_TEST

/* Each reason has a word of its own and a sentence. */
START_TEST(reasons_have_words)
{
	for (int a = 0; a < SFAB_NREASONS; a++) {
		ck_assert_ptr_nonnull(sfab_reason_text((enum sfab_reason) a));
		for (int b = 0; b < a; b++)
			ck_assert_str_ne(sfab_reason_word((enum sfab_reason) a),
					 sfab_reason_word((enum sfab_reason) b));
	}
}
END_TEST

/* -- running jobs and generations ---------------------------------------------- */

/* Bytes/s that running jobs ask of the fabric. */
static double background(struct placed *t)
{
	const double *b = sfab_jobs_background(sfab_place_jobs(t->p));
	double sum = 0;

	for (uint32_t i = 0; i < sfab_place_generation(t->p)->model->nres; i++)
		sum += b[i];
	return sum;
}

START_TEST(running_jobs_load_the_fabric)
{
	const uint32_t nodes[] = { 0, 4, 8 };
	struct placed t;
	double one;

	placed_start(&t, &tree, ON);
	ck_assert_double_eq(background(&t), 0);
	placed_begin_on(&t, 7, nodes, 3, 0);
	one = background(&t);
	ck_assert_double_gt(one, 0);
	placed_begin_on(&t, 7, nodes, 3, 0);	/* twice */
	ck_assert_double_eq_tol(background(&t), one, 1e-3);
	sfab_place_suspend(t.p, 7, SFAB_RUN_FREES_CPUS);
	ck_assert_double_eq_tol(background(&t), 0, 1e-3);
	sfab_place_resume(t.p, 7);
	ck_assert_double_eq_tol(background(&t), one, 1e-3);
	sfab_place_shrink(t.p, 7, 8);
	ck_assert_double_lt(background(&t), one);
	sfab_place_end(t.p, 7, 0);
	sfab_place_end(t.p, 7, 0);
	ck_assert_double_eq_tol(background(&t), 0, 1e-3);
	ck_assert_uint_eq(sfab_place_running(t.p), 0);
	placed_stop(&t);
}
END_TEST

START_TEST(running_jobs_move_to_the_next_generation)
{
	const struct made bigger = { .leaves = 4, .spines = 3, .hosts = 4 };
	const uint32_t nodes[] = { 0, 4, 8 };
	struct placed t;
	double one, other;

	placed_start(&t, &tree, ON);
	placed_begin_on(&t, 7, nodes, 3, 0);
	placed_begin_on(&t, 8, (uint32_t[]){ 1, 5 }, 2, SFAB_RUN_SUSPENDED);
	one = background(&t);
	ck_assert_int_eq(sfab_place_take(t.p, placed_snapshot(&bigger),
					 placed_conf(ON), NULL), 0);
	ck_assert_uint_eq(sfab_place_running(t.p), 2);
	other = background(&t);
	ck_assert_double_eq_tol(other, one, 1e-3);	/* as many links a flow */
	ck_assert_int_eq(placed_ask(&t, 9, 4)->reason, SFAB_PLACED);
	sfab_place_end(t.p, 7, 0);
	ck_assert_double_eq_tol(background(&t), 0, 1e-3);
	sfab_place_resume(t.p, 8);
	ck_assert_double_gt(background(&t), 0);
	placed_stop(&t);
}
END_TEST

START_TEST(a_new_node_table_forgets_jobs)
{
	struct placed t;

	placed_start(&t, &tree, ON);
	placed_begin_on(&t, 7, (uint32_t[]){ 0, 4 }, 2, 0);
	placed_nodes(&t, 12);
	ck_assert_uint_eq(sfab_place_running(t.p), 0);
	ck_assert_double_eq_tol(background(&t), 0, 1e-3);
	placed_begin_on(&t, 7, (uint32_t[]){ 0, 4, 14 }, 3, SFAB_RUN_KNOWN);
	ck_assert_uint_eq(sfab_place_running(t.p), 1);
	ck_assert_int_eq(placed_ask(&t, 9, 4)->reason, SFAB_PLACED);
	placed_stop(&t);
}
END_TEST

static void list(TCase *tc)
{
	tcase_add_loop_test(tc, kinds_that_are_slurms, 0,
			    sizeof(kinds) / sizeof(kinds[0]));
	tcase_add_test(tc, no_job_no_answer);
	tcase_add_test(tc, too_few_candidates);
	tcase_add_test(tc, too_few_free_cpus);
	tcase_add_loop_test(tc, plans_of_jobs_that_have_to_wait, 0, 7);
	tcase_add_loop_test(tc, wishes_of_site_and_user, 0,
			    sizeof(wishes) / sizeof(wishes[0]));
	tcase_add_test(tc, without_snapshot_or_nodes);
	tcase_add_test(tc, a_snapshot_of_another_fabric);
	tcase_add_test(tc, the_same_question_gets_the_same_answer);
	tcase_add_test(tc, the_time_of_the_search_is_in_the_log);
	tcase_add_test(tc, an_event_or_other_nodes_make_it_a_new_question);
	tcase_add_test(tc, many_jobs_are_asked_about);
	tcase_add_test(tc, required_and_excluded_nodes);
	tcase_add_test(tc, refused_once_then_left_alone);
	tcase_add_test(tc, observe_finds_but_does_not_place);
	tcase_add_loop_test(tc, adaptive_routes_need_known_groups, 0,
			    sizeof(adaptive_vectors) /
			    sizeof(adaptive_vectors[0]));
	tcase_add_test(tc, where_there_is_no_choice_the_nodes_are_named);
	tcase_add_test(tc, the_only_nodes_need_not_be_contiguous);
	tcase_add_test(tc, the_decision_is_committed_at_begin);
	tcase_add_test(tc, a_job_on_other_nodes_was_not_placed);
	tcase_add_loop_test(tc, the_admins_text_stays, 0,
			    sizeof(comments) / sizeof(comments[0]));
	tcase_add_test(tc, an_old_part_goes_when_we_have_nothing_to_say);
	tcase_add_test(tc, a_job_names_its_pattern);
	tcase_add_test(tc, a_wrong_hint_is_told);
	tcase_add_test(tc, debug_logs_each_answer);
	tcase_add_test(tc, reasons_have_words);
	tcase_add_test(tc, running_jobs_load_the_fabric);
	tcase_add_test(tc, running_jobs_move_to_the_next_generation);
	tcase_add_test(tc, a_new_node_table_forgets_jobs);
}

UNIT_MAIN("place", list)
