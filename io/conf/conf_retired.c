/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf_retired.c - what of sfabric.conf does nothing any more; see conf.h */

#include "io/conf/conf.h"

#include <stdio.h>
#include <strings.h>

#define TERMS "the terms are own, others and later"

const struct sfab_retired sfab_retired_names[] = {
	{ "Weights", "scatter", TERMS },
	{ "Weights", "self", TERMS },
	{ "Weights", "overlap", TERMS },
	{ "Weights", "io_sharing", TERMS },
	{ "Weights", "harm", TERMS },
	{ "Weights", "live", TERMS },
	{ "Weights", "contention", TERMS },
	{ "Weights", "slowed", TERMS },
	{ "Weights", "broken", TERMS },
	{ "Weights", "ahead", TERMS },
	{ "Weights", "tree", TERMS },
	{ "Weights", "io_way", TERMS },
	{ "DefaultShare", NULL, "weights are parts of the time, see DefaultTraffic" },
	{ "MpiScore", NULL, "the time that a job loses decides" },
	{ .key = NULL }
};

const struct sfab_retired *sfab_conf_retired(const char *key, const char *name)
{
	for (const struct sfab_retired *r = sfab_retired_names; r->key; r++)
		if (strcasecmp(r->key, key) == 0 &&
		    (r->name && name ? strcasecmp(r->name, name) == 0 : r->name == name))
			return r;
	return NULL;
}

char *sfab_retired_text(const struct sfab_retired *r, const char *at, char *buf,
			size_t size)
{
	snprintf(buf, size, "%.200s: %s%s%s has no effect any more, %s", at, r->key,
		 r->name ? ": " : "", r->name ? r->name : "", r->instead);
	return buf;
}
