/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_declog.c - decision logs; the job is the number of the first byte */

#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"
#include "tools/explain/declog.h"

#define HOSTS 24

static void check(const struct declog *d)
{
	uint8_t *host = declog_hosts(d->start, "free", HOSTS);

	for (uint32_t h = 0; host && h < HOSTS; h++)
		if (host[h] > 1)
			abort();
	free(host);
	for (uint32_t i = 0; i < d->n; i++)
		if (!d->job[i].start || (i && d->job[i].id <= d->job[i - 1].id))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sfab_err err = { 0 };
	struct declog d;
	FILE *in;

	if (size < 2)
		return 0;
	in = fmemopen((void *) (data + 1), size - 1, "r");
	if (!in)
		abort();
	if (declog_read(&d, in, "log", data[0], &err) == 0)
		check(&d);
	else if (err.code == SFAB_OK)
		abort();
	declog_free(&d);
	fclose(in);
	return 0;
}
