/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.c - read a whole file, if whoever wrote it may be trusted
 *
 * The folder is opened first and the file relative to it, and both are judged
 * by their descriptors: what was checked is what is read, whatever is renamed
 * meanwhile.  The bytes are a private copy; the file is closed again.
 */

#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIZE_DEFAULT ((size_t) 1 << 30)
#define FIRST_READ 65536	/* room for what does not tell its size */

static int fail_errno(const char *path, struct sfab_err *err)
{
	enum sfab_errcode code = errno == ENOENT ? SFAB_ENOENT : SFAB_EIO;

	if (errno == ELOOP)
		return sfab_fail(err, code, "%s: is a symbolic link "
				 "(expected a regular file)", path);
	return sfab_fail(err, code, "%s: %s", path, strerror(errno));
}

/* Owner and mode of @path, which is a "file" or a "folder". */
static int judge(const struct stat *st, const struct sfab_trust *trust,
		 const char *path, const char *what, struct sfab_err *err)
{
	if (st->st_uid != 0 && st->st_uid != trust->uid)
		return sfab_fail(err, SFAB_EIO, "%s: %s belongs to uid %u "
				 "(expected 0 or %u)", path, what,
				 (unsigned) st->st_uid, (unsigned) trust->uid);
	if (st->st_mode & (S_IWGRP | S_IWOTH))
		return sfab_fail(err, SFAB_EIO, "%s: %s is writable by group "
				 "or others (mode %04o)", path, what,
				 (unsigned) st->st_mode & 07777);
	return 0;
}

/* Open the folder of @path; *@base becomes the name in it. */
static int open_folder(const char *path, const char **base,
		       struct sfab_err *err)
{
	const char *slash = strrchr(path, '/');
	char *folder;
	int fd;

	*base = slash ? slash + 1 : path;
	folder = slash ? strndup(path, (size_t) (slash + 1 - path))
		       : strdup(".");
	if (!folder)
		return sfab_fail(err, SFAB_ENOMEM, "%s: no memory", path);
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(folder);
	return fd < 0 ? fail_errno(path, err) : fd;
}

/* Judge what @folder and @fd are. */
static int judge_both(int folder, int fd, const struct sfab_trust *trust,
		      const char *path, struct sfab_err *err)
{
	struct stat st;

	if (fstat(folder, &st) < 0)
		return fail_errno(path, err);
	if (judge(&st, trust, path, "its folder", err) < 0)
		return -1;
	if (fstat(fd, &st) < 0)
		return fail_errno(path, err);
	if (!S_ISREG(st.st_mode))
		return sfab_fail(err, SFAB_EIO, "%s: not a regular file", path);
	return judge(&st, trust, path, "the file", err);
}

/* Open @path and check it; a fifo must not block. */
static int open_trusted(const char *path, const struct sfab_trust *trust,
			struct sfab_err *err)
{
	const char *base;
	int folder, fd;

	folder = open_folder(path, &base, err);
	if (folder < 0)
		return -1;
	fd = openat(folder, base, O_RDONLY | O_NOFOLLOW | O_NONBLOCK |
		    O_NOCTTY | O_CLOEXEC);
	if (fd < 0) {
		fail_errno(path, err);
	} else if (judge_both(folder, fd, trust, path, err) < 0) {
		close(fd);
		fd = -1;
	}
	close(folder);
	return fd;
}

static int open_any(const char *path, struct sfab_err *err)
{
	int fd = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC);

	return fd < 0 ? fail_errno(path, err) : fd;
}

/* Bytes to make room for: one more than the file has, to see its end. */
static size_t first_room(int fd, size_t max)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || st.st_size <= 0)
		return FIRST_READ;
	return (uintmax_t) st.st_size > max ? max + 1 : (size_t) st.st_size + 1;
}

/* Read to the end: bytes in *@buf, which has room for one more. */
static ssize_t read_all(int fd, size_t max, uint8_t **buf, const char *path,
			struct sfab_err *err)
{
	size_t room = first_room(fd, max), n = 0;
	uint8_t *grown;
	ssize_t got;

	for (;;) {
		grown = realloc(*buf, room);
		if (!grown)
			return sfab_fail(err, SFAB_ENOMEM, "%s: no memory",
					 path);
		*buf = grown;
		got = read(fd, *buf + n, room - n);
		if (got == 0)
			return (ssize_t) n;
		if (got < 0 && errno != EINTR)
			return fail_errno(path, err);
		n += got > 0 ? (size_t) got : 0;
		if (n > max)
			return sfab_fail(err, SFAB_ELIMIT,
					 "%s: more than %zu bytes", path, max);
		if (n == room)
			room *= 2;
	}
}

int sfab_file_read(const char *path, const struct sfab_trust *trust,
		   uint8_t **buf, size_t *size, struct sfab_err *err)
{
	size_t max = trust && trust->max_size ? trust->max_size : SIZE_DEFAULT;
	ssize_t n;
	int fd;

	*buf = NULL;
	*size = 0;
	fd = trust && trust->check ? open_trusted(path, trust, err)
				   : open_any(path, err);
	if (fd < 0)
		return -1;
	n = read_all(fd, max, buf, path, err);
	close(fd);
	if (n < 0) {
		free(*buf);
		*buf = NULL;
		return -1;
	}
	(*buf)[n] = '\0';
	*size = (size_t) n;
	return 0;
}

void *sfab_file_decode(const char *path, const struct sfab_trust *trust,
		       sfab_file_decoder *decode, struct sfab_err *err)
{
	uint8_t *buf;
	size_t size;
	void *whole;

	if (sfab_file_read(path, trust, &buf, &size, err) < 0)
		return NULL;
	whole = decode(buf, size, err);
	free(buf);
	if (!whole)
		sfab_fail_prefix(err, "%s", path);
	return whole;
}

static int write_all(int fd, const uint8_t *p, size_t size)
{
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

/* Make the rename last through a crash; some file systems cannot. */
static void sync_folder(const char *path)
{
	const char *base;
	int folder = open_folder(path, &base, NULL);

	if (folder < 0)
		return;
	fsync(folder);
	close(folder);
}

/* Fill @fd, which is @temporary, and give it the name @path. */
static int fill_and_rename(int fd, const char *temporary, const char *path,
			   const void *buf, size_t size, unsigned mode)
{
	int bad = write_all(fd, buf, size) < 0 || fchmod(fd, mode) < 0 ||
		  fsync(fd) < 0;

	if (close(fd) < 0)
		bad = 1;
	if (bad || rename(temporary, path) < 0)
		return -1;
	sync_folder(path);
	return 0;
}

int sfab_file_write(const char *path, const void *buf, size_t size,
		    unsigned mode, struct sfab_err *err)
{
	char *temporary;
	int fd, status = 0;

	if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
		return sfab_fail(err, SFAB_ENOMEM, "%s: no memory", path);
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0) {
		status = fail_errno(path, err);
	} else if (fill_and_rename(fd, temporary, path, buf, size, mode) < 0) {
		status = fail_errno(path, err);
		unlink(temporary);
	}
	free(temporary);
	return status;
}
