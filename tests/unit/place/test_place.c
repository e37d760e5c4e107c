/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_place.c - the service as a whole: questions and their answers */

#include "tests/unit/fixtures/unit.h"

#include "place/log/logline.h"
#include "place/request/decision_cache.h"
#include "tests/unit/fixtures/service.h"

/* Of service_shape and SERVICE_CONF; some tests start another. */
static struct service t;

static void set_up(void)
{
	service_start(&t, &service_shape, SERVICE_CONF);
}

TEST(the_same_question_gets_the_same_answer)
{
	const struct sfab_decision *d;
	const char *first;

	first = service_nodes_text(service_ask(&t, 7, 3), t.nnodes);
	for (int i = 0; i < 5; i++) {
		d = service_ask(&t, 7, 3);
		ck_assert_int_eq(d->reason, SFAB_PLACED);
		ck_assert_uint_eq(d->n, 3);
		ck_assert_str_eq(service_nodes_text(d, t.nnodes), first);
	}
	ck_assert_uint_eq(sfab_place_counts(t.p)->asked, 6);
	ck_assert_uint_eq(sfab_place_counts(t.p)->searched, 1);
	ck_assert_uint_eq(sfab_place_counts(t.p)->cached, 5);
}

/* Also of an answer that was remembered; where there was no search there is no time. */
TEST(the_time_of_the_search_is_in_the_log)
{
	const struct sfab_decision *d;
	struct sfab_logline l = { .event = "start", .id = 7 };
	char line[8192], expected[40];
	uint32_t took;

	took = service_ask(&t, 7, 3)->took_us;
	ck_assert_uint_ge(took, 1);
	ck_assert_uint_lt(took, 60000000);
	d = service_ask(&t, 7, 3);
	ck_assert_uint_eq(d->took_us, took);
	snprintf(expected, sizeof(expected), ",\"took_us\":%u,", (unsigned) took);
	l.decision = d;
	sfab_logline_json(&l, line, sizeof(line));
	ck_assert_msg(strstr(line, expected) != NULL, "%s", line);
	d = service_ask(&t, 7, t.nnodes + 1);
	ck_assert_int_ne(d->reason, SFAB_PLACED);
	ck_assert_uint_eq(d->took_us, 0);
	l.decision = d;
	ck_assert_ptr_null(strstr(sfab_logline_json(&l, line, sizeof(line)), "took_us"));
}

TEST(an_event_or_other_nodes_make_it_a_new_question)
{
	service_ask(&t, 7, 3);
	t.node[15] = 0;
	service_ask(&t, 7, 3);
	service_begin_on(&t, 8, &(uint32_t){ 15 }, 1, 0);
	service_ask(&t, 7, 3);
	sfab_place_end(t.p, 8, 0);
	service_ask(&t, 7, 3);
	sfab_place_end(t.p, 8, 0);		/* twice: nothing happened */
	service_ask(&t, 7, 3);
	ck_assert_uint_eq(sfab_place_counts(t.p)->searched, 4);
	ck_assert_uint_eq(sfab_place_counts(t.p)->cached, 1);
}

/* All traffic between leaves meets on one link. */
static const struct clos narrow = { .leaves = 4, .spines = 2, .hosts = 8, .same_spine = 1 };

TEST(a_range_gets_the_count_that_loses_least)
{
	const struct sfab_decision *d;

	service_start(&t, &narrow, "Mode=on\nDefaultTraffic=mpi=1\n");
	ck_assert_uint_eq(service_ask(&t, 7, 10)->n, 10);
	t.ask.min_nodes = 4;
	for (int i = 0; i < 2; i++) {		/* backfill asks twice */
		d = sfab_place_ask(t.p, &t.ask);
		ck_assert_int_eq(d->reason, SFAB_PLACED);
		ck_assert_uint_eq(d->n, 9);
		ck_assert_uint_eq(d->max_n, 10);
		ck_assert_double_gt(d->lost_at_max, d->score.total);
	}
	ck_assert_uint_eq(sfab_place_counts(t.p)->cached, 1);
	t.ask.tasks = 73;			/* which nine nodes cannot hold */
	ck_assert_uint_eq(sfab_place_ask(t.p, &t.ask)->n, 10);
	t.ask.tasks = 0;
	t.ask.switches = 3;			/* Slurm judges these nodes by itself */
	ck_assert_uint_eq(sfab_place_ask(t.p, &t.ask)->n, 10);
}

/* Slurm would take all that are free. */
TEST(a_range_beyond_what_is_free)
{
	const struct sfab_decision *d;

	service_start(&t, &narrow, "Mode=on\nDefaultTraffic=mpi=1\n");
	memset(t.node + 10, 0, SERVICE_NODES - 10);
	service_ask(&t, 7, 12);
	t.ask.min_nodes = 4;
	d = sfab_place_ask(t.p, &t.ask);
	ck_assert_int_eq(d->reason, SFAB_PLACED);
	ck_assert_uint_eq(d->n, 9);
	ck_assert_uint_eq(d->max_n, 10);
	t.node[8] = t.node[9] = 0;		/* one leaf */
	d = sfab_place_ask(t.p, &t.ask);
	ck_assert_int_eq(d->reason, SFAB_STOCK_NO_CHOICE);
	ck_assert_uint_eq(d->n, 8);
	t.ask.min_nodes = 9;
	ck_assert_int_eq(sfab_place_ask(t.p, &t.ask)->reason, SFAB_STOCK_FEW_NODES);
}

/* Of a job that is asked about again and again, while others come and go. */
TEST(an_answer_that_is_given_again_is_kept)
{
	const uint32_t sets = SFAB_DECISION_CACHE_SIZE / SFAB_DECISION_CACHE_WAYS;

	service_ask(&t, 7, 3);
	for (uint32_t i = 1; i < 2 * SFAB_DECISION_CACHE_WAYS; i++) {
		service_ask(&t, 7 + i * sets, 2);
		service_ask(&t, 7, 3);
	}
	ck_assert_uint_eq(sfab_place_counts(t.p)->cached, 2 * SFAB_DECISION_CACHE_WAYS - 1);
}

/* More jobs are asked about than the table holds; it never grows. */
TEST(many_jobs_are_asked_about)
{
	const struct sfab_decision *d;

	for (uint32_t id = 1; id < 3 * SFAB_DECISION_CACHE_SIZE; id++) {
		d = service_ask(&t, id, 2);
		ck_assert_uint_eq(d->id, id);
		ck_assert_uint_eq(d->n, 2);
	}
}

TEST(required_and_excluded_nodes)
{
	const struct sfab_decision *d;

	t.node[5] |= SFAB_NODE_REQUIRED;
	t.node[4] = t.node[6] = t.node[7] = 0;
	d = service_ask(&t, 7, 4);
	ck_assert_int_eq(d->reason, SFAB_PLACED);
	ck_assert(sfab_decision_has(d, 5));
	ck_assert(!sfab_decision_has(d, 4));
	ck_assert(!sfab_decision_has(d, 6));
}

/* Slurm refuses: one larger set for a job that said only tasks, then stock. */
TEST(refused_once_then_left_alone)
{
	const struct sfab_decision *d;

	service_ask(&t, 7, 4);
	ck_assert_ptr_null(sfab_place_ask_more(t.p, &t.ask));
	ck_assert_int_eq(service_ask(&t, 7, 4)->reason, SFAB_STOCK_REFUSED);

	t.ask = (struct sfab_ask){ .id = 8, .min_nodes = 1, .req_nodes = 1,
				   .tasks = 32, .node = t.node };
	d = sfab_place_ask(t.p, &t.ask);
	ck_assert_int_eq(d->reason, SFAB_PLACED);
	ck_assert_uint_eq(d->n, 4);
	d = sfab_place_ask_more(t.p, &t.ask);
	ck_assert_ptr_nonnull(d);
	ck_assert_uint_eq(d->n, 5);
	ck_assert_ptr_null(sfab_place_ask_more(t.p, &t.ask));
}

TEST(observe_finds_but_does_not_place)
{
	const struct sfab_decision *d;
	char buf[SFAB_COMMENT_MORE];

	service_start(&t, &service_shape, "Mode=observe\nDefaultTraffic=mpi\n");
	d = service_ask(&t, 7, 4);
	ck_assert_int_eq(d->reason, SFAB_STOCK_OBSERVE);
	ck_assert_uint_eq(d->n, 4);
	service_begin(&t, d, 7);
	ck_assert_int_eq(service_log_count("JobId=7: the mode is observe"), 1);
	ck_assert_int_eq(sfab_place_comment(t.p, NULL, buf, sizeof(buf)), 0);
}

TEST(where_there_is_no_choice_the_nodes_are_named)
{
	const struct sfab_decision *d;

	for (int i = 0; i < 12; i++)
		t.node[i] = 0;
	d = service_ask(&t, 7, 4);
	ck_assert_int_eq(d->reason, SFAB_STOCK_NO_CHOICE);
	ck_assert_str_eq(service_nodes_text(d, t.nnodes), "12 13 14 15");
}

/* Slurm refuses them, so the preview must not name them as the job's. */
TEST(the_only_nodes_need_not_be_contiguous)
{
	t.ask.flags |= SFAB_ASK_CONTIGUOUS;
	for (int i = 0; i < 12; i++)
		t.node[i] = 0;
	ck_assert_int_eq(service_ask(&t, 7, 4)->reason, SFAB_STOCK_NO_CHOICE);
	t.node[3] = t.node[12];
	t.node[12] = 0;
	ck_assert_int_eq(service_ask(&t, 8, 4)->reason, SFAB_STOCK_CONTIGUOUS);
}

TEST(debug_logs_each_answer)
{
	service_start(&t, &service_shape, SERVICE_CONF "Debug=yes\n");
	service_ask(&t, 7, 4);
	service_ask(&t, 7, 40);
	ck_assert_int_eq(service_log_count("\"event\":\"ask\",\"job\":7,"), 2);
	ck_assert_int_eq(service_log_count("\"reason\":\"few-nodes\""), 1);
}

/* Each reason has a word of its own, by which it is found, and a sentence. */
TEST(reasons_have_words)
{
	for (int a = 0; a < SFAB_NREASONS; a++) {
		const char *word = sfab_reason_word((enum sfab_reason) a);

		ck_assert_ptr_nonnull(sfab_reason_text((enum sfab_reason) a));
		ck_assert_int_eq(sfab_reason_find(word, strlen(word)), a);
		ck_assert_int_eq(sfab_reason_find(word, strlen(word) - 1), -1);
		for (int b = 0; b < a; b++)
			ck_assert_str_ne(sfab_reason_word((enum sfab_reason) a),
					 sfab_reason_word((enum sfab_reason) b));
	}
	ck_assert_int_eq(sfab_reason_find("placed, 3", 6), SFAB_PLACED);
	ck_assert_int_eq(sfab_reason_find("too-new", 7), -1);
	ck_assert_int_eq(sfab_reason_find("", 0), -1);
}

UNIT_MAIN_WITH("place", set_up, NULL)
