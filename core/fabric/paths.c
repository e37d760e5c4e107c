/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paths.c - fill the table of paths; see paths.h
 *
 * The table entries for one port form a tree with the port as its root.  Each
 * switch is looked up once per port; then the leaves' paths are read from the
 * tree.
 */

#include "core/fabric/paths.h"
#include "core/fabric/route.h"
#include "core/fabric/route_private.h"

#include <stdlib.h>
#include <string.h>

#define LOST 0xFF		/* hops: no route from here, or not known yet */

struct step {			/* from a switch toward the current port */
	uint32_t serial;	/* not the current serial: not looked up */
	uint32_t link, to;
	uint8_t hops;		/* switch-to-switch links on the path, or LOST */
};

struct tree {
	const struct sfab_fabric *f;
	uint32_t port;
	uint8_t can_end;	/* it has a LID and a cable */
	uint32_t serial;
	struct step *step;	/* by switch */
	uint32_t *trail;	/* switches passed on the way to a known one */
};

static uint32_t leaf_plane(const struct sfab_fabric *f, uint32_t leaf)
{
	return f->switches[f->leaves[leaf].sw].plane;
}

/* Is there a row for leaf @leaf and end port @port? */
static int has_row(const struct sfab_fabric *f, uint32_t leaf, uint32_t port)
{
	return f->ports[port].leaf != SFAB_NONE &&
	       f->ports[port].plane == leaf_plane(f, leaf);
}

static void start_tree(struct tree *t, uint32_t port)
{
	const struct sfab_port *p = &t->f->ports[port];

	t->port = port;
	t->can_end = p->lid && p->eject != SFAB_NONE;
	t->serial++;
}

/*
 * Switch-to-switch links from @leaf to the port, or LOST.  A loop ends at a
 * switch already looked up, whose hops are still LOST, so the whole trail is
 * LOST.
 */
static uint8_t leaf_hops(struct tree *t, uint32_t leaf)
{
	const struct sfab_fabric *f = t->f;
	uint32_t sw = f->leaves[leaf].sw, n = 0;
	uint8_t hops;

	if (!t->can_end)
		return LOST;
	while (t->step[sw].serial != t->serial) {
		struct step *s = &t->step[sw];
		struct choice c = look_up(&f->switches[sw], f->ports[t->port].entry);

		s->serial = t->serial;
		s->hops = LOST;
		s->link = c.n ? out_link(f, &f->switches[sw], *c.port) : SFAB_NONE;
		if (s->link == SFAB_NONE)
			break;
		s->to = f->links[s->link].to;
		if (f->links[s->link].kind != SFAB_LINK_ISL) {
			s->hops = s->to == t->port ? 0 : LOST;
			break;
		}
		t->trail[n++] = sw;
		sw = s->to;
	}
	hops = t->step[sw].hops;
	while (n--) {
		hops = hops < SFAB_HOPS_MAX - 1 ? (uint8_t) (hops + 1) : LOST;
		t->step[t->trail[n]].hops = hops;
	}
	return hops;
}

/*
 * A pass over all trees just for the width: storing every row at SFAB_HOPS_MAX
 * first would take many times the memory.
 */
static uint32_t longest_path(struct tree *t)
{
	uint32_t most = 1;

	for (uint32_t i = 0; i < t->f->nports; i++) {
		start_tree(t, i);
		for (uint32_t l = 0; l < t->f->nleaves; l++) {
			uint8_t hops = has_row(t->f, l, i) ? leaf_hops(t, l) :
							       LOST;

			if (hops != LOST && hops > most)
				most = hops;
		}
	}
	return most;
}

static void fill_path_row(struct tree *t, uint32_t leaf, uint16_t *row,
			  uint32_t width)
{
	uint32_t sw = t->f->leaves[leaf].sw, k = 0;
	uint8_t hops = leaf_hops(t, leaf);

	if (hops == LOST)
		row[k++] = SFAB_PATH_LOST;
	for (; hops != LOST && k < hops; k++) {
		row[k] = (uint16_t) t->step[sw].link;
		sw = t->step[sw].to;
	}
	for (; k < width; k++)
		row[k] = SFAB_PATH_END;
}

/* Divides, because rows * width could overflow. */
static int is_too_large(size_t rows, uint32_t width)
{
	return rows > SFAB_PATHS_MAX / sizeof(uint16_t) / width;
}

/*
 * All rows, or none if they would be too large.  They are grouped by port; within a port
 * they follow the leaves of its plane.
 */
static int make_path_rows(struct sfab_paths *p, struct tree *t,
			  uint32_t *leaves_of)
{
	const struct sfab_fabric *f = t->f;
	size_t rows = 0;

	for (uint32_t l = 0; l < f->nleaves; l++)
		p->leaf_at[l] = leaves_of[leaf_plane(f, l)]++;
	for (uint32_t i = 0; i < f->nports; i++) {
		p->port_at[i] = rows;
		if (f->ports[i].leaf != SFAB_NONE)
			rows += leaves_of[f->ports[i].plane];
	}
	if (is_too_large(rows, 1))
		return 0;
	p->width = longest_path(t);
	if (is_too_large(rows, p->width))
		return 0;
	for (uint32_t l = 0; l < f->nleaves; l++)
		p->leaf_at[l] *= p->width;
	for (uint32_t i = 0; i < f->nports; i++)
		p->port_at[i] *= p->width;
	p->link = malloc((rows * p->width + 1) * sizeof(*p->link));
	if (!p->link)
		return -1;
	for (uint32_t i = 0; i < f->nports; i++) {
		start_tree(t, i);
		for (uint32_t l = 0; l < f->nleaves; l++)
			if (has_row(f, l, i))
				fill_path_row(t, l, p->link + p->port_at[i] + p->leaf_at[l],
					      p->width);
	}
	return 0;
}

/*
 * 0 with *@out NULL: the fabric cannot have such a table, or it would be too
 * large; routes are then walked one by one.
 */
int sfab_paths_create(const struct sfab_fabric *f, struct sfab_paths **out)
{
	struct tree t = { .f = f };
	struct sfab_paths *p;
	uint32_t *leaves_of;
	int rc = -1;

	*out = NULL;
	/* Port groups have several paths; ids of ISLs must fit into 16 bits. */
	for (uint32_t i = 0; i < f->nswitches; i++)
		if (f->switches[i].ngroups)
			return 0;
	for (uint32_t i = SFAB_PATH_LOST; i < f->nlinks; i++)
		if (f->links[i].kind == SFAB_LINK_ISL)
			return 0;
	p = calloc(1, sizeof(*p));
	leaves_of = calloc(f->nplanes + 1u, sizeof(*leaves_of));
	t.step = calloc(f->nswitches + 1u, sizeof(*t.step));
	t.trail = calloc(f->nswitches + 1u, sizeof(*t.trail));
	if (p) {
		p->leaf_at = calloc(f->nleaves + 1u, sizeof(*p->leaf_at));
		p->port_at = calloc(f->nports + 1u, sizeof(*p->port_at));
		if (leaves_of && t.step && t.trail && p->leaf_at && p->port_at)
			rc = make_path_rows(p, &t, leaves_of);
	}
	free(leaves_of);
	free(t.step);
	free(t.trail);
	if (rc == 0 && p->link)
		*out = p;
	else
		sfab_paths_destroy(p);
	return rc;
}

void sfab_paths_destroy(struct sfab_paths *p)
{
	if (!p)
		return;
	free(p->link);
	free(p->leaf_at);
	free(p->port_at);
	free(p);
}
