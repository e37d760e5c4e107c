/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paths.c - fill the table of paths; see paths.h
 *
 * One walk to each port (lid_walk.h) says which leaves arrive, and over how many switches.
 */

#include "core/fabric/paths.h"
#include "core/fabric/lid_walk.h"
#include "core/fabric/route.h"

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

/* Count the switches from leaf @leaf to end port @port, to which the walk goes.  0: no route. */
static uint32_t count_switches(struct sfab_lid_walk *w, uint32_t leaf, uint32_t port)
{
	const struct sfab_port *p = &w->f->ports[port];
	const struct sfab_lid_visit *v;

	if (!p->lid || p->eject == SFAB_NONE)
		return 0;
	v = sfab_lid_walk_from(w, w->f->leaves[leaf].sw);
	return v->arrives ? v->hops : 0;
}

/*
 * Find the longest path in a pass of its own over all trees: storing every row at SFAB_HOPS_MAX
 * first would take many times the memory.
 */
static uint32_t find_longest_path(struct sfab_lid_walk *w)
{
	uint32_t max = 2;	/* one link */

	for (uint32_t i = 0; i < w->f->nports; i++) {
		sfab_lid_walk_to(w, w->f->ports[i].entry, i);
		for (uint32_t l = 0; l < w->f->nleaves; l++) {
			uint32_t n = has_row(w->f, l, i) ? count_switches(w, l, i) : 0;

			max = n > max ? n : max;
		}
	}
	return max - 1;
}

/* Write the path from @leaf to @port, to which the walk goes, and fill the row up to @width. */
static void fill_path_row(struct sfab_lid_walk *w, uint32_t leaf, uint32_t port, uint16_t *row,
			  uint32_t width)
{
	const struct sfab_fabric *f = w->f;
	uint32_t sw = f->leaves[leaf].sw, n = count_switches(w, leaf, port), k = 0;

	if (!n)
		row[k++] = SFAB_PATH_LOST;
	for (; k + 1 < n; k++) {
		struct sfab_group group = sfab_route_look_up(&f->switches[sw], w->entry);
		uint32_t link = sfab_route_out_link(f, &f->switches[sw], *group.port);

		row[k] = (uint16_t) link;
		sw = f->links[link].to;
	}
	for (; k < width; k++)
		row[k] = SFAB_PATH_END;
}

/* Would the rows be too large?  Divides, because rows * width could overflow. */
static int is_too_large(size_t rows, uint32_t width)
{
	return rows > SFAB_PATHS_MAX / sizeof(uint16_t) / width;
}

/*
 * Make all rows, or none if they would be too large.  They are grouped by port.  Within a port
 * they follow the leaves of its plane.
 */
static int make_path_rows(struct sfab_paths *p, struct sfab_lid_walk *w, uint32_t *plane_leaves,
			  struct sfab_arena *arena)
{
	const struct sfab_fabric *f = w->f;
	size_t rows = 0;

	for (uint32_t l = 0; l < f->nleaves; l++)
		p->leaf_at[l] = plane_leaves[leaf_plane(f, l)]++;
	for (uint32_t i = 0; i < f->nports; i++) {
		p->port_at[i] = rows;
		if (f->ports[i].leaf != SFAB_NONE)
			rows += plane_leaves[f->ports[i].plane];
	}
	if (is_too_large(rows, 1))
		return 0;
	p->width = find_longest_path(w);
	if (is_too_large(rows, p->width))
		return 0;
	for (uint32_t l = 0; l < f->nleaves; l++)
		p->leaf_at[l] *= p->width;
	for (uint32_t i = 0; i < f->nports; i++)
		p->port_at[i] *= p->width;
	p->link = sfab_arena_take(arena, rows * p->width, sizeof(*p->link));
	if (!p->link)
		return -1;
	for (uint32_t i = 0; i < f->nports; i++) {
		sfab_lid_walk_to(w, f->ports[i].entry, i);
		for (uint32_t l = 0; l < f->nleaves; l++)
			if (has_row(f, l, i))
				fill_path_row(w, l, i, p->link + p->port_at[i] + p->leaf_at[l],
					      p->width);
	}
	return 0;
}

int sfab_paths_make(const struct sfab_fabric *f, struct sfab_arena *arena,
		    struct sfab_paths **out)
{
	struct sfab_arena kept = { 0 }, scratch = { 0 };
	struct sfab_lid_walk walk;
	struct sfab_paths *p;
	uint32_t *plane_leaves;
	int rc = -1;

	*out = NULL;
	/* Port groups have several paths; ids of ISLs must fit into 16 bits. */
	for (uint32_t i = 0; i < f->nswitches; i++)
		if (f->switches[i].ngroups)
			return 0;
	for (uint32_t i = SFAB_PATH_LOST; i < f->nlinks; i++)
		if (f->links[i].kind == SFAB_LINK_ISL)
			return 0;
	p = sfab_arena_take(&kept, 1, sizeof(*p));
	walk = sfab_lid_walk_open(f, &scratch);
	plane_leaves = sfab_arena_take(&scratch, f->nplanes, sizeof(*plane_leaves));
	if (p) {
		p->leaf_at = sfab_arena_take(&kept, f->nleaves, sizeof(*p->leaf_at));
		p->port_at = sfab_arena_take(&kept, f->nports, sizeof(*p->port_at));
	}
	if (!kept.failed && !scratch.failed)
		rc = make_path_rows(p, &walk, plane_leaves, &kept);
	sfab_arena_free(&scratch);
	if (rc == 0 && p->link) {
		*out = p;
		sfab_arena_take_over(arena, &kept);
	}
	sfab_arena_free(&kept);
	return rc;
}
