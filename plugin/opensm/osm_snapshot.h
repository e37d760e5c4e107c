/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * osm_snapshot.h - the three files of the plugin: snapshot, its confirmation, counters
 *
 * Everything here may take as long as a disk takes; only the keeper's thread calls it.
 */
#ifndef SFAB_OPENSM_OSM_SNAPSHOT_H
#define SFAB_OPENSM_OSM_SNAPSHOT_H

#include "io/snapshot/alive.h"
#include "io/snapshot/snapshot.h"
#include "plugin/opensm/osm_topology.h"
#include "plugin/opensm/plugin_options.h"

/*
 * Make @t a snapshot with the IO sets of the sfabric.conf that option Conf names.  Hosts of IO
 * sets that are not in the fabric are left out; *@missing is their number.  NULL with *err.
 */
struct sfab_snapshot *sfab_osm_snapshot_make(const struct sfab_osm_options *o,
					     const struct sfab_topology *t,
					     uint32_t *missing,
					     struct sfab_err *err);

/* Readable by all: slurmctld runs as a different user. */
#define SFAB_OSM_SNAPSHOT_MODE 0644

/* 1: @path holds an intact snapshot with this fingerprint.  Reads the whole file. */
int sfab_osm_snapshot_is_saved(const char *path, uint64_t fingerprint);

/*
 * May this master write?  Two may run this plugin on one folder: the one that became master
 * last writes, and the other holds back.  1: we may write @mine at @now_s (seconds since 1970).
 * 0: *@other is the confirmation of the master that writes.
 */
int sfab_osm_snapshot_is_mine(const struct sfab_osm_options *o,
			      const struct sfab_alive *mine, uint64_t now_s,
			      struct sfab_alive *other);

#endif
