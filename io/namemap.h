/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * namemap.h - node-name map of infiniband-diags: lines `0xGUID "name"`
 *
 * '#' starts a comment.  Format: ibnetdiscover(8), "NODE NAME MAP FILE FORMAT".  Names without
 * quotes are accepted, and GUIDs as ibnetdiscover prints them ("H-0002c9...", "S-...").  A GUID
 * with two names is SFAB_EFORMAT.
 */
#ifndef SFAB_NAMEMAP_H
#define SFAB_NAMEMAP_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

struct sfab_namemap;		/* opaque */

/* Parse a map; errors name @file.  @text may be freed afterwards.  NULL with *err. */
struct sfab_namemap *sfab_namemap_parse(const char *text, size_t size,
					const char *file, struct sfab_err *err);
/* Read and parse the map in @path.  NULL with *err. */
struct sfab_namemap *sfab_namemap_load(const char *path, struct sfab_err *err);
void sfab_namemap_destroy(struct sfab_namemap *m);	/* NULL is fine */

/* Return the name of a node GUID, or @desc if the map (NULL: empty) lacks it.  O(log entries). */
const char *sfab_namemap_name(const struct sfab_namemap *m, uint64_t guid,
			      const char *desc);

#endif
