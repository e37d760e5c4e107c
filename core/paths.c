/* SPDX-License-Identifier: GPL-2.0-or-later */
/* paths.c - fill the table of paths; see paths.h */

#include "paths.h"
#include "route.h"

#include <stdlib.h>
#include <string.h>

static int has_groups(const struct sfab_fabric *f)
{
	for (uint32_t i = 0; i < f->nswitches; i++)
		if (f->switches[i].ngroups)
			return 1;
	return 0;
}

static uint32_t leaf_plane(const struct sfab_fabric *f, uint32_t leaf)
{
	return f->switches[f->leaves[leaf].sw].plane;
}

/* Does leaf @leaf have a row for end port @port? */
static int is_column(const struct sfab_fabric *f, uint32_t leaf, uint32_t port)
{
	return f->ports[port].leaf != SFAB_NONE &&
	       f->ports[port].plane == leaf_plane(f, leaf);
}

/* Columns count the ports of a plane; rows follow leaf by leaf. */
static size_t lay_out(const struct sfab_fabric *f, struct sfab_paths *p,
		      uint32_t *ports_of)
{
	size_t rows = 0;

	for (uint32_t i = 0; i < f->nports; i++)
		if (f->ports[i].leaf != SFAB_NONE)
			p->column[i] = ports_of[f->ports[i].plane]++;
	for (uint32_t l = 0; l < f->nleaves; l++) {
		p->leaf_at[l] = rows;
		rows += ports_of[leaf_plane(f, l)];
	}
	return rows;
}

/* Links between the leaf and the port: 0 .. SFAB_HOPS_MAX; -1: no route. */
static int walk(const struct sfab_fabric *f, uint32_t leaf, uint32_t port,
		uint32_t *link)
{
	const struct sfab_port *dst = &f->ports[port];
	uint32_t at = f->leaves[leaf].sw;

	if (!dst->lid || dst->eject == SFAB_NONE)
		return -1;
	for (int n = 0; n < SFAB_HOPS_MAX; n++) {
		const struct sfab_switch *sw = &f->switches[at];
		uint8_t out = sw->has_lft ? sw->lft[dst->lid] : SFAB_PORT_NONE;
		uint32_t l = out <= sw->nports ? sw->out[out] : SFAB_NONE;

		if (l == SFAB_NONE || !f->links[l].up)
			return -1;
		if (f->links[l].kind == SFAB_LINK_EJECT)
			return f->links[l].to == port ? n : -1;
		link[n] = l;
		at = f->links[l].to;
	}
	return -1;
}

static uint32_t longest(const struct sfab_fabric *f)
{
	uint32_t link[SFAB_HOPS_MAX], most = 1;

	for (uint32_t l = 0; l < f->nleaves; l++)
		for (uint32_t i = 0; i < f->nports; i++) {
			int n = is_column(f, l, i) ?
				walk(f, l, i, link) : -1;

			if (n > (int) most)
				most = (uint32_t) n;
		}
	return most;
}

static void fill(const struct sfab_fabric *f, struct sfab_paths *p)
{
	uint32_t link[SFAB_HOPS_MAX];

	for (uint32_t l = 0; l < f->nleaves; l++)
		for (uint32_t i = 0; i < f->nports; i++) {
			uint32_t *row;
			int n;

			if (!is_column(f, l, i))
				continue;
			row = (uint32_t *) sfab_path(p, l, i);
			n = walk(f, l, i, link);
			if (n > 0)
				memcpy(row, link, (uint32_t) n * sizeof(*row));
			for (uint32_t k = n > 0 ? (uint32_t) n : 0; k < p->width; k++)
				row[k] = SFAB_NONE;
			if (n < 0)
				row[0] = SFAB_PATH_LOST;
		}
}

int sfab_paths_create(const struct sfab_fabric *f, struct sfab_paths **out)
{
	struct sfab_paths *p;
	uint32_t *ports_of;
	size_t rows;

	*out = NULL;
	if (has_groups(f))
		return 0;
	p = calloc(1, sizeof(*p));
	ports_of = calloc(f->nplanes + 1u, sizeof(*ports_of));
	if (p) {
		p->leaf_at = calloc(f->nleaves + 1u, sizeof(*p->leaf_at));
		p->column = calloc(f->nports + 1u, sizeof(*p->column));
	}
	if (p && ports_of && p->leaf_at && p->column) {
		p->width = longest(f);
		rows = lay_out(f, p, ports_of);
		for (uint32_t l = 0; l < f->nleaves; l++)
			p->leaf_at[l] *= p->width;
		p->link = malloc((rows * p->width + 1) * sizeof(*p->link));
	}
	free(ports_of);
	if (!p || !p->link) {
		sfab_paths_destroy(p);
		return -1;
	}
	fill(f, p);
	*out = p;
	return 0;
}

void sfab_paths_destroy(struct sfab_paths *p)
{
	if (!p)
		return;
	free(p->link);
	free(p->leaf_at);
	free(p->column);
	free(p);
}
