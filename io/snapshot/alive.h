/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alive.h - fabric.alive: a source's word that a snapshot still holds
 *
 * A quiet fabric sends no news for weeks, so the age of a snapshot counts from
 * the last time its source (OpenSM's plugin, sfabric collect) wrote this file
 * beside it:
 *
 *     sfabric-alive 1
 *     fingerprint 0x0123456789abcdef
 *     sm 0x0002c90300a1b2c3
 *     time 1700000000
 *
 * Lines in this order.  After them may stand, in any order,
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
	uint64_t fingerprint;	/* of the snapshot that holds */
	uint64_t sm_guid;	/* 0: unknown */
	uint64_t time;		/* seconds since 1970 */
	uint64_t since;		/* when that SM became master, 0: unknown */
	uint64_t standby;	/* 1: it is a standby, its word confirms nothing */
};

/* @text of @size bytes with a NUL after them.  SFAB_EFORMAT with FILE:LINE. */
int sfab_alive_parse(const char *text, size_t size, const char *file,
		     struct sfab_alive *a, struct sfab_err *err);
int sfab_alive_load(const char *path, const struct sfab_trust *trust,
		    struct sfab_alive *a, struct sfab_err *err);
/* Replaces the file as sfab_file_write() does. */
int sfab_alive_save(const struct sfab_alive *a, const char *path, unsigned mode,
		    struct sfab_err *err);

/*
 * Where it is: @given unless that is NULL or "", else fabric.alive in the
 * folder of @snapshot.  Writes into @buf and returns it.
 */
const char *sfab_alive_path(const char *given, const char *snapshot, char *buf,
			    size_t size);

#endif
