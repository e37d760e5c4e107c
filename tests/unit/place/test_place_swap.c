/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_place_swap.c - snapshots are replaced under a stream of jobs, with all threads at work.
 * Built with the thread sanitizer where that can be had.
 */

#include "tests/unit/fixtures/unit.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "io/learn/found_traffic.h"
#include "io/learn/history.h"
#include "tests/unit/fixtures/service.h"

#define SWAPS 200

static const struct clos trees[2] = {
	{ .leaves = 4, .spines = 2, .hosts = 4 },
	{ .leaves = 4, .spines = 3, .hosts = 4 },
};

static const char *conf, *snap, *counters, *decisions, *history, *found;

static void write_conf(void)
{
	char text[2000];

	conf = unit_path("sfabric.conf");
	snap = unit_path("fabric.snap");
	counters = unit_path("counters.snap");
	decisions = unit_path("decisions");
	history = unit_path("history");
	found = unit_path("traffic.snap");
	snprintf(text, sizeof(text),
		 "Mode=on\nDefaultTraffic=mpi\nMaxSearchTime=10s\n"
		 "Snapshot=%s\nCounters=%s\nDecisionLog=%s\n"
		 "History=%s\nFoundTraffic=%s\n", snap, counters, decisions, history, found);
	unit_write(conf, text);
}

static void write_counters(const struct sfab_fabric *f)
{
	service_counters(counters, &(struct sfab_counter) {
		.guid = f->ports[0].node_guid, .port = f->ports[0].num, .xmit_rate = 1e9,
		.time_ms = 1000 * (uint64_t) time(NULL) }, 1);
}

/* What user 0 and job @id sent: another class each time. */
static void write_learned(uint32_t id)
{
	static const struct sfab_history_facts job = { .name = "job", .partition = "main" };
	struct sfab_traffic sent = { .nparts = 1 };
	struct sfab_history_run run = { .sent = &sent, .weight = 1,
					.end_s = (uint64_t) time(NULL) };
	struct sfab_history *h = sfab_history_create(id);
	struct sfab_found *now = sfab_found_create(1);

	sent.part[0].class = id % 2 ? SFAB_MPI : SFAB_NEIGHBOR;
	sent.part[0].share = 0.3;
	for (int i = 0; i < 3; i++)
		ck_assert(!sfab_history_add(h, &job, &run, NULL));
	now->time_ms = 1000 * run.end_s;
	now->job[0] = (struct sfab_found_job){ .id = 3 * (id / 3), .samples = 2,
		.time_s = run.end_s, .confidence = 1, .latest = sent, .mean = sent };
	ck_assert(!sfab_history_save(h, history, 0600, NULL) &&
		  !sfab_found_save(now, found, 0600, NULL));
	sfab_history_destroy(h);
	sfab_found_destroy(now);
}

/* Good snapshots of two fabrics in turn, and now and then a bad one; counters; learned traffic. */
static void *replace_snapshots(void *arg)
{
	for (int i = 0; i < SWAPS; i++) {
		struct sfab_snapshot *s = service_snapshot(&trees[i % 2]);

		ck_assert_int_eq(sfab_snapshot_save(s, snap, 0600, NULL), 0);
		if (i % 3 == 1)
			write_counters(s->fabric);
		if (i % 4 == 2)
			write_learned((uint32_t) i);
		sfab_snapshot_destroy(s);
		if (i % 7 == 3)
			ck_assert_int_eq(truncate(snap, 50), 0);
		unit_nap();
	}
	return NULL;
}

/* Ask about job @id twice, begin it, suspend it and end it.  Was it placed at first? */
static int run_job(struct service *t, uint32_t id)
{
	const struct sfab_decision *d = service_ask(t, id, 1 + id % 6);
	int placed = d->reason == SFAB_PLACED;

	ck_assert(placed || d->reason == SFAB_STOCK_NO_SNAPSHOT);
	d = service_ask(t, id, 1 + id % 6);
	if (!d->n)
		return 0;
	service_begin(t, d, id);
	sfab_place_suspend(t->p, id, 0);
	sfab_place_resume(t->p, id);
	if (id % 3) {
		sfab_place_end(t->p, id, 0);
	} else {	/* stays for a while */
		sfab_place_end(t->p, id - 3, 0);
	}
	for (uint32_t i = 0; i < t->nnodes; i++)
		t->node[i] = SFAB_NODE_USABLE | SFAB_NODE_IDLE;
	return placed;
}

TEST(snapshots_are_replaced_under_a_stream_of_jobs)
{
	struct service t;
	pthread_t writer;
	uint32_t id = 1;
	int placed = 0;

	write_conf();
	service_start_on(&t, conf, 16);
	ck_assert_int_eq(pthread_create(&writer, NULL, replace_snapshots, NULL), 0);
	service_wait(&t, 1);
	while (pthread_tryjoin_np(writer, NULL))
		placed += run_job(&t, ++id);
	ck_assert_int_gt(placed, 0);
	ck_assert_uint_gt(sfab_place_counts(t.p)->generations, 2);
	service_stop(&t);
	unit_shell("test -s decisions");
}

UNIT_MAIN("place swap")
