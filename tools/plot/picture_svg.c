/* SPDX-License-Identifier: GPL-2.0-or-later */
/* picture_svg.c - a picture as SVG, alone or in a page; see picture.h */

#include "tools/plot/picture.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "core/fabric/fabric.h"

struct svg {
	struct canvas canvas;	/* first */
	FILE *out;
	enum svg_use use;
	double gap;		/* between cells */
	int path;		/* SVG_SMALL: a path is open, with a run of */
	double run;		/* cells from here to the last one */
	struct box last;
};

void picture_xml_text(const char *text, FILE *out)
{
	for (; *text; text++)
		switch (*text) {
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '&':
			fputs("&amp;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		case '\'':
			fputs("&#39;", out);
			break;
		default:
			fputc(*text, out);
		}
}

static void put_fill(const struct box *b, FILE *out, const char *attribute)
{
	static const char *const class[] = {
		[FILL_UNUSED] = "u", [FILL_DOWN] = "d",
	};

	if (b->fill == FILL_COLOR)
		fprintf(out, " %s=\"#%02x%02x%02x\"", attribute, b->color.red,
			b->color.green, b->color.blue);
	else
		fprintf(out, " class=\"%s\"", class[b->fill]);
}

static int same_fill(const struct box *a, const struct box *b)
{
	return a->fill == b->fill &&
	       (a->fill != FILL_COLOR ||
		(a->color.red == b->color.red && a->color.green == b->color.green &&
		 a->color.blue == b->color.blue));
}

static void end_run(struct svg *s)
{
	fprintf(s->out, "h%.6g", s->last.x + s->last.width - s->run);
}

/* In small pictures cells of one color are one path; anything else ends it. */
static void end_path(struct svg *s)
{
	if (!s->path)
		return;
	end_run(s);
	fputs("\"/>\n", s->out);
	s->path = 0;
}

static int next_cell(const struct svg *s, const struct box *b)
{
	double x = s->last.x + s->last.width + s->gap;

	return b->x > x - 0.01 && b->x < x + 0.01 && b->y == s->last.y;
}

/*
 * Adjacent cells of one color form a path.  Each run of them in a row is one
 * dashed line, one dash per cell; put_style_small() sets the width and the dash
 * length.
 */
static void put_svg_cell(struct svg *s, const struct box *b)
{
	double y = b->y + b->height / 2;

	if (!s->path || !same_fill(b, &s->last)) {
		end_path(s);
		fputs("<path", s->out);
		put_fill(b, s->out, "stroke");
		fprintf(s->out, " d=\"M%.6g %.6g", b->x, y);
		s->path = 1;
		s->run = b->x;
	} else if (!next_cell(s, b)) {
		end_run(s);
		fprintf(s->out, "M%.6g %.6g", b->x, y);
		s->run = b->x;
	}
	s->last = *b;
}

/* A tooltip is a <title> in the box; a page finds the cell by its number instead. */
static void put_svg_box(struct canvas *c, const struct box *b)
{
	struct svg *s = (struct svg *) c;

	if (s->use == SVG_SMALL && b->cell != SFAB_NONE) {
		put_svg_cell(s, b);
		return;
	}
	end_path(s);
	fprintf(s->out, "<rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" "
		"height=\"%.6g\"", b->x, b->y, b->width, b->height);
	put_fill(b, s->out, "fill");
	if (s->use == SVG_IN_PAGE && b->cell != SFAB_NONE)
		fprintf(s->out, " data-cell=\"%" PRIu32 "\"", b->cell);
	if (!b->tip) {
		fputs("/>\n", s->out);
		return;
	}
	fputs("><title>", s->out);
	picture_xml_text(b->tip, s->out);
	fputs("</title></rect>\n", s->out);
}

static void put_svg_text(struct canvas *c, double x, double y, double size,
			 enum anchor anchor, const char *text)
{
	static const char *const where[] = {
		[ANCHOR_START] = "start", [ANCHOR_MIDDLE] = "middle",
		[ANCHOR_END] = "end",
	};
	struct svg *s = (struct svg *) c;

	end_path(s);
	fprintf(s->out, "<text x=\"%.6g\" y=\"%.6g\" font-size=\"%g\" "
		"text-anchor=\"%s\">", x, y, size, where[anchor]);
	picture_xml_text(text, s->out);
	fputs("</text>\n", s->out);
}

static void begin_svg_map(struct canvas *c, uint32_t index)
{
	fprintf(((struct svg *) c)->out, "<g id=\"map%" PRIu32 "\">\n", index);
}

static void end_svg_map(struct canvas *c)
{
	end_path((struct svg *) c);
	fputs("</g>\n", ((struct svg *) c)->out);
}

static const char style[] =
	"<defs><pattern id=\"hatch\" width=\"4\" height=\"4\" "
	"patternUnits=\"userSpaceOnUse\">"
	"<rect width=\"4\" height=\"4\" fill=\"#ffffff\"/>"
	"<path d=\"M0,4L4,0M-1,1L1,-1M3,5L5,3\" stroke=\"#b00000\"/>"
	"</pattern></defs>\n"
	"<style>"
	"text{font-family:'DejaVu Sans Mono',monospace;fill:#202020;"
	"white-space:pre}"
	".u{fill:#ececec;stroke:#c4c4c4;stroke-width:.5}"
	".d{fill:url(#hatch);stroke:#b00000;stroke-width:.5}"
	"</style>\n";

void picture_svg(const struct picture *p, enum svg_use use, FILE *out)
{
	struct svg s = {
	    .canvas = {put_svg_box, put_svg_text, begin_svg_map, end_svg_map},
	    .out = out,
	    .use = use,
	    .gap = picture_gap(p),
	};

	if (use != SVG_IN_PAGE)
		fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
	fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
		"width=\"%.6g\" height=\"%.6g\" viewBox=\"0 0 %.6g %.6g\">\n",
		p->width, p->height, p->width, p->height);
	fputs(style, out);
	if (use == SVG_SMALL) {
		double cell = p->cell - s.gap;

		fprintf(out,
			"<style>g>path{fill:none;stroke-width:%.6g;stroke-"
			"dasharray:%.6g "
			"%.6g}.u{fill:#e0e0e0}g>path.u{fill:none;stroke:#"
			"e0e0e0;stroke-width:%.6g}g>path.d{fill:none;stroke:"
			"url(#hatch);stroke-width:%.6g}</style>\n",
			cell, cell, s.gap, cell, cell);
	}
	if (use != SVG_IN_PAGE)
		fputs("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
		      out);
	picture_draw(p, &s.canvas);
	end_path(&s);
	fputs("</svg>\n", out);
}
