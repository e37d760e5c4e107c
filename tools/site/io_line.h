/* SPDX-License-Identifier: GPL-2.0-or-later */
/* io_line.h - IO servers that are in no IO set, and the IoSet line for them */
#ifndef SFAB_IO_LINE_H
#define SFAB_IO_LINE_H

#include "core/load/measured.h"
#include "io/conf/conf.h"
#include "tools/ui/json.h"

/*
 * Warn of servers in no IO set, with the line and what says so, and of hosts in doubt.
 * @conf has its nodes; @io: in use; @rate: [nlinks] as measured.  Both may be NULL.
 */
void warn_of_found_io(struct report *r, const struct sfab_conf *conf,
		      const struct sfab_fabric *f, const struct sfab_iosets *io,
		      const double *rate);

/* The same by the counters at @path (NULL: none), if they are there and of this fabric. */
void warn_of_counted_io(struct report *r, const struct sfab_conf *conf,
			const struct sfab_fabric *f, const struct sfab_iosets *io,
			const char *path);

#endif
