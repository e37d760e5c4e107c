/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * osm_snapshot.c - what is in the plugin's files; see osm_snapshot.h
 *
 * Two subnet managers may share a folder, and for some seconds after a failover both may
 * believe that they are master.  fabric.alive says who wrote last, so each looks there before
 * it writes, and both judge by the same rule (sfab_osm_snapshot_is_mine()).
 */

#include "plugin/opensm/osm_snapshot.h"

#include "io/conf/conf.h"

#define SILENT_ALIVES 3		/* missed by a master that counts as gone */

static struct sfab_fabric *make_fabric(const struct sfab_osm_options *o,
				       const struct sfab_conf *conf,
				       const struct sfab_topology *t,
				       struct sfab_err *err)
{
	const char *path = *o->node_name_map ? o->node_name_map
					     : conf->node_name_map;
	struct sfab_namemap *map = NULL;
	struct sfab_snapshot *past;
	struct sfab_fabric *f;

	if (*path) {
		map = sfab_namemap_load(path, err);
		if (!map)
			return NULL;
	}
	past = sfab_snapshot_load(o->snapshot, NULL, NULL);
	f = sfab_topology_fabric(t, o->plane ? o->plane : "", map,
				 past ? past->fabric : NULL, err);
	sfab_snapshot_destroy(past);
	sfab_namemap_destroy(map);
	return f;
}

struct sfab_snapshot *sfab_osm_snapshot_make(const struct sfab_osm_options *o,
					     const struct sfab_topology *t,
					     uint32_t *missing,
					     struct sfab_err *err)
{
	struct sfab_conf *conf = *o->conf ? sfab_conf_load(o->conf, NULL, err) :
				sfab_conf_parse("", 0, "event_plugin_options", err);
	struct sfab_fabric *f = conf ? make_fabric(o, conf, t, err) : NULL;
	struct sfab_iosets *io = f ? sfab_conf_iosets(conf, f, NULL, missing, err)
				   : NULL;

	sfab_conf_destroy(conf);
	if (io)
		return sfab_snapshot_take(f, io, err);
	sfab_fabric_destroy(f);
	return NULL;
}

int sfab_osm_snapshot_is_saved(const char *path, uint64_t fingerprint)
{
	struct sfab_err err;
	struct sfab_snapshot *s = sfab_snapshot_load(path, NULL, &err);
	int is_saved = s && s->fingerprint == fingerprint;

	sfab_snapshot_destroy(s);
	return is_saved;
}

/* Let the last one to become master win; within the same second, the GUID decides. */
int sfab_osm_snapshot_is_mine(const struct sfab_osm_options *o,
			      const struct sfab_alive *mine, uint64_t now_s,
			      struct sfab_alive *other)
{
	uint64_t silence_s = SILENT_ALIVES * (uint64_t) o->alive_ms / 1000;

	if (sfab_alive_load(o->alive, NULL, other, NULL) < 0 ||
	    other->sm_guid == mine->sm_guid || !other->sm_guid ||
	    other->standby || now_s > other->time + silence_s)
		return 1;
	if (other->since != mine->since)
		return other->since < mine->since;
	return other->sm_guid < mine->sm_guid;
}
