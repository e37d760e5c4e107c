/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * script_private.h - what the files of lua/ know of a script
 *
 *     script.c        text -> struct sfab_script, and its table in an interpreter
 *     script_job.c    a job -> its traffic, weights and mode
 *     script_hosts.c  hosts -> roles and IO sets
 */
#ifndef SFAB_SCRIPT_PRIVATE_H
#define SFAB_SCRIPT_PRIVATE_H

#include "lua/sandbox.h"
#include "lua/script.h"

struct sfab_script {
	char *name;
	char *code;		/* compiled */
	size_t size;
};

/* Run @f with @data in a sandbox of its own.  -1 with *err. */
int script_run(const struct sfab_script *s, const struct sandbox_limits *limits,
	       lua_CFunction f, void *data, struct sfab_err *err);

/* Push the table that the script returns.  Only inside sandbox_run(). */
void script_push(lua_State *L, const struct sfab_script *s);

/*
 * Push function @name of the table on top.  From then on, errors report the line where it is
 * defined.  0: there is none, and nothing is pushed.
 */
int script_push_function(lua_State *L, const char *name);

#endif
