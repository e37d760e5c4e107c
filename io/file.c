/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.c - read a whole file if its owner and mode can be trusted
 *
 * The folder is opened first and the file relative to it, and both are checked through their
 * descriptors: whatever is renamed meanwhile, the file that was checked is the one that is
 * read.  The bytes are a private copy; the file is closed again.
 */

#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIZE_DEFAULT ((size_t) 1 << 30)	/* bytes, if sfab_trust.max_size is 0 */
#define FIRST_READ 65536	/* bytes, if the size is unknown (a pipe) */

/*
 * Set the error for errno.  ELOOP comes from O_NOFOLLOW: a link could be swapped for another
 * file after the check.
 */
static int fail_errno(const char *path, struct sfab_err *err)
{
	enum sfab_errcode code = errno == ENOENT ? SFAB_ENOENT : SFAB_EIO;

	if (errno == ELOOP)
		return sfab_fail(err, code, "%s: is a symbolic link "
				 "(expected a regular file)", path);
	return sfab_fail(err, code, "%s: %s", path, strerror(errno));
}

/* Check owner and mode of @path, which is a "file" or a "folder". */
static int check_owner_and_mode(const struct stat *st,
				const struct sfab_trust *trust,
				const char *path, const char *what,
				struct sfab_err *err)
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

/* Open the folder of @path, and set *@base to the name in it. */
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
		return sfab_fail(err, SFAB_ENOMEM, "%s: out of memory", path);
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(folder);
	return fd < 0 ? fail_errno(path, err) : fd;
}

/* Open @path, and check owner and mode of it and its folder.  Do not block on a fifo. */
static int open_trusted(const char *path, const struct sfab_trust *trust,
			struct sfab_err *err)
{
	const char *base;
	int folder, fd, rc;
	struct stat st;

	folder = open_folder(path, &base, err);
	if (folder < 0)
		return -1;
	fd = openat(folder, base, O_RDONLY | O_NOFOLLOW | O_NONBLOCK |
		    O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(folder, &st) < 0)
		rc = fail_errno(path, err);
	else if (check_owner_and_mode(&st, trust, path, "its folder", err) < 0)
		rc = -1;
	else if (fstat(fd, &st) < 0)
		rc = fail_errno(path, err);
	else if (!S_ISREG(st.st_mode))
		rc = sfab_fail(err, SFAB_EIO, "%s: not a regular file", path);
	else
		rc = check_owner_and_mode(&st, trust, path, "the file", err);
	close(folder);
	if (rc == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* A file that is being read into memory. */
struct reading {
	const char *path;
	int fd;
	uint8_t *buf;
	size_t n, max;		/* bytes read, and allowed */
	struct sfab_err *err;
};

/* Read until @room bytes are there.  1: the file ended before; 0: there may be more. */
static int read_up_to(struct reading *r, size_t room)
{
	uint8_t *grown = realloc(r->buf, room);
	ssize_t got;

	if (!grown)
		return sfab_fail(r->err, SFAB_ENOMEM, "%s: out of memory", r->path);
	r->buf = grown;
	while (r->n < room) {
		got = read(r->fd, r->buf + r->n, room - r->n);
		if (got == 0)
			return 1;
		if (got < 0 && errno != EINTR)
			return fail_errno(r->path, r->err);
		r->n += got > 0 ? (size_t) got : 0;
	}
	return 0;
}

/* Read the beginning.  The size that it states becomes the limit. */
static int read_head(struct reading *r, sfab_file_size_fn *sizer)
{
	uint64_t stated;

	if (read_up_to(r, SFAB_FILE_HEAD) < 0)
		return -1;
	stated = sizer(r->buf, r->n, r->err);
	if (!stated)
		return sfab_fail_prefix(r->err, "%s", r->path);
	if (stated > r->max)
		return sfab_fail(r->err, SFAB_ELIMIT,
				 "%s: %llu bytes by its header (%zu at most)",
				 r->path, (unsigned long long) stated, r->max);
	r->max = (size_t) stated;
	return 0;
}

/* Read to the end.  The buffer keeps space for one more byte, the NUL. */
static int read_to_end(struct reading *r, sfab_file_size_fn *sizer)
{
	size_t room = FIRST_READ;
	struct stat st;
	int ends;

	if (sizer && read_head(r, sizer) < 0)
		return -1;
	/* One more than the file has, so that its end is seen. */
	if (fstat(r->fd, &st) == 0 && st.st_size > 0)
		room = ((uintmax_t) st.st_size > r->max ? r->max : (size_t) st.st_size) + 1;
	for (;; room *= 2) {
		ends = read_up_to(r, room > r->n ? room : r->n + 1);
		if (ends < 0)
			return -1;
		if (r->n > r->max)
			return sfab_fail(r->err,
					 sizer ? SFAB_EFORMAT : SFAB_ELIMIT,
					 "%s: more than %s%zu bytes", r->path,
					 sizer ? "its header says, " : "",
					 r->max);
		if (ends)
			return 0;
	}
}

/* Read the file.  On success the caller frees r->buf, which has a NUL after r->n bytes. */
static int read_into_buffer(struct reading *r, const struct sfab_trust *trust,
			    sfab_file_size_fn *sizer)
{
	int rc;

	r->max = trust && trust->max_size ? trust->max_size : SIZE_DEFAULT;
	if (trust && trust->check) {
		r->fd = open_trusted(r->path, trust, r->err);
	} else {	/* commands of users, who may read through links and from pipes */
		r->fd = open(r->path, O_RDONLY | O_NOCTTY | O_CLOEXEC);
		if (r->fd < 0)
			fail_errno(r->path, r->err);
	}
	if (r->fd < 0)
		return -1;
	rc = read_to_end(r, sizer);
	close(r->fd);
	if (rc < 0) {
		free(r->buf);
		return -1;
	}
	r->buf[r->n] = '\0';
	return 0;
}

int sfab_file_read(const char *path, const struct sfab_trust *trust,
		   uint8_t **buf, size_t *size, struct sfab_err *err)
{
	struct reading r = { .path = path, .err = err };

	*buf = NULL;
	*size = 0;
	if (read_into_buffer(&r, trust, NULL) < 0)
		return -1;
	*buf = r.buf;
	*size = r.n;
	return 0;
}

void *sfab_file_decode(const char *path, const struct sfab_trust *trust,
		       sfab_file_size_fn *sizer, sfab_file_decode_fn *decode,
		       struct sfab_err *err)
{
	struct reading r = { .path = path, .err = err };
	void *whole;

	if (read_into_buffer(&r, trust, sizer) < 0)
		return NULL;
	whole = decode(r.buf, r.n, err);
	free(r.buf);
	if (!whole)
		sfab_fail_prefix(err, "%s", path);
	return whole;
}
