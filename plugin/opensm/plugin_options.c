/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plugin_options.c - the table of options; see plugin_options.h
 *
 * OpenSM passes one line of its own file, so the options are KEY=VALUE words and not a file.
 * The table is of the kind that sfabric.conf uses, and gives parser, defaults and manual page.
 */

#include "plugin/opensm/plugin_options.h"

#include <stdlib.h>
#include <string.h>

#include "io/snapshot/alive.h"

#define FIELD(name) offsetof(struct sfab_osm_options, name)
#define SECOND 1e6	/* microseconds */
#define MS 1e3

const struct sfab_option sfab_osm_option_table[] = {
	{ "Snapshot", &sfab_kind_path, FIELD(snapshot),
	  "/run/sfabric/fabric.snap",
	  .doc = "file for the fabric and its routes" },
	{ "Counters", &sfab_kind_path, FIELD(counters), "",
	  .doc = "file for the counters of PerfMgr; empty: none" },
	{ "Alive", &sfab_kind_path, FIELD(alive), "",
	  .doc = "file that confirms the snapshot; empty: fabric.alive beside "
		 "it" },
	{ "AliveInterval", &sfab_kind_time, FIELD(alive_ms), "30s",
	  .min = 100, .max = 86400e3, .unit_us = MS,
	  .doc = "time between two confirmations" },
	{ "SnapshotGap", &sfab_kind_time, FIELD(gap_ms), "200ms",
	  .max = 3600e3, .unit_us = MS,
	  .doc = "shortest time between two snapshots" },
	{ "HalfLife", &sfab_kind_time, FIELD(half_life_s), "60s",
	  .min = 1, .max = 86400, .unit_us = SECOND,
	  .doc = "half-life of the rates in Counters" },
	{ "NodeNameMap", &sfab_kind_path, FIELD(node_name_map), "",
	  .doc = "names for node GUIDs; empty: as OpenSM names them" },
	{ "Plane", &sfab_kind_text, FIELD(plane), NULL,
	  .expected = "the name of the subnet",
	  .doc = "name of the subnet" },
	{ "Conf", &sfab_kind_path, FIELD(conf), "",
	  .doc = "sfabric.conf with the IoSet lines; empty: none" },
	{ .key = NULL, .doc = "sfabric-opensm(8)" }
};

int sfab_osm_options_parse(struct sfab_osm_options *o, const char *text, struct sfab_err *err)
{
	char *line = strdup(text ? text : ""), path[4096];
	int rc;

	memset(o, 0, sizeof(*o));
	if (!line || sfab_option_defaults(sfab_osm_option_table, o) < 0) {
		free(line);
		return sfab_no_memory(err);
	}
	rc = sfab_option_line(sfab_osm_option_table, o, line, err);
	free(line);
	if (rc < 0)
		return rc;
	if (!*o->alive) {
		free(o->alive);
		o->alive = strdup(sfab_alive_path(NULL, o->snapshot, path, sizeof(path)));
	}
	return o->alive ? 0 : sfab_no_memory(err);
}

void sfab_osm_options_free(struct sfab_osm_options *o)
{
	sfab_option_free(sfab_osm_option_table, o);
	memset(o, 0, sizeof(*o));
}
