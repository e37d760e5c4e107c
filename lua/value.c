/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value.c - values to and from functions of a script; see value.h
 *
 * Readers look at the top of the stack and end by luaL_error(), which jumps out of the C code:
 * none of them may hold memory that Lua does not own.
 *
 * Types are asked with lua_type() and not with lua_isnumber() or lua_isstring(), which also
 * take what could be converted: "5" is no number here.
 */

#include "lua/value.h"

#include <stdio.h>
#include <string.h>

void value_set_text(lua_State *L, const char *key, const char *text)
{
	if (!text)
		return;
	lua_pushstring(L, text);
	lua_setfield(L, -2, key);
}

void value_set_number(lua_State *L, const char *key, double number)
{
	lua_pushinteger(L, (lua_Integer) number);
	lua_setfield(L, -2, key);
}

/* Check the key, which is below the value, as lua_next() leaves them. */
static void check_key(lua_State *L, const char *what, const char *const *known)
{
	char list[120];
	size_t size = sizeof(list);
	size_t n = 0;

	if (lua_type(L, -2) == LUA_TSTRING)
		for (int i = 0; known[i]; i++)
			if (strcmp(lua_tostring(L, -2), known[i]) == 0)
				return;
	for (int k = 0; known[k] && n < size; k++)
		n += (size_t) snprintf(list + n, size - n, "%s%s", k ? "|" : "",
				       known[k]);
	luaL_error(L, "%s: unknown key \"%s\" (expected %s)", what,
		   lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) :
						    luaL_typename(L, -2),
		   list);
}

int value_is_table(lua_State *L, const char *what, const char *const *known)
{
	if (lua_isnil(L, -1))
		return 0;
	if (lua_type(L, -1) != LUA_TTABLE)
		luaL_error(L, "%s: a %s (expected a table or nil)", what,
			   luaL_typename(L, -1));
	for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
		check_key(L, what, known);
	return 1;
}

int value_push_field(lua_State *L, const char *key)
{
	lua_getfield(L, -1, key);
	if (!lua_isnil(L, -1))
		return 1;
	lua_pop(L, 1);
	return 0;
}

/* Borrow the text from the stack.  A NUL would let a text look like another. */
const char *value_text(lua_State *L, const char *what, const char *key)
{
	if (lua_type(L, -1) != LUA_TSTRING)
		luaL_error(L, "%s: %s is a %s (expected a string)", what, key,
			   luaL_typename(L, -1));
	if (strlen(lua_tostring(L, -1)) != compat_length(L, -1))
		luaL_error(L, "%s: %s has a NUL byte", what, key);
	return lua_tostring(L, -1);
}

/* Borrow the text: as long as the table is on the stack it holds it. */
const char *value_text_field(lua_State *L, const char *what, const char *key)
{
	const char *text = NULL;

	if (value_push_field(L, key)) {
		text = value_text(L, what, key);
		lua_pop(L, 1);
	}
	return text;
}

int value_number_field(lua_State *L, const char *what, const char *key, double min,
		       double max, double *number)
{
	char text[80];

	if (!value_push_field(L, key))
		return 0;
	if (lua_type(L, -1) != LUA_TNUMBER)
		luaL_error(L, "%s: %s is a %s (expected a number)", what, key,
			   luaL_typename(L, -1));
	*number = lua_tonumber(L, -1);
	lua_pop(L, 1);
	if (*number >= min && *number <= max)
		return 1;
	/* lua_pushfstring(), which luaL_error() uses, has no %g. */
	snprintf(text, sizeof(text), "%g (expected %g to %g)", *number, min, max);
	return luaL_error(L, "%s: %s is %s", what, key, text);
}
