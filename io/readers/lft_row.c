/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lft_row.c - collect the entries of one switch; see lft_row.h */

#include "io/readers/lft_row.h"

#include <string.h>

void sfab_lft_row_start(struct sfab_lft_row *r,
			const struct sfab_reader_ctx *ctx,
			const struct sfab_scan *s, uint64_t guid)
{
	r->guid = guid;
	r->line = s->line;
	r->n = 0;
	r->taken = 0;
	r->is_dense = 1;
	if (sfab_builder_switch_ports(ctx->b, ctx->plane, guid, &r->nports))
		r->nports = SFAB_PORT_NONE;
}

static void fill_up(struct sfab_lft_row *r, uint32_t n)
{
	if (n > r->n)
		memset(r->port + r->n, SFAB_PORT_NONE, n - r->n);
	r->n = n;
}

int sfab_lft_row_put(struct sfab_lft_row *r, const struct sfab_scan *s,
		     uint32_t lid, uint32_t port, struct sfab_err *err)
{
	if (lid < r->n)
		return sfab_scan_fail(s, err, "bad LID (found 0x%x, expected "
				      "one above 0x%x)", (unsigned) lid,
				      (unsigned) r->n - 1);
	if (port > r->nports && port != SFAB_PORT_NONE)
		return sfab_scan_fail(s, err, "LID 0x%x: bad port (found %u, "
				      "expected 0-%u)", (unsigned) lid,
				      (unsigned) port, (unsigned) r->nports);
	if (r->taken++ == 0) {
		r->first_lid = lid;
		r->first_line = s->line;
	}
	r->is_dense &= s->line - r->first_line == lid - r->first_lid;
	fill_up(r, lid + 1);
	r->port[lid] = (uint8_t) port;
	return 0;
}

int sfab_lft_row_end(struct sfab_lft_row *r,
		     const struct sfab_reader_ctx *ctx, uint32_t n,
		     struct sfab_err *err)
{
	if (n > r->n)
		fill_up(r, n);
	sfab_builder_at(ctx->b, ctx->file, r->line);
	if (sfab_builder_lft(ctx->b, ctx->plane, r->guid, 0, r->port, r->n,
			     err))
		return -1;
	if (r->taken && r->is_dense)
		sfab_builder_lft_lines(ctx->b, ctx->plane, r->guid,
				       r->first_lid, r->first_line);
	return 0;
}
