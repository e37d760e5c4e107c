/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_findings.c - names of the rules, and what the checks add; see audit.h
 *
 * A finding says what is wrong on one object, what it costs now, and what it would cost
 * after the remedy.
 */

#include "core/audit/audit_private.h"
#include "core/resize.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Loss is 1 - rate / possible: at a half, IO takes twice as long.
 */
#define LOSS_WARNING 0.1
#define LOSS_CRITICAL 0.5

static const struct {
	const char *name, *why;
} rules[SFAB_NRULES] = {
	[SFAB_RULE_IO_UPLINKS] = { "io-uplinks",
		"The hosts of a leaf share only the uplinks that the tables use "
		"toward the IO set; its other uplinks carry none of this IO." },
	[SFAB_RULE_IO_LEAF] = { "io-leaf",
		"IO hosts on one leaf share the links to that leaf. Several on a "
		"leaf are fine only if the tables use enough of these links." },
	[SFAB_RULE_IO_SPINES] = { "io-spines",
		"IO traffic of many leaves shares the links between spines." },
	[SFAB_RULE_IO_DOMAIN] = { "io-domain",
		"If that leaf fails, jobs lose these servers at once." },
	[SFAB_RULE_ENGINE] = { "engine",
		"OpenSM silently falls back to another routing engine when the "
		"fabric does not suit the requested one. All routes of the fabric "
		"change." },
	[SFAB_RULE_UNREACHABLE] = { "unreachable",
		"A job cannot communicate between the hosts of such a pair." },
	[SFAB_RULE_LOOP] = { "loop",
		"Packets to this LID circulate until they are dropped, and delay "
		"others meanwhile." },
	[SFAB_RULE_PARTS] = { "parts",
		"No cable connects the parts: a job must stay within one." },
	[SFAB_RULE_LINK_DOWN] = { "link-down",
		"The routes of this cable move to other cables. An incomplete tree "
		"may make OpenSM fall back to another engine." },
	[SFAB_RULE_LINK_SLOW] = { "link-slow",
		"Static routes do not avoid a slow link: all traffic across it is "
		"slowed." },
	[SFAB_RULE_LINK_ERRORS] = { "link-errors",
		"Packets with errors are sent again or lost. A bad cable slows every "
		"job with a route over it." },
	[SFAB_RULE_LINK_DISCARDS] = { "link-discards",
		"Switches discard packets that waited too long: there is congestion, "
		"or a host does not accept its packets." },
	[SFAB_RULE_SPINE_UNUSED] = { "spine-unused",
		"No route between hosts uses these cables: their capacity is wasted." },
	[SFAB_RULE_SPINE_HOT] = { "spine-hot",
		"All-to-all traffic is as slow as its fullest link." },
	[SFAB_RULE_ASYMMETRIC] = { "asymmetric",
		"The path there is longer than the path back: one of them is a "
		"detour that loads more links than needed." },
	[SFAB_RULE_RAILS] = { "rails",
		"Port k of a host talks to port k of other hosts. A swapped cable "
		"sends this traffic through a second tree." },
	[SFAB_RULE_HOST_LEAF] = { "host-leaf",
		"Host names and rack maps suggest that this host is next to hosts of "
		"another leaf." },
	[SFAB_RULE_STATIC] = { "static-lids",
		"Adaptive routing does not move the traffic to these LIDs: they "
		"collide on the ports of their static routes." },
	[SFAB_RULE_ADAPTIVE] = { "adaptive-unknown",
		"The static tables do not say where traffic goes, so nothing that is "
		"derived from them holds. The plugin only observes." },
	[SFAB_RULE_STRAYS] = { "strays",
		"Where packets do not go where the tables say, nothing that is derived from "
		"the tables holds." },
	[SFAB_RULE_LANES] = { "lanes",
		"Packets of jobs and of IO in one lane wait for each other, whatever routes "
		"they take." },
	[SFAB_RULE_HOST_NAME] = { "host-name",
		"Slurm does not know a host by its GUID: no job is placed there by its "
		"routes." },
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

/* 0 to 3: bit 1 for a leaf where it begins, bit 0 for one where it ends. */
unsigned sfab_audit_tier(const struct sfab_fabric *f, const struct sfab_link *l)
{
	return 2u * (f->switches[l->from].leaf != SFAB_NONE) +
	       (f->switches[l->to].leaf != SFAB_NONE);
}

struct sfab_finding *sfab_audit_add(struct auditing *a, enum sfab_rule rule,
				    enum sfab_severity severity, double number,
				    const char *unit, const char *fmt, ...)
{
	struct sfab_audit *out = a->out;
	struct sfab_finding *f = &a->spare;
	va_list ap;

	if (sfab_one_more(&out->finding, out->n, sizeof(*f)) == 0)
		f = &out->finding[out->n++];
	else
		a->failed = sfab_no_memory(a->err);
	*f = (struct sfab_finding) { .rule = rule, .severity = severity, .number = number,
				     .unit = unit };
	va_start(ap, fmt);
	vsnprintf(f->object, sizeof(f->object), fmt, ap);
	va_end(ap);
	return f;
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
