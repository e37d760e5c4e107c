/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intent.h - what a job sends, in which mode, with which weights
 *
 * One answer for slurmctld and for every command, from plain facts: a preview
 * needs no running service to get the plugin's answer.  Who decides:
 *
 *     mode      sfabric.conf if it says off, then the script, then sfabric.conf;
 *               adaptive routes are at most observed
 *     traffic   the script, then the job's hint (comment before network), then
 *               DefaultTraffic; parts whose IO set is not there are left out
 *     weights   the script, then sfabric.conf
 *
 * A hint that says off is not shown to the script, and the script is not asked.
 * A hint that cannot be understood, or that names an IO set that is not there,
 * counts as none.
 */
#ifndef SFAB_PLACE_INTENT_H
#define SFAB_PLACE_INTENT_H

#include "place/place.h"
#include "place/request/policy_cache.h"

struct sfab_intent_site {
	const struct sfab_conf *conf;	/* NULL: not read yet */
	const struct sfab_conf *modes;	/* whose Mode counts; NULL: as if it was on,
					   over adaptive routes as well */
	struct sfab_rules *rules;	/* NULL: no script */
	const struct sfab_fabric *f;	/* NULL: not known, any IO set may be there */
	const struct sfab_iosets *io;	/* of it, NULL: none */
};

struct sfab_intent_job {
	const char *partition, *comment, *network;	/* or NULL */
	const struct sfab_traffic *own;	/* what it says that it sends, instead of
					   comment and network; or NULL */
	struct sfab_place_who who;
	uint32_t nodes;		/* that it needs at least, or holds */
	uint64_t limit_s;	/* 0: any time */
};

/* The job of a question; @own is left open. */
struct sfab_intent_job sfab_intent_asked(const struct sfab_ask *ask);

/* 1: the routes of @f are adaptive, and @conf does not split traffic over them. */
int sfab_intent_observes(const struct sfab_conf *conf,
			 const struct sfab_fabric *f);

/* The mode of jobs in @partition (NULL: not known) before the script is asked. */
enum sfab_mode sfab_intent_mode(const struct sfab_intent_site *site,
				const char *partition);

/* -1 with *err (SFAB_ENOENT): an IO set of @t is not there. */
int sfab_intent_check(const struct sfab_intent_site *site,
		      const struct sfab_traffic *t, struct sfab_err *err);

/* The hint in comment, else in network.  WRONG: *err says why. */
enum sfab_hint sfab_intent_hint(const struct sfab_intent_site *site,
				const char *comment, const char *network,
				struct sfab_traffic *own, struct sfab_err *err);

/*
 * What the job sends, whatever its mode; @hint and @own as sfab_intent_hint()
 * gave them.  Returns all that the script says, borrowed until the next call.
 */
const struct sfab_script_answer *
sfab_intent_traffic(const struct sfab_intent_site *site,
		    const struct sfab_intent_job *job, enum sfab_hint hint,
		    const struct sfab_traffic *own, struct sfab_traffic *out);

/*
 * All of it: fills mode, traffic, weights, says, hint and hint_text of @d.
 * SFAB_PLACED, or why the job is left to Slurm; in mode observe it is, once
 * nodes were found.
 */
enum sfab_reason sfab_intent_find(const struct sfab_intent_site *site,
				  const struct sfab_intent_job *job,
				  struct sfab_decision *d);

#endif
