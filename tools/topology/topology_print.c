/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology_print.c - switches as topology.conf, as topology.yaml or as a table;
 * see topology.h
 */

#include <string.h>
#include <yaml.h>

#include "tools/topology/topology.h"

enum { S_LEVEL, S_SWITCH, S_NODES, S_SWITCHES };

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
		table_count(table, S_LEVEL, sw->level);
		table_text(table, S_SWITCH, sw->name);
		if (sw->nodes)
			table_text(table, S_NODES, sw->nodes);
		if (sw->switches)
			table_text(table, S_SWITCHES, sw->switches);
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

/*
 * -- YAML: each adder returns the number of its node; 0: no memory ----------
 */

/* libyaml copies the text. */
static int add_yaml_text(yaml_document_t *d, const char *text,
			 yaml_scalar_style_t style)
{
	return yaml_document_add_scalar(d, NULL, (const yaml_char_t *) text,
					(int) strlen(text), style);
}

/*
 * 0 for any part means that memory ran out before, so callers check only the
 * end.
 */
static int add_yaml_pair(yaml_document_t *d, int map, const char *key,
			 int value)
{
	int k = add_yaml_text(d, key, YAML_PLAIN_SCALAR_STYLE);

	return map && k && value &&
	       yaml_document_append_mapping_pair(d, map, k, value);
}

/* Quoted: a name may look like a number. */
static int add_name(yaml_document_t *d, int map, const char *key,
		    const char *name)
{
	return !name ||
	       add_yaml_pair(
		   d, map, key,
		   add_yaml_text(d, name, YAML_DOUBLE_QUOTED_SCALAR_STYLE));
}

/* 0: no memory, as in libyaml. */
static int add_switches(yaml_document_t *d, const struct topology_conf *t)
{
	int list = yaml_document_add_sequence(d, NULL, YAML_BLOCK_SEQUENCE_STYLE);

	for (uint32_t i = 0; list && i < t->n; i++) {
		const struct topology_switch *sw = &t->sw[i];
		int map = yaml_document_add_mapping(d, NULL,
						    YAML_BLOCK_MAPPING_STYLE);

		if (!add_name(d, map, "switch", sw->name) ||
		    !add_name(d, map, "nodes", sw->nodes) ||
		    !add_name(d, map, "children", sw->switches) ||
		    !yaml_document_append_sequence_item(d, list, map))
			return 0;
	}
	return list;
}

/* libyaml's handler: 1 for success. */
static int write_to(void *file, unsigned char *text, size_t size)
{
	return fwrite(text, 1, size, file) == size;
}

int topology_print_yaml(const struct topology_conf *t, FILE *out,
			struct sfab_err *err)
{
	yaml_document_t d;
	yaml_emitter_t emitter;
	int done = 0;

	if (!yaml_emitter_initialize(&emitter))
		return sfab_no_memory(err);
	yaml_emitter_set_output(&emitter, write_to, out);
	/* No line breaks within a list, however long it is. */
	yaml_emitter_set_width(&emitter, -1);
	if (yaml_document_initialize(&d, NULL, NULL, NULL, 0, 1)) {
		int root = yaml_document_add_sequence(
		    &d, NULL, YAML_BLOCK_SEQUENCE_STYLE);
		int one = yaml_document_add_mapping(&d, NULL,
						    YAML_BLOCK_MAPPING_STYLE);
		int tree = yaml_document_add_mapping(&d, NULL,
						     YAML_BLOCK_MAPPING_STYLE);

		done = root &&
		       yaml_document_append_sequence_item(&d, root, one) &&
		       add_yaml_pair(&d, one, "topology",
				     add_yaml_text(&d, "fabric",
						   YAML_PLAIN_SCALAR_STYLE)) &&
		       add_yaml_pair(&d, one, "cluster_default",
				     add_yaml_text(&d, "true",
						   YAML_PLAIN_SCALAR_STYLE)) &&
		       add_yaml_pair(&d, one, "tree", tree) &&
		       add_yaml_pair(&d, tree, "switches", add_switches(&d, t));
		/*
		 * yaml_emitter_dump() takes the document over; otherwise it is
		 * still ours.
		 */
		if (done)
			done = yaml_emitter_dump(&emitter, &d);
		else
			yaml_document_delete(&d);
	}
	yaml_emitter_delete(&emitter);
	return done ? 0 : sfab_fail(err, SFAB_ENOMEM, "YAML cannot be written");
}
