/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_joblist.c - running jobs of a file (--jobs) */

#include "tests/fuzz/read_any.h"
#include "tools/site/joblist.h"

/* Is there a number that could make a large host list? */
static int has_large_range(const uint8_t *data, size_t size)
{
	size_t digits = 0, groups = 0;

	for (; size--; data++) {
		digits = *data >= '0' && *data <= '9' ? digits + 1 : 0;
		groups += *data == '[';
		if (groups && digits > 3)
			return 1;
	}
	return groups > 4;
}

static void check(const struct joblist *l, const struct sfab_fabric *f)
{
	for (uint32_t i = 0; i < l->n; i++) {
		const struct joblist_job *job = &l->job[i];

		fuzz_check(job->n != 0 && job->n <= f->nhosts && job->line);
		for (uint32_t k = 0; k < job->n; k++)
			fuzz_check(job->host[k] < f->nhosts);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sfab_fabric *f;
	struct sfab_conf *conf;
	struct sfab_err err = { 0 };
	struct joblist l;
	char *text;

	if (has_large_range(data, size))
		return 0;
	f = fuzz_fabric();
	conf = sfab_conf_create();
	fuzz_check(conf != NULL);
	text = fuzz_copy(data, size);
	if (joblist_parse(&l, FUZZ_INPUT, text, f, conf, &err) == 0)
		check(&l, f);
	else
		fuzz_check(strncmp(err.text, FUZZ_INPUT ":", sizeof(FUZZ_INPUT)) == 0);
	joblist_free(&l);
	sfab_conf_destroy(conf);
	sfab_fabric_destroy(f);
	return 0;
}
