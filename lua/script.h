/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * script.h - what the files of the policy share
 *
 *     script.c   text -> struct sfab_script, and its table in an interpreter
 *     job.c      a job -> its traffic, weights and mode
 *     script_hosts.c  hosts -> roles and IO sets
 *     value.c    what functions answer
 */
#ifndef SFAB_LUA_SCRIPT_H
#define SFAB_LUA_SCRIPT_H

#include "lua/policy.h"
#include "lua/sandbox.h"

struct sfab_script {
	char *name;
	char *code;		/* compiled */
	size_t size, room;
};

/* Within sandbox_run(): push the table that the script returns. */
void script_push(lua_State *L, const struct sfab_script *s);

/*
 * Push the function @name of the table on top, whose place in the file errors
 * name from then on.  0: there is none, and nothing is pushed.
 */
int script_push_function(lua_State *L, const char *name);

/* -- value.c; all in sandbox_run(), wrong values end it with an error ------ */

/* Set a field of the table on top; a NULL text is left out. */
void value_set_text(lua_State *L, const char *key, const char *text);
void value_set_number(lua_State *L, const char *key, double number);

/*
 * Is the answer on top of the stack a table?  nil is 0; @what ("job") begins
 * the error for anything else, and for a key that is not in @known (ends with
 * NULL).
 */
int value_is_table(lua_State *L, const char *what, const char *const *known);

/* Push field @key of the table on top.  0: it is nil, and is not pushed. */
int value_push_field(lua_State *L, const char *key);

/* The text, or the number, on top; @what and @key say whose it is. */
const char *value_text(lua_State *L, const char *what, const char *key);
double value_number(lua_State *L, const char *what, const char *key, double min,
		    double max);

#endif
