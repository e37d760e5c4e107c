/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_plot.c - a first picture of a new snapshot; see import_plot.h */

#include "tools/import/import_plot.h"

#include <stdlib.h>
#include <string.h>

#include "tools/plot/ports.h"
#include "tools/plot/sheet_file.h"
#include "tools/site/linkload.h"
#include "tools/ui/say.h"

int import_plot(const struct sfab_fabric *f, const char *path, struct sfab_err *err)
{
	uint8_t *all = need(f->nports, 1);
	struct sheet s = { .nmaps = 0 };
	struct linkload load;
	int rc;

	memset(all, 1, f->nports);
	rc = linkload_count(f, all, all, &load, err);
	if (rc == 0) {
		ports_shape(&s, f, NULL, PORTS_SPINES);
		s.unit = "routes";
		sheet_add_take(&s, need_copy("all > all"),
			       need_text("all > all: routes out of each %s",
					 ports_what(f, PORTS_SPINES)));
		ports_fill(&s, 0, f, load.routes, PORTS_OUT);
		sheet_scale(&s, 0);
		rc = sheet_write(&s, path, err);
		sheet_free(&s);
		linkload_free(&load);
	}
	free(all);
	return rc;
}
