/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader.h - files that other programs write -> builder
 *
 * Each format has one row in sfab_readers[] and one file.  Readers keep no state between calls
 * but ctx->lids.  They pass each line's content to the builder with its FILE:LINE, and stop at
 * the first error: *err begins "FILE:LINE: ".  Input may be gzipped.
 */
#ifndef SFAB_READER_H
#define SFAB_READER_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/fabric/builder.h"
#include "io/namemap.h"
#include "io/scan.h"

struct sfab_reader_ctx {
	struct sfab_builder *builder;
	uint32_t plane;
	const struct sfab_namemap *map;	/* NULL: none */
	const char *file;		/* for error texts */
	uint32_t *lids;			/* entries of the first table (0: not known), from one
					   piece of the file to the next; NULL: it is whole */
	int has_cables;			/* other files have the cables */
	struct sfab_remark *remark;	/* NULL: nobody wants one */
};

/* What the user should know of a file that was read; "" is nothing. */
struct sfab_remark {
	char text[160];
};

/* What a file contributes; a fabric needs TOPOLOGY and TABLES. */
enum sfab_brings {
	SFAB_BRINGS_TOPOLOGY = 1,
	SFAB_BRINGS_TABLES = 2,
	SFAB_BRINGS_FACTS = 4,		/* what a subnet manager reports about itself */
	SFAB_BRINGS_COUNTERS = 8,
};

struct sfab_counts;			/* count_files.h */

/* Does the beginning of a file (up to SFAB_READER_HEAD) look like this format? */
typedef int sfab_detect_fn(struct sfab_scan *s);
/* Read all of the text, from the next line of @s on.  There is a NUL behind it. */
typedef int sfab_read_fn(const struct sfab_reader_ctx *ctx, struct sfab_scan *s,
			 struct sfab_err *err);
/* Read the counters of such a text. */
typedef int sfab_count_fn(struct sfab_counts *c, struct sfab_scan *s, struct sfab_err *err);

/* The lines in which sfab_reader.sign is looked for. */
enum sfab_sign_line {
	SFAB_SIGN_FIRST,	/* the first one */
	SFAB_SIGN_HEAD,		/* comments and empty ones, and the one after them */
	SFAB_SIGN_ANY,		/* all, behind blanks */
};

#define SFAB_SIGNS 4

struct sfab_reader {
	const char *name;	/* "ibnetdiscover", "opensm-lfts", ... */
	unsigned brings;	/* enum sfab_brings */
	/*
	 * What no other format has: a line begins with the first text, and the next two come
	 * somewhere behind it, if they are not NULL.  One of these is enough.
	 */
	const char *sign[SFAB_SIGNS][3];
	enum sfab_sign_line line;
	sfab_detect_fn *detect;	/* for a format that takes more; NULL: by sign */
	sfab_read_fn *read;
	sfab_count_fn *count;	/* NULL: the format has none */
	int in_pieces;		/* a large file may be cut before each line with a sign, the
				   heading of a table */
};
extern const struct sfab_reader sfab_readers[];	/* ends with name NULL */

#define SFAB_READER_HEAD 4096	/* bytes of a file that tell its format */
/* Find the reader of a file that begins with @head.  NULL: no format is known. */
const struct sfab_reader *sfab_reader_detect(const char *head, size_t size);
/*
 * Set *@reader to the reader of the file @path, of which only the beginning is read; NULL: no
 * format is known.  -1 with *err: the file cannot be read.
 */
int sfab_reader_detect_file(const char *path, const struct sfab_reader **reader,
			    struct sfab_err *err);

/*
 * Read a whole file into memory through zlib and append a NUL; "-" is standard input.  Refuses
 * more than @max bytes (0: 4 GiB) so that a gzip bomb is an error.
 */
int sfab_reader_read_text(const char *path, size_t max, char **text, size_t *size,
			  struct sfab_err *err);

/*
 * Called for what an import ignores in @file (0, 1, ... as given): the whole file (@left_out),
 * what a terminal added around its text, or what its reader remarks.
 */
struct sfab_import_notes {
	void (*note)(void *ctx, uint32_t file, int left_out, const char *text);
	void *ctx;
};

/*
 * Read @nfiles files of one subnet into plane @plane of @b.  The format of each is detected;
 * topology is read before tables before facts, in whatever order they are given.  SFAB_EFORMAT
 * if topology or tables are missing, and for an unknown format or an empty file if it is the
 * only one or @notes is NULL.  With @notes such a file is ignored.  So are a byte order mark,
 * up to 64 lines of banner and prompt before the text, and prompts after it; each is noted.
 */
int sfab_reader_import(struct sfab_builder *b, uint32_t plane,
		       const char *const *files, uint32_t nfiles,
		       const struct sfab_namemap *map,
		       const struct sfab_import_notes *notes, struct sfab_err *err);

#endif
