/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value.h - values to and from functions of a script
 *
 * To be called inside sandbox_run(): a wrong value raises an error of Lua.
 */
#ifndef SFAB_LUA_VALUE_H
#define SFAB_LUA_VALUE_H

#include "lua/sandbox.h"

/* Set a field of the table on top; a NULL string is skipped. */
void value_set_text(lua_State *L, const char *key, const char *text);
void value_set_number(lua_State *L, const char *key, double number);

/*
 * 1: the answer on top of the stack is a table; 0: it is nil.  Anything else, and a key that is
 * not in @known (ends with NULL), raises an error that begins with @what ("job").
 */
int value_is_table(lua_State *L, const char *what, const char *const *known);

/* Push field @key of the table on top.  0: it is nil, and nothing is pushed. */
int value_push_field(lua_State *L, const char *key);

/* Return the string on top.  @what and @key identify it in errors. */
const char *value_text(lua_State *L, const char *what, const char *key);

/* Return field @key of the table on top, a string that lives as long as the table.  NULL: nil. */
const char *value_text_field(lua_State *L, const char *what, const char *key);
/*
 * 1: *@number is field @key of the table on top, between @min and @max; 0: it is nil, and
 * *@number stays as it was.
 */
int value_number_field(lua_State *L, const char *what, const char *key, double min,
		       double max, double *number);

#endif
