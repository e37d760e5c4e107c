/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cabling_plan.c - a fabric with other cables; see cabling_plan.h
 *
 * A plan holds what differs from the fabric: for each end port the switch and the port that it
 * is plugged into, for each link whether it is down.  Links between switches cannot be moved,
 * so no table of them is needed.
 *
 * Each function that takes text checks it against the fabric, and says what it expected.  Names
 * come from the fabric, and so from its users: they may have colons and spaces, and two
 * switches may have the same.
 */

#include "tools/opensm/cabling_plan.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ui/short_name.h"
#include "tools/ui/xalloc.h"

/* Return the other direction of a link between switches, or SFAB_NONE. */
static uint32_t reverse_of(const struct sfab_fabric *f, uint32_t link)
{
	const struct sfab_link *l = &f->links[link];
	uint32_t reverse = f->switches[l->to].out[l->to_port];

	if (reverse == SFAB_NONE || f->links[reverse].kind != SFAB_LINK_ISL ||
	    f->links[reverse].to != l->from || f->links[reverse].to_port != l->from_port)
		return SFAB_NONE;
	return reverse;
}

/*
 * Start with the cables of @f; those that are down stay down.  Refuse a link whose other
 * direction is missing: it belongs to a host that forwards, which a netlist cannot express.
 */
int cabling_plan_init(struct cabling_plan *p, const struct sfab_fabric *f, struct sfab_err *err)
{
	p->f = f;
	p->down = xcalloc(f->nlinks + 1, sizeof(*p->down));
	p->sw = xcalloc(f->nports + 1, sizeof(*p->sw));
	p->sw_port = xcalloc(f->nports + 1, sizeof(*p->sw_port));
	for (uint32_t i = 0; i < f->nports; i++) {
		p->sw[i] = f->ports[i].sw;
		p->sw_port[i] = f->ports[i].sw_port;
	}
	for (uint32_t i = 0; i < f->nlinks; i++) {
		p->down[i] = !f->links[i].up;
		if (f->links[i].kind == SFAB_LINK_ISL &&
		    reverse_of(f, i) == SFAB_NONE)
			return sfab_fail(err, SFAB_EINVAL, "%s: a one-way link "
					 "(hosts that forward cannot be "
					 "simulated)", sfab_link_from_name(f, i));
	}
	return 0;
}

void cabling_plan_free(struct cabling_plan *p)
{
	free(p->down);
	free(p->sw);
	free(p->sw_port);
	memset(p, 0, sizeof(*p));
}

/* Find a switch.  A GUID wins over names, a full name over words of others (short_name.h). */
static uint32_t find_switch(const struct sfab_fabric *f, const char *name, struct sfab_err *err)
{
	char *end;
	uint64_t guid = strtoull(name, &end, 16);
	int is_guid = strncmp(name, "0x", 2) == 0 && !*end;
	struct short_name s = short_name_of(name);
	const char *full = NULL;
	uint32_t found = SFAB_NONE, n = 0;

	for (uint32_t i = 0; i < f->nswitches; i++) {
		short_name_offer(&s, f->switches[i].name);
		if (is_guid && f->switches[i].guid == guid) {
			found = i;
			n++;
		}
	}
	if (!n && short_name_found(&s, &full, err) < 0)
		return SFAB_NONE;
	for (uint32_t i = 0; full && i < f->nswitches; i++)
		if (strcmp(f->switches[i].name, full) == 0) {
			found = i;
			n++;
		}
	if (n == 1)
		return found;
	if (n)
		sfab_fail(err, SFAB_EINVAL, "%s: several switches (expected one; a "
			  "GUID names it)", full ? full : name);
	else
		sfab_fail(err, SFAB_ENOENT, "%s: no such switch", name);
	return SFAB_NONE;
}

/* Read "SWITCH:PORT".  The name may have colons of its own. */
static uint32_t parse_switch_port(const struct sfab_fabric *f, const char *text,
				  uint8_t *port, struct sfab_err *err)
{
	const char *colon = strrchr(text, ':');
	char *name, *end;
	unsigned long num;
	uint32_t sw;

	if (!colon) {
		sfab_fail(err, SFAB_EINVAL, "%s: no port (expected "
			  "SWITCH:PORT)", text);
		return SFAB_NONE;
	}
	name = xstrfmt("%.*s", (int) (colon - text), text);
	sw = find_switch(f, name, err);
	free(name);
	if (sw == SFAB_NONE)
		return SFAB_NONE;
	num = strtoul(colon + 1, &end, 10);
	if (*end || end == colon + 1 || !num || num > f->switches[sw].nports) {
		sfab_fail(err, SFAB_ENOENT, "%s: no such port (expected 1-%u)",
			  text, f->switches[sw].nports);
		return SFAB_NONE;
	}
	*port = (uint8_t) num;
	return sw;
}

/*
 * Return the only cabled port of a host in a plane, or SFAB_NONE.  A host with several cables
 * there is refused, because the text does not say which one moves.
 */
static uint32_t cabled_port(const struct sfab_fabric *f, uint32_t host,
			    uint32_t plane, struct sfab_err *err)
{
	const struct sfab_host *h = &f->hosts[host];
	uint32_t found = SFAB_NONE, n = 0;

	for (uint32_t i = h->port0; i < h->port0 + h->nports; i++)
		if (f->ports[i].plane == plane && f->ports[i].sw != SFAB_NONE &&
		    f->ports[i].inject != SFAB_NONE) {
			found = i;
			n++;
		}
	if (n == 1)
		return found;
	sfab_fail(err, SFAB_EINVAL, "%s: %u cables to the fabric of that switch "
		  "(expected 1)", h->name, n);
	return SFAB_NONE;
}

int cabling_plan_move(struct cabling_plan *p, const char *text, struct sfab_err *err)
{
	const char *equals = strchr(text, '=');
	uint32_t host, sw, port;
	uint8_t num;
	char *name;

	if (!equals)
		return sfab_fail(err, SFAB_EINVAL, "%s: no destination (expected "
				 "HOST=SWITCH:PORT)", text);
	name = xstrfmt("%.*s", (int) (equals - text), text);
	host = sfab_fabric_host(p->f, name);
	if (host == SFAB_NONE)
		sfab_fail(err, SFAB_ENOENT, "%s: no such host", name);
	free(name);
	if (host == SFAB_NONE)
		return -1;
	sw = parse_switch_port(p->f, equals + 1, &num, err);
	if (sw == SFAB_NONE)
		return -1;
	port = cabled_port(p->f, host, p->f->switches[sw].plane, err);
	if (port == SFAB_NONE)
		return -1;
	p->sw[port] = sw;
	p->sw_port[port] = num;
	return 0;
}

int cabling_plan_check(const struct cabling_plan *p, struct sfab_err *err)
{
	const struct sfab_fabric *f = p->f;
	/* A switch has at most 255 ports, so 256 entries make the index a shift. */
	uint32_t *used = xcalloc((size_t) f->nswitches * 256, sizeof(*used));	/* 1 + port */
	int rc = 0;

	for (uint32_t i = 0; i < f->nlinks; i++)
		if (f->links[i].kind == SFAB_LINK_ISL)
			used[f->links[i].from * 256u + f->links[i].from_port] = SFAB_NONE;
	for (uint32_t i = 0; rc == 0 && i < f->nports; i++) {
		uint32_t *user;

		if (p->sw[i] == SFAB_NONE)
			continue;
		user = &used[p->sw[i] * 256u + p->sw_port[i]];
		if (*user)
			rc = sfab_fail(err, SFAB_EINVAL, "%s:%u: the port is in use "
				       "(%s and %s would be there: move one elsewhere)",
				       f->switches[p->sw[i]].name, p->sw_port[i],
				       *user == SFAB_NONE ? "a switch" :
				       f->hosts[f->ports[*user - 1].host].name,
				       f->hosts[f->ports[i].host].name);
		*user = i + 1;
	}
	free(used);
	return rc;
}

/* Take cables down.  The whole text is tried as a name first, because a name may end in ":1". */
int cabling_plan_down(struct cabling_plan *p, const char *text, struct sfab_err *err)
{
	uint32_t sw = find_switch(p->f, text, err);
	uint8_t num = 0;
	const struct sfab_fabric *f;
	uint32_t n = 0;

	if (sw == SFAB_NONE && strchr(text, ':'))
		sw = parse_switch_port(p->f, text, &num, err);
	if (sw == SFAB_NONE)
		return -1;
	f = p->f;
	for (uint32_t i = 0; i < f->nlinks; i++) {
		const struct sfab_link *l = &f->links[i];

		if (l->kind != SFAB_LINK_ISL || l->from != sw ||
		    (num && l->from_port != num))
			continue;
		/* cabling_plan_init() made sure that the other direction is there. */
		p->down[i] = p->down[reverse_of(f, i)] = 1;
		n++;
	}
	for (uint32_t i = 0; i < f->nports; i++)
		if (p->sw[i] == sw && f->ports[i].inject != SFAB_NONE &&
		    (!num || p->sw_port[i] == num)) {
			p->down[f->ports[i].inject] = 1;
			p->down[f->ports[i].eject] = 1;
			n++;
		}
	if (!n)
		return sfab_fail(err, SFAB_ENOENT, "%s: no cable there", text);
	return 0;
}

uint64_t cabling_plan_port_guid(const struct sfab_port *port)
{
	return port->node_guid + port->num;
}

int cabling_plan_port_is_up(const struct cabling_plan *p, uint32_t port)
{
	uint32_t inject = p->f->ports[port].inject;

	return p->sw[port] != SFAB_NONE && inject != SFAB_NONE &&
	       !p->down[inject];
}

/*
 * Return the port of the current subnet manager if it still has a cable, else the first that
 * has one.  OpenSM then begins its sweep where the real one does.
 */
uint32_t cabling_plan_sm_port(const struct cabling_plan *p, uint32_t plane)
{
	const struct sfab_fabric *f = p->f;
	uint32_t first = SFAB_NONE;

	for (uint32_t i = 0; i < f->nports; i++) {
		if (f->ports[i].plane != plane || !cabling_plan_port_is_up(p, i))
			continue;
		if (f->ports[i].guid == f->planes[plane].sm_guid)
			return i;
		if (first == SFAB_NONE)
			first = i;
	}
	return first;
}
