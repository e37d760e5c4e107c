/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ibsim_tables.c - ibsim's dump of its switches; see ibsim_tables.h
 *
 *     Switch 41 "S-0c42a1030015c0a0"	nodeguid c42a1030015c0a0	...
 *     #	linearcap 49151 FDBtop 5007 portchange 0
 *     #	Forwarding table 0-15: [0]FF [1]12 [2]11 ...
 *     ...
 *     #  dumped 5007 nodes
 *
 * LIDs are decimal, ports hexadecimal.  All other lines are skipped.
 */

#include "tools/whatif/ibsim_tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/readers/lft_row.h"
#include "io/scan.h"
#include "tools/ui/say.h"

struct ibsim_dump {
	struct sfab_reader_ctx ctx;
	struct sfab_lft_row row;
	int has_row;		/* a switch of the builder is being read */
	int has_end;
};

/*
 * The table of the switch before, if the builder has it.  Rows begin without an
 * end of their own.
 */
static int end_ibsim_switch(struct ibsim_dump *d, struct sfab_err *err)
{
	int had = d->has_row;

	d->has_row = 0;
	return had ? sfab_lft_row_end(&d->row, &d->ctx, d->row.n, err) : 0;
}

static int parse_ibsim_switch(struct ibsim_dump *d, struct sfab_scan *s,
			      struct sfab_err *err)
{
	uint64_t guid;
	uint32_t nports;

	if (end_ibsim_switch(d, err) != 0)
		return -1;
	if (!sfab_scan_past(s, "\tnodeguid ") || !sfab_scan_hex(s, UINT64_MAX, &guid))
		return sfab_scan_expect(s, err, "switch", "nodeguid and its GUID");
	/* OpenSM did not reach a switch whose cables are all down. */
	d->has_row = !sfab_builder_switch_ports(d->ctx.b, d->ctx.plane, guid, &nports);
	if (d->has_row)
		sfab_lft_row_start(&d->row, &d->ctx, s, guid);
	return 0;
}

/* "0-15: [0]FF [1]12 ..." */
static int parse_ibsim_entries(struct ibsim_dump *d, struct sfab_scan *s,
			       struct sfab_err *err)
{
	uint32_t lid;
	uint64_t port;

	while (d->has_row && sfab_scan_past(s, " [")) {
		if (!sfab_scan_dec(s, SFAB_LID_MAX, &lid) || !sfab_scan_take(s, "]") ||
		    !sfab_scan_hex(s, UINT8_MAX, &port))
			return sfab_scan_expect(s, err, "entry", "[LID]PORT");
		if (sfab_lft_row_put(&d->row, s, lid, (uint32_t) port, err) != 0)
			return -1;
	}
	return 0;
}

static int parse_ibsim_line(struct ibsim_dump *d, struct sfab_scan *s,
			    struct sfab_err *err)
{
	if (sfab_scan_take(s, "Switch "))
		return parse_ibsim_switch(d, s, err);
	if (sfab_scan_take(s, "#\tForwarding table "))
		return parse_ibsim_entries(d, s, err);
	if (!sfab_scan_take(s, "#  dumped "))
		return 0;
	d->has_end = 1;
	return end_ibsim_switch(d, err);
}

int ibsim_tables_read(struct sfab_builder *b, uint32_t plane, const char *path,
		      struct sfab_err *err)
{
	struct ibsim_dump *d = need(1, sizeof(*d));
	FILE *f = fopen(path, "r");
	struct sfab_scan s = { 0 };
	size_t room = 0;
	char *line = NULL;
	ssize_t size;
	int rc = 0;

	d->ctx = (struct sfab_reader_ctx) { .b = b, .plane = plane, .file = path };
	if (!f)
		rc = sfab_fail(err, SFAB_EIO, "%s: %s", path, strerror(errno));
	/*
	 * Line by line, and not the whole file: a dump has an entry for each
	 * switch and LID.
	 */
	for (unsigned n = 0; rc == 0 && (size = getline(&line, &room, f)) > 0; n++) {
		sfab_scan_init(&s, path, line, (size_t) size);
		s.line = n;
		sfab_scan_line(&s);
		rc = parse_ibsim_line(d, &s, err);
	}
	if (rc == 0 && !d->has_end)
		rc = sfab_fail(err, SFAB_EFORMAT, "%s: the dump of ibsim has no end", path);
	sfab_builder_at(b, NULL, 0);
	if (f)
		fclose(f);
	free(line);
	free(d);
	return rc;
}
