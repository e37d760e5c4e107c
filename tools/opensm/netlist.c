/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * netlist.c - the cables of a plan as ibnetdiscover prints them, for ibsim; see cabling_plan.h
 *
 * All links have one speed, because ibsim does not know every speed.
 */

#include "tools/opensm/cabling_plan.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tools/ui/xalloc.h"

#define SWITCH_SLOTS 256u	/* a port number is a byte */

struct netlist {
	const struct cabling_plan *p;
	const char *speed;
	int has_names;
	FILE *out;
};

static const char *name_of_switch(const struct netlist *n, uint32_t sw)
{
	return n->has_names ? n->p->f->switches[sw].name : "switch";
}

/* Write a switch.  @plugged: by port, the end port that is plugged in there, or SFAB_NONE. */
static void write_netlist_switch(const struct netlist *n, const uint32_t *plugged, uint32_t sw)
{
	const struct sfab_fabric *f = n->p->f;
	const struct sfab_switch *s = &f->switches[sw];

	/* A fixed vendor and device: a snapshot does not have them. */
	fprintf(n->out, "\nvendid=0x2c9\ndevid=0xbd36\nsysimgguid=0x%" PRIx64
		"\nswitchguid=0x%" PRIx64 "(%" PRIx64 ")\nSwitch\t%u \"S-%016"
		PRIx64 "\"\t\t# \"%s\" base port 0 lid 0 lmc 0\n", s->guid + 3,
		s->guid, s->guid, s->nports, s->guid, name_of_switch(n, sw));
	for (unsigned num = 1; num <= s->nports; num++) {
		uint32_t link = s->out[num];
		const struct sfab_link *l = link == SFAB_NONE ? NULL : &f->links[link];

		if (plugged[num] != SFAB_NONE) {
			const struct sfab_port *port = &f->ports[plugged[num]];

			fprintf(n->out, "[%u]\t\"H-%016" PRIx64 "\"[%u](%" PRIx64
				") \t\t# \"%s\" lid 0 4x%s\n", num, port->node_guid, port->num,
				cabling_plan_port_guid(port), n->has_names ? port->desc : "host",
				n->speed);
		} else if (l && !n->p->down[link] && l->kind == SFAB_LINK_ISL) {
			fprintf(n->out, "[%u]\t\"S-%016" PRIx64
				"\"[%u]\t\t# \"%s\" lid 0 4x%s\n", num,
				f->switches[l->to].guid, l->to_port, name_of_switch(n, l->to),
				n->speed);
		}
	}
}

/*
 * Write the adapter of an active port, unless another active port of it comes first: an adapter
 * is one node with several ports, and is written once.
 */
static void write_adapter(const struct netlist *n, uint32_t port)
{
	const struct sfab_fabric *f = n->p->f;
	const struct sfab_port *p = &f->ports[port];
	const struct sfab_host *h = &f->hosts[p->host];
	unsigned nports = 1;

	for (uint32_t i = h->port0; i < h->port0 + h->nports; i++) {
		if (f->ports[i].node_guid != p->node_guid ||
		    f->ports[i].plane != p->plane)
			continue;
		if (i < port && cabling_plan_port_is_up(n->p, i))
			return;
		if (f->ports[i].num > nports)
			nports = f->ports[i].num;
	}
	fprintf(n->out, "\nvendid=0x2c9\ndevid=0x673c\nsysimgguid=0x%" PRIx64
		"\ncaguid=0x%" PRIx64 "\nCa\t%u \"H-%016" PRIx64 "\"\t\t# \"%s\"\n",
		p->node_guid + 3, p->node_guid, nports, p->node_guid,
		n->has_names ? p->desc : "host");
	for (uint32_t i = h->port0; i < h->port0 + h->nports; i++) {
		const struct sfab_port *other = &f->ports[i];
		uint32_t sw = n->p->sw[i];

		if (other->node_guid == p->node_guid &&
		    other->plane == p->plane && cabling_plan_port_is_up(n->p, i))
			fprintf(n->out, "[%u](%" PRIx64 ") \t\"S-%016" PRIx64
				"\"[%u]\t\t# lid 0 lmc 0 \"%s\" lid 0 4x%s\n", other->num,
				cabling_plan_port_guid(other), f->switches[sw].guid,
				n->p->sw_port[i], name_of_switch(n, sw), n->speed);
	}
}

void cabling_plan_netlist(const struct cabling_plan *p, uint32_t plane, enum netlist_names names,
			  const char *speed, FILE *out)
{
	const struct netlist n = {
		.p = p, .speed = speed, .has_names = names == NETLIST_NAMES, .out = out,
	};
	const struct sfab_plane *pl = &p->f->planes[plane];
	/* End ports by switch and port, filled in one pass over the ports. */
	size_t nslots = ((size_t) p->f->nswitches + 1) * SWITCH_SLOTS;
	uint32_t *plugged = xcalloc(nslots, sizeof(*plugged));

	for (size_t i = 0; i < nslots; i++)
		plugged[i] = SFAB_NONE;
	for (uint32_t i = 0; i < p->f->nports; i++)
		if (cabling_plan_port_is_up(p, i))
			plugged[p->sw[i] * SWITCH_SLOTS + p->sw_port[i]] = i;
	for (uint32_t i = 0; i < p->f->nports; i++)
		if (p->f->ports[i].plane == plane && cabling_plan_port_is_up(p, i))
			write_adapter(&n, i);
	for (uint32_t sw = pl->switch0; sw < pl->switch0 + pl->nswitches; sw++)
		write_netlist_switch(&n, &plugged[sw * SWITCH_SLOTS], sw);
	free(plugged);
}
