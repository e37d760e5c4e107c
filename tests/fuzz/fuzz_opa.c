/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_opa.c - XML reports of Omni-Path */

#include "tests/fuzz/read_any.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_read_any("opareport-snapshot", data, size);
}
