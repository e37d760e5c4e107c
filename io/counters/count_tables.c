/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count_tables.c - counters in tables whose columns have names
 *
 *   ibdiagnet2.db_csv    section PM_INFO, ',': NodeGUID,PortNumber,...
 *   PerfMgr              `perfmgr dump_counters mach`, tabs: Name GUID Active ...
 *   opaextractperf       ';': NodeDesc;SystemImageGUID;PortNum;...
 *   UFM Telemetry        ',': timestamp,source_id,tag,node_guid,port_guid,port_num,...
 *
 * Missing totals ("N/A", "-1") are 0.  Names of columns changed between versions,
 * so some totals have two; the first that is present counts.
 */

#include "io/readers/formats.h"

#include <string.h>

#include "io/counters/count_files.h"
#include "io/readers/columns.h"
#include "io/readers/db_csv.h"

#define DESC_SIZE 256

/* Indices of the columns in each table below. */
enum {
	COL_NODE, COL_PORT, COL_XMIT, COL_XMIT_OLD, COL_RCV, COL_RCV_OLD,
	COL_WAIT, COL_WAIT_OLD, COL_DISCARDS, COL_DISCARDS_OLD, COL_ERRORS,
	COLUMNS,
};

static const struct sfab_column pm_columns[COLUMNS] = {
	{ "NodeGUID", 0 }, { "PortNumber", 0 },
	{ "PortXmitDataExtended", 1 }, { "PortXmitData", 1 },
	{ "PortRcvDataExtended", 1 }, { "PortRcvData", 1 },
	{ "PortXmitWaitExt", 1 }, { "PortXmitWait", 1 },
	{ "PortXmitDiscardsExt", 1 }, { "PortXmitDiscards", 1 },
	{ "PortRcvErrorsExt", 1 },
};

static const struct sfab_column perfmgr_columns[COLUMNS] = {
	{ "GUID", 0 }, { "Port", 0 }, { "xmit_data", 0 }, { "-", 1 },
	{ "rcv_data", 0 }, { "-", 1 }, { "xmit_wait", 1 }, { "-", 1 },
	{ "xmit_discards", 1 }, { "-", 1 }, { "rcv_err", 1 },
};

static const struct sfab_column opa_columns[COLUMNS + 1] = {
	{ "NodeDesc", 0 }, { "PortNum", 0 }, { "XmitData", 0 }, { "-", 1 },
	{ "RcvData", 0 }, { "-", 1 }, { "XmitWait", 1 }, { "-", 1 },
	{ "XmitDiscards", 1 }, { "-", 1 }, { "RcvErrors", 1 },
	{ "SystemImageGUID", 0 },
};

/* Primary telemetry has the first names of node and port, secondary the last ones. */
enum { UFM_NODE = COLUMNS, UFM_PORT, UFM_TIME, UFM_PACKETS, UFM_COLUMNS };

static const struct sfab_column ufm_columns[UFM_COLUMNS] = {
	{ "node_guid", 1 }, { "port_num", 1 }, { "PortXmitDataExtended", 0 }, { "-", 1 },
	{ "PortRcvDataExtended", 0 }, { "-", 1 },
	{ "PortXmitWaitExtended", 1 }, { "PortXmitWait", 1 },
	{ "PortXmitDiscardsExtended", 1 }, { "PortXmitDiscards", 1 },
	{ "PortRcvErrorsExtended", 1 },
	{ "Node_GUID", 1 }, { "Port_Number", 1 }, { "timestamp", 1 },
	{ "PortXmitPktsExtended", 1 },
};

/*
 * The first of two columns that contains a number.  In the tables above, the
 * older column is right after the newer one.
 */
static int first_of(const struct sfab_column_field *field, unsigned k,
		    uint64_t *total)
{
	return sfab_field_number(&field[k], UINT64_MAX, total) ||
	       sfab_field_number(&field[k + 1], UINT64_MAX, total);
}

/* All except the node; @words: 4-byte words per unit of the data counters. */
static int take_totals(const struct sfab_columns *c, const struct sfab_scan *s,
		       const struct sfab_column_field *field, unsigned words,
		       struct sfab_counter *row, struct sfab_err *err)
{
	uint64_t port;

	if (sfab_columns_number(c, s, field, COL_PORT, UINT8_MAX - 1, &port,
				err))
		return -1;
	row->port = (uint8_t) port;
	if (!first_of(field, COL_XMIT, &row->xmit_words))
		row->flags = SFAB_COUNTER_NO_DATA;
	first_of(field, COL_RCV, &row->rcv_words);
	row->xmit_words *= words;
	row->rcv_words *= words;
	first_of(field, COL_DISCARDS, &row->discards);
	sfab_field_number(&field[COL_ERRORS], UINT64_MAX, &row->errors);
	row->flags |= first_of(field, COL_WAIT, &row->wait_ticks) ?
		      sfab_wait_flags(row->wait_ticks) : SFAB_COUNTER_NO_WAIT;
	return 0;
}

/* For tables that name the port by node GUID and port number. */
static int take_by_guid(void *to, const struct sfab_columns *c,
			const struct sfab_scan *s,
			const struct sfab_column_field *field,
			struct sfab_err *err)
{
	struct sfab_counter row = { .guid = 0 };

	if (sfab_columns_number(c, s, field, COL_NODE, UINT64_MAX, &row.guid,
				err) ||
	    take_totals(c, s, field, 1, &row, err))
		return -1;
	return sfab_counts_add(to, &row, err);
}

static const struct sfab_db_section pm_info[] = {
	{ "PM_INFO", pm_columns, COLUMNS, 0, take_by_guid },
	{ NULL, NULL, 0, 0, NULL },
};

/*
 * PM_INFO is one section of many; the topology in the same file is read
 * elsewhere.
 */
int sfab_db_csv_count(struct sfab_counts *c, const char *text, size_t size,
		      struct sfab_err *err)
{
	struct sfab_scan s;

	sfab_scan_init(&s, c->file, text, size);
	return sfab_db_csv_sections(&s, pm_info, c, err);
}

/* A table that is all of the file, heading first. */
static int count_table(struct sfab_counts *to, const char *text, size_t size,
		       char separator, const struct sfab_db_section *table,
		       struct sfab_err *err)
{
	struct sfab_column_field field[SFAB_COLUMNS_MAX];
	struct sfab_columns columns;
	struct sfab_scan s, row;

	sfab_scan_init(&s, to->file, text, size);
	sfab_scan_line(&s);
	if (sfab_columns_heading(&columns, &s, separator, table->column,
				 table->ncolumns, err))
		return -1;
	while (sfab_scan_line(&s)) {
		if (s.at == s.end)
			continue;
		row = s;
		if (sfab_columns_row(&columns, &row, field, err) ||
		    table->take(to, &columns, &s, field, err))
			return -1;
	}
	return sfab_scan_finish(&s, err);
}

int sfab_perfmgr_count(struct sfab_counts *c, const char *text, size_t size,
		       struct sfab_err *err)
{
	static const struct sfab_db_section table = {
		"PerfMgr", perfmgr_columns, COLUMNS, 0, take_by_guid,
	};

	return count_table(c, text, size, '\t', &table, err);
}

int sfab_perfmgr_detect(const char *head, size_t size)
{
	struct sfab_scan s;

	sfab_scan_init(&s, "", head, size);
	return sfab_scan_line(&s) && sfab_scan_take(&s, "Name\tGUID\t") &&
	       sfab_scan_past(&s, "xmit_data");
}

/* Omni-Path counts flits of 8 bytes and identifies nodes by name, not by GUID. */
static int take_by_desc(void *to, const struct sfab_columns *c,
			const struct sfab_scan *s,
			const struct sfab_column_field *field,
			struct sfab_err *err)
{
	struct sfab_counter row = { .guid = 0 };
	char desc[DESC_SIZE];

	if (take_totals(c, s, field, 2, &row, err))
		return -1;
	sfab_scan_copy(desc, sizeof(desc), field[COL_NODE].from,
		       field[COL_NODE].to);
	row.guid = sfab_counts_desc(to, desc);
	if (!row.guid && sfab_columns_number(c, s, field, COLUMNS, UINT64_MAX,
					     &row.guid, err))
		return -1;
	return sfab_counts_add(to, &row, err);
}

int sfab_opaextractperf_count(struct sfab_counts *c, const char *text,
			      size_t size, struct sfab_err *err)
{
	static const struct sfab_db_section table = {
		"opaextractperf", opa_columns, COLUMNS + 1, 0, take_by_desc,
	};

	return count_table(c, text, size, ';', &table, err);
}

int sfab_opaextractperf_detect(const char *head, size_t size)
{
	struct sfab_scan s;

	sfab_scan_init(&s, "", head, size);
	return sfab_scan_line(&s) &&
	       sfab_scan_take(&s, "NodeDesc;SystemImageGUID;PortNum;");
}

static int is_field_empty(const struct sfab_column_field *f)
{
	return f->from == f->to;
}

/*
 * Times are microseconds.  A row for several planes together has no node: none of our
 * ports.
 */
static int take_of_ufm(void *to, const struct sfab_columns *c, const struct sfab_scan *s,
		       const struct sfab_column_field *field, struct sfab_err *err)
{
	struct sfab_column_field f[UFM_COLUMNS];
	struct sfab_counter row = { .guid = 0 };
	struct sfab_counts *counts = to;
	uint64_t packets;

	memcpy(f, field, sizeof(f));
	if (is_field_empty(&f[COL_NODE]))
		f[COL_NODE] = f[UFM_NODE];
	if (is_field_empty(&f[COL_PORT]))
		f[COL_PORT] = f[UFM_PORT];
	if (is_field_empty(&f[COL_NODE])) {
		counts->unknown++;
		return 0;
	}
	if (sfab_field_number(&f[UFM_TIME], UINT64_MAX, &row.time_ms))
		row.time_ms /= 1000;
	if (sfab_columns_number(c, s, f, COL_NODE, UINT64_MAX, &row.guid, err) ||
	    take_totals(c, s, f, 1, &row, err) || sfab_counts_add(to, &row, err))
		return -1;
	if (sfab_field_number(&f[UFM_PACKETS], UINT64_MAX, &packets))
		sfab_counts_packets(to, row.guid, row.port, packets);
	return 0;
}

int sfab_ufm_count(struct sfab_counts *c, const char *text, size_t size,
		   struct sfab_err *err)
{
	static const struct sfab_db_section table = {
		"UFM Telemetry", ufm_columns, UFM_COLUMNS, 0, take_of_ufm,
	};
	int rc = count_table(c, text, size, ',', &table, err);

	sfab_counts_settle_unit(c);
	return rc;
}

int sfab_ufm_detect(const char *head, size_t size)
{
	struct sfab_scan s;

	sfab_scan_init(&s, "", head, size);
	return sfab_scan_line(&s) && sfab_scan_take(&s, "timestamp,") &&
	       (sfab_scan_past(&s, "node_guid,") || sfab_scan_past(&s, "Node_GUID,"));
}
