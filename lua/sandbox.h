/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sandbox.h - a Lua interpreter that cannot run away
 *
 * An instruction hook counts steps, the allocator counts memory.  Everything that could get
 * around the hook is missing:
 *
 *   - pcall and error handlers: they catch the hook's error
 *   - coroutines: they have hooks of their own
 *   - setmetatable and collectgarbage: finalizers
 *   - string patterns, rep and format, table.concat, insert, sort and unpack: one
 *     instruction can take any time
 *
 * No single string or table gets larger than block_max, so any remaining instruction takes
 * microseconds.  A limit on time stops the rest.  It counts the thread's own CPU time, so that
 * a busy machine does not stop a good script.
 *
 * Globals and built-ins cannot be changed.  pairs() visits keys in order and tostring() shows
 * no addresses: the same script does the same everywhere.
 */
#ifndef SFAB_LUA_SANDBOX_H
#define SFAB_LUA_SANDBOX_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "lua/compat.h"

struct sandbox_limits {
	size_t memory_max, block_max;	/* bytes */
	uint32_t steps_max;		/* per question */
	uint32_t time_max_us;		/* CPU time of all questions; 0: no limit */
	int collect;			/* 0: garbage is kept until the end */
};
extern const struct sandbox_limits sandbox_one_job;	/* in slurmctld's hook */
extern const struct sandbox_limits sandbox_all_hosts;	/* in a thread of ours */

struct sandbox {
	lua_State *L;
	struct sandbox_limits limits;
	size_t used;
	uint32_t steps;
	int64_t deadline_ns;	/* on the thread's CPU clock, 0: none */
	int is_full;		/* memory was refused once, so it always is */
	int is_broken;		/* a limit was reached */
	int line;		/* for errors without a line of their own */
	const char *name;	/* of the script */
};

/* Start an interpreter for the script @name, which is borrowed.  -1 with *err: no memory. */
int sandbox_open(struct sandbox *sb, const struct sandbox_limits *limits,
		 const char *name, struct sfab_err *err);
void sandbox_close(struct sandbox *sb);			/* may be repeated */

/*
 * Call @f with @data as light userdata.  Lua's API may be used only inside such a call.
 * -1: *err is "NAME:LINE: ...".
 */
int sandbox_run(struct sandbox *sb, lua_CFunction f, void *data,
		struct sfab_err *err);

/* Return the sandbox of an interpreter, for functions that it calls. */
struct sandbox *sandbox_of(lua_State *L);
/* Count @n steps for work that is not Lua instructions. */
void sandbox_charge(lua_State *L, size_t n);
/* Begin a new question: its steps start at 0. */
void sandbox_restart(struct sandbox *sb);

/* Install what scripts may call as the globals (builtins.c). */
void sandbox_open_builtins(lua_State *L);

#endif
