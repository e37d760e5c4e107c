/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_swf.c - logs in the Standard Workload Format */

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/read_trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_read_trace(data, size, NULL);
}
