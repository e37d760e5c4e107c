/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loader: what may be trusted, for how long, and one line for each trouble. */

#include "tests/unit/fixtures/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/counters/counters.h"
#include "io/snapshot/alive.h"
#include "place/state/loader.h"
#include "tests/unit/fixtures/placed.h"

static const struct made tree = { .leaves = 4, .spines = 2, .hosts = 4 };
static const struct made other = { .leaves = 4, .spines = 3, .hosts = 4 };

struct files {
	char folder[40], data[48];	/* of the conf, of the rest */
	char conf[64], snap[64], alive[64];
	struct sfab_handoff handoff;
	struct sfab_loader *loader;
	int64_t now;
};

static void write_text(const char *path, const char *text)
{
	struct sfab_err err = { 0 };

	ck_assert_msg(!sfab_file_write(path, text, strlen(text), 0644, &err),
		      "%s", err.text);
}

/* Linked with -Wl,--wrap=: files rest as long, and are as old, as a test wants. */
static time_t clock_ahead;
static time_t changed_at;	/* not 0: what lstat() says of every file */

time_t __real_time(time_t *t);
time_t __wrap_time(time_t *t);
int __real_lstat(const char *path, struct stat *st);
int __wrap_lstat(const char *path, struct stat *st);

time_t __wrap_time(time_t *t)
{
	time_t now = __real_time(NULL) + clock_ahead;

	if (t)
		*t = now;
	return now;
}

int __wrap_lstat(const char *path, struct stat *st)
{
	int rc = __real_lstat(path, st);

	if (rc == 0 && changed_at)
		st->st_ctim = st->st_mtim = (struct timespec){ .tv_sec = changed_at };
	return rc;
}

static void write_conf(struct files *f, const char *more)
{
	char text[400];

	snprintf(text, sizeof(text), "Mode=on\nSnapshot=%s\n%s", f->snap, more);
	write_text(f->conf, text);
}

/* Returns the fingerprint. */
static uint64_t write_snapshot(struct files *f, const struct made *m)
{
	struct sfab_snapshot *s = placed_snapshot(m);
	uint64_t fingerprint = s->fingerprint;
	struct sfab_err err = { 0 };

	ck_assert_msg(!sfab_snapshot_save(s, f->snap, 0644, &err), "%s", err.text);
	sfab_snapshot_destroy(s);
	return fingerprint;
}

static void confirm(struct files *f, uint64_t fingerprint, int64_t time)
{
	struct sfab_alive a = { .fingerprint = fingerprint,
				.time = (uint64_t) time };

	ck_assert_int_eq(sfab_alive_save(&a, f->alive, 0644, NULL), 0);
}

static void set_up(struct files *f)
{
	struct sfab_place_options o = { .log = placed_log };

	memset(f, 0, sizeof(*f));
	placed_forget_log();
	strcpy(f->folder, "/tmp/sfabric-loader.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(f->folder));
	snprintf(f->conf, sizeof(f->conf), "%s/sfabric.conf", f->folder);
	snprintf(f->data, sizeof(f->data), "%s/data", f->folder);
	ck_assert_int_eq(mkdir(f->data, 0700), 0);
	snprintf(f->snap, sizeof(f->snap), "%s/fabric.snap", f->data);
	snprintf(f->alive, sizeof(f->alive), "%s/fabric.alive", f->data);
	f->now = time(NULL) + 100;
	o.conf_path = f->conf;
	o.trust = (struct sfab_trust){ .check = 1, .uid = getuid() };
	f->loader = sfab_loader_create(&o, &f->handoff, NULL);
}

/* With that conf, and a snapshot, whose fingerprint is returned. */
static uint64_t set_up_with(struct files *f, const char *conf)
{
	set_up(f);
	write_conf(f, conf);
	return write_snapshot(f, &tree);
}

static void tear_down(struct files *f)
{
	ck_assert_int_eq(sfab_loader_destroy(f->loader), 0);
	unlink(f->conf);
	unlink(f->snap);
	unlink(f->alive);
	ck_assert_int_eq(rmdir(f->data), 0);
	ck_assert_int_eq(rmdir(f->folder), 0);
}

/* Until when the snapshot is to be trusted, after another look. */
static int64_t look(struct files *f)
{
	sfab_loader_step(f->loader, f->now);
	return atomic_load(&f->handoff.until);
}

/* The generation that was published; destroyed here.  0: none. */
static uint64_t take(struct files *f)
{
	struct sfab_generation *gen = sfab_handoff_adopt(&f->handoff);
	uint64_t fingerprint = gen ? gen->snap->fingerprint : 0;

	if (gen)
		sfab_handoff_retire(&f->handoff, gen);
	return fingerprint;
}

START_TEST(reads_conf_and_snapshot)
{
	struct files f;
	uint64_t fingerprint;

	set_up(&f);
	ck_assert_int_eq(look(&f), 0);
	ck_assert_int_eq(placed_logged("sfabric.conf: "), 1);
	look(&f);
	ck_assert_int_eq(placed_logged("sfabric.conf: "), 1);	/* said once */
	write_conf(&f, "");
	ck_assert_int_eq(look(&f), 0);
	ck_assert_int_eq(placed_logged("fabric.snap: "), 1);
	fingerprint = write_snapshot(&f, &tree);
	ck_assert_int_eq(look(&f), SFAB_FOREVER);
	ck_assert_uint_eq(take(&f), fingerprint);
	look(&f);
	ck_assert_uint_eq(take(&f), 0);		/* nothing new */
	tear_down(&f);
}
END_TEST

/* -- what may go wrong with the file -------------------------------------- */

static void truncate_it(struct files *f)
{
	ck_assert_int_eq(truncate(f->snap, 100), 0);
}

static void overwrite_in_place(struct files *f)
{
	FILE *file = fopen(f->snap, "r+");

	fseek(file, 200, SEEK_SET);
	fputs("garbage", file);
	fclose(file);
}

static void remove_it(struct files *f)
{
	unlink(f->snap);
}

static void let_the_group_write(struct files *f)
{
	chmod(f->snap, 0664);
}

static void let_the_group_write_the_folder(struct files *f)
{
	chmod(f->data, 0770);
}

static void make_it_a_link(struct files *f)
{
	char moved[80];

	snprintf(moved, sizeof(moved), "%s.1", f->snap);
	ck_assert_int_eq(rename(f->snap, moved), 0);
	ck_assert_int_eq(symlink(moved, f->snap), 0);
}

static void make_it_empty(struct files *f)
{
	ck_assert_int_eq(truncate(f->snap, 0), 0);
}

static void make_it_text(struct files *f)
{
	write_text(f->snap, "this is not a snapshot\n");
}

static void (*const spoils[])(struct files *f) = {
	truncate_it, overwrite_in_place, remove_it, let_the_group_write,
	let_the_group_write_the_folder, make_it_a_link, make_it_empty,
	make_it_text,
};

static void repair(struct files *f)
{
	char moved[80];

	chmod(f->data, 0700);
	unlink(f->snap);
	snprintf(moved, sizeof(moved), "%s.1", f->snap);
	unlink(moved);
}

/* No snapshot age is set: the file itself is what confirms. */
START_TEST(a_spoilt_file_is_not_used)
{
	struct files f;

	set_up_with(&f, "");
	ck_assert_int_eq(look(&f), SFAB_FOREVER);
	placed_forget_log();
	spoils[_i](&f);
	ck_assert_int_eq(look(&f), 0);
	ck_assert_int_eq(look(&f), 0);
	ck_assert_int_eq(placed_logged("\n"), 1);	/* one line says why */
	repair(&f);
	write_snapshot(&f, &tree);
	ck_assert_int_eq(look(&f), SFAB_FOREVER);
	repair(&f);
	tear_down(&f);
}
END_TEST

/* With an age the last good one stays until that is over. */
START_TEST(the_last_good_one_stays_while_confirmed)
{
	struct files f;
	uint64_t fingerprint;

	fingerprint = set_up_with(&f, "MaxSnapshotAge=60\n");
	confirm(&f, fingerprint, f.now);
	ck_assert_int_eq(look(&f), f.now + 60);
	spoils[_i](&f);
	ck_assert_int_eq(look(&f), f.now + 60);
	f.now += 60;
	ck_assert_int_eq(look(&f), 0);
	ck_assert_int_eq(placed_logged("not confirmed"), 1);
	repair(&f);
	tear_down(&f);
}
END_TEST

/* -- age ------------------------------------------------------------------- */

START_TEST(age_counts_from_the_last_confirmation)
{
	struct files f;
	uint64_t fingerprint;

	fingerprint = set_up_with(&f, "MaxSnapshotAge=60\n");
	ck_assert_int_eq(look(&f), 0);		/* made long ago */
	ck_assert_int_eq(placed_logged("not confirmed"), 1);
	confirm(&f, fingerprint, f.now - 10);
	ck_assert_int_eq(look(&f), f.now + 50);
	f.now += 49;
	ck_assert_int_eq(look(&f), f.now + 1);
	f.now += 1;
	ck_assert_int_eq(look(&f), 0);
	ck_assert_int_eq(placed_logged("not confirmed"), 2);
	confirm(&f, fingerprint, f.now);
	ck_assert_int_eq(look(&f), f.now + 60);
	tear_down(&f);
}
END_TEST

START_TEST(a_word_for_another_fabric_confirms_nothing)
{
	struct files f;

	set_up_with(&f, "MaxSnapshotAge=60\n");
	confirm(&f, 12345, f.now);
	ck_assert_int_eq(look(&f), 0);
	tear_down(&f);
}
END_TEST

START_TEST(the_word_may_come_before_the_snapshot)
{
	struct files f;
	uint64_t fingerprint;

	set_up(&f);
	write_conf(&f, "MaxSnapshotAge=60\n");
	fingerprint = write_snapshot(&f, &other);
	confirm(&f, fingerprint, f.now);
	write_snapshot(&f, &tree);
	ck_assert_int_eq(look(&f), 0);
	write_snapshot(&f, &other);
	ck_assert_int_eq(look(&f), f.now + 60);
	tear_down(&f);
}
END_TEST

START_TEST(a_clock_that_is_ahead_gives_no_credit)
{
	struct files f;
	uint64_t fingerprint;

	fingerprint = set_up_with(&f, "MaxSnapshotAge=60\n");
	confirm(&f, fingerprint, f.now + 1000000);
	ck_assert_int_eq(look(&f), f.now + 60);
	tear_down(&f);
}
END_TEST

START_TEST(spoilt_word_is_one_line)
{
	struct files f;

	set_up_with(&f, "MaxSnapshotAge=60\n");
	write_text(f.alive, "what?\n");
	look(&f);
	look(&f);
	ck_assert_int_eq(placed_logged("fabric.alive:1: "), 1);
	tear_down(&f);
}
END_TEST

/* -- conf ------------------------------------------------------------------ */

START_TEST(a_bad_conf_leaves_the_last_good_one)
{
	struct files f;

	set_up_with(&f, "");
	ck_assert_int_eq(look(&f), SFAB_FOREVER);
	take(&f);
	write_conf(&f, "Nonsense=1\n");
	ck_assert_int_eq(look(&f), SFAB_FOREVER);
	ck_assert_int_eq(placed_logged("sfabric.conf:3: "), 1);
	ck_assert_uint_eq(take(&f), 0);
	write_snapshot(&f, &other);	/* a new one is used with the old conf */
	ck_assert_int_eq(look(&f), SFAB_FOREVER);
	ck_assert_uint_ne(take(&f), 0);
	tear_down(&f);
}
END_TEST

START_TEST(a_new_conf_makes_a_new_generation)
{
	struct sfab_generation *gen;
	struct files f;

	set_up_with(&f, "");
	look(&f);
	ck_assert_uint_ne(take(&f), 0);
	write_conf(&f, "PartitionMode=a:off\n");
	look(&f);
	gen = sfab_handoff_adopt(&f.handoff);
	ck_assert_ptr_nonnull(gen);
	ck_assert_int_eq(sfab_conf_mode(gen->conf, "a"), SFAB_MODE_OFF);
	sfab_handoff_retire(&f.handoff, gen);
	tear_down(&f);
}
END_TEST

START_TEST(another_mode_is_told)
{
	struct files f;

	set_up(&f);
	write_conf(&f, "");
	look(&f);
	ck_assert_int_eq(placed_logged("mode is on\n"), 1);
	write_conf(&f, "PartitionMode=a:off,b:on\n");
	look(&f);
	ck_assert_int_eq(placed_logged("mode of partition a is now off\n"), 1);
	ck_assert_int_eq(placed_logged("partition b"), 0);
	write_conf(&f, "# the same\nPartitionMode=a:off\n");
	look(&f);
	ck_assert_int_eq(placed_logged("mode "), 2);
	write_conf(&f, "");
	look(&f);
	ck_assert_int_eq(placed_logged("mode of partition a is now on\n"), 1);
	tear_down(&f);
}
END_TEST

START_TEST(a_script_is_read_with_the_conf_and_when_it_changes)
{
	char script[80], policy[120];
	struct sfab_generation *gen;
	struct files f;

	set_up(&f);
	snprintf(script, sizeof(script), "%s/sfabric.lua", f.folder);
	snprintf(policy, sizeof(policy), "Policy=%s\n", script);
	write_conf(&f, policy);
	write_snapshot(&f, &tree);
	look(&f);			/* there is none yet: go on without */
	ck_assert_int_eq(placed_logged("sfabric.lua: "), 1);
	write_text(script, "return { nonsense = 1 }");
	look(&f);
	ck_assert_int_eq(placed_logged("sfabric.lua:1: the script's table"), 1);
	write_text(script, "return {}");
	look(&f);
	gen = sfab_handoff_adopt(&f.handoff);
	ck_assert_ptr_nonnull(gen);
	ck_assert_ptr_nonnull(gen->shared->view.script);
	sfab_handoff_retire(&f.handoff, gen);
	ck_assert_int_eq(chmod(script, 0666), 0);
	look(&f);
	ck_assert_int_eq(placed_logged("writable"), 1);
	unlink(script);
	tear_down(&f);
}
END_TEST

/* In place: the inode stays. */
static void rewrite_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pwrite(fd, text, strlen(text), 0), (int) strlen(text));
	ck_assert_int_eq(close(fd), 0);
}

/*
 * On a file system whose clock has long ticks: another text of the same size in the
 * same tick as the first, after that was read.
 */
static void rewrite_in_the_tick(struct files *f, const char *path,
				const char *one, const char *two)
{
	ck_assert_uint_eq(strlen(one), strlen(two));
	changed_at = time(NULL);
	rewrite_text(path, one);
	look(f);
	take(f);
	rewrite_text(path, two);
	clock_ahead += 3;		/* longer than a file must rest */
	look(f);
}

START_TEST(a_second_write_in_a_tick_is_noticed)
{
	char on[200], off[200];
	struct sfab_generation *gen;
	struct files f;

	set_up_with(&f, "PartitionMode=a:off\n");
	look(&f);
	snprintf(on, sizeof(on), "Mode=on\nSnapshot=%s\nPartitionMode=a:on \n",
		 f.snap);
	snprintf(off, sizeof(off), "Mode=on\nSnapshot=%s\nPartitionMode=a:off\n",
		 f.snap);
	rewrite_in_the_tick(&f, f.conf, on, off);
	gen = sfab_handoff_adopt(&f.handoff);
	ck_assert_ptr_nonnull(gen);
	ck_assert_int_eq(sfab_conf_mode(gen->conf, "a"), SFAB_MODE_OFF);
	ck_assert_int_eq(placed_logged("mode of partition a is now off\n"), 1);
	sfab_handoff_retire(&f.handoff, gen);
	tear_down(&f);
}
END_TEST

START_TEST(a_second_script_in_a_tick_is_noticed)
{
	char script[80], policy[120];
	struct sfab_generation *gen;
	struct files f;

	set_up(&f);
	snprintf(script, sizeof(script), "%s/sfabric.lua", f.folder);
	snprintf(policy, sizeof(policy), "Policy=%s\n", script);
	write_conf(&f, policy);
	write_snapshot(&f, &tree);
	write_text(script, "return {} ");
	look(&f);
	rewrite_in_the_tick(&f, script, "return {} ", "return  0 ");
	gen = sfab_handoff_adopt(&f.handoff);
	ck_assert_ptr_nonnull(gen);
	ck_assert_ptr_null(gen->shared->view.script);
	ck_assert_int_eq(placed_logged("sfabric.lua:"), 1);
	sfab_handoff_retire(&f.handoff, gen);
	unlink(script);
	tear_down(&f);
}
END_TEST

/* They are read once more, however often they were looked at, and nothing is new. */
START_TEST(files_that_rested_make_no_new_generation)
{
	char script[80], policy[120];
	struct files f;

	set_up(&f);
	snprintf(script, sizeof(script), "%s/sfabric.lua", f.folder);
	snprintf(policy, sizeof(policy), "Policy=%s\n", script);
	write_conf(&f, policy);
	write_snapshot(&f, &tree);
	for (int i = 0; i < 2; i++) {
		write_text(script, i ? "return {}" : "return { nonsense = 1 }");
		look(&f);
		ck_assert_uint_ne(take(&f), 0);
		look(&f);
		look(&f);
		ck_assert_uint_eq(take(&f), 0);
		clock_ahead += 3;
		look(&f);
		ck_assert_uint_eq(take(&f), 0);
		ck_assert_int_eq(placed_logged("nonsense"), 1);
	}
	unlink(script);
	tear_down(&f);
}
END_TEST

/* A second fabric of the same hosts beside the first, in a folder of its own. */
static uint64_t write_second(const struct files *f, char *path, size_t size)
{
	struct sfab_snapshot *s = placed_snapshot(&other);
	struct sfab_fabric *fabric = s->fabric;
	uint64_t fingerprint;

	for (uint32_t i = 0; i < fabric->nports; i++)
		((struct sfab_port *) fabric->ports)[i].guid += 0x100000;
	snprintf(path, size, "%s/second/fabric.snap", f->folder);
	ck_assert_int_eq(sfab_snapshot_save(s, path, 0644, NULL), 0);
	sfab_snapshot_destroy(s);
	s = sfab_snapshot_load(path, NULL, NULL);	/* what is in it now */
	fingerprint = s->fingerprint;
	sfab_snapshot_destroy(s);
	return fingerprint;
}

START_TEST(several_fabrics_are_one_generation)
{
	struct sfab_alive word;
	char second[80], folder[60], alive[80], more[300];
	uint64_t first, fingerprint;
	struct sfab_generation *gen;
	struct files f;

	set_up(&f);
	snprintf(folder, sizeof(folder), "%s/second", f.folder);
	snprintf(alive, sizeof(alive), "%s/fabric.alive", folder);
	ck_assert_int_eq(mkdir(folder, 0700), 0);
	first = write_snapshot(&f, &tree);
	fingerprint = write_second(&f, second, sizeof(second));
	snprintf(more, sizeof(more), "Fabric=mpi:%s,io:%s\nMaxSnapshotAge=60\n",
		 f.snap, second);
	write_conf(&f, more);
	ck_assert_int_eq(look(&f), 0);		/* nobody confirms them */
	gen = sfab_handoff_adopt(&f.handoff);
	ck_assert_ptr_nonnull(gen);
	ck_assert_uint_eq(gen->f->nplanes, 2);
	sfab_handoff_retire(&f.handoff, gen);
	confirm(&f, first, f.now);
	ck_assert_int_eq(look(&f), 0);		/* only one of them is */
	word = (struct sfab_alive){ fingerprint, 0, (uint64_t) f.now - 10, 0, 0 };
	ck_assert_int_eq(sfab_alive_save(&word, alive, 0644, NULL), 0);
	ck_assert_int_eq(look(&f), f.now - 10 + 60);
	unlink(second);				/* the last good one stays */
	look(&f);
	ck_assert_int_eq(placed_logged("second/fabric.snap: "), 1);
	unlink(alive);
	rmdir(folder);
	tear_down(&f);
}
END_TEST

START_TEST(the_same_content_again_is_no_new_generation)
{
	struct files f;

	set_up_with(&f, "");
	look(&f);
	ck_assert_uint_ne(take(&f), 0);
	for (int i = 0; i < 5; i++) {
		write_snapshot(&f, &tree);
		ck_assert_int_eq(look(&f), SFAB_FOREVER);
		ck_assert_uint_eq(take(&f), 0);
	}
	tear_down(&f);
}
END_TEST

START_TEST(io_servers_that_are_down_are_one_line)
{
	struct files f;

	set_up_with(&f, "IoSet=fs Hosts=gone[1-2]\n");
	ck_assert_int_eq(look(&f), SFAB_FOREVER);
	look(&f);
	ck_assert_int_eq(placed_logged("2 hosts of IoSet lines"), 1);
	tear_down(&f);
}
END_TEST

/* counters.snap with one port of the fabric: a host's, and one of nobody. */
static void write_counters(const char *path, const struct sfab_fabric *f,
			   double rate, int64_t time_s)
{
	struct sfab_counters *c = sfab_counters_create(2);
	struct sfab_err err = { 0 };

	c->row[0] = (struct sfab_counter) { .guid = f->ports[0].node_guid,
		.port = f->ports[0].num, .xmit_rate = rate,
		.time_ms = 1000 * (uint64_t) time_s };
	c->row[1] = (struct sfab_counter) { .guid = 7, .port = 7 };
	ck_assert_int_eq(sfab_counters_sort(c, &err), 0);
	ck_assert_msg(!sfab_counters_save(c, path, 0644, &err), "%s", err.text);
	sfab_counters_destroy(c);
}

/* Load of that port in the generation that was published; -2: none was. */
static double load(struct files *f)
{
	struct sfab_generation *gen = sfab_handoff_adopt(&f->handoff);
	double load = -2;

	if (!gen)
		return load;
	load = sfab_jobs_background(gen->jobs)[gen->f->ports[0].inject];
	sfab_handoff_retire(&f->handoff, gen);
	return load;
}

START_TEST(counters_go_with_a_generation)
{
	struct sfab_snapshot *s = placed_snapshot(&tree);
	char path[80], line[120];
	struct files f;

	set_up(&f);
	snprintf(path, sizeof(path), "%s/counters.snap", f.data);
	snprintf(line, sizeof(line), "Counters=%s\n", path);
	write_conf(&f, line);
	write_snapshot(&f, &tree);
	look(&f);			/* none there: no trouble */
	ck_assert_double_eq(load(&f), 0);
	ck_assert_int_eq(placed_logged("counters.snap"), 0);

	write_counters(path, s->fabric, 1e9, f.now);
	look(&f);
	ck_assert_double_eq(load(&f), 1e9);
	ck_assert_int_eq(placed_logged("1 of 2 ports are not in the snapshot"), 1);
	look(&f);
	ck_assert_double_eq(load(&f), -2);	/* nothing new */
	f.now += SFAB_MEASURED_FRESH_S + 1;
	look(&f);
	ck_assert_double_eq(load(&f), 5e8);	/* but older */

	write_text(path, "nonsense");
	look(&f);
	look(&f);
	ck_assert_int_eq(placed_logged("not a file of counters"), 1);
	ck_assert_double_eq(load(&f), -2);

	write_counters(path, s->fabric, 2e9, f.now);
	write_snapshot(&f, &other);	/* in one look: both are new */
	look(&f);
	ck_assert_double_eq(load(&f), 2e9);
	look(&f);
	ck_assert_double_eq(load(&f), -2);

	unlink(path);
	look(&f);
	ck_assert_double_eq(load(&f), 0);
	sfab_snapshot_destroy(s);
	tear_down(&f);
}
END_TEST

static void list(TCase *tc)
{
	int nspoils = sizeof(spoils) / sizeof(spoils[0]);

	tcase_add_test(tc, reads_conf_and_snapshot);
	tcase_add_loop_test(tc, a_spoilt_file_is_not_used, 0, nspoils);
	tcase_add_loop_test(tc, the_last_good_one_stays_while_confirmed, 0,
			    nspoils);
	tcase_add_test(tc, age_counts_from_the_last_confirmation);
	tcase_add_test(tc, a_word_for_another_fabric_confirms_nothing);
	tcase_add_test(tc, the_word_may_come_before_the_snapshot);
	tcase_add_test(tc, a_clock_that_is_ahead_gives_no_credit);
	tcase_add_test(tc, spoilt_word_is_one_line);
	tcase_add_test(tc, a_bad_conf_leaves_the_last_good_one);
	tcase_add_test(tc, a_new_conf_makes_a_new_generation);
	tcase_add_test(tc, another_mode_is_told);
	tcase_add_test(tc, a_script_is_read_with_the_conf_and_when_it_changes);
	tcase_add_test(tc, a_second_write_in_a_tick_is_noticed);
	tcase_add_test(tc, a_second_script_in_a_tick_is_noticed);
	tcase_add_test(tc, files_that_rested_make_no_new_generation);
	tcase_add_test(tc, several_fabrics_are_one_generation);
	tcase_add_test(tc, the_same_content_again_is_no_new_generation);
	tcase_add_test(tc, counters_go_with_a_generation);
	tcase_add_test(tc, io_servers_that_are_down_are_one_line);
}

UNIT_MAIN("place loader", list)
