/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * netlist.c - the cables of a plan as ibnetdiscover would print them, for ibsim
 *
 * All links are 4xQDR in it, because ibsim does not know every speed.  The
 * speeds of the fabric are restored when the tables are read.
 */

#include "tools/whatif/cabling_plan.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tools/ui/say.h"

#define SPEED "4xQDR"

static void write_netlist_switch(const struct plan *p, const uint32_t *seat,
				 uint32_t sw, FILE *out)
{
	const struct sfab_switch *s = &p->f->switches[sw];

	/* A fixed vendor and device: a snapshot does not have them. */
	fprintf(out, "\nvendid=0x2c9\ndevid=0xbd36\nsysimgguid=0x%" PRIx64
		"\nswitchguid=0x%" PRIx64 "(%" PRIx64 ")\nSwitch\t%u \"S-%016"
		PRIx64 "\"\t\t# \"S-%016" PRIx64 "\" base port 0 lid 0 lmc 0\n",
		s->guid, s->guid, s->guid, s->nports, s->guid, s->guid);
	for (unsigned num = 1; num <= s->nports; num++) {
		const struct sfab_fabric *f = p->f;
		uint32_t link = f->switches[sw].out[num];
		const struct sfab_port *port;

		/* What is plugged into a port of a switch. */
		if (seat[num] != SFAB_NONE) {
			port = &f->ports[seat[num]];
			fprintf(out, "[%u]\t\"H-%016" PRIx64 "\"[%u](%" PRIx64
				") \t\t# \"host\" lid 0 " SPEED "\n", num,
				port->node_guid, port->num,
				plan_port_guid(port));
		} else if (link != SFAB_NONE && !p->down[link] &&
			   f->links[link].kind == SFAB_LINK_ISL) {
			fprintf(out,
				"[%u]\t\"S-%016" PRIx64
				"\"[%u]\t\t# \"switch\" lid 0 " SPEED "\n",
				num, f->switches[f->links[link].to].guid,
				f->links[link].to_port);
		}
	}
}

/*
 * The adapter of an active port, unless another active port of it comes first: an
 * adapter is one node with several ports, and is written once.
 */
static void write_adapter(const struct plan *p, uint32_t at, FILE *out)
{
	const struct sfab_fabric *f = p->f;
	const struct sfab_port *me = &f->ports[at];
	const struct sfab_host *h = &f->hosts[me->host];
	unsigned nports = 1;

	for (uint32_t i = h->port0; i < h->port0 + h->nports; i++) {
		if (f->ports[i].node_guid != me->node_guid ||
		    f->ports[i].plane != me->plane)
			continue;
		if (i < at && plan_port_up(p, i))
			return;
		if (f->ports[i].num > nports)
			nports = f->ports[i].num;
	}
	fprintf(out, "\nvendid=0x2c9\ndevid=0x673c\nsysimgguid=0x%" PRIx64
		"\ncaguid=0x%" PRIx64 "\nCa\t%u \"H-%016" PRIx64 "\"\t\t# "
		"\"H-%016" PRIx64 "\"\n", me->node_guid, me->node_guid, nports,
		me->node_guid, me->node_guid);
	for (uint32_t i = h->port0; i < h->port0 + h->nports; i++) {
		const struct sfab_port *port = &f->ports[i];

		if (port->node_guid == me->node_guid &&
		    port->plane == me->plane && plan_port_up(p, i))
			fprintf(out, "[%u](%" PRIx64 ") \t\"S-%016" PRIx64
				"\"[%u]\t\t# lid 0 lmc 0 \"switch\" lid 0 " SPEED
				"\n", port->num, plan_port_guid(port),
				f->switches[p->sw[i]].guid, p->sw_port[i]);
	}
}

/* Adapters come first. */
void plan_netlist(const struct plan *p, uint32_t plane, FILE *out)
{
	const struct sfab_plane *pl = &p->f->planes[plane];
	/* End ports by switch and port, 256 to a switch, filled in one pass over the ports. */
	size_t nseats = ((size_t) p->f->nswitches + 1) * 256;
	uint32_t *seat = need(nseats, sizeof(*seat));

	for (size_t i = 0; i < nseats; i++)
		seat[i] = SFAB_NONE;
	for (uint32_t i = 0; i < p->f->nports; i++)
		if (plan_port_up(p, i))
			seat[p->sw[i] * 256u + p->sw_port[i]] = i;
	for (uint32_t i = 0; i < p->f->nports; i++)
		if (p->f->ports[i].plane == plane && plan_port_up(p, i))
			write_adapter(p, i, out);
	for (uint32_t sw = pl->switch0; sw < pl->switch0 + pl->nswitches; sw++)
		write_netlist_switch(p, &seat[sw * 256u], sw, out);
	free(seat);
}
