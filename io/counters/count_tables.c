/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count_tables.c - counters in tables whose columns have names; see formats.h
 *
 *   ibdiagnet2.db_csv    section PM_INFO, ',': NodeGUID,PortNumber,...
 *   PerfMgr              `perfmgr dump_counters mach`, tabs: Name GUID Active ...
 *   opaextractperf       ';': NodeDesc;SystemImageGUID;PortNum;...
 *   UFM Telemetry        ',': timestamp,source_id,tag,node_guid,port_guid,port_num,...
 *   LDMS's store_csv     ',': #Time,Time_usec,ProducerName,component_id,...
 *
 * UFM Telemetry as JSON has the same names as keys, one object for each port, within whatever
 * arrays and objects:
 *
 *     {"values": [{"timestamp": 1709652347161873, "node_guid": "0xb8599f0300000a01", ...}]}
 *
 * Missing totals ("N/A", "-1") are 0.  Names of columns changed between versions, so some have
 * two; the first that is present counts.
 *
 * The samplers of LDMS name ports in three ways, and the heading tells which:
 *
 *   ibnet           lid,port                    any port, one sampler for the fabric
 *   ibmad_sampler   ProducerName,ca_name,port   the ports of a host, a row for each
 *   sysclassib      ib.NAME#CA.PORT             the same in one row, columns for each
 *
 * LDMS appends: a line that is being written has no end yet and counts the next time.
 */

#include "io/readers/formats.h"

#include <stdio.h>
#include <string.h>

#include "io/counters/count_files.h"
#include "io/readers/csv.h"

#define NAME_SIZE 256
#define JSON_DEPTH 32

/* What columns are for.  Totals are as in enum sfab_total, each with its older name. */
enum {
	COL_NODE, COL_NODE_OLD, COL_PORT, COL_PORT_OLD,
	COL_DEVICE,		/* of a host */
	COL_GUID,		/* of a node whose name is not known */
	COL_TIME_US, COL_TIME_MS, COL_TIME_S, COL_USEC,
	COL_PACKETS,
	COL_XMIT, COL_XMIT_OLD, COL_RCV, COL_RCV_OLD, COL_WAIT, COL_WAIT_OLD,
	COL_DISCARDS, COL_DISCARDS_OLD, COL_ERRORS, COL_ERRORS_OLD,
	COLUMNS,
};

struct count_table {
	enum { NODE_BY_GUID, NODE_BY_LID, NODE_BY_DESC, NODE_BY_HOST } node;
	unsigned words_per_unit;	/* of data; a word has 4 bytes */
	struct sfab_csv_column column[COLUMNS];
};

static const struct count_table pm_info = { NODE_BY_GUID, 1, {
	[COL_NODE] = SFAB_COLUMN("NodeGUID"), [COL_PORT] = SFAB_COLUMN("PortNumber"),
	[COL_XMIT] = SFAB_MAYBE("PortXmitDataExtended"),
	[COL_XMIT_OLD] = SFAB_MAYBE("PortXmitData"),
	[COL_RCV] = SFAB_MAYBE("PortRcvDataExtended"), [COL_RCV_OLD] = SFAB_MAYBE("PortRcvData"),
	[COL_WAIT] = SFAB_MAYBE("PortXmitWaitExt"), [COL_WAIT_OLD] = SFAB_MAYBE("PortXmitWait"),
	[COL_DISCARDS] = SFAB_MAYBE("PortXmitDiscardsExt"),
	[COL_DISCARDS_OLD] = SFAB_MAYBE("PortXmitDiscards"),
	[COL_ERRORS] = SFAB_MAYBE("PortRcvErrorsExt"),
} };

static const struct count_table perfmgr = { NODE_BY_GUID, 1, {
	[COL_NODE] = SFAB_COLUMN("GUID"), [COL_PORT] = SFAB_COLUMN("Port"),
	[COL_XMIT] = SFAB_COLUMN("xmit_data"), [COL_RCV] = SFAB_COLUMN("rcv_data"),
	[COL_WAIT] = SFAB_MAYBE("xmit_wait"), [COL_DISCARDS] = SFAB_MAYBE("xmit_discards"),
	[COL_ERRORS] = SFAB_MAYBE("rcv_err"),
} };

/* Omni-Path counts flits of 8 bytes and identifies nodes by name, not by GUID. */
static const struct count_table opaextractperf = { NODE_BY_DESC, 2, {
	[COL_NODE] = SFAB_COLUMN("NodeDesc"), [COL_PORT] = SFAB_COLUMN("PortNum"),
	[COL_GUID] = SFAB_COLUMN("SystemImageGUID"),
	[COL_XMIT] = SFAB_COLUMN("XmitData"), [COL_RCV] = SFAB_COLUMN("RcvData"),
	[COL_WAIT] = SFAB_MAYBE("XmitWait"), [COL_DISCARDS] = SFAB_MAYBE("XmitDiscards"),
	[COL_ERRORS] = SFAB_MAYBE("RcvErrors"),
} };

/* Primary telemetry has the first names of node and port, secondary the others. */
static const struct count_table ufm = { NODE_BY_GUID, 1, {
	[COL_NODE] = SFAB_MAYBE("node_guid"), [COL_NODE_OLD] = SFAB_MAYBE("Node_GUID"),
	[COL_PORT] = SFAB_MAYBE("port_num"), [COL_PORT_OLD] = SFAB_MAYBE("Port_Number"),
	[COL_TIME_US] = SFAB_MAYBE("timestamp"), [COL_PACKETS] = SFAB_MAYBE("PortXmitPktsExtended"),
	[COL_XMIT] = SFAB_COLUMN("PortXmitDataExtended"),
	[COL_RCV] = SFAB_COLUMN("PortRcvDataExtended"),
	[COL_WAIT] = SFAB_MAYBE("PortXmitWaitExtended"),
	[COL_WAIT_OLD] = SFAB_MAYBE("PortXmitWait"),
	[COL_DISCARDS] = SFAB_MAYBE("PortXmitDiscardsExtended"),
	[COL_DISCARDS_OLD] = SFAB_MAYBE("PortXmitDiscards"),
	[COL_ERRORS] = SFAB_MAYBE("PortRcvErrorsExtended"),
} };

#define LDMS_TIMES \
	[COL_TIME_S] = SFAB_MAYBE("Time"), [COL_TIME_MS] = SFAB_MAYBE("Time_msec"), \
	[COL_USEC] = SFAB_MAYBE("Time_usec")

static const struct count_table ibnet = { NODE_BY_LID, 1, {
	LDMS_TIMES, [COL_NODE] = SFAB_COLUMN("lid"), [COL_PORT] = SFAB_COLUMN("port"),
	[COL_XMIT] = SFAB_COLUMN("PortXmitData"), [COL_RCV] = SFAB_COLUMN("PortRcvData"),
	[COL_WAIT] = SFAB_MAYBE("PortXmitWait"), [COL_DISCARDS] = SFAB_MAYBE("PortXmitDiscards"),
	[COL_ERRORS] = SFAB_MAYBE("PortRcvErrors"),
} };

static const struct count_table ibmad = { NODE_BY_HOST, 1, {
	LDMS_TIMES, [COL_NODE] = SFAB_COLUMN("ProducerName"), [COL_PORT] = SFAB_COLUMN("port"),
	[COL_DEVICE] = SFAB_COLUMN("ca_name"),
	[COL_XMIT] = SFAB_COLUMN("port_xmit_data"), [COL_RCV] = SFAB_COLUMN("port_rcv_data"),
	[COL_WAIT] = SFAB_MAYBE("port_xmit_wait"), [COL_ERRORS] = SFAB_MAYBE("port_rcv_errors"),
	[COL_DISCARDS] = SFAB_MAYBE("port_xmit_discards"),
} };

struct table_counts {
	struct sfab_counts *counts;
	const struct count_table *table;
};

static int is_field_empty(const struct sfab_csv_field *f)
{
	return f->begin == f->end;
}

/* Return the column @k, or its older one if only that has something. */
static unsigned first_of_two(const struct sfab_csv_field *field, unsigned k)
{
	return is_field_empty(&field[k]) && !is_field_empty(&field[k + 1]) ? k + 1 : k;
}

/*
 * Return the time of a row, 0: none.  Columns have it in microseconds, in milliseconds, or as
 * seconds with a fraction and microseconds.
 */
static uint64_t row_time_ms(const struct sfab_csv_field *field)
{
	struct sfab_csv_field seconds = field[COL_TIME_S];
	const char *point;
	uint64_t n = 0, usec = 0;

	if (sfab_csv_field_number(&field[COL_TIME_US], UINT64_MAX, &n))
		return n / 1000;
	if (sfab_csv_field_number(&field[COL_TIME_MS], UINT64_MAX, &n))
		return n;
	if (is_field_empty(&seconds))
		return 0;
	point = memchr(seconds.begin, '.', (size_t) (seconds.end - seconds.begin));
	seconds.end = point ? point : seconds.end;
	if (!sfab_csv_field_number(&seconds, UINT64_MAX / 1000 - 1, &n))
		return 0;
	sfab_csv_field_number(&field[COL_USEC], 999999, &usec);
	return n * 1000 + usec / 1000;
}

/* Take a GUID with "0x", or of sixteen digits without. */
static int take_guid(const struct sfab_csv *csv, unsigned column, uint64_t *guid,
		     struct sfab_err *err)
{
	struct sfab_scan bare = { .pos = csv->field[column].begin, .end = csv->field[column].end };

	if (bare.end - bare.pos == 16 && sfab_scan_hex(&bare, UINT64_MAX, guid) &&
	    bare.pos == bare.end)
		return 0;
	return sfab_csv_number(csv, column, UINT64_MAX, guid, err);
}

/* Add @row.  Column @column has its node, by what the tables of that program name nodes by. */
static int add_count_row(const struct table_counts *t, const struct sfab_csv *csv,
			 unsigned column, struct sfab_counter *row, struct sfab_err *err)
{
	const struct sfab_csv_field *field = csv->field;
	char name[NAME_SIZE], device[NAME_SIZE];
	uint64_t lid, packets;
	uint8_t lid_port = 0;

	sfab_scan_copy(name, sizeof(name), field[column].begin, field[column].end);
	switch (t->table->node) {
	case NODE_BY_HOST:
		sfab_scan_copy(device, sizeof(device), field[COL_DEVICE].begin,
			       field[COL_DEVICE].end);
		return sfab_counts_add_device(t->counts, name, device, row, err);
	case NODE_BY_LID:
		if (sfab_csv_number(csv, column, SFAB_LID_MAX, &lid, err))
			return -1;
		row->guid = sfab_counts_lid_guid(t->counts, (uint32_t) lid, &lid_port);
		row->port = lid_port ? lid_port : row->port;
		break;
	case NODE_BY_DESC:
		row->guid = sfab_counts_desc_guid(t->counts, name);
		if (!row->guid && take_guid(csv, COL_GUID, &row->guid, err))
			return -1;
		break;
	case NODE_BY_GUID:
		if (take_guid(csv, column, &row->guid, err))
			return -1;
	}
	if (sfab_counts_add(t->counts, row, err))
		return -1;
	if (sfab_csv_field_number(&field[COL_PACKETS], UINT64_MAX, &packets))
		sfab_counts_set_packets(t->counts, row->guid, row->port, packets);
	return 0;
}

/*
 * Add a row of the table.  A row of UFM for several planes together has no node: none of our
 * ports.
 */
static int take_count_row(void *ctx, const struct sfab_csv *csv, struct sfab_err *err)
{
	const struct table_counts *t = ctx;
	struct sfab_counter row = { .flags = SFAB_COUNTED_NOTHING,
				    .time_ms = row_time_ms(csv->field) };
	unsigned node = first_of_two(csv->field, COL_NODE), unit = t->table->words_per_unit;
	uint64_t port, n;

	if (t->table == &ufm && is_field_empty(&csv->field[node])) {
		t->counts->nunknown++;
		return 0;
	}
	if (sfab_csv_number(csv, first_of_two(csv->field, COL_PORT), UINT8_MAX - 1, &port, err))
		return -1;
	row.port = (uint8_t) port;
	/* The first number of a total's two columns counts. */
	for (unsigned k = 0; k < SFAB_NTOTALS; k++) {
		const struct sfab_csv_field *f = &csv->field[COL_XMIT + 2 * k];

		if (sfab_csv_field_number(f, UINT64_MAX, &n) ||
		    sfab_csv_field_number(f + 1, UINT64_MAX, &n))
			sfab_counts_set_total(&row, k, k <= SFAB_RCV ? n * unit : n);
	}
	return add_count_row(t, csv, node, &row, err);
}

/* Read PM_INFO, one section of many.  read_db_csv.c reads the topology of the same file. */
int sfab_db_csv_count(struct sfab_counts *c, struct sfab_scan *s, struct sfab_err *err)
{
	static const struct sfab_csv_table sections[] = {
		{ "PM_INFO", pm_info.column, COLUMNS, 0, take_count_row },
		{ NULL, NULL, 0, 0, NULL },
	};
	struct table_counts t = { c, &pm_info };

	return sfab_csv_sections(s, sections, &t, err);
}

/* Read a file that is one table. */
static int count_table(struct sfab_counts *c, struct sfab_scan *s, const char *separator,
		       const struct count_table *table, struct sfab_err *err)
{
	const struct sfab_csv_table whole = { NULL, table->column, COLUMNS, 0, take_count_row };
	struct table_counts t = { c, table };
	int rc = sfab_csv_read(s, separator, &whole, &t, err);

	sfab_counts_settle_unit(c);
	return rc;
}

int sfab_perfmgr_count(struct sfab_counts *c, struct sfab_scan *s, struct sfab_err *err)
{
	return count_table(c, s, "\t", &perfmgr, err);
}

int sfab_opaextractperf_count(struct sfab_counts *c, struct sfab_scan *s,
			      struct sfab_err *err)
{
	return count_table(c, s, ";", &opaextractperf, err);
}

int sfab_ufm_count(struct sfab_counts *c, struct sfab_scan *s, struct sfab_err *err)
{
	return count_table(c, s, ",", &ufm, err);
}

struct ufm_json {
	struct sfab_scan *s;
	struct table_counts counts;
	struct sfab_csv row;	/* the innermost object */
	int key;		/* the next value's field; -1: none of ours */
	unsigned depth;
	char close[JSON_DEPTH];	/* brackets that are open */
};

/* Follow a bracket or comma.  Each object that ends is a row, if it has data sent. */
static int take_json_mark(struct ufm_json *j, char mark, struct sfab_err *err)
{
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
	j->row.row = *j->s;
	if (mark == '}' && !is_field_empty(&j->row.field[COL_XMIT]))
		rc = take_count_row(&j->counts, &j->row, err);
	if (mark == '{' || mark == '}')
		memset(j->row.field, 0, sizeof(j->row.field));
	return rc;
}

/* Take a string without its quotes, or a number or word. */
static int take_json_scalar(struct sfab_scan *s, struct sfab_csv_field *f)
{
	int quoted = sfab_scan_take(s, "\"");

	f->begin = s->pos;
	while (s->pos < s->end && (quoted ? *s->pos != '"' : !strchr(" \t\"{}[],:", *s->pos)))
		s->pos += quoted && *s->pos == '\\' && s->pos + 1 < s->end ? 2 : 1;
	f->end = s->pos;
	return quoted ? sfab_scan_take(s, "\"") : f->end > f->begin;
}

/* Record @f as a key if ':' follows, else as the value of the last key. */
static void take_json_word(struct ufm_json *j, const struct sfab_csv_field *f)
{
	size_t size = (size_t) (f->end - f->begin);

	sfab_scan_blanks(j->s);
	if (j->s->pos == j->s->end || *j->s->pos != ':') {
		if (j->key >= 0)
			j->row.field[j->key] = *f;
		j->key = -1;
		return;
	}
	for (j->key = COLUMNS - 1; j->key >= 0; j->key--) {
		const char *name = ufm.column[j->key].name;

		if (name && strlen(name) == size && memcmp(name, f->begin, size) == 0)
			return;
	}
}

int sfab_ufm_json_count(struct sfab_counts *c, struct sfab_scan *s,
			struct sfab_err *err)
{
	struct ufm_json j = { .s = s, .counts = { c, &ufm }, .row = { .column = ufm.column },
			      .key = -1 };
	struct sfab_csv_field f;

	while (sfab_scan_line(s))
		for (sfab_scan_blanks(s); s->pos < s->end; sfab_scan_blanks(s)) {
			int is_mark = *s->pos && strchr("{}[],:", *s->pos);

			if (is_mark && take_json_mark(&j, *s->pos++, err))
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
		if (!begun && s->pos < s->end && *s->pos != '{' && *s->pos != '[')
			return 0;
		begun |= s->pos < s->end;
		if (sfab_scan_past(s, "\"node_guid\"") || sfab_scan_past(s, "\"Node_GUID\""))
			return 1;
	}
	return 0;
}

/* -- LDMS ------------------------------------------------------------------- */

/*
 * Read all rows after the heading @s, whose columns are @column.  @device and @port: of all of
 * them, where no columns have these.
 */
static int count_ldms_rows(struct table_counts *t, struct sfab_scan s,
			   const struct sfab_csv_column *column,
			   const struct sfab_csv_field *device,
			   const struct sfab_csv_field *port, struct sfab_err *err)
{
	struct sfab_csv csv;

	if (sfab_csv_heading(&csv, &s, ",", column, COLUMNS, NULL, err))
		return -1;
	while (sfab_scan_line(&s)) {
		if (s.pos == s.end || *s.pos == '#')
			continue;	/* rolled over: the heading again */
		if (s.next == s.eof && s.eof[-1] != '\n')
			break;
		if (sfab_csv_row(&csv, &s, err))
			return -1;
		if (device) {
			csv.field[COL_DEVICE] = *device;
			csv.field[COL_PORT] = *port;
		}
		if (take_count_row(t, &csv, err))
			return -1;
	}
	return 0;
}

/* Read the columns of "CA.PORT", which follows each '#' in the heading, up to @end. */
static int count_ldms_port(struct table_counts *t, const struct sfab_scan *heading,
			   const char *ca, const char *end, struct sfab_err *err)
{
	struct sfab_csv_column column[COLUMNS] = {
		LDMS_TIMES, [COL_NODE] = SFAB_COLUMN("ProducerName"),
	};
	char name[COLUMNS][NAME_SIZE];
	struct sfab_csv_field device = { ca, end }, port = { ca, end };
	uint64_t n;

	for (int k = COL_XMIT; k < COLUMNS; k++)
		if (ibmad.column[k].name) {
			snprintf(name[k], sizeof(name[k]), "ib.%s#%.*s", ibmad.column[k].name,
				 (int) (end - ca < 200 ? end - ca : 200), ca);
			column[k] = ibmad.column[k];
			column[k].name = name[k];
		}
	for (const char *p = ca; p < end; p++)
		if (*p == '.') {
			device.end = p;
			port.begin = p + 1;
		}
	if (!sfab_csv_field_number(&port, UINT8_MAX - 1, &n))
		return sfab_scan_fail(heading, err, "bad column (found \"ib.port_xmit_data#%.*s\", "
				      "expected #CA.PORT)",
				      (int) (end - ca < 40 ? end - ca : 40), ca);
	return count_ldms_rows(t, *heading, column, &device, &port, err);
}

int sfab_ldms_count(struct sfab_counts *c, struct sfab_scan *s, struct sfab_err *err)
{
	struct table_counts t = { c, &ibmad };
	struct sfab_scan rest;
	int n = 0;

	c->is_log = 1;
	if (sfab_scan_line(s))
		sfab_scan_take(s, "#");
	for (rest = *s; sfab_scan_past(&rest, "ib.port_xmit_data#"); n++) {
		const char *ca = rest.pos;

		while (rest.pos < rest.end && *rest.pos != ',' && *rest.pos != '"')
			rest.pos++;
		if (count_ldms_port(&t, s, ca, rest.pos, err))
			return -1;
	}
	if (n)
		return 0;
	if (sfab_scan_past(&rest, ",PortXmitData"))
		t.table = &ibnet;
	return count_ldms_rows(&t, *s, t.table->column, NULL, NULL, err);
}
