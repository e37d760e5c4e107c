/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_io.h - the IO sets that `sfabric import` puts into a snapshot */
#ifndef SFAB_IMPORT_IO_H
#define SFAB_IMPORT_IO_H

#include "core/err.h"
#include "core/fabric/fabric.h"
#include "core/load/ioset.h"
#include "io/conf/conf.h"
#include "tools/ui/answer.h"

struct import_io {		/* --io */
	const char *hosts;	/* hostlist; NULL: the sets of sfabric.conf */
	double capacity;	/* bytes/s per host, 0: port rate */
	int held;		/* servers that are full delay writes */
};

/*
 * Servers that are not in the fabric, or without a cable, are left out with a
 * warning.  NULL with *err if a set has none left.
 */
struct sfab_iosets *import_iosets(const struct import_io *o,
				  const struct sfab_conf *conf,
				  const struct sfab_fabric *f, struct report *r,
				  struct sfab_err *err);

#endif
