/* SPDX-License-Identifier: GPL-2.0-or-later */
/* builder_adaptive.c - which switches choose ports by load, or could; see builder.h */

#include "core/fabric/builder_private.h"

#include <string.h>

/* Keep the most uncertain state: the enum is in ascending order of uncertainty. */
void sfab_builder_set_adaptive(struct sfab_builder *b, enum sfab_adaptive state)
{
	if (state > b->adaptive)
		b->adaptive = state;
}

void sfab_builder_add_fact(struct sfab_builder *b, uint32_t plane, uint64_t guid,
			   enum sfab_switch_fact fact)
{
	struct built_node *n = sfab_builder_find_node(b, plane, guid);

	if (n)
		n->facts |= fact;
}

int sfab_builder_has_fact(const struct sfab_builder *b, uint32_t plane, uint64_t guid,
			  enum sfab_switch_fact fact)
{
	const struct built_node *n = sfab_builder_find_node(b, plane, guid);

	return n && n->facts & fact;
}

/*
 * Switches of InfiniBand that can choose ports by load.  Device ids are those that
 * infiniband-diags and mstflint know; SwitchX-2 (0xC738) and older ones cannot.
 */
static const struct {
	uint32_t vendor, first, last;
} adaptive_devices[] = {
	{ 0x0002C9, 0xCB20, 0xCB20 },	/* Switch-IB */
	{ 0x0002C9, 0xCF08, 0xCF08 },	/* Switch-IB 2 */
	{ 0x0002C9, 0xD2F0, 0xD2F0 },	/* Quantum */
	{ 0x0002C9, 0xD2F2, 0xD2F2 },	/* Quantum-2 */
	{ 0x0002C9, 0xD2F4, 0xD2F4 },	/* Quantum-3 */
	{ 0x00119F, 0x1BA0, 0x1BA0 },	/* Bull: Switch-IB and Switch-IB 2 */
	{ 0x00119F, 0x1BD0, 0x1BD5 },
	{ 0x00119F, 0x1BF0, 0x1BF0 },	/* Bull: Quantum */
};

void sfab_builder_set_device(struct sfab_builder *b, uint32_t plane, uint64_t guid,
			     uint32_t vendor, uint32_t device)
{
	for (size_t i = 0; i < sizeof(adaptive_devices) / sizeof(adaptive_devices[0]); i++)
		if (vendor == adaptive_devices[i].vendor &&
		    device >= adaptive_devices[i].first &&
		    device <= adaptive_devices[i].last)
			sfab_builder_add_fact(b, plane, guid, SFAB_SWITCH_CAN_ADAPT);
}

/*
 * Return the state of the whole fabric.  A switch that chooses ports, or may, and whose groups
 * nobody has read, makes all routes uncertain.
 */
enum sfab_adaptive sfab_builder_adaptive_state(const struct sfab_builder *b)
{
	for (uint32_t i = 0; i < b->nplanes; i++) {
		const char *engine = b->plane[i].result.engine;
		const struct built_node *n;
		uint32_t read = 0;

		for (n = b->nodes; n; n = n->hh.next) {
			if (n->key.plane != i || !n->is_switch)
				continue;
			if (n->facts & SFAB_SWITCH_GROUPS_READ)
				read++;
			else if (n->facts & SFAB_SWITCH_ADAPTS ||
				 (n->facts & SFAB_SWITCH_CAN_ADAPT &&
				  !(n->facts & SFAB_SWITCH_ADAPTS_NOT) && !*engine))
				return SFAB_ADAPTIVE_UNKNOWN;
		}
		/* NVIDIA's names: ar_updn, ar_ftree, ...; dfp and dfp2 (dragonfly+). */
		if (!read && (strncmp(engine, "ar_", 3) == 0 || strncmp(engine, "dfp", 3) == 0))
			return SFAB_ADAPTIVE_UNKNOWN;
	}
	return b->adaptive;
}
