/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_counters.c - counters under a right checksum: refused with a reason, or written again as
 * the same bytes and fit to follow themselves
 */

#include "io/counters/counters.h"
#include "io/rowfile.h"
#include "tests/fuzz/fuzz.h"

static void write_again(const struct sfab_counters *c, const uint8_t *data,
			size_t size)
{
	struct sfab_counters *again;
	uint8_t *buf;
	size_t n;

	fuzz_check(sfab_counters_encode(c, &buf, &n, NULL) >= 0 && n == size);
	fuzz_check(memcmp(buf + SFAB_COUNTERS_HEADER, data + SFAB_COUNTERS_HEADER,
			  size - SFAB_COUNTERS_HEADER) == 0);
	again = sfab_counters_decode(buf, n, NULL);
	fuzz_check(again != NULL);
	sfab_counters_destroy(again);
	free(buf);
}

/* A sample a second later, its totals bent, must be one that can be read. */
static void follow(const struct sfab_counters *before)
{
	struct sfab_counters *now = sfab_counters_create(before->n);

	fuzz_check(now != NULL);
	for (uint32_t i = 0; i < now->n; i++) {
		struct sfab_counter *c = &now->row[i];

		*c = before->row[i];
		c->flags &= SFAB_COUNTER_NO_WAIT | SFAB_COUNTER_STUCK;
		c->time_ms += 1000;
		c->xmit_words += c->rcv_words;
		c->wait_ticks ^= c->errors;
		c->xmit_rate = c->rcv_rate = c->wait_share = 0;
	}
	sfab_counters_follow(now, before, 0);
	for (uint32_t i = 0; i < now->n; i++)
		fuzz_check(now->row[i].xmit_rate <= SFAB_RATE_MAX && now->row[i].wait_share <= 1);
	sfab_counters_destroy(now);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = fuzz_copy(data, size);
	struct sfab_err err = { 0 };
	struct sfab_counters *c;

	sfab_rowfile_seal(SFAB_COUNTERS_HEADER, copy, size);
	c = sfab_counters_decode(copy, size, &err);
	if (c) {
		write_again(c, copy, size);
		follow(c);
	} else {
		fuzz_check(err.text[0]);
	}
	sfab_counters_destroy(c);
	free(copy);
	return 0;
}
