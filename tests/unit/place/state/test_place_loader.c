/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_place_loader.c - the loader: what may be trusted, and for how long */

#include "tests/unit/fixtures/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "io/learn/found_traffic.h"
#include "place/state/jobload.h"
#include "tests/unit/fixtures/loader_files.h"
#include "tests/unit/fixtures/service.h"

static struct loader_files f;

TEST(reads_conf_and_snapshot)
{
	uint64_t fingerprint;

	loader_files_start(&f);
	ck_assert_int_eq(loader_files_look(&f), 0);
	ck_assert_int_eq(service_log_count("sfabric.conf: "), 1);
	loader_files_look(&f);
	ck_assert_int_eq(service_log_count("sfabric.conf: "), 1);	/* said once */
	loader_files_write_conf(&f, "");
	ck_assert_int_eq(loader_files_look(&f), 0);
	ck_assert_int_eq(service_log_count("fabric.snap: "), 1);
	fingerprint = loader_files_write_snapshot(&f, &service_shape);
	ck_assert_int_eq(loader_files_look(&f), SFAB_FOREVER);
	ck_assert_uint_eq(loader_files_take(&f), fingerprint);
	loader_files_look(&f);
	ck_assert_uint_eq(loader_files_take(&f), 0);		/* nothing new */
}

TEST(the_same_content_again_is_no_new_generation)
{
	loader_files_start_with(&f, "");
	loader_files_look(&f);
	ck_assert_uint_ne(loader_files_take(&f), 0);
	for (int i = 0; i < 5; i++) {
		loader_files_write_snapshot(&f, &service_shape);
		ck_assert_int_eq(loader_files_look(&f), SFAB_FOREVER);
		ck_assert_uint_eq(loader_files_take(&f), 0);
	}
}

/* As `sfabric show packing --keep` keeps it. */
TEST(kept_packing_is_used_for_the_same_conf)
{
	static const char *const conf[] = { "", "MaxSteps=1000\n", "MaxLeaves=3\n" };
	static const double price[] = { 1, 0, 1 };
	const struct sfab_packings played = { .best = SFAB_PACKINGS - 1 };	/* none */

	loader_files_start_with(&f, "");
	for (int i = 0; i < 3; i++) {
		struct sfab_generation *gen;

		loader_files_write_conf(&f, conf[i]);
		loader_files_look(&f);
		gen = sfab_handoff_adopt(&f.handoff);
		ck_assert_ptr_nonnull(gen);
		ck_assert_double_eq(gen->shared->packing.price, price[i]);
		if (!i)
			ck_assert_int_eq(sfab_site_view_keep(f.snap, gen->model, gen->conf,
							     &played, NULL), 0);
		sfab_handoff_retire(&f.handoff, gen);
	}
}

/* What `sfabric learn` found out of the tables: said when it begins and when it ends. */
TEST(too_few_followed_routes_are_logged_once)
{
	static const double followed[] = { 0.9, 0.5, 0.4, 0.9 };
	static const int said[] = { 0, 1, 1, 1 }, again[] = { 0, 0, 0, 1 };
	struct sfab_found *found = sfab_found_create(0);
	struct sfab_generation *gen;
	struct sfab_intent_site site;
	const char *path;
	char conf[300];

	loader_files_start(&f);
	path = unit_path("data/traffic.snap");
	snprintf(conf, sizeof(conf), "FoundTraffic=%s\n", path);
	loader_files_write_conf(&f, conf);
	found->fingerprint = loader_files_write_snapshot(&f, &service_shape);
	for (int i = 0; i < 4; i++) {
		found->followed = followed[i];
		found->time_ms = (uint64_t) ++f.now * 1000;
		ck_assert_int_eq(sfab_found_save(found, path, 0600, NULL), 0);
		loader_files_look(&f);
		gen = sfab_handoff_adopt(&f.handoff);
		ck_assert_ptr_nonnull(gen);
		site = sfab_jobload_site(gen);
		ck_assert_int_eq(sfab_intent_mode(&site, NULL), followed[i] < 0.8 ?
				 SFAB_MODE_OBSERVE : SFAB_MODE_ON);
		sfab_handoff_retire(&f.handoff, gen);
		ck_assert_int_eq(service_log_count("% of the measured bytes"), said[i]);
		ck_assert_int_eq(service_log_count("say again"), again[i]);
	}
	sfab_found_destroy(found);
}

/* -- what may go wrong with the file -------------------------------------- */

static const char *const spoils[] = {
	"truncate -s 100 data/fabric.snap",
	"printf garbage | dd of=data/fabric.snap bs=1 seek=200 conv=notrunc status=none",
	"rm data/fabric.snap",
	"chmod 664 data/fabric.snap",
	"chmod 770 data",
	"mv data/fabric.snap moved && ln -s ../moved data/fabric.snap",
	"truncate -s 0 data/fabric.snap",
	"echo this is not a snapshot >data/fabric.snap",
};

static void repair(void)
{
	chmod(f.data, 0700);
	unlink(f.snap);
}

/* No snapshot age is set: the last good one stays until its file is removed. */
LOOP_TEST(a_damaged_file_is_not_used, N(spoils))
{
	int64_t until = strncmp(spoils[_i], "rm ", 3) == 0 ? 0 : SFAB_FOREVER;

	loader_files_start_with(&f, "");
	ck_assert_int_eq(loader_files_look(&f), SFAB_FOREVER);
	service_forget_log();
	unit_shell(spoils[_i]);
	ck_assert_int_eq(loader_files_look(&f), until);
	ck_assert_int_eq(loader_files_look(&f), until);
	ck_assert_int_eq(service_log_count("\n"), 1);	/* one line says why */
	ck_assert_int_eq(service_log_count("the last good one stays in use"), until != 0);
	ck_assert_int_eq(service_log_count("Slurm places jobs"), !until);
	repair();
	loader_files_write_snapshot(&f, &service_shape);
	ck_assert_int_eq(loader_files_look(&f), SFAB_FOREVER);
}

/* With an age the last good one stays until that is over. */
LOOP_TEST(the_last_good_snapshot_stays_while_confirmed, N(spoils))
{
	uint64_t fingerprint;

	fingerprint = loader_files_start_with(&f, "MaxSnapshotAge=60\n");
	loader_files_write_alive(&f, fingerprint, f.now);
	ck_assert_int_eq(loader_files_look(&f), f.now + 60);
	unit_shell(spoils[_i]);
	ck_assert_int_eq(loader_files_look(&f), f.now + 60);
	f.now += 60;
	ck_assert_int_eq(loader_files_look(&f), 0);
	ck_assert_int_eq(service_log_count("not confirmed"), 1);
}

/* -- age ------------------------------------------------------------------- */

TEST(age_counts_from_the_last_confirmation)
{
	uint64_t fingerprint;

	fingerprint = loader_files_start_with(&f, "MaxSnapshotAge=60\n");
	ck_assert_int_eq(loader_files_look(&f), 0);		/* made long ago */
	ck_assert_int_eq(service_log_count("not confirmed"), 1);
	loader_files_write_alive(&f, fingerprint, f.now - 10);
	ck_assert_int_eq(loader_files_look(&f), f.now + 50);
	f.now += 49;
	ck_assert_int_eq(loader_files_look(&f), f.now + 1);
	f.now += 1;
	ck_assert_int_eq(loader_files_look(&f), 0);
	ck_assert_int_eq(service_log_count("not confirmed"), 2);
	loader_files_write_alive(&f, fingerprint, f.now);
	ck_assert_int_eq(loader_files_look(&f), f.now + 60);
}

TEST(fabric_alive_of_another_fabric_confirms_nothing)
{
	loader_files_start_with(&f, "MaxSnapshotAge=60\n");
	loader_files_write_alive(&f, 12345, f.now);
	ck_assert_int_eq(loader_files_look(&f), 0);
}

TEST(fabric_alive_may_come_before_the_snapshot)
{
	uint64_t fingerprint;

	loader_files_start(&f);
	loader_files_write_conf(&f, "MaxSnapshotAge=60\n");
	fingerprint = loader_files_write_snapshot(&f, &loader_files_shape);
	loader_files_write_alive(&f, fingerprint, f.now);
	loader_files_write_snapshot(&f, &service_shape);
	ck_assert_int_eq(loader_files_look(&f), 0);
	loader_files_write_snapshot(&f, &loader_files_shape);
	ck_assert_int_eq(loader_files_look(&f), f.now + 60);
}

TEST(a_clock_that_is_ahead_gives_no_credit)
{
	uint64_t fingerprint;

	fingerprint = loader_files_start_with(&f, "MaxSnapshotAge=60\n");
	loader_files_write_alive(&f, fingerprint, f.now + 1000000);
	ck_assert_int_eq(loader_files_look(&f), f.now + 60);
}

TEST(a_wrong_fabric_alive_is_logged_once)
{
	loader_files_start_with(&f, "MaxSnapshotAge=60\n");
	unit_write(f.alive, "what?\n");
	loader_files_look(&f);
	loader_files_look(&f);
	ck_assert_int_eq(service_log_count("fabric.alive:1: "), 1);
}

UNIT_MAIN("place loader")
