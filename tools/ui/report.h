/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h - the envelope of every --json answer
 *
 *   {"meta": {"schema","command","version","fabric","epoch","fingerprint",
 *             "engine","policy","seed","steps"},
 *    "data": {}, "warnings": [], "errors": []}
 *
 * Members of meta that do not apply to a command are null.  The schemas are
 * doc/schema/COMMAND.json.
 */
#ifndef SFAB_REPORT_H
#define SFAB_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include "core/err.h"
#include "io/snapshot/snapshot.h"

#define REPORT_SCHEMA 1		/* raised when a field is removed or changes */

struct report {
	struct json_object *root, *meta, *data, *warnings, *errors;
	int is_quiet;			/* warnings are not printed */
};

/* An envelope without data; @command is in meta. */
void report_init(struct report *r, const char *command);
void report_free(struct report *r);		/* twice is fine */

/* Fill in fabric, epoch, fingerprint and engine. */
void report_snapshot(struct report *r, const struct sfab_snapshot *s);

/* Fill in policy, seed and steps of a search. */
void report_search(struct report *r, const char *policy, uint64_t seed,
		   uint32_t steps);

/* Adds to the list; say() also prints it, unless quiet. */
void report_warning(struct report *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void report_error(struct report *r, const struct sfab_err *err);

/* The whole envelope, indented, and a newline. */
void report_print(const struct report *r, FILE *out);

#endif
