/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters_follow.c - rates from two samples, smoothed; see counters.h
 *
 * After a time dt with the value x, a mean m becomes x + (m - x) 2^(-dt / half-life).  The
 * result does not depend on how many samples the time is divided into.
 *
 * A reset hides one interval.  The mean of before waits in the row, though its rate is
 * unknown, and the next sample counts for the hidden interval, too.  If the mean started over
 * instead, the present load would count as that of all time, and a job that began a moment
 * ago would seem to send several times as much.
 */

#include "io/counters/counters.h"

#include <math.h>

/* What one sample yields on its own; negative: unknown. */
struct sample_rates {
	double xmit, rcv;	/* bytes/s */
	double wait;		/* share */
};

/*
 * Return the rate between two totals; -1: unknown.  Subtraction is unsigned, so that a total
 * may wrap at 2^64.  A total that was reset gives a difference of nearly 2^64 words, which is
 * beyond any rate.
 */
static double rate_of_words(uint64_t now, uint64_t before, double seconds)
{
	double x = (double) (now - before) * SFAB_WORD / seconds;

	return x <= SFAB_RATE_MAX ? x : -1;
}

/*
 * Return the share of the time that data waited, 0..1.  A tick of unknown length counts as one
 * word.
 */
static double wait_share(const struct sfab_counter *now,
			 const struct sfab_counter *before, double seconds,
			 double tick_s)
{
	double ticks = (double) (now->wait_ticks - before->wait_ticks);
	double words = (double) (now->xmit_words - before->xmit_words);

	if (tick_s > 0)
		return fmin(ticks * tick_s / seconds, 1);
	return ticks > 0 ? ticks / (ticks + words) : 0;
}

/* Compute what happened between two samples of a port; -1: not known. */
static struct sample_rates compare_samples(const struct sfab_counter *now,
					   const struct sfab_counter *before, double tick_s)
{
	double seconds = now->interval_ms / 1000.0;
	struct sample_rates s = {
	    .xmit = rate_of_words(now->xmit_words, before->xmit_words, seconds),
	    .rcv = rate_of_words(now->rcv_words, before->rcv_words, seconds),
	    .wait = -1};

	if (s.xmit < 0 || s.rcv < 0 || now->flags & SFAB_COUNTER_NO_RATE ||
	    (now->flags | before->flags) & SFAB_COUNTER_NO_DATA)
		s.xmit = s.rcv = -1;
	else if (!(now->flags & SFAB_COUNTER_NO_WAIT) &&
		 !(before->flags & SFAB_COUNTER_STUCK) &&
		 now->wait_ticks >= before->wait_ticks)
		s.wait = wait_share(now, before, seconds, tick_s);
	return s;
}

/* Keep the share @keep of mean @m, fill up with @x; @known 0: no mean yet. */
static double smooth_mean(double m, double x, double keep, int known)
{
	return known ? x + (m - x) * keep : x;
}

/*
 * Count events since @before; a count that decreased was reset to 0 in between.  A reset loses
 * the events before it, and is no event itself.
 */
static uint32_t count_new_events(uint64_t now, uint64_t before)
{
	uint64_t n = now >= before ? now - before : now;

	return n < UINT32_MAX ? (uint32_t) n : UINT32_MAX;
}

static int has_mean(const struct sfab_counter *c)
{
	return !(c->flags & SFAB_COUNTER_NO_RATE) || c->interval_ms;
}

/* Continue the means of the rates; @ms: the time that @s counts for in them. */
static void follow_rates(struct sfab_counter *now, const struct sfab_counter *before,
			 const struct sample_rates *s, uint64_t ms, uint32_t half_life_s)
{
	int hidden = (before->flags & SFAB_COUNTER_NO_RATE) != 0;
	double keep;

	if (s->xmit < 0) {
		now->flags |= SFAB_COUNTER_NO_RATE;
		now->interval_ms = hidden ? 0 : now->interval_ms;
		now->xmit_rate = hidden ? 0 : before->xmit_rate;
		now->rcv_rate = hidden ? 0 : before->rcv_rate;
		return;
	}
	ms += hidden ? before->interval_ms : 0;
	keep = exp2(-(double) ms / 1000 / half_life_s);
	now->xmit_rate = smooth_mean(before->xmit_rate, s->xmit, keep, has_mean(before));
	now->rcv_rate = smooth_mean(before->rcv_rate, s->rcv, keep, has_mean(before));
}

/*
 * Continue the means of a port.  A row with an old time was not read this time: nothing is
 * known to be new.
 */
static void follow_counter(struct sfab_counter *now,
			   const struct sfab_counter *before, double tick_s,
			   uint32_t half_life_s)
{
	struct sample_rates s;
	uint64_t ms;

	if (!before) {
		now->flags |= SFAB_COUNTER_NO_RATE | SFAB_COUNTER_NO_WAIT;
		return;
	}
	if (now->time_ms <= before->time_ms) {
		*now = *before;
		return;
	}
	ms = now->time_ms - before->time_ms;
	now->interval_ms = ms < UINT32_MAX ? (uint32_t) ms : UINT32_MAX;
	s = compare_samples(now, before, tick_s);
	follow_rates(now, before, &s, ms, half_life_s);
	if (s.wait >= 0)
		now->wait_share =
		    smooth_mean(before->wait_share, s.wait,
				exp2(-(double) ms / 1000 / half_life_s),
				!(before->flags & SFAB_COUNTER_NO_WAIT));
	else
		now->flags |= SFAB_COUNTER_NO_WAIT;
	now->new_discards = count_new_events(now->discards, before->discards);
	now->new_errors = count_new_events(now->errors, before->errors);
}

void sfab_counters_follow(struct sfab_counters *now,
			  const struct sfab_counters *before, double tick_s)
{
	for (uint32_t i = 0; i < now->n; i++) {
		struct sfab_counter *c = &now->row[i];

		follow_counter(
		    c,
		    before ? sfab_counters_find(before, c->guid, c->port)
			   : NULL,
		    tick_s, now->half_life_s);
	}
}
