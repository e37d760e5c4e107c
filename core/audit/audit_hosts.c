/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_hosts.c - compare hosts with their neighbors, and their rails; see audit_private.h
 *
 * Neighbors are hosts with consecutive names.  A host stands alone if both neighbors are on one
 * leaf and it is on another.  This means something only if most hosts share a leaf with a
 * neighbor.
 */

#include "core/audit/audit_private.h"

#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "core/is_digit.h"
#include "core/load/jobs.h"

/*
 * part of the hosts that share a leaf with a neighbor; with less, names say nothing about
 * position
 */
#define BESIDE_SHARE 0.5
#define USUAL_SHARE 0.8		/* part of a leaf's ports that makes a rail the usual one */

/*
 * Return the length of the name before its final number, and set *@number to that number.  A
 * number of more than 64 bits wraps around.
 */
static size_t split_off_number(const char *name, uint64_t *number)
{
	size_t n = strlen(name);
	uint64_t unit = 1;

	*number = 0;
	while (n > 0 && sfab_is_digit(name[n - 1])) {
		*number += (uint64_t) (name[--n] - '0') * unit;
		unit *= 10;
	}
	return n;
}

/* Is @h a cabled compute host?  Names of IO hosts say nothing about where they are. */
static int is_cabled_compute(const struct auditing *a, uint32_t h)
{
	return sfab_model_computes(a->m, h) && sfab_host_leaf(a->f, h) != SFAB_NONE;
}

/* Is @h + 1 the next compute host by its name?  n007 and n008: same prefix, next number. */
static int has_next(const struct auditing *a, uint32_t h)
{
	const char *name, *next;
	uint64_t x, y;
	size_t n, m;

	if (h + 1 >= a->f->nhosts || !is_cabled_compute(a, h) || !is_cabled_compute(a, h + 1))
		return 0;
	name = a->f->hosts[h].name;
	next = a->f->hosts[h + 1].name;
	n = split_off_number(name, &x);
	m = split_off_number(next, &y);
	return n == m && name[n] && next[m] && strncmp(name, next, n) == 0 && y == x + 1;
}

/*
 * Find the slowdown of all-to-all among the hosts of @leaf and one more.  It is over what the
 * hosts' own ports allow, so a slow port alone counts as none.
 */
static int find_slowdown_with(struct auditing *a, uint32_t leaf, uint32_t host,
			      double *slow)
{
	struct sfab_traffic traffic = {
		.nparts = 1, .part = { { .class = SFAB_MPI, .share = 1 } },
	};
	const struct sfab_model *m = a->m;
	uint32_t n = m->leaf_first[leaf + 1] - m->leaf_first[leaf];
	uint32_t *hosts = calloc(n + 1u, sizeof(*hosts));
	struct sfab_job job = { n + 1, hosts, NULL, &traffic };
	struct sfab_jobs *alone = sfab_jobs_create(m);
	int rc;

	if (hosts && alone) {
		memcpy(hosts, &m->leaf_host[m->leaf_first[leaf]],
		       n * sizeof(*hosts));
		hosts[n] = host;
		rc = sfab_jobs_add(alone, 0, &job, a->err);
		*slow = sfab_jobs_slowdown(alone, 0);
	} else {
		rc = sfab_no_memory(a->err);
	}
	sfab_jobs_destroy(alone);
	free(hosts);
	return rc;
}

/*
 * Report that @host is on another leaf than its neighbors by name.  The cost is that of
 * all-to-all among the hosts of @leaf and this one.
 */
static int report_alone(struct auditing *a, uint32_t host, uint32_t leaf)
{
	const struct sfab_fabric *f = a->f;
	enum sfab_severity severity = SFAB_NOTE;
	struct sfab_finding *finding;
	double slow;

	if (find_slowdown_with(a, leaf, host, &slow) < 0)
		return -1;
	/* A name alone is never critical, and only a note if jobs are not slowed. */
	if (sfab_severity_of_loss(1 - 1 / slow) != SFAB_NOTE)
		severity = SFAB_WARNING;
	finding = sfab_audit_add(a, SFAB_RULE_HOST_LEAF, severity, 1, f->hosts[host].name,
				 "it is on leaf %.120s, but %.60s and %.60s are on %.120s",
				 sfab_audit_leaf(f, sfab_host_leaf(f, host)),
				 f->hosts[host - 1].name, f->hosts[host + 1].name,
				 sfab_audit_leaf(f, leaf));
	finding->effect_now = slow;
	finding->effect_then = 1;
	return 0;
}

/*
 * Report compute hosts that are on another leaf than their neighbors by name.  Hosts are in the
 * order of their names, so neighbors are beside each other.  Names count only where enough
 * hosts share a leaf with the next one.
 */
static int check_lone_hosts(struct auditing *a)
{
	const struct sfab_fabric *f = a->f;
	uint32_t n = 0, beside = 0;

	for (uint32_t h = 0; h < f->nhosts; h++)
		if (has_next(a, h)) {
			n++;
			beside += sfab_host_leaf(f, h) == sfab_host_leaf(f, h + 1);
		}
	if (beside < BESIDE_SHARE * n)
		return 0;
	for (uint32_t h = 1; h < f->nhosts; h++) {
		uint32_t leaf = sfab_host_leaf(f, h - 1);

		if (has_next(a, h - 1) && has_next(a, h) && sfab_host_leaf(f, h + 1) == leaf &&
		    sfab_host_leaf(f, h) != leaf && report_alone(a, h, leaf) < 0)
			return -1;
	}
	return 0;
}

/* Return the index of @port among the ports of its host, by description and number. */
static uint32_t port_ordinal(const struct sfab_fabric *f, uint32_t port)
{
	const struct sfab_port *p = &f->ports[port];
	const struct sfab_host *h = &f->hosts[p->host];
	uint32_t n = 0;

	for (uint32_t i = h->port0; i < h->port0 + h->nports; i++) {
		int c = sfab_fabric_name_cmp(f->ports[i].desc, p->desc);

		c = c ? c : f->ports[i].num - p->num;
		n += c < 0 || (c == 0 && i < port);
	}
	return n;
}

/* more ports than a host has in practice; further ones are ignored */
#define RAILS_MAX 16

/*
 * Find, by leaf, the index that most of its ports have, or SFAB_NONE.  A leaf where the ports
 * are mixed has no usual rail.
 */
static uint32_t *find_usual_rails(struct auditing *a)
{
	const struct sfab_fabric *f = a->f;
	uint32_t *rail = sfab_arena_take(&a->arena, f->nleaves, sizeof(*rail));

	for (uint32_t l = 0; rail && l < f->nleaves; l++) {
		uint32_t count[RAILS_MAX] = { 0 }, n = 0;

		rail[l] = SFAB_NONE;
		for (uint32_t i = 0; i < f->leaves[l].nports; i++) {
			uint32_t k = port_ordinal(f, f->leaves[l].port[i]);

			if (f->hosts[f->ports[f->leaves[l].port[i]].host].nports
			    < 2 || k >= RAILS_MAX)
				continue;
			n++;
			count[k]++;
		}
		for (uint32_t k = 0; k < RAILS_MAX; k++)
			/* With one or two ports there is no majority to compare with. */
			if (n > 2 && count[k] >= USUAL_SHARE * n)
				rail[l] = k;
	}
	return rail;
}

/* Add a finding if each of two ports of a host is on a leaf of the other's rail. */
static void report_if_swapped(struct auditing *a, const uint32_t *rail, uint32_t p, uint32_t q)
{
	const struct sfab_fabric *f = a->f;
	uint32_t lp = f->ports[p].leaf, lq = f->ports[q].leaf;

	if (lp == SFAB_NONE || lq == SFAB_NONE || rail[lp] == SFAB_NONE ||
	    rail[lq] == SFAB_NONE || rail[lp] == rail[lq] ||
	    rail[lp] != port_ordinal(f, q) || rail[lq] != port_ordinal(f, p))
		return;
	sfab_audit_add(a, SFAB_RULE_RAILS, SFAB_WARNING, 2, f->hosts[f->ports[p].host].name,
		       "%.80s port %u is on %.80s and %.80s port %u on %.80s; on other "
		       "hosts it is the other way around",
		       f->ports[p].desc, f->ports[p].num, sfab_audit_leaf(f, lp),
		       f->ports[q].desc, f->ports[q].num, sfab_audit_leaf(f, lq))->effect_now = 2;
}

/* Find pairs of ports of a host of which each sits where the other one usually does. */
static int check_swapped_rails(struct auditing *a)
{
	const struct sfab_fabric *f = a->f;
	uint32_t *rail = find_usual_rails(a);

	if (!rail)
		return sfab_no_memory(a->err);
	for (uint32_t h = 0; h < f->nhosts; h++) {
		uint32_t first = f->hosts[h].port0;
		uint32_t end = first + f->hosts[h].nports;

		for (uint32_t p = first; p < end; p++)
			for (uint32_t q = first; q < p; q++)
				report_if_swapped(a, rail, q, p);
	}
	return 0;
}

/* -- names ------------------------------------------------------------------ */

static int compare_described(const void *a, const void *b)
{
	const struct sfab_port *x = *(const struct sfab_port *const *) a;
	const struct sfab_port *y = *(const struct sfab_port *const *) b;
	int c = strcmp(x->desc, y->desc);

	c = c ? c : sfab_ascending_u32(&x->plane, &y->plane);
	return c ? c : (x > y) - (x < y);
}

/*
 * Report those of the end ports @d, which have one description, whose node is named by its
 * GUID.  @one is one of these.  @keeps (NULL: none) is the node that has the name.
 */
static void check_description(struct auditing *a, const struct sfab_port *const *d, uint32_t n)
{
	const struct sfab_fabric *f = a->f;
	const struct sfab_port *keeps = NULL;
	uint32_t lost = 0, one = SFAB_NONE;
	uint64_t last = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct sfab_port *p = d[i];
		const struct sfab_host *host = &f->hosts[p->host];
		char name[SFAB_GUID_NAME_SIZE];

		sfab_fabric_guid_name(f->ports[host->port0].node_guid, name);
		if (host->role == SFAB_HOST_SHARP || strcmp(host->name, name) != 0) {
			keeps = p;
			continue;
		}
		lost += one == SFAB_NONE || p->node_guid != last;
		last = p->node_guid;
		one = one == SFAB_NONE ? p->host : one;
	}
	if (!lost || (lost == 1 && !keeps))
		return;
	if (keeps)
		sfab_audit_add(a, SFAB_RULE_HOST_NAME, SFAB_WARNING, lost, d[0]->desc,
			       "node %.20s says that it is %.80s, but that is node 0x%016llx, "
			       "which had this name before",
			       f->hosts[one].name, f->hosts[keeps->host].name,
			       (unsigned long long) keeps->node_guid);
	else
		sfab_audit_add(a, SFAB_RULE_HOST_NAME, SFAB_WARNING, lost, d[0]->desc,
			       "%u nodes have this description, for example %.20s: each is named "
			       "by its GUID", lost, f->hosts[one].name);
}

/*
 * Report nodes that share a description, unless all of them have names or the description is
 * blank.
 */
static int check_host_names(struct auditing *a)
{
	const struct sfab_fabric *f = a->f;
	const struct sfab_port **d = sfab_arena_take(&a->arena, f->nports, sizeof(*d));

	if (!d)
		return sfab_no_memory(a->err);
	for (uint32_t p = 0; p < f->nports; p++)
		d[p] = &f->ports[p];
	qsort(d, f->nports, sizeof(*d), compare_described);
	for (uint32_t i = 0, to; i < f->nports; i = to) {
		to = i + 1;
		while (to < f->nports && d[i]->plane == d[to]->plane &&
		       strcmp(d[i]->desc, d[to]->desc) == 0)
			to++;
		if (d[i]->desc[strspn(d[i]->desc, " \t")])
			check_description(a, &d[i], to - i);
	}
	return 0;
}

int sfab_audit_hosts(struct auditing *a)
{
	return check_lone_hosts(a) < 0 || check_swapped_rails(a) < 0 ? -1 : check_host_names(a);
}
