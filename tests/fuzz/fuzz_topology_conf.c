/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_topology_conf.c - Slurm's topology.conf */

#include <stdlib.h>
#include <string.h>

#include "../../tools/topology_conf.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct topology_conf t;
	struct sfab_err err = { 0 };
	char *text = malloc(size + 1);

	if (!text)
		abort();
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	if (topology_conf_parse(&t, "input", text, &err) != 0) {
		if (strncmp(err.text, "input:", 6) != 0)
			abort();
		return 0;
	}
	if (!t.n)
		abort();
	for (uint32_t i = 0; i < t.n; i++)
		if (!t.sw[i].name || (!t.sw[i].nodes && !t.sw[i].switches))
			abort();
	topology_conf_free(&t);
	return 0;
}
