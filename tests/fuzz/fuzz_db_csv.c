/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_db_csv.c - the reader of topology in ibdiagnet2.db_csv files */

#include "tests/fuzz/read_any.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_read_any("ibdiagnet2.db_csv", data, size);
}
