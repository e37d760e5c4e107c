/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_findings.c - names of the rules, and what the checks add; see audit.h
 *
 * A finding says what is wrong on one object, what it costs now, and what it would cost after
 * the remedy.
 */

#include "core/audit/audit_private.h"
#include "core/resize.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Loss is 1 - rate / possible: at a half, IO takes twice as long. */
#define LOSS_WARNING 0.1
#define LOSS_CRITICAL 0.5

#define NO_MOVES "No move of IO hosts helps with these tables. Configure the subnet manager to " \
	"spread the routes to them, or let sfabric place jobs that do IO."

static const struct {
	const char *name;
	const char *unit;	/* of the number of a finding */
	const char *why;
	const char *remedy;	/* NULL: each finding has its own */
	const char *effect;	/* unit of what the remedy changes; NULL: not predicted */
} rules[SFAB_NRULES] = {
	[SFAB_RULE_IO_UPLINKS] = { "io-uplinks", "uplinks",
		"The hosts of a leaf share only the uplinks that the tables use toward the IO "
		"set; its other uplinks carry none of this IO.",
		NO_MOVES },
	[SFAB_RULE_IO_LEAF] = { "io-leaf", "uplinks",
		"IO hosts on one leaf share the links to that leaf. Several on a leaf are fine "
		"only if the tables use enough of these links.",
		NO_MOVES },
	[SFAB_RULE_IO_SPINES] = { "io-spines", "uplinks",
		"IO traffic of many leaves shares the links between spines.",
		NO_MOVES },
	[SFAB_RULE_IO_DOMAIN] = { "io-domain", "IO ports",
		"If that leaf fails, jobs lose these servers at once.",
		"Spread them over more leaves, on different ports. On the same port of each leaf "
		"their routes may share one uplink." },
	[SFAB_RULE_ENGINE] = { "engine", "fallback",
		"OpenSM silently falls back to another routing engine when the fabric does not "
		"suit the requested one. All routes of the fabric change.",
		"OpenSM says why in its log, and import --route in a warning (ERR AB..: not a fat "
		"tree). The findings link-down and parts name missing cables." },
	[SFAB_RULE_UNREACHABLE] = { "unreachable", "pairs",
		"A job cannot communicate between the hosts of such a pair.",
		"Start a new sweep of the subnet manager (kill -HUP opensm) and look for this "
		"switch in its log. Then import again.", "pairs" },
	[SFAB_RULE_LOOP] = { "loop", "LID",
		"Packets to this LID circulate until they are dropped, and delay others meanwhile.",
		"Start a new sweep of the subnet manager. The routing engines updn, ftree and "
		"dfsssp cannot make loops.", "loops" },
	[SFAB_RULE_PARTS] = { "parts", "parts",
		"No cable connects the parts: a job must stay within one.",
		"If this is intended, import each part as its own plane, or make each a Slurm "
		"partition. Pairs across parts are not counted as unreachable." },
	[SFAB_RULE_LINK_DOWN] = { "link-down", "cable",
		"The routes of this cable move to other cables. An incomplete tree may make "
		"OpenSM fall back to another engine.",
		"Reseat or replace it.", "GB/s between this switch and others" },
	[SFAB_RULE_LINK_SLOW] = { "link-slow", "GB/s",
		"Static routes do not avoid a slow link: all traffic across it is slowed.",
		"Reseat or replace it, or reset the port (ibportstate). Then start a new sweep.",
		"GB/s on this link" },
	[SFAB_RULE_LINK_ERRORS] = { "link-errors", "errors",
		"Packets with errors are sent again or lost. A bad cable slows every job with a "
		"route over it.",
		"Clean or replace the cable. If errors continue, suspect the port.", "errors" },
	[SFAB_RULE_LINK_DISCARDS] = { "link-discards", "discards",
		"Switches discard packets that waited too long: there is congestion, or a host "
		"does not accept its packets.",
		"First check the host or switch that this link leads to: it does not accept "
		"packets in time.", "discards" },
	[SFAB_RULE_SPINE_UNUSED] = { "spine-unused", "links",
		"No route between hosts uses these cables: their capacity is wasted.",
		"sfabric plot --into shows which. Only OpenSM can tell whether another engine uses "
		"them: sfabric whatif --engine NAME, with names of opensm(8) such as dfsssp. It "
		"helps if bisect and rotate are higher under THEN than under NOW, and no rate of "
		"IO is lower.", "links in use at best" },
	[SFAB_RULE_SPINE_HOT] = { "spine-hot", "routes",
		"All-to-all traffic is as slow as its fullest link.",
		NULL, "slowdown of all-to-all, the bound" },
	[SFAB_RULE_ASYMMETRIC] = { "asymmetric", "pairs of leaves",
		"The path there is longer than the path back: one of them is a detour that loads "
		"more links than needed.",
		"Use a routing engine that takes shortest paths (minhop, ftree, or updn with the "
		"right roots). Wrong roots of updn make such detours." },
	[SFAB_RULE_RAILS] = { "rails", "ports",
		"Port k of a host talks to port k of other hosts. A swapped cable sends this "
		"traffic through a second tree.",
		"Swap the two cables at the host.", "ports on the wrong rail" },
	[SFAB_RULE_HOST_LEAF] = { "host-leaf", "host",
		"Host names suggest that this host is next to hosts of another leaf.",
		"Move its cable, or correct its name if the names are swapped.",
		"slowdown of all-to-all on that leaf with this host" },
	[SFAB_RULE_STATIC] = { "static-lids", "static LIDs",
		"Adaptive routing does not move the traffic to these LIDs: they collide on the "
		"ports of their static routes.",
		"Let the subnet manager route these LIDs adaptively if their adapters can reorder "
		"packets. If not, give them ports whose static routes enter different switches." },
	[SFAB_RULE_ADAPTIVE] = { "adaptive-unknown", "switches",
		"The static tables do not say where traffic goes, so nothing that is derived from "
		"them holds. The plugin only observes.",
		"Ask the switches with sfabric collect, or import ibdiagnet2.far. If they do not "
		"adapt, say so: Adaptive=no in sfabric.conf, or the engine with --engine." },
	[SFAB_RULE_STRAYS] = { "strays", "% of the bytes",
		"Where packets do not go where the tables say, nothing that is derived from the "
		"tables holds.",
		"Import the tables anew. If it stays so, see whether switches adapt, and whether "
		"the IO sets name all servers." },
	[SFAB_RULE_LANES] = { "lanes", "service levels",
		"Packets of jobs and of IO in one lane wait for each other, whatever routes they "
		"take." },
	[SFAB_RULE_HOST_NAME] = { "host-name", "nodes",
		"Slurm does not know a host by its GUID: no job is placed there by its routes.",
		"Correct the node description of the machine with that GUID, or name it in "
		"NodeNameMap." },
};

const char *sfab_rule_name(enum sfab_rule rule)
{
	return rules[rule].name;
}

const char *sfab_rule_why(enum sfab_rule rule)
{
	return rules[rule].why;
}

int sfab_rule_parse(const char *name, unsigned size)
{
	for (int i = 0; i < SFAB_NRULES; i++)
		if (strlen(rules[i].name) == size &&
		    strncmp(rules[i].name, name, size) == 0)
			return i;
	return -1;
}

const char *sfab_severity_name(enum sfab_severity s)
{
	static const char *const name[] = { "note", "warning", "critical" };

	return name[s];
}

enum sfab_severity sfab_severity_of_loss(double loss)
{
	return loss >= LOSS_CRITICAL ? SFAB_CRITICAL :
	       loss >= LOSS_WARNING ? SFAB_WARNING : SFAB_NOTE;
}

const char *sfab_audit_plane(const struct sfab_fabric *f, uint32_t plane)
{
	return *f->planes[plane].name ? f->planes[plane].name : "fabric";
}

const char *sfab_audit_leaf(const struct sfab_fabric *f, uint32_t leaf)
{
	return f->switches[f->leaves[leaf].sw].name;
}

const char *sfab_audit_port(const struct sfab_fabric *f, uint32_t link,
			    char text[AUDIT_PORT_SIZE])
{
	snprintf(text, AUDIT_PORT_SIZE, "%.130s port %u", sfab_link_from_name(f, link),
		 f->links[link].from_port);
	return text;
}

unsigned sfab_audit_tier(const struct sfab_fabric *f, const struct sfab_link *l)
{
	return 2u * (f->switches[l->from].leaf != SFAB_NONE) +
	       (f->switches[l->to].leaf != SFAB_NONE);
}

struct sfab_finding *sfab_audit_add(struct auditing *a, enum sfab_rule rule,
				    enum sfab_severity severity, double number,
				    const char *object, const char *what, ...)
{
	struct sfab_audit *out = a->out;
	struct sfab_finding *finding = &a->spare;
	va_list ap;

	if (sfab_resize_one_more(&out->finding, out->n, sizeof(*finding)) == 0)
		finding = &out->finding[out->n++];
	else
		a->failed = sfab_no_memory(a->err);
	*finding = (struct sfab_finding) { .rule = rule, .severity = severity, .number = number,
					   .unit = rules[rule].unit, .effect = rules[rule].effect };
	if (rules[rule].remedy)
		snprintf(finding->remedy, sizeof(finding->remedy), "%s", rules[rule].remedy);
	snprintf(finding->object, sizeof(finding->object), "%.150s", object);
	va_start(ap, what);
	vsnprintf(finding->what, sizeof(finding->what), what, ap);
	va_end(ap);
	return finding;
}

void sfab_audit_free(struct sfab_audit *a)
{
	for (uint32_t i = 0; i < a->n; i++)
		free(a->finding[i].move);
	free(a->finding);
	free(a->uplinks);
	free(a->rates);
	memset(a, 0, sizeof(*a));
}
