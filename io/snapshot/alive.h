/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alive.h - fabric.alive: confirms that a snapshot is still valid
 *
 * A quiet fabric does not change for weeks.  The age of a snapshot is therefore counted from
 * the last time that its source (OpenSM's plugin, sfabric collect) wrote this file next to it:
 *
 *     sfabric-alive 1
 *     fingerprint 0x0123456789abcdef
 *     sm 0x0002c90300a1b2c3
 *     time 1700000000
 *
 * These lines come in this order.  After them may follow, in any order,
 *
 *     since 1699990000
 *     standby 1
 *
 * and lines of later versions.
 */
#ifndef SFAB_ALIVE_H
#define SFAB_ALIVE_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "io/file.h"

#define SFAB_ALIVE_NAME "fabric.alive"
#define SFAB_ALIVE_MAX 4096	/* bytes in the file */

struct sfab_alive {
	uint64_t fingerprint;	/* of the snapshot that is confirmed */
	uint64_t sm_guid;	/* 0: unknown */
	uint64_t time;		/* of the confirmation, seconds since 1970 */
	uint64_t since;		/* when that SM became master, 0: unknown */
	uint64_t standby;	/* 1: written by a standby, confirms nothing */
};

/* Parse @size bytes at @text, with a NUL after them.  -1 with *err: SFAB_EFORMAT. */
int sfab_alive_parse(const char *text, size_t size, const char *file,
		     struct sfab_alive *a, struct sfab_err *err);
/* Read and parse @path.  -1 with *err; SFAB_ENOENT: no such file. */
int sfab_alive_load(const char *path, const struct sfab_trust *trust,
		    struct sfab_alive *a, struct sfab_err *err);
/* Replace @path, as sfab_file_write() does. */
int sfab_alive_save(const struct sfab_alive *a, const char *path, unsigned mode,
		    struct sfab_err *err);

/*
 * Write the path of the file to @buf, and return it: @given, or if that is NULL or "",
 * fabric.alive in the folder of @snapshot.
 */
const char *sfab_alive_path(const char *given, const char *snapshot, char *buf,
			    size_t size);

#endif
