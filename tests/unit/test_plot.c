/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_heatmap.c - figures in the title, colours that rise evenly, pictures */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/colour.h"
#include "../../tools/heatmap.h"
#include "../../tools/labels.h"
#include "../../tools/say.h"
#include "unit.h"

static void set(struct heatmap *m, unsigned row, unsigned column, double value)
{
	struct heat_cell *c = heatmap_cell(m, row, column);

	c->state = value > 0 ? HEAT_USED : HEAT_UNUSED;
	c->value = value;
}

/* Two rows of 4 ports; the second has a port less and one that is down. */
static void make(struct heatmap *m)
{
	heatmap_init(m, 2, 4);
	m->title = need_copy("made");
	m->what = "ports";
	m->unit = "routes";
	m->label[0] = need_copy("s\0331");
	m->label[1] = need_copy("s2");
	for (unsigned c = 0; c < 4; c++)
		set(m, 0, c, 10 * c);
	set(m, 1, 0, 40);
	set(m, 1, 1, 0);
	heatmap_cell(m, 1, 2)->state = HEAT_DOWN;
}

START_TEST(test_stats)
{
	struct heatmap m;
	struct heat_stats s;

	make(&m);
	heatmap_stats(&m, &s);
	ck_assert_uint_eq(s.used, 4);
	ck_assert_uint_eq(s.total, 6);
	ck_assert_double_eq(s.max, 40);
	ck_assert_double_eq_tol(s.mean, 100.0 / 6, 1e-12);
	ck_assert_double_eq(s.p99, 40);
	heatmap_free(&m);
}
END_TEST

/* Nearest rank: of 200 values the 198th. */
START_TEST(test_p99)
{
	struct heatmap m;
	struct heat_stats s;

	heatmap_init(&m, 10, 20);
	for (unsigned i = 0; i < 200; i++)
		set(&m, i / 20, i % 20, 200 - i);
	heatmap_stats(&m, &s);
	ck_assert_double_eq(s.p99, 198);
	heatmap_free(&m);
}
END_TEST

START_TEST(test_nothing_used)
{
	struct heatmap m;
	struct heat_stats s;

	heatmap_init(&m, 1, 1);
	heatmap_stats(&m, &s);
	ck_assert_uint_eq(s.total, 0);
	ck_assert_double_eq(s.max, 0);
	heatmap_free(&m);
}
END_TEST

static void check_draw(enum heat_palette palette, unsigned width,
		       const char *expect)
{
	struct heatmap m;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	make(&m);
	heatmap_draw(&m, palette, width, out);
	fclose(out);
	ck_assert_str_eq(text, expect);
	free(text);
	heatmap_free(&m);
}

START_TEST(test_plain)
{
	check_draw(HEAT_PLAIN, 80,
		   "made\n"
		   "4 of 6 ports used, max 40, mean 16.67, p99 40 routes\n"
		   "        1\n"
		   "s\\x1b1  . 2 5 7\n"
		   "s2      9 . x\n"
		   "        0-9 tenths of 40 routes   . unused   x down\n");
}
END_TEST

START_TEST(test_narrow)
{
	check_draw(HEAT_PLAIN, 10,
		   "made\n"
		   "4 of 6 ports used, max 40, mean 16.67, p99 40 routes\n"
		   "        1\n"
		   "s\\x1b1  .257\n"
		   "s2      9.x\n"
		   "        0-9 tenths of 40 routes   . unused   x down\n");
}
END_TEST

START_TEST(test_colours)
{
	struct heatmap m;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	make(&m);
	heatmap_draw(&m, HEAT_256, 80, out);
	heatmap_draw(&m, HEAT_FULL, 80, out);
	fclose(out);
	ck_assert_ptr_nonnull(strstr(text, ". \033[48;5;25m  \033[0m"));
	ck_assert_ptr_nonnull(strstr(text, "s2      \033[48;5;191m  \033[0m. x"));
	ck_assert_ptr_nonnull(strstr(text, "s2      \033[48;2;"));
	free(text);
	heatmap_free(&m);
}
END_TEST

/* CIE lightness: equal steps of t are equal steps for the eye. */
static double lightness(struct colour c)
{
	const double x[3] = { c.red, c.green, c.blue };
	const double part[3] = { 0.2126, 0.7152, 0.0722 };
	double y = 0;

	for (int i = 0; i < 3; i++)
		y += part[i] * (x[i] <= 10.3 ? x[i] / 255 / 12.92 :
				pow((x[i] / 255 + 0.055) / 1.055, 2.4));
	return 116 * cbrt(y) - 16;
}

START_TEST(test_even)
{
	double last = lightness(colour_heat(0));
	double step = (lightness(colour_heat(1)) - last) / 16;

	ck_assert_double_gt(step, 4);
	for (int i = 1; i <= 16; i++) {
		double next = lightness(colour_heat(i / 16.0));

		ck_assert_double_gt(next - last, 0.5 * step);
		ck_assert_double_lt(next - last, 1.6 * step);
		last = next;
	}
}
END_TEST

START_TEST(test_beyond)
{
	struct colour low = colour_heat(0), below = colour_heat(-3);
	struct colour high = colour_heat(1), above = colour_heat(3);

	ck_assert_mem_eq(&low, &below, sizeof(low));
	ck_assert_mem_eq(&high, &above, sizeof(high));
	ck_assert_uint_eq(colour_heat_256(-1), colour_heat_256(0));
	ck_assert_uint_eq(colour_heat_256(2), colour_heat_256(1));
}
END_TEST

static const struct {
	const char *name[3], *label[3];
} labels[] = {
	{ { "s1", "s2", "s10" }, { "s1", "s2", "s10" } },
	{ { "MF0;A10-SPINE-01:MQM/U1", "MF0;A10-SPINE-02:MQM/U1",
	    "MF0;B10-SPINE-01:MQM/U1" },
	  { "A10-SPINE-01", "A10-SPINE-02", "B10-SPINE-01" } },
	/* numbers stay whole */
	{ { "a-long-name-101", "a-long-name-111", "a-long-name-121" },
	  { "101", "111", "121" } },
	{ { "the-same-name", "the-same-name", "the-same-name" },
	  { "the-same-name", "the-same-name", "the-same-name" } },
	{ { "core one of two", "core two of two", "core" },
	  { "core one of two", "core two of two", "core" } },
	{ { "a\033bcdefghijk", "x", "y" }, { "a\\x1bbcdefghijk", "x", "y" } },
};

START_TEST(test_labels)
{
	char *name[3];
	char **label;
	size_t longest, want = 0;

	for (int i = 0; i < 3; i++)
		name[i] = (char *) labels[_i].name[i];
	label = labels_make(name, 3, 10, &longest);
	for (int i = 0; i < 3; i++) {
		ck_assert_str_eq(label[i], labels[_i].label[i]);
		if (strlen(label[i]) > want)
			want = strlen(label[i]);
	}
	ck_assert_uint_eq(longest, want);
	labels_free(label, 3);
}
END_TEST

static void tests(TCase *tc)
{
	tcase_add_test(tc, test_stats);
	tcase_add_test(tc, test_p99);
	tcase_add_test(tc, test_nothing_used);
	tcase_add_test(tc, test_plain);
	tcase_add_test(tc, test_narrow);
	tcase_add_test(tc, test_colours);
	tcase_add_loop_test(tc, test_labels, 0,
			    sizeof(labels) / sizeof(labels[0]));
	tcase_add_test(tc, test_even);
	tcase_add_test(tc, test_beyond);
}

UNIT_MAIN("heatmap", tests)
