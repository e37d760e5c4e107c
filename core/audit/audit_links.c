/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_links.c - cables that are down, missing, slower than others, or faulty; see
 * audit_private.h
 *
 * Comparable cables show what is normal: a value that three quarters of them share.
 *
 * Counters are no part of this except for errors and discards, which the caller has read.  Each
 * event is a finding, since a good cable has none; whether it is old or new only the caller
 * knows.
 */

#include "core/audit/audit_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"

#define NORMAL_SHARE 0.75	/* part of comparable cables whose value is the normal one */

/*
 * Return the value that at least NORMAL_SHARE of @v have, or 0.  Sort @v: it can only be the
 * middle one.  Capacities come from a table of speeds, so equal ones are equal bits.
 */
static double find_usual_capacity(double *v, uint32_t n)
{
	uint32_t same = 0;

	if (!n)
		return 0;
	qsort(v, n, sizeof(*v), sfab_ascending_double);
	for (uint32_t i = 0; i < n; i++)
		same += v[i] == v[n / 2];
	return same >= NORMAL_SHARE * n ? v[n / 2] : 0;
}

/* Is this the direction that represents its cable?  Each cable is counted once. */
static int is_cable(const struct sfab_fabric *f, uint32_t link)
{
	const struct sfab_link *l = &f->links[link];

	if (l->kind == SFAB_LINK_ISL)
		return l->from < l->to ||
		       (l->from == l->to && l->from_port < l->to_port);
	return l->kind == SFAB_LINK_EJECT;
}

uint32_t sfab_audit_cables(const struct sfab_fabric *f, uint32_t sw, double *gbs)
{
	uint32_t n = 0;
	double sum = 0;

	for (unsigned p = 1; p <= f->switches[sw].nports; p++) {
		uint32_t link = f->switches[sw].out[p];

		if (link == SFAB_NONE || !f->links[link].up || f->links[link].kind != SFAB_LINK_ISL)
			continue;
		n++;
		sum += f->links[link].capacity / SFAB_GB;
	}
	if (gbs)
		*gbs = sum;
	return n;
}

/* Report a cable that is down.  The effect is counted on the switch where the cable begins. */
static void report_down(struct auditing *a, uint32_t link)
{
	const struct sfab_link *l = &a->f->links[link];
	char port[AUDIT_PORT_SIZE];
	struct sfab_finding *finding = sfab_audit_add(
		a, SFAB_RULE_LINK_DOWN, SFAB_WARNING, 1, sfab_audit_port(a->f, link, port),
		"the cable to %.150s port %u is down", sfab_link_to_name(a->f, link), l->to_port);

	if (l->kind == SFAB_LINK_ISL)
		sfab_audit_cables(a->f, l->from, &finding->effect_now);
	else
		finding->effect = "GB/s to the host";
	finding->effect_then = finding->effect_now + l->capacity / SFAB_GB;
}

/* Offer a trial without the cable, but not without a host's own cable: it has no other. */
static void offer_trial(const struct sfab_fabric *f, struct sfab_finding *finding,
			uint32_t link)
{
	if (f->links[link].kind != SFAB_LINK_ISL)
		return;
	finding->trial = SFAB_TRIAL_DOWN;
	finding->trial_of = link;
}

/*
 * Report a slow cable.  @usual: bytes/s of most cables of the same kind.  One between switches
 * slows everything that crosses it.  One of a host is reported as slowing that host alone, even
 * if it is an IO server that many wait for.  If other hosts have the same rate it is an older
 * card, not a fault.
 */
static void report_slow(struct auditing *a, uint32_t link, double usual)
{
	const struct sfab_fabric *f = a->f;
	const struct sfab_link *l = &f->links[link];
	enum sfab_severity s = sfab_severity_of_loss(1 - l->capacity / usual);
	char port[AUDIT_PORT_SIZE];
	struct sfab_finding *finding;

	if (l->kind == SFAB_LINK_EJECT && s != SFAB_NOTE)
		s = SFAB_WARNING;
	for (uint32_t i = 0; l->kind == SFAB_LINK_EJECT && i < f->nlinks; i++)
		if (i != link && f->links[i].up && f->links[i].kind == SFAB_LINK_EJECT &&
		    f->links[i].capacity == l->capacity)
			s = SFAB_NOTE;
	finding = sfab_audit_add(a, SFAB_RULE_LINK_SLOW, s, l->capacity / SFAB_GB,
				 sfab_audit_port(f, link, port),
				 "the cable to %.150s port %u runs at "
				 "%.4g GB/s, others like it at %.4g (width or speed%s)",
				 sfab_link_to_name(f, link), l->to_port, l->capacity / SFAB_GB,
				 usual / SFAB_GB,
				 l->kind == SFAB_LINK_EJECT ? ", or an older card" : "");
	finding->effect_now = finding->number;
	finding->effect_then = usual / SFAB_GB;
	offer_trial(a->f, finding, link);
}

/* Report those of @n comparable links that are slower than most of them. */
static void report_slower(struct auditing *a, const uint32_t *link, uint32_t n, double *v)
{
	const struct sfab_fabric *f = a->f;
	double usual;

	for (uint32_t i = 0; i < n; i++)
		v[i] = f->links[link[i]].capacity;
	usual = find_usual_capacity(v, n);
	for (uint32_t i = 0; i < n; i++)
		if (is_cable(f, link[i]) && f->links[link[i]].up &&
		    f->links[link[i]].capacity < usual)
			report_slow(a, link[i], usual);
}

/*
 * Report slow links between switches.  Only links of one tier compare: uplinks may be faster
 * than links to spines.
 */
static void report_slow_isls(struct auditing *a, uint32_t *link, double *v)
{
	const struct sfab_fabric *f = a->f;

	for (unsigned t = 0; t < AUDIT_TIERS; t++) {
		uint32_t n = 0;

		for (uint32_t i = 0; i < f->nlinks; i++)
			if (f->links[i].kind == SFAB_LINK_ISL &&
			    f->links[i].up && sfab_audit_tier(f, &f->links[i]) == t)
				link[n++] = i;
		report_slower(a, link, n, v);
	}
}

/*
 * Report slow links of hosts.  Hosts of different ages have different ports, so only those on
 * one leaf compare.  With two hosts nobody can tell which one is normal.
 */
static void report_slow_hosts(struct auditing *a, uint32_t *link, double *v)
{
	const struct sfab_fabric *f = a->f;

	for (uint32_t l = 0; l < f->nleaves; l++) {
		const struct sfab_leaf *leaf = &f->leaves[l];
		uint32_t n = 0;

		for (uint32_t i = 0; i < leaf->nports; i++)
			if (sfab_port_is_cabled(&f->ports[leaf->port[i]]))
				link[n++] = f->ports[leaf->port[i]].eject;
		if (n > 2)
			report_slower(a, link, n, v);
	}
}

/*
 * Report leaves that have fewer links than others.  Input files often do not list dead cables,
 * and never an unplugged one: only the comparison shows it.
 */
static void report_missing_isls(struct auditing *a, double *v)
{
	const struct sfab_fabric *f = a->f;
	double *cables = v + f->nleaves, usual;	/* by leaf, whether up or down */

	memset(cables, 0, f->nleaves * sizeof(*cables));
	for (uint32_t i = 0; i < f->nlinks; i++)
		if (f->links[i].kind == SFAB_LINK_ISL &&
		    f->switches[f->links[i].from].leaf != SFAB_NONE)
			cables[f->switches[f->links[i].from].leaf]++;
	memcpy(v, cables, f->nleaves * sizeof(*v));
	usual = find_usual_capacity(v, f->nleaves);
	for (uint32_t l = 0; l < f->nleaves; l++) {
		uint32_t sw = f->leaves[l].sw;
		struct sfab_finding *finding;

		if (cables[l] >= usual)
			continue;
		finding = sfab_audit_add(a, SFAB_RULE_LINK_DOWN, SFAB_WARNING, usual - cables[l],
					 f->switches[sw].name, "the leaf has %.0f cables to other "
					 "switches, most leaves have %.0f", cables[l], usual);
		finding->unit = "cables";
		snprintf(finding->remedy, sizeof(finding->remedy), "Look for dead ports on it "
			 "(iblinkinfo -S GUID --downports-only).");
		sfab_audit_cables(f, sw, &finding->effect_now);
		finding->effect_then = cables[l] > 0 ? finding->effect_now / cables[l] * usual : 0;
	}
}

/* Report the events on a link.  A good cable has none. */
static void report_events(struct auditing *a, enum sfab_rule rule, uint32_t link,
			  double events)
{
	char port[AUDIT_PORT_SIZE];
	struct sfab_finding *finding;

	if (!(events > 0))
		return;
	finding = sfab_audit_add(a, rule, SFAB_WARNING, events, sfab_audit_port(a->f, link, port),
				 "%.0f %s on the link to %.150s port %u", events,
				 rule == SFAB_RULE_LINK_ERRORS ? "errors" : "discards",
				 sfab_link_to_name(a->f, link), a->f->links[link].to_port);
	finding->effect_now = events;
	offer_trial(a->f, finding, link);
}

int sfab_audit_links(struct auditing *a)
{
	const struct sfab_link_events *e = a->ask->events;
	const struct sfab_fabric *f = a->f;
	size_t n = (size_t) f->nlinks + 2 * f->nleaves;
	double *v = sfab_arena_take(&a->arena, n, sizeof(*v));
	uint32_t *link = sfab_arena_take(&a->arena, f->nlinks, sizeof(*link));

	if (!v || !link)
		return sfab_no_memory(a->err);
	for (uint32_t i = 0; i < f->nlinks; i++)
		if (is_cable(f, i) && !f->links[i].up)
			report_down(a, i);
	report_missing_isls(a, v);
	report_slow_isls(a, link, v);
	report_slow_hosts(a, link, v);
	for (uint32_t i = 0; e && i < f->nlinks; i++) {
		report_events(a, SFAB_RULE_LINK_ERRORS, i, e[i].errors);
		report_events(a, SFAB_RULE_LINK_DISCARDS, i, e[i].discards);
	}
	return 0;
}
