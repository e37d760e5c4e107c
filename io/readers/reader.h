/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader.h - files that other programs write -> builder
 *
 * Each format is one row of sfab_readers[] and one file.  Readers keep nothing
 * between calls; what a line says goes to the builder with its FILE:LINE, and
 * the first thing that is wrong ends the reading: *err begins "FILE:LINE: ".
 * Inputs may be gzipped.
 */
#ifndef SFAB_READER_H
#define SFAB_READER_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/fabric/builder.h"
#include "io/namemap.h"

struct sfab_reader_ctx {
	struct sfab_builder *b;
	uint32_t plane;
	const struct sfab_namemap *map;	/* NULL: none */
	const char *file;		/* for error texts */
	unsigned skipped;		/* lines of the file before the text */
};

/*
 * What a file brings; a fabric needs TOPOLOGY and TABLES.  FACTS: what a subnet
 * manager says of itself.
 */
enum {
	SFAB_BRINGS_TOPOLOGY = 1, SFAB_BRINGS_TABLES = 2, SFAB_BRINGS_FACTS = 4,
	SFAB_BRINGS_COUNTERS = 8,
};

struct sfab_counts;			/* count_files.h */

struct sfab_reader {
	const char *name;		/* "ibnetdiscover", "opensm-lfts", ... */
	unsigned brings;
	/* 1 if the beginning of a file (up to 4 KiB) looks like this format. */
	int (*detect)(const char *head, size_t size);
	/* All of @text (@size bytes, a NUL after them). */
	int (*read)(const struct sfab_reader_ctx *ctx, const char *text,
		    size_t size, struct sfab_err *err);
	/* The same for its counters; NULL: it brings none. */
	int (*count)(struct sfab_counts *c, const char *text, size_t size,
		     struct sfab_err *err);
};
extern const struct sfab_reader sfab_readers[];	/* ends with name NULL */

const struct sfab_reader *sfab_reader_detect(const char *head, size_t size);

/*
 * Whole file into memory through zlib, NUL added; "-" is standard input.
 * Refuses more than @max bytes (0: 4 GiB) so that a gzip bomb is an error.
 */
int sfab_text_read(const char *path, size_t max, char **text, size_t *size,
		   struct sfab_err *err);

/*
 * Hears what an import goes on without: of file @file (0, 1, ... as given) all of it
 * (@left_out) or what a terminal put around it.
 */
struct sfab_import_notes {
	void (*note)(void *ctx, uint32_t file, int left_out, const char *text);
	void *ctx;
};

/*
 * Read @nfiles files of one subnet into plane @plane of @b: detect each, topology
 * before tables before facts whatever their order.  SFAB_EFORMAT for files without
 * topology or without tables, and for an unknown format or an empty file if it is the
 * only one or @notes is NULL.  With @notes such a file is left out, as are a byte
 * order mark, up to 64 lines of banner and prompt before the text and prompts behind
 * it; each is noted.
 */
int sfab_import(struct sfab_builder *b, uint32_t plane,
		const char *const *files, uint32_t nfiles,
		const struct sfab_namemap *map,
		const struct sfab_import_notes *notes, struct sfab_err *err);

#endif
