/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.c - heat maps as one HTML file; see page.h
 *
 * The picture is an SVG in the page, and the values of all maps are JSON in a script
 * element.  A small script repaints the cells when another map is chosen.  Nothing
 * is loaded from elsewhere.
 */

#include "tools/plot/page.h"

#include <json-c/json.h>
#include <stdlib.h>

#include "tools/ui/json.h"
#include "tools/ui/printable.h"
#include "tools/ui/say.h"
#include "tools/plot/page_parts.inc"	/* made of page.css and page.js */

/*
 * The class that the picture would give it: an amount, or an overload.  The
 * letters are those of picture_svg.c.
 */
static struct json_object *page_class_json(const struct sheet *s,
					   const struct heatmap *m, uint32_t i)
{
	unsigned over = sheet_over(s, m, i);
	char text[16];

	if (over)
		snprintf(text, sizeof(text), "o%u", over - 1);
	else
		snprintf(text, sizeof(text), "c%u",
			 ink_step(sheet_place(s, m->cell[i].value)));
	return json_object_new_string(text);
}

/*
 * Only cells that are not unused: [cell, value as text, class].  A page may
 * have hundreds of maps of thousands of cells, most of them unused.
 */
static struct json_object *page_map_json(const struct sheet *s,
					 const struct heatmap *m)
{
	struct json_object *map = json_object_new_object();
	struct json_object *used = json_object_new_array();
	struct json_object *down = json_object_new_array();
	char *figures = sheet_figures(s, m);

	for (uint32_t i = 0; i < s->nrows * s->ncolumns; i++) {
		struct json_object *pair;
		char *value;

		if (m->cell[i].state == HEAT_DOWN)
			json_object_array_add(down, json_object_new_int64(i));
		if (m->cell[i].state != HEAT_USED)
			continue;
		pair = json_object_new_array();
		json_object_array_add(pair, json_object_new_int64(i));
		value = sheet_value_text(s, m, &m->cell[i]);
		json_object_array_add(pair, json_object_new_string(value));
		free(value);
		json_object_array_add(pair, page_class_json(s, m, i));
		json_object_array_add(used, pair);
	}
	json_add(map, "name", json_name(m->name));
	json_add(map, "title", json_name(m->title));
	json_add(map, "figures", json_object_new_string(figures));
	json_add(map, "used", used);
	json_add(map, "down", down);
	free(figures);
	return map;
}

/*
 * JSON inside a script element ends at "</script", and "<!--" changes its
 * meaning: it must not contain '<'.
 */
static void put_json(struct json_object *o, FILE *out)
{
	const char *text = json_object_to_json_string_ext(
		o, JSON_C_TO_STRING_PLAIN);

	for (; *text; text++)
		if (*text == '<' || *text == '>' || *text == '&')
			fprintf(out, "\\u%04x", (unsigned char) *text);
		else
			fputc(*text, out);
}

/* Without a choice of maps there is nothing to repaint, and the list is empty. */
static void put_data(const struct picture *p, FILE *out)
{
	const struct sheet *s = p->s;
	struct json_object *data = json_object_new_object();
	struct json_object *maps = json_object_new_array();
	int choice = s && s->nmaps > 1;

	for (uint32_t i = 0; choice && i < s->nmaps; i++)
		json_object_array_add(maps, page_map_json(s, &s->map[i]));
	json_add(data, "maps", maps);
	fputs("<script type=\"application/json\" id=\"data\">", out);
	put_json(data, out);
	fputs("</script>\n", out);
	json_object_put(data);
}

static void put_name(const char *name, FILE *out)
{
	char *safe = printable(name, 0);

	picture_xml_text(safe, out);
	free(safe);
}

/*
 * The policy forbids the page to load anything, even if a name of a node got
 * through as markup: names come from the fabric.
 */
void page_html(const struct picture *p, FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	      "<meta charset=\"utf-8\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\""
	      "default-src 'none'; style-src 'unsafe-inline'; "
	      "script-src 'unsafe-inline'\">\n<title>", out);
	put_name(p->title, out);
	fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n",
		page_css);
	if (p->s && p->s->nmaps > 1) {
		fputs("<label>What is shown: <select id=\"chooser\">\n", out);
		for (uint32_t i = 0; i < p->s->nmaps; i++) {
			fputs("<option>", out);
			put_name(p->s->map[i].name, out);
			fputs("</option>\n", out);
		}
		fputs("</select></label>\n", out);
	}
	fputs("<div id=\"tip\"></div>\n", out);
	picture_svg(p, SVG_IN_PAGE, out);
	put_data(p, out);
	fprintf(out, "<script>\n%s</script>\n</body>\n</html>\n", page_js);
}
