/* SPDX-License-Identifier: GPL-2.0-or-later */
/* with_counters.h - counters.snap for the snapshot that a command works on */
#ifndef SFAB_WITH_COUNTERS_H
#define SFAB_WITH_COUNTERS_H

#include "core/err.h"
#include "core/load/measured.h"
#include "io/counters/counters.h"
#include "tools/site/site.h"
#include "tools/ui/json.h"

struct counted {
	struct sfab_counters *c;	/* NULL: there are none */
	struct sfab_measured *ms;	/* of the site's links; NULL as c */
};

/*
 * @path NULL: the conf's Counters; a missing file is then fine unless @must.
 * Warns about ports that the snapshot does not have.
 */
int counted_open(struct counted *k, const struct site *site, const char *path,
		 int must, struct report *r, struct sfab_err *err);
void counted_close(struct counted *k);		/* twice is fine */

#endif
