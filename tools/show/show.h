/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show.h - what `sfabric show` can show: tables with their columns and functions */
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

struct show_thing {
	const char *name;
	const char *key;		/* in data of --json */
	const struct column *columns;
	/* Fills the table from snapshot and conf; NULL: fill_from does it. */
	void (*fill)(const struct site *site, struct table *t);
	/* Fills the table from more sources, which may fail; NULL: fill does it. */
	int (*fill_from)(const struct show_request *a, struct table *t, struct sfab_err *err);
};

/* A row for each plane, switch, end port, link, IO set's member, key of the conf. */
extern const struct show_thing show_fabric, show_switches, show_hosts, show_links, show_io,
	show_config;
/* A row for each running job, link whose port has counters, port class; for tree placement and
   each packing. */
extern const struct show_thing show_jobs, show_counters, show_classes, show_packing;

#endif
