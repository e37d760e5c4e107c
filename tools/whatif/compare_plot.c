/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare_plot.c - two routings as heat maps; see compare_plot.h */

#include "tools/whatif/compare_plot.h"

#include <stdlib.h>

#include "tools/plot/ports.h"
#include "tools/plot/sheet_file.h"
#include "tools/ui/say.h"

/*
 * The engine is named only where there is one plane, because planes may have
 * different ones.
 */
static int add_routes_map(struct sheet *s, const struct routing_facts *x,
			  uint32_t set, const char *name, struct sfab_err *err)
{
	const struct sfab_fabric *f = x->m->f;
	double *routes = facts_routes(x->m, set, err);
	const char *to = set == SFAB_NONE ? "compute" : x->m->io->set[set].name;
	const char *engine = f->nplanes == 1 ? f->planes->engine : "";
	uint32_t map = s->nmaps;

	if (!routes)
		return -1;
	sheet_add_take(s, need_copy(name),
		       need_text("%s%s%s: compute > %s, routes out of each %s",
				 name, *engine ? ", " : "", engine, to,
				 ports_what(f, PORTS_SPINES)));
	ports_fill(s, map, f, routes, PORTS_OUT);
	free(routes);
	return 0;
}

/* The two maps get one scale, so that a color means the same in both. */
int plot_both(const struct routing_facts *now, const struct routing_facts *then,
	      const char *path, struct sfab_err *err)
{
	const struct sfab_io_rate *worst = facts_worst(now);
	uint32_t set = worst ? worst->set : SFAB_NONE;
	struct sheet s = { .nmaps = 0 };
	int rc;

	ports_shape(&s, now->m->f, then->m->f, PORTS_SPINES);
	s.unit = "routes";
	rc = add_routes_map(&s, now, set, "as it is", err);
	if (rc == 0)
		rc = add_routes_map(&s, then, set, "changed", err);
	if (rc == 0) {
		sheet_add_change(&s, 0, 1, need_copy("changed minus as it is"));
		sheet_scale(&s, 0);
		rc = sheet_write(&s, path, err);
	}
	sheet_free(&s);
	return rc;
}
