/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count_tables.c - counters in tables whose columns have names
 *
 *   ibdiagnet2.db_csv    section PM_INFO, ',': NodeGUID,PortNumber,...
 *   PerfMgr              `perfmgr dump_counters mach`, tabs: Name GUID Active ...
 *   opaextractperf       ';': NodeDesc;SystemImageGUID;PortNum;...
 *   UFM Telemetry        ',': timestamp,source_id,tag,node_guid,port_guid,port_num,...
 *
 * UFM Telemetry as JSON has the same names as keys, one object for each port, within
 * whatever arrays and objects:
 *
 *     {"values": [{"timestamp": 1709652347161873, "node_guid": "0xb8599f0300000a01", ...}]}
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
#define JSON_DEPTH 32

/* Indices of the columns in each table below; totals as in enum sfab_total. */
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
 * All except the node; @words: 4-byte words per unit of the data counters.  Most totals
 * have two columns, the older right after the newer one: the first number counts.
 */
static int take_totals(const struct sfab_columns *c, const struct sfab_scan *s,
		       const struct sfab_column_field *field, unsigned words,
		       struct sfab_counter *row, struct sfab_err *err)
{
	uint64_t port;

	if (sfab_columns_number(c, s, field, COL_PORT, UINT8_MAX - 1, &port,
				err))
		return -1;
	row->port = (uint8_t) port;
	row->flags = SFAB_COUNTED_NOTHING;
	for (unsigned k = 0; k < SFAB_NTOTALS; k++) {
		const struct sfab_column_field *f = &field[COL_XMIT + 2 * k];
		uint64_t n;

		if (sfab_field_number(f, UINT64_MAX, &n) ||
		    (k != SFAB_ERRORS && sfab_field_number(f + 1, UINT64_MAX, &n)))
			sfab_counts_total(row, k, k <= SFAB_RCV ? n * words : n);
	}
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
int sfab_db_csv_count(struct sfab_counts *c, struct sfab_scan *s, struct sfab_err *err)
{
	return sfab_db_csv_sections(s, pm_info, c, err);
}

int sfab_perfmgr_count(struct sfab_counts *c, struct sfab_scan *s, struct sfab_err *err)
{
	static const struct sfab_db_section table = {
		"PerfMgr", perfmgr_columns, COLUMNS, 0, take_by_guid,
	};

	return sfab_table_read(s, '\t', &table, c, err);
}

int sfab_perfmgr_detect(struct sfab_scan *s)
{
	return sfab_scan_line(s) && sfab_scan_take(s, "Name\tGUID\t") &&
	       sfab_scan_past(s, "xmit_data");
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

int sfab_opaextractperf_count(struct sfab_counts *c, struct sfab_scan *s,
			      struct sfab_err *err)
{
	static const struct sfab_db_section table = {
		"opaextractperf", opa_columns, COLUMNS + 1, 0, take_by_desc,
	};

	return sfab_table_read(s, ';', &table, c, err);
}

int sfab_opaextractperf_detect(struct sfab_scan *s)
{
	return sfab_scan_line(s) &&
	       sfab_scan_take(s, "NodeDesc;SystemImageGUID;PortNum;");
}

static int is_field_empty(const struct sfab_column_field *f)
{
	return f->from == f->to;
}

/* With "0x", or sixteen digits without. */
static int ufm_guid(const struct sfab_columns *c, const struct sfab_scan *s,
		    const struct sfab_column_field *field, uint64_t *guid, struct sfab_err *err)
{
	struct sfab_scan bare = { .at = field[COL_NODE].from, .end = field[COL_NODE].to };

	if (bare.end - bare.at == 16 && sfab_scan_hex(&bare, UINT64_MAX, guid) &&
	    bare.at == bare.end)
		return 0;
	return sfab_columns_number(c, s, field, COL_NODE, UINT64_MAX, guid, err);
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
	if (ufm_guid(c, s, f, &row.guid, err) ||
	    take_totals(c, s, f, 1, &row, err) || sfab_counts_add(to, &row, err))
		return -1;
	if (sfab_field_number(&f[UFM_PACKETS], UINT64_MAX, &packets))
		sfab_counts_packets(to, row.guid, row.port, packets);
	return 0;
}

int sfab_ufm_count(struct sfab_counts *c, struct sfab_scan *s, struct sfab_err *err)
{
	static const struct sfab_db_section table = {
		"UFM Telemetry", ufm_columns, UFM_COLUMNS, 0, take_of_ufm,
	};
	int rc = sfab_table_read(s, ',', &table, c, err);

	sfab_counts_settle_unit(c);
	return rc;
}

int sfab_ufm_detect(struct sfab_scan *s)
{
	return sfab_scan_line(s) && sfab_scan_take(s, "timestamp,") &&
	       (sfab_scan_past(s, "node_guid,") || sfab_scan_past(s, "Node_GUID,"));
}

struct ufm_json {
	struct sfab_scan *s;
	struct sfab_counts *to;
	struct sfab_column_field field[UFM_COLUMNS];	/* of the innermost object */
	int key;		/* the next value's field; -1: none of ours */
	unsigned depth;
	char close[JSON_DEPTH];	/* brackets that are open */
};

/* At the end of an object it is a row; those without data sent are others. */
static int take_json_mark(struct ufm_json *j, char mark, struct sfab_err *err)
{
	static const struct sfab_columns columns = { .column = ufm_columns };
	int rc = 0;

	if (mark == '{' || mark == '[') {
		if (j->depth == JSON_DEPTH)
			return sfab_scan_fail(j->s, err, "more than %d brackets are open",
					      JSON_DEPTH);
		j->close[j->depth++] = mark == '{' ? '}' : ']';
	} else if (mark == '}' || mark == ']') {
		if (!j->depth || j->close[--j->depth] != mark)
			return sfab_scan_fail(j->s, err, "'%c' closes nothing", mark);
	}
	if (mark == '}' && !is_field_empty(&j->field[COL_XMIT]))
		rc = take_of_ufm(j->to, &columns, j->s, j->field, err);
	if (mark == '{' || mark == '}')
		memset(j->field, 0, sizeof(j->field));
	return rc;
}

/* A string without its quotes, or a number or word. */
static int take_json_scalar(struct sfab_scan *s, struct sfab_column_field *f)
{
	int quoted = sfab_scan_take(s, "\"");

	f->from = s->at;
	while (s->at < s->end && (quoted ? *s->at != '"' : !strchr(" \t\"{}[],:", *s->at)))
		s->at += quoted && *s->at == '\\' && s->at + 1 < s->end ? 2 : 1;
	f->to = s->at;
	return quoted ? sfab_scan_take(s, "\"") : f->to > f->from;
}

/* What ':' follows is a key. */
static void take_json_word(struct ufm_json *j, const struct sfab_column_field *f)
{
	size_t size = (size_t) (f->to - f->from);

	sfab_scan_blanks(j->s);
	if (j->s->at == j->s->end || *j->s->at != ':') {
		if (j->key >= 0)
			j->field[j->key] = *f;
		j->key = -1;
		return;
	}
	for (j->key = UFM_COLUMNS - 1; j->key >= 0; j->key--)
		if (strlen(ufm_columns[j->key].name) == size &&
		    memcmp(ufm_columns[j->key].name, f->from, size) == 0)
			return;
}

int sfab_ufm_json_count(struct sfab_counts *c, struct sfab_scan *s,
			struct sfab_err *err)
{
	struct ufm_json j = { .s = s, .to = c, .key = -1 };
	struct sfab_column_field f;

	while (sfab_scan_line(s))
		for (sfab_scan_blanks(s); s->at < s->end; sfab_scan_blanks(s)) {
			int is_mark = *s->at && strchr("{}[],:", *s->at);

			if (is_mark && take_json_mark(&j, *s->at++, err))
				return -1;
			if (!is_mark && !take_json_scalar(s, &f))
				return sfab_scan_expect(s, err, "JSON", "a string or number");
			if (!is_mark)
				take_json_word(&j, &f);
		}
	sfab_counts_settle_unit(c);
	return !j.depth ? 0 : sfab_scan_fail(s, err, "the file ends early (expected '%c')",
					     j.close[j.depth - 1]);
}

int sfab_ufm_json_detect(struct sfab_scan *s)
{
	int begun = 0;

	while (sfab_scan_line(s)) {
		sfab_scan_blanks(s);
		if (!begun && s->at < s->end && *s->at != '{' && *s->at != '[')
			return 0;
		begun |= s->at < s->end;
		if (sfab_scan_past(s, "\"node_guid\"") || sfab_scan_past(s, "\"Node_GUID\""))
			return 1;
	}
	return 0;
}
