/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_counts.c - every reader of port counters, then the rows as a file */

#include "io/counters/count_files.h"
#include "tests/fuzz/read_any.h"

static void encode(struct sfab_counts *c)
{
	struct sfab_err err = { 0 };
	struct sfab_counters *to = sfab_counts_take(c, &err);
	uint8_t *bytes;
	size_t size;

	fuzz_check(to != NULL);
	sfab_counters_follow(to, NULL, 0);
	fuzz_check(sfab_counters_encode(to, &bytes, &size, &err) == 0);
	free(bytes);
	sfab_counters_destroy(to);
}

static void run(const struct sfab_reader *r, const struct sfab_fabric *f,
		const char *text, size_t size)
{
	struct sfab_err err = { 0 };
	struct sfab_counts c;
	struct sfab_scan s;

	fuzz_check(sfab_counts_init(&c, f, &err) == 0);
	c.file = FUZZ_INPUT;
	sfab_scan_init(&s, c.file, text, size);
	if (r->count(&c, &s, &err) != 0)
		fuzz_check_error(&err);
	else
		encode(&c);
	sfab_counts_free(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sfab_fabric *f = fuzz_fabric();
	char *text = fuzz_copy(data, size);

	for (const struct sfab_reader *r = sfab_readers; r->name; r++)
		if (r->count)
			run(r, f, text, size);
	free(text);
	sfab_fabric_destroy(f);
	return 0;
}
