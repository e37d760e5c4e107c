/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * builder_names.c - descriptions shared by several nodes; see builder_private.h
 *
 * Two nodes described as "c001 HCA-1" are two machines, and one of them has the other's name.
 * The one that had the name in the past keeps it, so that an adapter with a wrong description
 * takes no host off the fabric.  Without a past nobody can tell which.  "c001" alone may be on
 * all HCAs of a host, but only on as many as a host can have.
 */

#include "core/ascending.h"
#include "core/fabric/builder_private.h"

#include <string.h>

/* No real host has more adapters. */
#define HCAS_MAX 16

/* Compare by plane and description.  Hosts that a reader has named itself come last. */
static int compare_descs(const struct built_port *x, const struct built_port *y)
{
	int c = sfab_ascending_keys((uint64_t[]){ x->is_named, x->key.plane },
				    (uint64_t[]){ y->is_named, y->key.plane }, 2);

	return c ? c : strcmp(x->desc, y->desc);
}

/* Compare so that nodes with one description become neighbors. */
static int compare_twins(const struct built_port *x, const struct built_port *y)
{
	int c = compare_descs(x, y);

	return c ? c : sfab_ascending_u64(&x->key.node_guid, &y->key.node_guid);
}

/*
 * Name the hosts of the ports from @p up to @end, which have one description and are sorted by
 * node.  As many nodes may share it as a host has HCAs.  A second word is usually the HCA's
 * number, so such a description belongs to one node only.  -1: no memory, and the name stays.
 */
static int name_ports(struct sfab_builder *b, struct built_port *p, const struct built_port *end)
{
	const char *word = p->desc + strspn(p->desc, " \t");
	const char *rest = word + strcspn(word, " \t");
	uint32_t nodes = 0, max = rest[strspn(rest, " \t")] ? 1 : HCAS_MAX;
	uint64_t last = 0;

	for (const struct built_port *q = p; q != end; last = q->key.node_guid, q = q->hh.next)
		nodes += q == p || q->key.node_guid != last;
	for (; p != end && nodes > max; p = p->hh.next) {
		char *name;

		if (p->had_name)
			continue;
		name = sfab_arena_take(&b->mem, SFAB_GUID_NAME_SIZE, 1);
		if (!name)
			return -1;
		p->host = sfab_fabric_guid_name(p->key.node_guid, name);
	}
	return 0;
}

void sfab_builder_set_past(struct sfab_builder *b, const struct sfab_fabric *past)
{
	b->past = past;
}

int sfab_builder_name_twins(struct sfab_builder *b, struct sfab_err *err)
{
	struct built_port *p, *end;

	/* Mark the ports whose host has the name that it had in the past. */
	for (uint32_t i = 0; b->past && i < b->past->nports; i++) {
		const struct sfab_port *past = &b->past->ports[i];

		p = sfab_builder_find_eport(b, past->plane, past->node_guid, past->num);
		if (p)
			p->had_name = strcmp(p->host, b->past->hosts[past->host].name) == 0;
	}
	HASH_SORT(b->eports, compare_twins);
	for (p = b->eports; p && !p->is_named; p = end) {
		for (end = p->hh.next; end && compare_descs(p, end) == 0; end = end->hh.next)
			;
		if (name_ports(b, p, end) < 0)
			return sfab_no_memory(err);
	}
	return 0;
}
