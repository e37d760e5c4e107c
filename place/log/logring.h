/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * logring.h - lines from a thread that must not wait to a file
 *
 *     asking thread --push--> [ ring of bytes ] --> writer thread --> file
 *
 * One thread pushes, without waiting: a line that finds no room is counted as
 * lost.  The writer opens the file anew when it was rotated away, or was not to
 * be written; where that ends within a line a new one begins.  Another thread (the loader) may change the file.
 */
#ifndef SFAB_PLACE_LOGRING_H
#define SFAB_PLACE_LOGRING_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "place/place.h"

struct sfab_logring;		/* opaque */

/* @size bytes of room.  @log (or NULL) gets a line when writing fails. */
struct sfab_logring *sfab_logring_start(size_t size, sfab_place_log *log,
					struct sfab_err *err);
/* Writes what is there, ends the thread.  A hanging one is left alone. */
void sfab_logring_stop(struct sfab_logring *r);		/* NULL is fine */

/* Write to @path from now on; NULL or "": nowhere.  Made with mode 0640. */
void sfab_logring_file(struct sfab_logring *r, const char *path);

/* Add @line and a newline, or nothing: -1, and it counts as lost. */
int sfab_logring_push(struct sfab_logring *r, const char *line);
uint64_t sfab_logring_lost(const struct sfab_logring *r);

#endif
