/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change.c - the requested change; see change.h
 *
 * Cables are changed in a plan, options of OpenSM become lines of its configuration.
 */

#include "tools/opensm/change.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ui/xalloc.h"

#define ENGINE_KEY "routing_engine="

const struct changes changes_none;

void changes_add(struct changes *c, const char *option, const char *value)
{
	c->list = xgrow(c->list, c->n, sizeof(*c->list));
	c->list[c->n++] = (struct change) { .option = option, .value = xstrdup(value) };
}

void changes_free(struct changes *c)
{
	for (uint32_t i = 0; i < c->n; i++)
		free(c->list[i].value);
	free(c->list);
	memset(c, 0, sizeof(*c));
}

int changes_have_guids(const struct changes *c)
{
	for (uint32_t i = 0; i < c->n; i++)
		if (strcmp(c->list[i].option, "io-guid-file") == 0 ||
		    strcmp(c->list[i].option, "io-order") == 0)
			return 1;
	return 0;
}

/* By option: how the line begins; NULL: the value is KEY=VALUE. */
static const struct {
	const char *option, *key;
	int has_guids;		/* the value is the file of GUIDs */
} conf_lines[] = {
	{ "base-option", NULL, 0 },
	{ "opensm-option", NULL, 0 },
	{ "engine", "routing_engine", 0 },
	{ "io-guid-file", "io_guid_file", 1 },
	{ "io-order", "guid_routing_order_file", 1 },
};

char *changes_conf(const struct changes *c, const char *separator, const char *guid_file)
{
	char *text = xstrdup("");

	for (uint32_t i = 0; i < c->n; i++)
		for (size_t k = 0; k < sizeof(conf_lines) / sizeof(conf_lines[0]); k++) {
			const char *value = c->list[i].value, *key = conf_lines[k].key;
			size_t size = strcspn(value, "=");

			if (strcmp(conf_lines[k].option, c->list[i].option) != 0)
				continue;
			if (key)
				xjoin(&text, separator, "%s %s", key,
				      conf_lines[k].has_guids ? guid_file : value);
			else
				xjoin(&text, separator, "%.*s %s", (int) size, value,
				      value + size + 1);
		}
	return text;
}

const char *changes_engines(const struct changes *c)
{
	const size_t size = strlen(ENGINE_KEY);
	const char *found = NULL;

	for (uint32_t i = 0; i < c->n; i++)
		if (strcmp(c->list[i].option, "engine") == 0)
			found = c->list[i].value;
		else if (strncmp(c->list[i].value, ENGINE_KEY, size) == 0)
			found = c->list[i].value + size;
	return found;
}

static int apply_changes(const struct changes *c, struct cabling_plan *p, const char *option,
			 int (*apply)(struct cabling_plan *p, const char *text,
				      struct sfab_err *err),
			 struct sfab_err *err)
{
	for (uint32_t i = 0; i < c->n; i++)
		if (strcmp(c->list[i].option, option) == 0 &&
		    apply(p, c->list[i].value, err) != 0)
			return sfab_fail_prefix(err, "--%s", option);
	return 0;
}

int changes_apply(const struct changes *c, struct cabling_plan *p, struct sfab_err *err)
{
	if (apply_changes(c, p, "move", cabling_plan_move, err) != 0)
		return -1;
	/*
	 * Only after all moves: two hosts may change places, and in between both are on one
	 * port.
	 */
	if (cabling_plan_check(p, err) != 0)
		return sfab_fail_prefix(err, "--move");
	return apply_changes(c, p, "down", cabling_plan_down, err);
}
