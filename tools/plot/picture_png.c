/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * picture_png.c - a picture as PNG or PDF, by cairo; see picture.h
 *
 * PNG is for mail and wikis, PDF for paper.  Neither has tooltips.  Both call
 * the same drawing functions as SVG, so layout and figures agree.  Built only
 * if configure found cairo; else picture_nopng.c takes its place.
 */

#include "tools/plot/picture.h"

#include <cairo-pdf.h>
#include <cairo.h>

#define SIDE_MAX 32767.0	/* pixels; cairo's limit */

/* The canvas comes first, so a pointer to it is one to all of it. */
struct png {
	struct canvas canvas;	/* first */
	cairo_t *cr;
};

static cairo_t *cairo_of_canvas(struct canvas *c)
{
	return ((struct png *) c)->cr;
}

/* Paper and screens of others: always on light ground. */
static void set_color(cairo_t *cr, struct color c)
{
	cairo_set_source_rgb(cr, c.red / 255.0, c.green / 255.0, c.blue / 255.0);
}

static void set_ink_color(cairo_t *cr, enum ink ink, unsigned step)
{
	set_color(cr, color_of_ink(ON_LIGHT, ink, step));
}

/* Half a pixel inside, as a line lies on both sides of its path. */
static void draw_frame(cairo_t *cr, const struct box *b)
{
	cairo_set_line_width(cr, 0.5);
	cairo_rectangle(cr, b->x + 0.25, b->y + 0.25, b->width - 0.5,
			b->height - 0.5);
	cairo_stroke(cr);
}

/*
 * A link that is down is hatched, so that it differs from any color.  Diagonals
 * every 4 pixels, like the pattern of the SVG.
 */
static void put_png_box(struct canvas *c, const struct box *b)
{
	cairo_t *cr = cairo_of_canvas(c);

	if (b->ink == INK_DOWN) {
		cairo_save(cr);
		cairo_rectangle(cr, b->x, b->y, b->width, b->height);
		cairo_clip(cr);
		set_ink_color(cr, INK_GROUND, 0);
		cairo_paint(cr);
		set_ink_color(cr, INK_DOWN, 0);
		cairo_set_line_width(cr, 1);
		for (double d = 0; d < b->width + b->height; d += 4) {
			cairo_move_to(cr, b->x, b->y + d);
			cairo_line_to(cr, b->x + d, b->y);
		}
		cairo_stroke(cr);
		cairo_restore(cr);
		set_ink_color(cr, INK_DOWN, 0);
		draw_frame(cr, b);
		return;
	}
	set_ink_color(cr, b->ink, b->step);
	cairo_rectangle(cr, b->x, b->y, b->width, b->height);
	cairo_fill(cr);
	if (b->ink == INK_UNUSED && b->width > 4) {
		set_ink_color(cr, INK_FRAME, 0);
		draw_frame(cr, b);
	}
}

/* cairo has no anchors: the width is measured first. */
static void put_png_text(struct canvas *c, double x, double y, double size,
			 enum anchor anchor, const char *text)
{
	cairo_t *cr = cairo_of_canvas(c);
	cairo_text_extents_t e;

	set_ink_color(cr, INK_TEXT, 0);
	cairo_set_font_size(cr, size);
	cairo_text_extents(cr, text, &e);
	if (anchor == ANCHOR_END)
		x -= e.x_advance;
	else if (anchor == ANCHOR_MIDDLE)
		x -= e.x_advance / 2;
	cairo_move_to(cr, x, y);
	cairo_show_text(cr, text);
}

/*
 * In the middle of a cell, in black or white, whatever can be read on it.  0.36
 * of the size puts the middle of digits at the middle of the box.
 */
static void put_png_label(struct canvas *c, const struct box *b, double size,
			  const char *text)
{
	cairo_t *cr = cairo_of_canvas(c);
	cairo_text_extents_t e;

	set_color(cr, color_on_color(color_of_ink(ON_LIGHT, b->ink, b->step)));
	cairo_set_font_size(cr, size);
	cairo_text_extents(cr, text, &e);
	cairo_move_to(cr, b->x + (b->width - e.x_advance) / 2,
		      b->y + b->height / 2 + size * 0.36);
	cairo_show_text(cr, text);
}

/*
 * cairo has cubic curves only: the quadratic one as such.  A curve of second
 * degree is one of third whose control points are at two thirds of the way from
 * its ends to the control point.
 */
static void put_png_line(struct canvas *c, const struct stroke *s)
{
	cairo_t *cr = cairo_of_canvas(c);
	struct stroke_middle m = stroke_middle(s);
	double size = 3 + 1.5 * s->width;

	set_ink_color(cr, s->ink, s->step);
	cairo_set_line_width(cr, s->width);
	cairo_move_to(cr, s->x1, s->y1);
	cairo_curve_to(cr, s->x1 + (m.cx - s->x1) * 2 / 3,
		       s->y1 + (m.cy - s->y1) * 2 / 3,
		       s->x2 + (m.cx - s->x2) * 2 / 3,
		       s->y2 + (m.cy - s->y2) * 2 / 3, s->x2, s->y2);
	cairo_stroke(cr);
	if (!s->arrow)
		return;
	cairo_move_to(cr, m.x + size * m.dx, m.y + size * m.dy);
	cairo_line_to(cr, m.x - size * (m.dx - m.dy / 1.5),
		      m.y - size * (m.dy + m.dx / 1.5));
	cairo_line_to(cr, m.x - size * (m.dx + m.dy / 1.5),
		      m.y - size * (m.dy - m.dx / 1.5));
	cairo_fill(cr);
}

/* Maps are groups of elements in SVG; here is nothing to group. */
static void begin_png_map(struct canvas *c, uint32_t index)
{
}

static void end_png_map(struct canvas *c)
{
}

/*
 * For cairo, which writes as it goes.  A full disk ends the drawing with a
 * write error.
 */
static cairo_status_t put_bytes(void *out, const unsigned char *bytes,
				unsigned n)
{
	return fwrite(bytes, 1, n, out) == n ? CAIRO_STATUS_SUCCESS :
					       CAIRO_STATUS_WRITE_ERROR;
}

static cairo_status_t draw_on_surface(const struct picture *p,
				      cairo_surface_t *surface)
{
	struct png png = {
	    .canvas = {put_png_box, put_png_text, put_png_label, put_png_line,
		       begin_png_map, end_png_map},
	    .cr = cairo_create(surface),
	};
	cairo_status_t status;

	set_ink_color(png.cr, INK_GROUND, 0);
	cairo_paint(png.cr);
	/* Names align like a table, and the width of a text can be foreseen. */
	cairo_select_font_face(png.cr, "monospace", CAIRO_FONT_SLANT_NORMAL,
			       CAIRO_FONT_WEIGHT_NORMAL);
	picture_draw(p, &png.canvas);
	status = cairo_status(png.cr);
	cairo_destroy(png.cr);
	return status;
}

/* Like "PNG: error while writing to output stream".  Always -1. */
static int fail_by(const char *what, cairo_status_t status, struct sfab_err *err)
{
	return sfab_fail(err, SFAB_EIO, "%s: %s", what,
			 cairo_status_to_string(status));
}

int picture_png(const struct picture *p, FILE *out, struct sfab_err *err)
{
	cairo_surface_t *surface;
	cairo_status_t status;

	if (p->width > SIDE_MAX || p->height > SIDE_MAX)
		return sfab_fail(err, SFAB_ELIMIT, "a PNG of %.0f x %.0f pixels "
				 "(expected at most %.0f a side; SVG has no "
				 "limit)", p->width, p->height, SIDE_MAX);
	surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24,
					     (int) p->width, (int) p->height);
	status = draw_on_surface(p, surface);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_write_to_png_stream(surface, put_bytes,
							   out);
	cairo_surface_destroy(surface);
	return status == CAIRO_STATUS_SUCCESS ? 0 : fail_by("PNG", status, err);
}

int picture_pdf(const struct picture *p, FILE *out, struct sfab_err *err)
{
	cairo_surface_t *surface =
		cairo_pdf_surface_create_for_stream(put_bytes, out, p->width,
						    p->height);
	cairo_status_t status;

	/* so that equal pictures have equal bytes */
	cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE,
				       "2000-01-01T00:00:00Z");
	status = draw_on_surface(p, surface);
	cairo_surface_finish(surface);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_status(surface);
	cairo_surface_destroy(surface);
	return status == CAIRO_STATUS_SUCCESS ? 0 : fail_by("PDF", status, err);
}
