/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * logring.c - log lines from a thread that must not wait to a file
 *
 * head and tail count all bytes ever pushed and written; the ring holds the bytes between them.
 * Only the pushing thread moves head, only the writer moves tail, so neither needs a lock.  If
 * the disk is slower than the jobs, whole lines are dropped and counted; part of a line never
 * gets in.
 *
 * The file is opened again when its name points to another one: logrotate needs no signal.
 */

#include "place/log/logring.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file.h"
#include "io/worker.h"
#include "place/log/say_log.h"

struct sfab_logring {
	char *buffer;
	size_t size;
	_Atomic uint64_t head, tail, nlost;
	struct sfab_worker writer;
	sfab_place_log_fn *log;
	_Atomic(char *) next_path;	/* from the loader to the writer */

	/* the writer's */
	char *path;			/* NULL: none was set yet; "": lines go nowhere */
	int fd;
	int is_failure_logged;		/* this failure was logged */
};

static void close_file(struct sfab_logring *r)
{
	if (r->fd >= 0)
		close(r->fd);
	r->fd = -1;
}

/* Close the file, and log errno unless the last write failed, too. */
static void fail_log_write(struct sfab_logring *r)
{
	close_file(r);
	if (!r->is_failure_logged)
		sfab_say(r->log, SFAB_LOG_ERROR, "%s: %s; decisions are not logged", r->path,
			 strerror(errno));
	r->is_failure_logged = 1;
}

/* Does the file end within a line?  The disk was full, or a writer was killed. */
static int is_torn(const char *path)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	char last = '\n';

	if (fd < 0)	/* no file, no part of a line */
		return 0;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !st.st_size ||
	    pread(fd, &last, 1, st.st_size - 1) != 1)
		last = '\n';
	close(fd);
	return last != '\n';
}

/* Open the file, and start with a newline after part of a line left by a failed write. */
static int open_file(struct sfab_logring *r)
{
	struct stat mine, named;

	/* Does the path still name the open file? */
	if (r->fd >= 0 && !fstat(r->fd, &mine) && !stat(r->path, &named) &&
	    mine.st_ino == named.st_ino && mine.st_dev == named.st_dev)
		return 0;
	close_file(r);
	r->fd = open(r->path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW |
		     O_NONBLOCK | O_CLOEXEC, 0640);
	if (r->fd >= 0 && (!is_torn(r->path) || sfab_file_put(r->fd, "\n", 1) == 0))
		return 0;
	fail_log_write(r);
	return -1;
}

/* Write the bytes between tail and @head; the range may wrap around. */
static void drain_log_ring(struct sfab_logring *r, uint64_t head)
{
	uint64_t tail = atomic_load(&r->tail);
	size_t offset = tail % r->size, n = head - tail;
	size_t first = n < r->size - offset ? n : r->size - offset;
	char *path = atomic_exchange(&r->next_path, NULL);

	if (path) {
		free(r->path);
		r->path = path;
	}
	/* Jobs may begin before sfabric.conf is read: their lines wait here. */
	if (!r->path)
		return;
	if (*r->path && open_file(r) == 0) {
		if (sfab_file_put(r->fd, r->buffer + offset, first) < 0 ||
		    sfab_file_put(r->fd, r->buffer, n - first) < 0)
			fail_log_write(r);
		else
			r->is_failure_logged = 0;
	}
	/* Also after a failure: lines that cannot be written must not fill the ring. */
	atomic_store(&r->tail, head);
}

/* Run the thread: sleep until a line is pushed, and write what is there. */
static void *write_lines(void *arg)
{
	struct sfab_logring *r = arg;
	int quit;

	do {
		uint64_t head;

		sfab_worker_sleep(&r->writer);
		/* quit before head: lines pushed before the stop are still written. */
		quit = !sfab_worker_goes_on(&r->writer);
		head = atomic_load(&r->head);
		if (head != atomic_load(&r->tail))
			drain_log_ring(r, head);
	} while (!quit);
	return NULL;
}

struct sfab_logring *sfab_logring_start(size_t size, sfab_place_log_fn *log, struct sfab_err *err)
{
	struct sfab_logring *r = calloc(1, sizeof(*r));

	if (r)
		r->buffer = malloc(size);
	if (!r || !r->buffer) {
		free(r);
		sfab_no_memory(err);
		return NULL;
	}
	r->size = size;
	r->log = log;
	r->fd = -1;
	if (sfab_worker_start(&r->writer, "sfab-log", write_lines, r, err) == 0)
		return r;
	sfab_logring_stop(r);
	return NULL;
}

void sfab_logring_stop(struct sfab_logring *r)
{
	/* A thread that hangs in a write still uses the ring. */
	if (!r || sfab_worker_stop(&r->writer))
		return;
	close_file(r);
	free(atomic_load(&r->next_path));
	free(r->path);
	free(r->buffer);
	free(r);
}

void sfab_logring_file(struct sfab_logring *r, const char *path)
{
	char *copy = strdup(path);

	if (!copy)
		return;
	free(atomic_exchange(&r->next_path, copy));
	sfab_worker_wake(&r->writer);
}

/* Copy @n bytes to position @head, wrapping around at the end. */
static void copy_into_ring(struct sfab_logring *r, uint64_t head, const char *p, size_t n)
{
	size_t offset = head % r->size;
	size_t first = n < r->size - offset ? n : r->size - offset;

	memcpy(r->buffer + offset, p, first);
	memcpy(r->buffer, p + first, n - first);
}

int sfab_logring_push(struct sfab_logring *r, const char *line)
{
	uint64_t head = atomic_load(&r->head);
	size_t n = strlen(line);

	if (n + 1 > r->size - (head - atomic_load(&r->tail))) {
		atomic_fetch_add(&r->nlost, 1);
		return -1;
	}
	copy_into_ring(r, head, line, n);
	copy_into_ring(r, head + n, "\n", 1);
	/* Publishes the bytes copied above: head must move last. */
	atomic_store(&r->head, head + n + 1);
	sfab_worker_wake(&r->writer);
	return 0;
}

uint64_t sfab_logring_lost(const struct sfab_logring *r)
{
	return atomic_load(&r->nlost);
}
