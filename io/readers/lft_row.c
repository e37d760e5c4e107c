/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lft_row.c - collect the entries of one switch; see lft_row.h */

#include "io/readers/lft_row.h"

#include <string.h>

#define GAP_MIN 256u		/* LIDs without entry that are worth a new beginning */

void sfab_lft_row_init(struct sfab_lft_row *r, const struct sfab_reader_ctx *ctx,
		       struct sfab_scan *s)
{
	r->ctx = ctx;
	r->s = s;
	r->is_open = 0;
	r->n = 0;
}

void sfab_lft_row_start(struct sfab_lft_row *r, uint64_t guid)
{
	const struct sfab_reader_ctx *ctx = r->ctx;

	r->guid = guid;
	r->line = r->s->line;
	r->is_open = 1;
	r->n = 0;
	r->base = 0;
	r->nentries = 0;
	r->is_dense = 1;
	if (sfab_builder_switch_ports(ctx->builder, ctx->plane, guid, &r->nports))
		r->nports = SFAB_PORT_NONE;
}

int sfab_lft_row_take_switch(struct sfab_lft_row *r, struct sfab_err *err)
{
	uint64_t guid;

	if (!sfab_scan_take(r->s, "0x") || !sfab_scan_hex(r->s, UINT64_MAX, &guid))
		return sfab_scan_expect(r->s, err, "switch", "0xGUID");
	sfab_lft_row_start(r, guid);
	return 0;
}

/* Fill up the row to LID @n: LIDs without a line have no route. */
static void fill_up(struct sfab_lft_row *r, uint32_t n)
{
	if (n > r->n)
		memset(r->port + (r->n - r->base), SFAB_PORT_NONE, n - r->n);
	r->n = n;
}

static int pass_row_on(struct sfab_lft_row *r, struct sfab_err *err)
{
	const struct sfab_reader_ctx *ctx = r->ctx;

	sfab_builder_set_origin(ctx->builder, ctx->file, r->line);
	return sfab_builder_add_lft(ctx->builder, ctx->plane, r->guid, r->base, r->port,
				    r->n - r->base, err);
}

int sfab_lft_row_put(struct sfab_lft_row *r, uint32_t lid, uint32_t port,
		     struct sfab_err *err)
{
	const struct sfab_scan *s = r->s;

	if (lid < r->n)
		return sfab_scan_fail(s, err, "bad LID (found 0x%x, expected "
				      "one above 0x%x)", (unsigned) lid,
				      (unsigned) r->n - 1);
	if (port > r->nports && port != SFAB_PORT_NONE)
		return sfab_scan_fail(s, err, "LID 0x%x: bad port (found %u, "
				      "expected 0-%u)", (unsigned) lid,
				      (unsigned) port, (unsigned) r->nports);
	if (r->nentries++ == 0) {
		r->first_lid = lid;
		r->first_line = s->line;
	}
	r->is_dense &= s->line - r->first_line == lid - r->first_lid;
	/* Above the LIDs of InfiniBand: pass on what precedes a gap, or fills the row. */
	if (lid > SFAB_IB_LID_MAX &&
	    (lid - r->n >= GAP_MIN || lid - r->base >= sizeof(r->port))) {
		if (pass_row_on(r, err) < 0)
			return -1;
		r->base = r->n = lid;
	}
	fill_up(r, lid + 1);
	r->port[lid - r->base] = (uint8_t) port;
	return 0;
}

/*
 * Return the value of four hexadecimal digits, or UINT32_MAX.  The two readers of digits are
 * for sfab_lft_row_run() alone, which reads nearly all lines of a large dump: they need no scan
 * and no error text.
 */
static uint32_t four_digits(const char *p)
{
	uint32_t value = 0;

	for (int i = 0; i < 4; i++) {
		int digit = sfab_scan_hex_digit(p[i]);

		if (digit < 0)
			return UINT32_MAX;
		value = value << 4 | (uint32_t) digit;
	}
	return value;
}

/* Return the value of three decimal digits, or UINT32_MAX. */
static uint32_t three_digits(const char *p)
{
	uint32_t value = 0;

	for (int i = 0; i < 3; i++) {
		if (p[i] < '0' || p[i] > '9')
			return UINT32_MAX;
		value = 10 * value + (uint32_t) (p[i] - '0');
	}
	return value;
}

/* Return the port of the line at @line if it has that form and is for LID @lid, else UINT32_MAX. */
static uint32_t plain_port(const char *line, const char *eof, const struct sfab_lft_line *form,
			   size_t gap, size_t suffix, uint32_t lid)
{
	const char *port = line + 6 + gap, *rest = port + 3 + suffix;

	if ((size_t) (eof - line) < 9 + gap + suffix || line[0] != '0' || line[1] != 'x' ||
	    four_digits(line + 2) != lid || memcmp(line + 6, form->gap, gap) != 0 ||
	    memcmp(port + 3, form->suffix, suffix) != 0 ||
	    (form->excluded && rest < eof && *rest == form->excluded))
		return UINT32_MAX;
	return three_digits(port);
}

void sfab_lft_row_run(struct sfab_lft_row *r, const struct sfab_lft_line *form,
		      uint32_t top)
{
	struct sfab_scan *s = r->s;
	size_t gap = strlen(form->gap), suffix = strlen(form->suffix);
	const char *line = s->next, *end;
	uint32_t nread = 0;

	if (!r->nentries || s->line - r->first_line != r->n - 1 - r->first_lid)
		return;
	for (; r->n <= top; line = end + 1, nread++) {
		uint32_t port = plain_port(line, s->eof, form, gap, suffix, r->n);

		if (port > r->nports)
			break;
		end = memchr(line, '\n', (size_t) (s->eof - line));
		if (!end)
			break;
		r->port[r->n++] = (uint8_t) port;
	}
	r->nentries += nread;
	s->line += nread;
	s->pos = s->end = s->next = line;
}

int sfab_lft_row_end(struct sfab_lft_row *r, uint32_t n, struct sfab_err *err)
{
	if (!r->is_open)
		return 0;
	r->is_open = 0;
	if (n > r->n)
		fill_up(r, n);
	if (pass_row_on(r, err) < 0)
		return -1;
	if (r->nentries && r->is_dense)
		sfab_builder_set_lft_line(r->ctx->builder, r->ctx->plane, r->guid,
					  r->first_lid, r->first_line);
	return 0;
}
