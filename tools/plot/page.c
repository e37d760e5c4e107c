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

/* Only cells that are not unused. */
static struct json_object *page_map_json(const struct sheet *s,
					 const struct heatmap *m)
{
	struct json_object *map = json_object_new_object();
	struct json_object *used = json_object_new_array();
	struct json_object *down = json_object_new_array();
	char *figures = sheet_figures(s, m);

	for (uint32_t i = 0; i < s->nrows * s->ncolumns; i++) {
		struct json_object *pair;

		if (m->cell[i].state == HEAT_DOWN)
			json_object_array_add(down, json_object_new_int64(i));
		if (m->cell[i].state != HEAT_USED)
			continue;
		pair = json_object_new_array();
		json_object_array_add(pair, json_object_new_int64(i));
		json_object_array_add(pair, json_number(m->cell[i].value));
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

static void put_data(const struct picture *p, FILE *out)
{
	const struct sheet *s = p->s;
	struct json_object *data = json_object_new_object();
	struct json_object *maps = json_object_new_array();
	int choice = s->nmaps > p->nmaps;
	struct json_object *list;
	char text[16];

	json_add(data, "unit", json_object_new_string(s->unit));
	json_add(data, "max", json_number(s->max));
	/* The same colors as in the picture, in steps. */
	list = json_object_new_array();
	for (int k = 0; k < COLOR_STEPS; k++) {
		struct color c = color_of(HEAT_AMOUNT, k / (COLOR_STEPS - 1.0));

		snprintf(text, sizeof(text), "#%02x%02x%02x", c.red, c.green,
			 c.blue);
		json_object_array_add(list, json_object_new_string(text));
	}
	json_add(data, "colors", list);
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

void page_html(const struct picture *p, FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	      "<meta charset=\"utf-8\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\""
	      "default-src 'none'; style-src 'unsafe-inline'; "
	      "script-src 'unsafe-inline'\">\n<title>", out);
	put_name(p->s->map[0].title, out);
	fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n",
		page_css);
	if (p->s->nmaps > p->nmaps) {
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
