/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * answer.h - do a command's work and print its answer, as text or as JSON
 *
 * The work fills the reply or prints text, whichever was requested.  Errors, files and exit
 * codes are handled in the same way for all commands: an error is a line on standard error and,
 * with --json, also an envelope with "errors"; no output file is written.
 */
#ifndef SFAB_ANSWER_H
#define SFAB_ANSWER_H

#include "core/err.h"
#include "tools/ui/json.h"
#include "tools/ui/options.h"
#include "tools/ui/output.h"
#include "tools/ui/reply.h"
#include "tools/ui/status.h"
#include "tools/ui/table.h"

struct answer {
	const struct options *options;
	struct reply reply;
	struct output out;
};

/* Return a status, or -1 with *err. */
typedef int (*answer_fn)(void *ctx, struct answer *a, struct sfab_err *err);

/* Return the exit status of the command. */
int answer_run(const char *command, const struct options *o, answer_fn work, void *ctx);

/*
 * Print @t, or add it to the reply as data.@key.  The table is consumed.  Return STATUS_FINE or
 * -1.
 */
int answer_table(struct answer *a, const char *key, struct table *t, struct sfab_err *err);

#endif
