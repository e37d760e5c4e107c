/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_sacct.c - output of sacct -P: no job out of its bounds, no error without a place */

#include "tests/fuzz/fuzz.h"
#include "tools/replay/trace.h"

static void check_job(const struct trace_job *j)
{
	fuzz_check(j->submit >= 0 && j->submit <= 4 * TRACE_TIME_MAX && j->run > 0 &&
		   j->run <= TRACE_TIME_MAX && j->limit >= 0 && j->limit <= TRACE_TIME_MAX &&
		   j->nodes >= 1 && j->nodes <= TRACE_NODES_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);
	struct sfab_err err = { 0 };
	struct trace t;

	if (trace_parse(&t, "input", text, size, &err) < 0) {
		fuzz_check(strncmp(err.text, "input:", 6) == 0);
	} else {
		fuzz_check(t.n != 0);
	}
	for (uint32_t i = 0; i < t.n; i++)
		check_job(&t.job[i]);
	for (uint32_t i = 1; i < t.n; i++)
		fuzz_check(t.job[i].submit >= t.job[i - 1].submit);
	trace_free(&t);
	free(text);
	return 0;
}
