/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tally_log.c - go on in the decision log where the last run ended; see tally.h
 *
 * A log is known again by its inode and a hash of its first bytes, which have the time of its
 * first line: an inode alone may be used again.  What was renamed is looked for beside the log,
 * by the same marks.  A log that ends before the position, or begins otherwise, is a new one.
 * Only whole lines are taken, because the plugin may be writing the last one.
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
#include "tools/log/declog.h"
#include "tools/ui/xalloc.h"

/*
 * Open a log.  A FIFO or a folder is refused, and O_NONBLOCK keeps open() from waiting for a
 * writer.  -1 with errno.
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
 * Return the hash of the first bytes of the file, at most up to @offset, because more may have
 * been written since.  0: it cannot be read.
 */
static uint64_t hash_head(int fd, uint64_t offset)
{
	uint8_t head[TALLY_HEAD];
	size_t size = offset < TALLY_HEAD ? (size_t) offset : TALLY_HEAD;
	ssize_t n = pread(fd, head, size, 0);

	return n < 0 ? 0 : sfab_hash64(head, (size_t) n);
}

/* Is this the file in which the last run ended, and is it at least as long? */
static int is_at_position(int fd, const struct tally_position *position)
{
	struct stat st;

	return position->inode && fstat(fd, &st) == 0 &&
	       (uint64_t) st.st_ino == position->inode &&
	       (uint64_t) st.st_dev == position->device &&
	       (uint64_t) st.st_size >= position->offset &&
	       hash_head(fd, position->offset) == position->head;
}

/* Open the log of the last run, renamed within its folder to a longer name.  -1: there is none. */
static int open_renamed(const char *path, const struct tally_position *position)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char *folder = slash ? xstrfmt("%.*s/", (int) (slash - path), path) :
			       xstrdup("./");
	DIR *dir = position->inode ? opendir(folder) : NULL;
	struct dirent *entry;
	int fd = -1;

	while (dir && fd < 0 && (entry = readdir(dir))) {
		char *other;

		if ((uint64_t) entry->d_ino != position->inode ||
		    strncmp(entry->d_name, name, strlen(name)) != 0)
			continue;
		other = xstrfmt("%s%s", folder, entry->d_name);
		fd = open_log(other);
		free(other);
		if (fd >= 0 && !is_at_position(fd, position)) {
			close(fd);
			fd = -1;
		}
	}
	if (dir)
		closedir(dir);
	free(folder);
	return fd;
}

/*
 * Take the whole lines in the @n bytes at @text.  Return their bytes.  The last line stays if
 * it has no end.
 */
static size_t take_lines(struct tally *t, char *text, size_t n)
{
	char *begin = text, *end = text + n, *newline;

	while ((newline = memchr(begin, '\n', (size_t) (end - begin)))) {
		struct json_object *line;

		*newline = '\0';
		line = newline - begin < TALLY_LINE_MAX ? declog_line(begin) : NULL;
		*tally_value(t, "sfabric_decision_log_lines_total") += 1;
		*tally_value(t, "sfabric_decision_log_bad_lines_total") += !line;
		if (line)
			tally_take(t, line);
		json_object_put(line);
		begin = newline + 1;
	}
	/* A line that no run could read as a whole is dropped piece by piece. */
	return begin == text && n == TALLY_READ_MAX ? n : (size_t) (begin - text);
}

/*
 * Read from @offset to the end of the file, at most @budget bytes.  Return what is left of the
 * budget.  The metric of unread bytes shows whether runs keep up.
 */
static size_t take_log_lines(struct tally *t, int fd, uint64_t offset, size_t budget)
{
	struct stat st;
	uint64_t unread;
	size_t want, taken, n = 0;
	ssize_t nread = 1;
	char *text;

	if (fstat(fd, &st) != 0)
		return budget;
	unread = (uint64_t) st.st_size > offset ? (uint64_t) st.st_size - offset : 0;
	want = unread < budget ? (size_t) unread : budget;
	text = xcalloc(want + 1, 1);
	while (n < want && nread > 0) {
		nread = pread(fd, text + n, want - n, (off_t) (offset + n));
		n += nread > 0 ? (size_t) nread : 0;
	}
	taken = take_lines(t, text, n);
	offset += taken;
	free(text);
	t->position = (struct tally_position) {
		(uint64_t) st.st_dev, (uint64_t) st.st_ino, offset, hash_head(fd, offset) };
	*tally_value(t, "sfabric_decision_log_unread_bytes") = (double) (unread - taken);
	return budget - n;
}

int tally_follow(struct tally *t, const char *path, struct sfab_err *err)
{
	size_t budget = TALLY_READ_MAX;
	uint64_t offset = t->position.offset;
	int current = open_log(path), renamed;

	*tally_value(t, "sfabric_decision_log_unread_bytes") = 0;
	if (current < 0 && errno == ENOENT)
		return 0;
	if (current < 0)
		return sfab_fail(err, SFAB_EIO, "%s: %s", path, strerror(errno));
	/* The end of the log that was renamed, then the new one from its beginning. */
	if (!is_at_position(current, &t->position)) {
		renamed = open_renamed(path, &t->position);
		if (renamed >= 0) {
			budget = take_log_lines(t, renamed, offset, budget);
			close(renamed);
		}
		offset = 0;
	}
	/* Otherwise more of the old one, and the new one, is for the next run. */
	if (budget)
		take_log_lines(t, current, offset, budget);
	close(current);
	return 0;
}
