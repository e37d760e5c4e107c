/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_output.c - a file is the old one or the complete new one */

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/fixtures/unit.h"
#include "tools/ui/output.h"

static void setup(void)
{
	ck_assert_int_eq(chdir(unit_folder()), 0);
}

static void teardown(void)
{
	unlink("file");
	unlink("link");
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(rmdir(unit_folder()), 0);	/* nothing was left in it */
}

static void write_file(const char *path, const char *text)
{
	struct output o;

	ck_assert_int_eq(output_open(&o, path, &unit_err), 0);
	fputs(text, o.file);
	unit_must(!output_close(&o, &unit_err));
}

TEST(a_new_file_has_the_mode_of_the_umask)
{
	struct stat st;

	umask(022);
	write_file("file", "one\n");
	unit_holds("file", "one\n");
	ck_assert_int_eq(stat("file", &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0644);
}

TEST(a_replaced_file_keeps_mode_and_link)
{
	struct stat st;

	write_file("file", "one\n");
	ck_assert_int_eq(chmod("file", 0600), 0);
	ck_assert_int_eq(symlink("file", "link"), 0);
	write_file("link", "two\n");
	unit_holds("file", "two\n");
	ck_assert_int_eq(stat("file", &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0600);
	ck_assert_int_eq(lstat("link", &st), 0);
	ck_assert_int_ne(S_ISLNK(st.st_mode), 0);
}

TEST(dropped_output_leaves_the_file)
{
	struct output o;

	write_file("file", "one\n");
	ck_assert_int_eq(output_open(&o, "file", &unit_err), 0);
	fputs("two\n", o.file);
	output_drop(&o);
	output_drop(&o);
	unit_holds("file", "one\n");
}

TEST(a_missing_folder_is_named)
{
	struct sfab_err err = { 0 };
	struct output o;

	ck_assert_int_eq(output_open(&o, "none/file", &err), 0);
	fputs("two\n", o.file);
	ck_assert_int_eq(output_close(&o, &err), -1);
	ck_assert_int_eq(err.code, SFAB_EIO);
	ck_assert_ptr_nonnull(strstr(err.text, "none/file: No such file"));
}

TEST(a_full_device_is_named)
{
	struct sfab_err err = { 0 };
	struct output o;

	ck_assert_int_eq(output_open(&o, "/dev/full", &err), 0);
	fputs("two\n", o.file);
	ck_assert_int_eq(output_close(&o, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "/dev/full: No space"));
}

UNIT_MAIN_WITH("output", setup, teardown)
