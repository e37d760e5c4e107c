/* SPDX-License-Identifier: GPL-2.0-or-later */
/* io_line.h - IO servers that are in no IO set, and the IoSet line for them */
#ifndef SFAB_IO_LINE_H
#define SFAB_IO_LINE_H

#include "core/load/measured.h"
#include "io/conf/conf.h"
#include "tools/ui/json.h"

struct io_line_facts {		/* borrowed; NULL: not known */
	const struct sfab_conf *conf;	/* with its nodes */
	const struct sfab_fabric *f;
	const struct sfab_iosets *io;	/* in use */
	const double *rate;		/* [nlinks] */
};

/* Warn of servers in no IO set, with the line and what says so, and of hosts in doubt. */
void warn_of_found_io(struct report *r, const struct io_line_facts *facts);

/* The same by the counters at @path (NULL: none), if they are there and of this fabric. */
void warn_of_counted_io(struct report *r, const struct sfab_conf *conf,
			const struct sfab_fabric *f, const struct sfab_iosets *io,
			const char *path);

#endif
