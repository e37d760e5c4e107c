/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ibsim_tables.c - ibsim's dump of its nodes; see ibsim_tables.h
 *
 *     Switch 41 "S-0c42a1030015c0a0"
 *     	nodeguid c42a1030015c0a0	sysimgguid ...
 *     #	linearcap 49151 FDBtop 5007 portchange 0
 *     #	Forwarding table 0-15: [0]FF [1]12 [2]11 ...
 *     c42a1030015c0a0	[0]	"SMA"[0]	 lid 3 lmc 0 smlid 1 ...
 *     ...
 *     #  dumped 5007 nodes
 *
 * LIDs are decimal, ports hexadecimal.  Port 0 of a switch and the ports of adapters have LIDs,
 * 0 where OpenSM did not come.  All other lines are skipped.
 */

#include "tools/opensm/ibsim_tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/readers/lft_row.h"
#include "io/scan.h"
#include "tools/ui/xalloc.h"

struct ibsim_dump {
	struct sfab_reader_ctx ctx;
	struct sfab_lft_row row;
	struct ibsim_lids *lids;
	uint64_t guid;		/* of the node that is being read */
	int is_switch, is_reached;
	int has_end;
};

/* End a node.  Only a switch that OpenSM reached has a table, whose row ends with it. */
static int end_ibsim_node(struct ibsim_dump *d, struct sfab_err *err)
{
	int has_row = d->is_switch && d->is_reached;

	d->is_switch = d->is_reached = 0;
	return has_row ? sfab_lft_row_end(&d->row, 0, err) : 0;
}

static int parse_ibsim_node(struct ibsim_dump *d, struct sfab_scan *s, int is_switch,
			    struct sfab_err *err)
{
	if (end_ibsim_node(d, err) != 0)
		return -1;
	if (!sfab_scan_past(s, "\tnodeguid ") || !sfab_scan_hex(s, UINT64_MAX, &d->guid))
		return sfab_scan_expect(s, err, "node", "nodeguid and its GUID");
	d->is_switch = is_switch;
	if (is_switch)
		sfab_lft_row_start(&d->row, d->guid);
	return 0;
}

/* Read entries like "0-15: [0]FF [1]12 ..." */
static int parse_ibsim_entries(struct ibsim_dump *d, struct sfab_scan *s, struct sfab_err *err)
{
	uint32_t lid;
	uint64_t port;

	while (d->is_switch && sfab_scan_past(s, " [")) {
		if (!sfab_scan_dec(s, SFAB_LID_MAX, &lid) || !sfab_scan_take(s, "]") ||
		    !sfab_scan_hex(s, UINT8_MAX, &port))
			return sfab_scan_expect(s, err, "entry", "[LID]PORT");
		if (sfab_lft_row_put(&d->row, lid, (uint32_t) port, err) != 0)
			return -1;
	}
	return 0;
}

/* Read the line of a port; most ports of switches have no LID. */
static int parse_ibsim_port(struct ibsim_dump *d, struct sfab_scan *s, struct sfab_err *err)
{
	struct ibsim_lid l = { .guid = d->guid };
	uint32_t num;

	if (!sfab_scan_past(s, "\t["))
		return 0;
	if (!sfab_scan_dec(s, UINT8_MAX, &num) || !sfab_scan_past(s, "\t lid "))
		return 0;
	if (!sfab_scan_dec(s, SFAB_LID_MAX, &l.lid) || !sfab_scan_take(s, " lmc ") ||
	    !sfab_scan_dec(s, 7, &l.lmc))
		return sfab_scan_expect(s, err, "port", "lid LID lmc LMC");
	l.num = num;
	if (!l.lid)
		return 0;
	d->is_reached = 1;
	d->lids->list = xgrow(d->lids->list, d->lids->n, sizeof(l));
	d->lids->list[d->lids->n++] = l;
	return 0;
}

static int parse_ibsim_line(struct ibsim_dump *d, struct sfab_scan *s, struct sfab_err *err)
{
	if (sfab_scan_take(s, "Switch "))
		return parse_ibsim_node(d, s, 1, err);
	if (sfab_scan_take(s, "Ca "))
		return parse_ibsim_node(d, s, 0, err);
	if (sfab_scan_take(s, "#\tForwarding table "))
		return parse_ibsim_entries(d, s, err);
	if (!sfab_scan_take(s, "#  dumped "))
		return parse_ibsim_port(d, s, err);
	d->has_end = 1;
	return end_ibsim_node(d, err);
}

static int compare_ibsim_lids(const void *a, const void *b)
{
	const struct ibsim_lid *x = a, *y = b;

	if (x->guid != y->guid)
		return x->guid < y->guid ? -1 : 1;
	return (x->num > y->num) - (x->num < y->num);
}

const struct ibsim_lid *ibsim_lid_of(const struct ibsim_lids *lids, uint64_t guid, unsigned num)
{
	const struct ibsim_lid key = { .guid = guid, .num = num };

	return bsearch(&key, lids->list, lids->n, sizeof(key), compare_ibsim_lids);
}

int ibsim_tables_read(struct sfab_builder *b, uint32_t plane, const char *path,
		      struct ibsim_lids *lids, struct sfab_err *err)
{
	struct ibsim_dump *d = xcalloc(1, sizeof(*d));
	FILE *file = fopen(path, "r");
	struct sfab_scan s = { 0 };
	size_t capacity = 0;
	char *line = NULL;
	ssize_t size;
	int rc = 0;

	d->ctx = (struct sfab_reader_ctx) { .builder = b, .plane = plane, .file = path };
	d->lids = lids;
	sfab_lft_row_init(&d->row, &d->ctx, &s);
	if (!file)
		rc = sfab_fail(err, SFAB_EIO, "%s: %s", path, strerror(errno));
	/* Read line by line: a dump is large, with an entry for each switch and LID. */
	for (unsigned n = 0; rc == 0 && (size = getline(&line, &capacity, file)) > 0; n++) {
		sfab_scan_init(&s, path, line, (size_t) size);
		s.line = n;
		sfab_scan_line(&s);
		rc = parse_ibsim_line(d, &s, err);
	}
	if (rc == 0 && !d->has_end)
		rc = sfab_fail(err, SFAB_EFORMAT, "%s: the dump of ibsim has no end", path);
	if (lids->n)
		qsort(lids->list, lids->n, sizeof(*lids->list), compare_ibsim_lids);
	sfab_builder_set_origin(b, NULL, 0);
	if (file)
		fclose(file);
	free(line);
	free(d);
	return rc;
}
