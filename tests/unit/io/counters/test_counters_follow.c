/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_counters_follow.c - rates and wait shares out of two samples: vectors, wraps, resets,
 * means
 */

#include "tests/unit/fixtures/unit.h"

#include <math.h>

#include "io/counters/counters.h"

enum { NO_RATE = SFAB_COUNTER_NO_RATE, NO_WAIT = SFAB_COUNTER_NO_WAIT,
       STUCK = SFAB_COUNTER_STUCK, NO_DATA = SFAB_COUNTER_NO_DATA };

/* One port, a second apart unless @ms; what was known before is 0. */
static const struct {
	const char *name;
	uint64_t words0, words1, wait0, wait1, ms;
	uint8_t flags0, flags1;		/* as the samples were read */
	double tick_s;
	double rate, wait;
	uint8_t flags;
} vector[] = {
	{ "a second of a gigaword", 0, 1000000000, 0, 0, 1000,
	  NO_RATE | NO_WAIT, 0, 0, 4e9, 0, 0 },
	{ "half a second", 5, 1005, 0, 0, 500, NO_RATE | NO_WAIT, 0, 0, 8000, 0, 0 },
	{ "three quarters waited", 0, 100, 0, 300, 1000, NO_RATE | NO_WAIT, 0, 0,
	  400, 0.75, 0 },
	{ "a tick of a nanosecond", 0, 100, 0, 200000000, 1000,
	  NO_RATE | NO_WAIT, 0, 1e-9, 400, 0.2, 0 },
	{ "never more than all the time", 0, 100, 0, 4000000000, 1000,
	  NO_RATE | NO_WAIT, 0, 1e-9, 400, 1, 0 },
	{ "wrapped at 2^64", UINT64_MAX - 49, 50, 0, 0, 1000, NO_RATE | NO_WAIT,
	  0, 0, 400, 0, 0 },
	{ "went back: reset", 1000000, 10, 0, 0, 1000, 0, 0, 0, 0, 0,
	  NO_RATE | NO_WAIT },
	{ "wait went back: reset", 0, 100, 50, 10, 1000, 0, 0, 0, -1, 0, NO_WAIT },
	{ "wait is stuck", 0, 100, 0, UINT32_MAX, 1000, 0, NO_WAIT | STUCK, 0, -1,
	  0, NO_WAIT | STUCK },
	{ "wait was stuck", 0, 100, UINT32_MAX, UINT64_MAX, 1000, NO_WAIT | STUCK,
	  0, 0, -1, 0, NO_WAIT },
	{ "32-bit data counters are stuck", 0, UINT32_MAX, 0, 0, 1000, 0, NO_RATE,
	  0, 0, 0, NO_RATE | NO_WAIT },
	/* not "sends nothing, and waits all the time" */
	{ "no data in either sample", 0, 0, 5, 9, 1000, NO_DATA, NO_DATA, 0, 0, 0,
	  NO_RATE | NO_WAIT | NO_DATA },
	/* not all that was ever sent in a second */
	{ "data after a sample without", 0, 5000, 5, 9, 1000, NO_DATA, 0, 0, 0, 0,
	  NO_RATE | NO_WAIT },
	{ "has no XmitWait", 0, 100, 0, 0, 1000, NO_RATE | NO_WAIT, NO_WAIT, 0,
	  400, 0, NO_WAIT },
};

static struct sfab_counters *one(uint64_t words, uint64_t wait, uint64_t ms,
				 uint8_t flags)
{
	struct sfab_counters *c = sfab_counters_create(1);

	unit_cleanup(c, sfab_counters_destroy);
	c->row[0] = (struct sfab_counter) { .guid = 1, .port = 1, .time_ms = ms,
					    .flags = flags, .xmit_words = words,
					    .rcv_words = words, .wait_ticks = wait };
	return c;
}

LOOP_TEST(one_step, N(vector))
{
	struct sfab_counters *a = one(vector[_i].words0, vector[_i].wait0, 7000,
				      vector[_i].flags0);
	struct sfab_counters *b = one(vector[_i].words1, vector[_i].wait1,
				      7000 + vector[_i].ms, vector[_i].flags1);
	const struct sfab_counter *c = &b->row[0];

	sfab_counters_follow(b, a, vector[_i].tick_s);
	ck_assert_msg(c->flags == vector[_i].flags, "%s: flags %u",
		      vector[_i].name, c->flags);
	if (vector[_i].rate >= 0)
		ck_assert_double_eq_tol(c->xmit_rate, vector[_i].rate, 1e-6);
	ck_assert_double_eq(c->xmit_rate, c->rcv_rate);
	ck_assert_double_eq_tol(c->wait_share, vector[_i].wait, 1e-12);
	ck_assert_uint_eq(c->interval_ms, vector[_i].ms);
}

TEST(a_first_sample_tells_no_rate)
{
	struct sfab_counters *b = one(100, 100, 1000, 0);

	sfab_counters_follow(b, NULL, 0);
	ck_assert_uint_eq(b->row[0].flags, NO_RATE | NO_WAIT);
	ck_assert_uint_eq(b->row[0].interval_ms, 0);
}

/* A port that gave no answer stands in the new file as in the old. */
TEST(a_silent_port_keeps_its_row)
{
	struct sfab_counters *a = one(100, 0, 1000, 0), *b;

	a->row[0].xmit_rate = 5e8;
	a->row[0].wait_share = 0.5;
	b = one(0, 0, 1000, 0);
	sfab_counters_follow(b, a, 0);
	ck_assert_mem_eq(&a->row[0], &b->row[0], sizeof(a->row[0]));
}

TEST(new_events_are_counted)
{
	struct sfab_counters *a = one(0, 0, 1000, 0), *b = one(0, 0, 2000, 0);

	a->row[0].discards = 7;
	b->row[0].discards = 10;
	a->row[0].errors = 9;
	b->row[0].errors = 2;		/* cleared, then two */
	sfab_counters_follow(b, a, 0);
	ck_assert_uint_eq(b->row[0].new_discards, 3);
	ck_assert_uint_eq(b->row[0].new_errors, 2);
}

/* Steps of @ms with 100 words a second and three ticks for each word. */
static double mean_after_60s(uint64_t ms)
{
	struct sfab_counters *a = one(0, 0, 0, 0), *b;

	for (uint64_t t = ms; t <= 60000; t += ms) {
		b = one(t / 10, 3 * t / 10, t, 0);
		sfab_counters_follow(b, a, 0);
		a = b;
	}
	ck_assert_double_eq_tol(a->row[0].wait_share, 0.375, 1e-9);
	return a->row[0].xmit_rate;
}

/* From 0, after one half-life: half, whatever the steps. */
TEST(half_is_forgotten_in_half_a_life)
{
	static const uint64_t step[] = { 1000, 10000, 30000, 60000 };

	ck_assert_uint_eq(SFAB_HALF_LIFE_S, 60);
	for (size_t i = 0; i < sizeof(step) / sizeof(step[0]); i++)
		ck_assert_double_eq_tol(mean_after_60s(step[i]), 200, 1e-6);
}

/*
 * Follow a counter that rests for ten half-lives and sends @rate words a second for 30 s.
 * After that it is reset @resets times and read each 30 s.  Return the mean after one more
 * sample.
 */
static double mean_after_resets(uint32_t resets, uint64_t rate)
{
	struct sfab_counters *a = one(0, 0, 0, 0), *b = one(0, 0, 600000, 0);
	uint64_t words = 1000 * rate;

	sfab_counters_follow(b, a, 0);
	for (uint32_t i = 0; i < resets + 2; i++) {
		a = b;
		a->row[0].xmit_words = a->row[0].rcv_words = words;
		words = i && i <= resets ? words / 2 : words + 30 * rate;
		b = one(words, 0, 600000 + 30000 * (i + 1), 0);
		sfab_counters_follow(b, a, 0);
		ck_assert_int_eq((b->row[0].flags & NO_RATE) != 0, i && i <= resets);
	}
	return b->row[0].xmit_rate / SFAB_WORD;
}

/* A job that began 30 s before a reset is not taken for one that always ran. */
TEST(a_reset_keeps_the_mean)
{
	ck_assert_double_eq_tol(mean_after_resets(0, 1000), 1000 * (1 - exp2(-1)), 1e-6);
	ck_assert_double_eq_tol(mean_after_resets(1, 1000), 1000 * (1 - exp2(-1.5)), 1e-6);
	ck_assert_double_eq_tol(mean_after_resets(2, 1000), 1000, 1e-6);
}

UNIT_MAIN("counters_follow")
