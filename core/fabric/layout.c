/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layout.c - find rows and groups in the cables of a plane; see layout.h */

#include "core/fabric/layout.h"
#include "core/fabric/layout_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- who is cabled to whom ------------------------------------------------ */

static int graph_has(const struct cabling *g, uint32_t from, uint32_t n, uint32_t to)
{
	for (uint32_t i = g->first[from]; i < n; i++)
		if (g->next[i] == to)
			return 1;
	return 0;
}

int sfab_cabling_joins(const struct cabling *g, uint32_t a, uint32_t b)
{
	return graph_has(g, a, g->first[a + 1], b);
}

/* Parallel cables count once, cables that are down like others. */
static void list_neighbors(struct cabling *g)
{
	const struct sfab_fabric *f = g->f;
	uint32_t n = 0;

	for (uint32_t s = 0; s < g->n; s++) {
		const struct sfab_switch *sw = &f->switches[g->switch0 + s];

		g->first[s] = n;
		for (uint32_t p = 1; p <= sw->nports; p++) {
			const struct sfab_link *l = &f->links[sw->out[p]];

			if (sw->out[p] == SFAB_NONE || l->kind != SFAB_LINK_ISL ||
			    l->to - g->switch0 >= g->n ||
			    graph_has(g, s, n, l->to - g->switch0))
				continue;
			g->next[n++] = l->to - g->switch0;
		}
		g->first[s + 1] = n;
	}
}

static int cabling_init(struct cabling *g, const struct sfab_fabric *f, uint32_t plane)
{
	uint32_t ends = 0;

	g->f = f;
	g->switch0 = f->planes[plane].switch0;
	g->n = f->planes[plane].nswitches;
	for (uint32_t s = 0; s < g->n; s++)
		ends += f->switches[g->switch0 + s].nports;
	g->first = calloc(g->n + 1u, sizeof(*g->first));
	g->next = calloc(ends + 1u, sizeof(*g->next));
	if (!g->first || !g->next)
		return -1;
	list_neighbors(g);
	return 0;
}

static void cabling_free(struct cabling *g)
{
	free(g->first);
	free(g->next);
}

/* -- groups --------------------------------------------------------------- */

static uint32_t common_neighbors(const struct cabling *g, uint32_t a, uint32_t b)
{
	uint32_t n = 0;

	for (uint32_t i = g->first[a]; i < g->first[a + 1]; i++)
		n += (uint32_t) sfab_cabling_joins(g, b, g->next[i]);
	return n;
}

static int is_leaf_here(const struct cabling *g, uint32_t s)
{
	return sfab_switch_is_leaf(g->f, g->switch0 + s);
}

/*
 * Do the cables from @a to @b stay in a group?  With spines, those of a leaf do.  Else
 * two switches of a group have the rest of it in common, others hardly any.
 */
static int stays_in_group(const struct cabling *g, const uint32_t *most, int has_spines,
			  uint32_t a, uint32_t b)
{
	if (has_spines)
		return is_leaf_here(g, a) || is_leaf_here(g, b);
	return 2 * common_neighbors(g, a, b) > most[a] && most[a] > 0;
}

static uint32_t find_root(uint32_t *group, uint32_t s)
{
	while (group[s] != s)
		s = group[s] = group[group[s]];
	return s;
}

/* By switch: the lowest switch of its group. */
static void find_cable_groups(const struct cabling *g, const uint32_t *most,
			      int has_spines, uint32_t *group)
{
	for (uint32_t s = 0; s < g->n; s++)
		group[s] = s;
	for (uint32_t s = 0; s < g->n; s++)
		for (uint32_t i = g->first[s]; i < g->first[s + 1]; i++) {
			uint32_t a = find_root(group, s), b = find_root(group, g->next[i]);

			if (stays_in_group(g, most, has_spines, s, g->next[i]))
				group[a > b ? a : b] = a > b ? b : a;
		}
	for (uint32_t s = 0; s < g->n; s++)
		group[s] = find_root(group, s);
}

/* By switch: the most neighbors that it has in common with one of them. */
static void find_most_common(const struct cabling *g, uint32_t *most)
{
	for (uint32_t s = 0; s < g->n; s++)
		for (uint32_t i = g->first[s]; i < g->first[s + 1]; i++) {
			uint32_t n = common_neighbors(g, s, g->next[i]);

			most[s] = n > most[s] ? n : most[s];
		}
}

/* Spines that no leaf is cabled to make a tree of more levels, not groups. */
static int spines_have_leaves(const struct cabling *g, int *has_spines)
{
	for (uint32_t s = 0; s < g->n; s++) {
		uint32_t leaves = 0;

		if (is_leaf_here(g, s))
			continue;
		*has_spines = 1;
		for (uint32_t i = g->first[s]; i < g->first[s + 1]; i++)
			leaves += (uint32_t) is_leaf_here(g, g->next[i]);
		if (!leaves)
			return 0;
	}
	return 1;
}

/* Cables from @s to its own group; to others if @own is 0. */
static uint32_t cables_of(const struct cabling *g, const uint32_t *group, uint32_t s, int own)
{
	uint32_t n = 0;

	for (uint32_t i = g->first[s]; i < g->first[s + 1]; i++)
		n += (group[g->next[i]] == group[s]) == own;
	return n;
}

/*
 * Several groups, each joined to others; without spines all switches of a group are
 * joined to all others of it, up to a tenth that may be missing.
 */
static int are_groups(const struct cabling *g, const uint32_t *group, int has_spines,
		      uint32_t *size)
{
	uint32_t ngroups = 0, inside = 0, outside = 0, want = 0;

	for (uint32_t s = 0; s < g->n; s++)
		size[group[s]]++;
	for (uint32_t s = 0; s < g->n; s++) {
		ngroups += group[s] == s;
		want += size[group[s]] - 1;
		inside += cables_of(g, group, s, 1);
		outside += cables_of(g, group, s, 0);
		if (size[group[s]] < 3)
			return 0;
	}
	return ngroups > 1 && outside > 0 && (has_spines || 10 * inside >= 9 * want);
}

/* Numbers from 1 in the order of their first switch by name. */
static void number_groups(const struct cabling *g, struct sfab_layout *l, uint32_t *number)
{
	uint32_t n = 0;

	for (;;) {
		uint32_t best = SFAB_NONE;

		for (uint32_t s = 0; s < g->n; s++)
			if (!number[l->group[s]] &&
			    (best == SFAB_NONE || sfab_cabling_before(g, s, best)))
				best = s;
		if (best == SFAB_NONE)
			break;
		number[l->group[best]] = ++n;
	}
	for (uint32_t s = 0; s < g->n; s++)
		l->group[s] = number[l->group[s]];
	l->ngroups = n;
}

/* 1: found. */
static int find_groups(const struct cabling *g, struct sfab_layout *l)
{
	uint32_t *most = calloc(g->n + 1u, sizeof(*most));
	uint32_t *size = calloc(g->n + 1u, sizeof(*size));
	int has_spines = 0, rc = 0;

	l->group = calloc(g->n + 1u, sizeof(*l->group));
	if (!most || !size || !l->group) {
		rc = -1;
	} else if (spines_have_leaves(g, &has_spines)) {
		if (!has_spines)
			find_most_common(g, most);
		find_cable_groups(g, most, has_spines, l->group);
		rc = are_groups(g, l->group, has_spines, size);
	}
	if (rc == 1) {
		memset(most, 0, g->n * sizeof(*most));
		number_groups(g, l, most);
		l->has_spines = (uint8_t) has_spines;
		l->kind = SFAB_LAYOUT_GROUPS;
	}
	free(most);
	free(size);
	return rc;
}

/* -- all ------------------------------------------------------------------ */

int sfab_cabling_before(const struct cabling *g, uint32_t a, uint32_t b)
{
	int c = sfab_name_cmp(g->f->switches[g->switch0 + a].name,
			      g->f->switches[g->switch0 + b].name);

	return c < 0 || (c == 0 && a < b);
}

int sfab_layout_find(const struct sfab_fabric *f, uint32_t plane, struct sfab_layout *out)
{
	struct cabling g = { 0 };
	int rc = cabling_init(&g, f, plane);

	memset(out, 0, sizeof(*out));
	out->switch0 = g.switch0;
	out->nswitches = g.n;
	if (rc == 0)
		rc = sfab_layout_find_grid(&g, out);
	if (rc == 0)
		rc = find_groups(&g, out);
	cabling_free(&g);
	if (rc <= 0)
		sfab_layout_clear(out);
	return rc < 0 ? -1 : 0;
}

void sfab_layout_clear(struct sfab_layout *l)
{
	free(l->at);
	free(l->group);
	memset(l, 0, sizeof(*l));
}

/* -- words ---------------------------------------------------------------- */

static const char *dim_name(const struct sfab_layout *l, uint32_t i)
{
	static const char *const few[] = { "x", "y", "z" };
	static const char *const many[SFAB_LAYOUT_DIMS] = {
		"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l",
	};

	return l->ndims <= 3 ? few[i] : many[i];
}

static const char *grid_name(const struct sfab_layout *l)
{
	uint32_t rings = 0, twos = 0;

	for (uint32_t i = 0; i < l->ndims; i++) {
		rings += l->is_ring[i];
		twos += l->size[i] == 2;
	}
	if (twos == l->ndims)
		return "hypercube";
	return rings + twos == l->ndims ? "torus" : "mesh";
}

/* The same cables with a ring of 4 for each two dimensions of 2: " or torus of 4 x 4". */
static void add_rings_of_4(const struct sfab_layout *l, char text[SFAB_LAYOUT_TEXT])
{
	uint32_t twos = 0, size[SFAB_LAYOUT_DIMS] = { 0 }, ndims = 0;
	const char *kind = strcmp(grid_name(l), "mesh") == 0 ? "mesh" : "torus";
	size_t n = strlen(text);

	for (uint32_t i = 0; i < l->ndims; i++) {
		twos += l->size[i] == 2;
		if (l->size[i] != 2)
			size[ndims++] = l->size[i];
		else if (twos % 2 == 0)
			size[ndims++] = 4;
	}
	if (twos % 2)
		size[ndims++] = 2;
	n += (size_t) snprintf(text + n, SFAB_LAYOUT_TEXT - n, " or %s of %u",
			       ndims == 1 ? "ring" : kind, size[0]);
	for (uint32_t i = 1; i < ndims && n < SFAB_LAYOUT_TEXT; i++)
		n += (size_t) snprintf(text + n, SFAB_LAYOUT_TEXT - n, " x %u", size[i]);
}

void sfab_layout_text(const struct sfab_layout *l, char text[SFAB_LAYOUT_TEXT])
{
	int n = 0;

	text[0] = '\0';
	if (l->kind == SFAB_LAYOUT_GROUPS)
		snprintf(text, SFAB_LAYOUT_TEXT, "dragonfly%s of %u groups",
			 l->has_spines ? "+" : "", l->ngroups);
	if (l->kind != SFAB_LAYOUT_GRID)
		return;
	n = snprintf(text, SFAB_LAYOUT_TEXT, "%s of %u", grid_name(l), l->size[0]);
	for (uint32_t i = 1; i < l->ndims && n < (int) SFAB_LAYOUT_TEXT; i++)
		n += snprintf(text + n, SFAB_LAYOUT_TEXT - (size_t) n, " x %u", l->size[i]);
	if (l->is_either)
		add_rings_of_4(l, text);
}

/* The dimension in which two switches differ. */
static uint32_t differing_dim(const struct sfab_layout *l, uint32_t a, uint32_t b)
{
	uint32_t i = 0;

	while (i + 1 < l->ndims && l->at[a][i] == l->at[b][i])
		i++;
	return i;
}

static void grid_link_text(const struct sfab_layout *l, uint32_t a, uint32_t b,
			   char text[SFAB_LAYOUT_TEXT])
{
	uint32_t i = differing_dim(l, a, b);
	int up = l->at[b][i] == (l->at[a][i] + 1u) % l->size[i];
	int n = snprintf(text, SFAB_LAYOUT_TEXT, "%s%s of", up ? "+" : "-", dim_name(l, i));

	for (i = 0; i < l->ndims && n < (int) SFAB_LAYOUT_TEXT; i++)
		n += snprintf(text + n, SFAB_LAYOUT_TEXT - (size_t) n, " %s=%u",
			      dim_name(l, i), l->at[a][i]);
}

void sfab_layout_link_text(const struct sfab_layout *l, const struct sfab_fabric *f,
			   uint32_t link, char text[SFAB_LAYOUT_TEXT])
{
	const struct sfab_link *k = &f->links[link];
	uint32_t a = k->from - l->switch0, b = k->to - l->switch0;

	text[0] = '\0';
	if (k->kind != SFAB_LINK_ISL || a >= l->nswitches || b >= l->nswitches)
		return;
	if (l->kind == SFAB_LAYOUT_GRID)
		grid_link_text(l, a, b, text);
	else if (l->kind == SFAB_LAYOUT_GROUPS && l->group[a] == l->group[b])
		snprintf(text, SFAB_LAYOUT_TEXT, "in group %u", l->group[a]);
	else if (l->kind == SFAB_LAYOUT_GROUPS)
		snprintf(text, SFAB_LAYOUT_TEXT, "from group %u to group %u", l->group[a],
			 l->group[b]);
}

void sfab_layout_switch_text(const struct sfab_layout *l, uint32_t sw,
			     char text[SFAB_LAYOUT_TEXT])
{
	uint32_t s = sw - l->switch0;
	int n = 0;

	text[0] = '\0';
	if (s >= l->nswitches)
		return;
	if (l->kind == SFAB_LAYOUT_GROUPS)
		snprintf(text, SFAB_LAYOUT_TEXT, "group %u", l->group[s]);
	for (uint32_t i = 0; i < l->ndims && n < (int) SFAB_LAYOUT_TEXT; i++)
		n += snprintf(text + n, SFAB_LAYOUT_TEXT - (size_t) n, "%s%u", i ? "," : "",
			      l->at[s][i]);
}

uint32_t sfab_layout_band(const struct sfab_layout *l, uint32_t sw)
{
	uint32_t s = sw - l->switch0, band = 0;

	if (s >= l->nswitches)
		return 0;
	if (l->kind == SFAB_LAYOUT_GROUPS)
		return l->group[s];
	for (uint32_t i = l->ndims; i-- > 1;)
		band = band * l->size[i] + l->at[s][i];
	return band;
}

int sfab_layout_cmp(const struct sfab_layout *l, uint32_t a, uint32_t b)
{
	uint32_t x = sfab_layout_band(l, a), y = sfab_layout_band(l, b);

	if (x != y)
		return x < y ? -1 : 1;
	a -= l->switch0;
	b -= l->switch0;
	if (l->kind != SFAB_LAYOUT_GRID || a >= l->nswitches || b >= l->nswitches)
		return 0;
	return (l->at[a][0] > l->at[b][0]) - (l->at[a][0] < l->at[b][0]);
}
