/* SPDX-License-Identifier: GPL-2.0-or-later */
/* audit_hints.h - what counters found, against hints of running jobs and tables */
#ifndef SFAB_AUDIT_HINTS_H
#define SFAB_AUDIT_HINTS_H

#include "core/audit/audit.h"

struct audit_hints {
	double followed;		/* of the traffic.snap, if it is of the snapshot; else -1 */
	uint32_t n;
	struct sfab_audit_hint *hint;	/* texts owned */
};

/*
 * Jobs of @found (a traffic.snap) that count, and whose last start in the decision log
 * @log took its traffic from a hint that sfab_found_differs() from it.  0 and no hints:
 * one of the files is not there.  -1 with *err: one cannot be read.
 */
int audit_hints_read(struct audit_hints *h, const char *found, const char *log,
		     uint64_t fingerprint, struct sfab_err *err);
void audit_hints_free(struct audit_hints *h);	/* twice is fine */

#endif
