/* SPDX-License-Identifier: GPL-2.0-or-later */
/* portmap.c - link loads as a heat map of spine ports; see portmap.h */

#include "portmap.h"

#include <stdlib.h>
#include <string.h>

#include "say.h"

static const struct {
	const char *field, *unit;
} values[] = {
	[PORTMAP_ROUTES] = { "routes", "routes" },
	[PORTMAP_DLIDS] = { "dlids", "dlids" },
	[PORTMAP_LOAD] = { "load_gbs", "GB/s" },
};

int portmap_value(const char *text, enum portmap_value *value)
{
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (strcmp(text, values[i].field) == 0) {
			*value = (enum portmap_value) i;
			return 0;
		}
	return -1;
}

/* The link that enters the switch where @link leaves it, or SFAB_NONE. */
static uint32_t opposite(const struct sfab_fabric *f, uint32_t link)
{
	const struct sfab_link *l = &f->links[link];

	if (l->kind == SFAB_LINK_EJECT)
		return f->ports[l->to].inject;
	if (l->to_port > f->switches[l->to].nports)
		return SFAB_NONE;
	return f->switches[l->to].out[l->to_port];
}

static double link_value(const struct linkload *l, uint32_t link,
			 enum portmap_value value)
{
	switch (value) {
	case PORTMAP_DLIDS:
		return l->dlids[link];
	case PORTMAP_LOAD:
		return l->bytes[link] / 1e9;
	default:
		return l->routes[link];
	}
}

static void fill_cell(const struct sfab_fabric *f, const struct linkload *l,
		      const struct portmap_wish *wish, uint32_t link,
		      struct heat_cell *cell)
{
	if (link != SFAB_NONE && wish->direction == PORTMAP_INTO)
		link = opposite(f, link);
	if (link == SFAB_NONE)
		return;
	cell->value = link_value(l, link, wish->value);
	cell->state = !f->links[link].up ? HEAT_DOWN :
		      cell->value > 0 ? HEAT_USED : HEAT_UNUSED;
}

/* Rows: the spines; all switches if there is none.  Returns how many. */
static uint32_t choose_rows(const struct sfab_fabric *f, uint32_t *row)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->nswitches; i++)
		if (!sfab_switch_is_leaf(f, i))
			row[n++] = i;
	if (n)
		return n;
	for (uint32_t i = 0; i < f->nswitches; i++)
		row[i] = i;
	return f->nswitches;
}

static uint32_t most_ports(const struct sfab_fabric *f, const uint32_t *row,
			   uint32_t n)
{
	uint32_t most = 1;

	for (uint32_t i = 0; i < n; i++)
		if (f->switches[row[i]].nports > most)
			most = f->switches[row[i]].nports;
	return most;
}

/* Planes may have switches of the same names. */
static char *row_label(const struct sfab_fabric *f, const struct sfab_switch *sw)
{
	if (f->nplanes == 1)
		return need_copy(sw->name);
	return need_text("%s %s", f->planes[sw->plane].name, sw->name);
}

void portmap_make(const struct sfab_fabric *f, const struct linkload *l,
		  const struct portmap_wish *wish, struct heatmap *m)
{
	uint32_t *row = need(f->nswitches, sizeof(*row));
	uint32_t n = choose_rows(f, row);

	heatmap_init(m, n, most_ports(f, row, n));
	m->unit = values[wish->value].unit;
	m->what = "ports";
	m->title = need_text("%s > %s: %s %s each %s port", wish->from,
			     wish->to, m->unit,
			     wish->direction == PORTMAP_INTO ? "into" : "out of",
			     !sfab_switch_is_leaf(f, row[0]) ? "spine" :
			     "switch");
	for (uint32_t r = 0; r < n; r++) {
		const struct sfab_switch *sw = &f->switches[row[r]];

		m->label[r] = row_label(f, sw);
		for (unsigned p = 1; p <= sw->nports; p++)
			fill_cell(f, l, wish, sw->out[p],
				  heatmap_cell(m, r, p - 1));
	}
	free(row);
}
