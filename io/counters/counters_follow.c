/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters_follow.c - rates from two samples, smoothed; see counters.h
 *
 * After a time dt with the value x, a mean m becomes x + (m - x) 2^(-dt / half-life).  The
 * result does not depend on how many samples the time is divided into.
 *
 * A reset hides one interval.  The mean of before waits in the row, though its rate is unknown,
 * and the next sample counts for the hidden interval, too.  If the mean started over instead,
 * the present load would count as that of all time, and a job that began a moment ago would
 * seem to send several times as much.
 */

#include "io/counters/counters.h"

#include <math.h>

/* What one sample yields on its own; negative: unknown. */
struct sample_rates {
	double xmit, rcv;	/* bytes/s */
	double wait;		/* share */
};

/*
 * Return the rate between two totals, -1: unknown.  Subtraction is unsigned, so that a total
 * may wrap at 2^64.  A total that was reset gives a difference of nearly 2^64 words, which is
 * beyond any rate.
 */
static double rate_of_words(uint64_t sample, uint64_t previous, double seconds)
{
	double rate = (double) (sample - previous) * SFAB_WORD / seconds;

	return rate <= SFAB_RATE_MAX ? rate : -1;
}

/*
 * Return the share of the time that data waited, 0..1.  A tick of unknown length counts as one
 * word.
 */
static double wait_share(const struct sfab_counter *sample,
			 const struct sfab_counter *previous, double seconds,
			 double tick_s)
{
	double ticks = (double) (sample->wait_ticks - previous->wait_ticks);
	double words = (double) (sample->xmit_words - previous->xmit_words);

	if (tick_s > 0)
		return fmin(ticks * tick_s / seconds, 1);
	return ticks > 0 ? ticks / (ticks + words) : 0;
}

/* Compute what happened between two samples of a port. */
static struct sample_rates compare_samples(const struct sfab_counter *sample,
					   const struct sfab_counter *previous, double tick_s)
{
	double seconds = sample->interval_ms / 1000.0;
	struct sample_rates rates = {
	    .xmit = rate_of_words(sample->xmit_words, previous->xmit_words, seconds),
	    .rcv = rate_of_words(sample->rcv_words, previous->rcv_words, seconds),
	    .wait = -1};

	if (rates.xmit < 0 || rates.rcv < 0 || sample->flags & SFAB_COUNTER_NO_RATE ||
	    (sample->flags | previous->flags) & SFAB_COUNTER_NO_DATA)
		rates.xmit = rates.rcv = -1;
	else if (!(sample->flags & SFAB_COUNTER_NO_WAIT) &&
		 !(previous->flags & SFAB_COUNTER_STUCK) &&
		 sample->wait_ticks >= previous->wait_ticks)
		rates.wait = wait_share(sample, previous, seconds, tick_s);
	return rates;
}

/* Keep the part @keep of the mean @m, and fill up with @x.  @known 0: there is no mean yet. */
static double smooth_mean(double m, double x, double keep, int known)
{
	return known ? x + (m - x) * keep : x;
}

/*
 * Count the events since @previous.  A count that decreased was reset to 0 in between.  A reset
 * loses the events before it, and is no event itself.
 */
static uint32_t count_new_events(uint64_t sample, uint64_t previous)
{
	uint64_t n = sample >= previous ? sample - previous : sample;

	return n < UINT32_MAX ? (uint32_t) n : UINT32_MAX;
}

static int has_mean(const struct sfab_counter *c)
{
	return !(c->flags & SFAB_COUNTER_NO_RATE) || c->interval_ms;
}

/*
 * Continue the means of the rates.  @rates count in them for the time @ms, and for the interval
 * that a reset hid before.
 */
static void follow_rates(struct sfab_counter *sample, const struct sfab_counter *previous,
			 const struct sample_rates *rates, uint64_t ms, uint32_t half_life_s)
{
	int hidden = (previous->flags & SFAB_COUNTER_NO_RATE) != 0;
	double keep;

	if (rates->xmit < 0) {
		sample->flags |= SFAB_COUNTER_NO_RATE;
		sample->interval_ms = hidden ? 0 : sample->interval_ms;
		sample->xmit_rate = hidden ? 0 : previous->xmit_rate;
		sample->rcv_rate = hidden ? 0 : previous->rcv_rate;
		return;
	}
	ms += hidden ? previous->interval_ms : 0;
	keep = exp2(-(double) ms / 1000 / half_life_s);
	sample->xmit_rate = smooth_mean(previous->xmit_rate, rates->xmit, keep, has_mean(previous));
	sample->rcv_rate = smooth_mean(previous->rcv_rate, rates->rcv, keep, has_mean(previous));
}

/*
 * Continue the means of a port.  A row with an old time was not read this time: nothing is
 * known to be new.
 */
static void follow_counter(struct sfab_counter *sample,
			   const struct sfab_counter *previous, double tick_s,
			   uint32_t half_life_s)
{
	struct sample_rates rates;
	uint64_t ms;

	if (!previous) {
		sample->flags |= SFAB_COUNTER_NO_RATE | SFAB_COUNTER_NO_WAIT;
		return;
	}
	if (sample->time_ms <= previous->time_ms) {
		*sample = *previous;
		return;
	}
	ms = sample->time_ms - previous->time_ms;
	sample->interval_ms = ms < UINT32_MAX ? (uint32_t) ms : UINT32_MAX;
	rates = compare_samples(sample, previous, tick_s);
	follow_rates(sample, previous, &rates, ms, half_life_s);
	if (rates.wait >= 0)
		sample->wait_share =
		    smooth_mean(previous->wait_share, rates.wait,
				exp2(-(double) ms / 1000 / half_life_s),
				!(previous->flags & SFAB_COUNTER_NO_WAIT));
	else
		sample->flags |= SFAB_COUNTER_NO_WAIT;
	sample->new_discards = count_new_events(sample->discards, previous->discards);
	sample->new_errors = count_new_events(sample->errors, previous->errors);
}

void sfab_counters_follow(struct sfab_counters *sample,
			  const struct sfab_counters *previous, double tick_s)
{
	for (uint32_t i = 0; i < sample->n; i++) {
		struct sfab_counter *c = &sample->row[i];

		follow_counter(
		    c,
		    previous ? sfab_counters_find(previous, c->guid, c->port)
			   : NULL,
		    tick_s, sample->half_life_s);
	}
}
