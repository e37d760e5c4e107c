/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow.h - the service: each new counters.snap becomes a sample
 *
 * An error is reported once, until it changes or ends; the files of the last good sample stay.
 */
#ifndef SFAB_FOLLOW_H
#define SFAB_FOLLOW_H

#include <signal.h>

#include "core/err.h"
#include "tools/learn/learn_jobs.h"
#include "tools/site/site.h"

struct follow_options {
	const struct options *options;	/* snapshot, conf, jobs */
	/* Paths; NULL: the conf's. */
	const char *counters, *history, *traffic;
	int hides_names;		/* 1: the history keeps hashes in place of names */
};

/* Return the path of the history: --history, else the conf's. */
const char *follow_history_path(const struct follow_options *o, const struct sfab_conf *conf);

/*
 * Load the history of the fabric of @site.  If the file is missing, the history is empty.  A
 * file that cannot be read, or that is of another fabric, is renamed with a message, and the
 * history is empty.  NULL with *err: it cannot be renamed.
 */
struct sfab_history *follow_history(const struct follow_options *o, const struct site *site,
				    struct sfab_err *err);

/*
 * Take one sample of the current counters.  -1 with *err: there are none, they are old, or the
 * running jobs are not known.
 */
int follow_once(struct learner *l, const struct follow_options *o,
		const struct site *site, struct sfab_err *err);

/*
 * Take a sample of each new counters.snap until *@stop is 1; then return 0.  -1 with *err: it
 * could not begin.
 */
int follow_for_ever(const struct follow_options *o, const volatile sig_atomic_t *stop,
		    struct reply *r, struct sfab_err *err);

#endif
