/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_policy.c - any text as sfabric.lua, asked about a job twice */

#include "lua/script.h"
#include "tests/fuzz/fuzz.h"

static const struct sfab_script_job job = {
	.partition = "batch", .account = "cfd", .qos = "normal",
	.name = "fluent-12", .nodes = 16,
};

/* Slow only now and here: what a busy machine makes of any script. */
static int is_late(const struct sfab_err *err)
{
	return strstr(err->text, "ms of CPU time") != NULL;
}

/* An answer depends on the question alone. */
static void ask_twice(const struct sfab_script *s, const struct sfab_conf *c)
{
	struct sfab_script_answer a, b;
	struct sfab_err err = { 0 }, again = { 0 };
	int rc = sfab_script_job(s, &job, c, &a, &err);

	fuzz_check(rc >= 0 || (strncmp(err.text, "input:", 6) == 0 && !a.says));
	if (sfab_script_job(s, &job, c, &b, &again) == rc &&
	    memcmp(&a, &b, sizeof(a)) == 0)
		return;
	fuzz_check(is_late(&err) || is_late(&again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sfab_err err = { 0 };
	struct sfab_conf *c = sfab_conf_create();
	struct sfab_script *s;

	s = sfab_script_parse((const char *) data, size, "input", &err);
	if (s && c)
		ask_twice(s, c);
	else
		fuzz_check(s || strncmp(err.text, "input:", 6) == 0);
	sfab_script_destroy(s);
	sfab_conf_destroy(c);
	return 0;
}
