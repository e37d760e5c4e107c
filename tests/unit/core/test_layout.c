/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows and groups found in cables alone: tori, meshes, dragonflies, and what is neither. */

#include "tests/unit/fixtures/unit.h"

#include <stdlib.h>
#include <string.h>

#include "core/fabric/builder.h"
#include "core/fabric/layout.h"
#include "tests/unit/fixtures/made.h"

#define PORTS 40u

struct cables {			/* switches with a host each, then spines without */
	struct sfab_builder *b;
	uint32_t n, spines;
	uint8_t *used;		/* ports, by switch */
	uint32_t order;		/* switch i is called order * i mod n: any will do */
};

static uint64_t guid_of(uint32_t s)
{
	return 0x1000 + s;
}

static void cables_begin(struct cables *c, uint32_t n, uint32_t spines, uint32_t order)
{
	char name[32];

	*c = (struct cables) { sfab_builder_create(SFAB_BUILD_UNROUTED), n, spines,
			       calloc(n + spines, 1), order };
	sfab_builder_plane(c->b, "plane1", NULL);
	for (uint32_t s = 0; s < n + spines; s++) {
		snprintf(name, sizeof(name), "s%03u", s < n ? s * order % n : s);
		ck_assert(sfab_builder_switch(c->b, 0, guid_of(s), name, PORTS, 1000 + s,
					      NULL) == 0);
	}
}

static void join_guids(struct cables *c, uint64_t a, uint32_t port, uint64_t b, uint32_t to)
{
	ck_assert(sfab_builder_link(c->b, 0, a, port, b, to, 1e9, 1, NULL) == 0 &&
		  sfab_builder_link(c->b, 0, b, to, a, port, 1e9, 1, NULL) == 0);
}

static void lay_cable(struct cables *c, uint32_t a, uint32_t b)
{
	join_guids(c, guid_of(a), ++c->used[a], guid_of(b), ++c->used[b]);
}

static struct sfab_fabric *cables_end(struct cables *c)
{
	struct sfab_err err = { 0 };
	struct sfab_fabric *f;
	char name[32];

	for (uint32_t s = 0; s < c->n; s++) {
		snprintf(name, sizeof(name), "n%03u", s);
		sfab_builder_port(c->b, 0, 0x9000 + 16 * s, 1, 0x9001 + 16 * s, name, NULL,
				  1 + s, 0, NULL);
		join_guids(c, 0x9000 + 16 * s, 1, guid_of(s), PORTS);
	}
	f = sfab_builder_freeze(c->b, &err);
	ck_assert_msg(f != NULL, "%s", err.text);
	sfab_builder_destroy(c->b);
	free(c->used);
	return f;
}

/* -- grids ---------------------------------------------------------------- */

static const struct {
	uint32_t size[4];
	int ring;		/* the last is joined to the first */
	uint32_t missing;	/* so many cables, one in each of these switches */
	const char *text;
} grids[] = {
	{ { 5, 7 }, 1, 0, "torus of 5 x 7" },
	{ { 3, 3, 6 }, 1, 0, "torus of 3 x 3 x 6" },
	{ { 2, 8, 5 }, 1, 0, "torus of 2 x 8 x 5" },
	{ { 2, 2, 2, 2 }, 1, 0, "hypercube of 2 x 2 x 2 x 2" },
	{ { 4, 4, 4 }, 1, 0, "torus of 4 x 4 x 4" },
	{ { 4, 4 }, 1, 0, "torus of 4 x 4" },
	{ { 4, 2, 5 }, 1, 0, "torus of 4 x 2 x 5" },
	{ { 2, 4, 2, 4 }, 1, 0, "torus of 2 x 4 x 2 x 4" },
	{ { 6, 5 }, 0, 0, "mesh of 6 x 5" },
	{ { 8, 8 }, 1, 1, "torus of 8 x 8" },
	{ { 6, 5, 7 }, 1, 4, "torus of 6 x 5 x 7" },
};

static uint32_t place_beside(const uint32_t *size, uint32_t s, unsigned d, int *wraps)
{
	uint32_t apart = 1;

	for (unsigned i = 0; i < d; i++)
		apart *= size[i];
	*wraps = s / apart % size[d] == size[d] - 1;
	return *wraps ? s - apart * (size[d] - 1) : s + apart;
}

/* Switch @s has the coordinates of its number; names in any order. */
static struct sfab_fabric *made_grid(const uint32_t *size, int ring, uint32_t missing,
				     uint32_t order)
{
	struct cables c;
	uint32_t n = 1;

	for (unsigned d = 0; d < 4 && size[d]; d++)
		n *= size[d];
	cables_begin(&c, n, 0, order);
	for (uint32_t s = 0; s < n; s++)
		for (unsigned d = 0; d < 4 && size[d]; d++) {
			int wraps;
			uint32_t to = place_beside(size, s, d, &wraps);

			if ((wraps && (!ring || size[d] == 2)) ||
			    (d == 0 && s % 17 == 1 && s / 17 < missing))
				continue;
			lay_cable(&c, s, to);
		}
	return cables_end(&c);
}

START_TEST(coordinates_are_those_of_the_cables)
{
	const uint32_t *size = grids[_i].size;
	struct sfab_fabric *f = made_grid(size, grids[_i].ring, grids[_i].missing, 1);
	char text[SFAB_LAYOUT_TEXT];
	struct sfab_layout l;

	ck_assert_int_eq(sfab_layout_find(f, 0, &l), 0);
	sfab_layout_text(&l, text);
	ck_assert_str_eq(text, grids[_i].text);
	for (uint32_t s = 0; s < f->nswitches; s++) {
		uint32_t number = (uint32_t) (f->switches[s].guid - guid_of(0)), apart = 1;

		for (unsigned d = 0; d < l.ndims; d++) {
			ck_assert_uint_eq(l.at[s][d], number / apart % size[d]);
			apart *= size[d];
		}
	}
	sfab_layout_clear(&l);
	sfab_fabric_destroy(f);
}
END_TEST

/* Whatever the names: neighbors differ by one, and the first name is at the origin. */
START_TEST(names_only_turn_the_grid)
{
	static const uint32_t size[4] = { 6, 7 };
	static const uint32_t orders[] = { 5, 11, 13, 17, 41 };
	struct sfab_fabric *f = made_grid(size, 1, 0, orders[_i]);
	struct sfab_layout l;

	ck_assert_int_eq(sfab_layout_find(f, 0, &l), 0);
	ck_assert_int_eq(l.kind, SFAB_LAYOUT_GRID);
	ck_assert_uint_eq(l.size[0] * l.size[1], 42);
	for (uint32_t e = 0; e < f->nlinks; e++) {
		const struct sfab_link *k = &f->links[e];
		uint32_t apart = 0;

		for (unsigned d = 0; k->kind == SFAB_LINK_ISL && d < 2; d++) {
			uint32_t x = (l.at[k->to][d] + l.size[d] - l.at[k->from][d]) % l.size[d];

			apart += x && x != 1 && x != l.size[d] - 1 ? 9 : x != 0;
		}
		ck_assert_uint_eq(apart, k->kind == SFAB_LINK_ISL);
	}
	for (uint32_t s = 0; s < f->nswitches; s++)
		if (strcmp(f->switches[s].name, "s000") == 0)
			ck_assert(l.at[s][0] == 0 && l.at[s][1] == 0);
	sfab_layout_clear(&l);
	sfab_fabric_destroy(f);
}
END_TEST

/* A ring of 4 is a square: where names do not follow either, both are said. */
START_TEST(names_that_tell_neither)
{
	static const struct {
		uint32_t size[4], order;
		int ring;
		const char *text;
	} cases[] = {
		{ { 2, 2, 2, 2 }, 7, 1, "hypercube of 2 x 2 x 2 x 2 or torus of 4 x 4" },
		{ { 4, 4, 4 }, 27, 1, "torus of 4 x 4 x 2 x 2 or torus of 4 x 4 x 4" },
		{ { 4, 5 }, 9, 1, "torus of 5 x 2 x 2 or torus of 5 x 4" },
		{ { 4, 2 }, 3, 1, "hypercube of 2 x 2 x 2 or torus of 4 x 2" },
	};
	struct sfab_fabric *f = made_grid(cases[_i].size, cases[_i].ring, 0,
					  cases[_i].order);
	char text[SFAB_LAYOUT_TEXT];
	struct sfab_layout l;

	ck_assert_int_eq(sfab_layout_find(f, 0, &l), 0);
	sfab_layout_text(&l, text);
	ck_assert_str_eq(text, cases[_i].text);
	sfab_layout_clear(&l);
	sfab_fabric_destroy(f);
}
END_TEST

START_TEST(a_link_is_said_by_its_row)
{
	static const uint32_t size[4] = { 5, 7 };
	struct sfab_fabric *f = made_grid(size, 1, 0, 1);
	char text[SFAB_LAYOUT_TEXT];
	struct sfab_layout l;
	uint32_t at;

	ck_assert_int_eq(sfab_layout_find(f, 0, &l), 0);
	at = sfab_fabric_switch_by_guid(f, guid_of(4));	/* x=4 y=0, cabled to x=3 first */
	sfab_layout_link_text(&l, f, f->switches[at].out[1], text);
	ck_assert_str_eq(text, "-x of x=4 y=0");
	sfab_layout_link_text(&l, f, f->switches[at].out[2], text);
	ck_assert_str_eq(text, "+x of x=4 y=0");	/* to x=0, around the ring */
	sfab_layout_link_text(&l, f, f->switches[at].out[PORTS], text);
	ck_assert_str_eq(text, "");
	sfab_layout_clear(&l);
	sfab_fabric_destroy(f);
}
END_TEST

/* -- groups --------------------------------------------------------------- */

/* @groups of @size switches, all joined; with @spines as many that join the groups. */
static struct sfab_fabric *made_groups(uint32_t groups, uint32_t size, int spines)
{
	struct cables c;
	uint32_t n = groups * size, next = 0;

	cables_begin(&c, n, spines ? n : 0, 1);
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = spines ? 0 : a + 1; b < n; b++)
			if (a / size == b / size)
				lay_cable(&c, a, spines ? n + b : b);
	for (uint32_t a = 0; a < groups; a++)
		for (uint32_t b = a + 1; b < groups; b++, next++) {
			uint32_t from = a * size + next % size, to = b * size + next / 3 % size;

			lay_cable(&c, spines ? n + from : from, spines ? n + to : to);
		}
	return cables_end(&c);
}

START_TEST(groups_are_found)
{
	struct sfab_fabric *f = made_groups(7, 5, _i);
	char text[SFAB_LAYOUT_TEXT];
	struct sfab_layout l;

	ck_assert_int_eq(sfab_layout_find(f, 0, &l), 0);
	sfab_layout_text(&l, text);
	ck_assert_str_eq(text, _i ? "dragonfly+ of 7 groups" : "dragonfly of 7 groups");
	for (uint32_t s = 0; s < f->nswitches; s++)
		ck_assert_uint_eq(l.group[s], (f->switches[s].guid - guid_of(0)) % 35 / 5 + 1);
	for (uint32_t e = 0; e < f->nlinks; e++) {
		const struct sfab_link *k = &f->links[e];
		char want[SFAB_LAYOUT_TEXT] = "";

		sfab_layout_link_text(&l, f, e, text);
		if (k->kind == SFAB_LINK_ISL && l.group[k->from] == l.group[k->to])
			snprintf(want, sizeof(want), "in group %u", l.group[k->from]);
		else if (k->kind == SFAB_LINK_ISL)
			snprintf(want, sizeof(want), "from group %u to group %u",
				 l.group[k->from], l.group[k->to]);
		ck_assert_str_eq(text, want);
	}
	sfab_layout_clear(&l);
	sfab_fabric_destroy(f);
}
END_TEST

/* -- neither -------------------------------------------------------------- */

static void check_nothing(struct sfab_fabric *f)
{
	char text[SFAB_LAYOUT_TEXT];
	struct sfab_layout l;

	for (uint32_t p = 0; p < f->nplanes; p++) {
		ck_assert_int_eq(sfab_layout_find(f, p, &l), 0);
		ck_assert_int_eq(l.kind, SFAB_LAYOUT_OTHER);
		sfab_layout_text(&l, text);
		ck_assert_str_eq(text, "");
		sfab_layout_link_text(&l, f, 0, text);
		ck_assert_str_eq(text, "");
		sfab_layout_clear(&l);
	}
	sfab_fabric_destroy(f);
}

START_TEST(a_tree_has_neither)
{
	static const struct made trees[] = {
		{ .leaves = 2, .spines = 2, .hosts = 2 },
		{ .leaves = 6, .spines = 4, .hosts = 2 },
		{ .leaves = 4, .spines = 3, .hosts = 2, .planes = 2 },
		{ .leaves = 1, .spines = 0, .hosts = 4 },
	};

	check_nothing(made_fabric(&trees[_i]));
}
END_TEST

START_TEST(a_random_graph_has_neither)
{
	struct cables c;

	srandom((unsigned) _i);
	cables_begin(&c, 36, 0, 1);
	for (uint32_t s = 0; s < 36; s++) {
		lay_cable(&c, s, (s + 1) % 36);
		lay_cable(&c, s, (uint32_t) ((s + 2 + (uint32_t) random() % 33) % 36));
	}
	check_nothing(cables_end(&c));
}
END_TEST

static void list(TCase *tc)
{
	tcase_add_loop_test(tc, coordinates_are_those_of_the_cables, 0,
			    sizeof(grids) / sizeof(grids[0]));
	tcase_add_loop_test(tc, names_only_turn_the_grid, 0, 5);
	tcase_add_loop_test(tc, names_that_tell_neither, 0, 4);
	tcase_add_test(tc, a_link_is_said_by_its_row);
	tcase_add_loop_test(tc, groups_are_found, 0, 2);
	tcase_add_loop_test(tc, a_tree_has_neither, 0, 4);
	tcase_add_loop_test(tc, a_random_graph_has_neither, 0, 40);
}

UNIT_MAIN("layout", list)
