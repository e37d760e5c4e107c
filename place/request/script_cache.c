/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * script_cache.c - answers of the site's script, remembered; see script_cache.h
 *
 * Backfill asks about each pending job in every cycle, and arrays have thousands of equal jobs.
 * The hash of a question is the key of its answer.
 */

#include "place/request/script_cache.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/hash.h"
#include "place/log/say_log.h"

struct sfab_script_cache *sfab_script_cache_create(const struct sfab_script *script,
						   const struct sfab_conf *conf)
{
	struct sfab_script_cache *cache = calloc(1, sizeof(*cache));

	if (cache) {
		cache->script = script;
		cache->conf = conf;
	}
	return cache;
}

void sfab_script_cache_destroy(struct sfab_script_cache *cache)
{
	free(cache);
}

/* Hash all that the script can see.  Never 0, which marks a free row. */
static uint64_t key_of_question(const struct sfab_script_job *job)
{
	const uint32_t numbers[] = { job->user, job->nodes, job->minutes };
	const char *const texts[] = {
		job->hint, job->learned, job->partition, job->account, job->qos, job->name,
	};
	uint64_t key = sfab_hash64_continue(0, numbers, sizeof(numbers));

	/*
	 * Each text with its end, or a mark for NULL.  Without the end "ab" and "c" would be
	 * the same question as "a" and "bc".
	 */
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		key = sfab_hash64_continue(key, texts[i] ? texts[i] : "\1",
					   strlen(texts[i] ? texts[i] : "\1") + 1);
	return key ? key : 1;
}

/* Find the slot for the answer; *@is_cached 0: the caller must fill it. */
static struct sfab_script_answer *find_policy_answer(
	struct sfab_script_cache *cache, uint64_t key, int *is_cached)
{
	struct sfab_script_cache_row *ways = cache->row[key % SFAB_SCRIPT_CACHE_ROWS];
	struct sfab_script_cache_row *slot = ways;

	/* The question's own slot, else the least recently used one. */
	for (int i = 0; i < SFAB_SCRIPT_CACHE_WAYS && slot->key != key; i++)
		if (ways[i].key == key || ways[i].used_at < slot->used_at)
			slot = &ways[i];
	*is_cached = slot->key == key;
	slot->key = key;
	slot->used_at = ++cache->clock;
	return &slot->answer;
}

static struct sfab_script_cache_user *find_user(struct sfab_script_cache *cache, uint32_t user)
{
	for (uint32_t i = 0; i < cache->nslow; i++)
		if (cache->slow[i].user == user)
			return &cache->slow[i];
	return NULL;
}

/* Count a job that reached a limit against its user, and the user when they are too many. */
static void count_slow(struct sfab_script_cache *cache, uint32_t user, const struct sfab_err *err)
{
	struct sfab_script_cache_user *slow = find_user(cache, user);

	if (!slow) {
		slow = &cache->slow[cache->nslow++];
		*slow = (struct sfab_script_cache_user){ .user = user };
		sfab_say(cache->log, SFAB_LOG_ERROR, "%s: a job of user %" PRIu32
			 " is placed without the script", err->text, user);
	}
	slow->jobs++;
	if (cache->nslow == SFAB_SCRIPT_CACHE_USERS)
		sfab_say(cache->log, SFAB_LOG_ERROR, "%s: the script is no longer used",
			 err->text);
	else if (slow->jobs == SFAB_SCRIPT_CACHE_JOBS)
		sfab_say(cache->log, SFAB_LOG_ERROR, "%s: jobs of user %" PRIu32
			 " no longer use the script", err->text, user);
}

/* Count a failure by user if a limit was reached; log a mistake of the script once. */
static void count_failed(struct sfab_script_cache *cache, uint32_t user, const struct sfab_err *err)
{
	cache->failed++;
	cache->wrong = *err;
	if (err->code == SFAB_ELIMIT) {
		count_slow(cache, user, err);
	} else if (!cache->is_logged) {
		cache->is_logged = 1;
		sfab_say(cache->log, SFAB_LOG_ERROR, "%s: the job is placed without the script",
			 err->text);
	}
}

const struct sfab_script_answer *sfab_script_cache_ask(
	struct sfab_script_cache *cache, const struct sfab_script_job *job)
{
	static const struct sfab_script_answer nothing;
	static const struct sfab_script_answer failed = {
		.says = SFAB_SAYS_FAILED,
	};
	const struct sfab_script_cache_user *slow;
	struct sfab_script_answer *answer;
	struct sfab_err err = { 0 };
	int is_cached;

	if (!cache)
		return &nothing;
	slow = find_user(cache, job->user);
	if (cache->nslow == SFAB_SCRIPT_CACHE_USERS ||
	    (slow && slow->jobs >= SFAB_SCRIPT_CACHE_JOBS))
		return &failed;
	answer = find_policy_answer(cache, key_of_question(job), &is_cached);
	if (is_cached)
		return answer;
	cache->asked++;
	if (sfab_script_job(cache->script, job, cache->conf, answer, &err) < 0) {
		/* Cached as well: the script would fail again for the same question. */
		answer->says = SFAB_SAYS_FAILED;
		count_failed(cache, job->user, &err);
	}
	return answer;
}
