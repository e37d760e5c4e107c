/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_slurmfacts.c - the text of `scontrol show config` */

#include "tests/unit/fixtures/unit.h"
#include "tools/slurm/cluster.h"
#include "tools/slurm/slurm_rules.h"
#include "tools/slurm/slurmfacts.h"

#define TEXT "Configuration data as of 2026-11-20T18:26:27\n" \
	"PluginDir               = /opt/sfabric:/usr/lib/slurm\n" \
	"SelectTypeParameters    = CR_CORE\n" \
	"SelectType              = select/cons_tres\n" \
	"SlurmUser               = slurm(64030)\n" \
	"PreemptType             = (null)\n" \
	"SlurmctldPidFile        = /run/slurmctld.pid\n" \
	"SLURM_CONF              = /etc/slurm/slurm.conf\n"
#define LAST "SLURM_VERSION           = 22.05.8\n"

static struct slurmfacts facts;
static struct sfab_err err;

TEST(all_facts)
{
	ck_assert_int_eq(slurmfacts_parse(&facts, strdup(TEXT LAST "\nCgroup =\n"), &err),
			 0);
	ck_assert_str_eq(facts.version, "22.05.8");
	ck_assert_str_eq(facts.plugindir, "/opt/sfabric:/usr/lib/slurm");
	ck_assert_str_eq(facts.select_type, "select/cons_tres");
	ck_assert_str_eq(facts.conf, "/etc/slurm/slurm.conf");
	ck_assert_str_eq(facts.pidfile, "/run/slurmctld.pid");
	ck_assert_uint_eq(facts.uid, 64030);
	ck_assert_str_eq(slurmfacts_get(&facts, "SelectTypeParameters"), "CR_CORE");
	ck_assert_ptr_null(slurmfacts_get(&facts, "PreemptType"));
	ck_assert_ptr_null(slurmfacts_get(&facts, "Select"));
	slurmfacts_free(&facts);
	slurmfacts_free(&facts);
}

static const struct {
	const char *text, *error;
} wrong[] = {
	{ "", "scontrol show config: no SlurmUser" },
	{ TEXT, "scontrol show config: no SLURM_VERSION" },
	{ "SlurmUser = slurm\n" TEXT LAST,
	  "scontrol show config: no SlurmUser=NAME(UID)" },
};

LOOP_TEST(missing_facts, N(wrong))
{
	ck_assert_int_eq(slurmfacts_parse(&facts, strdup(wrong[_i].text), &err), -1);
	ck_assert_int_eq(err.code, SFAB_EFORMAT);
	ck_assert_str_eq(err.text, wrong[_i].error);
	ck_assert_ptr_null(facts.version);
}

static const struct {
	const char *text;
	uint32_t release;
} releases[] = {
	{ "22.05.8", 2205 }, { "24.11.5", 2411 }, { "26.05", 2605 },
	{ "26.05.0-0rc1", 2605 }, { "", 0 }, { "24", 0 }, { "24.99", 0 },
	{ "x24.11", 0 },
};

LOOP_TEST(release_of_version, N(releases))
{
	ck_assert_uint_eq(slurmfacts_release(releases[_i].text),
			  releases[_i].release);
}

/* At the edges of the rules' versions. */
static const struct {
	enum slurm_rule rule;
	const char *version;
	int holds;
} rules[] = {
	{ SLURM_CUTS_NODELIST, "22.05.11", 1 },
	{ SLURM_CUTS_NODELIST, "23.02.0", 0 },
	{ SLURM_CHOOSES_OF_NODELIST, "22.05.11", 0 },
	{ SLURM_CHOOSES_OF_NODELIST, "23.02.0-0rc1", 1 },
	{ SLURM_LIMIT_COUNTS_OTHERS, "22.05.8", 0 },
	{ SLURM_LIMIT_COUNTS_OTHERS, "25.05.2", 1 },
	{ SLURM_LIMIT_COUNTS_OTHERS, "25.05.3", 0 },
	{ SLURM_TASKS_CAP_CPUS, "22.05.8", 0 },
	{ SLURM_TASKS_CAP_CPUS, "23.02.0", 1 },
	{ SLURM_OVERCOMMIT_WAITS, "22.05.8", 0 },
	{ SLURM_ROWS_BAN, "23.11.6", 1 },
	{ SLURM_ROWS_BAN, "23.11.10", 0 },
	{ SLURM_ROWS_ARE_EXACT, "25.05.8", 0 },
	{ SLURM_ROWS_ARE_EXACT, "25.11.0", 1 },
	{ SLURM_TASKS_ARE_MAX_NODES, "25.11.7", 0 },
	{ SLURM_TASKS_ARE_MAX_NODES, "26.05.0", 1 },
	{ SLURM_TASKS_ARE_MAX_NODES, NULL, 1 },
	{ SLURM_CUTS_NODELIST, "newest", 0 },
};

LOOP_TEST(rules_hold_for_their_versions, N(rules))
{
	ck_assert_int_eq(slurm_rule_holds(rules[_i].rule, rules[_i].version),
			 rules[_i].holds);
}

/* As 26.05.3 prints them. */
#define TOPOLOGIES                                                             \
	"---\n"                                                                \
	"- topology: fabric\n  cluster_default: true\n  block: {}\n"           \
	"  flat: {}\n  tree:\n    switches:\n    - switch: top\n"              \
	"- topology: blocks\n  cluster_default: false\n  block:\n"             \
	"    block_sizes:\n    - 4\n  tree: {}\n"

static const struct {
	const char *text, *name;
	int blocks;		/* -1: as TopologyPlugin says */
} topologies[] = {
	{ TOPOLOGIES, NULL, 0 },
	{ TOPOLOGIES, "fabric", 0 },
	{ TOPOLOGIES, "blocks", 1 },
	{ TOPOLOGIES, "block", -1 },
	{ TOPOLOGIES, "none", -1 },
	{ "- topology: a\n  cluster_default: true\n  block:\n", NULL, 1 },
	{ "- topology: a\n  block:\n", NULL, -1 },
	{ "- topology: a", "a", 0 },
	{ "SwitchName=s1 Nodes=n1\n", NULL, -1 },
	{ "", NULL, -1 },
};

LOOP_TEST(topologies_of_blocks, N(topologies))
{
	struct cluster c = { .topologies = strdup(topologies[_i].text) };
	struct scontrol_partition part = { .topology = topologies[_i].name };
	int blocks = topologies[_i].blocks;

	ck_assert_int_eq(cluster_packs(&c, &part), blocks > 0);
	ck_assert_int_eq(slurmfacts_parse(&c.config, strdup(
		TEXT LAST "\nTopologyPlugin = topology/block\n"), &err), 0);
	ck_assert_int_eq(cluster_packs(&c, &part), blocks != 0);
	cluster_free(&c);
}

UNIT_MAIN("slurmfacts")
