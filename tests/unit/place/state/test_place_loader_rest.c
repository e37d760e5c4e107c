/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_place_loader_rest.c - the loader: files that change again before their time stamp can
 * show it
 */

#include "tests/unit/fixtures/unit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/unit/fixtures/loader_files.h"
#include "tests/unit/fixtures/service.h"

static struct loader_files f;

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

/* Write in place: the inode stays. */
static void rewrite_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pwrite(fd, text, strlen(text), 0), (int) strlen(text));
	ck_assert_int_eq(close(fd), 0);
}

/*
 * On a file system whose clock has long ticks: another text of the same size in the same tick
 * as the first, after that was read.
 */
static void rewrite_in_the_tick(const char *path,
				const char *one, const char *two)
{
	ck_assert_uint_eq(strlen(one), strlen(two));
	changed_at = time(NULL);
	rewrite_text(path, one);
	loader_files_look(&f);
	loader_files_take(&f);
	rewrite_text(path, two);
	clock_ahead += 3;		/* longer than a file must rest */
	loader_files_look(&f);
}

TEST(a_second_write_in_a_tick_is_noticed)
{
	char on[400], off[400];
	struct sfab_generation *gen;

	loader_files_start_with(&f, "PartitionMode=a:off\n");
	loader_files_look(&f);
	snprintf(on, sizeof(on), "Mode=on\nSnapshot=%s\nPartitionMode=a:on \n",
		 f.snap);
	snprintf(off, sizeof(off), "Mode=on\nSnapshot=%s\nPartitionMode=a:off\n",
		 f.snap);
	rewrite_in_the_tick(f.conf, on, off);
	gen = sfab_handoff_adopt(&f.handoff);
	ck_assert_ptr_nonnull(gen);
	ck_assert_int_eq(sfab_conf_mode(gen->conf, "a"), SFAB_MODE_OFF);
	ck_assert_int_eq(service_log_count("mode of partition a is now off\n"), 1);
	sfab_handoff_retire(&f.handoff, gen);
}

TEST(a_second_script_in_a_tick_is_noticed)
{
	const char *script;
	struct sfab_generation *gen;

	script = loader_files_start_script(&f);
	unit_write(script, "return {} ");
	loader_files_look(&f);
	rewrite_in_the_tick(script, "return {} ", "return  0 ");
	gen = sfab_handoff_adopt(&f.handoff);
	ck_assert_ptr_nonnull(gen);
	ck_assert_ptr_null(gen->shared->view.script);
	ck_assert_int_eq(service_log_count("sfabric.lua:"), 1);
	sfab_handoff_retire(&f.handoff, gen);
}

/* They are read once more, however often they were looked at, and nothing is new. */
TEST(unchanged_files_make_no_new_generation)
{
	const char *script;

	script = loader_files_start_script(&f);
	for (int i = 0; i < 2; i++) {
		unit_write(script, i ? "return {}" : "return { nonsense = 1 }");
		loader_files_look(&f);
		ck_assert_uint_ne(loader_files_take(&f), 0);
		loader_files_look(&f);
		loader_files_look(&f);
		ck_assert_uint_eq(loader_files_take(&f), 0);
		clock_ahead += 3;
		loader_files_look(&f);
		ck_assert_uint_eq(loader_files_take(&f), 0);
		ck_assert_int_eq(service_log_count("nonsense"), 1);
	}
}

UNIT_MAIN("place loader rest")
