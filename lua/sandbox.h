/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sandbox.h - a Lua interpreter that cannot run away
 *
 * Steps are counted by an instruction hook, memory by the allocator.  What
 * would get around the hook is not there: pcall and error objects with
 * handlers (they catch the hook's error), coroutines (they have hooks of their
 * own), setmetatable and collectgarbage (finalizers), string patterns, rep and
 * format, table.concat, insert, sort and unpack (one instruction, any time).
 * No single string or table gets larger than block_max, so that what an
 * instruction still can do takes microseconds.  What is left ends by time, the
 * thread's own CPU time, so that a busy machine does not stop a good script.
 *
 * Globals and built-ins cannot be changed.  pairs() goes by order of the keys
 * and tostring() shows no addresses: the same script does the same everywhere.
 */
#ifndef SFAB_LUA_SANDBOX_H
#define SFAB_LUA_SANDBOX_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "lua/compat.h"

struct sandbox_limits {
	size_t memory_max, block_max;	/* bytes */
	uint32_t steps_max;		/* of each question */
	uint32_t time_max_us;		/* of CPU, all questions, 0: any */
	int collect;			/* 0: garbage stays until the end */
};
extern const struct sandbox_limits sandbox_one_job;	/* in slurmctld's hook */
extern const struct sandbox_limits sandbox_all_hosts;	/* in a thread of ours */

struct sandbox {
	lua_State *L;
	struct sandbox_limits limits;
	size_t used;
	uint32_t steps;
	int64_t deadline_ns;	/* CPU time of the thread, 0: none */
	int full;			/* memory was refused: for good */
	int broken;			/* a bound was reached */
	int line;			/* to name in errors that have none */
	const char *name;		/* of the script */
};

/* -1 with *err: memory.  @name is borrowed. */
int sandbox_open(struct sandbox *sb, const struct sandbox_limits *limits,
		 const char *name, struct sfab_err *err);
void sandbox_close(struct sandbox *sb);			/* twice is fine */

/*
 * Run @f, which gets @data as light userdata, and all that it calls.  Lua's
 * API may only be used in there.  -1: *err is "NAME:LINE: ...".
 */
int sandbox_run(struct sandbox *sb, lua_CFunction f, void *data,
		struct sfab_err *err);

/* For functions within: the interpreter's sandbox. */
struct sandbox *sandbox_of(lua_State *L);
/* Count @n steps of work that is no instruction. */
void sandbox_charge(lua_State *L, size_t n);
/* A new question: steps begin at 0. */
void sandbox_again(struct sandbox *sb);

/* builtins.c: what scripts may call, as the globals. */
void sandbox_open_builtins(lua_State *L);

#endif
