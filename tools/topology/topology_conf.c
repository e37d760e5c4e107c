/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology_conf.c - Slurm's topology.conf; see topology.h
 *
 * Lines are read with the parser of sfabric.conf's options, because both follow slurm.conf.
 */

#include "tools/topology/topology.h"

#include <stdlib.h>
#include <string.h>

#include "io/hostlist.h"
#include "io/option.h"
#include "io/readers/reader.h"
#include "tools/ui/xalloc.h"

#define FIELD(name) offsetof(struct topology_switch, name)

static const struct sfab_option options[] = {
	{ "SwitchName", &sfab_kind_text, FIELD(name), NULL,
	  .expected = "a name", .doc = "the switch" },
	{ "Nodes", &sfab_kind_text, FIELD(nodes), NULL,
	  .expected = "a hostlist", .doc = "nodes on it" },
	{ "Switches", &sfab_kind_text, FIELD(switches), NULL,
	  .expected = "a hostlist", .doc = "switches below it" },
	{ "LinkSpeed", &sfab_kind_text, FIELD(speed), NULL,
	  .expected = "a number", .doc = "not used by Slurm" },
	{ .key = NULL, .doc = "topology.conf(5)" }
};

void topology_conf_free(struct topology_conf *t)
{
	for (uint32_t i = 0; i < t->n; i++) {
		sfab_option_free(options, &t->sw[i]);
		free(t->sw[i].unknown);
	}
	HASH_CLEAR(hh, t->by_name);
	free(t->sw);
	free(t->name);
	memset(t, 0, sizeof(*t));
}

struct topology_switch *topology_conf_add(struct topology_conf *t, unsigned line)
{
	t->sw = xgrow(t->sw, t->n, sizeof(*t->sw));
	t->sw[t->n] = (struct topology_switch) { .line = line, .parent = SFAB_NONE };
	return &t->sw[t->n++];
}

/* Refuse a line without a name or members, or with a name that is there already, as Slurm does. */
static int check_switch(const struct topology_conf *t, const struct topology_switch *sw,
			struct sfab_err *err)
{
	uint32_t first;

	if (!sw->name)
		return sfab_fail(err, SFAB_EFORMAT, "no SwitchName");
	if (!sw->nodes && !sw->switches)
		return sfab_fail(err, SFAB_EFORMAT, "SwitchName=%.60s has no Nodes and no "
				 "Switches", sw->name);
	first = topology_conf_find(t, sw->name);
	if (first == SFAB_NONE)
		return 0;
	return sfab_fail(err, SFAB_EFORMAT, "SwitchName=%.60s again (first in line %u)",
			 sw->name, t->sw[first].line);
}

int topology_conf_finish(struct topology_conf *t, struct sfab_err *err)
{
	int rc = t->n ? 0 : sfab_fail(err, SFAB_EFORMAT, "%s: no SwitchName", t->name);

	for (uint32_t i = 0; rc == 0 && i < t->n; i++) {
		struct topology_switch *sw = &t->sw[i];

		rc = check_switch(t, sw, err);
		if (rc == 0)
			HASH_ADD_KEYPTR(hh, t->by_name, sw->name, strlen(sw->name), sw);
		else
			sfab_fail_prefix(err, "%s:%u", t->name, sw->line);
	}
	if (rc != 0)
		topology_conf_free(t);
	return rc;
}

uint32_t topology_conf_find(const struct topology_conf *t, const char *name)
{
	const struct topology_switch *found;

	HASH_FIND_STR(t->by_name, name, found);
	return found ? (uint32_t) (found - t->sw) : SFAB_NONE;
}

/* Read topology.conf.  The option parser copies what it keeps. */
static int read_lines_of_conf(struct topology_conf *t, char *text, struct sfab_err *err)
{
	struct sfab_option_text lines = { text, text + strlen(text), 0 };
	unsigned number;
	char *line;

	while ((line = sfab_option_text_line(&lines, &number)))
		if (line[strspn(line, " \t\r")] &&
		    sfab_option_line(options, topology_conf_add(t, number), line, err) != 0)
			return sfab_fail_prefix(err, "%s:%u", t->name, number);
	return 0;
}

/*
 * Is the text YAML: is its first line that is not empty "---" or "- ..."?  Comments and
 * directives (%YAML) may come before it.
 */
static int is_yaml(const char *text)
{
	for (;;) {
		text += strspn(text, " \t\r\n");
		if (*text != '#' && *text != '%')
			return *text == '-';
		text += strcspn(text, "\n");
	}
}

int topology_conf_parse(struct topology_conf *t, const char *name, char *text, struct sfab_err *err)
{
	*t = (struct topology_conf) { .name = xstrdup(name) };
	if ((is_yaml(text) ? topology_yaml_read : read_lines_of_conf)(t, text, err) == 0)
		return topology_conf_finish(t, err);
	topology_conf_free(t);
	return -1;
}

int topology_conf_read(struct topology_conf *t, const char *path, struct sfab_err *err)
{
	char *text;
	size_t size;
	int rc;

	memset(t, 0, sizeof(*t));
	if (sfab_reader_read_text(path, 0, &text, &size, err) != 0)
		return -1;
	rc = memchr(text, '\0', size) ? sfab_fail(err, SFAB_EFORMAT, "%s: not a text", path) :
	     topology_conf_parse(t, path, text, err);
	free(text);
	return rc;
}

/* Give the nodes of a line their group.  A node may be in one line twice, but not in two lines. */
static int add_nodes(struct topology_conf *t, uint32_t i, const struct sfab_fabric *f,
		     uint32_t *group, uint32_t *unknown, struct sfab_err *err)
{
	struct topology_switch *sw = &t->sw[i];
	struct sfab_names names = { 0 };
	const char **missing;
	uint32_t nmissing = 0;
	int rc = 0;

	if (!sw->nodes)
		return 0;
	if (sfab_hostlist_expand(sw->nodes, &names, err) != 0)
		return -1;
	missing = xcalloc(names.n, sizeof(*missing));
	for (uint32_t k = 0; k < names.n && rc == 0; k++) {
		uint32_t host = sfab_fabric_host(f, names.name[k]);

		if (host == SFAB_NONE)
			missing[nmissing++] = names.name[k];
		else if (group[host] == SFAB_NONE || group[host] == i)
			group[host] = i;
		else
			rc = sfab_fail(err, SFAB_EFORMAT, "node %.60s is also "
				       "in SwitchName=%.60s (line %u)",
				       names.name[k], t->sw[group[host]].name,
				       t->sw[group[host]].line);
	}
	if (nmissing && !sw->unknown)
		sw->unknown = xnonnull(sfab_hostlist_fold(missing, nmissing));
	*unknown += nmissing;
	free(missing);
	sfab_names_free(&names);
	return rc;
}

/* Count any node of the file, whether or not it is in the caller's set. */
uint32_t *topology_conf_groups(struct topology_conf *t, const struct sfab_fabric *f,
			       uint32_t *unknown, struct sfab_err *err)
{
	uint32_t *group = xcalloc(f->nhosts, sizeof(*group));

	*unknown = 0;
	for (uint32_t h = 0; h < f->nhosts; h++)
		group[h] = SFAB_NONE;
	for (uint32_t i = 0; i < t->n; i++) {
		if (add_nodes(t, i, f, group, unknown, err) == 0)
			continue;
		sfab_fail_prefix(err, "%s:%u", t->name, t->sw[i].line);
		free(group);
		return NULL;
	}
	return group;
}
