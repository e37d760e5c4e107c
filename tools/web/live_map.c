/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_map.c - how full the ports of the spines are, as sfabric plot draws it; see live.h
 */

#include <string.h>

#include "tools/plot/picture.h"
#include "tools/plot/port_sheet.h"
#include "tools/ui/say.h"
#include "tools/web/live.h"

#define TIPS_ALL 4096		/* cells; with more a page would be megabytes of tooltips */

void live_map(const struct live *v, FILE *out)
{
	const struct sfab_fabric *f = v->hot.p.site.f;
	struct picture picture;
	struct sheet s;
	size_t ncells;

	port_sheet_shape(&s, f, PORT_SPINES);
	ncells = (size_t) s.nrows * s.ncolumns;
	s.unit = VALUE_PERCENT;
	s.fuller = 1;
	s.title = need_text("%s at each %s", link_value_unit(s.unit),
			    port_sheet_what(f, PORT_SPINES));
	s.value = need(f->nlinks, sizeof(*s.value));
	for (uint32_t e = 0; e < f->nlinks; e++)
		s.value[e] = 100 * v->hot.fill[e];
	s.jobs = v->hot.jobs;		/* borrowed */
	sheet_scale(&s, 0);
	picture_init(&picture, &s);
	fputs("<div class=\"map\">\n", out);
	picture_svg(&picture, ncells > TIPS_ALL ? SVG_FULL_CELLS : SVG_FILE, out);
	fputs("</div>\n", out);
	picture_free(&picture);
	memset(&s.jobs, 0, sizeof(s.jobs));
	sheet_free(&s);
}
