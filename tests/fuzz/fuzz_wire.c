/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_wire.c - two sweeps over a subnet whose agents lie: what is collected can be written,
 * and read again
 */

#include <stdio.h>

#include "io/snapshot/snapshot.h"
#include "io/wire/collect.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/mads.h"

/* The libraries tell on stderr what they think of each answer. */
static void be_quiet(void)
{
	static FILE *nowhere;

	if (nowhere)
		return;
	nowhere = fopen("/dev/null", "w");
	fuzz_check(nowhere != NULL);
	stderr = nowhere;
}

static void write_fabric(struct sfab_fabric *f)
{
	struct sfab_snapshot *s = sfab_snapshot_take(f, NULL, NULL), *again;
	uint8_t *buf;
	size_t size;

	fuzz_check(s && sfab_snapshot_encode(s, &buf, &size, NULL) == 0);
	again = sfab_snapshot_decode(buf, size, NULL);
	fuzz_check(again != NULL);
	sfab_snapshot_destroy(again);
	sfab_snapshot_destroy(s);
	free(buf);
}

static void collect_fabric(struct sfab_wire *w, struct sfab_sweep *sweep)
{
	struct sfab_builder *b = sfab_builder_create(SFAB_BUILD_PARTIAL);
	struct sfab_fabric *f = NULL;
	struct sfab_err err = { 0 };

	fuzz_check(b && sfab_builder_add_plane(b, "", NULL) == 0);
	sfab_builder_forget_unknown(b);
	if (sfab_collect_fabric(w, b, 0, NULL, sweep, &err) == 0)
		f = sfab_builder_freeze(b, &err);
	fuzz_check(f || (err.code != SFAB_OK && err.text[0]));
	if (f)
		write_fabric(f);
	sfab_builder_destroy(b);
}

static void write_counters(const struct sfab_counters *c)
{
	struct sfab_counters *again;
	uint8_t *buf;
	size_t size;

	fuzz_check(sfab_counters_encode(c, &buf, &size, NULL) == 0);
	again = sfab_counters_decode(buf, size, NULL);
	fuzz_check(again != NULL);
	sfab_counters_destroy(again);
	free(buf);
}

/* At a time of ours: the clock is no input.  NULL: a port that is there twice. */
static struct sfab_counters *collect_counters(struct sfab_wire *w, uint64_t time_ms,
					      const struct sfab_counters *before,
					      struct sfab_sweep *sweep)
{
	struct sfab_err err = { 0 };
	struct sfab_counters *c = sfab_collect_counters(&w, 1, before, 1, sweep,
							&err);

	fuzz_check(c || err.text[0]);
	if (!c)
		return NULL;
	c->time_ms = time_ms;
	c->half_life_s = SFAB_HALF_LIFE_S;
	for (uint32_t i = 0; i < c->n; i++)
		c->row[i].time_ms = time_ms;
	sfab_counters_follow(c, before, 0);
	write_counters(c);
	return c;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sfab_wire_options o = { .timeout_ms = 30 };
	struct sfab_counters *before = NULL;
	struct sfab_sweep sweep = { 0 };
	struct bytes in = { data, size };
	struct sfab_wire *w;

	be_quiet();
	mads_begin(&in);
	w = sfab_wire_open(&o, NULL);
	fuzz_check(w != NULL);
	for (unsigned i = 0; i < 2; i++) {
		struct sfab_counters *c;

		collect_fabric(w, &sweep);
		c = collect_counters(w, 1000 + 5000 * i, before, &sweep);
		sfab_counters_destroy(before);
		before = c;
		mads_next();
	}
	sfab_counters_destroy(before);
	sfab_wire_close(w);
	return 0;
}
