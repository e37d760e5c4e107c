/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow.h - the service: each new counters.snap becomes a sample
 *
 * What goes wrong is said once, until it changes or ends; the files of the last good sample
 * stay.
 */
#ifndef SFAB_FOLLOW_H
#define SFAB_FOLLOW_H

#include <signal.h>

#include "core/err.h"
#include "tools/learn/learn_jobs.h"
#include "tools/site/site.h"

struct follow_options {
	const struct options *options;	/* snapshot, conf, jobs */
	const char *counters, *history, *traffic;	/* paths; NULL: the conf's */
	int hide;			/* keep no names from now on */
};

/* --history, else the conf's. */
const char *follow_history_path(const struct follow_options *o, const struct sfab_conf *conf);

/*
 * The history to go on with, of the fabric of @site.  One that is not there is empty.  One
 * that cannot be read, or that is of another fabric, is set aside, which is said, and the
 * history is empty.  NULL with *err: it cannot be set aside.
 */
struct sfab_history *follow_history(const struct follow_options *o, const struct site *site,
				    struct sfab_err *err);

/*
 * One sample of the counters that are there now.  -1 with *err: there are none, they are old,
 * or the jobs are not known.
 */
int follow_once(struct learner *l, const struct follow_options *o,
		const struct site *site, struct sfab_err *err);

/* Until *@stop.  -1 with *err: it could not begin. */
int follow_for_ever(const struct follow_options *o, const volatile sig_atomic_t *stop,
		    struct reply *r, struct sfab_err *err);

#endif
