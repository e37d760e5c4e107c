/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader.c - files of one subnet in order
 *
 * All files are read into memory first and recognized by their first bytes; of large files of
 * tables it is only the beginning, and they are read in pieces, a number of whole tables each.
 * Topology goes to the builder before tables, because tables refer to switches; files of one
 * kind keep the order of the command line.
 */

#include "io/readers/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/readers/noise.h"
#include "io/readers/text.h"

#define PIECE_SIZE ((size_t) 4 << 20)	/* bytes of a file that are read at once */
#define WHOLE_MAX ((uint64_t) 4 << 30)	/* bytes of a file that has no pieces */
#define HEADER_LINES 64	/* lines of banner and prompts before the text */

struct reader_input {
	const char *path;	/* "-": standard input */
	uint32_t index;		/* among the files as given */
	struct sfab_text t;	/* text NULL: not read yet, or already freed */
	size_t head;		/* bytes of its text before the file's own first one */
	unsigned skipped;	/* lines before the part of the text that is read next */
	uint32_t lids;		/* as in sfab_reader_ctx */
	const struct sfab_reader *reader;
};

/*
 * Begin the text at a damaged heading of a table.  It looks like a banner, and the format is
 * then found at the next table.  The entries between the two tell: a banner has no line that
 * begins with "0x".  The heading is the first of the skipped lines with a GUID, and the reader
 * names that line.
 */
static void keep_damaged_table(struct reader_input *in, const char *first)
{
	const char *line = first, *begin = NULL, *end, *hex;
	unsigned nbefore = 0, entries = 0;

	for (unsigned i = 0; i < in->skipped; i++, line = end + 1) {
		end = strchr(line, '\n');
		if (!end)	/* after a NUL; the reader refuses it */
			return;
		hex = strstr(line, "0x");
		entries += hex == line;
		if (!begin && hex && hex < end) {
			begin = line;
			nbefore = i;
		}
	}
	if (entries) {
		in->head = (size_t) (begin - in->t.text);
		in->skipped = nbefore;
	}
}

/*
 * Find where the text begins, after anything else that a terminal logged: detect the format at
 * the first line, then at each of the @max lines after it.
 */
static void find_head(struct reader_input *in, unsigned max)
{
	size_t left;
	const char *line = in->t.text + sfab_noise_mark(in->t.text, in->t.size), *end;
	const char *first = line;

	for (in->skipped = 0; ; in->skipped++, line = end + 1) {
		left = in->t.size - (size_t) (line - in->t.text);
		in->reader = sfab_reader_detect(line, left < SFAB_READER_HEAD ? left :
							SFAB_READER_HEAD);
		end = left ? memchr(line, '\n', left) : NULL;
		if (in->reader || !end || in->skipped == max)
			break;
	}
	in->head = (size_t) (line - in->t.text);
	if (in->reader && in->reader->brings == SFAB_BRINGS_TABLES)
		keep_damaged_table(in, first);
}

static int fail_unknown_format(const struct reader_input *in,
			       struct sfab_err *err)
{
	if (in->t.size == 0)
		return sfab_fail(err, SFAB_EFORMAT, "%s:1: the file is empty",
				 in->t.name);
	return sfab_fail(err, SFAB_EFORMAT, "%s:1: unknown format (expected "
			 "one that sfabric-import(1) lists)", in->t.name);
}

static void note_input(const struct sfab_import_notes *notes,
		       const struct reader_input *in, int left_out,
		       const char *text)
{
	notes->note(notes->ctx, in->index, left_out, text);
}

/*
 * Drop what a terminal wrote after the text, and note it.  The NUL behind the text is what the
 * readers rely on.
 */
static void drop_tail(struct reader_input *in, const struct sfab_import_notes *notes)
{
	size_t kept = sfab_noise_end(in->t.text + in->head, in->t.size - in->head);

	if (in->head + kept < in->t.size)
		note_input(notes, in, 0, "a prompt after the text is skipped");
	in->t.size = in->head + kept;
	in->t.text[in->t.size] = '\0';
}

/*
 * Open a file and find its reader.  With @notes a file of an unknown format stays without one,
 * and is left out later.
 */
static int load_input(struct reader_input *in,
		      const struct sfab_import_notes *notes,
		      struct sfab_err *err)
{
	char text[80];

	if (sfab_text_open(&in->t, in->path, 0, err) < 0 ||
	    sfab_text_fill(&in->t, PIECE_SIZE - 1, err) < 0)
		return -1;
	find_head(in, notes ? HEADER_LINES : 0);
	if (!in->reader)
		return notes ? 0 : fail_unknown_format(in, err);
	/* Only tables with a heading are read in pieces: others are read whole. */
	if (!in->reader->in_pieces) {
		in->t.max = WHOLE_MAX;
		if (sfab_text_fill_all(&in->t, err) < 0)
			return -1;
	}
	if (notes && in->skipped) {
		snprintf(text, sizeof(text), "%u lines before the text of %s are skipped",
			 in->skipped, in->reader->name);
		note_input(notes, in, 0, text);
	}
	if (notes && in->t.is_complete)
		drop_tail(in, notes);
	return 0;
}

/*
 * Load all files, and move those of an unknown format, which are only noted, out of the array.
 * *@n becomes the number of the others.
 */
static int load_all(struct reader_input *in, uint32_t *n,
		    const struct sfab_import_notes *notes, struct sfab_err *err)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < *n; i++)
		if (load_input(&in[i], notes, err))
			return -1;
	/* *@n becomes the number of files of a known format; none is an error. */
	for (uint32_t k = 0; k < *n; k++)
		kept += in[k].reader != NULL;
	if (!kept)
		return fail_unknown_format(in, err);
	for (uint32_t k = kept = 0; k < *n; k++) {
		const struct reader_input known = in[k];

		if (!known.reader) {
			note_input(notes, &in[k], 1, in[k].t.size ? "unknown format: skipped" :
				   "empty: skipped");
			sfab_text_close(&in[k].t);
			continue;
		}
		in[k] = in[kept];	/* itself, or one that is closed */
		in[kept++] = known;
	}
	*n = kept;
	return 0;
}

/* Check that files bring topology and, unless the builder needs none, tables. */
static int check_brings(const struct reader_input *in, uint32_t n,
			const struct sfab_builder *b, struct sfab_err *err)
{
	unsigned lacking = SFAB_BRINGS_TOPOLOGY |
			   (sfab_builder_wants_tables(b) ? SFAB_BRINGS_TABLES : 0);
	const char *files = n == 1 ? "this file" : "these files";

	for (uint32_t i = 0; i < n; i++)
		lacking &= ~in[i].reader->brings;
	if (lacking & SFAB_BRINGS_TOPOLOGY)
		return sfab_fail(err, SFAB_EFORMAT, "%s: no topology in %s (expected also "
				 "e.g. output of ibnetdiscover, opensm-subnet.lst)",
				 in[0].t.name, files);
	if (lacking)
		return sfab_fail(err, SFAB_EFORMAT, "%s: no tables in %s (expected also "
				 "e.g. output of dump_fts, opensm-lfts.dump)", in[0].t.name,
				 files);
	return 0;
}

/* Find where the last table of the block begins.  0: nowhere after the first line. */
static size_t last_heading(const struct reader_input *in)
{
	const char *text = in->t.text + in->head, *end = in->t.text + in->t.size;

	for (;;) {
		end = memrchr(text, '\n', (size_t) (end - text));
		if (!end)
			return 0;
		for (unsigned i = 0; i < SFAB_SIGNS && in->reader->sign[i][0]; i++)
			if (strncmp(end + 1, in->reader->sign[i][0],
				    strlen(in->reader->sign[i][0])) == 0)
				return (size_t) (end + 1 - in->t.text);
	}
}

/*
 * Read until the block holds more than one table or all that is left.  Doubling keeps the
 * number of searches for a heading small where a table is huge.
 */
static int next_piece(struct reader_input *in, size_t *size, struct sfab_err *err)
{
	size_t want = in->t.size + PIECE_SIZE;

	for (;; want = 2 * want) {
		if (sfab_text_fill(&in->t, want, err) < 0)
			return -1;
		*size = in->t.is_complete ? in->t.size : last_heading(in);
		if (*size)
			return 0;
		if (want > WHOLE_MAX)
			return sfab_fail(err, SFAB_ELIMIT, "%s: no table ends in %zu bytes",
					 in->t.name, in->t.size);
	}
}

/*
 * Give the file to its reader, in one piece if it was read as a whole.  The reader sees each
 * piece as a whole text: it ends with NUL, which takes the place of the next table's first byte
 * for the moment.
 */
static int read_reader_input(struct sfab_reader_ctx *ctx, struct reader_input *in,
			     const struct sfab_import_notes *notes, struct sfab_err *err)
{
	int is_whole = in->t.is_complete, rc = 0, last = 0;

	ctx->file = in->t.name;
	ctx->lids = &in->lids;
	while (rc == 0 && !last) {
		size_t size = in->t.size;
		struct sfab_scan s;
		char next;

		if (!is_whole && next_piece(in, &size, err) < 0)
			return -1;
		last = in->t.is_complete;
		if (last && !is_whole && notes)
			drop_tail(in, notes);
		if (last)
			size = in->t.size;
		next = in->t.text[size];
		in->t.text[size] = '\0';
		sfab_scan_init(&s, in->t.name, in->t.text + in->head, size - in->head);
		s.line = in->skipped;
		rc = in->reader->read(ctx, &s, err);
		in->t.text[size] = next;
		sfab_text_drop(&in->t, size);
		in->head = 0;
		in->skipped = s.line;
	}
	return rc;
}

/* Read those of the files that bring @what, and free their text. */
static int read_part(struct sfab_reader_ctx *ctx, unsigned what,
		     struct reader_input *in, uint32_t n,
		     const struct sfab_import_notes *notes, struct sfab_err *err)
{
	char *remark = ctx->remark->text;
	uint32_t i;
	int rc;

	for (i = 0; i < n; i++) {
		*remark = '\0';
		if (!in[i].t.text || !(in[i].reader->brings & what))
			continue;
		rc = read_reader_input(ctx, &in[i], notes, err);
		sfab_text_close(&in[i].t);
		if (rc)
			return -1;
		if (notes && *remark)
			note_input(notes, &in[i], 0, remark);
	}
	return 0;
}

int sfab_reader_import(struct sfab_builder *b, uint32_t plane,
		       const char *const *files, uint32_t nfiles,
		       const struct sfab_namemap *map,
		       const struct sfab_import_notes *notes, struct sfab_err *err)
{
	struct sfab_remark remark;
	struct sfab_reader_ctx ctx = { .builder = b, .plane = plane, .map = map,
				       .remark = &remark };
	struct reader_input *in;
	uint32_t i, n = nfiles;
	int rc;

	if (nfiles == 0)
		return sfab_fail(err, SFAB_EINVAL, "no files to import");
	in = calloc(nfiles, sizeof(*in));
	if (!in)
		return sfab_no_memory(err);
	for (i = 0; i < nfiles; i++) {
		in[i].path = files[i];
		in[i].index = i;
	}
	rc = load_all(in, &n, notes, err);
	for (i = 0; i < n && !rc; i++)
		/* A file that has only cables and nodes has all links. */
		ctx.has_cables |= in[i].reader->brings == SFAB_BRINGS_TOPOLOGY;
	if (rc || check_brings(in, n, b, err) ||
	    read_part(&ctx, SFAB_BRINGS_TOPOLOGY, in, n, notes, err) ||
	    read_part(&ctx, SFAB_BRINGS_TABLES, in, n, notes, err) ||
	    read_part(&ctx, SFAB_BRINGS_FACTS, in, n, notes, err))
		rc = -1;
	sfab_builder_set_origin(b, NULL, 0);
	for (i = 0; i < nfiles; i++)
		sfab_text_close(&in[i].t);
	free(in);
	return rc;
}
