/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swap.c - what a new snapshot costs the thread that slurmctld asks with
 *
 *     swap SNAPSHOT OTHER RUNNING SWAPS
 *
 * A placement service with RUNNING jobs; its snapshot file is replaced SWAPS
 * times, by OTHER and SNAPSHOT in turn, while questions come a thousand times a
 * second that need no search.  Prints one line:
 *
 *     HOSTS RUNNING SWAPS ASK_US SWAP_MS SWAP_MAX_MS AFTER_S AFTER_MAX_S ANEW ALL_MS COUNT_MAX_MS
 *
 * ASK_US: CPU time of a question, SWAP_MS of one that took the new snapshot into
 * use, median and worst; AFTER_S how long after the file was there; ANEW how
 * many jobs had to be looked at again for that; ALL_MS what it costs to put all
 * jobs on the tables, which is what the loader's thread does instead.
 * COUNT_MAX_MS: the worst of as many questions that took new counters.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../io/counters.h"
#include "../../plugin/place/place.h"
#include "bench.h"

struct machine {
	struct sfab_place *p;
	uint32_t n;			/* nodes */
	struct sfab_place_node *node;
	uint32_t running;
	char folder[64], snap[80], conf[80], counters[80];
};

static void read_nodes(struct machine *mc, const char *path)
{
	struct sfab_snapshot *s = bench_snapshot(path);
	const struct sfab_fabric *f = s->fabric;

	mc->node = bench_alloc(f->nhosts, sizeof(*mc->node));
	for (uint32_t h = 0; h < f->nhosts; h++)
		mc->node[mc->n++] = (struct sfab_place_node){
			strdup(f->hosts[h].name), 8, 8000 };
	sfab_snapshot_destroy(s);
}

/* Each has 32 nodes far from each other, and a CPU of each. */
static void start_jobs(struct machine *mc)
{
	const uint32_t each = mc->n < 32 ? mc->n : 32, step = mc->n / each;
	uint32_t *node = bench_alloc(each, sizeof(*node));
	uint32_t *cpus = bench_alloc(each, sizeof(*cpus));

	for (uint32_t k = 0; k < mc->running; k++) {
		struct sfab_place_run run = {
			.id = k + 1, .asked_id = k + 1, .n = each, .node = node,
			.cpus = cpus, .flags = SFAB_RUN_KNOWN,
		};

		for (uint32_t i = 0; i < each; i++) {
			node[i] = (k + i * step) % mc->n;
			cpus[i] = 1;
		}
		sfab_place_begin(mc->p, &run);
	}
	free(node);
	free(cpus);
}

static double tell_all(struct machine *mc)
{
	double start = bench_cpu();
	struct sfab_err err;

	bench_must(!sfab_place_set_nodes(mc->p, mc->node, mc->n, &err), &err);
	start_jobs(mc);
	return bench_cpu() - start;
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
	for (uint32_t i = 0; i < mc->n; i++)
		free((char *) mc->node[i].name);
	free(mc->node);
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

/* CPU time of the calling thread. */
static double thread_cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static struct sfab_place_counts counts(const struct machine *mc)
{
	struct sfab_place_counts c;

	sfab_place_counts(mc->p, &c);
	return c;
}

/* A job that cannot start now: no search.  Returns its CPU seconds. */
static double ask(struct machine *mc)
{
	const struct sfab_ask ask = { .id = 999999, .flags = SFAB_ASK_FUTURE,
				      .min_nodes = 1, .req_nodes = 1 };
	double start = thread_cpu();

	sfab_place_ask(mc->p, &ask);
	return thread_cpu() - start;
}

/* Ask until the next snapshot is in use; the last question is *@swap. */
static double wait_for_swap(struct machine *mc, double *usual, double *swap)
{
	uint64_t worlds = counts(mc).worlds;
	double start = bench_clock();

	for (;;) {
		double seconds = ask(mc);

		if (counts(mc).worlds > worlds) {
			*swap = seconds;
			return bench_clock() - start;
		}
		*usual = seconds;
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
}

int main(int argc, char **argv)
{
	static const struct sfab_err usage = { SFAB_EINVAL,
		"usage: swap SNAPSHOT OTHER RUNNING SWAPS" };
	struct machine mc = { 0 };
	double *usual, *swap, *after, counted, seconds, worst = 0;
	uint64_t anew;
	uint32_t n;

	bench_must(argc == 5, &usage);
	mc.running = (uint32_t) atoi(argv[3]);
	n = (uint32_t) atoi(argv[4]);
	usual = bench_alloc(n + 1, sizeof(double));
	swap = bench_alloc(n + 1, sizeof(double));
	after = bench_alloc(n + 1, sizeof(double));
	open_machine(&mc, argv[1]);
	wait_for_swap(&mc, usual, swap);
	anew = counts(&mc).reloaded;
	for (uint32_t i = 0; i < n; i++) {
		put(&mc, argv[1 + (i + 1) % 2]);
		after[i] = wait_for_swap(&mc, &usual[i], &swap[i]);
	}
	anew = counts(&mc).reloaded - anew;
	for (uint32_t i = 0; i < n; i++) {
		put_counters(&mc, argv[1 + n % 2]);
		wait_for_swap(&mc, &counted, &seconds);
		if (seconds > worst)
			worst = seconds;
	}
	printf("%u %u %u %.1f", mc.n, mc.running, n,
	       1e6 * bench_quantile(usual, n, 0.5));
	printf(" %.3f", 1e3 * bench_quantile(swap, n, 0.5));
	printf(" %.3f", 1e3 * bench_quantile(swap, n, 1));
	printf(" %.2f", bench_quantile(after, n, 0.5));
	printf(" %.2f", bench_quantile(after, n, 1));
	printf(" %u %.1f", (unsigned) anew, 1e3 * tell_all(&mc));
	printf(" %.3f\n", 1e3 * worst);
	close_machine(&mc);
	free(usual);
	free(swap);
	free(after);
	return 0;
}
