/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_tally.c - the state of sfabric metrics, then lines of a decision log
 *
 * What is accepted as state comes back the same.  Whatever the lines say, each start
 * is counted once, and what is printed are whole lines.
 */

#include <stdio.h>

#include "tests/fuzz/fuzz.h"
#include "tools/explain/declog.h"
#include "tools/metrics/tally.h"

static void check_state(const char *text)
{
	struct json_object *o = json_tokener_parse(text), *once, *twice;
	struct decision_tally t, again;

	if (tally_of_json(&t, o) == 0) {
		once = tally_json(&t);
		if (tally_of_json(&again, once) != 0)
			abort();
		twice = tally_json(&again);
		if (!json_object_equal(once, twice))
			abort();
		tally_free(&again);
		tally_free(&t);
		json_object_put(once);
		json_object_put(twice);
	}
	json_object_put(o);
}

static uint64_t count_starts(const struct decision_tally *t)
{
	uint64_t n = 0, by_partition = 0;

	for (uint32_t i = 0; i <= SFAB_NREASONS; i++)
		n += t->starts[i];
	for (uint32_t i = 0; i < t->npartitions; i++)
		for (int k = 0; k < TALLY_NRESULTS; k++)
			by_partition += t->partition[i].starts[k];
	if (n != by_partition)
		abort();
	return n;
}

static void check_print(const struct decision_tally *t)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	tally_print(t, 1, out);
	fclose(out);
	if (strlen(text) != size || text[size - 1] != '\n')
		abort();
	free(text);
}

static void check_lines(char *text)
{
	struct decision_tally t = { 0 };
	uint64_t starts = 0;
	char *rest;

	for (char *at = strtok_r(text, "\n", &rest); at; at = strtok_r(NULL, "\n", &rest)) {
		struct json_object *line = declog_line(at);

		if (!line)
			continue;
		starts += strcmp(declog_text(line, "event"), "start") == 0;
		tally_take(&t, line);
		json_object_put(line);
	}
	if (count_starts(&t) != starts)
		abort();
	check_print(&t);
	tally_free(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);

	check_state(text);
	check_lines(text);
	free(text);
	return 0;
}
