/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_place_soak.c - jobs begin and end for a long time while snapshots and conf are replaced:
 * memory stays, descriptors too, and what runs is what should run
 *
 * 5,000 events and 5 snapshots in check; SFAB_SOAK=EVENTS for more (check-long:
 * 100,000 events, 50 snapshots, 10 confs).
 */

#include "tests/unit/fixtures/unit.h"

#include <dirent.h>
#include <malloc.h>
#include <time.h>

#include "place/state/generation.h"
#include "tests/unit/fixtures/service.h"

#define JOBS 12			/* that may run at a time, on 4 nodes each */
#define NODES 16
#define GROWTH (512 << 10)	/* bytes: events on their way, malloc's own */

static const struct clos trees[2] = {
	{ .leaves = 4, .spines = 2, .hosts = 4 },
	{ .leaves = 4, .spines = 3, .hosts = 4 },
};

struct soak {
	struct service t;
	const char *conf, *snap, *decisions;
	uint32_t id[JOBS];	/* 0: nobody */
	uint32_t next;
	unsigned random;
	int swaps, confs;
};

static unsigned draw(struct soak *s, unsigned n)
{
	s->random = s->random * 1103515245 + 12345;
	return (s->random >> 16) % n;
}

static void write_conf(struct soak *s)
{
	char text[800];

	snprintf(text, sizeof(text),
		 "Mode=on\nDefaultTraffic=mpi=0.%d\nSnapshot=%s\nDecisionLog=%s\n",
		 1 + s->confs++ % 9, s->snap, s->decisions);
	unit_write(s->conf, text);
}

static void write_snapshot(struct soak *s)
{
	service_save_snapshot(&trees[s->swaps++ % 2], s->snap);
}

static void start(struct soak *s)
{
	memset(s, 0, sizeof(*s));
	s->conf = unit_path("sfabric.conf");
	s->snap = unit_path("fabric.snap");
	s->decisions = unit_path("decisions");
	write_conf(s);
	write_snapshot(s);
	service_start_on(&s->t, s->conf, NODES);
}

static void begin(struct soak *s, uint32_t k)
{
	uint32_t node[4], cpus[4] = { 1, 2, 1, 1 };
	struct sfab_place_run run = {
		.id = ++s->next, .asked_id = s->next, .n = 4, .node = node,
		.cpus = cpus, .nodes = "some",
	};

	for (uint32_t i = 0; i < 4; i++)
		node[i] = (k + i * 4) % NODES;
	sfab_place_begin(s->t.p, &run);
	s->id[k] = run.id;
}

/* Let one event happen at random.  A job that begins was asked about before. */
static void event(struct soak *s)
{
	uint32_t k = draw(s, JOBS);

	if (!s->id[k]) {
		service_ask(&s->t, s->next + 1, 2);
		begin(s, k);
	} else if (draw(s, 4)) {
		sfab_place_end(s->t.p, s->id[k], 0);
		s->id[k] = 0;
	} else if (draw(s, 2)) {
		sfab_place_suspend(s->t.p, s->id[k], 0);
	} else {
		sfab_place_resume(s->t.p, s->id[k]);
	}
}

static void expect_view(struct soak *s)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < JOBS; k++)
		n += s->id[k] != 0;
	ck_assert_uint_eq(sfab_place_count_running(s->t.p), n);
}

static int descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n;
}

static void nap(long ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

/* All nobody runs: what is left is what the service keeps. */
static size_t settle(struct soak *s)
{
	for (uint32_t k = 0; k < JOBS; k++) {
		if (s->id[k])
			sfab_place_end(s->t.p, s->id[k], 0);
		s->id[k] = 0;
	}
	for (int i = 0; i < 200; i++) {	/* threads take in what was reported */
		service_ask(&s->t, 1, 2);
		nap(1);
	}
	return mallinfo2().uordblks;
}

static void run(struct soak *s, uint32_t events, uint32_t swaps, uint32_t confs)
{
	for (uint32_t i = 1; i <= events; i++) {
		event(s);
		if (i % (events / swaps) == 0) {
			write_snapshot(s);
			nap(5);
		}
		if (i % (events / confs) == 0)
			write_conf(s);
		if (i % 500 == 0)
			expect_view(s);
		if (i % 100 == 0)
			nap(1);	/* a thread of the loader's gets the CPU */
	}
}

TEST(nothing_grows)
{
	const char *text = getenv("SFAB_SOAK");
	uint32_t events = text ? (uint32_t) atoi(text) : 5000;
	uint32_t swaps = events / 2000 + 3, confs = events / 10000 + 1;
	uint64_t generations;
	struct soak s;
	size_t memory, after;
	int files;

	start(&s);
	run(&s, events / 5, 4, 4);
	memory = settle(&s);
	files = descriptors();
	run(&s, events, swaps, confs);
	after = settle(&s);
	ck_assert_msg(after < memory + GROWTH, "%zu bytes, %zu before", after,
		      memory);
	ck_assert_int_le(descriptors(), files + 1);
	ck_assert_uint_eq(sfab_place_count_running(s.t.p), 0);
	generations = sfab_place_counts(s.t.p)->generations;
	ck_assert_uint_ge(generations, 3);
	printf("# %u events, %llu generations, heap %zu to %zu bytes\n", events,
	       (unsigned long long) generations, memory, after);
}

UNIT_PROGRAM("place soak", NULL, NULL, 500)
