/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * builder_names.c - descriptions shared by several nodes
 *
 * Two nodes described as "c001 HCA-1" are two machines, and one of them has the
 * other's name.  It is the one that did not have it in the past: an adapter that
 * lies takes no host off the fabric.  Without a past nobody can tell which.  "c001"
 * alone may be on all HCAs of a host, but only on as many as a host can have.
 */

#include "core/ascending.h"
#include "core/fabric/builder_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * More than any real host has.
 */
#define HCAS_MAX 16

/* By plane, description, node: nodes with one description become neighbors. */
static int compare_descs(const void *a, const void *b)
{
	const struct eport *x = *(struct eport *const *) a;
	const struct eport *y = *(struct eport *const *) b;
	int c = sfab_ascending_u32(&x->key.plane, &y->key.plane);

	c = c ? c : strcmp(x->desc, y->desc);
	return c ? c : sfab_ascending_u64(&x->key.node_guid, &y->key.node_guid);
}

/*
 * The @n ports with one description, sorted by node.  As many nodes may share it as a host
 * has HCAs; a second word is usually the HCA's number, so such a description belongs to
 * one node only.  -1: no memory, and the name stays.
 */
static int name_ports(struct sfab_builder *b, struct eport **p, uint32_t n)
{
	const char *word = p[0]->desc + strspn(p[0]->desc, " \t");
	const char *end = word + strcspn(word, " \t");
	uint32_t nodes = 1, most = end[strspn(end, " \t")] ? 1 : HCAS_MAX;

	for (uint32_t i = 1; i < n; i++)
		nodes += p[i]->key.node_guid != p[i - 1]->key.node_guid;
	for (uint32_t i = 0; i < n && nodes > most; i++) {
		char *name;

		if (p[i]->had_name)
			continue;
		name = sfab_arena_take(&b->mem, SFAB_GUID_NAME_SIZE, 1);
		if (!name)
			return -1;
		p[i]->host = sfab_guid_name(p[i]->key.node_guid, name);
	}
	return 0;
}

void sfab_builder_past(struct sfab_builder *b, const struct sfab_fabric *past)
{
	b->past = past;
}

/* Hosts that a reader has named itself are not touched. */
int sfab_builder_name_twins(struct sfab_builder *b, struct sfab_err *err)
{
	struct eport **list = calloc(HASH_COUNT(b->eports) + 1u, sizeof(*list));
	struct eport *p;
	uint32_t n = 0, end;
	int rc = list ? 0 : -1;

	/* Mark the ports whose host has the name that it had in the past. */
	for (uint32_t i = 0; b->past && i < b->past->nports; i++) {
		const struct sfab_port *was = &b->past->ports[i];

		p = sfab_builder_find_eport(b, was->plane, was->node_guid, was->num);
		if (p)
			p->had_name = strcmp(p->host, b->past->hosts[was->host].name) == 0;
	}
	for (p = b->eports; list && p; p = p->hh.next)
		if (!p->is_named)
			list[n++] = p;
	if (n)
		qsort(list, n, sizeof(*list), compare_descs);
	for (uint32_t i = 0; i < n && rc == 0; i = end) {
		for (end = i + 1; end < n && list[end]->key.plane == list[i]->key.plane &&
				  strcmp(list[end]->desc, list[i]->desc) == 0; end++)
			;
		rc = name_ports(b, list + i, end - i);
	}
	free(list);
	return rc < 0 ? sfab_no_memory(err) : 0;
}
