/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lft_row.h - the forwarding table of one switch while it is being read
 *
 * Readers of tables start a row at the line that names the switch, add entries in the order of
 * LIDs, and pass the row to the builder at the end.  A row takes 48 KiB and is reused for each
 * switch.
 *
 * The row holds all LIDs of InfiniBand at once.  LIDs above these may be far apart: what
 * precedes a gap goes to the builder, and the row starts again behind the gap.
 */
#ifndef SFAB_LFT_ROW_H
#define SFAB_LFT_ROW_H

#include <stdint.h>

#include "io/readers/reader.h"
#include "io/scan.h"

struct sfab_lft_row {
	const struct sfab_reader_ctx *ctx;
	struct sfab_scan *s;
	uint64_t guid;
	unsigned line;		/* that named the switch */
	int is_open;		/* it was started, and has not ended */
	uint32_t nports;	/* of the switch; 255 until known */
	uint32_t n;		/* LIDs 0 .. n - 1 are done */
	uint32_t base;		/* LID of port[0]; those below it were passed on */
	uint32_t nentries;	/* entries that were added */
	uint32_t first_lid;	/* LID of the first entry */
	unsigned first_line;	/* line of the first entry */
	int is_dense;		/* one LID per line, none missing */
	uint8_t port[SFAB_IB_LID_MAX + 1];
};

/* Prepare a row for the tables in @s; it is not open yet. */
void sfab_lft_row_init(struct sfab_lft_row *r, const struct sfab_reader_ctx *ctx,
		       struct sfab_scan *s);

/* Start the row for the switch @guid, which the current line names. */
void sfab_lft_row_start(struct sfab_lft_row *r, uint64_t guid);

/* Take "0xGUID" of a switch from the current line, and start the row for it. */
int sfab_lft_row_take_switch(struct sfab_lft_row *r, struct sfab_err *err);

/*
 * Add the entry of @lid; LIDs skipped since the last become SFAB_PORT_NONE.  SFAB_EFORMAT if
 * @lid is not above the last or the switch has no such port.  @lid is at most SFAB_LID_MAX.
 */
int sfab_lft_row_put(struct sfab_lft_row *r, uint32_t lid, uint32_t port,
		     struct sfab_err *err);

/* How most lines of a dump look: "0x", four digits of a LID, gap, three of a port, after. */
struct sfab_lft_line {
	const char *gap, *suffix;
	char excluded;		/* no such line has this next; '\0': anything */
};
/*
 * Take such lines after the current one.  The first line that looks otherwise, is not of the
 * next LID, is above @top, or has a port that the switch lacks, is left to the reader.
 */
void sfab_lft_row_run(struct sfab_lft_row *r, const struct sfab_lft_line *form,
		      uint32_t top);

/*
 * Fill up to @n entries with SFAB_PORT_NONE and pass the row to the builder.  Nothing if it is
 * not open.
 */
int sfab_lft_row_end(struct sfab_lft_row *r, uint32_t n, struct sfab_err *err);

#endif
