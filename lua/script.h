/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * script.h - shared by the files of the policy
 *
 *     script.c   text -> struct sfab_script, and its table in an interpreter
 *     job.c      a job -> its traffic, weights and mode
 *     script_hosts.c  hosts -> roles and IO sets
 *     value.c    checks what functions return
 */
#ifndef SFAB_LUA_SCRIPT_H
#define SFAB_LUA_SCRIPT_H

#include "lua/policy.h"
#include "lua/sandbox.h"

struct sfab_script {
	char *name;
	char *code;		/* compiled */
	size_t size;
};

/* Run @f with @data in a sandbox of its own.  -1 with *err. */
int script_run(const struct sfab_script *s, const struct sandbox_limits *limits,
	       lua_CFunction f, void *data, struct sfab_err *err);

/* Inside sandbox_run(): push the table that the script returns. */
void script_push(lua_State *L, const struct sfab_script *s);

/*
 * Push function @name of the table on top.  From then on, errors report the line
 * where it is defined.  0: there is none, and nothing is pushed.
 */
int script_push_function(lua_State *L, const char *name);

/* -- value.c; all inside sandbox_run(), a wrong value raises an error ------ */

/* Set a field of the table on top; a NULL string is skipped. */
void value_set_text(lua_State *L, const char *key, const char *text);
void value_set_number(lua_State *L, const char *key, double number);

/*
 * Is the answer on top of the stack a table?  0 for nil.  Raises an error that
 * begins with @what ("job") for anything else, and for a key that is not in @known
 * (ends with NULL).
 */
int value_is_table(lua_State *L, const char *what, const char *const *known);

/* Push field @key of the table on top.  0: it is nil, and nothing is pushed. */
int value_push_field(lua_State *L, const char *key);

/* The string on top; @what and @key identify it in errors. */
const char *value_text(lua_State *L, const char *what, const char *key);

/*
 * Field @key of the table on top, as a string that lives as long as the table does, or
 * NULL if it is nil; and as a number between @min and @max, or 0 if it is nil: *@number
 * stays as it was.
 */
const char *value_text_field(lua_State *L, const char *what, const char *key);
int value_number_field(lua_State *L, const char *what, const char *key, double min,
		       double max, double *number);

#endif
