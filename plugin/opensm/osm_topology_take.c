/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * osm_topology_take.c - two walks over OpenSM's nodes under its lock: count, then copy; see
 * osm_topology.h
 *
 * Memory is allocated and touched between the two walks, without the lock.  If the fabric has
 * grown in between, both are done again.
 *
 * We copy the tables that the switches have confirmed (lft), not those that are being sent to
 * them (new_lft).  A port counts if OpenSM knows what is on its other end.
 */

#include "plugin/opensm/osm_topology.h"

#include <stdio.h>
#include <string.h>

#include "io/clock.h"
#include "plugin/opensm/osm.h"

static osm_node_t *first_node(osm_opensm_t *osm)
{
	return (osm_node_t *) cl_qmap_head(&osm->subn.node_guid_tbl);
}

static osm_node_t *next_node(osm_opensm_t *osm, osm_node_t *node)
{
	return (osm_node_t *) cl_qmap_next(&node->map_item);
}

static int is_end(osm_opensm_t *osm, osm_node_t *node)
{
	return (cl_map_item_t *) node == cl_qmap_end(&osm->subn.node_guid_tbl);
}

static int is_switch(const osm_node_t *node)
{
	return node->node_info.node_type == IB_NODE_TYPE_SWITCH;
}

/* Return the number of entries of its table; 0: it is no switch, or has no table yet. */
static uint32_t table_size(const osm_node_t *node)
{
	const osm_switch_t *sw = node->sw;
	uint32_t n = sw ? sw->max_lid_ho + 1u : 0;

	if (n <= 1 || !sw->lft)
		return 0;
	return n < sw->lft_size ? n : sw->lft_size;
}

/*
 * Count all ports, also those without a cable: leaving them out would cost a look at each port
 * under the lock.
 */
static struct sfab_topology count_subnet(osm_opensm_t *osm)
{
	struct sfab_topology n = { 0 };
	osm_node_t *node;

	for (node = first_node(osm); !is_end(osm, node);
	     node = next_node(osm, node)) {
		n.nnodes++;
		n.nnames += strlen(node->print_desc ? node->print_desc : "") + 1;
		n.nports += osm_node_get_num_physp(node);
		n.nlft += table_size(node);
	}
	return n;
}

static void copy_port(struct sfab_topo_port *copy, const osm_physp_t *p)
{
	const osm_node_t *other = p->p_remote_physp->p_node;
	const ib_port_info_t *info = &p->port_info;

	*copy = (struct sfab_topo_port) {
		.guid = cl_ntoh64(p->port_guid),
		.to_guid = cl_ntoh64(other->node_info.node_guid),
		.lid = is_switch(p->p_node) ? 0 : cl_ntoh16(info->base_lid),
		.num = p->port_num,
		.to_num = p->p_remote_physp->port_num,
		.lmc = is_switch(p->p_node) ? 0 : ib_port_info_get_lmc(info),
		.to_switch = is_switch(other),
		.is_up = ib_port_info_get_port_state(info) == IB_LINK_ACTIVE,
		.fdr10 = (p->ext_port_info.link_speed_active & FDR10) != 0,
		.width = info->link_width_active,
		.speed = ib_port_info_get_link_speed_active(info),
		.extended_speed = ib_port_info_get_link_speed_ext_active(info),
	};
}

/* Append the node to @t, and its ports, its name and its table, for which @t has room. */
static void copy_node(struct sfab_topology *t, osm_node_t *node)
{
	struct sfab_topo_node *copy = &t->node[t->nnodes++];
	const char *name = node->print_desc ? node->print_desc : "";

	*copy = (struct sfab_topo_node){
		.guid = cl_ntoh64(node->node_info.node_guid),
		.nports = node->node_info.num_ports,
		.name = t->nnames,
		.first_port = t->nports,
	};
	strcpy(t->names + t->nnames, name);
	t->nnames += strlen(name) + 1;
	for (uint32_t num = 1; num < osm_node_get_num_physp(node); num++) {
		const osm_physp_t *p = osm_node_get_physp_ptr(node, num);

		/* Only ports that have another end. */
		if (p && p->p_remote_physp && p->p_remote_physp->p_node)
			copy_port(&t->port[t->nports++], p);
	}
	copy->nlisted = t->nports - copy->first_port;
	if (is_switch(node)) {
		const osm_physp_t *management = osm_node_get_physp_ptr(node, 0);

		copy->is_switch = 1;
		copy->lid =
		    management ? cl_ntoh16(management->port_info.base_lid) : 0;
		copy->lft = t->nlft;
		copy->nlft = table_size(node);
		if (copy->nlft)
			memcpy(t->lft + t->nlft, node->sw->lft, copy->nlft);
		t->nlft += copy->nlft;
	}
}

/* Copy the subnet.  Runs under the lock, so it is short.  1: @t has too little room. */
static int copy_subnet(struct sfab_topology *t, osm_opensm_t *osm)
{
	const struct sfab_topology n = count_subnet(osm);
	const struct osm_routing_engine *used = osm->routing_engine_used;
	const char *asked = osm->subn.opt.routing_engine_names;

	if (n.nnodes > t->nnodes || n.nnames > t->nnames || n.nports > t->nports ||
	    n.nlft > t->nlft)
		return 1;
	t->nnodes = t->nports = 0;
	t->nlft = t->nnames = 0;
	for (osm_node_t *node = first_node(osm); !is_end(osm, node);
	     node = next_node(osm, node))
		copy_node(t, node);
	t->sm_guid = cl_ntoh64(osm->subn.sm_port_guid);
	t->has_errors = osm->subn.subnet_initialization_error;
	/* What was used, and what opensm.conf requests: ftree falls back to min-hop. */
	snprintf(t->engine, sizeof(t->engine), "%s",
		 used && used->name ? used->name : "");
	snprintf(t->engines_asked, sizeof(t->engines_asked), "%s", asked ? asked : "");
	snprintf(t->source, sizeof(t->source), "%s%s", osm->osm_version,
		 t->has_errors ? ", errors in the sweep" : "");
	return 0;
}

static int64_t lock_subnet(osm_opensm_t *osm)
{
	cl_plock_acquire(&osm->lock);
	return sfab_clock_monotonic_ns();
}

/* Unlock.  Return how long the lock was held, in microseconds. */
static uint32_t unlock_subnet(osm_opensm_t *osm, int64_t since)
{
	int64_t now = sfab_clock_monotonic_ns();

	cl_plock_release(&osm->lock);
	return (uint32_t) ((now - since) / 1000);
}

struct sfab_topology *sfab_topology_take(struct osm_opensm *osm)
{
	struct sfab_topology *t, counts;
	int has_grown;

	do {
		int64_t since = lock_subnet(osm);
		uint32_t locked_us;

		counts = count_subnet(osm);
		locked_us = unlock_subnet(osm, since);
		t = sfab_topology_create(&counts);
		if (!t)
			return NULL;
		since = lock_subnet(osm);
		has_grown = copy_subnet(t, osm);
		t->locked_us = locked_us + unlock_subnet(osm, since);
		t->time_ms = sfab_clock_realtime_ms();
		if (has_grown)
			sfab_topology_destroy(t);
	} while (has_grown);
	return t;
}
