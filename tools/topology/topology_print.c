/* SPDX-License-Identifier: GPL-2.0-or-later */
/* topology_print.c - switches as topology.conf, as topology.yaml or as a table; see topology.h */

#include "tools/topology/topology.h"

const struct column topology_switch_columns[] = {
	{ "level", "0: a leaf", COLUMN_COUNT, 0, SHOWN },
	{ "switch", "SwitchName", COLUMN_TEXT, 0, SHOWN },
	{ "nodes", "of a leaf", COLUMN_TEXT, 0, SHOWN },
	{ "switches", "below it", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

struct table *topology_table(const struct topology_conf *t)
{
	struct table *table = table_create(topology_switch_columns);

	for (uint32_t i = 0; i < t->n; i++) {
		const struct topology_switch *sw = &t->sw[i];

		table_row(table);
		table_count(table, "level", sw->level);
		table_text(table, "switch", sw->name);
		table_text(table, "nodes", sw->nodes);
		table_text(table, "switches", sw->switches);
	}
	return table;
}

void topology_print_conf(const struct topology_conf *t, FILE *out)
{
	for (uint32_t i = 0; i < t->n; i++) {
		const struct topology_switch *sw = &t->sw[i];

		fprintf(out, "SwitchName=%s", sw->name);
		if (sw->nodes)
			fprintf(out, " Nodes=%s", sw->nodes);
		if (sw->switches)
			fprintf(out, " Switches=%s", sw->switches);
		fputc('\n', out);
	}
}

/* Print a name in quotes: it may look like a number.  Names are plain, so nothing is escaped. */
static void print_yaml_name(FILE *out, const char *key, const char *name)
{
	if (name)
		fprintf(out, "%s: \"%s\"\n", key, name);
}

void topology_print_yaml(const struct topology_conf *t, FILE *out)
{
	fputs("---\n- topology: fabric\n  cluster_default: true\n  tree:\n    switches:\n",
	      out);
	for (uint32_t i = 0; i < t->n; i++) {
		print_yaml_name(out, "    - switch", t->sw[i].name);
		print_yaml_name(out, "      nodes", t->sw[i].nodes);
		print_yaml_name(out, "      children", t->sw[i].switches);
	}
}
