/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measured.h - counters of ports -> numbers of the links of a fabric
 *
 * A link leaves one port and enters another.  What left the one was sent over
 * it; packets that came damaged are counted where it enters.
 */
#ifndef SFAB_MEASURED_H
#define SFAB_MEASURED_H

#include <stdint.h>

#include "../core/audit.h"
#include "../core/err.h"
#include "../core/fabric.h"
#include "../io/counters.h"
#include "site.h"

struct measured {
	uint32_t nlinks;
	uint32_t known;		/* links with a rate */
	double *bytes;		/* by link: bytes/s; 0 if unknown */
	double *wait_share;	/* 0..1; 0 if unknown */
	struct sfab_link_events *events;
	uint64_t time;		/* seconds since 1970 */
};

/*
 * @path NULL: Counters of the conf.  -1 with *err: no such file, damaged, or
 * not one of its ports is in this fabric (SFAB_ESTALE).
 */
int measured_read(struct measured *m, const char *path, const struct site *site,
		  struct sfab_err *err);
void measured_free(struct measured *m);		/* twice is fine */

#endif
