/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intent.h - what a job sends, in which mode, with which weights
 *
 * One answer for slurmctld and for every command, from plain facts: a preview gets the plugin's
 * answer without a running service.  Precedence:
 *
 *     mode      sfabric.conf if it says off, then the script, then sfabric.conf.
 *               At most observe while the governor holds the partition back, and
 *               on adaptive routes, if so configured or if their groups are unknown
 *     traffic   the job's hint (comment before network), then the script, then
 *               what earlier runs sent (history.h), then DefaultTraffic; parts
 *               that name an unknown IO set are dropped
 *     weights   the script, then sfabric.conf
 *
 * If the hint says off, the script is not asked; the script may say off in spite of a hint.  A
 * hint that cannot be parsed, or that names an unknown IO set, counts as no hint.
 */
#ifndef SFAB_PLACE_INTENT_H
#define SFAB_PLACE_INTENT_H

#include "place/decision.h"
#include "place/place.h"
#include "place/request/script_cache.h"

struct sfab_intent_site {
	const struct sfab_conf *conf;		/* NULL: not read yet */
	const struct sfab_conf *modes;		/* has Mode; NULL: on, whatever the routes are */
	struct sfab_script_cache *script_cache;	/* NULL: no script */
	const struct sfab_fabric *f;		/* NULL: not known, accept any IO set */
	const struct sfab_iosets *io;		/* of that fabric, NULL: none */
	const struct sfab_history *history;	/* NULL: nothing was learned */
	int has_strays;				/* few packets follow the tables (MinFollowed) */
	enum sfab_trip trip;			/* what holds the partition back */
};

struct sfab_intent_job {
	const char *partition, *comment, *network;	/* or NULL */
	const struct sfab_traffic *hint_traffic;	/* its traffic as already parsed; replaces
							   comment and network; or NULL */
	struct sfab_place_who who;
	uint32_t nodes;					/* minimum needed, or the number held */
	uint64_t limit_s;				/* 0: any time */
};

/* Return the job of a question.  Its hint_traffic is NULL. */
struct sfab_intent_job sfab_intent_asked(const struct sfab_ask *ask);

/*
 * 1: jobs are only observed because the routes of @f are adaptive: @conf does not assume even
 * shares, or nobody knows over which ports.
 */
int sfab_intent_observes(const struct sfab_conf *conf, const struct sfab_fabric *f);

/* Return the mode of jobs in @partition (NULL: not known) before the script is asked. */
enum sfab_mode sfab_intent_mode(const struct sfab_intent_site *site, const char *partition);

/* -1 with *err (SFAB_ENOENT): @t names an unknown IO set. */
int sfab_intent_check(const struct sfab_intent_site *site,
		      const struct sfab_traffic *t, struct sfab_err *err);

/*
 * Write the parts of the site's DefaultTraffic whose IO set is unknown into @buf; "": none.
 * The built-in DefaultTraffic is not checked: it is no mistake of the site.  Return @buf.
 */
char *sfab_intent_lacking(const struct sfab_intent_site *site, char *buf, size_t size);

/* Read the hint in comment, or else the one in network.  SFAB_HINT_WRONG: with *err. */
enum sfab_hint sfab_intent_hint(const struct sfab_intent_site *site,
				const char *comment, const char *network,
				struct sfab_traffic *hint_traffic, struct sfab_err *err);

/*
 * Set *@out to what the job sends, whatever its mode, and *@origin (NULL: fine) to what decided
 * it.  @hint and @hint_traffic come from sfab_intent_hint().  Return the script's whole answer,
 * borrowed until the next call.
 */
const struct sfab_script_answer *
sfab_intent_traffic(const struct sfab_intent_site *site,
		    const struct sfab_intent_job *job, enum sfab_hint hint,
		    const struct sfab_traffic *hint_traffic, struct sfab_traffic *out,
		    struct sfab_origin *origin);

/*
 * Set *@out to what counters found out about a running job, @found, without the parts that name
 * an unknown IO set.
 */
void sfab_intent_found(const struct sfab_intent_site *site,
		       const struct sfab_traffic *found, struct sfab_traffic *out);

const char *sfab_intent_source_word(enum sfab_source source);	/* "default", ... */
/* Write "3 runs of user+name" into @buf, or "" if it was not learned.  Return @buf. */
char *sfab_intent_origin_text(const struct sfab_origin *origin, char *buf, size_t size);

/*
 * Fill mode, traffic, weights, says, hint and hint_text of @d.  SFAB_PLACED, or why the job is
 * left to Slurm.  Mode observe also returns SFAB_PLACED: the caller leaves the job to Slurm
 * after nodes were found.
 */
enum sfab_reason sfab_intent_find(const struct sfab_intent_site *site,
				  const struct sfab_intent_job *job,
				  struct sfab_decision *d);

#endif
