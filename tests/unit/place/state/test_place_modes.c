/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_place_modes.c - what sfabric.conf says of modes holds at once, whatever the snapshot is. */

#include "tests/unit/fixtures/unit.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "place/state/loader.h"
#include "tests/unit/fixtures/service.h"

/* -- a file system that hangs --------------------------------------------- */

static char hangs_at[80];		/* a path; "": it does not */
static atomic_int hanging, asleep;

int lstat(const char *path, struct stat *st);

/* The loader's first look at a file: as long as it hangs, it does not end. */
int lstat(const char *path, struct stat *st)
{
	while (atomic_load(&hanging) && !strcmp(path, hangs_at)) {
		atomic_store(&asleep, 1);
		unit_nap();
	}
	return fstatat(AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);
}

/* -- a clock that is set --------------------------------------------------- */

static atomic_long ahead_s;
static _Thread_local int fast;	/* not 0: counts this thread's looks, 200 ms each */

int clock_gettime(clockid_t clock, struct timespec *t)
{
	int rc = (int) syscall(SYS_clock_gettime, clock, t);

	if (clock == CLOCK_REALTIME)
		t->tv_sec += atomic_load(&ahead_s);
	if (clock == CLOCK_MONOTONIC && fast)
		t->tv_sec += fast++ / 5;
	return rc;
}

/* -- a service with its files ----------------------------------------------- */

static struct service t;
static const char *conf_path, *snap, *counters;

static void write_conf(const char *more)
{
	char text[800];

	snprintf(text, sizeof(text), "DefaultTraffic=mpi\nSnapshot=%s\n%s",
		 snap, more);
	unit_write(conf_path, text);
}

static void write_snapshot(void)
{
	service_save_snapshot(&service_shape, snap);
}

static void set_up(void)
{
	service_forget_log();
	conf_path = unit_path("sfabric.conf");
	snap = unit_path("fabric.snap");
	counters = unit_path("counters.snap");
}

static void start(void)
{
	service_start_on(&t, conf_path, service_shape.leaves * service_shape.hosts);
}

/* Ask until the reason is @reason.  Fail after a minute. */
static void wait_for(enum sfab_reason reason)
{
	time_t end = time(NULL) + 60;
	const struct sfab_decision *d;

	do {
		d = service_ask(&t, 1, 4);
		unit_nap();
	} while (d->reason != reason && time(NULL) < end);
	ck_assert_str_eq(sfab_reason_word(d->reason), sfab_reason_word(reason));
}

/* -- stories ---------------------------------------------------------------- */

#define TRUNCATE "truncate -s 700 fabric.snap"

static const char *const spoils[] = {	/* the first leaves none */
	"rm fabric.snap", TRUNCATE, "echo this is no snapshot >fabric.snap",
};

LOOP_TEST(off_holds_while_the_snapshot_is_bad_and_when_it_is_back, N(spoils))
{
	write_conf("Mode=on\n");
	write_snapshot();
	start();
	wait_for(SFAB_PLACED);
	unit_shell(spoils[_i]);
	if (!_i)
		wait_for(SFAB_STOCK_NO_SNAPSHOT);
	service_wait_for_log(!_i ? "Slurm places jobs" : "the last good one stays in use", 1);
	write_conf("Mode=off\n");
	wait_for(SFAB_STOCK_OFF);
	ck_assert_int_eq(service_log_count("mode is now off"), 1);
	write_snapshot();
	service_wait_for_log(" hosts, ", 2);	/* the loader has read it */
	wait_for(SFAB_STOCK_OFF);
	write_conf("Mode=observe\nPartitionMode=a:on\n");
	wait_for(SFAB_STOCK_OBSERVE);
	t.ask.partition = "a";
	wait_for(SFAB_PLACED);
}

/* Before any snapshot could be read. */
TEST(off_is_known_without_a_snapshot)
{
	start();
	wait_for(SFAB_STOCK_NO_SNAPSHOT);
	write_conf("Mode=off\n");
	wait_for(SFAB_STOCK_OFF);
	write_conf("Mode=on\n");
	wait_for(SFAB_STOCK_NO_SNAPSHOT);
	ck_assert_int_eq(service_ask(&t, 1, 4)->mode, SFAB_MODE_ON);
}

TEST(off_holds_while_the_file_system_hangs)
{
	write_conf("Mode=on\n");
	write_snapshot();
	start();
	wait_for(SFAB_PLACED);
	strcpy(hangs_at, snap);
	atomic_store(&asleep, 0);
	atomic_store(&hanging, 1);
	while (!atomic_load(&asleep))
		unit_nap();
	write_conf("Mode=on\nPartitionMode=a:off\n");
	t.ask.partition = "a";
	wait_for(SFAB_STOCK_OFF);
	t.ask.partition = NULL;
	wait_for(SFAB_PLACED);
	write_conf("Mode=off\n");
	wait_for(SFAB_STOCK_OFF);
	atomic_store(&hanging, 0);
}

/* An hour ahead while sleeps begin, then right: nobody sleeps for an hour. */
TEST(a_clock_that_is_set_back_holds_nothing_up)
{
	write_conf("Mode=on\n");
	write_snapshot();
	atomic_store(&ahead_s, 3600);
	start();
	wait_for(SFAB_PLACED);
	usleep(20000);	/* its threads sleep by now */
	atomic_store(&ahead_s, 0);
	write_conf("Mode=observe\n");
	wait_for(SFAB_STOCK_OBSERVE);
}

/* Look at the files once; the steps of the generation's conf, 0: no new generation. */
static uint32_t steps_after_look(struct sfab_loader *l,
				 struct sfab_handoff *handoff)
{
	struct sfab_generation *gen;
	uint32_t steps = 0;

	sfab_loader_step(l, time(NULL));
	gen = sfab_handoff_adopt(handoff);
	if (gen) {
		steps = gen->conf->max_steps;
		sfab_handoff_retire(handoff, gen);
	}
	return steps;
}

/* Other loads make a generation with the old conf: the new one is not forgotten. */
TEST(a_conf_waits_for_the_snapshot)
{
	const struct sfab_place_options o = service_options(conf_path);
	struct sfab_event_queue queue = { .newest = NULL };
	struct sfab_handoff handoff = { 0 };
	struct sfab_loader *l;
	char conf[400];

	snprintf(conf, sizeof(conf), "Counters=%s\nMaxSteps=111\n", counters);
	write_conf(conf);
	write_snapshot();
	l = sfab_loader_create(&o, &handoff, &queue, NULL, NULL);
	ck_assert_uint_eq(steps_after_look(l, &handoff), 111);
	unit_shell(TRUNCATE);
	snprintf(conf, sizeof(conf), "Counters=%s\nMaxSteps=222\n", counters);
	write_conf(conf);
	unit_write(counters, "nonsense");
	ck_assert_uint_eq(steps_after_look(l, &handoff), 0);
	unlink(counters);		/* none any more: other loads */
	ck_assert_uint_eq(steps_after_look(l, &handoff), 111);
	write_snapshot();
	ck_assert_uint_eq(steps_after_look(l, &handoff), 222);
	ck_assert_int_eq(sfab_loader_destroy(l), 0);
	sfab_conf_destroy(sfab_handoff_adopt_modes(&handoff));
}

static void write_until_said(const char *conf, const char *line)
{
	write_conf(conf);
	service_wait_for_log(line, 1);
}

/* Twenty jobs get other nodes; nothing is asked while the admin writes. */
TEST(refused_jobs_trip_the_governor_until_the_mode_was_another_one)
{
	write_conf("Mode=on\n");
	write_snapshot();
	start();
	t.ask.partition = "a";
	wait_for(SFAB_PLACED);
	for (uint32_t id = 1; id <= 20; id++) {
		memset(t.node, SFAB_NODE_USABLE | SFAB_NODE_IDLE, t.nnodes);
		ck_assert_int_eq(service_ask(&t, id, 4)->reason, SFAB_PLACED);
		ck_assert_ptr_null(sfab_place_ask_more(t.p, &t.ask));
		service_begin_on(&t, id, (uint32_t[]) { 0, 5, 10, 15 }, 4, 0);
		sfab_place_end(t.p, id, 0);
	}
	ck_assert_int_eq(service_log_count("partition a: Slurm could not use the nodes"), 1);
	ck_assert_int_eq(service_ask(&t, 77, 4)->reason, SFAB_STOCK_OBSERVE);
	ck_assert_uint_eq(service_ask(&t, 77, 4)->n, 4);
	t.ask.partition = "b";
	ck_assert_int_eq(service_ask(&t, 78, 4)->reason, SFAB_PLACED);
	t.ask.partition = "a";
	write_until_said("Mode=observe\n", "mode is now observe");
	write_until_said("Mode=on\n", "mode is now on");
	ck_assert_int_eq(service_ask(&t, 79, 4)->reason, SFAB_PLACED);
}

/* A clock that goes fast, for a machine that is slow. */
TEST(after_slow_searches_nothing_is_searched)
{
	uint64_t searched;

	write_conf("Mode=on\n");
	write_snapshot();
	start();
	wait_for(SFAB_PLACED);
	fast = 1;
	for (uint32_t id = 2; id < 60; id++)
		service_ask(&t, id, 4);
	ck_assert_int_eq(service_log_count("took twice as long as MaxSearchTime: decisions are "
					   "only"), 1);
	searched = sfab_place_counts(t.p)->searched;
	ck_assert_int_eq(service_ask(&t, 77, 4)->mode, SFAB_MODE_OBSERVE);
	ck_assert_int_eq(service_ask(&t, 77, 4)->reason, SFAB_STOCK_OBSERVE);
	ck_assert_uint_eq(sfab_place_counts(t.p)->searched, searched);
	fast = 0;		/* a stop waits by this clock, too */
}

UNIT_MAIN_WITH("place modes", set_up, NULL)
