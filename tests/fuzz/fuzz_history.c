/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_history.c - a history under a right checksum: refused with a reason, or asked, added to,
 * written and read again
 */

#include "io/learn/history.h"
#include "io/learn/learn_file.h"
#include "tests/fuzz/fuzz.h"

#define NOW 1700000000u

/* A job of each row that has names, and what is known of it must be traffic. */
static void ask_row(const struct sfab_history *h, uint32_t i)
{
	struct sfab_history_row row = sfab_history_row(h, i, NOW);
	struct sfab_learned l;

	fuzz_check(row.learned.spread >= 0 && row.learned.weight >= 0);
	fuzz_check(!sfab_history_find(h, &row.key, NOW, &l) ||
		   sfab_traffic_net_share(&l.traffic) <= 1.001);
}

static void use_history(struct sfab_history *h)
{
	static const struct sfab_history_facts job = { 5, "run_1", "acc", "part", 8 };
	struct sfab_traffic sent = { .nparts = 1 };
	struct sfab_history_run run = { .sent = &sent, .weight = 1, .end_s = NOW };
	struct sfab_history *again;
	struct sfab_err err = { 0 };
	uint8_t *buf;
	size_t n;

	sent.part[0].class = SFAB_IO_WRITE;
	sent.part[0].share = 0.5;
	strcpy(sent.part[0].set, "fs");
	for (uint32_t i = 0; i < sfab_history_count(h); i++)
		ask_row(h, i);
	for (run.at_least = 0; run.at_least < 2; run.at_least++)
		fuzz_check(sfab_history_add(h, &job, &run, &err) >= 0 || err.code == SFAB_ELIMIT);
	sfab_history_forget(h, &job);
	fuzz_check(sfab_history_encode(h, &buf, &n, NULL) >= 0);
	again = sfab_history_decode(buf, n, &err);
	fuzz_check(again && sfab_history_count(again) == sfab_history_count(h));
	sfab_history_destroy(again);
	free(buf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = fuzz_copy(data, size);
	struct sfab_err err = { 0 };
	struct sfab_history *h;

	sfab_rowfile_seal(LEARN_HEADER, copy, size);
	h = sfab_history_decode(copy, size, &err);
	if (h)
		use_history(h);
	else
		fuzz_check(err.text[0]);
	sfab_history_destroy(h);
	free(copy);
	return 0;
}
