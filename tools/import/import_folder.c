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
static int list_entries(const char *path, int folders, struct sfab_names *found)
{
	struct dirent **entry;
	int n = scandir(path, &entry, is_listed, alphasort);

	*found = (struct sfab_names) { 0 };
	for (int i = 0; i < n; i++) {
		char *name = need_text("%s/%s", path, entry[i]->d_name);
		struct stat st;

		free(entry[i]);
		if ((folders ? lstat : stat)(name, &st) != 0 ||
		    !(folders ? S_ISDIR(st.st_mode) : S_ISREG(st.st_mode))) {
			free(name);
			continue;
		}
		found->name = need_more(found->name, found->n, sizeof(*found->name));
		found->name[found->n++] = name;
	}
	if (n >= 0)
		free(entry);
	return n < 0 ? -1 : 0;
}

/* A file that cannot be read is not known. */
static int has_known(const char *path)
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
 * All folders below @path, up to @depth, that have files of a known format.  A
 * folder that has such files is not searched further.
 */
static void find_known(const char *path, unsigned depth, struct sfab_names *out)
{
	struct sfab_names below;

	list_entries(path, 1, &below);
	for (uint32_t i = 0; i < below.n; i++) {
		if (has_known(below.name[i])) {
			out->name = need_more(out->name, out->n, sizeof(*out->name));
			out->name[out->n++] = need_copy(below.name[i]);
		} else if (depth) {
			find_known(below.name[i], depth - 1, out);
		}
	}
	sfab_names_free(&below);
}

int import_folder_find(const char *path, struct sfab_names *found,
		       struct sfab_err *err)
{
	struct sfab_names known = { 0 };
	int rc = 0;

	if (list_entries(path, 0, found) != 0)
		return sfab_fail(err, SFAB_ENOENT, "%s: %s", path, strerror(errno));
	if (!has_known(path))
		find_known(path, DEPTH_MOST - 1, &known);
	if (known.n == 1) {
		sfab_names_free(found);
		list_entries(known.name[0], 0, found);
	} else if (known.n > 1) {
		rc = sfab_fail(err, SFAB_EINVAL, "%s: %u folders in it have files of "
			       "a fabric (expected one of them, for example %s or %s)",
			       path, (unsigned) known.n, known.name[0], known.name[1]);
	}
	if (rc == 0 && !found->n)
		rc = sfab_fail(err, SFAB_ENOENT, "%s: no files in this folder", path);
	if (rc != 0)
		sfab_names_free(found);
	sfab_names_free(&known);
	return rc;
}
