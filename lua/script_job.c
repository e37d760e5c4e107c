/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * script_job.c - what a script decides about a job; see script.h
 *
 * The function gets a table with what is known of the job and returns a table or nil.  Every
 * field is checked for its type and range before it is used, and an unknown key is an error: a
 * typing mistake must not be a setting that is silently ignored.
 */

#include "lua/script_private.h"

#include <string.h>
#include <strings.h>

#include "core/utf8.h"
#include "lua/value.h"

#define WEIGHT_MAX 1000		/* as in sfabric.conf */

static const char *const known_keys[] = { "mode", "traffic", "weights", NULL };

/* What a script is asked, handed through Lua as one pointer. */
struct question {
	const struct sfab_script *script;
	const struct sfab_script_job *job;
	const struct sfab_conf *conf;
	struct sfab_script_answer *out;
};

/* Set a name that a user chose: printable, cut to what scripts may see. */
static void set_cut_name(lua_State *L, const char *key, const char *name)
{
	char cut[SFAB_SCRIPT_NAME_MAX + 1];

	if (name)
		value_set_text(L, key, sfab_utf8_clean(cut, sizeof(cut), name,
						       sizeof(cut)));
}

static void take_job_traffic(lua_State *L, const struct question *q)
{
	const char *text = value_text_field(L, "job", "traffic");
	struct sfab_err err = { 0 };

	if (!text)
		return;
	if (strcmp(text, "off") == 0) {
		q->out->says |= SFAB_SAYS_OFF;
		return;
	}
	if (sfab_traffic_parse(text, q->conf->share, &q->out->traffic, &err) < 0)
		luaL_error(L, "job: traffic: %s", err.text);
	q->out->says |= SFAB_SAYS_TRAFFIC;
}

/* Take the mode.  Case does not matter, as in sfabric.conf. */
static void take_mode(lua_State *L, const struct question *q)
{
	const char *text = value_text_field(L, "job", "mode");
	int mode = 0;

	if (!text)
		return;
	while (mode <= SFAB_MODE_ON &&
	       strcasecmp(text, sfab_mode_name((enum sfab_mode) mode)) != 0)
		mode++;
	if (mode > SFAB_MODE_ON)
		luaL_error(L, "job: mode is \"%s\" (expected off|observe|on)",
			   text);
	q->out->mode = (enum sfab_mode) mode;
	q->out->says |= SFAB_SAYS_MODE;
}

/* Take the weights.  Terms that are not named keep those of sfabric.conf. */
static void take_weights(lua_State *L, const struct question *q)
{
	const char *term[SFAB_NTERMS + 1] = { 0 };

	if (!value_push_field(L, "weights"))
		return;
	for (int i = 0; i < SFAB_NTERMS; i++)
		term[i] = sfab_term_name((enum sfab_term) i);
	value_is_table(L, "job: weights", term);
	for (int i = 0; i < SFAB_NTERMS; i++)
		value_number_field(L, "job: weights", term[i], 0, WEIGHT_MAX,
				   &q->out->weights[i]);
	lua_pop(L, 1);
	q->out->says |= SFAB_SAYS_WEIGHTS;
}

/*
 * Ask the script about a job.  Runs inside the sandbox: an error jumps out of it, and nothing
 * is held that would be lost.
 */
static int decide_job(lua_State *L)
{
	const struct question *q = lua_touserdata(L, 1);
	int line;

	script_push(L, q->script);
	if (!script_push_function(L, "job"))
		return 0;
	line = sandbox_of(L)->line;
	lua_newtable(L);
	set_cut_name(L, "partition", q->job->partition);
	set_cut_name(L, "account", q->job->account);
	set_cut_name(L, "qos", q->job->qos);
	set_cut_name(L, "name", q->job->name);
	value_set_text(L, "hint", q->job->hint);
	value_set_text(L, "learned", q->job->learned);
	value_set_number(L, "user", q->job->user);
	value_set_number(L, "nodes", q->job->nodes);
	value_set_number(L, "minutes", q->job->minutes);
	lua_call(L, 1, 1);
	/* What follows is about the answer: an error is at the function again. */
	sandbox_of(L)->line = line;
	if (!value_is_table(L, "job", known_keys))
		return 0;
	take_job_traffic(L, q);
	take_mode(L, q);
	take_weights(L, q);
	return 0;
}

int sfab_script_job(const struct sfab_script *s,
		    const struct sfab_script_job *job,
		    const struct sfab_conf *conf,
		    struct sfab_script_answer *out, struct sfab_err *err)
{
	struct question q = { s, job, conf, out };
	int rc;

	memset(out, 0, sizeof(*out));
	memcpy(out->weights, conf->weights, sizeof(out->weights));
	rc = script_run(s, &sandbox_one_job, decide_job, &q, err);
	/* A script that failed has no answer, whatever it returned before the error. */
	if (rc < 0)
		out->says = 0;
	return rc;
}
