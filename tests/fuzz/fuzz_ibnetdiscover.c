/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_ibnetdiscover.c - the reader of ibnetdiscover files */

#include "tests/fuzz/read_any.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_read_any("ibnetdiscover", data, size);
}
