/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_opa_linear.c - Omni-Path tables as `opareport -o linear` prints them; see formats.h
 *
 *     Linear FDB Tables
 *     2 Connected Switches in Fabric:
 *     NodeGUID         Type Name
 *           Egress      Neighbor
 *       LID Port       Port   Name
 *     0x0011750101670a01 SW leaf1
 *         0x0001   5         1 n1 hfi1_0
 *     2 Reported Switch(es)
 *
 * LIDs have 16 or 24 bits.  Those without a line have no route.  Details from a topology file
 * are on lines of their own, which do not begin with 0x.
 */

#include "io/readers/formats.h"

#include "io/readers/lft_row.h"
#include "io/scan.h"

struct opa_tables {
	uint32_t nswitches;	/* so far */
	int is_complete;
	struct sfab_lft_row row;
};

/*
 * Parse "0xLID PORT ..." or "0xGUID SW NAME", of which @value is already read.  A table ends
 * where the next begins, or at the last line of the report.
 */
static int parse_row(struct opa_tables *t, uint64_t value, struct sfab_err *err)
{
	struct sfab_scan *s = t->row.s;
	uint32_t port;

	sfab_scan_blanks(s);
	if (sfab_scan_take(s, "SW ")) {
		if (sfab_lft_row_end(&t->row, 0, err))
			return -1;
		sfab_lft_row_start(&t->row, value);
		t->nswitches++;
		return 0;
	}
	if (!t->row.is_open)
		return sfab_scan_expect(s, err, "line", "0xGUID SW NAME");
	if (value > SFAB_LID_MAX || !sfab_scan_dec(s, SFAB_PORT_NONE, &port))
		return sfab_scan_expect(s, err, "entry", "0xLID PORT");
	return sfab_lft_row_put(&t->row, (uint32_t) value, port, err);
}

/*
 * Parse a line that begins with 0x, or the last of the report, which has the number of
 * switches.  All others are skipped.
 */
static int parse_linear_line(struct opa_tables *t, struct sfab_err *err)
{
	struct sfab_scan *s = t->row.s, start;
	uint64_t value;
	uint32_t n;

	sfab_scan_blanks(s);
	start = *s;
	if (sfab_scan_take(s, "0x")) {
		if (!sfab_scan_hex(s, UINT64_MAX, &value))
			return sfab_scan_expect(&start, err, "number", "0x...");
		return parse_row(t, value, err);
	}
	if (!sfab_scan_dec(s, UINT32_MAX, &n) ||
	    !sfab_scan_take(s, " Reported Switch"))
		return 0;
	t->is_complete = 1;
	if (n == t->nswitches)
		return sfab_lft_row_end(&t->row, 0, err);
	return sfab_scan_fail(s, err, "%u switches reported (found %u, "
			      "expected as many)", (unsigned) n,
			      (unsigned) t->nswitches);
}

int sfab_opa_linear_read(const struct sfab_reader_ctx *ctx, struct sfab_scan *s,
			 struct sfab_err *err)
{
	struct opa_tables t;

	sfab_lft_row_init(&t.row, ctx, s);
	t.nswitches = 0;
	t.is_complete = 0;
	sfab_builder_allow_wide_lids(ctx->builder, ctx->plane);
	while (sfab_scan_line(s))
		if (parse_linear_line(&t, err))
			return -1;
	if (!t.is_complete)
		return sfab_scan_fail(s, err, "the report ends early "
				      "(expected \"N Reported Switch(es)\")");
	return sfab_scan_finish(s, err);
}
