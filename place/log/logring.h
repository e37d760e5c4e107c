/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * logring.h - log lines from a thread that must not wait to a file
 *
 *     asking thread --push--> [ ring of bytes ] --> writer thread --> file
 *
 * One thread pushes and never waits: a line that does not fit is counted as lost.  The writer
 * reopens the file when it was rotated away or a write failed.  If a failed write left part of
 * a line, the next line starts on a new one.  Another thread (the loader) may change the file.
 */
#ifndef SFAB_PLACE_LOGRING_H
#define SFAB_PLACE_LOGRING_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "place/place.h"

struct sfab_logring;		/* opaque */

/* Start the writer of a ring of @size bytes.  @log (or NULL) hears of failed writes. */
struct sfab_logring *sfab_logring_start(size_t size, sfab_place_log_fn *log, struct sfab_err *err);
/* Write what is left, and end the thread; one that hangs is abandoned. */
void sfab_logring_stop(struct sfab_logring *r);		/* NULL is fine */

/*
 * Write to @path from now on; "": nowhere.  A new file has mode 0640.  Until the first call
 * lines wait in the ring.  Without memory the path stays as it was.
 */
void sfab_logring_file(struct sfab_logring *r, const char *path);

/* Add @line and a newline, or return -1 and count it as lost. */
int sfab_logring_push(struct sfab_logring *r, const char *line);
/* Return the number of lines lost so far. */
uint64_t sfab_logring_lost(const struct sfab_logring *r);

#endif
