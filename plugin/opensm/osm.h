/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * osm.h - OpenSM's headers, in the one order that works
 *
 * osm_config.h says with which features OpenSM was built, and so which fields its structs have.
 * osm_opensm.h includes it only after it has used some of them.
 */
#ifndef SFAB_OPENSM_OSM_H
#define SFAB_OPENSM_OSM_H

#include <opensm/osm_config.h>
#include <opensm/osm_event_plugin.h>
#include <opensm/osm_opensm.h>
#include <opensm/osm_version.h>

/*
 * Have the structs the layout of these headers?  Then a pointer after the options leads back to
 * @osm, and a list after PerfMgr is an initialized list.
 */
static inline int sfab_osm_fits(const osm_opensm_t *osm)
{
	return osm->subn.p_osm == osm &&
	       osm->plugin_list.state == CL_INITIALIZED;
}

#endif
