/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_namemap.c - node-name maps */

#include "io/namemap.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);
	struct sfab_err err = { 0 };
	struct sfab_namemap *m;

	m = sfab_namemap_parse(text, size, "input", &err);
	fuzz_check(m || strncmp(err.text, "input:", 6) == 0);
	for (uint64_t guid = 0; guid < 4; guid++)
		fuzz_check(*sfab_namemap_name(m, guid, "as given"));
	sfab_namemap_destroy(m);
	free(text);
	return 0;
}
