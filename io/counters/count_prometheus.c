/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count_prometheus.c - counters in the text that Prometheus collects; see formats.h
 *
 *     # TYPE infiniband_switch_port_transmit_data_bytes_total counter
 *     infiniband_switch_port_transmit_data_bytes_total{guid="0x7c",port="1"} 7.15e+14
 *     NAME{LABEL="VALUE",...} TOTAL [MILLISECONDS since 1970]
 *
 * Written by the infiniband_exporters for switches and adapters, by node_exporter on each host,
 * by UFM Telemetry, and by Prometheus itself (/federate), which adds the host as the label
 * instance.  A line has one total of one port; all other lines are skipped.
 */

#include "io/readers/formats.h"

#include <stdlib.h>
#include <string.h>

#include "io/counters/count_files.h"
#include "io/readers/csv.h"

#define VALUE_SIZE 64
#define HOST_SIZE 256

#define PACKETS SFAB_NTOTALS	/* no total of a row */

/* Adapters of infiniband_exporter are called as its switches. */
#define PORTS(prefix) \
	{ prefix "transmit_data_bytes_total", SFAB_XMIT, 4 }, \
	{ prefix "receive_data_bytes_total", SFAB_RCV, 4 }, \
	{ prefix "transmit_wait_total", SFAB_WAIT, 1 }, \
	{ prefix "transmit_discards_total", SFAB_DISCARDS, 1 }, \
	{ prefix "receive_errors_total", SFAB_ERRORS, 1 }

static const struct {
	const char *name;
	uint8_t total;		/* enum sfab_total, or PACKETS */
	uint8_t per_word;	/* units in a word of 4 bytes */
} series[] = {
	PORTS("infiniband_switch_port_"),
	PORTS("infiniband_hca_port_"),
	{ "infiniband_portxmitdata_total", SFAB_XMIT, 1 },
	{ "infiniband_portrcvdata_total", SFAB_RCV, 1 },
	{ "infiniband_portxmitwait_total", SFAB_WAIT, 1 },
	{ "infiniband_portxmitdiscards_total", SFAB_DISCARDS, 1 },
	{ "infiniband_portrcverrors_total", SFAB_ERRORS, 1 },
	{ "node_infiniband_port_data_transmitted_bytes_total", SFAB_XMIT, 4 },
	{ "node_infiniband_port_data_received_bytes_total", SFAB_RCV, 4 },
	{ "node_infiniband_legacy_data_transmitted_bytes_total", SFAB_XMIT, 4 },
	{ "node_infiniband_legacy_data_received_bytes_total", SFAB_RCV, 4 },
	{ "node_infiniband_port_transmit_wait_total", SFAB_WAIT, 1 },
	{ "node_infiniband_port_discards_transmitted_total", SFAB_DISCARDS, 1 },
	{ "node_infiniband_port_errors_received_total", SFAB_ERRORS, 1 },
	{ "PortXmitDataExtended", SFAB_XMIT, 1 },
	{ "PortRcvDataExtended", SFAB_RCV, 1 },
	{ "PortXmitWaitExtended", SFAB_WAIT, 1 },
	{ "PortXmitDiscardsExtended", SFAB_DISCARDS, 1 },
	{ "PortRcvErrorsExtended", SFAB_ERRORS, 1 },
	{ "PortXmitPktsExtended", PACKETS, 1 },
};
#define NSERIES (sizeof(series) / sizeof(series[0]))

enum { GUID, PORT, DEVICE, INSTANCE, HOST, LABELS };

static const struct {
	const char *name;
	int is;
} labels[] = {
	{ "guid", GUID }, { "local_guid", GUID }, { "node_guid", GUID }, { "Node_GUID", GUID },
	{ "port", PORT }, { "local_port", PORT }, { "port_num", PORT }, { "Port_Number", PORT },
	{ "device", DEVICE }, { "instance", INSTANCE }, { "nodename", HOST },
	{ "hostname", HOST }, { "host", HOST },
};
#define NLABELS (sizeof(labels) / sizeof(labels[0]))

/* Take the name of the series that the line has, before "{" or a blank: its index, or -1. */
static int take_series(struct sfab_scan *s)
{
	size_t n = 0;

	while (s->pos + n < s->end && s->pos[n] != '{' && s->pos[n] != ' ')
		n++;
	for (size_t i = 0; i < NSERIES; i++)
		if (strlen(series[i].name) == n && memcmp(s->pos, series[i].name, n) == 0) {
			s->pos += n;
			return (int) i;
		}
	return -1;
}

/* Take LABEL="VALUE": quotes and backslashes in a value have a backslash before them. */
static int take_label(struct sfab_scan *s, struct sfab_csv_field *label)
{
	struct sfab_csv_field value;
	const char *name = s->pos;
	size_t n;

	if (!sfab_scan_past(s, "=\""))
		return 0;
	n = (size_t) (s->pos - name) - 2;
	value.begin = s->pos;
	while (s->pos < s->end && *s->pos != '"')
		s->pos += *s->pos == '\\' && s->pos + 1 < s->end ? 2 : 1;
	value.end = s->pos;
	for (size_t i = 0; i < NLABELS; i++)
		if (strlen(labels[i].name) == n && memcmp(name, labels[i].name, n) == 0)
			label[labels[i].is] = value;
	return sfab_scan_take(s, "\"");
}

static int take_labels(struct sfab_scan *s, struct sfab_csv_field *label,
		       struct sfab_err *err)
{
	for (int k = 0; k < LABELS; k++)
		label[k].begin = label[k].end = s->end;
	if (!sfab_scan_take(s, "{"))
		return 0;
	while (!sfab_scan_take(s, "}")) {
		if (!take_label(s, label))
			return sfab_scan_expect(s, err, "labels", "{NAME=\"VALUE\",...}");
		sfab_scan_take(s, ",");
		sfab_scan_blanks(s);
	}
	return 0;
}

/*
 * Take a number like "715166628708940" or "7.1516662870894e+14".  1: *@total is set.  0: the
 * program has no total (NaN), or one that no port can have.  -1: no number.
 */
static int take_count(struct sfab_scan *s, uint64_t *total)
{
	char word[VALUE_SIZE], *end;
	struct sfab_csv_field number = { .begin = word };
	const char *from;
	double value;

	sfab_scan_blanks(s);
	from = s->pos;
	if (!sfab_scan_word(s, word, sizeof(word)))
		return -1;
	number.end = word + strlen(word);
	if (sfab_csv_field_number(&number, UINT64_MAX, total))
		return 1;
	value = strtod(word, &end);
	if (*end) {
		s->pos = from;
		return -1;
	}
	if (!(value >= 0 && value < 0x1p64))
		return 0;
	*total = (uint64_t) value;
	return 1;
}

/* Take the host from the name of a file whose lines name none: node_exporter's "n1.prom". */
static void host_of_file(const char *file, char host[HOST_SIZE])
{
	static const char *const ending[] = { ".gz", ".prom", ".txt", ".metrics" };
	const char *name = strrchr(file, '/');
	size_t n;

	name = name ? name + 1 : file;
	n = strlen(name);
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++) {
		size_t len = strlen(ending[i]);

		if (n > len && strncmp(name + n - len, ending[i], len) == 0)
			n -= len;
	}
	sfab_scan_copy(host, HOST_SIZE, name, name + n);
}

/* Add the row of a line that has a host and a device, and no GUID. */
static int add_by_host(struct sfab_counts *c, const struct sfab_csv_field *label,
		       const struct sfab_counter *row, struct sfab_err *err)
{
	const struct sfab_csv_field *name = &label[HOST];
	char host[HOST_SIZE], device[VALUE_SIZE];

	if (name->begin == name->end)
		name = &label[INSTANCE];
	if (name->begin == name->end)
		host_of_file(c->file, host);
	else
		sfab_scan_copy(host, sizeof(host), name->begin, name->end);
	sfab_scan_copy(device, sizeof(device), label[DEVICE].begin, label[DEVICE].end);
	return sfab_counts_add_device(c, host, device, row, err);
}

/*
 * Add a line's total @n of series @which to the port that the labels name: by GUID, or by host
 * and device if there is no GUID.
 */
static int add_series(struct sfab_counts *c, const struct sfab_scan *s, int which,
		      const struct sfab_csv_field *label, struct sfab_counter *row,
		      uint64_t n, struct sfab_err *err)
{
	struct sfab_scan guid = { .pos = label[GUID].begin, .end = label[GUID].end };
	uint64_t port;

	if (!sfab_csv_field_number(&label[PORT], UINT8_MAX - 1, &port))
		return sfab_scan_fail(s, err, "no label with the port (expected e.g. "
				      "port=\"1\", 0-254)");
	row->port = (uint8_t) port;
	if (series[which].total != PACKETS)
		sfab_counts_set_total(row, series[which].total, n / series[which].per_word);
	if (label[GUID].begin == label[GUID].end && label[DEVICE].begin != label[DEVICE].end)
		return add_by_host(c, label, row, err);
	sfab_scan_take(&guid, "0x");	/* or without */
	if (!sfab_scan_hex(&guid, UINT64_MAX, &row->guid) || guid.pos != guid.end)
		return sfab_scan_fail(s, err, "no label with the GUID of the node (expected "
				      "guid=\"0x...\", or device and instance)");
	if (series[which].total != PACKETS)
		return sfab_counts_add(c, row, err);
	sfab_counts_set_packets(c, row->guid, row->port, n);
	return 0;
}

static int parse_series_line(struct sfab_counts *c, struct sfab_scan *s,
			     struct sfab_err *err)
{
	struct sfab_csv_field label[LABELS];
	struct sfab_counter row = { .flags = SFAB_COUNTED_NOTHING };
	int which = take_series(s), found;
	uint64_t n = 0;

	if (which < 0)
		return 0;
	if (take_labels(s, label, err))
		return -1;
	found = take_count(s, &n);
	if (found < 0)
		return sfab_scan_expect(s, err, "total", "a number");
	if (take_count(s, &row.time_ms) <= 0)
		row.time_ms = 0;
	return found ? add_series(c, s, which, label, &row, n, err) : 0;
}

int sfab_prometheus_count(struct sfab_counts *c, struct sfab_scan *s,
			  struct sfab_err *err)
{
	while (sfab_scan_line(s))
		if (parse_series_line(c, s, err))
			return -1;
	sfab_counts_settle_unit(c);
	return sfab_scan_finish(s, err);
}

int sfab_prometheus_detect(struct sfab_scan *s)
{
	return sfab_scan_line(s) && (sfab_scan_take(s, "# HELP ") ||
				      sfab_scan_take(s, "# TYPE ") || take_series(s) >= 0);
}
