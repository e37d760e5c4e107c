/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * formats.c - which formats there are, and what tells them from each other
 *
 * A file is of the first format in the table that matches it.
 */

#include "io/readers/formats.h"

#include "io/readers/text.h"

#define TOPOLOGY SFAB_BRINGS_TOPOLOGY
#define TABLES SFAB_BRINGS_TABLES
#define COUNTERS SFAB_BRINGS_COUNTERS

const struct sfab_reader sfab_readers[] = {
	{ .name = "ibnetdiscover", .brings = TOPOLOGY, .read = sfab_ibnetdiscover_read,
	  .sign = { { "# Topology file: " }, { "vendid=" }, { "Switch\t" }, { "Ca\t" } },
	  .line = SFAB_SIGN_HEAD },
	{ .name = "opensm-subnet.lst", .brings = TOPOLOGY, .read = sfab_subnet_lst_read,
	  .sign = { { "{ ", " Ports:", " NodeGUID:" } } },
	{ .name = "opensm-lfts", .brings = TABLES, .read = sfab_lfts_read,
	  .sign = { { SFAB_LFTS_HEADING } }, .in_pieces = 1 },
	{ .name = "opensm.fdbs", .brings = TABLES, .read = sfab_fdbs_read,
	  .sign = { { SFAB_FDBS_HEADING }, { SFAB_FDBS_OLD_HEADING } },
	  .in_pieces = 1 },
	{ .name = "ibdiagnet2.db_csv", .brings = TOPOLOGY | COUNTERS, .read = sfab_db_csv_read,
	  .count = sfab_db_csv_count, .sign = { { "START_" } }, .line = SFAB_SIGN_HEAD },
	{ .name = "ibdiagnet2.far", .brings = TABLES, .read = sfab_far_read,
	  .detect = sfab_far_detect },
	{ .name = "opareport-snapshot", .brings = TOPOLOGY | TABLES, .read = sfab_opa_read,
	  .sign = { { "", "<Snapshot " } }, .line = SFAB_SIGN_ANY },
	{ .name = "opareport-linear", .brings = TABLES, .read = sfab_opa_linear_read,
	  .sign = { { "Linear FDB Tables" } }, .line = SFAB_SIGN_ANY },
	{ .name = "opareport-linear.xml", .brings = TABLES, .read = sfab_opa_read,
	  .sign = { { "", "<LinearFDBs>" } }, .line = SFAB_SIGN_ANY },
	{ .name = "sfabric-routes", .brings = TOPOLOGY | TABLES, .read = sfab_routes_read,
	  .detect = sfab_routes_detect },
	{ .name = "opensm.log", .brings = SFAB_BRINGS_FACTS, .read = sfab_opensm_log_read,
	  .detect = sfab_opensm_log_detect },
	{ .name = "perfmgr-counters", .brings = COUNTERS, .count = sfab_perfmgr_count,
	  .sign = { { "Name\tGUID\t", "xmit_data" } } },
	{ .name = "opaextractperf", .brings = COUNTERS, .count = sfab_opaextractperf_count,
	  .sign = { { "NodeDesc;SystemImageGUID;PortNum;" } } },
	{ .name = "perfquery", .brings = COUNTERS, .count = sfab_perfquery_count,
	  .sign = { { "# Port extended counters: " }, { "# Port counters: " } } },
	{ .name = "prometheus", .brings = COUNTERS, .count = sfab_prometheus_count,
	  .detect = sfab_prometheus_detect },
	{ .name = "ufm-telemetry", .brings = COUNTERS, .count = sfab_ufm_count,
	  .sign = { { "timestamp,", "node_guid," }, { "timestamp,", "Node_GUID," } } },
	{ .name = "ufm-telemetry.json", .brings = COUNTERS, .count = sfab_ufm_json_count,
	  .detect = sfab_ufm_json_detect },
	{ .name = "ldms", .brings = COUNTERS, .count = sfab_ldms_count,
	  .sign = { { "#Time,", "ProducerName" }, { "#Time_msec,", "ProducerName" } } },
	{ .name = NULL },
};

/* Has the rest of the line a sign of the format? */
static int has_sign(const struct sfab_reader *r, const struct sfab_scan *s)
{
	for (unsigned i = 0; i < SFAB_SIGNS && r->sign[i][0]; i++) {
		const char *const *text = r->sign[i];
		struct sfab_scan rest = *s;

		if (sfab_scan_take(&rest, text[0]) &&
		    (!text[1] || sfab_scan_past(&rest, text[1])) &&
		    (!text[2] || sfab_scan_past(&rest, text[2])))
			return 1;
	}
	return 0;
}

static int shows_sign(const struct sfab_reader *r, struct sfab_scan *s)
{
	while (sfab_scan_line(s)) {
		if (r->line == SFAB_SIGN_ANY)
			sfab_scan_blanks(s);
		if (has_sign(r, s))
			return 1;
		if (r->line == SFAB_SIGN_FIRST ||
		    (r->line == SFAB_SIGN_HEAD && s->pos < s->end && *s->pos != '#'))
			return 0;
	}
	return 0;
}

const struct sfab_reader *sfab_reader_detect(const char *head, size_t size)
{
	struct sfab_scan s;

	for (const struct sfab_reader *r = sfab_readers; r->name; r++) {
		sfab_scan_init(&s, "", head, size);
		if (r->detect ? r->detect(&s) : shows_sign(r, &s))
			return r;
	}
	return NULL;
}

int sfab_reader_detect_file(const char *path, const struct sfab_reader **reader,
			    struct sfab_err *err)
{
	struct sfab_text t;
	int rc = sfab_text_open(&t, path, 0, err);

	*reader = NULL;
	if (rc == 0)
		rc = sfab_text_fill(&t, SFAB_READER_HEAD, err);
	if (rc == 0)
		*reader = sfab_reader_detect(t.text, t.size);
	sfab_text_close(&t);
	return rc;
}
