/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_plot.c - figures in the title, colors that rise evenly, pictures */

#include <math.h>

#include "tests/unit/fixtures/unit.h"
#include "tools/plot/labels.h"
#include "tools/plot/palette.h"
#include "tools/plot/picture.h"
#include "tools/plot/picture_terminal.h"
#include "tools/plot/sheet.h"
#include "tools/ui/number.h"
#include "tools/ui/printable.h"
#include "tools/ui/xalloc.h"

enum { ROWS = 972, COLUMNS = 48 };

/* A fabric with no more than a sheet looks at. */
static struct sfab_switch sw[ROWS];
static uint32_t out_of[ROWS][COLUMNS + 1];
static struct sfab_link links[ROWS * COLUMNS];
static const struct sfab_fabric f = { .nplanes = 1, .nswitches = ROWS, .switches = sw,
				      .nlinks = ROWS * COLUMNS, .links = links };
static struct sheet s;

static void tear_down(void)
{
	sheet_free(&s);
}

static struct sfab_link *link_at(uint32_t row, uint32_t column)
{
	return &links[row * COLUMNS + column];
}

static struct heat_cell cell(uint32_t row, uint32_t column)
{
	return sheet_cell(&s, row, column);
}

/* Set a cable at this port, to the same port of the first switch. */
static void set(uint32_t row, uint32_t column, double value)
{
	out_of[row][column + 1] = row * COLUMNS + column;
	*link_at(row, column) = (struct sfab_link) {
		.from = row, .from_port = (uint8_t) (column + 1),
		.to_port = (uint8_t) (column + 1), .kind = SFAB_LINK_ISL, .up = 1,
		.capacity = 4e9,
	};
	s.value[row * COLUMNS + column] = value;
}

/* Ports without cables. */
static void make_sheet(uint32_t nrows, uint32_t ncolumns)
{
	sheet_free(&s);
	memset(out_of, 0xff, sizeof(out_of));
	s = (struct sheet) {
		.f = &f, .nrows = nrows, .ncolumns = ncolumns,
		.row = calloc(nrows, sizeof(*s.row)), .row_title = "spine",
		.unit = VALUE_ROUTES, .value = calloc(f.nlinks, sizeof(*s.value)),
		.name = xstrdup("first"), .title = xstrdup("made"),
	};
	for (uint32_t r = 0; r < nrows; r++) {
		s.row[r] = (struct heat_row) { .sw = r, .name = xstrfmt("s%u", r + 1) };
		sw[r] = (struct sfab_switch) {
			.name = s.row[r].name, .nports = (uint8_t) ncolumns, .out = out_of[r],
		};
	}
}

static void rename_row(uint32_t row, const char *name)
{
	free(s.row[row].name);
	sw[row].name = s.row[row].name = xstrdup(name);
}

/* Two rows of 4 ports; the second has a port less and one that is down. */
static void make(void)
{
	make_sheet(2, 4);
	rename_row(0, "s\0331");
	for (unsigned c = 0; c < 4; c++)
		set(0, c, 10 * c);
	set(1, 0, 40);
	set(1, 1, 0);
	set(1, 2, 7);
	link_at(1, 2)->up = 0;
	sheet_scale(&s, 0);
}

TEST(a_sheet_has_its_largest_mean_and_percentile)
{
	struct heat_stats stats;

	make();
	sheet_stats(&s, &stats);
	ck_assert_uint_eq(stats.used, 4);
	ck_assert_uint_eq(stats.total, 6);
	ck_assert_double_eq(stats.max, 40);
	ck_assert_double_eq_tol(stats.mean, 100.0 / 6, 1e-12);
	ck_assert_double_eq(stats.p99, 40);
}

/* Nearest rank: of 200 values the 198th. */
TEST(the_percentile_is_the_nearest_rank)
{
	struct heat_stats stats;

	make_sheet(10, 20);
	for (unsigned i = 0; i < 200; i++)
		set(i / 20, i % 20, 200 - i);
	sheet_stats(&s, &stats);
	ck_assert_double_eq(stats.p99, 198);
}

TEST(a_sheet_of_unused_ports_has_no_scale)
{
	struct heat_stats stats;

	make_sheet(1, 1);
	sheet_scale(&s, 0);
	sheet_stats(&s, &stats);
	ck_assert_uint_eq(stats.total, 0);
	ck_assert_double_eq(stats.max, 0);
	ck_assert_double_eq(sheet_scale_position(&s, 0), 0);
}

TEST(beyond_a_fixed_scale_is_full)
{
	make();
	sheet_scale(&s, 20);
	ck_assert_double_eq(sheet_scale_position(&s, 10), 0.5);
	ck_assert_double_eq(sheet_scale_position(&s, 40), 1);
}

static void check_draw(unsigned width, const char *expect)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	make();
	picture_terminal_draw(&s, width, out);
	fclose(out);
	ck_assert_str_eq(text, expect);
	free(text);
	sheet_free(&s);
}

TEST(a_sheet_is_drawn_as_text)
{
	check_draw(80,
		   "made\n"
		   "4 of 6 ports used, max 40, mean 16.7, p99 40 routes\n"
		   "  port  1\n"
		   "s\\x1b1  . 2 5 7\n"
		   "s2      9 . x\n"
		   "        0-9 tenths of 40 routes   . unused   x down\n");
}

TEST(a_narrow_terminal_has_no_gaps)
{
	check_draw(10,
		   "made\n"
		   "4 of 6 ports used, max 40, mean 16.7, p99 40 routes\n"
		   "  port  1\n"
		   "s\\x1b1  .257\n"
		   "s2      9.x\n"
		   "        0-9 tenths of 40 routes   . unused   x down\n");
}

static const struct {
	double value;
	const char *text;
} numbers[] = {
	{ 0, "0" }, { 12, "12" }, { 1056, "1056" }, { 22.19, "22.2" },
	{ 8.75, "8.75" }, { 0.5116, "0.512" }, { 9.996, "10" }, { 99.96, "100" },
	{ 0.99951, "1" }, { 0.0004, "0.0004" }, { -33.33, "-33.3" }, { 2.5, "2.5" },
};

LOOP_TEST(a_number_has_three_digits_or_all_before_its_point, N(numbers))
{
	char text[NUMBER_SHORT_SIZE];

	ck_assert_str_eq(number_short(numbers[_i].value, text), numbers[_i].text);
}

/* Exactly full is not beyond; twice and four times are the steps. */
TEST(overload_has_steps_at_twice_and_four_times)
{
	static const double value[] = { 3.9, 4, 4.1, 8, 8.1, 16, 16.1, 400 };
	static const unsigned over[] = { 0, 0, 1, 1, 2, 2, 3, 3 };
	struct heat_cell one;

	make_sheet(1, 8);
	for (unsigned c = 0; c < 8; c++)
		set(0, c, value[c]);
	s.unit = VALUE_LOAD;
	sheet_scale(&s, 0);
	ck_assert_double_eq(s.max, 4);
	for (unsigned c = 0; c < 8; c++) {
		one = cell(0, c);
		ck_assert_uint_eq(sheet_overload(&one), over[c]);
	}
	s.unit = VALUE_ROUTES;	/* nothing is full */
	one = cell(0, 7);
	ck_assert_uint_eq(sheet_overload(&one), 0);
}

/* Two of three ports have 10, one nothing: the mean is 20 / 3. */
TEST(an_even_sheet_is_scaled_by_twice_its_mean)
{
	make_sheet(1, 3);
	set(0, 0, 10);
	set(0, 1, 10);
	set(0, 2, 0);
	sheet_scale(&s, 0);
	ck_assert_double_eq_tol(s.max, 40.0 / 3, 1e-12);
	set(0, 2, 100);
	sheet_scale(&s, 0);
	ck_assert_double_eq(s.max, 100);
}

/* Columns that no row has take no room; a break stands for them. */
TEST(unused_columns_take_no_room)
{
	struct picture p;

	make_sheet(2, 48);
	set(0, 1, 5);
	set(1, 2, 5);
	set(1, 47, 5);
	sheet_scale(&s, 0);
	picture_init(&p, &s);
	ck_assert_double_lt(p.x[0], 0);
	ck_assert_double_eq(p.x[1], 0);
	ck_assert_double_eq(p.x[2], p.cell);
	ck_assert_double_lt(p.x[46], 0);
	ck_assert_double_gt(p.x[47], 2 * p.cell);
	ck_assert_double_lt(p.x[47], 3 * p.cell);
	picture_free(&p);
}

/* Bands of @nrows rows and 36 columns; all cells must lie in the picture. */
static uint32_t count_bands(uint32_t nrows, double *high)
{
	struct picture p;
	uint32_t bands = 0;

	make_sheet(nrows, 36);
	for (uint32_t r = 0; r < nrows; r++)
		for (uint32_t k = 0; k < 36; k++)
			set(r, k, 1 + r);
	sheet_scale(&s, 0);
	picture_init(&p, &s);
	for (uint32_t r = 0; r < nrows; r++) {
		ck_assert_double_le(p.cells_x + p.row_x[r] + p.x[35] + p.cell, p.width);
		ck_assert_double_le(p.y[r] + p.cell, p.cells_height);
		ck_assert(r == 0 || p.row_x[r] > p.row_x[r - 1] || p.y[r] > p.y[r - 1]);
		bands += r == 0 || p.row_x[r] > p.row_x[r - 1];
	}
	*high = p.height / p.width;
	picture_free(&p);
	return bands;
}

/* As many spines as 11,664 hosts need were one column, with nothing beside it. */
TEST(many_rows_are_drawn_in_bands)
{
	double high;

	ck_assert_uint_eq(count_bands(18, &high), 1);
	ck_assert_uint_eq(count_bands(80, &high), 1);
	ck_assert_uint_gt(count_bands(300, &high), 1);
	ck_assert_double_lt(high, 1.7);
	ck_assert_uint_gt(count_bands(972, &high), 2);
	ck_assert_double_lt(high, 1.7);
}

static char *svg_text(enum svg_use use)
{
	struct picture p;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	picture_init(&p, &s);
	picture_svg(&p, use, out);
	picture_free(&p);
	fclose(out);
	return text;
}

/* Whatever names contain, a picture is well-formed and has only its own tags. */
TEST(names_add_no_tags_to_a_picture)
{
	char *text;

	make();
	rename_row(1, "</title><script>\"'&");
	text = svg_text(SVG_FILE);
	ck_assert_ptr_null(strstr(text, "<script"));
	ck_assert_ptr_null(strchr(text, '\033'));
	ck_assert_ptr_nonnull(strstr(text, "&lt;/title&gt;&lt;script&gt;&quot;"
				     "&#39;&amp; port 1 to s\\x1b1 port 1: 40 routes"));
	free(text);
}

static void check_tips(enum svg_use use, unsigned expected)
{
	char *text = svg_text(use);
	unsigned n = 0;

	for (const char *at = text; (at = strstr(at, "<title>")); at++)
		n++;
	ck_assert_uint_eq(n, expected);
	free(text);
}

/* What the first switch sends to the second is more than the reverse; its cells say so. */
TEST(a_folded_cell_is_of_its_fuller_direction)
{
	struct heat_cell full;
	char *text;

	make_sheet(2, 2);
	set(0, 0, 3);
	set(0, 1, 1);
	set(1, 0, 1);
	set(1, 1, 1);
	s.unit = VALUE_LOAD;
	s.is_fuller = 1;
	sheet_scale(&s, 0);
	full = cell(1, 0);
	ck_assert_double_eq(full.value, 3);
	ck_assert_double_eq(cell(1, 1).value, 1);
	text = sheet_cell_text(&s, 1, 0, &full);
	ck_assert_str_eq(text, "s1 port 1 to s2 port 1: 3 GB/s");
	free(text);
	check_tips(SVG_FILE, 4);
	check_tips(SVG_SMALL, 0);
	check_tips(SVG_FULL_CELLS, 2);	/* those that are half full and more */
}

static double channel(uint32_t c, unsigned shift)
{
	return (c >> shift & 0xff) / 255.0;
}

static double luminance(uint32_t c)
{
	const double part[3] = { 0.0722, 0.7152, 0.2126 };
	double y = 0;

	for (unsigned i = 0; i < 3; i++) {
		double x = channel(c, 8 * i);

		y += part[i] * (x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4));
	}
	return y;
}

/* CIE lightness: equal steps of t are equal steps for the eye. */
static double lightness(uint32_t c)
{
	return 116 * cbrt(luminance(c)) - 16;
}

static double contrast(uint32_t a, uint32_t b)
{
	double x = luminance(a) + 0.05, y = luminance(b) + 0.05;

	return x > y ? x / y : y / x;
}

/* On both grounds equal steps look equal, and the largest amount stands out most. */
LOOP_TEST(equal_steps_of_ink_look_equal, 2)
{
	uint32_t ground = palette_color(_i, INK_BACKGROUND, 0);
	double first = lightness(palette_color(_i, INK_AMOUNT, 0)), last = first;
	double step = (lightness(palette_color(_i, INK_AMOUNT, INK_STEPS - 1)) -
		       first) / (INK_STEPS - 1);

	ck_assert_double_gt(fabs(step), 1.5);
	for (unsigned k = 1; k < INK_STEPS; k++) {
		double next = lightness(palette_color(_i, INK_AMOUNT, k));

		ck_assert_double_gt((next - last) / step, 0.3);
		ck_assert_double_lt((next - last) / step, 1.8);
		ck_assert_double_gt(
			contrast(ground, palette_color(_i, INK_AMOUNT, k)),
			contrast(ground, palette_color(_i, INK_AMOUNT, k - 1)));
		last = next;
	}
}

/* Red is for overload only: every amount and every job differs from it. */
LOOP_TEST(red_is_for_overload_only, 2)
{
	const double much = 60 / 255.0;

	for (unsigned k = 0; k < 3; k++) {
		uint32_t red = palette_color(_i, INK_OVER, k);

		ck_assert_double_gt(channel(red, 16), channel(red, 8) + much);
		ck_assert_double_gt(channel(red, 16), channel(red, 0) + much);
	}
	for (unsigned k = 0; k < INK_STEPS; k++) {
		uint32_t c = palette_color(_i, INK_AMOUNT, k);

		ck_assert(channel(c, 16) < channel(c, 8) + much ||
			  channel(c, 16) < channel(c, 0) + much);
	}
}

/* Text on a color is black or white, which has the larger contrast. */
LOOP_TEST(text_on_a_color_has_the_larger_contrast, 2)
{
	const unsigned steps[] = { [INK_AMOUNT] = INK_STEPS, [INK_OVER] = 3,
				   [INK_JOB] = INK_JOB_STEPS };

	for (unsigned ink = INK_AMOUNT; ink <= INK_JOB; ink++)
		for (unsigned k = 0; k < steps[ink]; k++) {
			uint32_t c = palette_color(_i, ink, k), text = palette_text_color(c);

			ck_assert(text == 0 || text == 0xffffff);
			ck_assert_double_ge(contrast(c, text), contrast(c, ~text & 0xffffff));
			ck_assert_double_gt(contrast(c, text), 4.5);
		}
}

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

LOOP_TEST(a_label_is_the_part_that_differs, N(labels))
{
	char **label = xcalloc(3, sizeof(*label));
	size_t longest, want = 0;

	for (int i = 0; i < 3; i++)
		label[i] = printable(labels[_i].name[i], 0);
	longest = labels_shorten(label, 3, 10);
	for (int i = 0; i < 3; i++) {
		ck_assert_str_eq(label[i], labels[_i].label[i]);
		if (strlen(label[i]) > want)
			want = strlen(label[i]);
	}
	ck_assert_uint_eq(longest, want);
	labels_free(label, 3);
}

UNIT_MAIN_WITH("plot", NULL, tear_down)
