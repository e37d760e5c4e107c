/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_site_counters.c - counters of ports on the links that they belong to */

#include <unistd.h>

#include "io/counters/counters.h"
#include "tests/unit/fixtures/fabrics.h"
#include "tests/unit/fixtures/unit.h"
#include "tools/site/site_counters.h"

static const struct clos made = { .leaves = 2, .spines = 2, .hosts = 2 };

/* A file with one port, written and read. */
static int read_one(const struct sfab_fabric *f, const struct sfab_counter *row,
		    struct site_counters *m, struct sfab_err *err)
{
	struct sfab_counters *c = sfab_counters_create(1);
	struct site site = { .f = f };
	char path[60];
	int rc;

	snprintf(path, sizeof(path), "site_counters.%d.tmp", (int) getpid());
	c->row[0] = *row;
	c->row[0].time_ms = c->row[0].interval_ms = 1000;
	c->time_ms = 5000;
	c->half_life_s = SFAB_HALF_LIFE_S;
	strcpy(c->source, "test");
	ck_assert_msg(sfab_counters_save(c, path, 0600, err) == 0, "%s",
		      err->text);
	sfab_counters_destroy(c);
	rc = site_counters_open(m, &site, path, SITE_COUNTERS_HERE, NULL, err);
	unlink(path);
	return rc;
}

/* The first link out of leaf 1 to a spine, and the one back. */
static uint32_t uplink(const struct sfab_fabric *f, uint32_t *back)
{
	uint32_t link = f->switches[f->leaves[0].sw].out[3];

	*back = f->switches[f->links[link].to].out[f->links[link].to_port];
	return link;
}

TEST(a_row_counts_for_both_directions_of_its_cable)
{
	struct sfab_fabric *f = unit_fabric(&made);
	uint32_t back, link = uplink(f, &back);
	struct sfab_counter row = {
		.guid = sfab_link_from_guid(f, link),
		.port = f->links[link].from_port, .xmit_rate = 3e9,
		.rcv_rate = 1e9, .wait_share = 0.25, .errors = 7, .discards = 5,
	};
	struct sfab_link_events *events;
	struct site_counters m;

	unit_must(!read_one(f, &row, &m, &unit_err));
	events = site_counters_events(&m);
	ck_assert_uint_eq(m.ms->time_s[link], 1);
	ck_assert_double_eq(m.ms->rate[link], 3e9);
	ck_assert_double_eq(m.ms->rate[back], 1e9);
	ck_assert_double_eq(m.ms->wait[link], 0.25);
	ck_assert_double_lt(m.ms->wait[back], 0);
	ck_assert_double_eq(events[link].discards, 5);
	ck_assert_double_eq(events[back].errors, 7);
	ck_assert_double_eq(events[link].errors, 0);
	free(events);
	site_counters_close(&m);
}

TEST(a_row_without_rates_measures_nothing)
{
	struct sfab_fabric *f = unit_fabric(&made);
	uint32_t back, link = uplink(f, &back);
	struct sfab_counter row = {
		.guid = sfab_link_from_guid(f, link),
		.port = f->links[link].from_port,
		.flags = SFAB_COUNTER_NO_RATE | SFAB_COUNTER_NO_WAIT,
	};
	struct sfab_err err = { 0 };
	struct site_counters m;

	ck_assert_msg(read_one(f, &row, &m, &err) == 0, "%s", err.text);
	ck_assert_double_lt(m.ms->rate[link], 0);
	site_counters_close(&m);
	row.guid = 0xdead;
	ck_assert_int_eq(read_one(f, &row, &m, &err), -1);
	ck_assert_int_eq(err.code, SFAB_ESTALE);
}

UNIT_MAIN("site_counters")
