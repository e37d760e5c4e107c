/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology_yaml_read.c - Slurm's topology.yaml; see topology.h
 *
 * Only the tree is read.  Slurm's other kinds (block, flat) have no switches that a fabric
 * could be compared with, so a file without a tree is an error.
 *
 * Lines in messages are those of the YAML text: marks of libyaml count from 0.
 */

#include "tools/topology/topology.h"

#include <string.h>
#include <yaml.h>

#include "tools/ui/xalloc.h"

#define DEPTH_MAX 32		/* of lists and mappings; Slurm's own have 5 */

struct yaml_reader {
	struct topology_conf *t;
	yaml_document_t document;
	struct sfab_err *err;
};

static unsigned line_of(const yaml_node_t *node)
{
	return (unsigned) node->start_mark.line + 1;
}

static int fail_at_node(const struct yaml_reader *r, const yaml_node_t *node, const char *what)
{
	return sfab_fail(r->err, SFAB_EFORMAT, "%s:%u: %s", r->t->name,
			 line_of(node), what);
}

/* Return the text of a scalar, or NULL; a NUL inside would hide the rest. */
static const char *text_of(const yaml_node_t *node)
{
	const char *text = (const char *) node->data.scalar.value;

	if (node->type != YAML_SCALAR_NODE ||
	    strlen(text) != node->data.scalar.length)
		return NULL;
	return text;
}

/* Return the value of a key of a mapping, or NULL.  If a key is there twice, the first counts. */
static yaml_node_t *value_of_key(struct yaml_reader *r, const yaml_node_t *map, const char *key)
{
	if (map->type != YAML_MAPPING_NODE)
		return NULL;
	for (yaml_node_pair_t *p = map->data.mapping.pairs.start;
	     p < map->data.mapping.pairs.top; p++) {
		const char *text = text_of(
			yaml_document_get_node(&r->document, p->key));

		if (text && strcmp(text, key) == 0)
			return yaml_document_get_node(&r->document, p->value);
	}
	return NULL;
}

/*
 * Read a key and its value.  Refuse unknown keys: a mistyped one would silently lose nodes.
 * The value may be an alias: libyaml has put the node that it stands for in its place.
 */
static int read_pair(struct yaml_reader *r, const yaml_node_pair_t *pair,
		     struct topology_switch *sw)
{
	yaml_node_t *key = yaml_document_get_node(&r->document, pair->key);
	const char *name = text_of(key);
	const char *text = text_of(
		yaml_document_get_node(&r->document, pair->value));
	const struct {
		const char *key;
		char **value;
	} known[] = {
		{ "switch", &sw->name }, { "nodes", &sw->nodes },
		{ "children", &sw->switches },
	};

	for (size_t i = 0; name && i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(name, known[i].key) != 0)
			continue;
		if (!text || *known[i].value)
			return fail_at_node(r, key,
					    text ? "the same key again"
						 : "a value that is not text");
		*known[i].value = xstrdup(text);
		return 0;
	}
	return fail_at_node(r, key,
			    "no such key (expected switch, nodes, children)");
}

static int read_switch(struct yaml_reader *r, const yaml_node_t *map)
{
	struct topology_switch *sw = topology_conf_add(r->t, line_of(map));
	int rc = 0;

	if (map->type != YAML_MAPPING_NODE)
		return fail_at_node(r, map,
				    "no switch (expected switch: NAME)");
	for (yaml_node_pair_t *p = map->data.mapping.pairs.start;
	     rc == 0 && p < map->data.mapping.pairs.top; p++)
		rc = read_pair(r, p, sw);
	return rc;
}

/* Find the cluster's tree, {"switches": [...]}, or NULL. */
static const yaml_node_t *find_tree(struct yaml_reader *r, const yaml_node_t *root)
{
	const yaml_node_t *found = NULL;

	if (root->type != YAML_SEQUENCE_NODE)
		return NULL;
	for (yaml_node_item_t *i = root->data.sequence.items.start;
	     i < root->data.sequence.items.top; i++) {
		const yaml_node_t *one = yaml_document_get_node(&r->document, *i);
		const yaml_node_t *tree = value_of_key(r, one, "tree");
		const yaml_node_t *default_node = value_of_key(r, one, "cluster_default");
		const char *default_text = default_node ? text_of(default_node) : NULL;

		if (tree && (!found || (default_text && strcasecmp(default_text, "true") == 0)))
			found = tree;
	}
	return found;
}

static int read_document(struct yaml_reader *r)
{
	const yaml_node_t *root = yaml_document_get_root_node(&r->document);
	const yaml_node_t *tree = root ? find_tree(r, root) : NULL;
	const yaml_node_t *list =
	    tree ? value_of_key(r, tree, "switches") : NULL;

	if (!tree)
		return sfab_fail(r->err, SFAB_EFORMAT, "%s: no topology with a "
				 "tree in it", r->t->name);
	if (!list || list->type != YAML_SEQUENCE_NODE)
		return fail_at_node(r, tree,
				    "a tree without a list of switches");
	for (yaml_node_item_t *i = list->data.sequence.items.start;
	     i < list->data.sequence.items.top; i++)
		if (read_switch(r, yaml_document_get_node(&r->document, *i)) != 0)
			return -1;
	return 0;
}

/*
 * Refuse text that is nested too deeply, because libyaml's time grows with the square of the
 * depth.  This is a first pass; wrong syntax is left to the second.
 */
static int check_depth(struct yaml_reader *r, yaml_parser_t *parser)
{
	int depth = 0, is_end = 0;

	while (!is_end && depth <= DEPTH_MAX) {
		yaml_event_t event;

		if (!yaml_parser_parse(parser, &event))
			return 0;
		if (event.type == YAML_SEQUENCE_START_EVENT ||
		    event.type == YAML_MAPPING_START_EVENT)
			depth++;
		else if (event.type == YAML_SEQUENCE_END_EVENT ||
			 event.type == YAML_MAPPING_END_EVENT)
			depth--;
		is_end = event.type == YAML_STREAM_END_EVENT;
		if (depth > DEPTH_MAX)
			sfab_fail(r->err, SFAB_ELIMIT, "%s:%u: lists in lists (expected at "
				  "most %d)", r->t->name,
				  (unsigned) event.start_mark.line + 1, DEPTH_MAX);
		yaml_event_delete(&event);
	}
	return is_end ? 0 : -1;
}

static int begin_yaml(yaml_parser_t *parser, const char *text, struct sfab_err *err)
{
	if (!yaml_parser_initialize(parser))
		return sfab_no_memory(err);
	yaml_parser_set_input_string(parser, (const unsigned char *) text, strlen(text));
	return 0;
}

/* Load the document, which we walk.  libyaml resolves aliases and checks the syntax. */
static int load_yaml(struct yaml_reader *r, const char *text)
{
	yaml_parser_t parser;
	int rc;

	if (begin_yaml(&parser, text, r->err) < 0)
		return -1;
	rc = check_depth(r, &parser);
	yaml_parser_delete(&parser);
	if (rc < 0 || begin_yaml(&parser, text, r->err) < 0)
		return -1;
	rc = yaml_parser_load(&parser, &r->document) ? 0 : -1;
	if (rc != 0)
		sfab_fail(r->err, SFAB_EFORMAT, "%s:%u: %s", r->t->name,
			  (unsigned) parser.problem_mark.line + 1,
			  parser.problem ? parser.problem : "no YAML");
	yaml_parser_delete(&parser);
	return rc;
}

int topology_yaml_read(struct topology_conf *t, char *text, struct sfab_err *err)
{
	struct yaml_reader r = { .t = t, .err = err };
	int rc = load_yaml(&r, text);

	if (rc == 0) {
		rc = read_document(&r);
		yaml_document_delete(&r.document);
	}
	return rc;
}
