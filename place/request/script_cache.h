/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * script_cache.h - cache of what the site's script says about jobs
 *
 * An answer of sfabric.lua depends on the question alone, so each question is asked once and
 * identical jobs share an answer.  The table has a fixed size: a new question evicts the least
 * recently used one of its row.
 *
 * A question that reaches a limit is charged to the job's user, and the job is placed without
 * the script.  After SFAB_SCRIPT_CACHE_JOBS such jobs no job of that user is asked about; after
 * such jobs of SFAB_SCRIPT_CACHE_USERS users no job at all.  So a bad script, or job names that
 * a user makes up to slow a good one, cost at most 2 ms times the product of both.
 *
 * A cache belongs to a generation, and so to one thread at a time: the loader asks about
 * running jobs, then the asking thread continues with the others.
 */
#ifndef SFAB_PLACE_SCRIPT_CACHE_H
#define SFAB_PLACE_SCRIPT_CACHE_H

#include <stdint.h>

#include "lua/script.h"
#include "place/place.h"

#define SFAB_SCRIPT_CACHE_ROWS 256
#define SFAB_SCRIPT_CACHE_WAYS 4
#define SFAB_SCRIPT_CACHE_JOBS 8
#define SFAB_SCRIPT_CACHE_USERS 8

struct sfab_script_cache_row {
	uint64_t key;		/* hash of the question, 0: empty */
	uint64_t used_at;
	struct sfab_script_answer answer;
};

struct sfab_script_cache_user {
	uint32_t user;
	uint32_t jobs;		/* questions about them that reached a limit */
};

struct sfab_script_cache {
	const struct sfab_script *script;
	const struct sfab_conf *conf;
	sfab_place_log_fn *log;	/* NULL: silent */
	uint64_t asked, failed;	/* questions put to the script */
	struct sfab_err wrong;	/* its latest error */
	int is_logged;		/* its first error was logged */
	uint32_t nslow;		/* users in slow[]; when it is full, nothing is asked */
	struct sfab_script_cache_user slow[SFAB_SCRIPT_CACHE_USERS];
	uint64_t clock;
	struct sfab_script_cache_row row[SFAB_SCRIPT_CACHE_ROWS]
					[SFAB_SCRIPT_CACHE_WAYS];
};

/* Create an empty cache that borrows both.  NULL: no memory. */
struct sfab_script_cache *sfab_script_cache_create(const struct sfab_script *script,
						   const struct sfab_conf *conf);
void sfab_script_cache_destroy(struct sfab_script_cache *cache);	/* NULL is fine */

/*
 * Return the script's answer about the job, borrowed until the next call.  The answer is empty
 * if @cache is NULL (no script), and has only SFAB_SAYS_FAILED if the script failed or is no
 * longer asked.
 */
const struct sfab_script_answer *sfab_script_cache_ask(
	struct sfab_script_cache *cache, const struct sfab_script_job *job);

#endif
