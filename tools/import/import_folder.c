/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_folder.c - the files of a folder; see import.h
 *
 * Formats are recognized by the first bytes of each file, never by its name:
 * sites rename dumps.  Nothing is read here beyond that.
 */

#include "tools/import/import.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/readers/reader.h"
#include "tools/ui/say.h"

#define DEPTH_MOST 6	/* folders below the one that was given */

static int is_listed(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/*
 * Regular files, or folders, of @path by name; -1: it cannot be read.  Links to
 * files are followed, links to folders are not: they could lead in a circle.
 */
static int list_entries(const char *path, int folders, struct import_files_found *found)
{
	struct dirent **entry;
	int n = scandir(path, &entry, is_listed, alphasort);

	*found = (struct import_files_found) { 0, NULL };
	for (int i = 0; i < n; i++) {
		char *name = need_text("%s/%s", path, entry[i]->d_name);
		struct stat st;

		free(entry[i]);
		if ((folders ? lstat : stat)(name, &st) != 0 ||
		    !(folders ? S_ISDIR(st.st_mode) : S_ISREG(st.st_mode))) {
			free(name);
			continue;
		}
		found->path = need_more(found->path, found->n, sizeof(*found->path));
		found->path[found->n++] = name;
	}
	if (n >= 0)
		free(entry);
	return n < 0 ? -1 : 0;
}

void import_folder_free(struct import_files_found *found)
{
	for (uint32_t i = 0; i < found->n; i++)
		free(found->path[i]);
	free(found->path);
	*found = (struct import_files_found) { 0, NULL };
}

/* A file that cannot be read is not known. */
static int has_known(const char *path)
{
	const struct sfab_reader *reader;
	struct import_files_found files;
	int known = 0;

	list_entries(path, 0, &files);
	for (uint32_t i = 0; i < files.n && !known; i++)
		known = sfab_reader_detect_file(files.path[i], &reader, NULL) == 0 && reader;
	import_folder_free(&files);
	return known;
}

/*
 * All folders below @path, up to @depth, that have files of a known format.  A
 * folder that has such files is not searched further.
 */
static void find_known(const char *path, unsigned depth, struct import_files_found *out)
{
	struct import_files_found below;

	list_entries(path, 1, &below);
	for (uint32_t i = 0; i < below.n; i++) {
		if (has_known(below.path[i])) {
			out->path = need_more(out->path, out->n, sizeof(*out->path));
			out->path[out->n++] = need_copy(below.path[i]);
		} else if (depth) {
			find_known(below.path[i], depth - 1, out);
		}
	}
	import_folder_free(&below);
}

int import_folder_find(const char *path, struct import_files_found *found,
		       struct sfab_err *err)
{
	struct import_files_found known = { 0, NULL };
	int rc = 0;

	if (list_entries(path, 0, found) != 0)
		return sfab_fail(err, SFAB_ENOENT, "%s: %s", path, strerror(errno));
	if (!has_known(path))
		find_known(path, DEPTH_MOST - 1, &known);
	if (known.n == 1) {
		import_folder_free(found);
		list_entries(known.path[0], 0, found);
	} else if (known.n > 1) {
		rc = sfab_fail(err, SFAB_EINVAL, "%s: %u folders in it have files of "
			       "a fabric (expected one of them, for example %s or %s)",
			       path, (unsigned) known.n, known.path[0], known.path[1]);
	}
	if (rc == 0 && !found->n)
		rc = sfab_fail(err, SFAB_ENOENT, "%s: no files in this folder", path);
	if (rc != 0)
		import_folder_free(found);
	import_folder_free(&known);
	return rc;
}
