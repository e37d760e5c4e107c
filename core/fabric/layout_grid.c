/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout_grid.c - coordinates of a torus, mesh or hypercube
 *
 * From a switch whose cables are all there, each row is followed straight on.  Every
 * other switch is the fourth corner of a square of known ones, or straight on behind
 * two of them.  It is a grid if all switches get coordinates and every cable leads to
 * the next one in some row.
 */

#include "core/fabric/layout_private.h"

#include <stdlib.h>
#include <string.h>

#define STARTS 1024u		/* switches from which it is tried: some lack cables */

struct lattice {
	const struct cabling *g;
	uint32_t ndims, all;
	uint32_t size[SFAB_LAYOUT_DIMS], apart[SFAB_LAYOUT_DIMS];	/* in node[] */
	uint8_t is_ring[SFAB_LAYOUT_DIMS];
	uint32_t *node;		/* by place: switch, or SFAB_NONE */
	uint32_t *place;	/* by switch */
	uint32_t *row;		/* of the dimension being followed */
};

/* The only neighbor of @a and @b besides @except; SFAB_NONE: none, or several. */
static uint32_t fourth_corner(const struct cabling *g, uint32_t a, uint32_t b, uint32_t except)
{
	uint32_t found = SFAB_NONE;

	for (uint32_t i = g->first[a]; i < g->first[a + 1]; i++) {
		if (g->next[i] == except || !sfab_cabling_joins(g, b, g->next[i]))
			continue;
		if (found != SFAB_NONE)
			return SFAB_NONE;
		found = g->next[i];
	}
	return found;
}

/* Is there a square with @mid between @a and @b?  In a row there is none. */
static int makes_square(const struct cabling *g, uint32_t a, uint32_t mid, uint32_t b)
{
	for (uint32_t i = g->first[a]; i < g->first[a + 1]; i++)
		if (g->next[i] != mid && sfab_cabling_joins(g, b, g->next[i]))
			return 1;
	return 0;
}

/* The switch after @at in the row that comes from @from, or SFAB_NONE. */
static uint32_t straight_on(const struct cabling *g, uint32_t from, uint32_t at)
{
	uint32_t found = SFAB_NONE;

	for (uint32_t i = g->first[at]; i < g->first[at + 1]; i++) {
		if (g->next[i] == from || makes_square(g, from, at, g->next[i]))
			continue;
		if (found != SFAB_NONE)
			return SFAB_NONE;
		found = g->next[i];
	}
	return found;
}

/* Follow the row from @start over @to; returns its length, 0: it leads nowhere. */
static uint32_t follow_row(struct lattice *l, uint32_t start, uint32_t to)
{
	uint32_t n = 1, next = to;

	l->row[0] = start;
	while (next != SFAB_NONE && next != start) {
		if (n == l->g->n)
			return 0;
		l->row[n++] = next;
		next = straight_on(l->g, l->row[n - 2], l->row[n - 1]);
	}
	l->is_ring[l->ndims] = next == start && n > 2;
	return n;
}

/* Put the row that was followed along a new dimension. */
static int add_dimension(struct lattice *l, uint32_t n)
{
	uint32_t d = l->ndims++;

	l->size[d] = n;
	l->apart[d] = l->all;
	if ((uint64_t) l->all * n > l->g->n)
		return 0;
	for (uint32_t i = 1; i < n; i++) {
		if (l->place[l->row[i]] != SFAB_NONE)
			return 0;
		l->node[i * l->apart[d]] = l->row[i];
		l->place[l->row[i]] = i * l->apart[d];
	}
	l->all *= n;
	return 1;
}

/* All rows through @start.  0: it is the corner of no grid. */
static int follow_rows(struct lattice *l, uint32_t start)
{
	const struct cabling *g = l->g;

	l->ndims = 0;
	l->all = 1;
	memset(l->node, 0xFF, g->n * sizeof(*l->node));
	memset(l->place, 0xFF, g->n * sizeof(*l->place));
	l->node[0] = start;
	l->place[start] = 0;
	for (uint32_t i = g->first[start]; i < g->first[start + 1]; i++) {
		uint32_t n;

		if (l->place[g->next[i]] != SFAB_NONE)
			continue;	/* the other end of a ring */
		if (l->ndims == SFAB_LAYOUT_DIMS)
			return 0;
		n = follow_row(l, start, g->next[i]);
		if (!n || !add_dimension(l, n))
			return 0;
	}
	return l->all == g->n && l->ndims > 1;
}

static uint32_t coordinate(const struct lattice *l, uint32_t place, uint32_t d)
{
	return place / l->apart[d] % l->size[d];
}

/* Do the places of two switches differ by one, in one dimension? */
static int are_next(const struct lattice *l, uint32_t a, uint32_t b)
{
	uint32_t steps = 0;

	for (uint32_t d = 0; d < l->ndims; d++) {
		uint32_t x = coordinate(l, a, d), y = coordinate(l, b, d);
		uint32_t apart = x > y ? x - y : y - x;

		if (l->is_ring[d] && apart == l->size[d] - 1)
			apart = 1;
		steps += apart;
	}
	return steps == 1;
}

/* Has switch @s no place yet, and may it be at @place, beside all its neighbors? */
static int fits_at(const struct lattice *l, uint32_t s, uint32_t place)
{
	const struct cabling *g = l->g;

	if (s == SFAB_NONE || l->place[s] != SFAB_NONE)
		return 0;
	for (uint32_t i = g->first[s]; i < g->first[s + 1]; i++)
		if (l->place[g->next[i]] != SFAB_NONE &&
		    !are_next(l, place, l->place[g->next[i]]))
			return 0;
	return 1;
}

/* The fourth corner of a square of @place and three places before it, or SFAB_NONE. */
static uint32_t corner_at(const struct lattice *l, uint32_t place)
{
	for (uint32_t i = 0; i < l->ndims; i++)
		for (uint32_t j = i + 1; j < l->ndims; j++) {
			uint32_t a = place - l->apart[i], b = place - l->apart[j], s;

			if (!coordinate(l, place, i) || !coordinate(l, place, j))
				continue;
			s = fourth_corner(l->g, l->node[a], l->node[b],
					  l->node[a - l->apart[j]]);
			if (fits_at(l, s, place))
				return s;
		}
	return SFAB_NONE;
}

/* What comes straight on behind two places before @place, or SFAB_NONE. */
static uint32_t end_of_row_at(const struct lattice *l, uint32_t place)
{
	for (uint32_t i = 0; i < l->ndims; i++) {
		uint32_t s;

		if (coordinate(l, place, i) < 2)
			continue;
		s = straight_on(l->g, l->node[place - 2 * l->apart[i]],
				l->node[place - l->apart[i]]);
		if (fits_at(l, s, place))
			return s;
	}
	return SFAB_NONE;
}

/* The cables of rows that were followed were not looked at before. */
static int rows_fit(struct lattice *l)
{
	for (uint32_t p = 0; p < l->all; p++) {
		uint32_t s = l->node[p];
		int fits;

		if (s == SFAB_NONE)
			continue;
		l->place[s] = SFAB_NONE;
		fits = fits_at(l, s, p);
		l->place[s] = p;
		if (!fits)
			return 0;
	}
	return 1;
}

static int fill_places(struct lattice *l)
{
	for (uint32_t p = 0; p < l->all; p++) {
		uint32_t s = l->node[p];

		if (s != SFAB_NONE)
			continue;
		s = corner_at(l, p);
		if (s == SFAB_NONE)
			s = end_of_row_at(l, p);
		if (s == SFAB_NONE)
			return 0;
		l->node[p] = s;
		l->place[s] = p;
	}
	return 1;
}

/* -- coordinates that people can use ------------------------------------------ */

struct axis {
	uint32_t d;		/* of the lattice */
	uint8_t flip;
	uint32_t near;		/* first switch beside the origin along it */
};

/* The axis @d as seen from the origin, at @place. */
static struct axis look_along(const struct lattice *l, uint32_t place, uint32_t d)
{
	uint32_t c = coordinate(l, place, d), n = l->size[d], base = place - c * l->apart[d];
	uint32_t up = l->node[base + (c + 1) % n * l->apart[d]];
	uint32_t down = l->node[base + (c + n - 1) % n * l->apart[d]];
	struct axis x = { .d = d, .near = up };

	x.flip = l->is_ring[d] ? (uint8_t) sfab_cabling_before(l->g, down, up) :
		 c == n - 1;
	if (x.flip)
		x.near = down;
	return x;
}

static void sort_axes(const struct cabling *g, struct axis *x, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		for (uint32_t k = i; k && sfab_cabling_before(g, x[k].near, x[k - 1].near); k--) {
			struct axis swap = x[k];

			x[k] = x[k - 1];
			x[k - 1] = swap;
		}
}

/* Distance from the origin along @x; in a mesh from the end that is nearer to it. */
static uint16_t along_axis(const struct lattice *l, const struct axis *x, uint32_t origin,
			   uint32_t place)
{
	uint32_t n = l->size[x->d], c = coordinate(l, place, x->d);

	if (l->is_ring[x->d])
		c = (c + n - coordinate(l, origin, x->d)) % n;
	if (x->flip)
		c = l->is_ring[x->d] ? (n - c) % n : n - 1 - c;
	return (uint16_t) c;
}

static int write_coordinates(const struct lattice *l, struct sfab_layout *out)
{
	struct axis axis[SFAB_LAYOUT_DIMS];
	uint32_t first = 0;

	out->at = calloc(l->g->n + 1u, sizeof(*out->at));
	if (!out->at)
		return -1;
	for (uint32_t s = 1; s < l->g->n; s++)
		if (sfab_cabling_before(l->g, s, first))
			first = s;
	for (uint32_t d = 0; d < l->ndims; d++)
		axis[d] = look_along(l, l->place[first], d);
	sort_axes(l->g, axis, l->ndims);
	out->kind = SFAB_LAYOUT_GRID;
	out->ndims = l->ndims;
	for (uint32_t i = 0; i < l->ndims; i++) {
		out->size[i] = l->size[axis[i].d];
		out->is_ring[i] = l->is_ring[axis[i].d];
		for (uint32_t s = 0; s < l->g->n; s++)
			out->at[s][i] = along_axis(l, &axis[i], l->place[first], l->place[s]);
	}
	return 1;
}

/* -- squares, or rings of 4 --------------------------------------------------- */

enum square { SQUARE_OTHER, SQUARE_TWICE_2, SQUARE_RING };

/*
 * How the names of four switches go around, from the lowest: 1 2 3 4 is a ring; where
 * the last one is opposite, they count in two dimensions.
 */
static enum square square_of_names(const struct cabling *g, uint32_t first, uint32_t a,
				   uint32_t b, uint32_t opposite)
{
	int after = sfab_cabling_before(g, a, opposite) + sfab_cabling_before(g, b, opposite);

	if (!sfab_cabling_before(g, first, a) || !sfab_cabling_before(g, first, b))
		return SQUARE_OTHER;
	return after == 2 ? SQUARE_TWICE_2 : after == 1 ? SQUARE_RING : SQUARE_OTHER;
}

/* By coordinates, the first of which counts fastest: place, and its weights @apart. */
static uint32_t place_of(const struct sfab_layout *out, uint32_t s, uint32_t *apart)
{
	uint32_t place = 0, all = 1;

	for (uint32_t i = 0; i < out->ndims; i++) {
		apart[i] = all;
		place += out->at[s][i] * all;
		all *= out->size[i];
	}
	return place;
}

/* What the names of all squares in the dimensions @d and @e say, if they agree. */
static enum square squares_say(struct lattice *l, const struct sfab_layout *out, uint32_t d,
			       uint32_t e)
{
	uint32_t apart[SFAB_LAYOUT_DIMS];
	enum square all = SQUARE_OTHER;

	for (uint32_t s = 0; s < l->g->n; s++)
		l->node[place_of(out, s, apart)] = s;
	for (uint32_t p = 0; p < l->g->n; p++) {
		uint32_t x = p / apart[d] % 2 ? p - apart[d] : p + apart[d];
		uint32_t y = p / apart[e] % 2 ? p - apart[e] : p + apart[e];
		uint32_t s = l->node[p], opposite = l->node[x + y - p];
		enum square one;

		/* Each square once, from its lowest name. */
		if (sfab_cabling_before(l->g, opposite, s) ||
		    sfab_cabling_before(l->g, l->node[x], s) ||
		    sfab_cabling_before(l->g, l->node[y], s))
			continue;
		one = square_of_names(l->g, s, l->node[x], l->node[y], opposite);
		if (one == SQUARE_OTHER || (all != SQUARE_OTHER && one != all))
			return SQUARE_OTHER;
		all = one;
	}
	return all;
}

/* Two dimensions of 2 become one of 4, in the place of the first. */
static void join_dimensions(struct sfab_layout *out, uint32_t n, uint32_t d, uint32_t e)
{
	static const uint16_t around[2][2] = { { 0, 3 }, { 1, 2 } };

	for (uint32_t s = 0; s < n; s++) {
		out->at[s][d] = around[out->at[s][d]][out->at[s][e]];
		for (uint32_t i = e; i + 1 < out->ndims; i++)
			out->at[s][i] = out->at[s][i + 1];
	}
	out->ndims--;
	out->size[d] = 4;
	out->is_ring[d] = 1;
	for (uint32_t i = e; i < out->ndims; i++) {
		out->size[i] = out->size[i + 1];
		out->is_ring[i] = out->is_ring[i + 1];
	}
}

/* At least two dimensions remain: a ring alone is no grid. */
static void find_rings_of_4(struct lattice *l, struct sfab_layout *out)
{
	for (uint32_t d = 0; d < out->ndims; d++)
		for (uint32_t e = d + 1; e < out->ndims && out->size[d] == 2; e++)
			if (out->size[e] == 2 && out->ndims > 2 &&
			    squares_say(l, out, d, e) == SQUARE_RING)
				join_dimensions(out, l->g->n, d, e);
	for (uint32_t d = 0; d < out->ndims; d++)
		for (uint32_t e = d + 1; e < out->ndims; e++)
			out->is_either |= out->size[d] == 2 && out->size[e] == 2 &&
					  squares_say(l, out, d, e) != SQUARE_TWICE_2;
}

/* -- all ------------------------------------------------------------------ */

static int all_are_leaves(const struct cabling *g)
{
	for (uint32_t s = 0; s < g->n; s++)
		if (!sfab_switch_is_leaf(g->f, g->switch0 + s))
			return 0;
	return g->n > 3 && g->n <= UINT16_MAX;
}

/* Switches spread over the plane: those with few cables may be the corners of a mesh. */
static int find_lattice(struct lattice *l)
{
	const struct cabling *g = l->g;
	uint32_t least = UINT32_MAX, most = 0, tries = 0;

	for (uint32_t s = 0; s < g->n; s++) {
		uint32_t n = g->first[s + 1] - g->first[s];

		least = n < least ? n : least;
		most = n > most ? n : most;
	}
	for (uint32_t pass = 0; pass < 2; pass++)
		for (uint32_t s = 0; s < g->n && tries < (pass + 1) * STARTS / 2; s++) {
			if (g->first[s + 1] - g->first[s] != (pass ? least : most))
				continue;
			tries++;
			if (follow_rows(l, s) && rows_fit(l) && fill_places(l))
				return 1;
		}
	return 0;
}

int sfab_layout_find_grid(const struct cabling *g, struct sfab_layout *out)
{
	struct lattice l = { .g = g };
	int rc = 0;

	if (!all_are_leaves(g))
		return 0;
	l.node = calloc(g->n, sizeof(*l.node));
	l.place = calloc(g->n, sizeof(*l.place));
	l.row = calloc(g->n + 1u, sizeof(*l.row));
	if (!l.node || !l.place || !l.row)
		rc = -1;
	else if (find_lattice(&l))
		rc = write_coordinates(&l, out);
	if (rc > 0)
		find_rings_of_4(&l, out);
	free(l.node);
	free(l.place);
	free(l.row);
	return rc;
}
