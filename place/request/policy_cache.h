/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy_cache.h - what the site's script says of jobs, remembered
 *
 * An answer of sfabric.lua depends on the question alone, so each question is
 * put once: jobs that are alike share an answer.  The table is of fixed size;
 * the question that was put longest ago in its row makes room.
 *
 * A question that runs into a limit is one user's: the job is placed as without
 * the script.  After SFAB_RULES_JOBS of them no job of that user is asked about,
 * after jobs of SFAB_RULES_USERS users none at all, so that what a script, or the
 * names that users give their jobs, can cost is at most 2 ms times both.
 *
 * It belongs to a world, and with that to one thread at a time: the loader puts
 * the questions about running jobs, the asking thread goes on with the others.
 */
#ifndef SFAB_PLACE_POLICY_CACHE_H
#define SFAB_PLACE_POLICY_CACHE_H

#include <stdint.h>

#include "lua/policy.h"
#include "place/place.h"

#define SFAB_RULES_ROWS 256
#define SFAB_RULES_WAYS 4
#define SFAB_RULES_JOBS 8
#define SFAB_RULES_USERS 8

struct sfab_rules_row {
	uint64_t key;		/* hash of the question, 0: empty */
	uint64_t used;
	struct sfab_script_answer answer;
};

struct sfab_rules_user {
	uint32_t user;
	uint32_t jobs;		/* questions about them that ran into a limit */
};

struct sfab_rules {
	const struct sfab_script *script;
	const struct sfab_conf *conf;
	sfab_place_log *log;		/* NULL: silent */
	uint64_t asked, failed;		/* questions put to the script */
	struct sfab_err wrong;		/* its last mistake */
	int told;		/* its first mistake was logged */
	int given_up;		/* too many users' jobs: ask no more */
	uint32_t nslow;
	struct sfab_rules_user slow[SFAB_RULES_USERS];
	uint64_t clock;
	struct sfab_rules_row row[SFAB_RULES_ROWS][SFAB_RULES_WAYS];
};

/* Borrows both.  NULL: memory. */
struct sfab_rules *sfab_rules_create(const struct sfab_script *script,
				     const struct sfab_conf *conf);
void sfab_rules_destroy(struct sfab_rules *r);		/* NULL is fine */

/*
 * What the script says of the job; borrowed until the next call.  Says nothing
 * where there are no rules (NULL), only SFAB_SAYS_FAILED where it failed or is
 * not asked any more.
 */
const struct sfab_script_answer *sfab_rules_ask(struct sfab_rules *r,
						const struct sfab_script_job *job);

#endif
