/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count_ldms.c - counters in a file that LDMS's store_csv appends to
 *
 *     #Time,Time_usec,ProducerName,component_id,...
 *     1700000000.000123,123,n1,1,...
 *
 * The samplers name ports in three ways, and the heading tells which:
 *
 *   ibnet           lid,port                    any port, one sampler for the fabric
 *   ibmad_sampler   ProducerName,ca_name,port   the ports of a host, a row for each
 *   sysclassib      ib.NAME#CA.PORT             the same in one row, columns for each
 *
 * Totals are words.  A line that is being written has no end yet and counts the next time.
 */

#include "io/readers/formats.h"

#include <stdio.h>
#include <string.h>

#include "io/counters/count_files.h"
#include "io/readers/columns.h"

#define LDMS_NAME_SIZE 256

enum {
	LDMS_TIME, LDMS_MSEC, LDMS_USEC, LDMS_NODE, LDMS_PORT, LDMS_DEVICE,
	LDMS_TOTALS, LDMS_COLUMNS = LDMS_TOTALS + SFAB_NTOTALS,
};

#define LDMS_TIMES { "Time", 1 }, { "Time_msec", 1 }, { "Time_usec", 1 }

static const struct sfab_column ibnet_columns[LDMS_COLUMNS] = {
	LDMS_TIMES, { "lid", 0 }, { "port", 0 }, { "-", 1 },
	{ "PortXmitData", 0 }, { "PortRcvData", 0 }, { "PortXmitWait", 1 },
	{ "PortXmitDiscards", 1 }, { "PortRcvErrors", 1 },
};

static const struct sfab_column ibmad_columns[LDMS_COLUMNS] = {
	LDMS_TIMES, { "ProducerName", 0 }, { "port", 0 }, { "ca_name", 0 },
	{ "port_xmit_data", 0 }, { "port_rcv_data", 0 }, { "port_xmit_wait", 1 },
	{ "port_xmit_discards", 1 }, { "port_rcv_errors", 1 },
};

struct ldms_table {
	struct sfab_columns columns;
	int by_lid;
	const char *device;	/* of all rows; NULL: a column */
	uint64_t port;
};

/* Seconds with a fraction and microseconds, or milliseconds. */
static uint64_t ldms_time_ms(const struct sfab_column_field *field)
{
	struct sfab_column_field seconds = field[LDMS_TIME];
	const char *point = memchr(seconds.from, '.', (size_t) (seconds.to - seconds.from));
	uint64_t n = 0, usec = 0;

	if (sfab_field_number(&field[LDMS_MSEC], UINT64_MAX, &n))
		return n;
	seconds.to = point ? point : seconds.to;
	if (!sfab_field_number(&seconds, UINT64_MAX / 1000 - 1, &n))
		return 0;
	sfab_field_number(&field[LDMS_USEC], 999999, &usec);
	return n * 1000 + usec / 1000;
}

static int take_ldms_row(struct sfab_counts *c, const struct ldms_table *t,
			 const struct sfab_scan *s, const struct sfab_column_field *field,
			 struct sfab_err *err)
{
	struct sfab_counter row = { .time_ms = ldms_time_ms(field),
				    .flags = SFAB_COUNTED_NOTHING };
	char host[LDMS_NAME_SIZE], device[LDMS_NAME_SIZE];
	uint64_t port = t->port, lid, n;
	uint8_t own = 0;

	if (!t->device && sfab_columns_number(&t->columns, s, field, LDMS_PORT,
					      UINT8_MAX - 1, &port, err))
		return -1;
	row.port = (uint8_t) port;
	for (unsigned k = 0; k < SFAB_NTOTALS; k++)
		if (sfab_field_number(&field[LDMS_TOTALS + k], UINT64_MAX, &n))
			sfab_counts_total(&row, k, n);
	if (t->by_lid) {
		if (sfab_columns_number(&t->columns, s, field, LDMS_NODE, SFAB_LID_MAX, &lid,
					err))
			return -1;
		row.guid = sfab_counts_lid(c, (uint32_t) lid, &own);
		row.port = own ? own : row.port;
		return sfab_counts_add(c, &row, err);
	}
	sfab_scan_copy(host, sizeof(host), field[LDMS_NODE].from, field[LDMS_NODE].to);
	sfab_scan_copy(device, sizeof(device), field[LDMS_DEVICE].from, field[LDMS_DEVICE].to);
	return sfab_counts_add_device(c, host, t->device ? t->device : device, &row, err);
}

/* All rows after the heading @s, whose columns are @column. */
static int count_ldms_rows(struct sfab_counts *c, struct sfab_scan s, struct ldms_table *t,
			   const struct sfab_column *column, struct sfab_err *err)
{
	struct sfab_column_field field[LDMS_COLUMNS];

	if (sfab_columns_heading(&t->columns, &s, ',', column, LDMS_COLUMNS, err))
		return -1;
	while (sfab_scan_line(&s)) {
		struct sfab_scan row = s;

		if (s.at == s.end || *s.at == '#')
			continue;	/* rolled over: the heading again */
		if (s.next == s.eof && s.eof[-1] != '\n')
			break;
		if (sfab_columns_row(&t->columns, &row, field, err) ||
		    take_ldms_row(c, t, &s, field, err))
			return -1;
	}
	return 0;
}

/* The columns of "CA.PORT", which follows each '#' in the heading. */
static int count_ldms_port(struct sfab_counts *c, const struct sfab_scan *heading,
			   const char *ca, const char *to, struct sfab_err *err)
{
	struct sfab_column column[LDMS_COLUMNS] = {
		LDMS_TIMES, { "ProducerName", 0 }, { "-", 1 }, { "-", 1 },
	};
	char name[LDMS_COLUMNS][LDMS_NAME_SIZE], device[LDMS_NAME_SIZE], *point;
	struct ldms_table t = { .device = device };
	struct sfab_column_field number;

	sfab_scan_copy(device, sizeof(device), ca, to);
	for (int k = LDMS_TOTALS; k < LDMS_COLUMNS; k++) {
		snprintf(name[k], sizeof(name[k]), "ib.%s#%.200s", ibmad_columns[k].name, device);
		column[k] = (struct sfab_column){ name[k], k > LDMS_TOTALS + SFAB_RCV };
	}
	point = strrchr(device, '.');
	number.from = point ? point + 1 : device;
	number.to = device + strlen(device);
	if (!sfab_field_number(&number, UINT8_MAX - 1, &t.port))
		return sfab_scan_fail(heading, err, "bad column (found \"ib.port_xmit_data#%.40s\", "
				      "expected #CA.PORT)", device);
	if (point)
		*point = '\0';
	return count_ldms_rows(c, *heading, &t, column, err);
}

int sfab_ldms_count(struct sfab_counts *c, struct sfab_scan *s, struct sfab_err *err)
{
	struct ldms_table t = { .by_lid = 0 };
	struct sfab_scan look;
	int n = 0;

	c->is_log = 1;
	if (sfab_scan_line(s))
		sfab_scan_take(s, "#");
	for (look = *s; sfab_scan_past(&look, "ib.port_xmit_data#"); n++) {
		const char *ca = look.at;

		while (look.at < look.end && *look.at != ',' && *look.at != '"')
			look.at++;
		if (count_ldms_port(c, s, ca, look.at, err))
			return -1;
	}
	if (n)
		return 0;
	t.by_lid = sfab_scan_past(&look, ",PortXmitData");
	return count_ldms_rows(c, *s, &t, t.by_lid ? ibnet_columns : ibmad_columns, err);
}

int sfab_ldms_detect(struct sfab_scan *s)
{
	return sfab_scan_line(s) &&
	       (sfab_scan_take(s, "#Time,") || sfab_scan_take(s, "#Time_msec,")) &&
	       sfab_scan_past(s, "ProducerName");
}
