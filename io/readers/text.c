/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.c - a whole file, gzipped or not, into memory
 *
 * zlib passes files through that are not gzipped.  Large blocks are read from the
 * page cache directly into their final place.
 */

#include "io/readers/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define TEXT_START ((size_t) 1 << 20)	/* bytes, first size of the block */
#define TEXT_MAX ((size_t) 4 << 30)	/* bytes, default limit */
#define READ_MAX ((size_t) 1 << 30)	/* bytes: gzread() counts in int */

struct text_block {
	char *text;
	size_t size, room;
};

/* "-" is a copy of standard input: gzclose() would close the real one. */
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

/* The error text of zlib or the system for @f. */
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

/* A file with a NUL is no text but a disk image or an endless device. */
static int check_no_nul(const char *text, size_t n, const char *name,
			struct sfab_err *err)
{
	const char *nul = memchr(text, '\0', n);

	return nul ? sfab_fail(err, SFAB_EFORMAT, "%s: not a text file (byte "
			       "%zu is NUL)", name, (size_t) (nul - text)) : 0;
}

/* The size is checked while reading: a small gzip file may unpack to terabytes. */
static int read_gzip_text(gzFile f, const char *name, size_t max,
			  struct text_block *b, struct sfab_err *err)
{
	size_t want;
	int n, code;

	do {
		size_t room = b->room ? 2 * b->room : TEXT_START;
		char *grown;

		/* Make space for at least one more byte and the NUL. */
		if (b->room - b->size <= 1) {
			grown = realloc(b->text, room);
			if (!grown)
				return sfab_fail(err, SFAB_ENOMEM,
						 "%s: out of memory", name);
			b->text = grown;
			b->room = room;
		}
		want = b->room - b->size - 1;
		n = gzread(f, b->text + b->size,
			   (unsigned) (want < READ_MAX ? want : READ_MAX));
		if (n < 0)
			return fail_read(f, name, err);
		if (!b->size && check_no_nul(b->text, (size_t) n, name, err))
			return -1;
		b->size += (size_t) n;
		if (b->size > max)
			return sfab_fail(err, SFAB_ELIMIT, "%s: too big (found "
					 "more than the %zu bytes of text that "
					 "are allowed)", name, max);
	} while (n > 0);
	gzerror(f, &code);
	if (code != Z_OK && code != Z_STREAM_END)
		return fail_read(f, name, err);
	b->text[b->size] = '\0';
	return 0;
}

int sfab_text_read(const char *path, size_t max, char **text, size_t *size,
		   struct sfab_err *err)
{
	const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
	struct text_block b = {0};
	gzFile f;
	int failed;

	f = open_text(path);
	if (!f)
		return sfab_fail(err, errno == ENOENT ? SFAB_ENOENT : SFAB_EIO,
				 "%s: cannot open (%s)", name, strerror(errno));
	gzbuffer(f, 1 << 18);
	failed = read_gzip_text(f, name, max ? max : TEXT_MAX, &b, err);
	gzclose(f);
	if (failed) {
		free(b.text);
		return -1;
	}
	*text = b.text;
	*size = b.size;
	return 0;
}
