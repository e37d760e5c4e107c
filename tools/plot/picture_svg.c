/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * picture_svg.c - a picture as SVG, alone or in a page; see picture.h and canvas.h
 *
 * Colors are classes, and a style sheet has each class twice, for light and dark screens.
 * Cells without a tooltip are joined into paths, so that a picture of 40,000 ports loads at
 * once; an ordinary file has a tooltip in each cell.
 */

#include "tools/plot/picture.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ui/printable.h"

/* Class of an ink: a letter, and the step if it has any. */
static const struct {
	char letter;
	unsigned steps;
} inks[] = {
	[INK_AMOUNT] = { 'c', INK_STEPS },
	[INK_OVER] = { 'o', 3 }, [INK_JOB] = { 'j', INK_JOB_STEPS },
	[INK_UNUSED] = { 'u', 0 }, [INK_DOWN] = { 'd', 0 },
	[INK_FRAME] = { 'f', 0 }, [INK_TEXT] = { 't', 0 },
	[INK_BACKGROUND] = { 'g', 0 },
};
#define NINKS (sizeof(inks) / sizeof(inks[0]))

/*
 * Write text, or the value of an attribute.  The caller has made it printable, so it has no
 * control characters, which XML forbids.
 */
void picture_xml_text(const char *text, FILE *out)
{
	static const char special[] = "<>&\"'";
	static const char *const escapes[] = { "&lt;", "&gt;", "&amp;", "&quot;", "&#39;" };

	for (; *text; text++) {
		const char *found = strchr(special, *text);

		if (found)
			fputs(escapes[found - special], out);
		else
			fputc(*text, out);
	}
}

void picture_text(const char *text, FILE *out)
{
	char *safe = printable(text, 0);

	picture_xml_text(safe, out);
	free(safe);
}

/* Write ' class="c12"', with @prefix before the "c". */
static void write_class(const char *prefix, enum ink ink, unsigned step, FILE *out)
{
	fprintf(out, " class=\"%s%c", prefix, inks[ink].letter);
	if (inks[ink].steps)
		fprintf(out, "%u", step);
	fputc('"', out);
}

/*
 * End the run with a line to the right edge of its last cell: "h" is relative to where the run
 * began.
 */
static void end_run(struct canvas *c)
{
	fprintf(c->out, "h%.6g", c->last.x + c->last.width - c->run_x);
}

/*
 * End the path, if one is open.  In small pictures cells of one color are one; anything else
 * ends it.
 */
static void end_path(struct canvas *c)
{
	if (!c->has_path)
		return;
	end_run(c);
	fputs("\"/>\n", c->out);
	c->has_path = 0;
}

/*
 * Add a cell to the path, or begin one: adjacent cells of one color form a path.  Each run of
 * them in a row is one dashed line, one dash per cell; the style in picture_svg() has its width
 * and the length of its dashes.
 */
static void write_cell(struct canvas *c, const struct box *b)
{
	double y = b->y + b->height / 2;
	double next = c->last.x + c->last.width + c->gap;

	if (!c->has_path || b->ink != c->last.ink || b->step != c->last.step) {
		end_path(c);
		fputs("<path", c->out);
		write_class("", b->ink, b->step, c->out);
		fprintf(c->out, " d=\"M%.6g %.6g", b->x, y);
		c->has_path = 1;
		c->run_x = b->x;
	} else if (b->y != c->last.y || fabs(b->x - next) >= 0.01) {
		end_run(c);
		fprintf(c->out, "M%.6g %.6g", b->x, y);
		c->run_x = b->x;
	}
	c->last = *b;
}

/* End the element @name, which has the tooltip @tip unless that is NULL. */
static void end_element(const struct canvas *c, const char *tip, const char *name)
{
	if (!tip) {
		fputs("/>\n", c->out);
		return;
	}
	fputs("><title>", c->out);
	picture_xml_text(tip, c->out);
	fprintf(c->out, "</title></%s>\n", name);
}

void canvas_box(struct canvas *c, const struct box *b)
{
	if (c->use != SVG_FILE && b->is_cell && !b->tip) {
		write_cell(c, b);
		return;
	}
	end_path(c);
	fprintf(c->out, "<rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" "
		"height=\"%.6g\"", b->x, b->y, b->width, b->height);
	write_class("", b->ink, b->step, c->out);
	end_element(c, b->tip, "rect");
}

void canvas_text(struct canvas *c, double x, double y, double size,
		 enum anchor anchor, const char *text)
{
	static const char *const anchors[] = {
		[ANCHOR_START] = "", [ANCHOR_MIDDLE] = " text-anchor=\"middle\"",
		[ANCHOR_END] = " text-anchor=\"end\"",
	};

	end_path(c);
	fprintf(c->out, "<text x=\"%.6g\" y=\"%.6g\" font-size=\"%g\"%s>", x, y,
		size, anchors[anchor]);
	picture_xml_text(text, c->out);
	fputs("</text>\n", c->out);
}

/* Write a text in a box.  Its class is that of the box, whose style has the readable color. */
void canvas_label(struct canvas *c, const struct box *b, double size, const char *text)
{
	end_path(c);
	fprintf(c->out, "<text x=\"%.6g\" y=\"%.6g\" font-size=\"%g\" "
		"text-anchor=\"middle\"", b->x + b->width / 2,
		b->y + b->height / 2 + size * 0.36, size);
	write_class("on-", b->ink, b->step, c->out);
	fputc('>', c->out);
	picture_xml_text(text, c->out);
	fputs("</text>\n", c->out);
}

/*
 * Draw a line, straight or bent, with an arrow or without.  A straight one has no control
 * point.  A quadratic curve passes at half of the distance of its control point: there is the
 * head of the arrow.  Five digits are more than pixels need.
 */
void canvas_line(struct canvas *c, const struct stroke *k)
{
	double length = fmax(hypot(k->x2 - k->x1, k->y2 - k->y1), 1e-9);
	double dx = (k->x2 - k->x1) / length, dy = (k->y2 - k->y1) / length;
	double cx = (k->x1 + k->x2) / 2 - 2 * k->bend * dy;
	double cy = (k->y1 + k->y2) / 2 + 2 * k->bend * dx;
	double x = (k->x1 + k->x2) / 4 + cx / 2, y = (k->y1 + k->y2) / 4 + cy / 2;
	double size = 3 + 1.5 * k->width;

	end_path(c);
	fprintf(c->out, "<path d=\"M%.5g %.5g", k->x1, k->y1);
	if (k->bend > 0 || k->bend < 0)
		fprintf(c->out, "Q%.5g %.5g %.5g %.5g", cx, cy, k->x2, k->y2);
	else
		fprintf(c->out, "L%.5g %.5g", k->x2, k->y2);
	fprintf(c->out, "\" stroke-width=\"%.3g\"", k->width);
	write_class("l ", k->ink, k->step, c->out);
	end_element(c, c->use == SVG_SMALL ? NULL : k->tip, "path");
	if (k->has_arrow)
		fprintf(c->out, "<path class=\"a %c%u\" d=\"M%.5g %.5gL%.5g %.5gL%.5g "
			"%.5gz\"/>\n", inks[k->ink].letter, k->step, x + size * dx, y + size * dy,
			x - size * (dx - dy / 1.5), y - size * (dy + dx / 1.5),
			x - size * (dx + dy / 1.5), y - size * (dy - dx / 1.5));
}

/* -- style ------------------------------------------------------------------ */

/* With currentColor, boxes are filled and lines are drawn in the color of their class. */
static const char style[] =
	"text{font-family:'DejaVu Sans Mono',monospace;white-space:pre}"
	"rect,.a{fill:currentColor}path{stroke:currentColor}"
	".l{fill:none}.a{stroke:none}"
	"rect.u{stroke-width:.5}rect.d{fill:url(#hatch);stroke-width:.5}";

static void write_color(const char *property, uint32_t c, FILE *out)
{
	fprintf(out, "%s:#%06" PRIx32, property, c);
}

/*
 * Write the colors of one background: rules like ".c12{color:#2e6f8e}", and where cells have
 * labels one for the text on it.  A picture uses few of the inks: rules for the others would
 * only make files longer.
 */
static void write_colors(const struct picture *p, enum background background, FILE *out)
{
	const int unused[NINKS] = {
		[INK_AMOUNT] = !p->s || p->s->by_job,
		[INK_OVER] = p->s && !sheet_fills(p->s),
		[INK_JOB] = p->s && !p->s->by_job,
	};

	for (unsigned i = 0; i < NINKS; i++)
		for (unsigned k = 0; !unused[i] && k < (inks[i].steps ? inks[i].steps : 1); k++) {
			uint32_t color = palette_color(background, (enum ink) i, k);

			fprintf(out, ".%c", inks[i].letter);
			if (inks[i].steps)
				fprintf(out, "%u", k);
			write_color("{color", color, out);
			fputc('}', out);
			if (!p->s || p->cell < 30 || !inks[i].steps)
				continue;
			fprintf(out, ".on-%c%u", inks[i].letter, k);
			write_color("{fill", palette_text_color(color), out);
			fputc('}', out);
		}
	write_color("text{fill", palette_color(background, INK_TEXT, 0), out);
	write_color("}rect.u{stroke", palette_color(background, INK_FRAME, 0), out);
	write_color("}rect.d{stroke", palette_color(background, INK_DOWN, 0), out);
	fputs("}", out);
}

void picture_svg(const struct picture *p, enum svg_use use, FILE *out)
{
	struct canvas c = { .out = out, .use = use, .gap = p->gap };

	fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
		"width=\"%.6g\" height=\"%.6g\" viewBox=\"0 0 %.6g %.6g\">\n",
		p->width, p->height, p->width, p->height);
	fprintf(out, "<style>%s", style);
	if (use != SVG_FILE && p->s) {
		double cell = p->cell - c.gap;

		fprintf(out, "g>path{fill:none;stroke-width:%.6g;"
			"stroke-dasharray:%.6g %.6g}g>path.d{stroke:url(#hatch)}",
			cell, cell, c.gap);
	}
	/* The frames of tiny cells would be all that is seen. */
	if (p->s && p->cell <= 4)
		fputs(".u{stroke-width:0!important}", out);
	write_colors(p, ON_LIGHT, out);
	fputs("\n@media(prefers-color-scheme:dark){", out);
	write_colors(p, ON_DARK, out);
	fputs("}</style>\n", out);
	fputs("<defs><pattern id=\"hatch\" width=\"4\" height=\"4\" "
	      "patternUnits=\"userSpaceOnUse\">"
	      "<rect width=\"4\" height=\"4\" class=\"g\"/>"
	      "<path class=\"d\" d=\"M0,4L4,0M-1,1L1,-1M3,5L5,3\"/>"
	      "</pattern></defs>\n"
	      "<rect width=\"100%\" height=\"100%\" class=\"g\"/>\n<g id=\"map0\">\n", out);
	picture_draw(p, &c);
	end_path(&c);
	fputs("</g>\n</svg>\n", out);
}

/*
 * Write a page.  Its policy forbids it to load anything, even if a name of a node got through
 * as markup: names come from the fabric.
 */
void picture_html(const struct picture *p, FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\""
	      "default-src 'none'; style-src 'unsafe-inline'\">\n"
	      "<style>:root{color-scheme:light dark}svg{display:block;max-width:none}</style>\n"
	      "<title>", out);
	picture_xml_text(p->title, out);
	fputs("</title>\n</head>\n<body>\n", out);
	picture_svg(p, SVG_FILE, out);
	fputs("</body>\n</html>\n", out);
}
