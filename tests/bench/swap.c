/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swap.c - what new snapshots and reporting all jobs cost slurmctld's thread
 *
 *     swap SNAPSHOT OTHER RUNNING EACH SWAPS
 *
 * A placement service with RUNNING jobs that share nodes, EACH on so many; its snapshot file is
 * replaced SWAPS times, by OTHER and SNAPSHOT in turn, while questions come a thousand times a
 * second that need no search.  Prints one line:
 *
 *     HOSTS RUNNING EACH SWAPS ASK_US SWAP_MS SWAP_MAX_MS AFTER_S AFTER_MAX_S ANEW
 *     COUNT_MAX_MS SAME_MS NEW_MS GONE_MS NODES_MS ALL_MS
 *
 * ASK_US: CPU time of a question, SWAP_MS of one that took the new snapshot into use, median
 * and worst; AFTER_S how long after the file was there; ANEW how many jobs had to be looked at
 * again for that.  COUNT_MAX_MS: the worst of as many questions that took new counters.  Then
 * all is told anew as the plugin's hook does it, in shares: CPU time of the longest call,
 * questions included until routes are gone by again, worst of ROUNDS.  SAME_MS: all jobs are as
 * before; NEW_MS: all are on other nodes; GONE_MS: none runs any more; NODES_MS: the node table
 * is another.  ALL_MS: what it costs to put all jobs on the tables in one thread, which is what
 * the loader's does for each new generation.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "io/counters/counters.h"
#include "place/decision.h"
#include "place/place.h"
#include "place/state/reporting.h"
#include "tests/bench/bench.h"

#define ROUNDS 3
#define NODE_CPUS 128

struct machine {
	struct sfab_place *p;
	uint32_t n;			/* nodes */
	struct sfab_place_node *node;
	uint8_t *taken;			/* by node: no SFAB_NODE_* */
	uint32_t running, each;
	uint32_t shift;			/* of all jobs' nodes */
	uint32_t *job_node, *job_cpus;	/* [each] */
	char folder[64], snap[80], conf[80], counters[80];
};

static void read_nodes(struct machine *mc, const char *path)
{
	struct sfab_snapshot *s = bench_snapshot(path);
	const struct sfab_fabric *f = s->fabric;

	mc->node = bench_alloc(f->nhosts, sizeof(*mc->node));
	for (uint32_t h = 0; h < f->nhosts; h++)
		mc->node[mc->n++] = (struct sfab_place_node){
			strdup(f->hosts[h].name), NODE_CPUS, 8000, 1, 1 };
	sfab_snapshot_destroy(s);
	mc->taken = bench_alloc(mc->n, sizeof(*mc->taken));
	if (mc->each > mc->n)
		mc->each = mc->n;
	mc->job_node = bench_alloc(mc->each, sizeof(*mc->job_node));
	mc->job_cpus = bench_alloc(mc->each, sizeof(*mc->job_cpus));
}

/* Begin job @id on nodes far from each other, with a CPU of each. */
static void tell_job(void *context, uint32_t id)
{
	const struct machine *mc = context;
	struct sfab_place_run run = {
		.id = id, .asked_id = id, .n = mc->each, .node = mc->job_node,
		.cpus = mc->job_cpus, .flags = SFAB_RUN_KNOWN,
	};

	for (uint32_t i = 0; i < mc->each; i++) {
		mc->job_node[i] = (id + mc->shift + i * (mc->n / mc->each)) % mc->n;
		mc->job_cpus[i] = 1;
	}
	sfab_place_begin(mc->p, &run);
}

/* Nodes, and what jobs there are in @rest. */
static void begin_reporting(struct machine *mc, struct sfab_reporting *rest)
{
	struct sfab_err err = { SFAB_ENOMEM, "no memory" };

	bench_must(!sfab_place_set_nodes(mc->p, mc->node, mc->n, &err), &err);
	for (uint32_t id = 1; id <= mc->running; id++)
		bench_must(!sfab_reporting_note(rest, id), &err);
}

static void tell_all(struct machine *mc)
{
	struct sfab_reporting rest = { 0 };

	begin_reporting(mc, &rest);
	while (!sfab_reporting_go_on(&rest, tell_job, mc))
		;
}

/* Put the file at @path into place. */
static void put(const struct machine *mc, const char *path)
{
	struct sfab_snapshot *s = bench_snapshot(path);
	struct sfab_err err;

	bench_must(!sfab_snapshot_save(s, mc->snap, 0600, &err), &err);
	sfab_snapshot_destroy(s);
}

static void open_machine(struct machine *mc, const char *path)
{
	struct sfab_place_options o = { .conf_path = mc->conf };
	struct sfab_err err = { SFAB_EIO, "no folder" };
	char text[300];

	strcpy(mc->folder, "/tmp/sfab-bench-XXXXXX");
	bench_must(mkdtemp(mc->folder) != NULL, &err);
	snprintf(mc->snap, sizeof(mc->snap), "%s/fabric.snap", mc->folder);
	snprintf(mc->conf, sizeof(mc->conf), "%s/sfabric.conf", mc->folder);
	snprintf(mc->counters, sizeof(mc->counters), "%s/counters.snap", mc->folder);
	snprintf(text, sizeof(text),
		 "Mode=on\nDefaultTraffic=mpi\nSnapshot=%s\nCounters=%s\n",
		 mc->snap, mc->counters);
	bench_must(!sfab_file_write(mc->conf, text, strlen(text), 0600, &err),
		   &err);
	put(mc, path);
	mc->p = sfab_place_create(&o, &err);
	bench_must(mc->p && !sfab_place_start(mc->p, &err), &err);
	read_nodes(mc, path);
	tell_all(mc);
}

static void close_machine(struct machine *mc)
{
	sfab_place_destroy(mc->p);
	unlink(mc->snap);
	unlink(mc->conf);
	unlink(mc->counters);
	rmdir(mc->folder);
}

/* Each link of the snapshot at @path carries half of what it can. */
static void put_counters(const struct machine *mc, const char *path)
{
	struct sfab_snapshot *s = bench_snapshot(path);
	const struct sfab_fabric *f = s->fabric;
	struct sfab_counters *c = sfab_counters_create(f->nlinks);
	struct sfab_err err = { SFAB_ENOMEM, "no memory" };

	bench_must(c != NULL, &err);
	for (uint32_t e = 0; e < f->nlinks; e++)
		c->row[e] = (struct sfab_counter){
			.guid = sfab_link_from_guid(f, e),
			.port = f->links[e].from_port,
			.xmit_rate = f->links[e].capacity / 2,
			.time_ms = 1000 * (uint64_t) time(NULL),
		};
	bench_must(!sfab_counters_sort(c, &err), &err);
	bench_must(!sfab_counters_save(c, mc->counters, 0600, &err), &err);
	sfab_counters_destroy(c);
	sfab_snapshot_destroy(s);
}

/* Return the CPU seconds of the calling thread. */
static double thread_cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Ask about a job that cannot start now: no search.  Return its CPU seconds. */
static double ask(struct machine *mc)
{
	const struct sfab_ask ask = { .id = 999999, .flags = SFAB_ASK_FUTURE,
				      .min_nodes = 1, .req_nodes = 1 };
	double start = thread_cpu();

	sfab_place_ask(mc->p, &ask);
	return thread_cpu() - start;
}

/* Ask about a job that could start now, but no node is free.  Return why it is not placed. */
static enum sfab_reason ask_now(struct machine *mc)
{
	const struct sfab_ask ask = { .id = 999999, .node = mc->taken,
				      .min_nodes = 2, .req_nodes = 2 };

	return sfab_place_ask(mc->p, &ask)->reason;
}

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

/* Ask until the next snapshot is in use; the last question is *@swap. */
static double wait_for_swap(struct machine *mc, double *usual, double *swap)
{
	uint64_t generations = sfab_place_counts(mc->p)->generations;
	double start = bench_clock();

	for (;;) {
		double seconds = ask(mc);

		if (sfab_place_counts(mc->p)->generations > generations) {
			*swap = seconds;
			return bench_clock() - start;
		}
		*usual = seconds;
		nap();
	}
}

static void keep_longest(double *longest, double start)
{
	*longest = fmax(*longest, 1e3 * (thread_cpu() - start));
}

/* Tell all, then ask until the fabric is known; milliseconds of the longest call. */
static double retell(struct machine *mc)
{
	struct sfab_reporting rest = { 0 };
	double longest = 0, start = thread_cpu();
	int told, is_ready = 0;

	begin_reporting(mc, &rest);
	do {
		told = sfab_reporting_go_on(&rest, tell_job, mc);
		if (told)
			is_ready = ask_now(mc) == SFAB_STOCK_FEW_NODES;
		keep_longest(&longest, start);
		start = thread_cpu();
	} while (!told);
	while (!is_ready) {
		nap();
		start = thread_cpu();
		is_ready = ask_now(mc) == SFAB_STOCK_FEW_NODES;
		keep_longest(&longest, start);
	}
	return longest;
}

struct retell_times {
	double same, anew, gone, nodes;		/* ms of the longest call */
};

static void retell_once(struct machine *mc, struct retell_times *r)
{
	uint32_t running = mc->running;

	r->same = fmax(r->same, retell(mc));
	mc->shift++;
	r->anew = fmax(r->anew, retell(mc));
	mc->running = 0;
	r->gone = fmax(r->gone, retell(mc));
	mc->running = running;
	retell(mc);
	for (uint32_t i = 0; i < mc->n; i++)
		mc->node[i].memory_mb++;
	r->nodes = fmax(r->nodes, retell(mc));
}

/* Milliseconds that all jobs cost where there is no loader. */
static double load_all(struct machine *mc)
{
	static const struct sfab_place_options o;
	struct sfab_place *threaded = mc->p;
	struct sfab_snapshot *snap;
	struct sfab_conf *conf;
	struct sfab_err err;
	double start;

	conf = sfab_conf_load(mc->conf, NULL, &err);
	bench_must(conf != NULL, &err);
	snap = sfab_snapshot_load(conf->snapshot, NULL, &err);
	bench_must(snap != NULL, &err);
	mc->p = sfab_place_create(&o, &err);
	bench_must(mc->p && !sfab_place_use_snapshot(mc->p, snap, conf, &err), &err);
	start = thread_cpu();
	tell_all(mc);
	start = thread_cpu() - start;
	sfab_place_destroy(mc->p);
	mc->p = threaded;
	return 1e3 * start;
}

int main(int argc, char **argv)
{
	static const struct sfab_err usage = { SFAB_EINVAL,
		"usage: swap SNAPSHOT OTHER RUNNING EACH SWAPS" };
	struct machine mc = { 0 };
	struct retell_times r = { 0 };
	double *usual, *swap, *after, counted, seconds, worst = 0;
	uint64_t anew;
	uint32_t n;

	bench_must(argc == 6, &usage);
	mc.running = (uint32_t) atoi(argv[3]);
	mc.each = (uint32_t) atoi(argv[4]);
	n = (uint32_t) atoi(argv[5]);
	usual = bench_alloc(n + 1, sizeof(double));
	swap = bench_alloc(n + 1, sizeof(double));
	after = bench_alloc(n + 1, sizeof(double));
	open_machine(&mc, argv[1]);
	wait_for_swap(&mc, usual, swap);
	anew = sfab_place_counts(mc.p)->reloaded;
	for (uint32_t i = 0; i < n; i++) {
		put(&mc, argv[1 + (i + 1) % 2]);
		after[i] = wait_for_swap(&mc, &usual[i], &swap[i]);
	}
	anew = sfab_place_counts(mc.p)->reloaded - anew;
	for (uint32_t i = 0; i < n; i++) {
		put_counters(&mc, argv[1 + n % 2]);
		wait_for_swap(&mc, &counted, &seconds);
		if (seconds > worst)
			worst = seconds;
	}
	for (int i = 0; i < ROUNDS; i++)
		retell_once(&mc, &r);
	printf("%u %u %u %u %.1f", mc.n, mc.running, mc.each, n,
	       1e6 * bench_quantile(usual, n, 0.5));
	printf(" %.3f", 1e3 * bench_quantile(swap, n, 0.5));
	printf(" %.3f", 1e3 * bench_quantile(swap, n, 1));
	printf(" %.2f", bench_quantile(after, n, 0.5));
	printf(" %.2f", bench_quantile(after, n, 1));
	printf(" %u %.3f", (unsigned) anew, 1e3 * worst);
	printf(" %.1f %.1f %.1f %.1f", r.same, r.anew, r.gone, r.nodes);
	printf(" %.1f\n", load_all(&mc));
	close_machine(&mc);
	return 0;
}
