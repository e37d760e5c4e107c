/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fan_in.c - see fan_in.h
 *
 * A leaf puts its rate on its own link at once and hands it to the switch behind it.
 * A depth-first walk from a switch that is met for the first time lists switches in
 * the order in which they are done: after all that they lead to.  Read backwards,
 * every switch comes before those that it leads to, so one pass hands all sums on.
 * The walk keeps its own stack, because tables are input: a chain of switches can be
 * as long as the fabric is large.
 */

#include "core/load/fan_in.h"
#include "core/fabric/route.h"

#include <stdlib.h>

#define SEEN 0xFD		/* hops: looked up, not walked yet */
#define OPEN 0xFE		/* hops: on the stack */
#define LOST 0xFF		/* hops: there is no route from here */
#define LOOKUP_COST 2		/* additions in the time in which a switch is looked up */

struct junction {		/* a switch on the way to the current port */
	uint32_t serial;	/* not the current serial: not looked up */
	uint32_t link;		/* its only way; SFAB_NONE: a group */
	uint8_t hops;		/* to the port, the longest way; SEEN, OPEN or LOST */
	double sum;		/* what arrives here */
};

struct branch {			/* of a switch on the stack: the one to look at next */
	uint32_t sw, next;
	uint8_t most;		/* hops over those before it */
};

struct sfab_fan_in {
	const struct sfab_fabric *f;
	struct sfab_load *load;
	uint32_t dst, entry, plane;
	uint8_t can_end;	/* it has a LID and a cable */
	uint32_t serial;
	struct junction *at;	/* by switch */
	uint32_t *done, ndone;	/* switches with a route, what they lead to first */
	struct branch *stack;
	uint32_t depth;
	struct sfab_arena arena;
};

struct sfab_fan_in *sfab_fan_in_create(const struct sfab_fabric *f)
{
	struct sfab_fan_in *x = calloc(1, sizeof(*x));

	if (!x)
		return NULL;
	x->f = f;
	x->at = sfab_arena_take(&x->arena, f->nswitches, sizeof(*x->at));
	x->done = sfab_arena_take(&x->arena, f->nswitches, sizeof(*x->done));
	x->stack = sfab_arena_take(&x->arena, f->nswitches, sizeof(*x->stack));
	if (!x->arena.failed)
		return x;
	sfab_fan_in_destroy(x);
	return NULL;
}

void sfab_fan_in_destroy(struct sfab_fan_in *x)
{
	if (!x)
		return;
	sfab_arena_free(&x->arena);
	free(x);
}

void sfab_fan_in_start(struct sfab_fan_in *x, struct sfab_load *load, uint32_t dst)
{
	const struct sfab_port *p = &x->f->ports[dst];

	x->load = load;
	x->dst = dst;
	x->entry = p->entry;
	x->plane = p->plane;
	x->can_end = p->lid && p->eject != SFAB_NONE;
	x->serial++;
	x->ndone = 0;
}

/* -- the walk -------------------------------------------------------------- */

static int is_met(const struct sfab_fan_in *x, uint32_t sw)
{
	return x->at[sw].serial == x->serial;
}

/* An entry means something in the tables of its plane only. */
static struct sfab_group look_up_here(const struct sfab_fan_in *x, const struct sfab_switch *sw)
{
	struct sfab_group none = { 0 };

	return sw->plane == x->plane ? sfab_look_up(sw, x->entry) : none;
}

static void see_junction(struct sfab_fan_in *x, uint32_t sw)
{
	struct sfab_group c = look_up_here(x, &x->f->switches[sw]);
	struct junction *at = &x->at[sw];

	at->serial = x->serial;
	at->sum = 0;
	at->link = c.nports == 1 ? sfab_out_link(x->f, &x->f->switches[sw], *c.port) : SFAB_NONE;
	at->hops = c.nports == 0 || (c.nports == 1 && at->link == SFAB_NONE) ? LOST : SEEN;
}

static void open_junction(struct sfab_fan_in *x, uint32_t sw)
{
	if (!is_met(x, sw))
		see_junction(x, sw);
	if (x->at[sw].hops != SEEN)
		return;
	x->at[sw].hops = OPEN;
	x->stack[x->depth++] = (struct branch) { .sw = sw };
}

/* The @k-th link that the flow takes at @sw; the number of them in *@n. */
static uint32_t branch_link(const struct sfab_fan_in *x, uint32_t sw, uint32_t k,
			    uint32_t *n, double *share)
{
	struct sfab_group c;

	*n = 1;
	*share = 1;
	if (x->at[sw].link != SFAB_NONE)
		return x->at[sw].link;
	c = look_up_here(x, &x->f->switches[sw]);
	*n = c.nports;
	*share = c.share[k];
	return sfab_out_link(x->f, &x->f->switches[sw], c.port[k]);
}

/* Hops over @link to the port; OPEN: its switch must be looked up first. */
static uint8_t hops_over(const struct sfab_fan_in *x, uint32_t link)
{
	const struct sfab_link *l = link == SFAB_NONE ? NULL : &x->f->links[link];

	if (!l || l->kind != SFAB_LINK_ISL)
		return l && l->to == x->dst ? 1 : LOST;
	if (!is_met(x, l->to) || x->at[l->to].hops == SEEN)
		return OPEN;
	/* a switch that is still open leads back to itself: a loop */
	return x->at[l->to].hops < SFAB_HOPS_MAX ? (uint8_t) (x->at[l->to].hops + 1) : LOST;
}

/* Look at the branches of the switch on top of the stack until one leads on. */
static void follow_branches(struct sfab_fan_in *x)
{
	struct branch *b = &x->stack[x->depth - 1];
	struct junction *at = &x->at[b->sw];

	for (uint32_t n = b->next + 1; at->hops == OPEN && b->next < n; b->next++) {
		double share;
		uint32_t link = branch_link(x, b->sw, b->next, &n, &share);
		uint8_t hops = hops_over(x, link);

		if (hops == OPEN) {
			open_junction(x, x->f->links[link].to);
			return;
		}
		if (hops == LOST)
			at->hops = LOST;
		else if (hops > b->most)
			b->most = hops;
	}
	if (at->hops == OPEN) {
		at->hops = b->most;
		x->done[x->ndone++] = b->sw;
	}
	x->depth--;
}

/* -- leaves ---------------------------------------------------------------- */

void sfab_fan_in_expect(const struct sfab_fan_in *x, uint32_t leaf)
{
	const struct sfab_switch *sw = &x->f->switches[x->f->leaves[leaf].sw];

	if (sw->lft_group)
		__builtin_prefetch(sw->lft_group + x->entry);
	__builtin_prefetch(sw->lft + x->entry);
}

/* 1: it was sent to a switch of which all is known. */
static int send_on(struct sfab_fan_in *x, uint32_t sw, double rate)
{
	struct sfab_group c = look_up_here(x, &x->f->switches[sw]);
	uint32_t link = SFAB_NONE, to;

	if (c.nports == 1)
		link = sfab_out_link(x->f, &x->f->switches[sw], *c.port);
	if (link == SFAB_NONE || x->f->links[link].kind != SFAB_LINK_ISL)
		return 0;
	to = x->f->links[link].to;
	if (!is_met(x, to) || x->at[to].hops >= SFAB_HOPS_MAX)
		return 0;
	sfab_load_add(x->load, link, rate);
	x->at[to].sum += rate;
	return 1;
}

void sfab_fan_in_send(struct sfab_fan_in *x, uint32_t leaf, double rate)
{
	uint32_t sw = x->f->leaves[leaf].sw;

	x->load->adds += LOOKUP_COST;
	if (!x->can_end || send_on(x, sw, rate))
		return;
	open_junction(x, sw);
	while (x->depth)
		follow_branches(x);
	if (x->at[sw].hops != LOST)
		x->at[sw].sum += rate;
}

void sfab_fan_in_finish(struct sfab_fan_in *x)
{
	for (uint32_t i = x->ndone; i-- > 0;) {
		const struct junction *at = &x->at[x->done[i]];
		uint32_t n = 1;

		for (uint32_t k = 0; at->sum > 0 && k < n; k++) {
			double share;
			uint32_t link = branch_link(x, x->done[i], k, &n, &share);

			sfab_load_add(x->load, link, at->sum * share);
			if (x->f->links[link].kind == SFAB_LINK_ISL)
				x->at[x->f->links[link].to].sum += at->sum * share;
		}
	}
	x->load->adds += (uint64_t) LOOKUP_COST * x->ndone;
}
