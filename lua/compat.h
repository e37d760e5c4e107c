/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat.h - where Lua 5.1 to 5.4 differ; nothing else may ask for a version */
#ifndef SFAB_LUA_COMPAT_H
#define SFAB_LUA_COMPAT_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#if LUA_VERSION_NUM >= 502
#define compat_length(L, i) lua_rawlen(L, i)
#define compat_load(L, read, data, name, mode) \
	lua_load(L, read, data, name, mode)
#else
#define compat_length(L, i) lua_objlen(L, i)
#define compat_load(L, read, data, name, mode) lua_load(L, read, data, name)
#endif

#if LUA_VERSION_NUM >= 503
#define compat_dump(L, write, data) lua_dump(L, write, data, 0)
#else
#define compat_dump(L, write, data) lua_dump(L, write, data)
#endif

#if LUA_VERSION_NUM >= 505
#define compat_newstate(alloc, data) lua_newstate(alloc, data, 0)
#else
#define compat_newstate(alloc, data) lua_newstate(alloc, data)
#endif

/* Call @f(@data) in protected mode; on error the message is on the stack. */
static inline int compat_protect(lua_State *L, lua_CFunction f, void *data)
{
#if LUA_VERSION_NUM >= 502
	lua_pushcfunction(L, f);
	lua_pushlightuserdata(L, data);
	return lua_pcall(L, 1, 0, 0);
#else
	return lua_cpcall(L, f, data);
#endif
}

/* Pop the table on top of the stack, and make it the table of globals. */
static inline void compat_set_globals(lua_State *L)
{
#if LUA_VERSION_NUM >= 502
	lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
#else
	lua_replace(L, LUA_GLOBALSINDEX);
#endif
}

#endif
