/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_fdbs.c - tables as OpenSM writes them for ibdmchk, and as ibdiagnet does; see formats.h
 *
 *     dump_ucast_routes: Switch 0xf4521403007ea570
 *     LID    : Port : Hops : Optimal
 *     0x0001 : 000  : 00   : yes
 *     0x0002 : UNREACHABLE
 *
 * Every switch lists every LID from 1 to the highest of the subnet.  A table with a gap, or
 * shorter than the first one, was therefore truncated or edited.
 */

#include "io/readers/formats.h"

#include "io/readers/lft_row.h"
#include "io/scan.h"

struct fdbs_tables {
	uint32_t n;		/* entries in the first table; 0: not known yet */
	struct sfab_lft_row row;
};

/* Give the table if it has as many LIDs as the first one. */
static int end_fdbs_table(struct fdbs_tables *t, struct sfab_err *err)
{
	if (!t->row.is_open)
		return 0;
	if (t->n == 0)
		t->n = t->row.n;
	if (t->row.n != t->n || t->n == 0)
		return sfab_scan_fail(t->row.s, err, "the table of switch "
				      "0x%016llx ends early (found %u LIDs, "
				      "expected %u as in the first table)",
				      (unsigned long long) t->row.guid,
				      (unsigned) t->row.n, (unsigned) t->n);
	return sfab_lft_row_end(&t->row, 0, err);
}

/*
 * Parse "0x0001 : 018  : 02 : yes", or unreachable.  LIDs come in order without a gap: a
 * missing line means an edited file.
 */
static int parse_fdbs_entry(struct fdbs_tables *t, struct sfab_err *err)
{
	struct sfab_scan *s = t->row.s;
	uint64_t lid;
	uint32_t port = SFAB_PORT_NONE;

	if (!t->row.is_open)
		return sfab_scan_expect(s, err, "line",
					"\"dump_ucast_routes: Switch 0xGUID\"");
	if (!sfab_scan_hex(s, SFAB_IB_LID_MAX, &lid))
		return sfab_scan_expect(s, err, "LID", "hexadecimal 0-BFFF");
	if (t->row.n && lid > t->row.n)
		return sfab_scan_fail(s, err, "bad LID (found 0x%x, expected "
				      "0x%x)", (unsigned) lid,
				      (unsigned) t->row.n);
	sfab_scan_blanks(s);
	if (!sfab_scan_take(s, ":"))
		return sfab_scan_expect(s, err, "entry", "0xLID : PORT");
	sfab_scan_blanks(s);
	if (!sfab_scan_take(s, "UNREACHABLE")) {
		if (!sfab_scan_dec(s, SFAB_PORT_NONE, &port))
			return sfab_scan_expect(s, err, "port", "0-254 or UNREACHABLE");
		sfab_scan_blanks(s);
		if (!sfab_scan_take(s, ":"))
			return sfab_scan_expect(s, err, "entry",
						"0xLID : PORT : HOPS : OPTIMAL");
	}
	return sfab_lft_row_put(&t->row, (uint32_t) lid, port, err);
}

static int parse_fdbs_line(struct fdbs_tables *t, struct sfab_err *err)
{
	struct sfab_scan *s = t->row.s;

	if (sfab_scan_take(s, "0x"))
		return parse_fdbs_entry(t, err);
	if (sfab_scan_take(s, SFAB_FDBS_HEADING) || sfab_scan_take(s, SFAB_FDBS_OLD_HEADING))
		return end_fdbs_table(t, err) || sfab_lft_row_take_switch(&t->row, err) ? -1 : 0;
	if (s->pos == s->end || sfab_scan_take(s, "LID    : Port"))
		return 0;
	return sfab_scan_expect(s, err, "line", "0xLID : PORT or "
				"\"dump_ucast_routes: Switch 0xGUID\"");
}

/* "0x0001 : 018  : 02   : yes" */
static const struct sfab_lft_line plain_entry = { " : ", "  : ", '\0' };

/* Each table of the file is as long as the first: pieces hand on the number of LIDs. */
int sfab_fdbs_read(const struct sfab_reader_ctx *ctx, struct sfab_scan *s,
		   struct sfab_err *err)
{
	struct fdbs_tables t;

	sfab_lft_row_init(&t.row, ctx, s);
	t.n = ctx->lids ? *ctx->lids : 0;
	while (sfab_scan_line(s)) {
		if (parse_fdbs_line(&t, err))
			return -1;
		if (t.row.is_open)
			sfab_lft_row_run(&t.row, &plain_entry, SFAB_IB_LID_MAX);
	}
	if (end_fdbs_table(&t, err))
		return -1;
	if (ctx->lids)
		*ctx->lids = t.n;
	return sfab_scan_finish(s, err);
}
