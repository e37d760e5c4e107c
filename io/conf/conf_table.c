/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_table.c - the keys of sfabric.conf; see conf_private.h
 *
 * Parser and `sfabric show config` follow the table.  HACKING.md says how to add a key.
 */

#include "io/conf/conf_private.h"

#define FIELD(name) offsetof(struct sfab_conf, name)
#define SECOND 1e6	/* microseconds */

/*
 * Rows are in the order in which values are applied: a key whose value is read with another's
 * help stands below it.
 */
const struct sfab_option sfab_conf_options[] = {
	{ "Mode", &sfab_kind_choice, FIELD(mode), "observe",
	  .expected = "off|observe|on",
	  .doc = "off: stock placement; observe: decide and log only; on: "
		 "place jobs" },
	{ "PartitionMode", &sfab_kind_partitions, FIELD(partitions), NULL,
	  .expected = "off|observe|on",
	  .doc = "Mode of individual partitions, NAME:MODE[,NAME:MODE...]" },
	{ "Snapshot", &sfab_kind_path, FIELD(snapshot),
	  "/run/sfabric/fabric.snap",
	  .doc = "file with the fabric, its routes and its IO sets" },
	{ "Fabric", &sfab_kind_fabrics, FIELD(fabrics), NULL,
	  .expected = "an absolute path",
	  .doc = "several fabrics instead of Snapshot, NAME:PATH[,NAME:PATH...]" },
	{ "Counters", &sfab_kind_path, FIELD(counters),
	  "/run/sfabric/counters.snap",
	  .doc = "file with measured load; may be missing" },
	{ "Alive", &sfab_kind_path, FIELD(alive), "",
	  .doc = "file that confirms the snapshot; empty: fabric.alive beside "
		 "it" },
	{ "FoundTraffic", &sfab_kind_path, FIELD(found_traffic),
	  "/run/sfabric-learn/traffic.snap",
	  .doc = "file with what running jobs send, found out by counters; may be "
		 "missing" },
	{ "History", &sfab_kind_path, FIELD(history), "/var/lib/sfabric/history",
	  .doc = "file with what earlier runs of jobs sent; may be missing" },
	{ "MaxSnapshotAge", &sfab_kind_time, FIELD(max_snapshot_age_s), "0",
	  .max = 315360000, .unit_us = SECOND,
	  .doc = "leave jobs to Slurm when the last confirmation is older; 0: never" },
	{ "MaxSnapshotSize", &sfab_kind_count, FIELD(max_snapshot_mb), "512",
	  .min = 1, .max = 4096,
	  .doc = "largest snapshot that slurmctld reads, in MiB" },
	{ "MaxSteps", &sfab_kind_count, FIELD(max_steps), "250000",
	  .min = 1, .max = 1e9,
	  .doc = "limit of the search for a placement, in steps" },
	{ "MaxSearchTime", &sfab_kind_time, FIELD(max_search_us), "100ms",
	  .min = 1000, .max = 10 * SECOND, .unit_us = 1,
	  .doc = "stop a search that takes longer and leave the job to Slurm" },
	{ "DefaultTraffic", &sfab_kind_traffic, FIELD(default_traffic),
	  "mpi=0.25+io-write=0.05+io-read=0.02",
	  .doc = "what a job does of which nothing is known, in parts of its time" },
	{ "MpiMix", &sfab_kind_mix, FIELD(mix), NULL, .max = 1,
	  .doc = "parts of mpi traffic by pattern, PATTERN:PART[,...]; they sum "
		 "to 1" },
	{ "Packing", &sfab_kind_choice, FIELD(packing), "auto",
	  .expected = "auto|leaves|columns|links|none",
	  .doc = "which free nodes are kept together for the jobs to come; auto: what "
		 "loses least, see sfabric show packing" },
	{ "MaxLeaves", &sfab_kind_count, FIELD(max_leaves), "0",
	  .max = 1e6,
	  .doc = "most leaf switches of a job, or as few as it needs; 0: any number" },
	{ "Weights", &sfab_kind_weights, FIELD(weights), NULL, .max = 1000,
	  .doc = "weights of the score terms, TERM:NUMBER[,TERM:NUMBER...]" },
	{ "Adaptive", &sfab_kind_choice, FIELD(adaptive), "split",
	  .expected = "no|observe|split",
	  .doc = "adaptive routing over known ports: only log, or split evenly; no: "
		 "switches that could adapt do not" },
	{ "MinFollowed", &sfab_kind_count, FIELD(min_followed), "80", .max = 100,
	  .doc = "percent of the measured bytes that must be where the tables say, or "
		 "decisions are only observed; 0: any" },
	{ "Governor", &sfab_kind_choice, FIELD(governor), "on",
	  .expected = "off|warn|on",
	  .doc = "where Slurm cannot use the chosen nodes, or decisions take long: on, "
		 "only observe; warn, only say so" },
	{ "Plans", &sfab_kind_choice, FIELD(plans), "keep",
	  .expected = "keep|spare",
	  .doc = "backfill's plans: as Slurm makes them, or busy nodes instead of "
		 "idle ones" },
	{ "RankOrder", &sfab_kind_choice, FIELD(rank_order), "no",
	  .expected = "no|yes",
	  .doc = "Slurm 26.05: nodes of placed jobs take ranks by routes" },
	{ "Role", &sfab_kind_roles, FIELD(roles), NULL,
	  .expected = "compute|login|io|management|router",
	  .doc = "roles of hosts, ROLE:HOSTLIST[;ROLE:HOSTLIST...]; may be repeated" },
	{ "IoSet", &sfab_kind_ioset, 0, NULL,
	  .doc = "IO ports that jobs talk to: NAME Hosts=LIST [Map=] [GBs=] "
		 "[Groups=]; auto: those found" },
	{ "Policy", &sfab_kind_path, FIELD(policy), "",
	  .doc = "the site's script, sfabric.lua(5); empty: none" },
	{ "NodeNameMap", &sfab_kind_path, FIELD(node_name_map), "",
	  .doc = "names for node GUIDs, as infiniband-diags reads them; empty: "
		 "none" },
	{ "AuditSilence", &sfab_kind_ids, FIELD(audit_silence), "",
	  .expected = "RULE or RULE:OBJECT",
	  .doc = "findings that sfabric audit does not report: ID[;ID...]; may be "
		 "repeated" },
	{ "DecisionLog", &sfab_kind_path, FIELD(decision_log), "",
	  .doc = "file that gets a line for each decision; empty: none" },
	{ "AdminComment", &sfab_kind_choice, FIELD(admin_comment), "yes",
	  .expected = "no|yes",
	  .doc = "put a summary of the decision into the job's AdminComment" },
	{ "Debug", &sfab_kind_choice, FIELD(debug), "no",
	  .expected = "no|yes",
	  .doc = "log each decision in detail" },
	{ .key = NULL, .doc = "sfabric.conf(5)" }
};
