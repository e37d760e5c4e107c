/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * collector.h - repeated sweeps over the subnets, written to three files
 *
 * fabric.snap and counters.snap are each replaced as a whole; fabric.alive confirms the
 * snapshot.  When a sweep fails, the files of the last one stay.
 */
#ifndef SFAB_COLLECTOR_H
#define SFAB_COLLECTOR_H

#include <limits.h>
#include <signal.h>
#include <stdint.h>

#include "core/err.h"
#include "io/conf/conf.h"
#include "io/snapshot/snapshot.h"
#include "io/wire/collect.h"

#define COLLECT_PLANES 16

struct collect_options {
	uint32_t nplanes;		/* at least 1 */
	/*
	 * One for each plane, which is named after its adapter.  Their M_Key is read from
	 * m_key_file.
	 */
	struct sfab_wire_options wire[COLLECT_PLANES];
	const char *m_key_file;		/* NULL: none */
	const char *engine;		/* routing engine of all planes; "": unknown */
	const char *folder;		/* of the three files; NULL: the conf's paths */
	const char *name_map;		/* NULL: the conf's */
	double tick_s;			/* seconds that one tick of XmitWait lasts; 0: unknown */
	uint32_t half_life_s;		/* for rates and wait shares */
	int partial;			/* accept switches without a table */
	int clear_wait;			/* reset XmitWait counters that are at their maximum */
};

/* Paths of the three files: in @folder, or as the conf says if @folder is NULL. */
struct collect_paths {
	char snapshot[PATH_MAX], counters[PATH_MAX], alive[PATH_MAX];
};
void collect_paths_find(struct collect_paths *p, const char *folder, const struct sfab_conf *conf);

struct collector;

struct collect_result {			/* of one sweep */
	struct sfab_sweep count;
	struct sfab_snapshot *snap;		/* borrowed, valid until the next sweep */
	const struct collect_paths *path;	/* borrowed from the collector */
	uint64_t mads;
	double seconds;
};

/*
 * Open the ports and read the files of the last sweep.  Borrows @o and @conf.  NULL with *err:
 * there is no such port or name map, or the M_Key cannot be read.
 */
struct collector *collector_open(const struct collect_options *o, const struct sfab_conf *conf,
				 struct sfab_err *err);
void collector_close(struct collector *c);	/* NULL is fine */

/*
 * Sweep once and write the three files.  If *@stop becomes 1 during the sweep nothing is
 * written, because the result may be incomplete.  -1 with *err: not all files were written.
 */
int collector_sweep(struct collector *c, const volatile sig_atomic_t *stop,
		    struct collect_result *r, struct sfab_err *err);

/* What a sweep lacks, as one line; "": nothing.  Caller frees. */
char *collector_lacks(const struct sfab_sweep *s);

#endif
