/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_sacct.c - output of sacct -P, with its header and without */

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/read_trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_read_trace(data, size, NULL);
	return fuzz_read_trace(data, size, "JobID,Submit,Start,Elapsed,NNodes,"
			       "Timelimit,State,JobName");
}
