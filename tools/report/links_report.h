/* SPDX-License-Identifier: GPL-2.0-or-later */
/* links_report.h - the links that running jobs share, and which jobs collide */
#ifndef SFAB_LINKS_REPORT_H
#define SFAB_LINKS_REPORT_H

#include "tools/preview/preview_context.h"
#include "tools/ui/answer.h"

struct links_request {
	struct preview_options preview;
	const char *user;		/* links of this user's jobs; NULL: of all */
	uint32_t top;			/* rows of each table in text */
};

/* Print the tables of pairs and links, or their JSON. */
int links_report(const struct links_request *r, struct answer *a, struct sfab_err *err);

#endif
