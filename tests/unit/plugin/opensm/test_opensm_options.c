/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_opensm_options.c - event_plugin_options, and the page that has them */

#include "tests/unit/fixtures/unit.h"

#include "io/file.h"
#include "plugin/opensm/plugin_options.h"

TEST(defaults)
{
	struct sfab_osm_options o;

	unit_must(!sfab_osm_options_parse(&o, NULL, &unit_err));
	ck_assert_str_eq(o.snapshot, "/run/sfabric/fabric.snap");
	ck_assert_str_eq(o.counters, "");
	ck_assert_uint_eq(o.alive_ms, 30000);
	ck_assert_uint_eq(o.gap_ms, 200);
	ck_assert_uint_eq(o.half_life_s, 60);
	sfab_osm_options_free(&o);
}

TEST(all_are_read)
{
	struct sfab_osm_options o;

	unit_must(!sfab_osm_options_parse(&o, "Snapshot=\"/a b/s\" counters=/c "
		"Alive=/d AliveInterval=5s SnapshotGap=0 HalfLife=10s Plane=ib0 "
		"NodeNameMap=/m Conf=/e", &unit_err));
	ck_assert_str_eq(o.snapshot, "/a b/s");
	ck_assert_str_eq(o.counters, "/c");
	ck_assert_str_eq(o.alive, "/d");
	ck_assert_uint_eq(o.alive_ms, 5000);
	ck_assert_uint_eq(o.gap_ms, 0);
	ck_assert_uint_eq(o.half_life_s, 10);
	ck_assert_str_eq(o.plane, "ib0");
	ck_assert_str_eq(o.node_name_map, "/m");
	ck_assert_str_eq(o.conf, "/e");
	sfab_osm_options_free(&o);
}

static const struct {
	const char *text, *error;
} bad_vectors[] = {
	{ "Snap=/a", "unknown key \"Snap\" (did you mean 'Snapshot'? sfabric-opensm(8) "
	  "lists all)" },
	{ "Snapshot", "\"Snapshot\" (expected Key=Value)" },
	{ "Snapshot=a", "Snapshot: \"a\" (expected an absolute path)" },
	{ "Snapshot=\"\"", "Snapshot: \"\" (expected an absolute path)" },
	{ "Plane=a Plane=b", "Plane given twice" },
	{ "AliveInterval=0", "AliveInterval: \"0\" (expected a time" },
	{ "AliveInterval=1us", "in steps of 1ms" },
	{ "HalfLife=1ms", "HalfLife: \"1ms\" (expected a time" },
	{ "--other /plugin", "(expected Key=Value)" },
};

LOOP_TEST(bad_ones_are_named, N(bad_vectors))
{
	struct sfab_osm_options o;

	ck_assert_int_eq(sfab_osm_options_parse(&o, bad_vectors[_i].text, &unit_err),
			 -1);
	ck_assert_msg(strstr(unit_err.text, bad_vectors[_i].error) != NULL,
		      "\"%s\" says not \"%s\"", unit_err.text, bad_vectors[_i].error);
	sfab_osm_options_free(&o);
}

TEST(man_page_has_them_all)
{
	const char *source = getenv("SFAB_SRCDIR");
	const struct sfab_option *o;
	char path[600], row[100];
	uint8_t *text;
	size_t size;

	snprintf(path, sizeof(path), "%s/doc/sfabric-opensm.8.scd",
		 source ? source : ".");
	ck_assert_int_eq(sfab_file_read(path, NULL, &text, &size, NULL), 0);
	for (o = sfab_osm_option_table; o->key; o++) {
		snprintf(row, sizeof(row), "\n*%s*=_", o->key);
		ck_assert_msg(strstr((char *) text, row) != NULL, "no %s", row);
	}
	free(text);
}

UNIT_MAIN("opensm options")
