/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_topology_conf.c - Slurm's topology.conf and topology.yaml */

#include "tests/fuzz/fuzz.h"
#include "tools/topology/topology_conf.h"

static void check(const struct topology_conf *t)
{
	if (!t->n)
		abort();
	for (uint32_t i = 0; i < t->n; i++)
		if (!t->sw[i].name || (!t->sw[i].nodes && !t->sw[i].switches) ||
		    topology_conf_find(t, t->sw[i].name) != i)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int (*const parse[])(struct topology_conf *t, const char *name,
			     char *text, struct sfab_err *err) = {
		topology_conf_parse, topology_yaml_parse,
	};

	for (size_t i = 0; i < sizeof(parse) / sizeof(parse[0]); i++) {
		struct topology_conf t;
		struct sfab_err err = { 0 };
		char *text = fuzz_copy(data, size);

		if (parse[i](&t, "input", text, &err) == 0)
			check(&t);
		else if (strncmp(err.text, "input:", 6) != 0)
			abort();
		topology_conf_free(&t);
	}
	return 0;
}
