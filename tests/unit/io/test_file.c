/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_file.c - which files are trusted, and that writing replaces whole files
 *
 * Every test runs as the user who calls it and, if that is root, once more as nobody (Check
 * runs each test in a process of its own).
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/file.h"
#include "tests/unit/fixtures/unit.h"

#define NOBODY 65534
#define TEXT "epoch\n"

static const char *folder;
static char path[300];	/* of a file in it */
static struct sfab_trust trust;

static int users(void)
{
	return getuid() == 0 && !getenv("CK_FORK") ? 2 : 1;
}

/* A private folder with one good file, as user 0: whoever, 1: nobody. */
static void set_up(int user)
{
	FILE *out;

	if (user == 1) {
		ck_assert_int_eq(setgid(NOBODY), 0);
		ck_assert_int_eq(setuid(NOBODY), 0);
	}
	umask(022);
	folder = unit_folder();
	snprintf(path, sizeof(path), "%s/fabric.snap", folder);
	out = fopen(path, "w");
	fputs(TEXT, out);
	fclose(out);
	trust = (struct sfab_trust){ .check = 1, .uid = getuid() };
}

static void assert_reads(const struct sfab_trust *t)
{
	uint8_t *buf;
	size_t size;
	int status = sfab_file_read(path, t, &buf, &size, &unit_err);

	unit_must(status == 0);
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

LOOP_TEST(own_file_is_trusted, users())
{
	set_up(_i);
	assert_reads(&trust);
	assert_reads(NULL);
}

LOOP_TEST(relative_path_is_judged_by_its_folder, users())
{
	uint8_t *buf;
	size_t size;

	set_up(_i);
	ck_assert_int_eq(chdir(folder), 0);
	ck_assert_int_eq(sfab_file_read("fabric.snap", &trust, &buf, &size,
					NULL), 0);
	free(buf);
	chmod(folder, 0777);
	ck_assert_int_eq(sfab_file_read("fabric.snap", &trust, &buf, &size,
					&unit_err), -1);
	ck_assert_str_eq(unit_err.text, "fabric.snap: its folder is writable by "
			 "group or others (mode 0777)");
	ck_assert_int_eq(chdir("/"), 0);
}

LOOP_TEST(symbolic_link_is_refused, users())
{
	char target[320];

	set_up(_i);
	snprintf(target, sizeof(target), "%s.real", path);
	ck_assert_int_eq(rename(path, target), 0);
	ck_assert_int_eq(symlink(target, path), 0);
	assert_refused(&trust, SFAB_EIO, "symbolic link");
	assert_reads(NULL);
}

LOOP_TEST(file_that_others_may_write_is_refused, users())
{
	set_up(_i);
	chmod(path, 0664);
	assert_refused(&trust, SFAB_EIO, "the file is writable");
	chmod(path, 0646);
	assert_refused(&trust, SFAB_EIO, "the file is writable");
	assert_reads(NULL);
	chmod(path, 0644);
	assert_reads(&trust);
}

LOOP_TEST(folder_that_others_may_write_is_refused, users())
{
	set_up(_i);
	chmod(folder, 0775);
	assert_refused(&trust, SFAB_EIO, "its folder is writable");
	chmod(folder, 01777);
	assert_refused(&trust, SFAB_EIO, "its folder is writable");
	assert_reads(NULL);
	chmod(folder, 0755);
	assert_reads(&trust);
}

LOOP_TEST(file_of_another_user_is_refused, users())
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
}

LOOP_TEST(fifo_is_refused_and_does_not_block, users())
{
	set_up(_i);
	unlink(path);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	assert_refused(&trust, SFAB_EIO, "not a regular file");
}

LOOP_TEST(folder_in_place_of_a_file_is_refused, users())
{
	set_up(_i);
	unlink(path);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	assert_refused(&trust, SFAB_EIO, "not a regular file");
	assert_refused(NULL, SFAB_EIO, "");
}

LOOP_TEST(missing_file_is_enoent, users())
{
	set_up(_i);
	unlink(path);
	assert_refused(&trust, SFAB_ENOENT, "No such file");
	assert_refused(NULL, SFAB_ENOENT, "No such file");
	strcat(path, "/x");
	assert_refused(&trust, SFAB_ENOENT, "No such file");
}

LOOP_TEST(size_is_limited, users())
{
	set_up(_i);
	trust.max_size = strlen(TEXT);
	assert_reads(&trust);
	trust.max_size--;
	assert_refused(&trust, SFAB_ELIMIT, "more than 5 bytes");
	trust.check = 0;
	assert_refused(&trust, SFAB_ELIMIT, "more than 5 bytes");
}

/* /dev/zero has no size and does not end. */
TEST(endless_file_is_limited)
{
	struct sfab_trust limit = { .max_size = 1000000 };

	strcpy(path, "/dev/zero");
	assert_refused(&limit, SFAB_ELIMIT, "more than 1000000 bytes");
}

/* -- files with their size in the header ---------------------------------- */

/* Return the size of a file: the number in its first eight bytes. */
static uint64_t size_in_header(const uint8_t *head, size_t n, struct sfab_err *err)
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

/* Read @real bytes whose header says @size.  Return 0 and set *err if they are refused. */
static size_t decoded(uint64_t size, off_t real, struct sfab_err *err)
{
	FILE *out = fopen(path, "w");
	size_t *n;

	fwrite(&size, sizeof(size), 1, out);
	fclose(out);
	ck_assert_int_eq(truncate(path, real), 0);
	memset(err, 0, sizeof(*err));
	n = sfab_file_decode(path, &trust, size_in_header, count, err);
	return n ? *n : 0;
}

LOOP_TEST(no_more_is_read_than_the_header_says, users())
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
}

static unsigned entries(void)
{
	unsigned n = 0;
	DIR *dir = opendir(folder);

	while (readdir(dir))
		n++;
	closedir(dir);
	return n - 2;
}

LOOP_TEST(writing_replaces_the_file, users())
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
}

/* The limit on file size stands in for a full disk. */
LOOP_TEST(failed_write_leaves_the_old_file, users())
{
	struct rlimit before, limit;
	char *big = calloc(1, 8192);

	set_up(_i);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	limit = (struct rlimit){ .rlim_cur = 4096, .rlim_max = before.rlim_max };
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert_int_eq(sfab_file_write(path, big, 8192, 0644, &unit_err), -1);
	/* without forks it is also that of Check's own file */
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
	ck_assert_int_eq(unit_err.code, SFAB_EIO);
	ck_assert_ptr_nonnull(strstr(unit_err.text, strerror(EFBIG)));
	assert_reads(&trust);
	ck_assert_uint_eq(entries(), 1);
	free(big);
}

LOOP_TEST(write_names_a_folder_that_is_not_there, users())
{
	set_up(_i);
	strcat(path, ".d/x");
	ck_assert_int_eq(sfab_file_write(path, "", 0, 0644, &unit_err), -1);
	ck_assert_int_eq(strncmp(unit_err.text, path, strlen(path)), 0);
}

/* -- what is no regular file ------------------------------------------------ */

static int write_new(const char *to, struct sfab_err *err)
{
	memset(err, 0, sizeof(*err));
	return sfab_file_write(to, "new\n", 4, 0640, err);
}

static void must_write(const char *to)
{
	int rc = write_new(to, &unit_err);

	unit_must(rc == 0);
}

/* Check that nothing is written, and that the line is the path and @what. */
static void must_refuse(const char *to, const char *what)
{
	struct sfab_err err;
	unsigned n = entries();

	ck_assert_int_eq(write_new(to, &err), -1);
	ck_assert_int_eq(err.code, SFAB_EIO);
	ck_assert_int_eq(strncmp(err.text, to, strlen(to)), 0);
	ck_assert_str_eq(err.text + strlen(to), what);
	ck_assert_uint_eq(entries(), n);
}

static mode_t type_of(const char *name)
{
	struct stat st;

	return lstat(name, &st) == 0 ? st.st_mode & S_IFMT : 0;
}

LOOP_TEST(target_of_a_link_is_replaced, users())
{
	set_up(_i);
	ck_assert_int_eq(mkdir(unit_path("sub"), 0700), 0);
	ck_assert_int_eq(symlink("../fabric.snap", unit_path("sub/one")), 0);
	ck_assert_int_eq(symlink(unit_path("sub/one"), unit_path("two")), 0);
	must_write(unit_path("two"));
	ck_assert_uint_eq(type_of(unit_path("two")), S_IFLNK);
	ck_assert_uint_eq(type_of(unit_path("sub/one")), S_IFLNK);
	unit_holds(path, "new\n");
	ck_assert_uint_eq(entries(), 3);	/* fabric.snap, sub, two */
	unlink(unit_path("sub/one"));
}

LOOP_TEST(target_of_a_dangling_link_is_made, users())
{
	struct stat st;

	set_up(_i);
	ck_assert_int_eq(symlink("none", unit_path("link")), 0);
	must_write(unit_path("link"));
	ck_assert_uint_eq(type_of(unit_path("link")), S_IFLNK);
	unit_holds(unit_path("none"), "new\n");
	ck_assert_int_eq(stat(unit_path("none"), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0640);
	ck_assert_int_eq(symlink("gone/none", unit_path("far")), 0);
	must_refuse(unit_path("far"), ": No such file or directory");
	ck_assert_int_eq(symlink("loop", unit_path("loop")), 0);
	must_refuse(unit_path("loop"), ": Too many levels of symbolic links");
}

/* As the kernel's protected_symlinks, which does not know of a rename. */
LOOP_TEST(link_of_another_user_in_a_shared_folder_is_refused, users())
{
	set_up(_i);
	if (getuid() == 0) {
		ck_assert_int_eq(symlink("fabric.snap", unit_path("link")), 0);
		ck_assert_int_eq(lchown(unit_path("link"), NOBODY, NOBODY), 0);
		ck_assert_int_eq(chmod(folder, 01777), 0);
		must_refuse(unit_path("link"), ": Permission denied");
		unit_holds(path, TEXT);
		ck_assert_int_eq(chmod(folder, 0777), 0);
		must_write(unit_path("link"));
		unit_holds(path, "new\n");
	}
}

LOOP_TEST(fifo_is_written_and_stays, users())
{
	char got[8] = "";
	int fd;

	set_up(_i);
	ck_assert_int_eq(mkfifo(unit_path("fifo"), 0600), 0);
	fd = open(unit_path("fifo"), O_RDONLY | O_NONBLOCK);
	must_write(unit_path("fifo"));
	ck_assert_int_eq(read(fd, got, sizeof(got)), 4);
	ck_assert_str_eq(got, "new\n");
	ck_assert_uint_eq(type_of(unit_path("fifo")), S_IFIFO);
	close(fd);
}

/* A device of its own: the machine's must outlive a writer that replaces it. */
LOOP_TEST(device_is_written_and_stays, users())
{
	const char *null = "/dev/null";

	set_up(_i);
	if (getuid() == 0) {
		null = unit_path("null");
		/* no right to make one, or a file system without devices */
		if (mknod(null, S_IFCHR | 0666, makedev(1, 3)) < 0 ||
		    access(null, W_OK) < 0)
			return;
	}
	must_write(null);
	ck_assert_uint_eq(type_of(null), S_IFCHR);
	ck_assert_int_eq(symlink(null, unit_path("link")), 0);
	must_write(unit_path("link"));
	ck_assert_uint_eq(type_of(unit_path("link")), S_IFLNK);
	ck_assert_uint_eq(type_of(null), S_IFCHR);
}

LOOP_TEST(folder_socket_and_block_device_are_refused, users())
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	set_up(_i);
	ck_assert_int_eq(mkdir(unit_path("sub"), 0700), 0);
	must_refuse(unit_path("sub"),
		    ": is a folder (expected a file, a pipe or a character device)");
	must_refuse(unit_path("sub/"),
		    ": is a folder (expected a file, a pipe or a character device)");
	must_refuse("/", ": is a folder (expected a file, a pipe or a character device)");
	must_refuse("", ": No such file or directory");
	snprintf(a.sun_path, sizeof(a.sun_path), "%s", unit_path("socket"));
	ck_assert_int_eq(bind(fd, (struct sockaddr *) &a, sizeof(a)), 0);
	must_refuse(unit_path("socket"),
		    ": is a socket (expected a file, a pipe or a character device)");
	if (getuid() == 0 &&
	    mknod(unit_path("disk"), S_IFBLK | 0600, makedev(240, 240)) == 0)
		must_refuse(unit_path("disk"), ": is a block device "
			    "(expected a file, a pipe or a character device)");
	close(fd);
}

/* /dev/stdout: others write the same file before and after. */
LOOP_TEST(own_descriptor_is_written_as_it_is, users())
{
	char name[64];
	int fd;

	set_up(_i);
	fd = open(path, O_WRONLY | O_APPEND);
	snprintf(name, sizeof(name), "/dev/fd/%d", fd);
	must_write(name);
	ck_assert_int_eq(write(fd, "end\n", 4), 4);
	close(fd);
	unit_holds(path, TEXT "new\nend\n");
	ck_assert_uint_eq(entries(), 1);
}

LOOP_TEST(folder_that_cannot_be_written_is_named, users())
{
	set_up(_i);
	if (getuid() != 0) {
		ck_assert_int_eq(chmod(folder, 0555), 0);
		must_refuse(path, ": Permission denied");
		unit_holds(path, TEXT);
		ck_assert_int_eq(chmod(folder, 0755), 0);
	}
}

LOOP_TEST(usual_mode_is_kept_or_left_to_umask, users())
{
	struct stat st;

	set_up(_i);
	umask(027);
	ck_assert_int_eq(chmod(path, 0604), 0);
	ck_assert_int_eq(sfab_file_write(path, "", 0, SFAB_FILE_USUAL_MODE, NULL), 0);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0604);
	ck_assert_int_eq(sfab_file_write(unit_path("new"), "", 0, SFAB_FILE_USUAL_MODE,
					 NULL), 0);
	ck_assert_int_eq(stat(unit_path("new"), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0640);
	umask(022);
}

/* -- what killed writers left ----------------------------------------------- */

static void make_empty(const char *name)
{
	FILE *out = fopen(name, "w");

	ck_assert_ptr_nonnull(out);
	fclose(out);
}

/* A process that dies in the middle of sfab_file_write(). */
static void kill_a_writer(void)
{
	struct rlimit limit = { .rlim_cur = 4096, .rlim_max = 4096 };
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		char *big = calloc(1, 8192);

		signal(SIGXFSZ, SIG_DFL);
		setrlimit(RLIMIT_FSIZE, &limit);
		sfab_file_write(path, big, 8192, 0644, NULL);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status));
}

LOOP_TEST(next_write_removes_what_killed_writers_left, users())
{
	set_up(_i);
	for (int k = 0; k < 3; k++) {
		kill_a_writer();
		ck_assert_uint_eq(entries(), 2);	/* those before are gone */
	}
	must_write(unit_path("other"));
	ck_assert_uint_eq(entries(), 3);
	must_write(path);
	ck_assert_uint_eq(entries(), 2);
	unit_holds(path, "new\n");
}

LOOP_TEST(files_of_others_and_of_live_writers_stay, users())
{
	static const char *const kept[] = {
		"fabric.snap.backup", "fabric.snap.sfabric-", "fabric.snap.sfabric-1x",
		"fabric.snap.sfabric-old.1", "other.snap.sfabric-1.0", "fabric.snap.1",
		"fabric.snap.sfabric-2.0", "fabric.snap.sfabric-3.0",
		"fabric.snap.sfabric-4.0",
	};
	unsigned n = sizeof(kept) / sizeof(*kept);
	int fd;

	set_up(_i);
	for (unsigned k = 0; k < n - 3; k++)
		make_empty(unit_path(kept[k]));
	make_empty(unit_path("fabric.snap.sfabric-1.0"));	/* the one that goes */
	/* of a live writer */
	make_empty(unit_path("fabric.snap.sfabric-2.0"));
	fd = open(unit_path("fabric.snap.sfabric-2.0"), O_RDWR);
	ck_assert_int_eq(flock(fd, LOCK_EX), 0);
	/* no files, and another user's */
	ck_assert_int_eq(symlink("other.snap.sfabric-1.0",
				 unit_path("fabric.snap.sfabric-3.0")), 0);
	if (getuid() == 0) {
		make_empty(unit_path("fabric.snap.sfabric-4.0"));
		ck_assert_int_eq(chown(unit_path("fabric.snap.sfabric-4.0"), NOBODY, 0), 0);
	} else {
		ck_assert_int_eq(mkfifo(unit_path("fabric.snap.sfabric-4.0"), 0600), 0);
	}
	must_write(path);
	for (unsigned k = 0; k < n; k++)
		ck_assert_msg(type_of(unit_path(kept[k])) != 0, "%s is gone", kept[k]);
	ck_assert_uint_eq(entries(), n + 1);
	close(fd);
	must_write(path);
	ck_assert_uint_eq(entries(), n);
}

/* Two writers of one file do not take each other's for what was left. */
LOOP_TEST(writers_at_the_same_time_all_succeed, users())
{
	pid_t pid[4];
	int status, bad = 0;

	set_up(_i);
	for (int k = 0; k < 4; k++) {
		pid[k] = fork();
		if (pid[k] != 0)
			continue;
		for (int n = 0; n < 50; n++)
			bad |= sfab_file_write(path, TEXT, strlen(TEXT), 0644, NULL);
		_exit(bad != 0);
	}
	for (int k = 0; k < 4; k++) {
		ck_assert_int_eq(waitpid(pid[k], &status, 0), pid[k]);
		bad |= status;
	}
	ck_assert_int_eq(bad, 0);
	assert_reads(&trust);
	ck_assert_uint_eq(entries(), 1);
}

UNIT_MAIN("file")
