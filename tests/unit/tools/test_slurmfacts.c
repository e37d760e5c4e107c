/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_slurmfacts.c - the text of `scontrol show config` */

#include <string.h>

#include "tests/unit/fixtures/unit.h"
#include "tools/slurm/slurmfacts.h"

#define TEXT "Configuration data as of 2026-11-20T18:26:27\n" \
	"PluginDir               = /opt/sfabric:/usr/lib/slurm\n" \
	"SelectTypeParameters    = CR_CORE\n" \
	"SelectType              = select/cons_tres\n" \
	"SlurmUser               = slurm(64030)\n" \
	"SlurmctldPidFile        = /run/slurmctld.pid\n" \
	"SLURM_CONF              = /etc/slurm/slurm.conf\n"
#define LAST "SLURM_VERSION           = 22.05.8\n"

static struct slurmfacts facts;
static struct sfab_err err;

START_TEST(all_facts)
{
	ck_assert_int_eq(slurmfacts_parse(&facts, TEXT LAST "\nCgroup =\n", &err),
			 0);
	ck_assert_str_eq(facts.version, "22.05.8");
	ck_assert_str_eq(facts.plugindir, "/opt/sfabric:/usr/lib/slurm");
	ck_assert_str_eq(facts.select_type, "select/cons_tres");
	ck_assert_str_eq(facts.conf, "/etc/slurm/slurm.conf");
	ck_assert_str_eq(facts.pidfile, "/run/slurmctld.pid");
	ck_assert_uint_eq(facts.uid, 64030);
	slurmfacts_free(&facts);
	slurmfacts_free(&facts);
}
END_TEST

static const struct {
	const char *text, *error;
} wrong[] = {
	{ "", "scontrol show config: no SlurmUser" },
	{ TEXT, "scontrol show config: no SLURM_VERSION" },
	{ "SlurmUser = slurm\n" TEXT LAST,
	  "scontrol show config: no SlurmUser=NAME(UID)" },
};

START_TEST(missing_facts)
{
	ck_assert_int_eq(slurmfacts_parse(&facts, wrong[_i].text, &err), -1);
	ck_assert_int_eq(err.code, SFAB_EFORMAT);
	ck_assert_str_eq(err.text, wrong[_i].error);
	ck_assert_ptr_null(facts.version);
}
END_TEST

static void list(TCase *tc)
{
	tcase_add_test(tc, all_facts);
	tcase_add_loop_test(tc, missing_facts, 0,
			    sizeof(wrong) / sizeof(wrong[0]));
}

UNIT_MAIN("slurmfacts", list)
