/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_topology_conf.c - Slurm's topology.conf and topology.yaml */

#include "tests/fuzz/fuzz.h"
#include "tools/topology/topology.h"

static void check(const struct topology_conf *t)
{
	fuzz_check(t->n);
	for (uint32_t i = 0; i < t->n; i++)
		fuzz_check(t->sw[i].name && (t->sw[i].nodes || t->sw[i].switches) &&
			   topology_conf_find(t, t->sw[i].name) == i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct topology_conf t;
	struct sfab_err err = { 0 };
	char *text = fuzz_copy(data, size);

	if (topology_conf_parse(&t, "input", text, &err) == 0)
		check(&t);
	else
		fuzz_check(strncmp(err.text, "input:", 6) == 0);
	topology_conf_free(&t);
	free(text);
	return 0;
}
