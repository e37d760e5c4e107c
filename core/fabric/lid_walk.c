/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lid_walk.c - depth-first search along forwarding tables; see lid_walk.h */

#include "core/fabric/lid_walk.h"
#include "core/fabric/route.h"

struct sfab_lid_frame {
	uint32_t sw;
	uint32_t next;		/* next entry of group to follow */
	struct sfab_group group;
};

struct sfab_lid_walk sfab_lid_walk_open(const struct sfab_fabric *f, struct sfab_arena *arena)
{
	return (struct sfab_lid_walk){
		.f = f, .loop = SFAB_NONE,
		.visit = sfab_arena_take(arena, f->nswitches, sizeof(struct sfab_lid_visit)),
		.order = sfab_arena_take(arena, f->nswitches, sizeof(uint32_t)),
		.stack = sfab_arena_take(arena, f->nswitches, sizeof(struct sfab_lid_frame)),
	};
}

/* Begin the walk to a LID.  Its serial marks visits, so the array need not be cleared each time. */
void sfab_lid_walk_to(struct sfab_lid_walk *w, uint32_t entry, uint32_t to)
{
	w->entry = entry;
	w->to = to;
	w->serial++;
	w->norder = 0;
}

static void enter_switch(struct sfab_lid_walk *w, struct sfab_lid_frame *top, uint32_t sw)
{
	top->sw = sw;
	top->next = 0;
	top->group = sfab_route_look_up(&w->f->switches[sw], w->entry);
	w->visit[sw] = (struct sfab_lid_visit){ .serial = w->serial, .on_stack = 1,
						.arrives = top->group.nports > 0, .hops = 1 };
}

/*
 * Follow the next entry.  Return the switch that it leads to if that must be visited first,
 * else SFAB_NONE.
 */
static uint32_t follow_entry(struct sfab_lid_walk *w, struct sfab_lid_frame *top)
{
	const struct sfab_fabric *f = w->f;
	struct sfab_lid_visit *v = &w->visit[top->sw], *far;
	uint32_t link = sfab_route_out_link(f, &f->switches[top->sw], top->group.port[top->next]);

	if (link != SFAB_NONE && f->links[link].kind == SFAB_LINK_ISL) {
		uint32_t sw = f->links[link].to;

		far = &w->visit[sw];
		if (far->serial != w->serial)
			return sw;
		/* A switch that is still on the stack closes a loop. */
		if (far->on_stack && w->loop == SFAB_NONE)
			w->loop = sw;
		v->arrives &= !far->on_stack && far->arrives && far->hops < SFAB_HOPS_MAX;
		if (far->hops >= v->hops)
			v->hops = far->hops + 1;
	} else if (link == SFAB_NONE || f->links[link].to != w->to) {
		v->arrives = 0;	/* a dead end, or the wrong end port */
	}
	top->next++;
	return SFAB_NONE;
}

/* Walk from a switch, without recursion: a loop may be as long as there are switches. */
struct sfab_lid_visit *sfab_lid_walk_from(struct sfab_lid_walk *w, uint32_t sw)
{
	struct sfab_lid_frame *top = w->stack;

	if (w->visit[sw].serial == w->serial)
		return &w->visit[sw];
	enter_switch(w, top, sw);
	for (;;) {
		if (top->next < top->group.nports) {
			uint32_t far = follow_entry(w, top);

			if (far != SFAB_NONE)
				enter_switch(w, ++top, far);
			continue;
		}
		w->visit[top->sw].on_stack = 0;
		w->order[w->norder++] = top->sw;
		if (top == w->stack)
			return &w->visit[sw];
		top--;
	}
}
