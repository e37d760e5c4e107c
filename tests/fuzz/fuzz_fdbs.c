/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_fdbs.c - the reader of opensm.fdbs files */

#include "tests/fuzz/read_any.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_read_any("opensm.fdbs", data, size);
}
