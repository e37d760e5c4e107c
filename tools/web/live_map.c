/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_map.c - spine ports as colored cells, in blocks that wrap; see live.h
 *
 * Cells of one color in a row are one dashed path, which keeps large fabrics small.
 * Cells with a tooltip, the hot ones and on small fabrics all, are rectangles.
 */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/plot/palette.h"
#include "tools/plot/picture.h"
#include "tools/plot/ports.h"
#include "tools/ui/printable.h"
#include "tools/ui/say.h"
#include "tools/web/live.h"

/* Pixels. */
enum { CELL = 9, PITCH = 10, LABEL = 118, HEAD = 14 };
#define BLOCK_ROWS 36		/* in one picture */
#define TIPS_ALL 4096		/* cells; with fewer all have a tooltip */
#define LABEL_CHARS 17	/* of a switch's name; what LABEL has room for */

/*
 * Classes of the page's style, by how full, in the colors of sfabric plot: the last two
 * are more than full.
 */
static const struct {
	const char *style;
	double most;
	const char *text;
	enum ink ink;
	unsigned step;
} steps[] = {
	{ "c1", 0.25, "to 25 %", INK_AMOUNT, INK_STEPS / 4 },
	{ "c2", 0.5, "50 %", INK_AMOUNT, INK_STEPS / 2 },
	{ "c3", 0.75, "75 %", INK_AMOUNT, 3 * INK_STEPS / 4 },
	{ "c4", 1, "100 %", INK_AMOUNT, INK_STEPS - 1 },
	{ "o1", 1.5, "over 100 %", INK_OVER, 0 },
	{ "o2", INFINITY, "over 150 %", INK_OVER, 2 },
};
#define STEPS (sizeof(steps) / sizeof(steps[0]))

struct live_grid {
	const struct live *v;
	const struct sfab_fabric *f;
	struct sheet s;			/* rows, columns and links as plot has them */
	uint32_t *hot;			/* by link: index in hot.link, or SFAB_NONE */
	int all_tips;
};

/*
 * Of the fuller direction; -1: nothing, -2: no cable.  1e-9 of slack, as in top: exactly full
 * is not more than full.
 */
static int step_of(const struct live_grid *g, uint32_t row, uint32_t column)
{
	uint32_t out = sheet_link(&g->s, row, column, 0);
	uint32_t in = sheet_link(&g->s, row, column, 1);
	double full;
	int i = 0;

	if (out == SFAB_NONE)
		return -2;
	full = fmax(g->v->fill[out], in == SFAB_NONE ? 0 : g->v->fill[in]);
	if (!(full > 0))
		return -1;
	while (full > steps[i].most * (1 + 1e-9))
		i++;
	return i;
}

/*
 * A tooltip costs some 100 bytes.  On large fabrics only cells that are more
 * than half full have one, if their jobs are known.
 */
static int has_tip(const struct live_grid *g, uint32_t row, uint32_t column)
{
	uint32_t out = sheet_link(&g->s, row, column, 0);
	uint32_t in = sheet_link(&g->s, row, column, 1);
	int step = step_of(g, row, column);

	if (step == -2 || g->all_tips)
		return step != -2;
	return step >= 2 && (g->hot[out] != SFAB_NONE ||
			     (in != SFAB_NONE && g->hot[in] != SFAB_NONE));
}

/* "; jobs 12,7" of a link among the hottest. */
static void put_tip_jobs(const struct live_grid *g, const char *way, uint32_t link,
			 FILE *out)
{
	const char *ids;

	if (link == SFAB_NONE)
		return;
	fprintf(out, "; %s %.0f %%", way, 100 * g->v->fill[link]);
	if (g->hot[link] == SFAB_NONE)
		return;
	ids = g->v->hot.link[g->hot[link]].ids;
	if (ids)
		fprintf(out, " (jobs %.80s%s)", ids, strlen(ids) > 80 ? "..." : "");
}

/*
 * The cells of one color in a row that have no tooltip.  y is the middle of the
 * cells: a dash is as wide as the row is high.
 */
static void put_cell_color(const struct live_grid *g, uint32_t row, int step, double y, FILE *out)
{
	int begun = 0;

	for (uint32_t i = 0; i < g->s.ncolumns; i++) {
		if (step_of(g, row, i) != step || has_tip(g, row, i))
			continue;
		if (!begun)
			fprintf(out, "<path class=\"%s\" d=\"", step < 0 ? "c0" :
				steps[step].style);
		begun = 1;
		fprintf(out, "M%d %gh%d", LABEL + (int) i * PITCH, y + CELL / 2.0, CELL);
	}
	if (begun)
		fputs("\"/>\n", out);
}

/* Tooltips are like "S018 port 24 to L024; out 125 % (jobs 12,7); in 3 %". */
static void put_map_row(const struct live_grid *g, uint32_t row, double y, FILE *out)
{
	char *name = printable(g->s.row[row].name, 0);

	name[printable_clip(name, LABEL_CHARS)] = '\0';
	fprintf(out, "<text x=\"%d\" y=\"%g\" text-anchor=\"end\">", LABEL - 6, y + 8);
	picture_xml_text(name, out);
	fputs("</text>\n", out);
	free(name);
	for (int step = -1; step < (int) STEPS; step++)
		put_cell_color(g, row, step, y, out);
	for (uint32_t i = 0; i < g->s.ncolumns; i++) {
		uint32_t link = sheet_link(&g->s, row, i, 0);
		int step = step_of(g, row, i);

		if (!has_tip(g, row, i))
			continue;
		fprintf(out, "<rect class=\"%s\" x=\"%" PRIu32 "\" y=\"%g\" width=\"%d\" "
			"height=\"%d\"><title>", step < 0 ? "c0" :
			steps[step].style, LABEL + i * PITCH, y, CELL, CELL);
		picture_text(sfab_link_from_name(g->f, link), out);
		fprintf(out, " port %u to ", (unsigned) g->f->links[link].from_port);
		picture_text(sfab_link_to_name(g->f, link), out);
		put_tip_jobs(g, "out", link, out);
		put_tip_jobs(g, "in", sheet_link(&g->s, row, i, 1), out);
		fputs(g->f->links[link].up ? "" : "; down", out);
		fputs("</title></rect>\n", out);
	}
}

/* Numbers of ports stand above: 1, then 10, 20 and so on. */
static void put_block(const struct live_grid *g, uint32_t first, uint32_t n, FILE *out)
{
	uint32_t width = LABEL + g->s.ncolumns * PITCH + 2, height = HEAD + n * PITCH;
	double scale = g->s.nrows <= BLOCK_ROWS ? 1.6 : 1;	/* one picture has room */

	fprintf(out, "<svg class=\"map\" role=\"img\" aria-label=\"Ports of %" PRIu32
		" spines. The table of links below names the fullest.\" "
		"viewBox=\"0 0 %" PRIu32 " %" PRIu32 "\" width=\"%.0f\" height=\"%.0f\">\n", n,
		width, height, width * scale, height * scale);
	for (uint32_t c = 0; c < g->s.ncolumns; c += c ? 10 : 9)
		fprintf(out, "<text x=\"%" PRIu32 "\" y=\"9\" text-anchor=\"middle\">%" PRIu32
			"</text>\n", LABEL + c * PITCH + CELL / 2, c + 1);
	for (uint32_t r = 0; r < n; r++)
		put_map_row(g, first + r, HEAD + r * PITCH, out);
	fputs("</svg>\n", out);
}

static void put_map_colors(enum ground on, FILE *out)
{
	fprintf(out, ".c0{color:#%06" PRIx32 "}", color_of_ink(on, INK_UNUSED, 0));
	for (size_t i = 0; i < STEPS; i++)
		fprintf(out, ".%s{color:#%06" PRIx32 "}", steps[i].style,
			color_of_ink(on, steps[i].ink, steps[i].step));
}

void live_map_style(FILE *out)
{
	put_map_colors(ON_LIGHT, out);
	fputs("\n@media (prefers-color-scheme: dark) { ", out);
	put_map_colors(ON_DARK, out);
	fputs(" }\n", out);
}

void live_map(const struct live *v, FILE *out)
{
	struct live_grid g = { .v = v, .f = v->hot.p.site.f };

	ports_shape(&g.s, g.f, PORTS_SPINES);
	g.all_tips = (size_t) g.s.nrows * g.s.ncolumns <= TIPS_ALL;
	/* The hottest links are those that top would list: their jobs are known. */
	g.hot = need(g.f->nlinks, sizeof(*g.hot));
	memset(g.hot, 0xff, g.f->nlinks * sizeof(*g.hot));
	for (uint32_t k = 0; k < v->hot.n; k++)
		g.hot[v->hot.link[k].link] = k;
	fputs("<p class=\"legend\"><span><svg width=\"12\" height=\"12\"><rect class=\"c0\" "
	      "x=\"1\" y=\"1\" width=\"9\" height=\"9\"/></svg> idle</span>", out);
	for (size_t i = 0; i < STEPS; i++)
		fprintf(out, "<span><svg width=\"12\" height=\"12\"><rect class=\"%s\" x=\"1\" "
			"y=\"1\" width=\"9\" height=\"9\"/></svg> %s</span>",
			steps[i].style, steps[i].text);
	fputs("</p>\n", out);
	fputs("<div class=\"maps\">\n", out);
	for (uint32_t r = 0; r < g.s.nrows; r += BLOCK_ROWS)
		put_block(&g, r, g.s.nrows - r < BLOCK_ROWS ? g.s.nrows - r : BLOCK_ROWS, out);
	fputs("</div>\n", out);
	sheet_free(&g.s);
	free(g.hot);
}
