/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_counts_files.c - files of port counters, whole and spoilt */

#include "io/counters/count_files.h"
#include "tests/unit/fixtures/texts.h"
#include "tests/unit/fixtures/unit.h"

/*
 * All say the same: leaf1 (a01) port 4 sent 5000 words, received 70, waited 9 ticks and threw 3
 * packets away; n1's port sent 600.
 */
static const char perfquery[] =
	"# Port extended counters: Lid 1 port 4 (CapMask: 0x1300)\n"
	"PortSelect:......................4\n"
	"PortXmitData:....................5000\n"
	"PortRcvData:.....................70\n"
	"# Port counters: Lid 1 port 4 (CapMask: 0x1300)\n"
	"PortSelect:......................4\n"
	"PortXmitDiscards:................3\n"
	"PortXmitData:....................4294967295\n"
	"PortXmitWait:....................9\n"
	"# Port extended counters: Lid 4 port 1 (CapMask: 0x1300)\n"
	"PortXmitData:....................600\n"
	"PortRcvData:.....................0\n";

static const char perfmgr[] =
	"Name\tGUID\tActive\tPort\tLast Reset\trcv_err\txmit_discards\t"
	"xmit_wait\txmit_data\trcv_data\n"
	"leaf1\t0xa01\tTRUE\t4\tThu Jan  1 00:00:00 2026\t0\t3\t9\t5000\t70\n"
	"n1 HCA-1\t0xc01\tTRUE\t1\tThu Jan  1 00:00:00 2026\t0\t0\t0\t600\t0\n";

static const char opaextractperf[] =
	"NodeDesc;SystemImageGUID;PortNum;LinkSpeedActive;XmitDataMB;XmitData;"
	"RcvDataMB;RcvData;XmitWait;CongDiscards;RcvErrors;XmitDiscards\n"
	"leaf1;0x1;0;25Gb;0;0;0;0;0;0;0;0\n"
	"leaf1;0x1;4;25Gb;0;2500;0;35;9;77;0;3\n"
	"n1 HCA-1;0x2;1;25Gb;0;300;0;0;0;0;0;0\n";

static const char db_csv[] =
	"START_PM_INFO\n"
	"NodeGUID,PortGUID,PortNumber,PortXmitDiscards,PortXmitDataExtended,"
	"PortRcvDataExtended,PortXmitWait\n"
	"0x0000000000000a01,0x0,4,3,0x1388,70,9\n"
	"0x0000000000000a01,0x0,3,0,0,0,0\n"
	"0x0000000000000c01,0x0,1,0,600,0,N/A\n"
	"END_PM_INFO\n";

/* Its adapters are named by the GUIDs of their ports, as `ibnetdiscover -p` does. */
static const char exporter[] =
	"# HELP infiniband_switch_port_transmit_data_bytes_total PortXmitData\n"
	"# TYPE infiniband_switch_port_transmit_data_bytes_total counter\n"
	"infiniband_switch_port_transmit_data_bytes_total{guid=\"0xa01\",port=\"4\"} 2e+04\n"
	"infiniband_switch_port_receive_data_bytes_total{guid=\"0xa01\",port=\"4\"} 280\n"
	"infiniband_switch_port_transmit_discards_total{guid=\"0xa01\",port=\"4\"} 3\n"
	"infiniband_switch_port_transmit_wait_total{guid=\"0xa01\",port=\"4\"} 9\n"
	"infiniband_switch_uplink_info{guid=\"0xa01\",port=\"4\",switch=\"a \\\"b\\\"\"} 1\n"
	"infiniband_hca_port_transmit_data_bytes_total{guid=\"0xc11\",port=\"1\"} 2400\n";

/* Another infiniband_exporter: words, and both ends of the cable. */
static const char exporter_words[] =
	"# TYPE infiniband_portxmitdata_total counter\n"
	"infiniband_portxmitdata_total{component=\"switch\",local_guid=\"0xa01\",local_name="
	"\"a, {\\\"b\\\"}\",local_port=\"4\",remote_guid=\"0xb01\",remote_port=\"1\"} 5000.0\n"
	"infiniband_portrcvdata_total{local_guid=\"0xa01\",local_port=\"4\"} 70.0\n"
	"infiniband_portxmitwait_total{local_guid=\"0xa01\",local_port=\"4\"} 9.0\n"
	"infiniband_portxmitdiscards_total{local_guid=\"0xa01\",local_port=\"4\"} 3.0\n"
	"infiniband_portxmitdata_total{local_guid=\"0xc01\",local_port=\"1\"} 600.0\n";

/* As /federate has it: the host as instance, the time of the sample. */
static const char node_exporter[] =
	"# TYPE node_infiniband_port_data_transmitted_bytes_total untyped\n"
	"node_infiniband_port_data_transmitted_bytes_total{device=\"mlx5_0\",instance="
	"\"n1:9100\",job=\"node\",port=\"1\"} 2400 500\n"
	"# TYPE node_infiniband_port_transmit_wait_total untyped\n"
	"node_infiniband_port_transmit_wait_total{device=\"mlx5_0\",instance=\"n1:9100\","
	"port=\"1\"} 7 500\n";

/* 40 packets a word would be too many: the totals are words. */
static const char ufm_text[] =
	"# TYPE PortXmitDataExtended counter\n"
	"# TYPE PortXmitPktsExtended counter\n"
	"PortXmitDataExtended{source=\"0x0a01\",node_guid=\"a01\",port_guid=\"a01\",port_num="
	"\"4\"} 5000 500\n"
	"PortXmitPktsExtended{source=\"0x0a01\",node_guid=\"a01\",port_num=\"4\"} 40 500\n"
	"PortRcvDataExtended{source=\"0x0a01\",node_guid=\"a01\",port_num=\"4\"} 70 500\n"
	"PortXmitWaitExtended{source=\"0x0a01\",node_guid=\"a01\",port_num=\"4\"} 9 500\n"
	"PortXmitDiscardsExtended{node_guid=\"a01\",port_num=\"4\"} 3 500\n"
	"PortXmitDataExtended{source=\"0x0c01\",node_guid=\"c01\",port_num=\"1\"} 600 500\n";

static const char ufm_csv[] =
	"timestamp,source_id,tag,node_guid,port_guid,port_num,PortXmitDataExtended,"
	"PortRcvDataExtended,PortXmitPktsExtended,PortXmitDiscardsExtended,PortXmitWaitExtended\n"
	"500000,0x0a01,,0x0000000000000a01,0x0a01,4,5000,70,40,3,9\n"
	"500000,0x0c01,,0x0000000000000c01,0x0c11,1,600,0,5,0,\n";

/* As UFM's plugin for Fluentd sends it, which keeps the names of the CSV. */
static const char ufm_json[] =
	"{\n  \"timestamp\": \"2024-03-05 16:26:11\",\n  \"type\": \"full\",\n  \"values\": [\n"
	"    {\n      \"timestamp\": 500000,\n      \"source_id\": \"\\\"}0x0a01\",\n"
	"      \"node_guid\": \"0x0000000000000a01\",\n      \"port_num\": 4,\n"
	"      \"PortXmitDataExtended\": 5000,\n      \"PortRcvDataExtended\": 70,\n"
	"      \"PortXmitPktsExtended\": 40,\n      \"PortXmitDiscardsExtended\": 3,\n"
	"      \"PortXmitWaitExtended\": 9, \"port_state\": null },\n"
	"{\"port_num\":\"1\",\"node_guid\":\"0000000000000c01\",\"timestamp\":\"500000\","
	"\"PortXmitDataExtended\":\"600\",\"PortRcvDataExtended\":0}]}";

static const char ldms_ibnet[] =
	"#Time,Time_usec,ProducerName,component_id,remote,lid,port,node_name,PortXmitData,"
	"PortRcvData,PortXmitPkts,PortXmitDiscards,PortXmitWait\n"
	"0.250000,250000,leaf1,0,1.4,1,4,leaf1,4000,60,1,2,8\n"
	"0.500000,500000,leaf1,0,1.4,1,4,leaf1,5000,70,1,3,9\n"
	"0.500000,500000,n1,0,4.1,4,1,n1,600,0,1,0,0\n"
	"0.750000,750000,leaf1,0,1.4,1,4,leaf1,60";	/* being written */

static const char ldms_ibmad[] =
	"#Time_msec,Time_usec,ProducerName,component_id,job_id,ca_name,port,port_xmit_data,"
	"port_rcv_data,port_xmit_wait\n"
	"500,0,n1,1,0,mlx5_0,1,600,0,0\n"
	"250,0,n1,1,0,mlx5_0,1,9999,0,0\n";

static const char ldms_sysclassib[] =
	"#Time,Time_usec,ProducerName,component_id,ib.port_xmit_data#mlx5_0.1,"
	"ib.port_xmit_data.rate#mlx5_0.1,ib.port_rcv_data#mlx5_0.1,ib.port_xmit_wait#mlx5_0.1\n"
	"0.500000,500000,n1.site.org,1,600,0,0,0\n"
	"#Time,Time_usec,ProducerName\n";

enum { ALL, HOSTS };

static const struct {
	const char *text, *reader;
	int host_waits;		/* XmitWait of n1's port is known */
	int ports;		/* ALL, or only those of hosts */
	uint64_t time_ms;
} formats[] = {
	{ perfquery, "perfquery", 0, ALL, 1000 },
	{ perfmgr, "perfmgr-counters", 1, ALL, 1000 },
	{ opaextractperf, "opaextractperf", 1, ALL, 1000 },
	{ db_csv, "ibdiagnet2.db_csv", 0, ALL, 1000 },
	{ exporter, "prometheus", 0, ALL, 1000 },
	{ exporter_words, "prometheus", 0, ALL, 1000 },
	{ node_exporter, "prometheus", 1, HOSTS, 500 },
	{ ufm_text, "prometheus", 0, ALL, 500 },
	{ ufm_csv, "ufm-telemetry", 0, ALL, 500 },
	{ ufm_json, "ufm-telemetry.json", 0, ALL, 500 },
	{ ldms_ibnet, "ldms", 1, ALL, 500 },
	{ ldms_ibmad, "ldms", 1, HOSTS, 500 },
	{ ldms_sysclassib, "ldms", 1, HOSTS, 500 },
};

static struct sfab_fabric *f;
static struct sfab_counts c;

static void set_up(void)
{
	f = texts_import(text_ibnetdiscover, text_lfts, NULL, &unit_err);
	ck_assert_msg(f != NULL, "%s", unit_err.text);
}

static void tear_down(void)
{
	sfab_counts_free(&c);
}

static int count(const char *text, struct sfab_err *err)
{
	const struct sfab_reader *r = sfab_reader_detect(text, strlen(text));
	struct sfab_scan s;

	ck_assert_int_eq(sfab_counts_init(&c, f, err), 0);
	c.file = "counters";
	c.time_ms = 1000;
	ck_assert(r && r->count);
	sfab_scan_init(&s, c.file, text, strlen(text));
	return r->count(&c, &s, err);
}

static void check_leaf(const struct sfab_counters *to, uint64_t time_ms)
{
	const struct sfab_counter *leaf = sfab_counters_find(to, 0xa01, 4);

	ck_assert_ptr_nonnull(leaf);
	ck_assert_uint_eq(leaf->xmit_words, 5000);
	ck_assert_uint_eq(leaf->rcv_words, 70);
	ck_assert_uint_eq(leaf->wait_ticks, 9);
	ck_assert_uint_eq(leaf->discards, 3);
	ck_assert_uint_eq(leaf->flags, 0);
	ck_assert_uint_eq(leaf->time_ms, time_ms);
}

LOOP_TEST(every_format_says_the_same, N(formats))
{
	struct sfab_counters *to;
	const struct sfab_counter *host;
	const char *text = formats[_i].text;

	ck_assert_str_eq(sfab_reader_detect(text, strlen(text))->name,
			 formats[_i].reader);
	ck_assert_msg(count(text, &unit_err) == 0, "%s", unit_err.text);
	ck_assert_uint_eq(c.nunknown, 0);
	to = sfab_counts_take(&c, &unit_err);
	ck_assert_ptr_nonnull(to);
	ck_assert_uint_eq(to->n, formats[_i].ports == ALL ? 2 : 1);
	ck_assert_uint_eq(to->time_ms, formats[_i].time_ms);
	if (formats[_i].ports == ALL)
		check_leaf(to, formats[_i].time_ms);
	host = sfab_counters_find(to, 0xc01, 1);
	ck_assert_ptr_nonnull(host);
	ck_assert_uint_eq(host->xmit_words, 600);
	ck_assert_int_eq(!(host->flags & SFAB_COUNTER_NO_WAIT),
			 formats[_i].host_waits);
	sfab_counters_destroy(to);
}

static const struct {
	const char *text, *from, *to;
	uint64_t unknown;
	const char *error;	/* NULL: none */
} odd[] = {
	{ perfmgr, "0xc01", "0xc99", 1, NULL },
	{ perfmgr, "TRUE\t4", "TRUE\t3", 1, NULL },
	{ db_csv, "a01,0x0,3,0,0", "a01,0x0,3,0,1", 1, NULL },
	{ perfquery, "Lid 4", "Lid 9", 0,
	  "counters:10: LID 9 is not of this fabric" },
	{ perfquery, "Lid 4", "Lid x", 0,
	  "counters:10: bad port (found \"x\", expected Lid N port N)" },
	{ perfquery, "PortXmitWait:", "PortXmitWait ", 0,
	  "counters:9: bad line (found \"PortXmitWait\", expected NAME:....N)" },
	{ perfmgr, "\txmit_data", "\tdata", 0, "" },
	{ perfmgr, "0xa01", "leaf", 0,
	  "counters:2: bad GUID (found \"leaf\", expected a number)" },
	{ perfmgr, "TRUE\t4", "TRUE\t256", 0,
	  "counters:2: bad Port (found \"256\", expected 0-254)" },
	{ opaextractperf, "leaf1;0x1;4", "other;0x1;4", 1, NULL },
	{ opaextractperf, "leaf1;0x1;4", "other;-;4", 0,
	  "counters:3: bad SystemImageGUID (found \"-\", expected a number)" },
	{ opaextractperf, ";3\n", "\n", 0,
	  "counters:3: line with too few columns (expected as many as the heading has)" },
	{ db_csv, "END_PM_INFO\n", "", 0,
	  "counters:5: section PM_INFO ends early (expected END_PM_INFO)" },
	{ exporter, "{guid=\"0xa01\",port=\"4\"} 2e", "{guid=\"0xa01\",port=\"3\"} 2e", 1, NULL },
	{ exporter, "2e+04", "NaN", 0, NULL },
	{ exporter, "2e+04", "-1", 0, NULL },
	{ exporter, "2e+04", "1e20", 0, NULL },
	{ exporter, "2e+04", "2e+04x", 0,
	  "counters:3: bad total (found \"2e+04x\", expected a number)" },
	{ exporter, " 2e+04", "", 0,
	  "counters:3: bad total (found the end of the line, expected a number)" },
	{ exporter, "\"4\"} 2e", "\"4} 2e", 0,
	  "counters:3: bad labels (found the end of the line, expected {NAME=\"VALUE\",...})" },
	{ exporter, "guid=\"0xa01\",port=\"4\"} 2e", "guid=\"0xa01\"} 2e", 0,
	  "counters:3: no label with the port (expected e.g. port=\"1\", 0-254)" },
	{ exporter, "port=\"4\"} 2e", "port=\"255\"} 2e", 0,
	  "counters:3: no label with the port (expected e.g. port=\"1\", 0-254)" },
	{ exporter, "guid=\"0xa01\",port=\"4\"} 2e", "guid=\"leaf\",port=\"4\"} 2e", 0,
	  "counters:3: no label with the GUID of the node (expected guid=\"0x...\", or "
	  "device and instance)" },
	{ exporter, "} 2400\n", "} 2400", 0,
	  "counters:8: the file ends inside a line (expected a newline; truncated?)" },
	{ ufm_csv, "0x0000000000000a01", "0xa0", 1, NULL },
	{ ufm_csv, "0x0000000000000a01", "", 1, NULL },
	{ ufm_csv, ",4,5000", ",x,5000", 0,
	  "counters:2: bad port_num (found \"x\", expected 0-254)" },
	{ ufm_csv, ",PortXmitDataExtended", ",PortXmitData", 0,
	  "counters:1: no column PortXmitDataExtended (expected a line that names the "
	  "columns)" },
	{ ufm_json, "0x0000000000000a01", "0xa0", 1, NULL },
	{ ufm_json, "\"node_guid\": \"0x0000000000000a01\",", "", 1, NULL },
	{ ufm_json, "\"PortXmitDataExtended\": 5000,", "", 0, NULL },	/* no port */
	{ ufm_json, "\"port_num\": 4,", "", 0,
	  "counters:14: bad port_num (found \"\", expected 0-254)" },
	{ ufm_json, "\"0x0000000000000a01\"", "\"leaf1\"", 0,
	  "counters:14: bad node_guid (found \"leaf1\", expected a number)" },
	{ ufm_json, "}]}", "}]", 0, "counters:15: the file ends early (expected '}')" },
	{ ufm_json, "}]}", "}}", 0, "counters:15: '}' closes nothing" },
	{ ufm_json, "}]}", "}]}]", 0, "counters:15: ']' closes nothing" },
	{ ufm_json, "\"full\"", "\"full", 0,
	  "counters:3: bad JSON (found the end of the line, expected a string or number)" },
	{ ufm_json, "\"values\": [", "\"values\": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", 0,
	  "counters:4: more than 32 brackets are open" },
	{ ldms_ibnet, ",leaf1,5000", ",5000", 0,
	  "counters:3: line with too few columns (expected as many as the heading has)" },
	{ ldms_ibnet, "1.4,1,4,leaf1,4", "1.4,99,4,leaf1,4", 1, NULL },
	{ ldms_ibnet, "1.4,1,4,leaf1,4", "1.4,?,4,leaf1,4", 0,
	  "counters:2: bad lid (found \"?\", expected 0-15728639)" },
	{ ldms_ibmad, "ca_name", "ca", 0,
	  "counters:1: no column ca_name (expected a line that names the columns)" },
	{ ldms_sysclassib, "#mlx5_0.1", "#mlx5_0", 0,
	  "counters:1: bad column (found \"ib.port_xmit_data#mlx5_0\", expected #CA.PORT)" },
	{ ldms_sysclassib, "ib.port_rcv_data#", "ib.port_rcv_data#x", 0,
	  "counters:1: no column ib.port_rcv_data#mlx5_0.1 (expected a line that names the "
	  "columns)" },
};

LOOP_TEST(spoilt, N(odd))
{
	char *edited = texts_edit(odd[_i].text, odd[_i].from, odd[_i].to);

	if (odd[_i].error && !*odd[_i].error) {
		ck_assert_ptr_null(sfab_reader_detect(edited, strlen(edited)));
	} else {
		ck_assert_int_eq(count(edited, &unit_err),
				 odd[_i].error ? -1 : 0);
		ck_assert_str_eq(unit_err.text, odd[_i].error ? odd[_i].error : "");
		ck_assert_uint_eq(c.nunknown, odd[_i].unknown);
	}
}

/* A 32-bit XmitWait that stands at its maximum is not believed. */
TEST(a_stuck_wait)
{
	char *edited = texts_edit(perfquery, "....9\n", "....4294967295\n");

	ck_assert_int_eq(count(edited, &unit_err), 0);
	ck_assert_uint_eq(c.row[0].flags,
			  SFAB_COUNTER_NO_WAIT | SFAB_COUNTER_STUCK);
}

/* What is missing was not counted as nothing. */
static const struct {
	const char *text, *from, *to;
	uint8_t flags;		/* of leaf1's port 4 */
} partial[] = {
	{ perfquery, "", "", 0 },
	{ perfquery, "# Port extended counters: Lid 1", "# Port counters: Lid 1",
	  SFAB_COUNTER_NO_DATA },
	{ db_csv, "0x1388,70,9", "N/A,70,9", SFAB_COUNTER_NO_DATA },
	{ exporter, "infiniband_switch_port_transmit_data_bytes_total{guid=\"0xa01\"",
	  "other{guid=\"0xa01\"", SFAB_COUNTER_NO_DATA },
	{ exporter, "2e+04", "NaN", SFAB_COUNTER_NO_DATA },
	{ exporter, "", "", 0 },
};

LOOP_TEST(data_that_is_missing_is_unknown, N(partial))
{
	char *edited = texts_edit(partial[_i].text, partial[_i].from, partial[_i].to);
	uint32_t at = 0;

	ck_assert_msg(count(edited, &unit_err) == 0, "%s", unit_err.text);
	while (at < c.n && (c.row[at].guid != 0xa01 || c.row[at].port != 4))
		at++;
	ck_assert_uint_lt(at, c.n);
	ck_assert_uint_eq(c.row[at].flags, partial[_i].flags);
	ck_assert_uint_eq(c.row[at].wait_ticks, 9);
}

/* Ports as hosts name them; n1's adapter is "n1 HCA-1". */
static const struct {
	const char *from, *to;
	uint64_t homeless;
	const char *name;	/* what is said of them */
} devices[] = {
	{ "instance=\"n1:9100\",job", "instance=\"n1.site.org:9100\",job", 0, "" },
	{ "instance=\"n1:9100\",job", "host=\"n1\",instance=\"10.0.0.1:9100\",job", 0, "" },
	{ "instance=\"n1:9100\",job", "instance=\"n9:9100\",job", 1, "n9:9100 mlx5_0 port 1" },
	{ "instance=\"n1:9100\",job", "job", 1, "counters mlx5_0 port 1" },
	{ "device=\"mlx5_0\",instance=\"n1:9100\",job", "device=\"mlx5_1\",instance=\"n1\",job", 1,
	  "n1 mlx5_1 port 1" },
	{ "port=\"1\"} 2400", "port=\"2\"} 2400", 1, "n1:9100 mlx5_0 port 2" },
	{ "port=\"1\"} 2400", "port=\"1\"} 0", 0, "" },
};

LOOP_TEST(hosts_name_their_ports, N(devices))
{
	char *edited = texts_edit(node_exporter, devices[_i].from, devices[_i].to);

	ck_assert_msg(count(edited, &unit_err) == 0, "%s", unit_err.text);
	ck_assert_uint_eq(c.nunmatched, devices[_i].homeless);
	ck_assert_str_eq(c.unmatched_name, devices[_i].name);
	ck_assert_uint_eq(c.n, 1);	/* its wait, if not its data */
}

/* n1 has the adapters of n1 and n2, which differ in the end of their descriptions. */
static const struct {
	const char *first, *second;
	uint64_t guid;		/* of mlx5_1; 0: not clear */
} adapters[] = {
	{ "n1 HCA-1", "n1 HCA-2", 0xc02 },
	{ "n1 mlx5_1", "n1 mlx5_0", 0xc01 },
	{ "n1 mlx5_0", "n1 mlx5_2", 0 },
	{ "n1", "n1", 0 },
};

#define CA(guid) "\"H-0000000000000" guid "\"\t\t# \""

LOOP_TEST(adapters_are_distinguished, N(adapters))
{
	char from[2][80], to[2][80], *one, *two;
	const struct sfab_port *p;

	snprintf(from[0], sizeof(from[0]), "%s", CA("c01") "n1 HCA-1");
	snprintf(from[1], sizeof(from[1]), "%s", CA("c02") "n2 HCA-1");
	snprintf(to[0], sizeof(to[0]), CA("c01") "%s", adapters[_i].first);
	snprintf(to[1], sizeof(to[1]), CA("c02") "%s", adapters[_i].second);
	one = texts_edit(text_ibnetdiscover, from[0], to[0]);
	two = texts_edit(one, from[1], to[1]);
	f = texts_import(two, text_lfts, NULL, &unit_err);
	ck_assert_msg(f != NULL, "%s", unit_err.text);
	ck_assert_int_eq(sfab_counts_init(&c, f, &unit_err), 0);
	p = sfab_counts_device(&c, "n1", "mlx5_1", 1);
	ck_assert_uint_eq(p ? p->node_guid : 0, adapters[_i].guid);
}

/* The number of packets shows whether UFM's totals are bytes: no packet has 1,100 words. */
static const struct {
	const char *packets;
	uint64_t words;
} packet_counts[] = { { ",1999,", 5000000 / 4 }, { ",9999,", 5000000 },
		      { ",999,", 5000000 }, { ",,", 5000000 } };

LOOP_TEST(bytes_are_distinguished_from_words, N(packet_counts))
{
	char *data = texts_edit(ufm_csv, ",5000,70,", ",5000000,70,");

	ck_assert_int_eq(count(texts_edit(data, ",40,", packet_counts[_i].packets), NULL), 0);
	ck_assert_uint_eq(c.row[0].xmit_words, packet_counts[_i].words);
}

/* A clock that is ahead by more than a minute is not believed. */
TEST(times_in_the_future)
{
	char *edited = texts_edit(ufm_csv, "500000,0x0a01", "61500000,0x0a01");

	ck_assert_int_eq(count(edited, &unit_err), 0);
	ck_assert_uint_eq(c.row[0].time_ms, 1000);
	ck_assert_uint_eq(c.row[1].time_ms, 500);
}

UNIT_MAIN_WITH("counts_files", set_up, tear_down)
