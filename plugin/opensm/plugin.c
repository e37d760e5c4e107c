/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plugin.c - what OpenSM calls: libosmsfabric.so
 *
 * OpenSM reports events from several of its threads; it reports LFT_CHANGE with its lock held
 * exclusively.  Nothing here waits for anything but that lock, and only for events that come
 * without it.
 */

#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"
#include "io/clock.h"
#include "plugin/opensm/keeper.h"
#include "plugin/opensm/osm.h"

struct plugin {
	osm_opensm_t *osm;
	struct sfab_keeper *keeper;
};

static void write_osm_log(void *ctx, enum sfab_osm_log level, const char *text)
{
	osm_opensm_t *osm = ctx;
	char clean[1024];	/* node descriptions are arbitrary bytes */

	sfab_utf8_clean(clean, sizeof(clean), text, strlen(text));
	osm_log(&osm->log, level == SFAB_OSM_ERROR ? OSM_LOG_ERROR
						   : OSM_LOG_INFO,
		"sfabric: %s\n", clean);
}

/*
 * Return the state of the SM.  Called in the keeper's thread without OpenSM's lock, which may
 * be held for long; hence the atomic loads.
 */
static enum sfab_sm_state sm_state(void *ctx)
{
	const osm_opensm_t *osm = ctx;

	switch (__atomic_load_n(&osm->subn.sm_state, __ATOMIC_RELAXED)) {
	case IB_SMINFO_STATE_MASTER:
		return SFAB_SM_MASTER;
	case IB_SMINFO_STATE_STANDBY:
		return SFAB_SM_STANDBY;
	default:
		return SFAB_SM_OTHER;
	}
}

static uint64_t sm_guid(void *ctx)
{
	const osm_opensm_t *osm = ctx;

	return cl_ntoh64(__atomic_load_n(&osm->subn.sm_port_guid,
					 __ATOMIC_RELAXED));
}

static void offer_subnet_copy(struct plugin *p)
{
	struct sfab_topology *t;

	if (sm_state(p->osm) != SFAB_SM_MASTER)
		return;
	t = sfab_topology_take(p->osm);
	if (t)
		sfab_keeper_offer(p->keeper, t);
	else
		write_osm_log(p->osm, SFAB_OSM_ERROR,
			      "no memory for a copy of the tables");
}

static void add_port_data(struct plugin *p, const osm_epi_dc_event_t *e)
{
	sfab_totals_add_data(sfab_keeper_totals(p->keeper), e->port_id.node_guid,
			     e->port_id.port_num, e->xmit_data, e->rcv_data,
			     sfab_clock_realtime_ms());
}

/* Sum all kinds of errors except discards: the sum shows a bad link, not its cause. */
static void add_port_errors(struct plugin *p, const osm_epi_pe_event_t *e)
{
	sfab_totals_add_errors(sfab_keeper_totals(p->keeper), e->port_id.node_guid,
			       e->port_id.port_num, e->xmit_wait, e->xmit_discards,
			       e->symbol_err_cnt + e->link_err_recover +
			       e->link_downed + e->rcv_err + e->rcv_rem_phys_err +
			       e->rcv_switch_relay_err + e->xmit_constraint_err +
			       e->rcv_constraint_err + e->link_integrity +
			       e->buffer_overrun + e->vl15_dropped);
}

static void report_osm_event(void *ctx, osm_epi_event_id_t id, void *data)
{
	struct plugin *p = ctx;

	switch (id) {
	case OSM_EVENT_ID_PORT_ERRORS:
		add_port_errors(p, data);
		break;
	case OSM_EVENT_ID_PORT_DATA_COUNTERS:
		add_port_data(p, data);
		break;
	case OSM_EVENT_ID_SUBNET_UP:
		offer_subnet_copy(p);
		break;
	case OSM_EVENT_ID_UCAST_ROUTING_DONE:
		/* A heavy sweep reports this before its SUBNET_UP; only a reroute counts. */
		if ((uintptr_t) data == UCAST_ROUTING_REROUTE)
			offer_subnet_copy(p);
		break;
	case OSM_EVENT_ID_STATE_CHANGE:
		sfab_keeper_wake(p->keeper);
		break;
	case OSM_EVENT_ID_LFT_CHANGE:
		sfab_keeper_doubt(p->keeper);
		break;
	default:
		break;
	}
}

/* End the plugin.  A keeper that hangs in a dead disk keeps its memory, as the process ends. */
static void delete_osm_plugin(void *ctx)
{
	struct plugin *p = ctx;

	if (sfab_keeper_destroy(p->keeper) < 0)
		write_osm_log(
		    p->osm, SFAB_OSM_ERROR,
		    "a file could not be written for two seconds: given up");
	free(p);
}

static struct sfab_keeper *start_keeper(osm_opensm_t *osm, struct sfab_err *err)
{
	const struct sfab_sm sm = {osm, sm_state, sm_guid, write_osm_log};
	struct sfab_osm_options o;
	struct sfab_keeper *k;

	if (sfab_osm_options_parse(&o, osm->subn.opt.event_plugin_options,
				   err) < 0) {
		sfab_osm_options_free(&o);
		sfab_fail_prefix(err, "event_plugin_options");
		return NULL;
	}
	k = sfab_keeper_create(&o, &sm, err);
	if (k && sfab_keeper_start(k, err) < 0) {
		sfab_keeper_destroy(k);
		return NULL;
	}
	return k;
}

static void *create_osm_plugin(osm_opensm_t *osm)
{
	struct plugin *p = calloc(1, sizeof(*p));
	struct sfab_err err = { 0 };

	if (!p || !sfab_osm_fits(osm)) {
		free(p);
		return NULL;
	}
	p->osm = osm;
	p->keeper = start_keeper(osm, &err);
	if (p->keeper)
		return p;
	write_osm_log(osm, SFAB_OSM_ERROR, err.text);
	free(p);
	return NULL;
}

__attribute__((visibility("default"))) osm_event_plugin_t osm_event_plugin = {
    .osm_version = OSM_VERSION,
    .create = create_osm_plugin,
    .delete = delete_osm_plugin,
    .report = report_osm_event,
};
