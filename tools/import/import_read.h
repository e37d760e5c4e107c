/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_read.h - the files that `sfabric import` was given, and the fabric in them
 *
 * Files are grouped in planes: those before the first --plane (or all) are one plane,
 * those after each --plane NAME another.
 */
#ifndef SFAB_IMPORT_READ_H
#define SFAB_IMPORT_READ_H

#include <stdint.h>

#include "core/err.h"
#include "core/fabric/fabric.h"
#include "io/namemap.h"
#include "tools/ui/json.h"

#define IMPORT_PLANES_MAX 32

struct import_plane {
	const char *name, *engine;	/* "": none */
	char **file;			/* those that are left out go when they are read */
	uint8_t *in_folder;		/* by file */
	uint32_t nfiles;
	char *skipped;			/* names of files of folders; NULL: none */
	uint32_t nskipped;
};

struct import_planes {
	uint32_t n;
	struct import_plane plane[IMPORT_PLANES_MAX];
};

/*
 * Read all files.  @flags: SFAB_BUILD_*.  @map may be NULL.  A file that is left out
 * is a warning in @r, and goes from @planes.  NULL with *err.
 */
struct sfab_fabric *import_read(struct import_planes *planes, unsigned flags,
				const struct sfab_namemap *map, struct report *r,
				struct sfab_err *err);

/* The lists of files, not @planes itself. */
void import_planes_free(struct import_planes *planes);

#endif
