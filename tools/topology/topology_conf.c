/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology_conf.c - Slurm's topology.conf; see topology_conf.h
 *
 * Lines are read with the parser of sfabric.conf's options, because both follow
 * slurm.conf.
 */

#include "tools/topology/topology_conf.h"

#include <stdlib.h>
#include <string.h>

#include "core/fabric/fabric.h"
#include "io/hostlist.h"
#include "io/option.h"
#include "io/readers/reader.h"
#include "tools/ui/say.h"

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

void topology_switch_free(struct topology_switch *sw)
{
	free(sw->name);
	free(sw->nodes);
	free(sw->switches);
	free(sw->speed);
	free(sw->unknown);
}

void topology_conf_free(struct topology_conf *t)
{
	for (uint32_t i = 0; i < t->n; i++)
		topology_switch_free(&t->sw[i]);
	HASH_CLEAR(hh, t->by_name);
	free(t->sw);
	free(t->name);
	memset(t, 0, sizeof(*t));
}

/* Both readers add their switches here. */
int topology_conf_add_take(struct topology_conf *t, struct topology_switch *sw,
			   struct sfab_err *err)
{
	int rc = 0;

	/* Slurm refuses such lines as well. */
	if (!sw->name)
		rc = sfab_fail(err, SFAB_EFORMAT, "no SwitchName");
	else if (!sw->nodes && !sw->switches)
		rc = sfab_fail(err, SFAB_EFORMAT, "SwitchName=%.60s has no "
			       "Nodes and no Switches", sw->name);
	if (rc != 0) {
		topology_switch_free(sw);
		return -1;
	}
	t->sw = need_more(t->sw, t->n, sizeof(*t->sw));
	sw->parent = SFAB_NONE;
	t->sw[t->n++] = *sw;
	return 0;
}

/*
 * What was read before an error is freed here: the switch is not in the list
 * yet.
 */
static int read_topology_line(struct topology_conf *t, char *line,
			      unsigned number, struct sfab_err *err)
{
	struct topology_switch sw = { .line = number };

	if (!line[strspn(line, " \t\r")])
		return 0;
	if (sfab_option_line(options, &sw, line, err) == 0)
		return topology_conf_add_take(t, &sw, err);
	topology_switch_free(&sw);
	return -1;
}

int topology_conf_finish(struct topology_conf *t, struct sfab_err *err)
{
	int rc = t->n ? 0 : sfab_fail(err, SFAB_EFORMAT, "%s: no SwitchName", t->name);

	for (uint32_t i = 0; i < t->n; i++) {
		struct topology_switch *sw = &t->sw[i];
		uint32_t first = topology_conf_find(t, sw->name);

		if (first == SFAB_NONE)
			HASH_ADD_KEYPTR(hh, t->by_name, sw->name, strlen(sw->name), sw);
		else if (rc == 0)
			rc = sfab_fail(err, SFAB_EFORMAT, "%s:%u: SwitchName=%.60s again (first "
				       "in line %u)", t->name, sw->line, sw->name,
				       t->sw[first].line);
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

/* Text is cut into lines in place; the option parser copies what it keeps. */
int topology_conf_parse(struct topology_conf *t, const char *name, char *text,
			struct sfab_err *err)
{
	struct sfab_option_text lines = { text, text + strlen(text), 0 };
	unsigned number;
	char *line;
	int rc = 0;

	*t = (struct topology_conf) { .name = need_copy(name) };
	while (rc == 0 && (line = sfab_option_text_line(&lines, &number))) {
		rc = read_topology_line(t, line, number, err);
		if (rc != 0)
			sfab_fail_prefix(err, "%s:%u", name, number);
	}
	free(text);
	if (rc == 0)
		return topology_conf_finish(t, err);
	topology_conf_free(t);
	return -1;
}

/*
 * Its first line that is not empty is "---" or "- ...".  Comments and
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

int topology_conf_read(struct topology_conf *t, const char *path,
		       struct sfab_err *err)
{
	char *text;
	size_t size;

	memset(t, 0, sizeof(*t));
	if (sfab_text_read(path, 0, &text, &size, err) != 0)
		return -1;
	if (memchr(text, '\0', size)) {
		free(text);
		return sfab_fail(err, SFAB_EFORMAT, "%s: not a text", path);
	}
	return is_yaml(text) ? topology_yaml_parse(t, path, text, err) :
			       topology_conf_parse(t, path, text, err);
}

/* A node may be in one line twice, but not in two lines. */
static int add_nodes(struct topology_conf *t, uint32_t i,
		     const struct sfab_fabric *f, uint32_t *group,
		     uint32_t *unknown, struct sfab_err *err)
{
	struct topology_switch *sw = &t->sw[i];
	struct sfab_names names = { 0 };
	const char **gone;
	uint32_t ngone = 0;
	int rc = 0;

	if (!sw->nodes)
		return 0;
	if (sfab_hostlist_expand(sw->nodes, &names, err) != 0)
		return -1;
	gone = need(names.n, sizeof(*gone));
	for (uint32_t k = 0; k < names.n && rc == 0; k++) {
		uint32_t host = sfab_fabric_host(f, names.name[k]);

		if (host == SFAB_NONE)
			gone[ngone++] = names.name[k];
		else if (group[host] == SFAB_NONE || group[host] == i)
			group[host] = i;
		else
			rc = sfab_fail(err, SFAB_EFORMAT, "node %.60s is also "
				       "in SwitchName=%.60s (line %u)",
				       names.name[k], t->sw[group[host]].name,
				       t->sw[group[host]].line);
	}
	if (ngone && !sw->unknown)
		sw->unknown = need_made(sfab_hostlist_fold(gone, ngone));
	*unknown += ngone;
	free(gone);
	sfab_names_free(&names);
	return rc;
}

/* Any node of the file counts, whether or not it is in the caller's set. */
uint32_t *topology_conf_groups(struct topology_conf *t,
			       const struct sfab_fabric *f, uint32_t *unknown,
			       struct sfab_err *err)
{
	uint32_t *group = need(f->nhosts, sizeof(*group));

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
