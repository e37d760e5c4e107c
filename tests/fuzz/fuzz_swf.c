/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_swf.c - logs in the Standard Workload Format */

#include "fuzz.h"
#include "read_trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_read_trace(data, size, NULL);
}
