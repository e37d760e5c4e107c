/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_subnet_lst.c - the reader of opensm-subnet.lst files */

#include "tests/fuzz/read_any.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_read_any("opensm-subnet.lst", data, size);
}
