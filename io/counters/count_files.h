/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count_files.h - files of port counters -> rows of counters.snap
 *
 * A reader passes each port in its file to sfab_counts_add().  Files name ports by
 * node GUID, by LID or by description; the fabric resolves them.  Ports that belong
 * to no link of the fabric are counted.
 */
#ifndef SFAB_COUNT_FILES_H
#define SFAB_COUNT_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/fabric/fabric.h"
#include "io/counters/counters.h"

#define SFAB_WAIT_MAX UINT32_MAX	/* a 32-bit XmitWait stops there */

struct sfab_counts {
	const struct sfab_fabric *f;
	const char *file;		/* being read now */
	uint64_t time_ms;		/* of its counters */
	struct sfab_counter *row;
	uint32_t n;
	struct sfab_counts_link *link;	/* private: ports with links, sorted */
	uint32_t nlinks;
	uint64_t unknown;		/* ports with traffic but without a link */
	uint64_t unknown_guid;		/* one of them */
	uint8_t unknown_port;
};

/* Borrows @f.  -1: no memory. */
int sfab_counts_init(struct sfab_counts *c, const struct sfab_fabric *f,
		     struct sfab_err *err);
void sfab_counts_free(struct sfab_counts *c);

/*
 * Add what a port counted.  Set in @row: guid, port, totals, and NO_WAIT if the
 * file has no XmitWait.  If a port comes twice, the larger totals count.
 */
int sfab_counts_add(struct sfab_counts *c, const struct sfab_counter *row,
		    struct sfab_err *err);

/* Node GUID by LID (0: none), and in *@port the number of that end port. */
uint64_t sfab_counts_lid(const struct sfab_counts *c, uint32_t lid,
			 uint8_t *port);

/* Node GUID by description; 0: none, or several. */
uint64_t sfab_counts_desc(const struct sfab_counts *c, const char *desc);

/* Read @files, all sampled at the same time (@time_ms), into @c. */
int sfab_counts_read(struct sfab_counts *c, const char *const *files,
		     uint32_t nfiles, struct sfab_err *err);

/* The rows as counters, sorted; SFAB_EFORMAT: a port in two places. */
struct sfab_counters *sfab_counts_take(struct sfab_counts *c,
				       struct sfab_err *err);

#endif
