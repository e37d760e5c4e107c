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
#include "core/fabric/route_private.h"

#include <stdlib.h>

#define SEEN 0xFD		/* hops: looked up, not walked yet */
#define OPEN 0xFE		/* hops: on the stack */
#define LOST 0xFF		/* hops: there is no route from here */
#define SOON 4			/* leaves, */
#define NEAR 8			/* and loads, until which memory should have come */
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
static struct choice look_up_here(const struct sfab_fan_in *x, const struct sfab_switch *sw)
{
	struct choice none = { 0 };

	return sw->plane == x->plane ? look_up(sw, x->entry) : none;
}

static void see_junction(struct sfab_fan_in *x, uint32_t sw)
{
	struct choice c = look_up_here(x, &x->f->switches[sw]);
	struct junction *at = &x->at[sw];

	at->serial = x->serial;
	at->sum = 0;
	at->link = c.n == 1 ? out_link(x->f, &x->f->switches[sw], *c.port) : SFAB_NONE;
	at->hops = c.n == 0 || (c.n == 1 && at->link == SFAB_NONE) ? LOST : SEEN;
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
	struct choice c;

	*n = 1;
	*share = 1;
	if (x->at[sw].link != SFAB_NONE)
		return x->at[sw].link;
	c = look_up_here(x, &x->f->switches[sw]);
	*n = c.n;
	*share = c.share[k];
	return out_link(x->f, &x->f->switches[sw], c.port[k]);
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

/* -- many leaves ----------------------------------------------------------- */

/* Fill column @hop of @nports rows of @n: where these links lead. */
static void fill_first_hops(const struct sfab_fabric *f, uint32_t nports, const uint32_t *link,
			    uint32_t n, struct sfab_first_hop *hop)
{
	for (uint32_t k = 0; k < nports; k++, hop += n) {
		const struct sfab_link *l =
			link[k] != SFAB_NONE ? &f->links[link[k]] : NULL;
		int leads_on = l && l->up && l->kind == SFAB_LINK_ISL;

		hop->link = leads_on ? link[k] : SFAB_NONE;
		hop->to = leads_on ? l->to : SFAB_NONE;
	}
}

/*
 * Of each leaf the only link that it takes to each of the ports.  The tables of a leaf to
 * come and these links are wanted soon, and they are far apart in memory.
 */
void sfab_fan_in_look_up(const struct sfab_fabric *f, uint32_t n, const uint32_t *leaf,
			 uint32_t nports, const uint32_t *port, struct sfab_first_hop *hop)
{
	uint32_t link[2][SFAB_FAN_IN_PORTS];

	for (uint32_t i = 0; i < n; i++) {
		uint32_t later = leaf[i + SOON < n ? i + SOON : i], *to = link[i & 1];
		const struct sfab_switch *soon = &f->switches[f->leaves[later].sw];
		const struct sfab_switch *sw = &f->switches[f->leaves[leaf[i]].sw];

		for (uint32_t k = 0; k < nports; k++) {
			const struct sfab_port *p = &f->ports[port[k]];
			struct choice c = { 0 };

			__builtin_prefetch(soon->lft + p->entry);
			if (sw->plane == p->plane && p->lid)
				c = look_up(sw, p->entry);
			to[k] = c.n == 1 && *c.port <= sw->nports ? sw->out[*c.port] : SFAB_NONE;
			if (to[k] != SFAB_NONE)
				__builtin_prefetch(&f->links[to[k]]);
		}
		if (i)
			fill_first_hops(f, nports, link[!(i & 1)], n, hop + i - 1);
	}
	if (n)
		fill_first_hops(f, nports, link[!(n & 1)], n, hop + n - 1);
}

/* Look up what comes after @n switches, hop by hop, all switches of a hop at once. */
static void look_ahead(struct sfab_fan_in *x, uint32_t n, uint32_t *sw)
{
	uint32_t link[SFAB_FAN_IN_MOST];

	while (n) {
		uint32_t m = 0;

		for (uint32_t i = 0; i < n; i++) {
			if (is_met(x, sw[i]))
				continue;
			see_junction(x, sw[i]);
			if (x->at[sw[i]].link != SFAB_NONE)
				link[m++] = x->at[sw[i]].link;
		}
		n = 0;	/* switches behind these links; each may come twice */
		for (uint32_t i = 0; i < m; i++) {
			const struct sfab_link *l = &x->f->links[link[i]];

			if (l->kind != SFAB_LINK_ISL || is_met(x, l->to))
				continue;
			__builtin_prefetch(x->f->switches[l->to].lft + x->entry);
			sw[n++] = l->to;
		}
	}
}

void sfab_fan_in_expect(struct sfab_fan_in *x, uint32_t n, const struct sfab_first_hop *hop)
{
	uint32_t sw[SFAB_FAN_IN_MOST], m = 0, last = SFAB_NONE;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t to = hop[i].to;

		if (to == SFAB_NONE || to == last || is_met(x, to))
			continue;
		last = to;
		__builtin_prefetch(x->f->switches[to].lft + x->entry);
		sw[m++] = to;
		if (m == SFAB_FAN_IN_MOST) {
			look_ahead(x, m, sw);
			m = 0;
		}
	}
	look_ahead(x, m, sw);
}

/* Leaves before @n that follow @hop to the same switch, with all that is known of it. */
static uint32_t send_run(struct sfab_fan_in *x, uint32_t n, const double *rate,
			 const struct sfab_first_hop *hop)
{
	uint32_t i = 0, to = hop->to;
	double sum = x->at[to].sum;

	do {
		if (i + NEAR < n && hop[i + NEAR].to != SFAB_NONE)
			__builtin_prefetch(&x->load->v[hop[i + NEAR].link], 1);
		sfab_load_add(x->load, hop[i].link, rate[i]);
		sum += rate[i];
		i++;
	} while (i < n && hop[i].to == to);
	x->at[to].sum = sum;
	return i;
}

double sfab_fan_in_send(struct sfab_fan_in *x, uint32_t n, const uint32_t *leaf,
			const double *rate, const struct sfab_first_hop *hop)
{
	double lost = 0;

	for (uint32_t i = 0; i < n;) {
		uint32_t to = hop[i].to, sw;

		if (to != SFAB_NONE && is_met(x, to) && x->at[to].hops < SFAB_HOPS_MAX) {
			i += send_run(x, n - i, rate + i, hop + i);
			continue;
		}
		sw = x->f->leaves[leaf[i]].sw;
		if (x->can_end)
			open_junction(x, sw);
		while (x->depth)
			follow_branches(x);
		if (x->can_end && x->at[sw].hops != LOST)
			x->at[sw].sum += rate[i];
		else
			lost += rate[i];
		i++;
	}
	x->load->adds += (uint64_t) LOOKUP_COST * n;
	return lost;
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
