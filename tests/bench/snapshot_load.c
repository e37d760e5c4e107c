/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot_load.c - how long slurmctld's loader needs for a large snapshot
 *
 * A fat tree of three levels of 36-port switches, all ports used: 11,664 hosts,
 * 648 leaves, 648 middle switches (18 each in 36 pods), 324 at the top; tables
 * by the place of the destination, d-mod-k.  Each load is a process of its own,
 * so that its peak memory is its own; the file is in the page cache.
 *
 *     top       324: port of pod
 *     middle    18 in a pod: 18 down to its leaves, 18 up
 *     leaf      18 in a pod: 18 hosts, 18 up
 */

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/fabric/builder.h"
#include "io/snapshot/snapshot.h"
#include "tests/bench/bench.h"

#define HALF 18u
#define PODS (2 * HALF)
#define HOSTS (PODS * HALF * HALF)
#define EDGE (PODS * HALF)		/* leaves; as many middle switches */
#define LIDS (1 + HOSTS)
#define GBS4 4e9
#define LOADS 21

enum { LEAF = 0x10000, MIDDLE = 0x20000, TOP = 0x30000, HOST = 0x40000 };

struct load {
	double seconds, cpu, megabytes;	/* megabytes: peak over the start's */
};

static void cable(struct sfab_builder *b, uint64_t guid, unsigned num,
		  uint64_t to, unsigned to_num)
{
	struct sfab_err err;

	bench_must(sfab_builder_link(b, 0, guid, num, to, to_num, GBS4, 1,
				     &err) == 0 &&
		   sfab_builder_link(b, 0, to, to_num, guid, num, GBS4, 1,
				     &err) == 0, &err);
}

static void add_hosts(struct sfab_builder *b)
{
	struct sfab_err err;
	char name[32];

	for (unsigned h = 0; h < HOSTS; h++) {
		snprintf(name, sizeof(name), "n%05u HCA-1", h + 1);
		bench_must(sfab_builder_port(b, 0, HOST + 2 * h, 1,
					     HOST + 2 * h + 1, name, NULL,
					     1 + h, 0, &err) == 0, &err);
		cable(b, HOST + 2 * h, 1, LEAF + h / HALF, 1 + h % HALF);
	}
}

/* Out port towards host @h of switch @i at a level. */
static unsigned leaf_port(unsigned i, unsigned h)
{
	return h / HALF == i ? 1 + h % HALF : 1 + HALF + h % HALF;
}

static unsigned middle_port(unsigned i, unsigned h)
{
	unsigned leaf = h / HALF;

	return leaf / HALF == i / HALF ? 1 + leaf % HALF
				       : 1 + HALF + leaf % HALF;
}

static unsigned top_port(unsigned i, unsigned h)
{
	return 1 + h / (HALF * HALF);
}

static void add_switches(struct sfab_builder *b, uint64_t guid, unsigned n,
			 unsigned (*port)(unsigned, unsigned))
{
	uint8_t *table = bench_alloc(LIDS, 1);
	struct sfab_err err;
	char name[32];

	table[0] = SFAB_PORT_NONE;
	for (unsigned i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "switch-%x", (unsigned) guid + i);
		for (unsigned h = 0; h < HOSTS; h++)
			table[1 + h] = (uint8_t) port(i, h);
		bench_must(sfab_builder_switch(b, 0, guid + i, name, 2 * HALF,
					       0, &err) == 0 &&
			   sfab_builder_lft(b, 0, guid + i, 0, table, LIDS,
					    &err) == 0, &err);
	}
	free(table);
}

static void cable_switches(struct sfab_builder *b)
{
	for (unsigned i = 0; i < EDGE; i++)
		for (unsigned up = 0; up < HALF; up++) {
			cable(b, LEAF + i, 1 + HALF + up,
			      MIDDLE + i / HALF * HALF + up, 1 + i % HALF);
			cable(b, MIDDLE + i, 1 + HALF + up,
			      TOP + i % HALF * HALF + up, 1 + i / HALF);
		}
}

static struct sfab_snapshot *make(void)
{
	struct sfab_builder *b = sfab_builder_create(SFAB_BUILD_STRICT);
	struct sfab_snapshot *s = NULL;
	struct sfab_fabric *f;
	struct sfab_err err = { SFAB_ENOMEM, "no memory" };

	bench_must(b && sfab_builder_plane(b, "", &err) == 0, &err);
	add_switches(b, LEAF, EDGE, leaf_port);
	add_switches(b, MIDDLE, EDGE, middle_port);
	add_switches(b, TOP, EDGE / 2, top_port);
	add_hosts(b);
	cable_switches(b);
	f = sfab_builder_freeze(b, &err);
	if (f)
		s = sfab_snapshot_take(f, NULL, &err);
	bench_must(s != NULL, &err);
	sfab_builder_destroy(b);
	return s;
}

/* Peak resident memory; getrusage() would count the parent's before exec. */
static double peak_megabytes(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	double kilobytes = 0;
	char line[256];

	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "VmHWM: %lf kB", &kilobytes) == 1)
			break;
	if (status)
		fclose(status);
	return kilobytes * 1024 / 1e6;
}

/* Load @path once: what it took, written to @out. */
static void load_once(const char *path, int out)
{
	struct sfab_trust trust = { .check = 1, .uid = getuid() };
	double before = peak_megabytes(), cpu = bench_cpu();
	double start = bench_clock();
	struct sfab_snapshot *s;
	struct sfab_err err;
	struct load load;

	s = sfab_snapshot_load(path, &trust, &err);
	load.seconds = bench_clock() - start;
	load.cpu = bench_cpu() - cpu;
	load.megabytes = peak_megabytes() - before;
	bench_must(s != NULL, &err);
	sfab_snapshot_destroy(s);
	if (write(out, &load, sizeof(load)) != sizeof(load))
		exit(1);
	exit(0);
}

static struct load measure(const char *program, const char *path)
{
	static const struct sfab_err failed = { SFAB_EIO, "a load failed" };
	struct load load;
	char number[16];
	int ends[2], status;
	pid_t pid;

	bench_must(pipe(ends) == 0, &failed);
	snprintf(number, sizeof(number), "%d", ends[1]);
	pid = fork();
	if (pid == 0) {
		execl(program, program, path, number, (char *) NULL);
		_exit(127);
	}
	close(ends[1]);
	bench_must(read(ends[0], &load, sizeof(load)) == sizeof(load), &failed);
	close(ends[0]);
	bench_must(waitpid(pid, &status, 0) == pid && status == 0, &failed);
	return load;
}

static int by_seconds(const void *a, const void *b)
{
	double x = ((const struct load *) a)->seconds;
	double y = ((const struct load *) b)->seconds;

	return x < y ? -1 : x > y;
}

static void report(const char *program, const char *path)
{
	struct load load[LOADS];
	struct stat st = { 0 };

	for (int i = 0; i < LOADS; i++)
		load[i] = measure(program, path);
	qsort(load, LOADS, sizeof(*load), by_seconds);
	stat(path, &st);
	printf("snapshot of %u hosts, %u switches, %.1f MB: loaded and verified "
	       "in %.1f ms (median of %d, %.1f to %.1f; CPU %.1f ms), "
	       "peak memory %.1f MB\n", HOSTS, 2 * EDGE + EDGE / 2,
	       (double) st.st_size / 1e6, 1e3 * load[LOADS / 2].seconds, LOADS,
	       1e3 * load[0].seconds, 1e3 * load[LOADS - 1].seconds,
	       1e3 * load[LOADS / 2].cpu, load[LOADS / 2].megabytes);
}

int main(int argc, char **argv)
{
	char folder[] = "/tmp/sfab-bench-XXXXXX", path[64];
	struct sfab_snapshot *s;
	struct sfab_err err = { SFAB_EIO, "no folder" };
	double start = bench_clock();

	if (argc == 3)
		load_once(argv[1], atoi(argv[2]));
	bench_must(mkdtemp(folder) != NULL, &err);
	snprintf(path, sizeof(path), "%s/fabric.snap", folder);
	s = make();
	printf("made in %.1f s\n", bench_clock() - start);
	start = bench_clock();
	bench_must(sfab_snapshot_save(s, path, 0644, &err) == 0, &err);
	printf("saved in %.0f ms\n", 1e3 * (bench_clock() - start));
	sfab_snapshot_destroy(s);
	report(argv[0], path);
	unlink(path);
	rmdir(folder);
	return 0;
}
