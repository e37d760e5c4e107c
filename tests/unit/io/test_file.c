/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_file.c - which files are trusted, and that writing replaces whole files
 *
 * Every test runs as the user who calls it and, if that is root, once more as
 * nobody (Check runs each test in a process of its own).
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file.h"
#include "tests/unit/fixtures/unit.h"

#define NOBODY 65534
#define TEXT "epoch\n"

static char folder[256], path[300];
static struct sfab_trust trust;

/* A private folder with one good file, as user 0: whoever, 1: nobody. */
static void set_up(int user)
{
	const char *tmp = getenv("TMPDIR");
	FILE *out;

	if (user == 1) {
		ck_assert_int_eq(setgid(NOBODY), 0);
		ck_assert_int_eq(setuid(NOBODY), 0);
		tmp = "/tmp";
	}
	umask(022);
	snprintf(folder, sizeof(folder), "%s/sfab-file-XXXXXX",
		 tmp ? tmp : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/fabric.snap", folder);
	out = fopen(path, "w");
	fputs(TEXT, out);
	fclose(out);
	trust = (struct sfab_trust){ .check = 1, .uid = getuid() };
}

static void tear_down(void)
{
	char name[600];
	struct dirent *entry;
	DIR *dir = opendir(folder);

	while ((entry = readdir(dir))) {
		snprintf(name, sizeof(name), "%s/%s", folder, entry->d_name);
		if (entry->d_name[0] != '.')
			remove(name);
	}
	closedir(dir);
	ck_assert_int_eq(rmdir(folder), 0);
}

static void assert_reads(const struct sfab_trust *t)
{
	struct sfab_err err = { 0 };
	uint8_t *buf;
	size_t size;
	int status = sfab_file_read(path, t, &buf, &size, &err);

	ck_assert_msg(status == 0, "%s", err.text);
	ck_assert_uint_eq(size, strlen(TEXT));
	ck_assert_str_eq((char *) buf, TEXT);
	free(buf);
}

/* Refused with @code; the line begins with the path and says @what. */
static void assert_refused(const struct sfab_trust *t, enum sfab_errcode code,
			   const char *what)
{
	struct sfab_err err = { 0 };
	uint8_t *buf;
	size_t size;

	ck_assert_int_eq(sfab_file_read(path, t, &buf, &size, &err), -1);
	ck_assert_ptr_null(buf);
	ck_assert_uint_eq(size, 0);
	ck_assert_msg(err.code == code, "%s", err.text);
	ck_assert_msg(strncmp(err.text, path, strlen(path)) == 0, "%s",
		      err.text);
	ck_assert_msg(strstr(err.text, what) != NULL, "\"%s\" says not \"%s\"",
		      err.text, what);
}

START_TEST(own_file_is_trusted)
{
	set_up(_i);
	assert_reads(&trust);
	assert_reads(NULL);
	tear_down();
}
END_TEST

START_TEST(relative_path_is_judged_by_its_folder)
{
	struct sfab_err err;
	uint8_t *buf;
	size_t size;

	set_up(_i);
	ck_assert_int_eq(chdir(folder), 0);
	ck_assert_int_eq(sfab_file_read("fabric.snap", &trust, &buf, &size,
					NULL), 0);
	free(buf);
	chmod(folder, 0777);
	ck_assert_int_eq(sfab_file_read("fabric.snap", &trust, &buf, &size,
					&err), -1);
	ck_assert_str_eq(err.text, "fabric.snap: its folder is writable by "
			 "group or others (mode 0777)");
	ck_assert_int_eq(chdir("/"), 0);
	tear_down();
}
END_TEST

START_TEST(symbolic_link_is_refused)
{
	char target[320];

	set_up(_i);
	snprintf(target, sizeof(target), "%s.real", path);
	ck_assert_int_eq(rename(path, target), 0);
	ck_assert_int_eq(symlink(target, path), 0);
	assert_refused(&trust, SFAB_EIO, "symbolic link");
	assert_reads(NULL);
	tear_down();
}
END_TEST

START_TEST(file_that_others_may_write_is_refused)
{
	set_up(_i);
	chmod(path, 0664);
	assert_refused(&trust, SFAB_EIO, "the file is writable");
	chmod(path, 0646);
	assert_refused(&trust, SFAB_EIO, "the file is writable");
	assert_reads(NULL);
	chmod(path, 0644);
	assert_reads(&trust);
	tear_down();
}
END_TEST

START_TEST(folder_that_others_may_write_is_refused)
{
	set_up(_i);
	chmod(folder, 0775);
	assert_refused(&trust, SFAB_EIO, "its folder is writable");
	chmod(folder, 01777);
	assert_refused(&trust, SFAB_EIO, "its folder is writable");
	assert_reads(NULL);
	chmod(folder, 0755);
	assert_reads(&trust);
	tear_down();
}
END_TEST

START_TEST(file_of_another_user_is_refused)
{
	struct sfab_trust other = { .check = 1, .uid = 12345 };

	set_up(_i);
	if (getuid() != 0) {
		assert_refused(&other, SFAB_EIO, "(expected 0 or 12345)");
	} else {
		assert_reads(&other);
		ck_assert_int_eq(chown(path, 12345, 0), 0);
		assert_reads(&other);
		assert_refused(&trust, SFAB_EIO, "belongs to uid 12345");
		ck_assert_int_eq(chown(path, 0, 0), 0);
		ck_assert_int_eq(chown(folder, 12345, 0), 0);
		assert_refused(&trust, SFAB_EIO, "its folder belongs");
	}
	tear_down();
}
END_TEST

START_TEST(fifo_is_refused_and_does_not_block)
{
	set_up(_i);
	unlink(path);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	assert_refused(&trust, SFAB_EIO, "not a regular file");
	tear_down();
}
END_TEST

START_TEST(folder_in_place_of_a_file_is_refused)
{
	set_up(_i);
	unlink(path);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	assert_refused(&trust, SFAB_EIO, "not a regular file");
	assert_refused(NULL, SFAB_EIO, "");
	tear_down();
}
END_TEST

START_TEST(missing_file_is_enoent)
{
	set_up(_i);
	unlink(path);
	assert_refused(&trust, SFAB_ENOENT, "No such file");
	assert_refused(NULL, SFAB_ENOENT, "No such file");
	strcat(path, "/x");
	assert_refused(&trust, SFAB_ENOENT, "No such file");
	tear_down();
}
END_TEST

START_TEST(size_is_limited)
{
	set_up(_i);
	trust.max_size = strlen(TEXT);
	assert_reads(&trust);
	trust.max_size--;
	assert_refused(&trust, SFAB_ELIMIT, "more than 5 bytes");
	trust.check = 0;
	assert_refused(&trust, SFAB_ELIMIT, "more than 5 bytes");
	tear_down();
}
END_TEST

/* /dev/zero does not tell a size and does not end. */
START_TEST(endless_file_is_limited)
{
	struct sfab_trust limit = { .max_size = 1000000 };

	strcpy(path, "/dev/zero");
	assert_refused(&limit, SFAB_ELIMIT, "more than 1000000 bytes");
}
END_TEST

/* -- files that tell their size ------------------------------------------- */

/* Its first eight bytes are a number. */
static uint64_t told(const uint8_t *head, size_t n, struct sfab_err *err)
{
	uint64_t size = 0;

	if (n >= sizeof(size))
		memcpy(&size, head, sizeof(size));
	if (!size)
		sfab_fail(err, SFAB_EFORMAT, "no number");
	return size;
}

static void *count(const uint8_t *buf, size_t size, struct sfab_err *err)
{
	static size_t n;

	(void) buf;
	(void) err;
	n = size;
	return &n;
}

/* @real bytes that tell @size; 0: refused, with what is wrong in *err. */
static size_t decoded(uint64_t size, off_t real, struct sfab_err *err)
{
	FILE *out = fopen(path, "w");
	size_t *n;

	fwrite(&size, sizeof(size), 1, out);
	fclose(out);
	ck_assert_int_eq(truncate(path, real), 0);
	memset(err, 0, sizeof(*err));
	n = sfab_file_decode(path, &trust, told, count, err);
	return n ? *n : 0;
}

START_TEST(no_more_is_read_than_the_header_tells)
{
	struct sfab_err err;

	set_up(_i);
	trust.max_size = 100000;
	ck_assert_uint_eq(decoded(SFAB_FILE_HEAD - 1, SFAB_FILE_HEAD - 1, &err),
			  SFAB_FILE_HEAD - 1);
	ck_assert_uint_eq(decoded(SFAB_FILE_HEAD, SFAB_FILE_HEAD, &err),
			  SFAB_FILE_HEAD);
	ck_assert_uint_eq(decoded(100000, 100000, &err), 100000);
	ck_assert_uint_eq(decoded(5000, 4000, &err), 4000);	/* cut */
	ck_assert_uint_eq(decoded(5000, (off_t) 1 << 40, &err), 0);
	ck_assert_int_eq(err.code, SFAB_EFORMAT);
	ck_assert_ptr_nonnull(strstr(err.text, "more than its header says, 5000 bytes"));
	ck_assert_uint_eq(decoded(100001, 100001, &err), 0);
	ck_assert_int_eq(err.code, SFAB_ELIMIT);
	ck_assert_ptr_nonnull(strstr(err.text, "100001 bytes by its header"));
	ck_assert_uint_eq(decoded(0, (off_t) 1 << 40, &err), 0);
	ck_assert_ptr_nonnull(strstr(err.text, "fabric.snap: no number"));
	tear_down();
}
END_TEST

static unsigned entries(void)
{
	unsigned n = 0;
	DIR *dir = opendir(folder);

	while (readdir(dir))
		n++;
	closedir(dir);
	return n - 2;
}

START_TEST(writing_replaces_the_file)
{
	struct stat before, after;

	set_up(_i);
	ck_assert_int_eq(truncate(path, 100000), 0);
	ck_assert_int_eq(stat(path, &before), 0);
	umask(077);
	ck_assert_int_eq(sfab_file_write(path, TEXT, strlen(TEXT), 0644, NULL),
			 0);
	ck_assert_int_eq(stat(path, &after), 0);
	ck_assert_uint_ne(before.st_ino, after.st_ino);
	ck_assert_uint_eq(after.st_mode & 07777, 0644);
	assert_reads(&trust);
	ck_assert_uint_eq(entries(), 1);
	tear_down();
}
END_TEST

/* The limit on file size stands in for a full disk. */
START_TEST(failed_write_leaves_the_old_file)
{
	struct rlimit limit = { .rlim_cur = 4096, .rlim_max = 4096 };
	struct sfab_err err = { 0 };
	char *big = calloc(1, 8192);

	set_up(_i);
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert_int_eq(sfab_file_write(path, big, 8192, 0644, &err), -1);
	ck_assert_int_eq(err.code, SFAB_EIO);
	ck_assert_ptr_nonnull(strstr(err.text, strerror(EFBIG)));
	assert_reads(&trust);
	ck_assert_uint_eq(entries(), 1);
	free(big);
	tear_down();
}
END_TEST

START_TEST(write_names_a_folder_that_is_not_there)
{
	struct sfab_err err = { 0 };

	set_up(_i);
	strcat(path, ".d/x");
	ck_assert_int_eq(sfab_file_write(path, "", 0, 0644, &err), -1);
	ck_assert_int_eq(strncmp(err.text, path, strlen(path)), 0);
	tear_down();
}
END_TEST

static void add_tests(TCase *tc)
{
	const TTest *const tests[] = {
		own_file_is_trusted,
		relative_path_is_judged_by_its_folder,
		symbolic_link_is_refused,
		file_that_others_may_write_is_refused,
		folder_that_others_may_write_is_refused,
		file_of_another_user_is_refused,
		fifo_is_refused_and_does_not_block,
		folder_in_place_of_a_file_is_refused,
		missing_file_is_enoent,
		size_is_limited,
		no_more_is_read_than_the_header_tells,
		writing_replaces_the_file,
		failed_write_leaves_the_old_file,
		write_names_a_folder_that_is_not_there,
	};
	int users = getuid() == 0 && !getenv("CK_FORK") ? 2 : 1;

	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++)
		tcase_add_loop_test(tc, tests[i], 0, users);
	tcase_add_test(tc, endless_file_is_limited);
}

UNIT_MAIN("file", add_tests)
