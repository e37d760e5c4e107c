/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_place_logring.c - the decision log: whole lines, none waited for, none grown for */

#include "tests/unit/fixtures/unit.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "place/decision.h"
#include "place/log/logline.h"
#include "place/log/logring.h"

static const char *path, *moved;

static void set_up(void)
{
	path = unit_path("log");
	moved = unit_path("log.1");
}

static struct sfab_logring *start(size_t size)
{
	struct sfab_logring *r = sfab_logring_start(size, NULL, &unit_err);

	ck_assert_ptr_nonnull(r);
	return r;
}

static long count_lines(const char *name, size_t length)
{
	char line[512];
	FILE *f = fopen(name, "r");
	long n = 0;

	if (!f)
		return -1;
	for (; fgets(line, sizeof(line), f); n++)
		ck_assert_uint_eq(strlen(line), length + 1);
	fclose(f);
	return n;
}

static void wait_for_lines(const char *name, size_t length, long n)
{
	for (int i = 0; i < 10000 && count_lines(name, length) != n; i++)
		unit_nap();
	ck_assert_int_eq(count_lines(name, length), n);
}

/* The writer makes room in an instant, or after ten seconds never will. */
static void push_when_there_is_room(struct sfab_logring *r, const char *line)
{
	int rc;

	for (int i = 0; (rc = sfab_logring_push(r, line)) && i < 10000; i++)
		unit_nap();
	ck_assert_int_eq(rc, 0);
}

TEST(writes_all_lines_with_mode_0640)
{
	struct sfab_logring *r;
	struct stat st;

	r = start(4096);
	sfab_logring_file(r, path);
	for (int i = 0; i < 1000; i++)
		push_when_there_is_room(r, "0123456789");
	sfab_logring_stop(r);
	ck_assert_int_eq(count_lines(path, 10), 1000);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 0777 & ~0640u, 0);
}

/* slurmctld starts jobs before sfabric.conf is read, which names the file. */
TEST(lines_wait_for_the_first_file)
{
	struct sfab_logring *r = start(22);

	ck_assert_int_eq(sfab_logring_push(r, "0123456789"), 0);
	ck_assert_int_eq(sfab_logring_push(r, "abcdefghij"), 0);
	for (int i = 0; i < 30; i++) {
		ck_assert_int_eq(sfab_logring_push(r, ""), -1);	/* still full */
		unit_nap();
	}
	sfab_logring_file(r, path);
	wait_for_lines(path, 10, 2);
	sfab_logring_stop(r);
}

/* With DecisionLog empty they go nowhere, and do not fill the ring. */
TEST(no_line_waits_for_a_second_file)
{
	struct sfab_logring *r = start(11);

	sfab_logring_file(r, "");
	for (int i = 0; i < 20; i++)
		push_when_there_is_room(r, "0123456789");
	sfab_logring_stop(r);
	ck_assert_int_eq(count_lines(path, 10), -1);
}

TEST(counts_lines_that_find_no_room)
{
	struct sfab_logring *r = start(64);
	char line[100];

	memset(line, 'x', 64);
	line[64] = '\0';
	ck_assert_int_eq(sfab_logring_push(r, line), -1);
	line[63] = '\0';	/* with its newline it just fits */
	ck_assert_int_eq(sfab_logring_push(r, line), 0);
	ck_assert_uint_eq(sfab_logring_lost(r), 1);
	sfab_logring_stop(r);
}

TEST(follows_a_rotated_file)
{
	struct sfab_logring *r;

	r = start(4096);
	sfab_logring_file(r, path);
	sfab_logring_push(r, "before");
	wait_for_lines(path, 6, 1);
	ck_assert_int_eq(rename(path, moved), 0);
	sfab_logring_push(r, "behind");
	wait_for_lines(path, 6, 1);
	sfab_logring_stop(r);
	ck_assert_int_eq(count_lines(moved, 6), 1);
}

static int complaints;

static void complain(enum sfab_log_level level, const char *line)
{
	ck_assert_int_eq(level, SFAB_LOG_ERROR);
	ck_assert_ptr_nonnull(strstr(line, "/nowhere/"));
	complaints++;
}

TEST(says_once_that_it_cannot_write)
{
	struct sfab_logring *r = sfab_logring_start(64, complain, &unit_err);

	sfab_logring_file(r, "/nowhere/log");
	for (int i = 0; i < 20; i++)
		push_when_there_is_room(r, "a line of some length");
	sfab_logring_stop(r);
	ck_assert_int_eq(complaints, 1);
}

TEST(never_follows_a_link)
{
	struct sfab_logring *r;

	ck_assert_int_eq(symlink(moved, path), 0);
	r = start(4096);
	sfab_logring_file(r, path);
	sfab_logring_push(r, "line");
	sfab_logring_stop(r);
	ck_assert_int_eq(access(moved, F_OK), -1);
}

static void wait_for_size(off_t size)
{
	struct stat st = { 0 };

	for (int i = 0; i < 10000 && (stat(path, &st) || st.st_size != size); i++)
		unit_nap();
	ck_assert_int_eq(st.st_size, size);
}

/* A disk that is full in the middle of a line. */
TEST(a_line_that_was_cut_spoils_no_other)
{
	struct rlimit all, few;
	struct sfab_logring *r;

	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &all), 0);
	few = (struct rlimit){ .rlim_cur = 10, .rlim_max = all.rlim_max };
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &few), 0);
	r = start(4096);
	sfab_logring_file(r, path);
	sfab_logring_push(r, "whole");
	wait_for_size(6);
	sfab_logring_push(r, "torn line");
	wait_for_size(10);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &all), 0);
	sfab_logring_push(r, "whole again");
	sfab_logring_push(r, "and this");
	sfab_logring_stop(r);
	unit_holds(path, "whole\ntorn\nwhole again\nand this\n");
}

/* So ended the writer before us. */
TEST(a_file_that_ends_within_a_line)
{
	struct sfab_logring *r;

	unit_write(path, "killed");
	r = start(4096);
	sfab_logring_file(r, path);
	sfab_logring_push(r, "whole");
	sfab_logring_stop(r);
	unit_holds(path, "killed\nwhole\n");
}

/* Nothing is known without a snapshot; with one a job may send nothing. */
TEST(unknown_traffic_is_null)
{
	static const struct sfab_traffic none = { .nparts = 0 };
	struct sfab_decision d = { .reason = SFAB_STOCK_UNASKED };
	struct sfab_logline l = { .event = "start", .id = 1, .decision = &d };
	char line[2000];

	sfab_logline_json(&l, line, sizeof(line));
	ck_assert_ptr_nonnull(strstr(line, "\"traffic\":null,"));
	l.traffic = &none;
	sfab_logline_json(&l, line, sizeof(line));
	ck_assert_ptr_nonnull(strstr(line, "\"traffic\":\"\","));
	l.traffic = NULL;
	ck_assert_int_eq(sfab_traffic_parse("mpi=0.5", NULL, &d.traffic, NULL), 0);
	sfab_logline_json(&l, line, sizeof(line));
	ck_assert_ptr_nonnull(strstr(line, "\"traffic\":\"mpi=0.5\","));
}

#define MANY 9000u

/* On nodes that all differ: the lists of shares would be longer than the line. */
TEST(lists_that_do_not_fit_are_left_out)
{
	static char line[SFAB_LOGLINE_MAX];
	static uint64_t set[MANY / 64 + 1];
	static uint32_t of_host[MANY];
	static double share[MANY];
	static float each[MANY];
	const struct sfab_nodes table = { .nhosts = MANY, .of_host = of_host };
	const struct sfab_decision d = { .is_scored = 1, .n = MANY, .node = set, .candidate = set,
					 .required = set, .each_cpus = each };
	struct sfab_logline l = { .event = "start", .id = 1, .decision = &d, .search_answer = &d,
				  .table = &table, .share = share };

	memset(set, 0xff, sizeof(set));
	for (uint32_t i = 0; i < MANY; i++) {
		of_host[i] = i;
		share[i] = each[i] = (float) (1 / (i + 1.5));
	}
	for (l.nshares = 0; l.nshares <= MANY; l.nshares += 500) {
		sfab_logline_json(&l, line, sizeof(line));
		ck_assert_str_eq(line + strlen(line) - 1, "}");
		ck_assert(!strstr(line, "asked_cpus"));
		ck_assert(!strstr(line, "\"cpus\"") == (!l.nshares || l.nshares > 4500));
	}
}

UNIT_MAIN_WITH("place logring", set_up, NULL)
