/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clash.c - two Luas in one process, as in slurmctld; see lua.t
 *
 *     clash LIBLUA PLUGIN VERSION
 *
 * Slurm's job_submit/lua opens its liblua with RTLD_GLOBAL.  We come later, with a liblua of
 * our own that has functions of the same names.  Both run at the same time, each with strings,
 * tables, errors and garbage.
 */

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURNS 1000

typedef struct lua_State lua_State;

static lua_State *(*new_state)(void);
static void (*open_libs)(lua_State *L);
static void (*close_state)(lua_State *L);
static int (*load_string)(lua_State *L, const char *text);
static int (*call_51)(lua_State *L, int nargs, int nresults, int handler);
static int (*call_52)(lua_State *L, int nargs, int nresults, int handler,
		      intptr_t context, void *continuation);
static const char *(*to_string)(lua_State *L, int i, size_t *n);

static int call(lua_State *L)
{
	return call_51 ? call_51(L, 0, 1, 0) : call_52(L, 0, 1, 0, 0, NULL);
}

static const char script[] =
	"local t = {} for i = 1, 100 do t[i] = ('x'):rep(i) .. i end\n"
	"table.sort(t) collectgarbage() assert(not pcall(error, t))\n"
	"assert(#table.concat(t) == 5050 + 192) return _VERSION";

static void *sym(void *lib, const char *name)
{
	void *p = dlsym(lib, name);

	if (p)
		return p;
	fprintf(stderr, "%s\n", dlerror());
	exit(1);
}

/* Slurm's side. */
static void *run_theirs(void *arg)
{
	const char *version = arg;

	for (int i = 0; i < TURNS; i++) {
		lua_State *L = new_state();

		open_libs(L);
		if (load_string(L, script) || call(L) ||
		    strcmp(to_string(L, -1, NULL), version)) {
			fprintf(stderr, "theirs: %s (expected %s)\n",
				to_string(L, -1, NULL), version);
			exit(1);
		}
		close_state(L);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	void *theirs, *ours;
	const char *(*run_ours)(int turns);
	const char *trouble;
	pthread_t thread;

	if (argc != 4)
		return 2;
	theirs = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
	ours = dlopen(argv[2], RTLD_LAZY);
	if (!theirs || !ours) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	new_state = sym(theirs, "luaL_newstate");
	open_libs = sym(theirs, "luaL_openlibs");
	close_state = sym(theirs, "lua_close");
	load_string = sym(theirs, "luaL_loadstring");
	call_51 = dlsym(theirs, "lua_pcall");
	if (!call_51)
		call_52 = sym(theirs, "lua_pcallk");
	to_string = sym(theirs, "lua_tolstring");
	run_ours = sym(ours, "clash_run");
	pthread_create(&thread, NULL, run_theirs, argv[3]);
	trouble = run_ours(TURNS);
	pthread_join(thread, NULL);
	if (!trouble)
		return 0;
	fprintf(stderr, "ours: %s\n", trouble);
	return 1;
}
