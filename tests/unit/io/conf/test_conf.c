/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_conf.c - grammar, values and errors of sfabric.conf */

#include "core/search/search.h"
#include "tests/unit/fixtures/conf_text.h"
#include "tests/unit/fixtures/fabrics.h"
#include "tests/unit/fixtures/unit.h"

/* A line, and what `sfabric show config` then says of its key. */
static const struct {
	const char *text, *key, *value;
} value_vectors[] = {
	{ "", "Mode", "observe" },
	{ "Mode=on", "Mode", "on" },
	{ "mode=OFF", "Mode", "off" },
	{ "  MODE = on # why not", "Mode", "on" },
	{ "Mode=on\r\n", "Mode", "on" },
	{ "\n\n#Mode=off\nMode=on", "Mode", "on" },
	{ "Debug=yes Mode=on", "Mode", "on" },
	{ "Mode=\"on\" Debug=yes", "Debug", "yes" },
	{ "Mo\\\nde=\\\non", "Mode", "on" },
	{ "# a comment does not go on \\\nMode=on", "Mode", "on" },
	{ "Mode=on \\", "Mode", "on" },
	{ "Snapshot=/a/b.snap", "Snapshot", "/a/b.snap" },
	{ "Snapshot=\"/a b/#c\"", "Snapshot", "\"/a b/#c\"" },
	{ "Snapshot=/a\\ Mode=on", "Snapshot", "\"/a\\\"" },
	{ "", "Snapshot", "/run/sfabric/fabric.snap" },
	{ "", "Alive", "\"\"" },
	{ "", "FoundTraffic", "/run/sfabric-learn/traffic.snap" },
	{ "History=/x/h", "History", "/x/h" },
	{ "Alive=\"\"", "Alive", "\"\"" },
	{ "", "MaxSnapshotAge", "0" },
	{ "", "MaxSnapshotSize", "512" },
	{ "MaxSnapshotSize=64", "MaxSnapshotSize", "64" },
	{ "MaxSnapshotAge=300", "MaxSnapshotAge", "5min" },
	{ "MaxSnapshotAge=90s", "MaxSnapshotAge", "90s" },
	{ "MaxSnapshotAge=36h", "MaxSnapshotAge", "36h" },
	{ "MaxSnapshotAge=7d", "MaxSnapshotAge", "7d" },
	{ "", "MaxSearchTime", "100ms" },
	{ "MaxSearchTime=1500us", "MaxSearchTime", "1500us" },
	{ "MaxSearchTime=0.5s", "MaxSearchTime", "500ms" },
	{ "", "MaxLeaves", "0" },
	{ "MaxLeaves=8", "MaxLeaves", "8" },
	{ "", "MaxSteps", "250000" },
	{ "MaxSteps=1e6", "MaxSteps", "1000000" },
	{ "Adaptive=Split", "Adaptive", "split" },
	{ "", "MinFollowed", "80" },
	{ "MinFollowed=0", "MinFollowed", "0" },
	{ "", "Governor", "on" },
	{ "Governor=WARN", "Governor", "warn" },
	{ "", "Plans", "keep" },
	{ "Plans=Spare", "Plans", "spare" },
	{ "AdminComment=No", "AdminComment", "no" },
	{ "", "Fabric", "" },
	{ "Fabric=a:/x/a.snap,b:/y:z\nFabric=\"c:/c c\"", "Fabric",
	  "\"a:/x/a.snap,b:/y:z,c:/c c\"" },
	{ "Fabric=a:/x", "Fabric", "a:/x" },
	{ "", "PartitionMode", "" },
	{ "PartitionMode=a:on,b:off\nPartitionMode=c:observe", "PartitionMode",
	  "a:on,b:off,c:observe" },
	{ "", "Role", "" },
	{ "Role=compute:n[1-4,6];LOGIN:login1\nrole=router:r1", "Role",
	  "compute:n[1-4,6];login:login1;router:r1" },
	{ "Role=\"io:io1, io2\"", "Role", "\"io:io1, io2\"" },
	{ "", "AuditSilence", "\"\"" },
	{ "AuditSilence=io-leaf\nAuditSilence=\"link-down:L1 port 3;rails\"",
	  "AuditSilence", "\"io-leaf;link-down:L1 port 3;rails\"" },
	{ "", "DefaultTraffic", "mpi=0.25+io-write=0.05+io-read=0.02" },
	{ "DefaultTraffic=mpi+io-write", "DefaultTraffic",
	  "mpi=0.25+io-write=0.05" },
	{ "DefaultTraffic=io-write@scratch=0.4+mpi=0.1", "DefaultTraffic",
	  "io-write@scratch=0.4+mpi=0.1" },
	{ "", "MpiMix", "alltoall:0.3,allreduce:0.4,ring:0.1,uniform:0.2" },
	{ "MpiMix=ring:0.25,Alltoall:0.75", "MpiMix",
	  "alltoall:0.75,allreduce:0,ring:0.25,uniform:0" },
	{ "mpimix=allreduce:1", "MpiMix", "alltoall:0,allreduce:1,ring:0,uniform:0" },
	{ "MpiMix=alltoall:0.333,allreduce:0.333,ring:0.333", "MpiMix",
	  "alltoall:0.333,allreduce:0.333,ring:0.333,uniform:0" },
	{ "", "IoSet", "" },
	{ "IoSet=s Hosts=io[1-4]", "IoSet", "s Hosts=io[1-4] Map=all GBs=0 IoServers=paced" },
	{ "IoSet=s GBs=2.25 map=NEAREST ioservers=Held hosts=\"io1, io2\"", "IoSet",
	  "s Hosts=\"io1, io2\" Map=nearest GBs=2.25 IoServers=held" },
	{ "IoSet=s Hosts=io[1-2] Map=group Groups=n1,n2:io1;n3:io2", "IoSet",
	  "s Hosts=io[1-2] Map=group GBs=0 IoServers=paced "
	  "Groups=n1,n2:io1;n3:io2" },
};

/* What is wrong, and the beginning of the line that says so. */
static const struct {
	const char *text, *error;
} failure_vectors[] = {
	{ "Snapshoot=/x", "c:1: unknown key \"Snapshoot\" (did you mean "
	  "'Snapshot'? sfabric.conf(5) lists all)" },
	{ "Mode=on\n\nx=1\n", "c:3: unknown key \"x\"" },
	{ "Mode=on \\\n\\\nx=1\n", "c:1: unknown key \"x\"" },
	{ "Mode", "c:1: \"Mode\" (expected Key=Value)" },
	{ "=on", "c:1: \"=on\" (expected Key=Value)" },
	{ "Mode on", "c:1: \"Mode on\" (expected Key=Value)" },
	{ "Mode=", "c:1: Mode: no value" },
	{ "Mode=\"on", "c:1: Mode: \"on (expected quotes around the whole" },
	{ "Mode=\"on\"x", "c:1: Mode: \"on\"x (expected quotes around the whole" },
	{ "Mode=o\"n\"", "c:1: Mode: o\"n\" (expected quotes around the whole" },
	{ "Mode=fast", "c:1: Mode: \"fast\" (expected off|observe|on)" },
	{ "Mode=on\nMode=on", "c:2: Mode: given twice (first at c:1)" },
	{ "Debug=maybe", "c:1: Debug: \"maybe\" (expected no|yes)" },
	{ "Adaptive=none", "c:1: Adaptive: \"none\" (expected no|observe|split)" },
	{ "Snapshot=fabric.snap",
	  "c:1: Snapshot: \"fabric.snap\" (expected an absolute path)" },
	{ "Snapshot=\"\"", "c:1: Snapshot: \"\" (expected an absolute path)" },
	{ "MaxSteps=0", "c:1: MaxSteps: \"0\" (expected a number, 1 to 1e+09)" },
	{ "MaxLeaves=-1", "c:1: MaxLeaves: \"-1\" (expected a number, 0 to 1e+06)" },
	{ "MaxSteps=-1", "c:1: MaxSteps: \"-1\" (expected a number" },
	{ "MaxSteps=1.5", "c:1: MaxSteps: \"1.5\" (expected a whole number)" },
	{ "MaxSteps=many", "c:1: MaxSteps: \"many\" (expected a number" },
	{ "MaxSteps=2000000000", "c:1: MaxSteps: \"2000000000\" (expected" },
	{ "MaxSteps=nan", "c:1: MaxSteps: \"nan\" (expected" },
	{ "MaxSearchTime=20", "c:1: MaxSearchTime: \"20\" (expected a time in us, "
	  "ms, s, min, h or d, from 1ms to 10s, in steps of 1us)" },
	{ "MaxSearchTime=20mm", "c:1: MaxSearchTime: \"20mm\" (expected a time" },
	{ "MaxSearchTime=ms", "c:1: MaxSearchTime: \"ms\" (expected a time" },
	{ "MaxSearchTime=999us", "c:1: MaxSearchTime: \"999us\" (expected" },
	{ "MaxSnapshotAge=1500ms", "c:1: MaxSnapshotAge: \"1500ms\" (expected a "
	  "time in us, ms, s, min, h or d, from 0 to 3650d, in steps of 1s)" },
	{ "Role=compute", "c:1: Role: \"compute\" (expected ROLE:HOSTLIST)" },
	{ "Role=:n1", "c:1: Role: \":n1\" (expected ROLE:HOSTLIST)" },
	{ "Role=gpu:n1", "c:1: Role: \"gpu\" (expected compute|login|io|" },
	{ "Role=compute:", "c:1: Role: compute: \"\" (expected a hostlist)" },
	{ "Role=login:n[1-", "c:1: Role: login: host list" },
	{ "Role=login:a;", "c:1: Role: \"\" (expected ROLE:HOSTLIST)" },
	{ "DefaultTraffic=disk", "c:1: DefaultTraffic: traffic class disk" },
	{ "DefaultTraffic=mpi=0.7+io-read=0.7", "c:1: DefaultTraffic: shares" },
	{ "MpiMix=alltoall", "c:1: MpiMix: \"alltoall\" (expected NAME:VALUE)" },
	{ "MpiMix=mpi:1", "c:1: MpiMix: \"mpi\" (expected alltoall|allreduce|ring|uniform)" },
	{ "MpiMix=ring:1.5", "c:1: MpiMix: ring: \"1.5\" (expected a number, 0 to 1)" },
	{ "MpiMix=ring:nan", "c:1: MpiMix: ring: \"nan\" (expected a number" },
	{ "MpiMix=ring:-1", "c:1: MpiMix: ring: \"-1\" (expected a number" },
	{ "MpiMix=alltoall:0.4,ring:0.2", "c:1: MpiMix: the parts sum to 0.6 "
	  "(expected 1)" },
	{ "MpiMix=alltoall:1,ring:1", "c:1: MpiMix: the parts sum to 2 (expected 1)" },
	{ "MpiMix=ring:0.5,ring:0.5", "c:1: MpiMix: the parts sum to 0.5" },
	{ "MpiMix=ring:1\nMpiMix=ring:1", "c:2: MpiMix: given twice" },
	{ "MpiMix=", "c:1: MpiMix: no value" },
	{ "Weights=later:-1", "c:1: Weights: later: \"-1\" (expected a number" },
	{ "Weights=otters:1", "c:1: Weights: \"otters\" (expected own|" },
	{ "Fabric=/a", "c:1: Fabric: \"/a\" (expected NAME:VALUE)" },
	{ "Fabric=a:b", "c:1: Fabric: a: \"b\" (expected an absolute path)" },
	{ "Fabric=a:/b,a:/c", "c:1: Fabric: fabric a given twice" },
	{ "Fabric=\"a b:/c\"", "c:1: Fabric: \"a b\" (expected a fabric's name)" },
	{ "PartitionMode=a", "c:1: PartitionMode: \"a\" (expected NAME:VALUE)" },
	{ "PartitionMode=:on", "c:1: PartitionMode: \":on\" (expected NAME" },
	{ "PartitionMode=a:fast", "c:1: PartitionMode: \"fast\" (expected off|" },
	{ "PartitionMode=\"a b:on\"", "c:1: PartitionMode: \"a b\" (expected" },
	{ "PartitionMode=a:on,a:off", "c:1: PartitionMode: partition a given" },
	{ "AuditSilence=\"a#b\"", "c:1: AuditSilence: \"a#b\" (expected RULE" },
	{ "Include x", "c:1: Include x: only in a file" },
	{ "IoSet=s", "c:1: IoSet s: no Hosts" },
	{ "IoSet=s Hosts=,", "c:1: IoSet s: no Hosts" },
	{ "IoSet=s Hosts=io[1-", "c:1: IoSet s: Hosts: host list \"io[1-\": '['" },
	{ "IoSet=s Hosts=io1,io1", "c:1: IoSet s: Hosts: host io1 given twice" },
	{ "IoSet=s Hosts=io1 Hosts=io2", "c:1: IoSet s: Hosts given twice" },
	{ "IoSet=s Hosts=io1 Mode=on", "c:1: IoSet s: unknown key \"Mode\"" },
	{ "IoSet=s Hosts=io1 Map=some", "c:1: IoSet s: Map: \"some\" (expected" },
	{ "IoSet=s Hosts=io1 GBs=-1",
	  "c:1: IoSet s: GBs: \"-1\" (expected 0, or 0.001 to 1e+06 GB/s)" },
	{ "IoSet=s Hosts=io1 GBs=1e-30", "c:1: IoSet s: GBs: \"1e-30\" (expected 0, or" },
	{ "IoSet=s Hosts=io1 GBs=1e7", "c:1: IoSet s: GBs: \"1e7\" (expected 0, or" },
	{ "IoSet=s Hosts=io1 GBs=nan", "c:1: IoSet s: GBs: \"nan\" (expected 0, or" },
	{ "IoSet=s Hosts=io1 IoServers=slow",
	  "c:1: IoSet s: IoServers: \"slow\" (expected paced|held)" },
	{ "IoSet=s Hosts=io1 Map=group", "c:1: IoSet s: Map=group and Groups go" },
	{ "IoSet=s Hosts=io1 Groups=n1:io1", "c:1: IoSet s: Map=group and Groups" },
	{ "IoSet=s@t Hosts=io1", "c:1: IoSet s@t: name \"s@t\" (expected 1 to 63" },
	{ "IoSet= Hosts=io1", "c:1: IoSet Hosts=io1: name \"Hosts=io1\"" },
	{ "IoSet=s Hosts=io1\nIoSet=s Hosts=io2",
	  "c:2: IoSet s: given twice (first at c:1)" },
	{ "IoSet=s Hosts=io[1-2] Map=group Groups=n1:io1",
	  "c:1: IoSet s: Groups: host io2 is in no group" },
	{ "IoSet=s Hosts=io1 Map=group Groups=n1:io1;n2:io1",
	  "c:1: IoSet s: Groups: host io1 given twice" },
	{ "IoSet=s Hosts=io[1-2] Map=group Groups=n1:io1;n1:io2",
	  "c:1: IoSet s: Groups: host n1 given twice" },
	{ "IoSet=s Hosts=io1 Map=group Groups=n1:io2",
	  "c:1: IoSet s: Groups: host io2 is not in Hosts" },
	{ "IoSet=s Hosts=io1 Map=group Groups=io1",
	  "c:1: IoSet s: Groups: \"io1\" (expected CLIENTS:IOHOSTS)" },
	{ "IoSet=s Hosts=io1 Map=group Groups=:io1",
	  "c:1: IoSet s: Groups: a group without clients" },
};

LOOP_TEST(values, N(value_vectors))
{
	struct sfab_conf *c = parse_well(value_vectors[_i].text);
	struct conf_value shown = { .key = value_vectors[_i].key };

	sfab_conf_each(c, remember, &shown);
	ck_assert_str_eq(shown.value, value_vectors[_i].value);
}

LOOP_TEST(what_is_shown_reads_the_same, N(value_vectors))
{
	struct sfab_conf *c = parse_well(value_vectors[_i].text);
	char *once = write_conf(c), *twice;

	c = parse_well(once);
	twice = write_conf(c);
	ck_assert_str_eq(once, twice);
	free(once);
	free(twice);
}

LOOP_TEST(failures, N(failure_vectors))
{
	const char *want = failure_vectors[_i].error;

	ck_assert_ptr_null(parse(failure_vectors[_i].text, &unit_err));
	ck_assert_msg(strncmp(unit_err.text, want, strlen(want)) == 0,
		      "\"%s\", expected \"%s...\"", unit_err.text, want);
	ck_assert_int_eq(unit_err.code, SFAB_EFORMAT);
	ck_assert_ptr_null(parse(failure_vectors[_i].text, NULL));
}

TEST(nul_byte_is_refused)
{
	ck_assert_ptr_null(sfab_conf_parse("Mode=on\n\0\n", 10, "c", &unit_err));
	ck_assert_str_eq(unit_err.text, "c:2: a NUL byte (expected text)");
}

TEST(defaults)
{
	struct sfab_conf *c = sfab_conf_create();

	ck_assert_int_eq(c->mode, SFAB_MODE_OBSERVE);
	ck_assert_str_eq(c->snapshot, "/run/sfabric/fabric.snap");
	ck_assert_str_eq(c->counters, "/run/sfabric/counters.snap");
	ck_assert_str_eq(c->alive, "");
	ck_assert_uint_eq(c->max_snapshot_age_s, 0);
	ck_assert_uint_eq(c->max_steps, SFAB_MAX_STEPS_DEFAULT);
	ck_assert_uint_eq(c->max_search_us, 100000);
	ck_assert_uint_eq(c->default_traffic.nparts, 3);
	ck_assert_int_eq(c->default_traffic.part[0].class, SFAB_MPI);
	ck_assert_mem_eq(c->share, sfab_traffic_default_share,
			 sizeof(c->share));
	ck_assert_mem_eq(c->weights, sfab_default_weights, sizeof(c->weights));
	ck_assert_int_eq(c->adaptive, SFAB_ADAPT_SPLIT);
	ck_assert_str_eq(c->decision_log, "");
	ck_assert_str_eq(c->node_name_map, "");
	ck_assert_int_eq(c->admin_comment, 1);
	ck_assert_int_eq(c->debug, 0);
	ck_assert_uint_eq(c->partitions.n, 0);
	ck_assert_uint_eq(c->niosets, 0);
	sfab_conf_destroy(c);
	sfab_conf_destroy(NULL);
}

TEST(named_weights_change_others_stay)
{
	struct sfab_conf *c = parse_well("Weights=others:2.5,own:0");

	for (int i = 0; i < SFAB_NTERMS; i++)
		if (i == SFAB_TERM_OTHERS || i == SFAB_TERM_OWN)
			ck_assert(c->weights[i] ==
				  (i == SFAB_TERM_OTHERS ? 2.5 : 0));
		else
			ck_assert(c->weights[i] == sfab_default_weights[i]);
}

/* mpi, neighbor, io-write, io-read alone. */
static const struct {
	const char *text;
	double share[SFAB_NCLASSES];
} alone[] = {
	{ "", { 0.25, 0.25, 0.05, 0.02 } },
	{ "DefaultTraffic=mpi=0.1", { 0.1, 0.25, 0.25, 0.25 } },
	{ "DefaultTraffic=ring=0.1+alltoall=0.3+io-write@a=0.2", { 0.4, 0.25, 0.2, 0.25 } },
	{ "DefaultTraffic=mpi=0", { 0.25, 0.25, 0.25, 0.25 } },
};

LOOP_TEST(a_class_alone_has_its_part_of_the_default, 4)
{
	struct sfab_conf *c = parse_well(alone[_i].text);

	for (int k = 0; k < SFAB_NCLASSES; k++)
		ck_assert_double_eq_tol(c->share[k], alone[_i].share[k], 1e-12);
}

TEST(partitions_have_modes)
{
	struct sfab_conf *c = parse_well("Mode=on PartitionMode=debug:off");

	ck_assert_int_eq(sfab_conf_mode(c, "debug"), SFAB_MODE_OFF);
	ck_assert_int_eq(sfab_conf_mode(c, "Debug"), SFAB_MODE_ON);
	ck_assert_int_eq(sfab_conf_mode(c, NULL), SFAB_MODE_ON);
}

TEST(io_sets_are_made)
{
	struct sfab_conf *c = parse_well(
		"IoSet=a Hosts=n[1,3] GBs=2 IoServers=held\n"
		"IoSet=b Hosts=n[2,4] Map=group Groups=n1:n4;n3:n2\n");
	struct sfab_fabric *f = unit_small_fabric();
	struct sfab_iosets *io = sfab_conf_iosets(c, f, NULL, NULL, &unit_err);

	ck_assert_msg(io != NULL, "%s", unit_err.text);
	unit_cleanup(io, sfab_iosets_destroy);
	ck_assert_uint_eq(io->nsets, 2);
	ck_assert_uint_eq(io->nioports, 4);
	ck_assert_str_eq(io->set[0].name, "a");
	ck_assert_int_eq(io->set[0].map, SFAB_IOMAP_ALL);
	ck_assert_int_eq(io->set[0].holds_writes, 1);
	ck_assert_int_eq(io->set[1].holds_writes, 0);
	ck_assert_uint_eq(io->set[0].nmembers, 2);
	ck_assert(io->capacity[io->set[0].member[0]] == 2e9);
	ck_assert_int_eq(io->set[1].map, SFAB_IOMAP_GROUP);
	ck_assert(io->capacity[io->set[1].member[0]] == LINK_CAPACITY);
	ck_assert_uint_eq(io->set[1].client_group[0],
			  io->set[1].member_group[1]);
	ck_assert_uint_eq(io->set[1].client_group[2],
			  io->set[1].member_group[0]);
	ck_assert_uint_eq(io->set[1].client_group[1], SFAB_NONE);
}

TEST(io_host_must_be_in_the_fabric)
{
	struct sfab_conf *c = parse_well("\nIoSet=a Hosts=n[1,99]");
	struct sfab_fabric *f = unit_small_fabric();

	ck_assert_ptr_null(sfab_conf_iosets(c, f, NULL, NULL, &unit_err));
	ck_assert_int_eq(unit_err.code, SFAB_ENOENT);
	ck_assert_str_eq(unit_err.text,
			 "c:2: IoSet a: host n99 is not in the fabric, or not cabled");
}

/* A server that is down; a set with nobody left; groups keep their clients. */
TEST(io_hosts_may_be_left_out)
{
	struct sfab_conf *c = parse_well(
		"IoSet=a Hosts=n[1,99]\nIoSet=gone Hosts=n98\n"
		"IoSet=b Hosts=n[2,97,4] Map=group Groups=n1:n97,n4;n3:n2\n");
	struct sfab_fabric *f = unit_small_fabric();
	uint32_t missing = 77;
	struct sfab_iosets *io = sfab_conf_iosets(c, f, NULL, &missing, &unit_err);

	ck_assert_msg(io != NULL, "%s", unit_err.text);
	unit_cleanup(io, sfab_iosets_destroy);
	ck_assert_uint_eq(missing, 3);
	ck_assert_uint_eq(io->nsets, 2);
	ck_assert_uint_eq(io->set[0].nmembers, 1);
	ck_assert_str_eq(io->set[1].name, "b");
	ck_assert_uint_eq(io->set[1].nmembers, 2);
	ck_assert_uint_eq(io->set[1].client_group[0],
			  io->set[1].member_group[1]);
	ck_assert_uint_eq(io->set[1].client_group[2],
			  io->set[1].member_group[0]);
}

/* All servers of a group are down: its clients write nowhere. */
TEST(io_group_may_be_empty)
{
	struct sfab_conf *c = parse_well(
		"IoSet=b Hosts=n[97,4] Map=group Groups=n1:n97;n3:n4\n");
	struct sfab_fabric *f = unit_small_fabric();
	uint32_t missing;
	struct sfab_iosets *io = sfab_conf_iosets(c, f, NULL, &missing, &unit_err);

	ck_assert_msg(io != NULL, "%s", unit_err.text);
	unit_cleanup(io, sfab_iosets_destroy);
	ck_assert_uint_eq(io->set[0].nmembers, 1);
}

UNIT_MAIN("conf")
