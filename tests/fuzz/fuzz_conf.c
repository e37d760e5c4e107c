/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_conf.c - sfabric.conf; what is shown of it reads the same again */

#include <stdio.h>

#include "io/conf/conf.h"
#include "tests/fuzz/fuzz.h"

static void write_line(void *ctx, const char *key, const char *value,
		       const char *origin, const char *doc)
{
	if (*value)
		fprintf(ctx, "%s=%s\n", key, value);
}

static char *write_conf(const struct sfab_conf *c)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fuzz_check(out != NULL);
	sfab_conf_each(c, write_line, out);
	fuzz_check(fclose(out) == 0);
	return text;
}

static void check_again(const struct sfab_conf *c)
{
	char *once = write_conf(c), *twice;
	struct sfab_conf *again;

	again = sfab_conf_parse(once, strlen(once), "shown", NULL);
	fuzz_check(again != NULL);
	twice = write_conf(again);
	fuzz_check(strcmp(once, twice) == 0);
	sfab_conf_destroy(again);
	free(once);
	free(twice);
}

/*
 * A host list may have a million names, and a file many such lists: more seconds than a fuzzer
 * waits.  So no range of hundreds, and no product of more than two.
 */
static int may_name_many_hosts(const uint8_t *data, size_t size)
{
	size_t digits = 0, groups = 0;

	for (; size--; data++) {
		digits = *data >= '0' && *data <= '9' ? digits + 1 : 0;
		groups += *data == '[';
		if (groups && digits > 2)
			return 1;
	}
	return groups > 2;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sfab_err err = { 0 };
	struct sfab_conf *c;

	if (may_name_many_hosts(data, size))
		return 0;
	c = sfab_conf_parse((const char *) data, size, "input", &err);
	if (c)
		check_again(c);
	else
		fuzz_check(strncmp(err.text, "input:", 6) == 0);
	sfab_conf_destroy(c);
	return 0;
}
