/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show.h - the tables of `sfabric show`, with their columns and functions */
#ifndef SFAB_SHOW_H
#define SFAB_SHOW_H

#include "tools/preview/preview_context.h"
#include "tools/site/site.h"
#include "tools/ui/table.h"

/* What a table is made from, where the site alone is not enough. */
struct show_request {
	const struct preview_options *o;
	const struct site *site;	/* opened, but for jobs and config */
	struct reply *r;
};

struct show_table {
	const char *name;
	const char *key;		/* in data of --json */
	const struct column *columns;
	/* Fill the table from snapshot and conf.  NULL: fill_from does it. */
	void (*fill)(const struct site *site, struct table *t);
	/* Fill the table from more sources, which may fail.  NULL: fill does it. */
	int (*fill_from)(const struct show_request *rq, struct table *t, struct sfab_err *err);
};

extern const struct show_table show_fabric;	/* a row for each plane */
extern const struct show_table show_switches;	/* for each switch */
extern const struct show_table show_hosts;	/* for each end port */
extern const struct show_table show_links;	/* for each direction of a cable */
extern const struct show_table show_io;		/* for each member of an IO set */
extern const struct show_table show_config;	/* for each key of the conf */
extern const struct show_table show_jobs;	/* for each running job */
extern const struct show_table show_counters;	/* for each link whose port has counters */
extern const struct show_table show_classes;	/* for each port class */
extern const struct show_table show_packing;	/* for tree placement, and each packing */

#endif
