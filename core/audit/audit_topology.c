/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_topology.c - does topology.conf match the cabling?
 *
 * A switch in topology.conf may stand for several leaves, such as a whole rack.
 * But the hosts of one leaf must be in the same switch.
 */

#include "core/audit/audit_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Group of most hosts on a leaf; *@n is the number of its hosts in any group.
 * Leaves only the count of that group in @count, for the caller to read and
 * reset.
 */
static uint32_t usual_group(const struct auditing *a, uint32_t leaf,
			    uint32_t *count, uint32_t *n)
{
	const struct sfab_model *m = a->m;
	uint32_t best = SFAB_NONE;

	*n = 0;
	for (uint32_t i = m->leaf_first[leaf]; i < m->leaf_first[leaf + 1]; i++) {
		uint32_t g = a->ask->host_group[m->leaf_host[i]];

		if (g == SFAB_NONE)
			continue;
		(*n)++;
		count[g]++;
		if (best == SFAB_NONE || count[g] > count[best])
			best = g;
	}
	for (uint32_t i = m->leaf_first[leaf]; i < m->leaf_first[leaf + 1]; i++)
		if (a->ask->host_group[m->leaf_host[i]] != SFAB_NONE &&
		    a->ask->host_group[m->leaf_host[i]] != best)
			count[a->ask->host_group[m->leaf_host[i]]] = 0;
	return best;
}

/* First host of the leaf whose group is not @group. */
static uint32_t first_other(const struct auditing *a, uint32_t leaf,
			    uint32_t group)
{
	const struct sfab_model *m = a->m;

	for (uint32_t i = m->leaf_first[leaf]; i < m->leaf_first[leaf + 1]; i++) {
		uint32_t g = a->ask->host_group[m->leaf_host[i]];

		if (g != SFAB_NONE && g != group)
			return m->leaf_host[i];
	}
	return SFAB_NONE;
}

/* @group: the switch of topology.conf that has most hosts of the leaf. */
static int report_split(struct auditing *a, uint32_t leaf, uint32_t group,
			uint32_t others)
{
	const struct sfab_fabric *f = a->f;
	uint32_t host = first_other(a, leaf, group);
	struct sfab_finding *n;

	n = sfab_audit_add(a, SFAB_RULE_TOPOLOGY, SFAB_WARNING, "%.150s",
		      f->switches[f->leaves[leaf].sw].name);
	if (!n)
		return -1;
	n->number = others;
	n->unit = "hosts";
	snprintf(n->what, sizeof(n->what), "most hosts of this leaf are in "
		 "SwitchName=%.80s, %u are elsewhere, %.80s in %.80s",
		 a->ask->group_name[group], others, f->hosts[host].name,
		 a->ask->group_name[a->ask->host_group[host]]);
	snprintf(n->remedy, sizeof(n->remedy), "Put them into "
		 "SwitchName=%.80s, as they are cabled.",
		 a->ask->group_name[group]);
	n->now = others;
	n->effect = "hosts under the wrong switch";
	return 0;
}

/* A note only: these hosts may be no nodes of Slurm. */
static int report_absent(struct auditing *a)
{
	uint32_t absent = 0, first = 0;
	struct sfab_finding *n;

	for (uint32_t h = 0; h < a->f->nhosts; h++)
		if (a->f->hosts[h].role == SFAB_HOST_COMPUTE &&
		    !a->m->io_host[h] && a->ask->host_group[h] == SFAB_NONE &&
		    !absent++)
			first = h;
	if (!absent)
		return 0;
	n = sfab_audit_add(a, SFAB_RULE_TOPOLOGY, SFAB_NOTE, "hosts");
	if (!n)
		return -1;
	n->number = absent;
	n->unit = "hosts";
	snprintf(n->what, sizeof(n->what), "%u hosts of the fabric are in no "
		 "switch of topology.conf, the first is %.150s", absent,
		 a->f->hosts[first].name);
	snprintf(n->remedy, sizeof(n->remedy), "Add them if they are Slurm nodes: "
		 "Slurm never mixes them with other nodes in a job.");
	n->now = absent;
	n->effect = "hosts in no switch";
	return 0;
}

/* @count is by group and zero between leaves, so it is never cleared as a whole. */
int sfab_audit_topology(struct auditing *a)
{
	uint32_t *count;
	int rc = 0;

	if (!a->ask->host_group)
		return 0;
	count = calloc(a->ask->ngroups + 1u, sizeof(*count));
	if (!count)
		return sfab_no_memory(a->err);
	for (uint32_t l = 0; l < a->f->nleaves && rc == 0; l++) {
		uint32_t n, group = usual_group(a, l, count, &n);

		if (group == SFAB_NONE)
			continue;
		if (count[group] < n)
			rc = report_split(a, l, group, n - count[group]);
		count[group] = 0;
	}
	free(count);
	return rc < 0 ? -1 : report_absent(a);
}
