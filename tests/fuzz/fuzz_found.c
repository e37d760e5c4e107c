/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_found.c - traffic.snap under a right checksum: refused with a reason, or written again
 * so that it is read as the same
 */

#include "io/learn/found_traffic.h"
#include "io/learn/learn_file.h"
#include "tests/fuzz/fuzz.h"

static void find_again(const struct sfab_found *f)
{
	struct sfab_found *again;
	uint8_t *buf;
	size_t n;

	fuzz_check(sfab_found_encode(f, &buf, &n, NULL) >= 0);
	again = sfab_found_decode(buf, n, NULL);
	fuzz_check(again && again->n == f->n &&
		   memcmp(again->job, f->job, f->n * sizeof(*f->job)) == 0);
	for (uint32_t i = 0; i < f->n; i++)
		fuzz_check(sfab_found_job(again, f->job[i].id) == &again->job[i] &&
			   sfab_traffic_io_share(&f->job[i].latest) <= 1.001);
	sfab_found_destroy(again);
	free(buf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = fuzz_copy(data, size);
	struct sfab_err err = { 0 };
	struct sfab_found *f;

	sfab_rowfile_seal(LEARN_HEADER, copy, size);
	f = sfab_found_decode(copy, size, &err);
	if (f)
		find_again(f);
	else
		fuzz_check(err.text[0]);
	sfab_found_destroy(f);
	free(copy);
	return 0;
}
