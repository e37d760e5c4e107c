/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_counters.h - `sfabric import --counters`: files to counters.snap */
#ifndef SFAB_IMPORT_COUNTERS_H
#define SFAB_IMPORT_COUNTERS_H

#include <stdint.h>

#include "core/err.h"
#include "core/fabric/fabric.h"
#include "tools/ui/answer.h"

struct import_files {
	const char **file;
	uint32_t n;
};

/*
 * What the files report for ports of @f, written to @path.  Rates are
 * differences to the counters that @path has held so far.  Warns about ports
 * without a link, that were reset, and that are no longer in the files.
 */
int import_counters(const char *path, const struct import_files *files,
		    const struct sfab_fabric *f, struct answer *a,
		    struct sfab_err *err);

#endif
