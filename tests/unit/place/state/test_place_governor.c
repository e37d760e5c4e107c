/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_place_governor.c - the governor: quiet hours, each fault, what is in force, the admin's
 * word
 */

#include "tests/unit/fixtures/unit.h"

#include "place/state/governor.h"
#include "tests/unit/fixtures/service.h"

#define SECOND 1000000		/* microseconds */
#define MAX_US 100000		/* MaxSearchTime */

static struct sim {
	struct sfab_governor g;
	struct sfab_conf *conf;		/* read last */
	int64_t now_us;
	uint32_t draw;
	const struct sfab_trip_state *tripped;
} s;

static void read_conf(const char *text)
{
	struct sfab_conf *conf = service_parse_conf(text);

	sfab_governor_follow(&s.g, s.conf, conf);
	sfab_conf_destroy(s.conf);
	s.conf = conf;
}

static void begin_sim(const char *conf)
{
	memset(&s, 0, sizeof(s));
	s.now_us = 77777 * (int64_t) SECOND;
	read_conf(conf);
}

static void tear_down(void)
{
	sfab_conf_destroy(s.conf);
}

static int is_drawn(uint32_t of_thousand)
{
	s.draw = s.draw * 1664525 + 1013904223;
	return (s.draw >> 8) % 1000 < of_thousand;
}

/* Keep what tripped, which happens only once. */
static void keep_trip(const struct sfab_trip_state *tripped)
{
	ck_assert(!tripped || !s.tripped);
	s.tripped = tripped ? tripped : s.tripped;
}

/* A job is decided on and begins; the clock goes on by what that took. */
static void run_job(const char *partition, uint32_t took_us, int refused)
{
	s.now_us += took_us;
	keep_trip(sfab_governor_note_decision(&s.g, partition, s.now_us, took_us, MAX_US));
	keep_trip(sfab_governor_note_begin(&s.g, partition, s.now_us, refused));
}

static enum sfab_trip held(const char *partition)
{
	return sfab_governor_trip(&s.g, partition);
}

/*
 * A job each ten seconds; each hour a burst of 1,000 jobs and a host that stands still for five
 * decisions.  One job in twenty is refused, one search in 200 is stopped.
 */
TEST(twenty_quiet_hours)
{
	begin_sim("Mode=on\n");
	for (int i = 0; i < 20 * 360; i++) {
		int burst = i % 360 == 7, stands = i % 360 == 200;

		for (int k = 0; k < (burst ? 1000 : stands ? 5 : 1); k++)
			run_job(i % 2 ? "a" : "b", stands ? 60 * SECOND :
				is_drawn(5) ? 2 * MAX_US + 500 : 12000, is_drawn(50));
		s.now_us += 10 * SECOND;
	}
	ck_assert_ptr_null(s.tripped);
	ck_assert_int_eq(held("a"), SFAB_TRIP_NONE);
}

static const struct {
	enum sfab_trip trip;
	uint32_t gap_us, took_us, slow, refused;	/* the last: of 1,000 jobs */
} faults[] = {
	{ SFAB_TRIP_REFUSED, 2 * SECOND, 10000, 0, 1000 },
	{ SFAB_TRIP_REFUSED, SECOND / 2, 10000, 0, 750 },
	{ SFAB_TRIP_SLOW, SECOND, 10000, 300, 0 },
	{ SFAB_TRIP_SLOW, SECOND / 10, 10000, 40, 0 },
	{ SFAB_TRIP_BUSY, 25000, 50000, 0, 0 },
	{ SFAB_TRIP_BUSY, 0, 3000, 0, 0 },
};

/* After an hour that was good, and beside partitions that stay so. */
LOOP_TEST(each_fault_trips_within_a_minute, N(faults))
{
	int64_t began;

	begin_sim("Mode=on\n");
	for (int i = 0; i < 3600; i++) {
		run_job(i % 2 ? "a" : "b", 10000, 0);
		s.now_us += SECOND;
	}
	began = s.now_us;
	while (!s.tripped && s.now_us < began + 60 * (int64_t) SECOND) {
		int slow = is_drawn(faults[_i].slow);

		run_job("a", slow ? 2 * MAX_US + 1000 : faults[_i].took_us,
			is_drawn(faults[_i].refused));
		run_job("b", 1000, 0);
		s.now_us += faults[_i].gap_us;
	}
	ck_assert_ptr_nonnull(s.tripped);
	ck_assert_str_eq(s.tripped->name, "a");
	ck_assert_str_eq(sfab_trip_word(held("a")), sfab_trip_word(faults[_i].trip));
	ck_assert_int_eq(held("b"), SFAB_TRIP_NONE);
	for (int i = 0; i < 100; i++)	/* said once */
		run_job("a", 2 * MAX_US + 1000, 1);
}

static void refuse(const char *partition, int n)
{
	s.tripped = NULL;
	for (int i = 0; i < n; i++)
		run_job(partition, 1000, 1);
}

TEST(rare_refusals_do_not_trip)
{
	begin_sim("Mode=on\n");
	for (int i = 0; i < 100; i++) {
		refuse("a", 19);
		s.now_us += 601 * (int64_t) SECOND;
	}
	ck_assert_int_eq(held("a"), SFAB_TRIP_NONE);
	refuse("a", 20);
	ck_assert_int_eq(held("a"), SFAB_TRIP_REFUSED);
}

static const char *governor_word(const char *partition)
{
	return sfab_governor_word(&s.g, partition);
}

TEST(only_another_mode_and_on_again_in_the_conf_end_a_trip)
{
	begin_sim("Mode=on\n");
	refuse("a", 20);
	refuse("b", 20);
	read_conf("Mode=on\nPlans=spare\nPartitionMode=c:observe\n");
	read_conf("Mode=observe\nPartitionMode=a:on,b:on\n");
	read_conf("Governor=warn\nMode=on\n");
	ck_assert_int_eq(held("a"), SFAB_TRIP_REFUSED);
	ck_assert_str_eq(governor_word("a"), "refused");
	read_conf("Mode=on\nPartitionMode=a:observe\n");
	ck_assert_int_eq(held("a"), SFAB_TRIP_REFUSED);	/* a script may say on */
	ck_assert_ptr_null(governor_word("a"));
	ck_assert_str_eq(governor_word("b"), "refused");
	read_conf("Mode=on\n");
	ck_assert_int_eq(held("a"), SFAB_TRIP_NONE);
	ck_assert_int_eq(held("b"), SFAB_TRIP_REFUSED);
	refuse("a", 19);
	ck_assert_int_eq(held("a"), SFAB_TRIP_NONE);
	read_conf("Mode=on\nGovernor=off\n");
	refuse("a", 20);
	ck_assert_int_eq(held("a"), SFAB_TRIP_NONE);
	ck_assert_int_eq(held("b"), SFAB_TRIP_NONE);
}

/* sfabric.lua says on, sfabric.conf observe. */
TEST(reading_again_ends_no_trip_where_a_script_raises_the_mode)
{
	begin_sim("Mode=observe\n");
	refuse("a", 20);
	read_conf("Mode=observe\nPlans=spare\n");
	read_conf("Mode=off\n");
	ck_assert_int_eq(held("a"), SFAB_TRIP_REFUSED);
	ck_assert_str_eq(governor_word("a"), "refused");
	read_conf("Mode=observe\nPartitionMode=a:on\n");
	ck_assert_int_eq(held("a"), SFAB_TRIP_NONE);
}

/* Both were written before a job was asked for. */
TEST(modes_that_were_not_seen_count)
{
	struct sfab_conf *observe = service_parse_conf("Mode=observe\n");

	begin_sim("Mode=on\n");
	refuse("a", 20);
	observe->older = service_parse_conf("Mode=on\nPlans=spare\n");
	sfab_governor_follow(&s.g, s.conf, observe);
	ck_assert_int_eq(held("a"), SFAB_TRIP_REFUSED);
	s.conf->older = observe;
	sfab_governor_follow(&s.g, NULL, s.conf);
	ck_assert_int_eq(held("a"), SFAB_TRIP_NONE);
}

TEST(the_log_line_says_what_the_governor_does)
{
	char line[320];

	begin_sim("Mode=on\nGovernor=warn\n");
	refuse("a", 20);
	ck_assert_str_eq(sfab_governor_line(&s.g, s.tripped, line, sizeof(line)),
			 "partition a: Slurm could not use the nodes chosen for most jobs: jobs "
			 "are still placed (Governor=warn)");
}

TEST(partitions_beyond_the_table_share_the_last)
{
	char name[20];

	begin_sim("Mode=on\n");
	for (int i = 0; i < 2 * SFAB_GOVERNED; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		run_job(name, 1000, 0);
	}
	refuse("p200", 10);
	refuse("p222", 10);
	ck_assert_str_eq(s.tripped->name, "(others)");
	ck_assert_int_eq(held("p201"), SFAB_TRIP_REFUSED);
	ck_assert_int_eq(held("p0"), SFAB_TRIP_NONE);
	ck_assert_int_eq(held(NULL), SFAB_TRIP_REFUSED);
}

UNIT_MAIN_WITH("governor", NULL, tear_down)
