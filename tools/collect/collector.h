/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * collector.h - repeated sweeps over the subnets, written to three files
 *
 * fabric.snap and counters.snap are each replaced as a whole; then fabric.alive confirms the
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
	/* An adapter names its plane.  The M_Key of all is that of the file below. */
	struct sfab_wire_options wire[COLLECT_PLANES];
	const char *m_key_file;		/* NULL: none */
	const char *engine;		/* of all planes; "": unknown */
	const char *folder;		/* paths of the files; NULL: the conf's */
	const char *name_map;		/* NULL: the conf's */
	double tick_s;			/* of XmitWait, seconds; 0: unknown */
	uint32_t half_life_s;		/* for rates and wait shares */
	int partial;			/* accept switches without a table */
	int clear_wait;
};

/* Where the three files belong: in @folder, or if that is NULL where the conf says. */
struct collect_paths {
	char snapshot[PATH_MAX], counters[PATH_MAX], alive[PATH_MAX];
};
void collect_paths_find(struct collect_paths *p, const char *folder,
			const struct sfab_conf *conf);

struct collector;

struct collect_result {			/* of a sweep */
	struct sfab_sweep count;
	struct sfab_snapshot *snap;	/* until the next sweep */
	const struct collect_paths *path;	/* of the collector */
	uint64_t mads;
	double seconds;
};

/* Borrows @o and @conf.  NULL with *err: no port, no such name map, no M_Key in its file. */
struct collector *collector_open(const struct collect_options *o,
				 const struct sfab_conf *conf,
				 struct sfab_err *err);
void collector_close(struct collector *c);	/* NULL is fine */

/*
 * One sweep.  Nothing is written if *@stop became 1 during it: the result may be incomplete.
 * -1 with *err: nothing, or not everything, was written.
 */
int collector_sweep(struct collector *c, const volatile sig_atomic_t *stop,
		    struct collect_result *r, struct sfab_err *err);

/* What a sweep lacks, as one line; "": nothing.  Caller frees. */
char *collect_lacks(const struct sfab_sweep *s);

#endif
