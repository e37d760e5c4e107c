/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_far.c - the reader of ibdiagnet2.far files */

#include "tests/fuzz/read_any.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_read_any("ibdiagnet2.far", data, size);
}
