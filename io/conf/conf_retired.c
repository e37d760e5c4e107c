/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf_retired.c - names in values of sfabric.conf that do nothing any more; see conf.h */

#include "io/conf/conf.h"

#include <stdio.h>
#include <strings.h>

const struct sfab_retired sfab_retired_names[] = {
	{ "Weights", "scatter", "broken counts the same leaves" },
	{ .key = NULL }
};

const struct sfab_retired *sfab_conf_retired(const char *key, const char *name)
{
	for (const struct sfab_retired *r = sfab_retired_names; r->key; r++)
		if (strcasecmp(r->key, key) == 0 && strcasecmp(r->name, name) == 0)
			return r;
	return NULL;
}

char *sfab_retired_text(const struct sfab_retired *r, const char *at, char *buf,
			size_t size)
{
	snprintf(buf, size, "%.200s: %s: %s has no effect any more, %s", at, r->key,
		 r->name, r->instead);
	return buf;
}
