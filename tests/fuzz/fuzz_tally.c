/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_tally.c - the state of sfabric metrics, then lines of a decision log
 *
 * What is accepted as state comes back the same.  Whatever the lines say, each start is counted
 * once, and what is printed are whole lines.
 */

#include <stdio.h>

#include "tests/fuzz/fuzz.h"
#include "tools/log/declog.h"
#include "tools/metrics/tally.h"

/* Check that a state survives being written and read.  @text is overwritten. */
static void check_state(char *text)
{
	struct tally t, again;
	char *once, *twice, *state;

	if (tally_parse_state(&t, text) != 0)
		return;
	once = tally_text(&t);
	state = tally_state(&t, once);
	fuzz_check(tally_parse_state(&again, state) == 0);
	twice = tally_text(&again);
	fuzz_check(strcmp(once, twice) == 0 && t.fingerprint == again.fingerprint &&
		   memcmp(&t.position, &again.position, sizeof(t.position)) == 0);
	free(once);
	free(twice);
	free(state);
	tally_free(&t);
	tally_free(&again);
}

/* Sum the starts of all reasons, or of all partitions, as @metric has them. */
static double count_starts(const struct tally *t, const char *metric)
{
	double n = 0;

	for (const struct tally_series *s = t->series; s; s = s->hh.next)
		if (strncmp(s->name, metric, strlen(metric)) == 0)
			n += s->value;
	return n;
}

static void check_lines(char *text)
{
	struct tally t;
	double starts = 0;
	char *rest, *printed;

	tally_init(&t);
	for (char *at = strtok_r(text, "\n", &rest); at; at = strtok_r(NULL, "\n", &rest)) {
		struct json_object *line = declog_line(at);

		if (!line)
			continue;
		starts += declog_is(line, "start");
		tally_take(&t, line);
		json_object_put(line);
	}
	fuzz_check(!(count_starts(&t, "sfabric_job_starts_total") < starts) &&
		   !(count_starts(&t, "sfabric_job_starts_total") > starts));
	fuzz_check(!(count_starts(&t, "sfabric_partition_job_starts_total") < starts) &&
		   !(count_starts(&t, "sfabric_partition_job_starts_total") > starts));
	printed = tally_text(&t);
	fuzz_check(printed[strlen(printed) - 1] == '\n');
	free(printed);
	tally_free(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *state = fuzz_copy(data, size), *lines = fuzz_copy(data, size);

	check_state(state);
	check_lines(lines);
	free(state);
	free(lines);
	return 0;
}
