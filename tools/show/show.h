/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show.h - what `sfabric show` can show: columns and the functions that fill
 * them
 */
#ifndef SFAB_SHOW_H
#define SFAB_SHOW_H

#include "tools/preview/preview_context.h"
#include "tools/site/site.h"
#include "tools/ui/table.h"

extern const struct column show_fabric_columns[];
extern const struct column show_switch_columns[];
extern const struct column show_host_columns[];
extern const struct column show_link_columns[];
extern const struct column show_io_columns[];
extern const struct column show_config_columns[];
extern const struct column show_job_columns[];
extern const struct column show_counter_columns[];
extern const struct column show_class_columns[];
extern const struct column show_packing_columns[];

/* A row for each plane, switch, end port, link, IO set's member, key. */
void show_fabric(const struct site *site, struct table *t);
void show_switches(const struct site *site, struct table *t);
void show_hosts(const struct site *site, struct table *t);
void show_links(const struct site *site, struct table *t);
void show_io(const struct site *site, struct table *t);
void show_config(const struct site *site, struct table *t);

/* What the tables below are made from. */
struct show_ask {
	const struct preview_options *o;
	const struct site *site;
	struct report *r;
};

/* A row for each link whose port has counters. */
int show_counters(const struct show_ask *a, struct table *t, struct sfab_err *err);

/* A row for each port class. */
int show_classes(const struct show_ask *a, struct table *t, struct sfab_err *err);

/* A row for tree placement, and for each packing. */
int show_packing(const struct show_ask *a, struct table *t, struct sfab_err *err);

/* A row for each running job, from --jobs or --slurm; a->site is not looked at. */
int show_jobs(const struct show_ask *a, struct table *t, struct sfab_err *err);

#endif
