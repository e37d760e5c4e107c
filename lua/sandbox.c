/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sandbox.c - a Lua interpreter that cannot run away; see sandbox.h
 *
 * Three things are limited: memory by the allocator, steps and CPU time by a hook that Lua
 * calls every few instructions.  A script that breaks a limit ends with an error that it cannot
 * catch, because pcall() is not among its functions.
 */

#include "lua/sandbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HOOK_STEPS 16		/* instructions between two checks of the limits */

/*
 * A question about a job is asked in slurmctld's hook, so it may take 2 ms.  All hosts are
 * asked about in a thread of ours, which may take seconds.
 */
const struct sandbox_limits sandbox_one_job = {
	.memory_max = 1u << 20, .block_max = 64u << 10, .steps_max = 20000,
	.time_max_us = 2000,
};
const struct sandbox_limits sandbox_all_hosts = {
	.memory_max = 16u << 20, .block_max = 1u << 20, .steps_max = 100000,
	.time_max_us = 5000000, .collect = 1,
};

/* Allocate within the limit.  Lua's contract: size 0 frees, and shrinking never fails. */
static void *allocate_limited(void *data, void *old, size_t old_size,
			      size_t size)
{
	struct sandbox *sb = data;
	void *new;

	if (!old)
		old_size = 0;	/* Lua passes a type code here, not a size */
	if (!size) {
		free(old);
		sb->used -= old_size;
		return NULL;
	}
	/* After one refusal all fail: Lua collects garbage and asks again. */
	if (size > old_size &&
	    (size > sb->limits.block_max ||
	     size - old_size > sb->limits.memory_max - sb->used))
		sb->is_full = 1;
	if (size > old_size && sb->is_full)
		return NULL;
	new = realloc(old, size);
	if (new)
		sb->used += size - old_size;
	return new;
}

/* Count the time of this thread alone: a busy machine must not make a script fail. */
static int64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Use the allocator's data, the one pointer that no script can reach. */
struct sandbox *sandbox_of(lua_State *L)
{
	void *data;

	lua_getallocf(L, &data);
	return data;
}

/* Charge the steps, and keep the line for messages about errors that have none. */
static void charge_hook_steps(lua_State *L, lua_Debug *at)
{
	struct sandbox *sb = sandbox_of(L);

	lua_getinfo(L, "l", at);
	sb->line = at->currentline;
	sandbox_charge(L, HOOK_STEPS);
}

void sandbox_charge(lua_State *L, size_t n)
{
	struct sandbox *sb = sandbox_of(L);
	uint32_t left = sb->limits.steps_max - sb->steps;
	int stop = sb->deadline_ns && cpu_ns() > sb->deadline_ns;

	if (n <= left && !stop) {
		sb->steps += (uint32_t) n;
		return;
	}
	sb->is_broken = 1;		/* the line is sb->line */
	if (stop)
		lua_pushfstring(L, "more than %d ms of CPU time",
				(int) sb->limits.time_max_us / 1000);
	else
		lua_pushfstring(L, "more than %d steps",
				(int) sb->limits.steps_max);
	lua_error(L);
}

/* Reset the steps only.  Memory and time go on. */
void sandbox_restart(struct sandbox *sb)
{
	sb->steps = 0;
}

/*
 * Prepare the interpreter.  For one job the collector stays off: memory_max bounds the garbage,
 * and the interpreter is closed after the question.
 */
static int prepare_state(lua_State *L)
{
	lua_sethook(L, charge_hook_steps, LUA_MASKCOUNT, HOOK_STEPS);
	if (!sandbox_of(L)->limits.collect)
		lua_gc(L, LUA_GCSTOP, 0);
	sandbox_open_builtins(L);
	return 0;
}

/* Protect opening too, because it may lack memory. */
int sandbox_open(struct sandbox *sb, const struct sandbox_limits *limits,
		 const char *name, struct sfab_err *err)
{
	memset(sb, 0, sizeof(*sb));
	sb->limits = *limits;
	sb->name = name;
	if (limits->time_max_us)
		sb->deadline_ns = cpu_ns() + limits->time_max_us * 1000ll;
	sb->L = compat_newstate(allocate_limited, sb);
	if (!sb->L)
		return sfab_fail(err, SFAB_ENOMEM, "%s: out of memory", name);
	if (sandbox_run(sb, prepare_state, NULL, err) == 0)
		return 0;
	sandbox_close(sb);
	return -1;
}

void sandbox_close(struct sandbox *sb)
{
	if (sb->L)
		lua_close(sb->L);
	sb->L = NULL;
}

/* Set an error with its line: Lua's "?:12: text" contains it, otherwise use sb->line. */
static int fail_at_line(struct sandbox *sb, const char *text,
			struct sfab_err *err)
{
	enum sfab_errcode code = sb->is_broken ? SFAB_ELIMIT : SFAB_EFORMAT;

	if (strncmp(text, "?:", 2) == 0)
		return sfab_fail(err, code, "%s:%s", sb->name, text + 2);
	return sfab_fail(err, code, "%s:%d: %s", sb->name,
			 sb->line > 0 ? sb->line : 1, text);
}

int sandbox_run(struct sandbox *sb, lua_CFunction f, void *data,
		struct sfab_err *err)
{
	int status = compat_protect(sb->L, f, data);
	char text[80];

	if (status == 0)
		return 0;
	if (sb->is_full) {
		sb->is_broken = 1;
		snprintf(text, sizeof(text), "more than %zu KiB of memory",
			 sb->limits.memory_max >> 10);
		return fail_at_line(sb, text, err);
	}
	if (status == LUA_ERRMEM)
		return sfab_fail(err, SFAB_ENOMEM, "%s: out of memory", sb->name);
	if (lua_type(sb->L, -1) != LUA_TSTRING)
		return fail_at_line(sb, "an error without a message", err);
	return fail_at_line(sb, lua_tostring(sb->L, -1), err);
}
