/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reply.h - the envelope of every --json answer
 *
 *   {"meta": {"schema","command","version","fabric","epoch","fingerprint",
 *             "engine","policy","seed","steps"},
 *    "data": {}, "warnings": [], "errors": []}
 *
 * Members of meta that do not apply to a command are null.  The schemas are
 * doc/schema/COMMAND.json.
 */
#ifndef SFAB_REPLY_H
#define SFAB_REPLY_H

#include <stdint.h>
#include <stdio.h>

#include "core/err.h"
#include "io/snapshot/snapshot.h"

#define REPLY_SCHEMA 1		/* raised when a field is removed or changes */

struct reply {
	struct json_object *root, *meta, *data, *warnings, *errors;
	int is_quiet;			/* warnings are not printed */
};

/* An envelope without data; @command is in meta. */
void reply_init(struct reply *r, const char *command);
void reply_free(struct reply *r);		/* twice is fine */

/* Fill in fabric, epoch, fingerprint and engine. */
void reply_snapshot(struct reply *r, const struct sfab_snapshot *s);

/* Fill in policy, seed and steps of a search. */
void reply_search(struct reply *r, const char *policy, uint64_t seed, uint32_t steps);

/* Add a warning or an error.  say() also prints it; a warning only unless is_quiet. */
void reply_warning(struct reply *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void reply_error(struct reply *r, const struct sfab_err *err);

/* The whole envelope, indented, and a newline. */
void reply_print(const struct reply *r, FILE *out);

#endif
