/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_read.c - files of planes to a fabric; see import.h
 *
 * Formats are recognized by the first bytes of each file, never by its name: sites rename
 * dumps.
 */

#include "tools/import/import.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/fabric/builder.h"
#include "io/hostlist.h"
#include "io/readers/reader.h"
#include "tools/ui/say.h"
#include "tools/ui/xalloc.h"

#define DEPTH_MAX 6		/* folders below the one that was given */
#define SKIPPED_NAMED 4		/* files of folders in a warning */
#define LARGE_INPUT (32 << 20)	/* bytes; less is read in a moment */

/* -- which files ------------------------------------------------------------- */

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/*
 * List the regular files, or the folders, in @path, sorted by name; -1: it cannot be read.
 * Links to files are followed, links to folders are not: they could lead in a circle.
 */
static int list_entries(const char *path, int folders, struct sfab_names *found)
{
	struct dirent **entry;
	int n = scandir(path, &entry, is_visible, alphasort);

	*found = (struct sfab_names) { 0 };
	for (int i = 0; i < n; i++) {
		char *name = xstrfmt("%s/%s", path, entry[i]->d_name);
		struct stat st;

		free(entry[i]);
		if ((folders ? lstat : stat)(name, &st) != 0 ||
		    !(folders ? S_ISDIR(st.st_mode) : S_ISREG(st.st_mode))) {
			free(name);
			continue;
		}
		found->name = xgrow(found->name, found->n, sizeof(*found->name));
		found->name[found->n++] = name;
	}
	if (n >= 0)
		free(entry);
	return n < 0 ? -1 : 0;
}

/* Does the folder have a file in a format that we know? */
static int has_known_format(const char *path)
{
	const struct sfab_reader *reader;
	struct sfab_names files;
	int known = 0;

	list_entries(path, 0, &files);
	for (uint32_t i = 0; i < files.n && !known; i++)
		known = sfab_reader_detect_file(files.name[i], &reader, NULL) == 0 && reader;
	sfab_names_free(&files);
	return known;
}

/*
 * Find all folders below @path, up to @depth, that have files of a known format.  A folder that
 * has such files is not searched further.
 */
static void find_known_folders(const char *path, unsigned depth, struct sfab_names *found)
{
	struct sfab_names folders;

	list_entries(path, 1, &folders);
	for (uint32_t i = 0; i < folders.n; i++) {
		if (has_known_format(folders.name[i])) {
			found->name = xgrow(found->name, found->n, sizeof(*found->name));
			found->name[found->n++] = xstrdup(folders.name[i]);
		} else if (depth) {
			find_known_folders(folders.name[i], depth - 1, found);
		}
	}
	sfab_names_free(&folders);
}

/*
 * List the files for which a folder stands: those that ibdiagnet, OpenSM or UFM wrote.  @found
 * gets the paths of the regular files of @path by name, without hidden ones; sfab_names_free()
 * frees them.  If none has a known format, those of the one folder below it that has some, such
 * as the ibdiagnet.out that UFM writes.
 */
static int find_in_folder(const char *path, struct sfab_names *found, struct sfab_err *err)
{
	struct sfab_names folders = { 0 };
	int rc = 0;

	if (list_entries(path, 0, found) != 0)
		return sfab_fail(err, SFAB_ENOENT, "%s: %s", path, strerror(errno));
	if (!has_known_format(path))
		find_known_folders(path, DEPTH_MAX - 1, &folders);
	if (folders.n == 1) {
		sfab_names_free(found);
		list_entries(folders.name[0], 0, found);
	} else if (folders.n > 1) {
		rc = sfab_fail(err, SFAB_EINVAL, "%s: %u folders in it have files of "
			       "a fabric (expected one of them, for example %s or %s)",
			       path, (unsigned) folders.n, folders.name[0], folders.name[1]);
	}
	if (rc == 0 && !found->n)
		rc = sfab_fail(err, SFAB_ENOENT, "%s: no files in this folder", path);
	if (rc != 0)
		sfab_names_free(found);
	sfab_names_free(&folders);
	return rc;
}

/* Add a file to the plane.  @in_folder: 1 if it was found in a folder that the user gave. */
static void add_file(struct import_plane *p, const char *path, int in_folder)
{
	p->file = xgrow(p->file, p->nfiles, sizeof(*p->file));
	p->in_folder = xgrow(p->in_folder, p->nfiles, sizeof(*p->in_folder));
	p->in_folder[p->nfiles] = (uint8_t) in_folder;
	p->file[p->nfiles++] = xstrdup(path);
}

int import_plane_add(struct import_plane *p, const char *path, struct sfab_err *err)
{
	struct sfab_names found;
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) {
		add_file(p, path, 0);
		return 0;
	}
	if (find_in_folder(path, &found, err) != 0)
		return -1;
	for (uint32_t i = 0; i < found.n; i++)
		add_file(p, found.name[i], 1);
	sfab_names_free(&found);
	return 0;
}

/* -- the fabric in them ------------------------------------------------------ */

struct warning_target {
	struct reply *reply;
	struct import_plane *plane;
};

/*
 * Warn of a file, and free its name if it is left out.  A folder has files for other programs
 * too: these have one warning for all of them.
 */
static void note_file_warning(void *ctx, uint32_t file, int left_out, const char *text)
{
	struct warning_target *target = ctx;
	struct import_plane *p = target->plane;
	char *path = p->file[file];

	if (!left_out || !p->in_folder[file])
		reply_warning(target->reply, "%s: %s", path, text);
	else if (p->nskipped++ < SKIPPED_NAMED)
		xjoin(&p->skipped, ", ", "%s", path);
	if (!left_out)
		return;
	free(path);
	p->file[file] = NULL;
}

/*
 * Read the files of all planes.  Those that were left out are not named in the snapshot's
 * source.
 */
static int read_planes(struct import_planes *planes, struct sfab_builder *b,
		       const struct sfab_namemap *map, struct reply *r, struct sfab_err *err)
{
	for (uint32_t i = 0; i < planes->n; i++) {
		struct import_plane *p = &planes->plane[i];
		struct warning_target target = { r, p };
		const struct sfab_import_notes notes = { note_file_warning, &target };
		int plane = sfab_builder_add_plane(b, p->name, err), rc;
		uint32_t kept = 0;

		if (plane < 0)
			return -1;
		rc = sfab_reader_import(b, (uint32_t) plane, (const char *const *) p->file,
					p->nfiles, map, &notes, err);
		for (uint32_t k = 0; k < p->nfiles; k++)
			if (p->file[k])
				p->file[kept++] = p->file[k];
		p->nfiles = kept;
		if (p->nskipped > SKIPPED_NAMED)
			xjoin(&p->skipped, "", " and %u more",
			      p->nskipped - SKIPPED_NAMED);
		if (p->nskipped)
			reply_warning(r, "skipped, empty or of unknown format: %s",
				      p->skipped);
		if (rc != 0)
			return -1;
		if (*p->engine)		/* has priority over a log */
			sfab_builder_set_engine(b, (uint32_t) plane, p->engine);
	}
	return 0;
}

/*
 * Set the source to the files that were read.  Dumps say no time themselves, so the time of the
 * snapshot is that of its newest file.
 */
static void set_source(struct sfab_builder *b, const struct import_planes *planes)
{
	char *source = xstrdup("");
	uint64_t time = 0;

	for (uint32_t i = 0; i < planes->n; i++)
		for (uint32_t k = 0; k < planes->plane[i].nfiles; k++) {
			const char *file = planes->plane[i].file[k];
			struct stat st;

			xjoin(&source, " ", "%s", basename(file));
			if (stat(file, &st) == 0 && (uint64_t) st.st_mtime > time)
				time = (uint64_t) st.st_mtime;
		}
	sfab_builder_set_source(b, source);
	sfab_builder_set_time(b, time);
	free(source);
}

struct sfab_fabric *import_read(struct import_planes *planes, unsigned flags,
				const struct sfab_namemap *map, struct reply *r,
				struct sfab_err *err)
{
	struct sfab_builder *b = sfab_builder_create(flags);
	struct sfab_fabric *f = NULL;
	uint64_t bytes = 0;
	struct stat st;

	for (uint32_t i = 0; i < planes->n; i++)
		for (uint32_t k = 0; k < planes->plane[i].nfiles; k++)
			if (stat(planes->plane[i].file[k], &st) == 0)
				bytes += (uint64_t) st.st_size;
	if (bytes >= LARGE_INPUT)
		say_progress("reading %llu MB", (unsigned long long) (bytes >> 20));
	if (!b) {
		sfab_no_memory(err);
	} else if (read_planes(planes, b, map, r, err) == 0) {
		set_source(b, planes);
		f = sfab_builder_freeze(b, err);
	}
	say_progress_done();
	if (f && sfab_builder_forgotten(b))
		reply_warning(r, "%llu table entries are left out: no port has their LIDs",
			      (unsigned long long) sfab_builder_forgotten(b));
	sfab_builder_destroy(b);
	return f;
}

void import_planes_free(struct import_planes *planes)
{
	for (uint32_t i = 0; i < planes->n; i++) {
		struct import_plane *p = &planes->plane[i];

		for (uint32_t k = 0; k < p->nfiles; k++)
			free(p->file[k]);
		free(p->file);
		free(p->in_folder);
		free(p->skipped);
	}
}
