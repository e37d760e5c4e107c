/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count_files.h - files of port counters -> rows of counters.snap
 *
 * A reader passes each port in its file to sfab_counts_add().  Files name ports by node GUID,
 * by LID or by description; the fabric resolves them.  Ports that belong to no link of the
 * fabric are only counted.
 */
#ifndef SFAB_COUNT_FILES_H
#define SFAB_COUNT_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/fabric/fabric.h"
#include "io/counters/counters.h"

#define SFAB_COUNTS_NAME 96	/* bytes of the name of a port */

/* Totals of a port, in the order in which readers name them. */
enum sfab_total { SFAB_XMIT, SFAB_RCV, SFAB_WAIT, SFAB_DISCARDS, SFAB_ERRORS, SFAB_NTOTALS };

/* Flags of a row of which no total is known. */
#define SFAB_COUNTED_NOTHING (SFAB_COUNTER_NO_WAIT | SFAB_COUNTER_NO_DATA)
/* Set a total of @row, and clear the flag that says that it is not known. */
void sfab_counts_set_total(struct sfab_counter *row, enum sfab_total total, uint64_t n);

struct sfab_counts {
	const struct sfab_fabric *f;
	const char *file;			/* being read now */
	uint64_t time_ms;			/* of its counters, unless a row has its own */
	uint64_t now_ms;			/* set by the caller: the time of standard input */
	int is_log;				/* rows have several times: the newest counts */
	struct sfab_counter *row;
	uint32_t n;
	struct sfab_counts_link *link;		/* private: ports with links, sorted */
	struct sfab_counts_alias *alias;	/* private: of end ports, sorted */
	uint32_t nlinks;
	uint64_t nunknown;			/* ports that sent but have no link */
	uint64_t unknown_guid;			/* node GUID of one of the unknown ports */
	uint8_t unknown_port;			/* number of that port */
	uint64_t nunmatched;			/* ports that sent, and that their hosts lack */
	char unmatched_name[SFAB_COUNTS_NAME];	/* host, device and port of one of them */
};

/* Start with the ports of @f, which is borrowed.  -1: no memory. */
int sfab_counts_init(struct sfab_counts *c, const struct sfab_fabric *f,
		     struct sfab_err *err);
void sfab_counts_free(struct sfab_counts *c);

/*
 * Add what a port counted.  The caller sets in @row guid (of the node, or of an end port),
 * port, totals, time_ms (0, or in the future: that of the file), NO_WAIT if the file has no
 * XmitWait, and NO_DATA if it has no data sent.  A port that comes twice, in one file or in
 * several, has what any of its rows has, and of each total the larger one.  O(log links).
 */
int sfab_counts_add(struct sfab_counts *c, const struct sfab_counter *row,
		    struct sfab_err *err);

/* Return the node GUID of a LID, 0: none.  If an end port has the LID, set *@port to its number. */
uint64_t sfab_counts_lid_guid(const struct sfab_counts *c, uint32_t lid,
			      uint8_t *port);

/*
 * Set how many packets a port sent, for files that do not tell whether data totals are bytes or
 * words.
 */
void sfab_counts_set_packets(struct sfab_counts *c, uint64_t guid, uint8_t port,
			     uint64_t packets);
/*
 * Settle the unit after such a file: if any port sent more per packet than a packet has words,
 * all data totals were bytes, and become words.
 */
void sfab_counts_settle_unit(struct sfab_counts *c);

/*
 * Find the port of @host ("n1", "n1:9100", "n1.site.org") that the host itself calls @device
 * ("mlx5_0") and @num, by the descriptions of its adapters.  NULL: none, or not clear.
 */
const struct sfab_port *sfab_counts_device(const struct sfab_counts *c, const char *host,
					   const char *device, unsigned num);

/* Add @row, as sfab_counts_add() does, to the port that sfab_counts_device() finds. */
int sfab_counts_add_device(struct sfab_counts *c, const char *host, const char *device,
			   const struct sfab_counter *row, struct sfab_err *err);

/* Return the node GUID of a description.  0: no node has it, or several have. */
uint64_t sfab_counts_desc_guid(const struct sfab_counts *c, const char *desc);

/* Read @file into @c; rows without a time have that of the file.  -1 with *err. */
int sfab_counts_read(struct sfab_counts *c, const char *file, struct sfab_err *err);

/* Return a sorted copy of the rows.  NULL with *err. */
struct sfab_counters *sfab_counts_take(struct sfab_counts *c,
				       struct sfab_err *err);

#endif
