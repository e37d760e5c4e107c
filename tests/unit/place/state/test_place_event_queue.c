/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_place_event_queue.c - the loader knows what runs: a new generation comes with the loads
 * of all jobs, and what changed while it was made ready is mended.  Compared with a service to
 * which the same was reported in one thread.
 */

#include "tests/unit/fixtures/unit.h"

#include <time.h>

#include "place/state/event_queue.h"
#include "place/state/generation.h"
#include "tests/unit/fixtures/service.h"

static const struct clos trees[2] = {
	{ .leaves = 4, .spines = 2, .hosts = 4 },
	{ .leaves = 4, .spines = 3, .hosts = 4 },
};

static const char *snap, *counters;

#define CONF "Mode=on\nDefaultTraffic=mpi=0.5\n"

static void start(struct service *t)
{
	const char *conf = unit_path("sfabric.conf");
	char text[600];

	snap = unit_path("fabric.snap");
	counters = unit_path("counters.snap");
	snprintf(text, sizeof(text), CONF "Snapshot=%s\nCounters=%s\n", snap,
		 counters);
	unit_write(conf, text);
	service_start_on(t, conf, 16);
}

static void begin(struct service *t, uint32_t id, uint32_t first, uint32_t n)
{
	uint32_t node[16];

	for (uint32_t i = 0; i < n; i++)
		node[i] = first + i * 4;
	service_begin_on(t, id, node, n, SFAB_RUN_KNOWN);
}

static const double *background(const struct service *t)
{
	return sfab_jobs_background(sfab_place_generation(t->p)->jobs);
}

/* The same as in @other, link by link, and something at all. */
static void expect_same(const struct service *t, const struct service *other)
{
	uint32_t n = sfab_place_generation(t->p)->model->nres;
	double sum = 0;

	ck_assert_uint_eq(sfab_place_generation(other->p)->model->nres, n);
	for (uint32_t i = 0; i < n; i++) {
		ck_assert_msg(!(background(t)[i] < background(other)[i]) &&
			      !(background(t)[i] > background(other)[i]),
			      "link %u: %g, not %g", i, background(t)[i],
			      background(other)[i]);
		sum += background(t)[i];
	}
	ck_assert(sum > 0);
}

TEST(a_new_generation_comes_with_all_loads)
{
	struct service t, once;

	start(&t);
	begin(&t, 1, 0, 4);
	begin(&t, 2, 1, 3);
	begin(&t, 3, 2, 4);
	sfab_place_end(t.p, 2, 0);
	service_save_snapshot(&trees[0], snap);
	service_wait(&t, 1);
	service_save_snapshot(&trees[1], snap);
	service_wait(&t, 2);
	ck_assert_uint_eq(sfab_place_counts(t.p)->reloaded, 0);
	ck_assert_int_ge(service_log_count("16 of 16 nodes are in the snapshot, 2 jobs run"), 2);

	service_start(&once, &trees[1], CONF);
	begin(&once, 1, 0, 4);
	begin(&once, 3, 2, 4);
	expect_same(&t, &once);
}

/* A generation is in use, and another is being made ready; nobody asks. */
static void prepare_second(struct service *t)
{
	service_save_snapshot(&trees[0], snap);
	service_wait(t, 1);
	service_forget_log();
	service_save_snapshot(&trees[1], snap);
	service_wait_for_log("fingerprint", 1);
}

TEST(changes_made_meanwhile_are_applied)
{
	struct service t, once;

	start(&t);
	for (uint32_t id = 1; id <= 4; id++)
		begin(&t, id, id - 1, 4);
	prepare_second(&t);
	sfab_place_end(t.p, 1, 0);
	sfab_place_suspend(t.p, 2, 0);
	sfab_place_shrink(t.p, 3, 2);
	begin(&t, 5, 0, 3);
	service_wait(&t, 2);

	service_start(&once, &trees[1], CONF);
	for (uint32_t id = 2; id <= 4; id++)
		begin(&once, id, id - 1, 4);
	sfab_place_suspend(once.p, 2, 0);
	sfab_place_shrink(once.p, 3, 2);
	begin(&once, 5, 0, 3);
	expect_same(&t, &once);
}

/* The loader's work is for the old nodes: all of it is done again. */
TEST(another_node_table_is_mapped_again)
{
	struct service t;

	start(&t);
	prepare_second(&t);
	service_set_nodes(&t, 8);
	begin(&t, 1, 0, 2);
	service_wait(&t, 2);
	ck_assert_int_eq(service_ask(&t, 7, 2)->reason, SFAB_PLACED);
	ck_assert_uint_eq(sfab_place_count_running(t.p), 1);
}

/* A link between switches that carries something; SFAB_NONE: there is none. */
static uint32_t loaded_link(const struct service *t)
{
	const struct sfab_fabric *f = sfab_place_generation(t->p)->f;

	for (uint32_t e = 0; e < f->nlinks; e++)
		if (f->links[e].kind == SFAB_LINK_ISL && background(t)[e] > 0)
			return e;
	return SFAB_NONE;
}

/* counters.snap: port @port of @guid sends @rate. */
static void write_counters(uint64_t guid, uint8_t port, double rate, uint64_t at)
{
	service_counters(counters, &(struct sfab_counter) {
		.guid = guid, .port = port, .xmit_rate = rate, .time_ms = 1000 * at }, 1);
}

static double background_of(const struct service *t, uint64_t guid, uint8_t port)
{
	const struct sfab_fabric *f = sfab_place_generation(t->p)->f;

	for (uint32_t e = 0; e < f->nlinks; e++)
		if (sfab_link_from_guid(f, e) == guid &&
		    f->links[e].from_port == port)
			return background(t)[e];
	return -1;
}

TEST(counters_come_with_generations_that_know_who_ended)
{
	uint64_t at = (uint64_t) time(NULL), guid;
	struct service t;
	uint8_t port;
	uint32_t e;
	double rate;

	start(&t);
	begin(&t, 1, 0, 4);
	service_save_snapshot(&trees[0], snap);
	service_wait(&t, 1);
	e = loaded_link(&t);
	ck_assert_uint_ne(e, SFAB_NONE);
	rate = background(&t)[e];
	guid = sfab_link_from_guid(sfab_place_generation(t.p)->f, e);
	port = sfab_place_generation(t.p)->f->links[e].from_port;

	write_counters(guid, port, rate + 1e9, at);
	service_wait(&t, 2);		/* it runs: explained */
	ck_assert_double_eq(background_of(&t, guid, port), rate + 1e9);
	sfab_place_end(t.p, 1, 0);
	write_counters(guid, port, rate + 2e9, at);
	service_wait(&t, 3);		/* it ended after the sample: too */
	ck_assert_double_eq(background_of(&t, guid, port), 2e9);
	write_counters(guid, port, 3e9, at);
	service_wait(&t, 4);
	service_save_snapshot(&trees[1], snap);		/* what it sent there is another matter */
	service_wait(&t, 5);
	ck_assert_double_gt(background_of(&t, guid, port), 0);
	ck_assert_double_lt(background_of(&t, guid, port), 3e9);
	ck_assert_int_eq(service_log_count("nodes are in the snapshot"), 2);
}

/* -- the queue itself ------------------------------------------------------- */

static struct sfab_event_queue event_queue;

static void push_end(uint32_t id, uint64_t serial)
{
	sfab_event_queue_push(&event_queue, &(struct sfab_event){
		.serial = serial, .ended_id = id });
}

TEST(events_come_in_order)
{
	static const struct sfab_place_node nodes[5] = { { "n1", 8, 1000, 1, 1 } };
	const struct sfab_place_run run = {
		.id = 7, .n = 1, .node = (uint32_t[]){ 4 }, .cpus = (uint32_t[]){ 4 },
	};
	struct sfab_running running = { .jobs = NULL };
	struct sfab_event *event, *next;

	ck_assert_ptr_null(sfab_event_queue_collect(&event_queue));
	ck_assert_int_eq(sfab_running_reset(&running, nodes, 5), 0);
	sfab_event_queue_push(&event_queue, &(struct sfab_event){
		.serial = 3, .job = sfab_running_put(&running, &run) });
	sfab_running_clear(&running);
	push_end(7, 4);
	event = sfab_event_queue_collect(&event_queue);
	next = event->next;
	ck_assert_uint_eq(event->serial, 3);
	ck_assert_uint_eq(event->job->held[0].node, 4);
	ck_assert_uint_eq(next->serial, 4);
	ck_assert_uint_eq(next->ended_id, 7);
	ck_assert_ptr_null(next->next);
	sfab_event_free(event);
	sfab_event_free(next);
}

TEST(a_loader_that_does_not_collect_loses_events)
{
	struct sfab_event *event, *next;

	for (uint32_t i = 0; i <= SFAB_EVENT_QUEUE_MAX; i++) {
		ck_assert_int_eq(atomic_load(&event_queue.loss), 0);
		push_end(i, i + 1);
	}
	ck_assert_int_eq(atomic_load(&event_queue.loss), SFAB_LOST_SOME);
	ck_assert_int_eq(sfab_event_queue_begin_anew(&event_queue), 0);
	for (event = sfab_event_queue_collect(&event_queue); event; event = next) {
		next = event->next;
		sfab_event_free(event);
	}
	push_end(1, 1);
	ck_assert_ptr_null(sfab_event_queue_collect(&event_queue));
	ck_assert_int_eq(sfab_event_queue_forget(&event_queue), 1);
	ck_assert_int_eq(sfab_event_queue_begin_anew(&event_queue), 1);
	push_end(1, 1);
	event = sfab_event_queue_collect(&event_queue);
	ck_assert_ptr_nonnull(event);
	sfab_event_free(event);
}

UNIT_MAIN("place event queue")
