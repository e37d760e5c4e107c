/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_receive.c - `sfabric receive`: files of another machine's collector, from standard input
 * to where slurmctld looks for them
 *
 * The input is one or more of fabric.snap, counters.snap and fabric.alive, concatenated.  All
 * of it is verified before anything is written.
 *
 * Why not scp: a file that is cut or of the wrong kind must not replace a good one, and
 * slurmctld must never read half of one.  sshd can be told to run this command and no other for
 * a key.  The files say themselves what they are, so they need no names.
 */

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/counters/counters.h"
#include "io/snapshot/alive.h"
#include "io/snapshot/snapshot.h"
#include "io/snapshot/snapshot_format.h"
#include "tools/cmd/cmd.h"
#include "tools/collect/collector.h"
#include "tools/site/site.h"
#include "tools/ui/answer.h"
#include "tools/ui/xalloc.h"

#define MODE 0644	/* slurmctld may run as another user */
#define INPUT "standard input"
/* whoever may write here shall not fill the memory */
#define INPUT_MAX ((size_t) 1 << 30)
#define PARTS_MAX 8	/* three are usual */

struct receive {
	struct options options;
	const char *folder;
};

/* One file in the input. */
struct received_part {
	const uint8_t *p;
	size_t size;
	const char *path;
};

static const struct option_row rows[] = {
	{ "output", "FOLDER", 1, "Write the files to this folder (default: Snapshot, Counters "
	  "and Alive of sfabric.conf)", KEEP_TEXT, .offset = offsetof(struct receive, folder) },
	{ "conf", "FILE", 1, "Use this sfabric.conf (default: the one beside slurm.conf)",
	  KEEP_TEXT, .offset = offsetof(struct receive, options.conf) },
	{ 0 }
};

static const struct option_group groups[] = { { options_common, .order = 2 }, { 0 } };

static const struct command_line usage = {
	.options = rows, .groups = groups, .common = offsetof(struct receive, options),
	.args = "",
	.doc = "Read fabric.snap, counters.snap and fabric.alive from standard input, verify "
	       "them, and put them where slurmctld reads them.",
};

/* Read all of standard input, and add a NUL, which parsers of text want.  NULL with *err. */
static char *read_standard_input(size_t *size, struct sfab_err *err)
{
	char block[1 << 16], *text = NULL;
	FILE *out = xnonnull(open_memstream(&text, size));
	size_t n, free_size = INPUT_MAX;

	while (free_size && (n = fread(block, 1, sizeof(block), stdin)) > 0) {
		fwrite(block, 1, n, out);
		free_size -= n < free_size ? n : free_size;
	}
	xnonnull(fclose(out) == 0 ? text : NULL);
	if (free_size && !ferror(stdin))
		return text;
	sfab_fail(err, SFAB_EIO, INPUT ": %s", free_size ? strerror(errno) : "more than 1 GiB");
	free(text);
	return NULL;
}

/* Decode the snapshot, which checks the hash and all that the plugin would check. */
static int verify_snapshot(const struct received_part *part, struct sfab_err *err)
{
	struct sfab_snapshot *s = sfab_snapshot_decode(part->p, part->size, err);

	sfab_snapshot_destroy(s);
	return s ? 0 : -1;
}

static int verify_counters(const struct received_part *part, struct sfab_err *err)
{
	struct sfab_counters *c = sfab_counters_decode(part->p, part->size, err);

	sfab_counters_destroy(c);
	return c ? 0 : -1;
}

/*
 * Check fabric.alive, which is the text to the end.  It has no size in front, so it must be the
 * last.  It is refused if it confirms less than the current one: an older one could arrive late
 * and make a fabric look unwatched.
 */
static int verify_alive(const struct received_part *part, struct sfab_err *err)
{
	struct sfab_alive received, current;

	if (sfab_alive_parse((const char *) part->p, part->size, SFAB_ALIVE_NAME, &received,
			     err) < 0)
		return -1;
	if (sfab_alive_load(part->path, NULL, &current, NULL) == 0 &&
	    current.time > received.time)
		return sfab_fail(err, SFAB_ESTALE, "confirmed at %" PRIu64
				 ", %s already at %" PRIu64, received.time,
				 part->path, current.time);
	return 0;
}

/* By the first bytes of a file. */
static const struct {
	const char *magic, *name;
	size_t path;			/* in struct collect_paths */
	sfab_file_size_fn *size;	/* NULL: to the end */
	int (*verify)(const struct received_part *part, struct sfab_err *err);
} kinds[] = {
	{ SFAB_SNAPSHOT_MAGIC, "fabric.snap", offsetof(struct collect_paths, snapshot),
	  sfab_snapshot_size, verify_snapshot },
	{ SFAB_COUNTERS_MAGIC, SFAB_COUNTERS_NAME, offsetof(struct collect_paths, counters),
	  sfab_counters_size, verify_counters },
	{ "sfabric-alive ", SFAB_ALIVE_NAME, offsetof(struct collect_paths, alive),
	  NULL, verify_alive },
};
#define NKINDS (sizeof(kinds) / sizeof(kinds[0]))

/*
 * Check the file that begins at @p, of which @size bytes remain, and fill @part.  Parts follow
 * each other without a separator: their headers tell their sizes.  Of one that is cut the
 * decoder says what is missing.
 */
static int verify_part(const struct collect_paths *paths, const uint8_t *p, size_t size,
		       struct received_part *part, struct sfab_err *err)
{
	for (size_t k = 0; k < NKINDS; k++) {
		size_t n = strlen(kinds[k].magic);
		uint64_t declared;

		if (size < n || memcmp(p, kinds[k].magic, n) != 0)
			continue;
		declared = kinds[k].size ? kinds[k].size(p, size, err) : size;
		part->p = p;
		part->size = declared < size ? (size_t) declared : size;
		part->path = (const char *) paths + kinds[k].path;
		if (declared && kinds[k].verify(part, err) == 0)
			return 0;
		return sfab_fail_prefix(err, INPUT ", %s", kinds[k].name);
	}
	return sfab_fail(err, SFAB_EFORMAT, INPUT ": neither a snapshot nor "
			 "counters nor fabric.alive");
}

/* Check all files and return their number; -1 with *err if one is not valid. */
static int verify_all(const struct collect_paths *paths, const uint8_t *buf, size_t size,
		      struct received_part *part, struct sfab_err *err)
{
	size_t offset = 0;
	int n = 0;

	do {
		if (n == PARTS_MAX)
			return sfab_fail(err, SFAB_ELIMIT, INPUT ": more than %d"
					 " files", PARTS_MAX);
		if (verify_part(paths, buf + offset, size - offset, &part[n], err) < 0)
			return -1;
		offset += part[n++].size;
	} while (offset < size);
	return n;
}

/*
 * Verify all of the input, then write the files.  After a write that fails those before it are
 * new, and the others are the old ones.
 */
static int run_receive(void *ctx, struct answer *a, struct sfab_err *err)
{
	struct receive *r = ctx;
	struct sfab_conf *conf = site_conf(&r->options, err);
	struct received_part part[PARTS_MAX];
	struct collect_paths paths;
	size_t size = 0;
	char *text = conf ? read_standard_input(&size, err) : NULL;
	int n = -1, rc = 0;

	if (text) {
		collect_paths_find(&paths, r->folder, conf);
		n = verify_all(&paths, (const uint8_t *) text, size, part, err);
	}
	/* Each file is replaced as a whole, in the order of the input. */
	for (int i = 0; rc == 0 && i < n; i++)
		rc = sfab_file_write(part[i].path, part[i].p, part[i].size, MODE,
				     err);
	free(text);
	sfab_conf_destroy(conf);
	return n < 0 || rc < 0 ? -1 : STATUS_FINE;
}

int cmd_receive(int argc, char **argv)
{
	struct receive r = { 0 };

	options_parse(&usage, argc, argv, &r);
	return answer_run("receive", &r.options, run_receive, &r);
}
