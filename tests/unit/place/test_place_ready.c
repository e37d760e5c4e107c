/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_place_ready.c - no question does the loader's work, or uses a generation that is not
 * ready or is too far behind.  The tests play the loader, step by step.
 */

#include "tests/unit/fixtures/unit.h"

#include "place/place_private.h"
#include "place/state/replica.h"
#include "tests/unit/fixtures/service.h"

#define CONF "Mode=on\nDefaultTraffic=mpi=0.5\n"
#define MANY (SFAB_RECENT + 1)

static struct service t;
static struct sfab_replica loader;

static void set_up(void)
{
	struct sfab_place_options o = { .log = service_keep_line };

	memset(&t, 0, sizeof(t));
	memset(&loader, 0, sizeof(loader));
	service_forget_log();
	t.p = sfab_place_create(&o, NULL);
	ck_assert_ptr_nonnull(t.p);
	t.p->has_threads = 1;		/* as if its threads ran */
	atomic_store(&t.p->handoff.expiry_s, SFAB_FOREVER);
}

static void tear_down(void)
{
	sfab_replica_clear(&loader);
	service_stop(&t);
}

/* -- the loader ------------------------------------------------------------ */

/* Publish a new generation, which has all that the loader knows. */
static void publish(void)
{
	struct sfab_shared_conf *conf = sfab_shared_conf_take(service_parse_conf(CONF), NULL);
	struct sfab_generation *gen = sfab_generation_take(service_snapshot(&service_shape),
							   conf, NULL);

	ck_assert_ptr_nonnull(gen);
	sfab_shared_conf_drop(conf);
	ck_assert_int_eq(sfab_replica_prepare(&loader, gen), 0);
	sfab_generations_destroy(sfab_handoff_publish(&t.p->handoff, gen));
}

/* Take in the events.  Return 0 if the generation that nobody took is up to date again. */
static int read_events(void)
{
	struct sfab_generation *gen = sfab_handoff_publish(&t.p->handoff, NULL);
	int rc = sfab_replica_read(&loader, &t.p->event_queue, gen);

	if (rc)
		sfab_generation_destroy(gen);
	else if (gen)
		sfab_generations_destroy(sfab_handoff_publish(&t.p->handoff, gen));
	return rc;
}

static void make_ready(void)
{
	read_events();
	publish();
}

/* -- the asking thread ------------------------------------------------------ */

static void begin(struct service *at, uint32_t id)
{
	uint32_t node[3];

	for (uint32_t i = 0; i < 3; i++)
		node[i] = (id + i * 5) % 16;
	service_begin_on(at, id, node, 3, SFAB_RUN_KNOWN);
	memset(at->node, SFAB_NODE_USABLE | SFAB_NODE_SHARE, 16);
}

static void begin_many(struct service *at, uint32_t first, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		begin(at, first + k);
}

/* Report the nodes, and @n jobs from @first on, as after a reconfigure. */
static void report_all(uint32_t first, uint32_t n)
{
	service_set_nodes(&t, 16);
	begin_many(&t, first, n);
}

static enum sfab_reason reason_now(void)
{
	const struct sfab_ask ask = { .id = 9999, .flags = SFAB_ASK_WHOLE_NODES,
				      .min_nodes = 2, .req_nodes = 2, .max_nodes = 2,
				      .node = (uint8_t[16]){ 3, 3, 3, 3, 3 } };

	return sfab_place_ask(t.p, &ask)->reason;
}

/* Fail unless the loads are those of jobs @first to @last, reported in one thread. */
static void expect_loads(uint32_t first, uint32_t last)
{
	const double *has = sfab_jobs_background(sfab_place_generation(t.p)->jobs);
	const double *wants;
	struct service plain;

	service_start(&plain, &service_shape, CONF);
	begin_many(&plain, first, last - first + 1);
	wants = sfab_jobs_background(sfab_place_generation(plain.p)->jobs);
	for (uint32_t e = 0; e < sfab_place_generation(plain.p)->model->nres; e++)
		ck_assert_double_eq(has[e], wants[e]);
}

TEST(the_first_start_waits_for_the_loader)
{
	publish();		/* before there was a node table */
	report_all(1, 200);
	ck_assert_int_eq(reason_now(), SFAB_STOCK_NO_SNAPSHOT);
	ck_assert_uint_eq(sfab_place_counts(t.p)->generations, 0);
	ck_assert_int_eq(read_events(), -1);
	publish();
	ck_assert_int_ne(reason_now(), SFAB_STOCK_NO_SNAPSHOT);
	ck_assert_uint_eq(sfab_place_counts(t.p)->generations, 1);
	ck_assert_uint_eq(sfab_place_counts(t.p)->reloaded, 0);
	expect_loads(1, 200);
}

TEST(a_few_changes_are_applied_by_the_next_question)
{
	report_all(1, 100);
	make_ready();
	begin_many(&t, 101, SFAB_RECENT - 1);
	sfab_place_end(t.p, 1, 0);
	reason_now();
	ck_assert_uint_eq(sfab_place_counts(t.p)->generations, 1);
	ck_assert_uint_eq(sfab_place_counts(t.p)->reloaded, SFAB_RECENT - 1);
	expect_loads(2, 100 + SFAB_RECENT - 1);
}

TEST(many_changes_are_left_to_the_loader)
{
	service_set_nodes(&t, 16);
	make_ready();
	ck_assert_int_eq(reason_now(), SFAB_PLACED);
	make_ready();
	begin_many(&t, 1, MANY);
	reason_now();		/* uses the old generation, which has them */
	ck_assert_uint_eq(sfab_place_counts(t.p)->generations, 1);
	expect_loads(1, MANY);
	ck_assert_int_eq(read_events(), 0);
	reason_now();
	ck_assert_uint_eq(sfab_place_counts(t.p)->generations, 2);
	ck_assert_uint_eq(sfab_place_counts(t.p)->reloaded, 0);
	expect_loads(1, MANY);
	sfab_place_end(t.p, 1, 0);
	expect_loads(2, MANY);
}

TEST(ended_and_suspended_jobs_come_with_the_generation)
{
	report_all(1, 10);
	make_ready();
	sfab_place_end(t.p, 1, 0);
	sfab_place_suspend(t.p, 2, 0);
	ck_assert_int_eq(read_events(), 0);
	reason_now();
	ck_assert_uint_eq(sfab_place_counts(t.p)->reloaded, 0);
	expect_loads(3, 10);
	sfab_place_resume(t.p, 2);
	expect_loads(2, 10);
}

TEST(another_node_table_waits_for_a_generation)
{
	service_set_nodes(&t, 16);
	make_ready();
	ck_assert_int_eq(reason_now(), SFAB_PLACED);
	service_set_nodes(&t, 8);
	begin(&t, 1);
	ck_assert_int_eq(reason_now(), SFAB_STOCK_NOT_READY);
	publish();		/* still for the nodes of before */
	ck_assert_int_eq(reason_now(), SFAB_STOCK_NOT_READY);
	ck_assert_int_eq(read_events(), -1);
	publish();
	ck_assert_int_eq(reason_now(), SFAB_PLACED);
	ck_assert_uint_eq(sfab_place_counts(t.p)->generations, 2);
	ck_assert_uint_eq(sfab_place_counts(t.p)->reloaded, 0);
}

TEST(reporting_the_same_again_changes_nothing)
{
	report_all(1, 200);
	make_ready();
	reason_now();
	report_all(1, 200);
	ck_assert_int_eq(reason_now(), SFAB_PLACED);
	ck_assert_int_eq(sfab_event_queue_wait(&t.p->event_queue), 0);
	ck_assert_uint_eq(sfab_place_counts(t.p)->generations, 1);
	expect_loads(1, 200);
}

TEST(jobs_not_reported_again_have_ended)
{
	report_all(1, 100);
	make_ready();
	reason_now();
	report_all(21, 90);
	reason_now();
	ck_assert_uint_eq(sfab_place_count_running(t.p), 90);
	expect_loads(21, 110);
	make_ready();
	reason_now();
	ck_assert_uint_eq(sfab_place_counts(t.p)->generations, 2);
	expect_loads(21, 110);
}

/* All jobs are others now: no question adds their loads, nor removes the old ones. */
TEST(many_changed_jobs_wait_for_the_loader)
{
	report_all(1, 200);
	make_ready();
	ck_assert_int_eq(reason_now(), SFAB_PLACED);
	report_all(1001, 200);
	ck_assert_int_eq(reason_now(), SFAB_STOCK_NOT_READY);
	ck_assert_uint_eq(sfab_place_count_running(t.p), 200);
	publish();		/* still for the jobs of before */
	ck_assert_int_eq(reason_now(), SFAB_STOCK_NOT_READY);
	ck_assert_int_eq(read_events(), -1);
	publish();
	ck_assert_int_eq(reason_now(), SFAB_PLACED);
	ck_assert_uint_eq(sfab_place_counts(t.p)->generations, 2);
	ck_assert_uint_eq(sfab_place_counts(t.p)->reloaded, 0);
	expect_loads(1001, 1200);
	sfab_place_end(t.p, 1001, 0);
	expect_loads(1002, 1200);
}

TEST(many_ended_jobs_wait_for_the_loader)
{
	report_all(1, 200);
	make_ready();
	reason_now();
	report_all(1, 200 - MANY);
	ck_assert_int_eq(reason_now(), SFAB_STOCK_NOT_READY);
	ck_assert_uint_eq(sfab_place_count_running(t.p), 200 - MANY);
	make_ready();
	ck_assert_int_eq(reason_now(), SFAB_PLACED);
	expect_loads(1, 200 - MANY);
}

/* The queue loses all its events, and with them the request for a generation. */
TEST(a_lost_request_for_a_generation_is_repeated)
{
	report_all(1, 100);
	make_ready();
	reason_now();
	sfab_event_queue_lose(&t.p->event_queue);
	report_all(1001, 100);
	ck_assert_int_eq(reason_now(), SFAB_STOCK_NOT_READY);
	ck_assert_int_eq(read_events(), -1);
	ck_assert_int_eq(reason_now(), SFAB_STOCK_NOT_READY);
	make_ready();
	ck_assert_int_eq(reason_now(), SFAB_PLACED);
	expect_loads(1001, 1100);
}

TEST(a_loader_that_lost_events_gets_all_jobs)
{
	report_all(1, 100);
	make_ready();
	reason_now();
	sfab_event_queue_lose(&t.p->event_queue);
	begin_many(&t, 101, 10);
	ck_assert_int_eq(read_events(), -1);
	sfab_place_end(t.p, 1, 0);	/* reports all jobs, then this */
	make_ready();
	reason_now();
	ck_assert_uint_eq(sfab_place_counts(t.p)->generations, 2);
	ck_assert_uint_eq(sfab_place_counts(t.p)->reloaded, 0);
	expect_loads(2, 110);
}

UNIT_MAIN_WITH("place ready", set_up, tear_down)
