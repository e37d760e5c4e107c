/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_opensm_keeper.c - which file is written when, by a clock of our own */

#include "tests/unit/fixtures/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "io/snapshot/alive.h"
#include "io/snapshot/snapshot.h"
#include "plugin/opensm/keeper.h"
#include "plugin/opensm/osm_snapshot.h"

#define START_S 1700000000u
#define OURS 0x11u

/* One for each test. */
static struct bench {
	const char *snap, *alive;
	struct sfab_keeper *keeper;
	uint64_t ms;			/* of both clocks */
	enum sfab_sm_state state;
	char said[2000];
} b;

static enum sfab_sm_state state(void *ctx)
{
	return b.state;
}

static uint64_t guid(void *ctx)
{
	return OURS;
}

static void hear(void *ctx, enum sfab_osm_log level, const char *text)
{
	if (strlen(b.said) + strlen(text) + 2 < sizeof(b.said))
		strcat(strcat(b.said, text), "\n");
}

static void set_up(void)
{
	const struct sfab_sm sm = { NULL, state, guid, hear };
	struct sfab_osm_options o;
	char text[400];

	memset(&b, 0, sizeof(b));
	b.snap = unit_path("fabric.snap");
	b.alive = unit_path("fabric.alive");
	snprintf(text, sizeof(text), "Snapshot=%s AliveInterval=10s", b.snap);
	b.state = SFAB_SM_MASTER;
	ck_assert_int_eq(sfab_osm_options_parse(&o, text, NULL), 0);
	b.keeper = sfab_keeper_create(&o, &sm, NULL);
	ck_assert_ptr_nonnull(b.keeper);
}

static void tear_down(void)
{
	ck_assert_int_eq(sfab_keeper_destroy(b.keeper), 0);
}

static void add_port(struct sfab_topology *t, uint32_t node, uint8_t num,
		     uint32_t to, uint8_t to_num)
{
	t->port[t->nports++] = (struct sfab_topo_port) {
		.guid = 0x1000 + node, .to_guid = 0x100 + to, .num = num,
		.to_num = to_num, .to_switch = to == 0, .is_up = 1, .width = 2,
		.speed = 4, .lid = (uint16_t) (node ? 1 + node : 0),
	};
}

/* A switch with @hosts hosts; its table has them behind their ports. */
static struct sfab_topology *topology(uint32_t hosts)
{
	const struct sfab_topology counts = {
		.nnodes = hosts + 1, .nports = 2 * hosts, .nlft = hosts + 2,
		.nnames = 8 * (hosts + 1),
	};
	struct sfab_topology *t = sfab_topology_create(&counts);

	ck_assert_ptr_nonnull(t);
	t->nports = 0;
	t->time_ms = START_S * UINT64_C(1000) + b.ms;
	t->sm_guid = OURS;
	strcpy(t->engine, "ftree");
	t->node[0] = (struct sfab_topo_node) {
		.guid = 0x100, .is_switch = 1, .nports = 36, .lid = 1,
		.nlft = hosts + 2, .nlisted = hosts,
	};
	strcpy(t->names, "sw");
	memset(t->lft, 0xFF, t->nlft);
	t->lft[1] = 0;
	for (uint32_t h = 1; h <= hosts; h++) {
		add_port(t, 0, (uint8_t) h, h, 1);
		t->lft[1 + h] = (uint8_t) h;
	}
	for (uint32_t h = 1; h <= hosts; h++) {
		t->node[h] = (struct sfab_topo_node) {
			.guid = 0x100 + h, .name = 8 * h, .first_port = t->nports,
			.nlisted = 1, .nports = 1,
		};
		sprintf(t->names + 8 * h, "n%u", h);
		add_port(t, h, 1, 0, (uint8_t) h);
	}
	return t;
}

static void step(uint64_t later_ms)
{
	b.ms += later_ms;
	sfab_keeper_step(b.keeper, b.ms, START_S * UINT64_C(1000) + b.ms);
}

/* Hosts of the snapshot on disk, 0: there is none. */
static uint32_t hosts_on_disk(void)
{
	struct sfab_snapshot *s = sfab_snapshot_load(b.snap, NULL, NULL);
	uint32_t n = s ? s->fabric->nhosts : 0;

	sfab_snapshot_destroy(s);
	return n;
}

/* Seconds since the start that the word has, 9999: it is not of the snapshot. */
static uint64_t confirmed(void)
{
	struct sfab_snapshot *s = sfab_snapshot_load(b.snap, NULL, NULL);
	struct sfab_alive a = { 0 };
	uint64_t at = 9999;

	if (s && sfab_alive_load(b.alive, NULL, &a, NULL) == 0 &&
	    a.fingerprint == s->fingerprint)
		at = a.time - START_S;
	sfab_snapshot_destroy(s);
	return at;
}

static void offer(uint32_t hosts)
{
	sfab_keeper_offer(b.keeper, topology(hosts));
}

/* Offer the hosts of a sweep, which are on disk at once. */
static void found(uint32_t hosts)
{
	offer(hosts);
	step(0);
}

TEST(a_snapshot_is_written_at_once_and_confirmed)
{
	step(1000);
	ck_assert_uint_eq(hosts_on_disk(), 0);
	found(3);
	ck_assert_uint_eq(hosts_on_disk(), 3);
	ck_assert_uint_eq(confirmed(), 1);
	step(9000);
	ck_assert_uint_eq(confirmed(), 1);
	step(1000);
	ck_assert_uint_eq(confirmed(), 11);
}

TEST(many_sweeps_are_two_files)
{
	found(1);
	for (uint32_t hosts = 2; hosts < 9; hosts++) {
		offer(hosts);
		step(10);
		ck_assert_uint_eq(hosts_on_disk(), 1);
	}
	step(130);
	ck_assert_uint_eq(hosts_on_disk(), 8);
}

TEST(tables_in_doubt_are_not_confirmed)
{
	found(2);
	sfab_keeper_doubt(b.keeper);
	step(60000);
	ck_assert_uint_eq(confirmed(), 0);
	found(2);
	ck_assert_uint_eq(confirmed(), 60);
}

TEST(a_failed_write_is_retried)
{
	char away[300];

	snprintf(away, sizeof(away), "%s.away", unit_folder());
	rename(unit_folder(), away);
	offer(2);
	for (int i = 0; i < 50; i++)
		step(100);
	rename(away, unit_folder());
	ck_assert_uint_eq(hosts_on_disk(), 0);
	step(4000);
	ck_assert_uint_eq(hosts_on_disk(), 2);
	ck_assert_ptr_nonnull(strstr(b.said, "No such file"));
	ck_assert_ptr_null(strstr(strstr(b.said, "No such file") + 1,
				  "No such file"));
	ck_assert_ptr_nonnull(strstr(b.said, "written again"));
}

/* Removed, cut, replaced by an old one: with the next word it is ours again. */
TEST(a_removed_or_cut_snapshot_is_written_again)
{
	found(2);
	unlink(b.snap);
	step(10000);
	step(1000);
	ck_assert_uint_eq(hosts_on_disk(), 2);
	ck_assert_int_eq(truncate(b.snap, 100), 0);
	step(10000);
	step(1000);
	ck_assert_uint_eq(hosts_on_disk(), 2);
	ck_assert_uint_eq(confirmed(), 22);
}

/* What the keeper asks right after a write: damage between the two is seen. */
TEST(a_damaged_snapshot_is_not_ours)
{
	struct sfab_snapshot *s;
	uint64_t fingerprint;
	FILE *file;

	found(2);
	s = sfab_snapshot_load(b.snap, NULL, NULL);
	ck_assert_ptr_nonnull(s);
	fingerprint = s->fingerprint;
	sfab_snapshot_destroy(s);
	ck_assert_int_eq(sfab_osm_snapshot_is_saved(b.snap, fingerprint), 1);
	ck_assert_int_eq(sfab_osm_snapshot_is_saved(b.snap, fingerprint + 1), 0);
	file = fopen(b.snap, "r+");
	fseek(file, -8, SEEK_END);
	fputs("garbage", file);
	fclose(file);
	ck_assert_int_eq(sfab_osm_snapshot_is_saved(b.snap, fingerprint), 0);
	ck_assert_int_eq(truncate(b.snap, 100), 0);
	ck_assert_int_eq(sfab_osm_snapshot_is_saved(b.snap, fingerprint), 0);
}

TEST(a_standby_writes_no_snapshot)
{
	struct sfab_alive a = { 0 };
	b.state = SFAB_SM_STANDBY;
	offer(2);
	step(1000);
	ck_assert_uint_eq(hosts_on_disk(), 0);
	ck_assert_int_eq(sfab_alive_load(b.alive, NULL, &a, NULL), 0);
	ck_assert_uint_eq(a.standby, 1);
	ck_assert_uint_eq(a.sm_guid, OURS);
}

static void other_says(uint64_t since, uint64_t standby)
{
	struct sfab_alive a = { .fingerprint = 1, .sm_guid = 0x22,
				.time = START_S + b.ms / 1000,
				.since = START_S + since, .standby = standby };

	ck_assert_int_eq(sfab_alive_save(&a, b.alive, 0644, NULL), 0);
}

TEST(a_standby_leaves_fabric_alive_to_the_master)
{
	struct sfab_alive a = { 0 };
	b.state = SFAB_SM_STANDBY;
	other_says(0, 0);
	step(60000);
	ck_assert_int_eq(sfab_alive_load(b.alive, NULL, &a, NULL), 0);
	ck_assert_uint_eq(a.sm_guid, 0x22);
}

TEST(a_master_that_was_put_down_confirms_nothing)
{
	found(2);
	b.state = SFAB_SM_OTHER;
	step(60000);
	b.state = SFAB_SM_MASTER;
	step(60000);
	ck_assert_uint_eq(confirmed(), 0);
}

static const struct {
	uint64_t since;		/* the other is master since then; ours: 100 */
	uint64_t standby;
	int ours;		/* who writes */
} master_vectors[] = {
	{ 50, 0, 1 }, { 150, 0, 0 }, { 150, 1, 1 }, { 100, 0, 0 },
};

LOOP_TEST(of_two_masters_the_newer_writes, N(master_vectors))
{
	int ours = master_vectors[_i].ours;
	b.ms = 100000;
	other_says(master_vectors[_i].since, master_vectors[_i].standby);
	found(2);
	ck_assert_uint_eq(hosts_on_disk(), ours ? 2 : 0);
	ck_assert_int_eq(strstr(b.said, "two masters") == NULL, ours);
	/* three confirmations later the other one is gone */
	for (int i = 0; i < 70; i++)
		step(1000);
	ck_assert_uint_eq(hosts_on_disk(), 2);
}

TEST(a_newer_master_is_left_alone)
{
	struct sfab_alive a = { 0 };
	found(2);
	b.ms = 8000;
	other_says(8, 0);
	step(3000);
	ck_assert_int_eq(sfab_alive_load(b.alive, NULL, &a, NULL), 0);
	ck_assert_uint_eq(a.sm_guid, 0x22);
}

TEST(the_thread_ends_with_all_written)
{
	ck_assert_int_eq(sfab_keeper_start(b.keeper, NULL), 0);
	offer(5);
	ck_assert_int_eq(sfab_keeper_destroy(b.keeper), 0);
	ck_assert_uint_eq(hosts_on_disk(), 5);
	b.keeper = NULL;
}

UNIT_MAIN_WITH("opensm keeper", set_up, tear_down)
