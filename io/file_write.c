/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file_write.c - replace a whole file; see file.h
 *
 * The new bytes go to a temporary file in the same folder, because rename() cannot leave a file
 * system.  It is locked as long as its writer lives: a temporary file that can be locked is one
 * of a writer that was killed.
 *
 * Links are followed here and not by the kernel, because a rename has to know where they end.
 * So the kernel's rule for links in folders such as /tmp is applied here, too.
 */

#include "io/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define LINKS_MAX 40		/* as the kernel */
#define NAMES_MAX 100		/* writers of one process that replace one file */
#define MARK ".sfabric-"	/* NAME.sfabric-PID.N is a temporary file of NAME */

/* A file that is being written, after its links. */
struct written_file {
	char text[PATH_MAX];	/* what the last link said; base points into it */
	const char *base;	/* in folder */
	int folder;
	int is_proc_link;	/* a link of /proc, which only the kernel can follow */
	struct stat st;		/* its st_mode is 0 if there is no such file */
};

int sfab_file_put(int fd, const void *buf, size_t size)
{
	const uint8_t *p = buf;
	ssize_t n;

	while (size) {
		n = write(fd, p, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		p += n;
		size -= (size_t) n;
	}
	return 0;
}

/* -- where the links end ---------------------------------------------------- */

/* Open the folder of w->text, which begins in w->folder. */
static int enter_folder(struct written_file *w)
{
	char *slash = strrchr(w->text, '/');
	const char *folder = slash == w->text ? "/" : slash ? w->text : ".";
	int fd;

	w->base = slash ? slash + 1 : w->text;
	if (slash)
		*slash = '\0';
	fd = openat(w->folder, folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (w->folder >= 0)
		close(w->folder);
	w->folder = fd;
	if (!*w->base)
		w->base = ".";
	return 0;
}

/*
 * May the link be followed?  Links in a folder that everybody may write, like /tmp, count only
 * if they are ours or the folder's owner's: else any user could tell root which file to
 * replace.
 */
static int may_follow(const struct written_file *w)
{
	struct stat folder;

	if (fstat(w->folder, &folder) < 0)
		return 0;
	return !(folder.st_mode & S_ISVTX && folder.st_mode & S_IWOTH) ||
	       w->st.st_uid == geteuid() || w->st.st_uid == folder.st_uid;
}

/* Read the link @fd into w->text. */
static int read_link(struct written_file *w, int fd)
{
	struct statfs fs;
	ssize_t n;

	if (fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC) {
		w->is_proc_link = 1;
		return 0;
	}
	if (!may_follow(w)) {
		errno = EACCES;
		return -1;
	}
	n = readlinkat(fd, "", w->text, sizeof(w->text));
	if (n < 0)
		return -1;
	if ((size_t) n >= sizeof(w->text)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	w->text[n] = '\0';
	return 0;
}

/* Follow one link.  1: w->base is no link, or not one that can be read; 0: go on with w->text. */
static int one_link(struct written_file *w)
{
	int fd, rc;

	if (enter_folder(w) < 0)
		return -1;
	memset(&w->st, 0, sizeof(w->st));
	fd = openat(w->folder, w->base, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? 1 : -1;
	rc = fstat(fd, &w->st);
	if (rc == 0 && S_ISLNK(w->st.st_mode))
		rc = read_link(w, fd);
	else if (rc == 0)
		rc = 1;
	close(fd);
	return rc < 0 ? -1 : rc || w->is_proc_link;
}

static int follow_links(struct written_file *w, const char *path)
{
	if (!*path || snprintf(w->text, sizeof(w->text), "%s", path) >= PATH_MAX) {
		errno = *path ? ENAMETOOLONG : ENOENT;
		return -1;
	}
	for (int n = 0; n <= LINKS_MAX; n++) {
		int rc = one_link(w);

		if (rc)
			return rc < 0 ? -1 : 0;
	}
	errno = ELOOP;
	return -1;
}

/* -- what killed writers left ----------------------------------------------- */

/* Is @name NAME.sfabric-PID.N, and NAME that of the file that is written? */
static int is_temporary(const struct written_file *w, const char *name)
{
	size_t n = strlen(w->base);
	const char *number = name + n + strlen(MARK);

	return strncmp(name, w->base, n) == 0 &&
	       strncmp(name + n, MARK, strlen(MARK)) == 0 && *number &&
	       number[strspn(number, "0123456789.")] == '\0';
}

/*
 * Remove @name if it is ours and nobody writes it.  Whoever has the lock may remove the file:
 * the name is looked at again then.
 */
static void remove_left(int folder, const char *name)
{
	struct stat named, opened;
	int fd;

	if (fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) < 0 ||
	    !S_ISREG(named.st_mode) || named.st_uid != geteuid())
		return;
	fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &opened) == 0 &&
	    fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	    opened.st_dev == named.st_dev && opened.st_ino == named.st_ino)
		unlinkat(folder, name, 0);
	close(fd);
}

/*
 * Open the folder, for its names and for fsync(), and remove what was left in it.  NULL: it
 * cannot be read, which is fine.
 */
static DIR *list_folder(const struct written_file *w)
{
	int fd = openat(w->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;

	if (!list) {
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	while ((entry = readdir(list)))
		if (is_temporary(w, entry->d_name))
			remove_left(w->folder, entry->d_name);
	return list;
}

/* -- writing ---------------------------------------------------------------- */

/*
 * Create and lock a new file @name (at most @size bytes with the NUL), and return its
 * descriptor.
 */
static int make_temporary(const struct written_file *w, mode_t mode, char *name,
			  size_t size)
{
	struct stat st;

	for (int n = 0; n < NAMES_MAX; n++) {
		int fd;

		if (snprintf(name, size, "%s" MARK "%ld.%d", w->base, (long) getpid(),
			     n) >= (int) size) {
			errno = ENAMETOOLONG;
			return -1;
		}
		fd = openat(w->folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (fd < 0 && errno != EEXIST)
			return -1;
		if (fd < 0)
			continue;
		/* Others may have locked it, or removed it before it was locked. */
		if ((flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
		    (fstat(fd, &st) < 0 || st.st_nlink > 0))
			return fd;
		close(fd);
	}
	errno = EEXIST;
	return -1;
}

/*
 * Write a new file, fsync() it and rename it: after a crash there is the old file or the new
 * one.
 */
static int write_and_rename(const struct written_file *w, const void *buf, size_t size,
			    unsigned mode)
{
	char name[NAME_MAX + 1];
	/* The kernel applies umask to a new file's mode, and to nothing else. */
	int usual = mode == SFAB_FILE_USUAL_MODE && !w->st.st_mode;
	int fd, rc, saved;

	if (mode == SFAB_FILE_USUAL_MODE)
		mode = w->st.st_mode & 0777;
	fd = make_temporary(w, usual ? 0666 : 0600, name, sizeof(name));
	if (fd < 0)
		return -1;
	rc = sfab_file_put(fd, buf, size) < 0 || (!usual && fchmod(fd, mode) < 0) ||
	     fsync(fd) < 0 || renameat(w->folder, name, w->folder, w->base) < 0;
	saved = errno;
	if (rc)
		unlinkat(w->folder, name, 0);
	/* It was locked until it had its name. */
	close(fd);
	errno = saved;
	return rc ? -1 : 0;
}

static int replace_file(const struct written_file *w, const void *buf, size_t size,
			unsigned mode)
{
	DIR *list = list_folder(w);
	int rc = write_and_rename(w, buf, size, mode), saved = errno;

	if (list) {
		/* Makes the rename survive a crash; file systems that cannot are ignored. */
		if (rc == 0)
			fsync(dirfd(list));
		closedir(list);
	}
	errno = saved;
	return rc;
}

/*
 * Write to what cannot be replaced: for a device or a pipe a rename would put a file where it
 * was.  /dev/stdout may be a file that others write, too: what is there stays.
 */
static int write_in_place(const struct written_file *w, const void *buf, size_t size)
{
	int fd = openat(w->folder, w->base, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC |
			(w->is_proc_link ? 0 : O_NOFOLLOW));
	struct stat st;
	int rc;

	if (fd < 0)
		return -1;
	rc = fstat(fd, &st);
	if (rc == 0 && !w->is_proc_link && (st.st_mode & S_IFMT) != (w->st.st_mode & S_IFMT)) {
		errno = EAGAIN;
		rc = -1;
	}
	if (rc == 0)
		rc = sfab_file_put(fd, buf, size);
	return close(fd) == 0 ? rc : -1;
}

/* Name what cannot be written.  NULL: it can. */
static const char *why_not_writable(const struct written_file *w)
{
	if (w->is_proc_link)
		return NULL;
	switch (w->st.st_mode & S_IFMT) {
	case S_IFDIR:
		return "a folder";
	case S_IFBLK:
		return "a block device";
	case S_IFSOCK:
		return "a socket";
	}
	return NULL;
}

int sfab_file_write(const char *path, const void *buf, size_t size,
		    unsigned mode, struct sfab_err *err)
{
	struct written_file w = { .folder = AT_FDCWD };
	const char *what = NULL;
	int rc = follow_links(&w, path);

	if (rc == 0)
		what = why_not_writable(&w);
	if (what)
		rc = sfab_fail(err, SFAB_EIO, "%s: is %s (expected a file, a pipe or a "
			       "character device)", path, what);
	else if (rc == 0)
		rc = w.is_proc_link || S_ISCHR(w.st.st_mode) || S_ISFIFO(w.st.st_mode) ?
		     write_in_place(&w, buf, size) : replace_file(&w, buf, size, mode);
	if (rc < 0 && !what)
		sfab_fail(err, SFAB_EIO, "%s: %s", path, strerror(errno));
	if (w.folder >= 0)
		close(w.folder);
	return rc < 0 ? -1 : 0;
}

int sfab_file_encode(const char *path, unsigned mode, sfab_file_encode_fn *encode,
		     const void *object, struct sfab_err *err)
{
	uint8_t *buf;
	size_t size;
	int rc;

	if (encode(object, &buf, &size, err) < 0)
		return sfab_fail_prefix(err, "%s", path);
	rc = sfab_file_write(path, buf, size, mode, err);
	free(buf);
	return rc;
}
