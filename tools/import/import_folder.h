/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_folder.h - a folder as input: what ibdiagnet, OpenSM or UFM left in it
 *
 * A folder stands for its files.  If it has none of a known format, the files are in
 * a folder below it, such as the ibdiagnet.out that UFM writes.
 */
#ifndef SFAB_IMPORT_FOLDER_H
#define SFAB_IMPORT_FOLDER_H

#include <stdint.h>

#include "core/err.h"

struct import_files_found {
	uint32_t n;
	char **path;		/* by name */
};

/*
 * The regular files of @path, without hidden ones.  If none has a known format, those
 * of the one folder below it that has some.  SFAB_ENOENT: cannot be read, no files;
 * SFAB_EINVAL: several folders have some, and *err names them.
 */
int import_folder_find(const char *path, struct import_files_found *found,
		       struct sfab_err *err);
void import_folder_free(struct import_files_found *found);

#endif
