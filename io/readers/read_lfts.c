/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_lfts.c - tables as OpenSM and dump_fts(8) or ibroute(8) print them; see formats.h
 *
 *     Unicast lids [0-155] of switch Lid 1 guid 0xf4521403007ea570 ('ib8'):
 *     0x0001 000 # Switch portguid 0xf4521403007ea570: 'ib8'
 *     0x0002 018 # Channel Adapter portguid 0x24be05ffff984da1: 'n66 mlx4_0'
 *     155 lids dumped
 *
 * dump_fts prints hexadecimal ranges, two heading lines, " : (...)" after the port, and "N
 * valid lids dumped".  OpenSM counts the range, dump_fts the lines.  LIDs without a line have
 * no route.  One pass without copying: for 11,000 hosts the file has more than a gigabyte.
 */

#include "io/readers/formats.h"

#include "io/readers/lft_row.h"
#include "io/scan.h"

struct lft_table {
	uint64_t top;		/* highest LID of the range */
	struct sfab_lft_row row;
};

/* "0x0001 018 # Channel Adapter ...", but not "# unknown node and type" */
static const struct sfab_lft_line plain_entry = { " ", " # ", 'u' };

/* Take a number: OpenSM writes decimal ranges, dump_fts hexadecimal ones. */
static int take_number(struct sfab_scan *s, uint64_t *value)
{
	uint32_t decimal;

	if (sfab_scan_take(s, "0x"))
		return sfab_scan_hex(s, SFAB_IB_LID_MAX, value);
	if (!sfab_scan_dec(s, SFAB_IB_LID_MAX, &decimal))
		return 0;
	*value = decimal;
	return 1;
}

/*
 * Parse an entry.  A LID whose node OpenSM does not know is listed with a port, but has no
 * route.
 */
static int parse_lfts_entry(struct lft_table *t, struct sfab_err *err)
{
	struct sfab_scan *s = t->row.s;
	uint64_t lid;
	uint32_t port;

	if (!sfab_scan_hex(s, t->top, &lid))
		return sfab_scan_expect(s, err, "LID",
					"one of the range above");
	sfab_scan_blanks(s);
	if (!sfab_scan_dec(s, SFAB_PORT_NONE, &port))
		return sfab_scan_expect(s, err, "port", "0-254");
	/* OpenSM prints this for a LID without an owner; opensm.fdbs says "UNREACHABLE". */
	if (sfab_scan_take(s, " # unknown node and type"))
		port = SFAB_PORT_NONE;
	else if (!sfab_scan_take(s, " # ") && !sfab_scan_take(s, " : "))
		return sfab_scan_expect(s, err, "entry", "0xLID PORT # TEXT or "
					"0xLID PORT : TEXT");
	return sfab_lft_row_put(&t->row, (uint32_t) lid, port, err);
}

/* Parse "155 lids dumped" (OpenSM: the top of the range) or "152 valid lids dumped" (dump_fts). */
static int parse_lfts_end(struct lft_table *t, struct sfab_err *err)
{
	struct sfab_scan *s = t->row.s;
	uint32_t n;

	if (!sfab_scan_dec(s, SFAB_IB_LID_MAX + 1, &n) ||
	    (!sfab_scan_take(s, " lids dumped") &&
	     !sfab_scan_take(s, " valid lids dumped")))
		return sfab_scan_expect(s, err, "line", "an entry or \"N lids "
					"dumped\"");
	if (n != t->top && n != t->row.nentries)
		return sfab_scan_fail(s, err, "%u lids dumped (found %u, "
				      "expected as many)", (unsigned) n,
				      (unsigned) t->row.nentries);
	return sfab_lft_row_end(&t->row, (uint32_t) t->top + 1, err);
}

/* Parse a table from its heading to "N lids dumped", which must be there. */
static int parse_table(struct lft_table *t, struct sfab_err *err)
{
	struct sfab_scan *s = t->row.s;
	uint64_t low, guid;

	if (!sfab_scan_take(s, SFAB_LFTS_HEADING))
		return sfab_scan_expect(s, err, "line",
					"\"Unicast lids [...] of switch ...\"");
	if (!take_number(s, &low) || !sfab_scan_take(s, "-") ||
	    !take_number(s, &t->top) || !sfab_scan_take(s, "]"))
		return sfab_scan_expect(s, err, "LID range", "[0-49151]");
	if (!sfab_scan_past(s, " guid 0x") ||
	    !sfab_scan_hex(s, UINT64_MAX, &guid))
		return sfab_scan_expect(s, err, "switch", "guid 0xGUID");
	sfab_lft_row_start(&t->row, guid);
	while (sfab_scan_line(s)) {
		/* Headings of dump_fts begin with blanks. */
		if (s->pos == s->end || *s->pos == ' ')
			continue;
		if (!sfab_scan_take(s, "0x"))
			return parse_lfts_end(t, err);
		if (parse_lfts_entry(t, err))
			return -1;
		sfab_lft_row_run(&t->row, &plain_entry, (uint32_t) t->top);
	}
	return sfab_scan_fail(s, err, "the table of switch 0x%016llx ends "
			      "early (found the end of the file, expected LIDs "
			      "up to 0x%x and \"N lids dumped\")",
			      (unsigned long long) t->row.guid,
			      (unsigned) t->top);
}

int sfab_lfts_read(const struct sfab_reader_ctx *ctx, struct sfab_scan *s,
		   struct sfab_err *err)
{
	struct lft_table t;

	sfab_lft_row_init(&t.row, ctx, s);
	while (sfab_scan_line(s))
		if (s->pos < s->end && parse_table(&t, err))
			return -1;
	return sfab_scan_finish(s, err);
}
