/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spine.c - which switches a human calls spines; see spine.h */

#include "spine.h"

static int is_host(const struct sfab_fabric *f, uint32_t port)
{
	return f->hosts[f->ports[port].host].role != SFAB_HOST_SHARP;
}

int spine_is(const struct sfab_fabric *f, uint32_t sw)
{
	const struct sfab_switch *s = &f->switches[sw];

	for (unsigned p = 1; p <= s->nports; p++) {
		const struct sfab_link *l;

		if (s->out[p] == SFAB_NONE)
			continue;
		l = &f->links[s->out[p]];
		if (l->kind == SFAB_LINK_EJECT && is_host(f, l->to))
			return 0;
	}
	return 1;
}
