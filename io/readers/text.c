/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.c - a file, gzipped or not, into memory, as a whole or in pieces; see text.h
 *
 * zlib passes files through that are not gzipped.  Large blocks are read from the page cache
 * directly into their final place.
 */

#include "io/readers/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "io/readers/reader.h"

#define TEXT_START ((size_t) 1 << 20)	/* bytes, first size of the block */
#define TEXT_MAX ((size_t) 4 << 30)	/* bytes in memory, default limit, */
#define STREAM_MAX (UINT64_C(64) << 30)	/* and in a stream */
#define READ_MAX ((size_t) 1 << 24)	/* bytes between two looks at the size */
#define RATIO_FREE (UINT64_C(64) << 20)	/* bytes of text that any file may unpack to, */
#define RATIO_MAX 200		/* and how much more there may be: tables have 20 */

/* Open the file.  "-" is a copy of standard input: gzclose() would close the real one. */
static gzFile open_text(const char *path)
{
	gzFile f;
	int fd;

	if (strcmp(path, "-") != 0)
		return gzopen(path, "rb");
	fd = dup(STDIN_FILENO);
	if (fd < 0)
		return NULL;
	f = gzdopen(fd, "rb");
	if (!f)
		close(fd);
	return f;
}

/* Set the error text of zlib or the system for @f. */
static int fail_read(gzFile f, const char *name, struct sfab_err *err)
{
	int code;
	const char *text = gzerror(f, &code);

	if (code == Z_ERRNO)
		return sfab_fail(err, SFAB_EIO, "%s: cannot read (%s)", name,
				 strerror(errno));
	if (code == Z_BUF_ERROR)
		text = "truncated: the end of the gzip stream is missing";
	return sfab_fail(err, SFAB_EFORMAT, "%s: %s", name, text);
}

/* Make space for @size bytes and the NUL. */
static int grow_text(struct sfab_text *t, size_t size, struct sfab_err *err)
{
	size_t capacity = t->capacity ? t->capacity : TEXT_START;
	char *grown;

	while (capacity <= size)
		capacity *= 2;
	if (capacity == t->capacity)
		return 0;
	grown = realloc(t->text, capacity);
	if (!grown)
		return sfab_fail(err, SFAB_ENOMEM, "%s: out of memory", t->name);
	t->text = grown;
	t->capacity = capacity;
	return 0;
}

/* Check the size while reading, because a small gzip file may unpack to terabytes. */
static int check_text_size(const struct sfab_text *t, struct sfab_err *err)
{
	if (t->total > t->max)
		return sfab_fail(err, SFAB_ELIMIT, "%s: too big (found more than the %llu "
				 "bytes of text that are allowed)", t->name,
				 (unsigned long long) t->max);
	if (t->total > RATIO_FREE &&
	    t->total / RATIO_MAX > (uint64_t) gzoffset(t->file))
		return sfab_fail(err, SFAB_ELIMIT, "%s: unpacks to more than %d times its "
				 "size (expected a text)", t->name, RATIO_MAX);
	return 0;
}

int sfab_text_fill(struct sfab_text *t, size_t size, struct sfab_err *err)
{
	const char *nul;
	int n = 1, code;

	if (grow_text(t, size, err) < 0)
		return -1;
	while (!t->is_complete && t->size < size) {
		size_t want = size - t->size;

		n = gzread(t->file, t->text + t->size,
			   (unsigned) (want < READ_MAX ? want : READ_MAX));
		if (n < 0)
			return fail_read(t->file, t->name, err);
		/* A file with a NUL is no text but a disk image or an endless device. */
		nul = t->total ? NULL : memchr(t->text, '\0', (size_t) n);
		if (nul)
			return sfab_fail(err, SFAB_EFORMAT, "%s: not a text file (byte "
					 "%zu is NUL)", t->name, (size_t) (nul - t->text));
		t->size += (size_t) n;
		t->total += (uint64_t) n;
		if (check_text_size(t, err) < 0)
			return -1;
		t->is_complete = n == 0;
	}
	t->text[t->size] = '\0';
	if (!t->is_complete)
		return 0;
	gzerror(t->file, &code);
	return code != Z_OK && code != Z_STREAM_END ?
		       fail_read(t->file, t->name, err) : 0;
}

/* Move the NUL behind the text, too. */
void sfab_text_drop(struct sfab_text *t, size_t n)
{
	t->size -= n;
	memmove(t->text, t->text + n, t->size + 1);
}

int sfab_text_open(struct sfab_text *t, const char *path, uint64_t max,
		   struct sfab_err *err)
{
	memset(t, 0, sizeof(*t));
	t->name = strcmp(path, "-") == 0 ? "standard input" : path;
	t->max = max ? max : STREAM_MAX;
	t->file = open_text(path);
	if (!t->file)
		return sfab_fail(err, errno == ENOENT ? SFAB_ENOENT : SFAB_EIO,
				 "%s: cannot open (%s)", t->name, strerror(errno));
	gzbuffer(t->file, 1 << 18);
	return 0;
}

void sfab_text_close(struct sfab_text *t)
{
	if (t->file)
		gzclose(t->file);
	free(t->text);
	memset(t, 0, sizeof(*t));
}

/* Grow to sizes one less than a power of two, because the NUL needs a byte. */
int sfab_text_fill_all(struct sfab_text *t, struct sfab_err *err)
{
	int rc = 0;

	for (size_t want = TEXT_START - 1; rc == 0 && !t->is_complete; want = 2 * want + 1)
		rc = sfab_text_fill(t, want, err);
	return rc;
}

int sfab_reader_read_text(const char *path, size_t max, char **text, size_t *size,
			  struct sfab_err *err)
{
	struct sfab_text t;
	int rc = sfab_text_open(&t, path, max ? max : TEXT_MAX, err);

	if (rc == 0)
		rc = sfab_text_fill_all(&t, err);
	if (rc == 0) {
		*text = t.text;
		*size = t.size;
		t.text = NULL;
	}
	sfab_text_close(&t);
	return rc;
}
