/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_usage.c - output of sacct with its header */

#include "io/readers/sacct.h"
#include "tests/fuzz/fuzz.h"

static void check_usage(struct sfab_usage *u, int rc, const struct sfab_err *err)
{
	fuzz_check(rc >= 0 || (!u->n && err->text[0]));
	for (uint32_t i = 0; i < u->n; i++)
		fuzz_check(u->job[i].sent >= 0 && u->job[i].wrote >= 0 &&
			   strnlen(u->job[i].name, SFAB_USAGE_TEXT) != SFAB_USAGE_TEXT);
	sfab_usage_free(u);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *) data;
	struct sfab_usage u = { 0 };
	struct sfab_err err = { 0 };

	check_usage(&u, sfab_usage_sacct(&u, "fuzz", text, size, &err), &err);
	return 0;
}
