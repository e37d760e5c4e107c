/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plugin_options.h - event_plugin_options of opensm.conf
 *
 * Key=Value words in the grammar of sfabric.conf, described in sfabric-opensm(8). One table
 * feeds the parser; the tests check the man page against it.
 */
#ifndef SFAB_OPENSM_PLUGIN_OPTIONS_H
#define SFAB_OPENSM_PLUGIN_OPTIONS_H

#include <stdint.h>

#include "core/err.h"
#include "io/option.h"

struct sfab_osm_options {
	char *snapshot, *alive;		/* paths */
	char *counters;			/* "": none */
	char *plane;			/* name of the subnet */
	char *node_name_map, *conf;	/* paths, "": none */
	uint32_t alive_ms;		/* between two confirmations */
	uint32_t gap_ms;		/* least time between two snapshots */
	uint32_t half_life_s;		/* of rates in counters */
};

extern const struct sfab_option sfab_osm_option_table[];

/*
 * Parse @text, the value of event_plugin_options; NULL: all defaults.  -1 with *err.  Call
 * sfab_osm_options_free() in either case.
 */
int sfab_osm_options_parse(struct sfab_osm_options *o, const char *text, struct sfab_err *err);
void sfab_osm_options_free(struct sfab_osm_options *o);

#endif
