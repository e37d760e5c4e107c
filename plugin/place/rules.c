/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rules.c - answers of the site's script, remembered; see rules.h */

#include "rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../io/hash.h"

#define QUESTION_MAX 4096

struct sfab_rules *sfab_rules_create(const struct sfab_script *script,
				     const struct sfab_conf *conf)
{
	struct sfab_rules *r = calloc(1, sizeof(*r));

	if (r) {
		r->script = script;
		r->conf = conf;
	}
	return r;
}

void sfab_rules_destroy(struct sfab_rules *r)
{
	free(r);
}

/* Append @text, or a mark for none, and a byte that is in no text. */
static size_t add(char *buf, size_t at, const char *text)
{
	size_t n = text ? strlen(text) : 1, room = QUESTION_MAX - at - 1;

	if (n > room)
		n = room;
	memcpy(buf + at, text ? text : "\1", n);
	buf[at + n] = '\2';
	return at + n + (n < room);
}

static uint64_t key_of(const struct sfab_script_job *job)
{
	char buf[QUESTION_MAX], numbers[40];
	const char *const texts[] = {
		numbers, job->hint, job->partition, job->account, job->qos,
		job->name,
	};
	size_t n = 0;
	uint64_t key;

	snprintf(numbers, sizeof(numbers), "%" PRIu32 " %" PRIu32 " %" PRIu32,
		 job->user, job->nodes, job->minutes);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		n = add(buf, n, texts[i]);
	key = sfab_hash64((const uint8_t *) buf, n);
	return key ? key : 1;
}

/* The place of the answer; *@known 0: it is to be filled in. */
static struct sfab_script_answer *find(struct sfab_rules *r, uint64_t key,
				       int *known)
{
	struct sfab_rule *row = r->row[key % SFAB_RULES_ROWS], *rule = row;

	for (int i = 0; i < SFAB_RULES_WAYS; i++)
		if (row[i].key == key || row[i].used < rule->used) {
			rule = &row[i];
			if (rule->key == key)
				break;
		}
	*known = rule->key == key;
	rule->key = key;
	rule->used = ++r->clock;
	return &rule->answer;
}

/* A line for its first mistake; a script that ran into a bound is done for. */
static void tell_failed(struct sfab_rules *r, const struct sfab_err *err)
{
	char line[480];

	r->failed++;
	if (err->code == SFAB_ELIMIT)
		r->given_up = 1;
	if ((r->told && !r->given_up) || !r->log)
		return;
	r->told = 1;
	snprintf(line, sizeof(line), "%s: %s", err->text,
		 r->given_up ? "no job is asked about any more" :
			       "the job is placed as without it");
	r->log(SFAB_LOG_ERROR, line);
}

static void put_question(struct sfab_rules *r, const struct sfab_script_job *job,
			 struct sfab_script_answer *answer)
{
	struct sfab_err err = { 0 };

	r->asked++;
	if (sfab_script_job(r->script, job, r->conf, answer, &err) < 0)
		tell_failed(r, &err);
}

const struct sfab_script_answer *sfab_rules_ask(struct sfab_rules *r,
						const struct sfab_script_job *job)
{
	static const struct sfab_script_answer nothing;
	struct sfab_script_answer *answer;
	int known;

	if (!r || r->given_up)
		return &nothing;
	answer = find(r, key_of(job), &known);
	if (!known)
		put_question(r, job, answer);
	return answer;
}
