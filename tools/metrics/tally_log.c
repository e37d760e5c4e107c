/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tally_log.c - go on in the decision log where the last run ended; see tally.h
 *
 * A log is known again by its inode and a hash of its first bytes, which have the
 * time of its first line: an inode alone may be used again.  What was renamed is
 * looked for beside the log, by the same marks.  A log that is shorter than the
 * place, or begins otherwise, is a new one.  Only whole lines are taken, because the
 * plugin may be writing the last one.
 */

#include "tools/metrics/tally.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/hash.h"
#include "tools/explain/declog.h"
#include "tools/ui/say.h"

struct log_tail {
	int fd;
	char *buf;		/* [TALLY_LINE_MAX + 1] */
	size_t n;		/* bytes in it */
	uint64_t offset;	/* in the file, of buf[0] */
	uint64_t left;		/* bytes that may still be read */
	int skips;		/* within a line that is too long */
};

/*
 * A log that is a FIFO or a folder is refused, and O_NONBLOCK keeps open() from
 * waiting for a writer.  -1 with errno.
 */
static int open_log(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)))
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}

/*
 * 0 if it cannot be read.  Never more than was read by then: more could have
 * been written since.
 */
static uint64_t head_of(int fd, uint64_t offset)
{
	uint8_t head[TALLY_HEAD];
	size_t want = offset < TALLY_HEAD ? (size_t) offset : TALLY_HEAD;
	ssize_t n = pread(fd, head, want, 0);

	return n < 0 ? 0 : sfab_hash64(head, (size_t) n);
}

/* Is this the file of the place, with all that was read of it? */
static int is_of_place(int fd, const struct tally_place *place)
{
	struct stat st;

	return place->inode && fstat(fd, &st) == 0 &&
	       (uint64_t) st.st_ino == place->inode &&
	       (uint64_t) st.st_dev == place->device &&
	       (uint64_t) st.st_size >= place->offset &&
	       head_of(fd, place->offset) == place->head;
}

/* The log of the place, renamed within its folder to something longer, or -1. */
static int open_renamed(const char *path, const struct tally_place *place)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char *folder = slash ? need_text("%.*s/", (int) (slash - path), path) :
			       need_copy("./");
	DIR *dir = place->inode ? opendir(folder) : NULL;
	struct dirent *e;
	int fd = -1;

	while (dir && fd < 0 && (e = readdir(dir))) {
		char *other;

		if ((uint64_t) e->d_ino != place->inode ||
		    strncmp(e->d_name, name, strlen(name)) != 0)
			continue;
		other = need_text("%s%s", folder, e->d_name);
		fd = open_log(other);
		free(other);
		if (fd >= 0 && !is_of_place(fd, place)) {
			close(fd);
			fd = -1;
		}
	}
	if (dir)
		closedir(dir);
	free(folder);
	return fd;
}

/* Takes the whole lines of the buffer; what follows stays. */
static void take_lines(struct decision_tally *t, struct log_tail *tail)
{
	char *at = tail->buf, *end = at + tail->n, *newline;
	struct json_object *line;

	while ((newline = memchr(at, '\n', (size_t) (end - at)))) {
		*newline = '\0';
		line = tail->skips ? NULL : declog_line(at);
		t->lines++;
		t->bad += !line;
		if (line)
			tally_take(t, line);
		json_object_put(line);
		tail->skips = 0;
		at = newline + 1;
	}
	/*
	 * No newline in a full buffer: the rest of that line is dropped until
	 * one comes.
	 */
	if (at == tail->buf && tail->n == TALLY_LINE_MAX) {
		tail->skips = 1;
		at = end;
	}
	tail->offset += (uint64_t) (at - tail->buf);
	tail->n = (size_t) (end - at);
	memmove(tail->buf, at, tail->n);
}

/* From @offset to the end of the file, or until nothing more may be read. */
static void read_tail(struct decision_tally *t, struct log_tail *tail, uint64_t offset)
{
	struct stat st;
	ssize_t got;

	tail->n = 0;
	tail->offset = offset;
	tail->skips = 0;
	do {
		size_t want = TALLY_LINE_MAX - tail->n;

		want = want < tail->left ? want : (size_t) tail->left;
		got = pread(tail->fd, tail->buf + tail->n, want,
			    (off_t) (tail->offset + tail->n));
		if (got <= 0)
			break;
		tail->n += (size_t) got;
		tail->left -= (uint64_t) got;
		take_lines(t, tail);
	} while (tail->left);
	if (fstat(tail->fd, &st) == 0)
		t->place = (struct tally_place) {
			(uint64_t) st.st_dev, (uint64_t) st.st_ino, tail->offset,
			head_of(tail->fd, tail->offset) };
}

/* What a run did not come to; the metric shows whether runs keep up. */
static uint64_t bytes_behind(const struct decision_tally *t, int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && (uint64_t) st.st_size > t->place.offset ?
		       (uint64_t) st.st_size - t->place.offset : 0;
}

int tally_follow(struct decision_tally *t, const char *path, struct sfab_err *err)
{
	struct log_tail tail = { .left = TALLY_READ_MAX };
	uint64_t offset = t->place.offset;
	int now = open_log(path);

	t->behind = 0;
	if (now < 0 && errno == ENOENT)
		return 0;
	if (now < 0)
		return sfab_fail(err, SFAB_EIO, "%s: %s", path, strerror(errno));
	tail.buf = need(TALLY_LINE_MAX + 1, 1);
	/* The end of the log that was renamed, then the new one from its beginning. */
	if (!is_of_place(now, &t->place)) {
		offset = 0;
		tail.fd = open_renamed(path, &t->place);
		if (tail.fd >= 0) {
			read_tail(t, &tail, t->place.offset);
			t->behind = bytes_behind(t, tail.fd);
			close(tail.fd);
		}
	}
	/* Otherwise more of the old one, and the new one, is for the next run. */
	if (tail.left) {
		tail.fd = now;
		read_tail(t, &tail, offset);
		t->behind = bytes_behind(t, now);
	}
	free(tail.buf);
	close(now);
	return 0;
}
