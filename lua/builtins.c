/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * builtins.c - what a script may call; see sandbox.h
 *
 * Those of Lua's own functions whose work an instruction hook can bound, and a few replacements
 * for others: glob() and number() for patterns, a pairs() that visits keys in order, a
 * tostring() without addresses.
 */

#include "lua/sandbox.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX 1024		/* bytes of text for glob() and number() */
#define PATTERN_MAX 128	/* bytes */
#define STEP_BYTES 16		/* bytes of text per step charged */

/* -- glob and number ------------------------------------------------------ */

/*
 * Does the class after '[' contain @c?  Move *@pattern past the class.  As in a shell, a ']'
 * that comes first belongs to it.
 */
static int matches_class(const char **pattern, unsigned char c)
{
	const char *pos = *pattern;
	int is_negated = *pos == '!' || *pos == '^', found = 0, is_first = 1;

	for (pos += is_negated; *pos && (*pos != ']' || is_first); is_first = 0) {
		unsigned char low = (unsigned char) *pos++, high = low;

		if (pos[0] == '-' && pos[1] && pos[1] != ']') {
			high = (unsigned char) pos[1];
			pos += 2;
		}
		found |= low <= c && c <= high;
	}
	*pattern = *pos ? pos + 1 : pos;
	return found != is_negated;
}

/* Does the element at *@pattern match @c?  Move *@pattern past it. */
static int matches_element(const char **pattern, char c)
{
	char wanted = *(*pattern)++;

	if (wanted == '[')
		return matches_class(pattern, (unsigned char) c);
	return wanted == '?' || wanted == c;
}

/* Match the pattern, and backtrack only to the last '*': at most text x pattern steps. */
static int glob_match(const char *text, const char *pattern)
{
	const char *star = NULL, *retry = NULL;

	while (*text) {
		const char *next = pattern;

		if (*pattern == '*') {
			star = ++pattern;
			retry = text;
		} else if (*pattern && matches_element(&next, *text)) {
			pattern = next;
			text++;
		} else if (star) {
			pattern = star;
			text = ++retry;
		} else {
			return 0;
		}
	}
	pattern += strspn(pattern, "*");
	return !*pattern;
}

/*
 * Get a text of limited length: the hook counts instructions of Lua, and a C function is one of
 * them, however long it runs.
 */
static const char *short_text(lua_State *L, int arg, size_t max, size_t *n)
{
	const char *text = luaL_checklstring(L, arg, n);

	if (*n > max)
		luaL_error(L, "a string of %d bytes (expected at most %d)",
			   (int) *n, (int) max);
	return text;
}

/* Run glob(text, pattern): does the whole text match "*", "?", "[a-z]"? */
static int call_glob(lua_State *L)
{
	size_t n, k;
	const char *text = short_text(L, 1, TEXT_MAX, &n);
	const char *pattern = short_text(L, 2, PATTERN_MAX, &k);

	sandbox_charge(L, n * (k + 1) / STEP_BYTES);
	lua_pushboolean(L, glob_match(text, pattern));
	return 1;
}

/* Find the start of the next run of digits at or after @pos, NULL: none. */
static const char *next_digits(const char *pos)
{
	while (*pos && !isdigit((unsigned char) *pos))
		pos++;
	return *pos ? pos : NULL;
}

/* Run number(text [, which]): its first, second, ... (-1: last) number, or nil. */
static int call_number(lua_State *L)
{
	size_t n;
	const char *text = short_text(L, 1, TEXT_MAX, &n);
	lua_Integer which = luaL_optinteger(L, 2, 1), count = 0;
	const char *pos;

	sandbox_charge(L, n / STEP_BYTES);
	for (pos = text; which < 0 && (pos = next_digits(pos)); count++)
		pos += strspn(pos, "0123456789");
	if (which < 0)
		which += count + 1;
	for (pos = text; (pos = next_digits(pos)) && --which != 0;)
		pos += strspn(pos, "0123456789");
	if (pos)
		lua_pushinteger(L, (lua_Integer) strtoul(pos, NULL, 10));
	else
		lua_pushnil(L);
	return 1;
}

/* -- pairs and tostring --------------------------------------------------- */

/* Compare the keys at stack indices @a and @b: numbers come first, then strings. */
static int is_key_less(lua_State *L, int a, int b)
{
	int a_text = lua_type(L, a) == LUA_TSTRING;
	int b_text = lua_type(L, b) == LUA_TSTRING;

	if (a_text != b_text)
		return b_text;
	if (a_text)
		return strcmp(lua_tostring(L, a), lua_tostring(L, b)) < 0;
	return lua_tonumber(L, a) < lua_tonumber(L, b);
}

/*
 * Move the last of @n keys of the list at @list into place, as insertion sort does.  The list
 * is short in practice, and what a long one costs is charged.
 */
static void sink_key(lua_State *L, int list, int n)
{
	int low = 1, high = n;	/* its position is in low..high */

	lua_rawgeti(L, list, n);
	while (low < high) {
		int middle = (low + high) / 2;

		lua_rawgeti(L, list, middle);
		if (is_key_less(L, -2, -1))
			high = middle;
		else
			low = middle + 1;
		lua_pop(L, 1);
	}
	sandbox_charge(L, (size_t) (n - low) / 4 + 4);
	for (int i = n; i > low; i--) {
		lua_rawgeti(L, list, i - 1);
		lua_rawseti(L, list, i);
	}
	lua_rawseti(L, list, low);
}

/* Return the next pair.  Upvalues: table, list of its keys, index in the list. */
static int next_pair(lua_State *L)
{
	lua_Integer i = lua_tointeger(L, lua_upvalueindex(3)) + 1;

	lua_pushinteger(L, i);
	lua_replace(L, lua_upvalueindex(3));
	lua_rawgeti(L, lua_upvalueindex(2), (int) i);
	if (lua_isnil(L, -1))
		return 1;
	lua_pushvalue(L, -1);
	lua_rawget(L, lua_upvalueindex(1));
	return 2;
}

/*
 * Run pairs(table), in order of the keys, which must be numbers or strings.  A script must give
 * the same answer each time, and Lua's own order of keys depends on addresses and history.
 */
static int ordered_pairs(lua_State *L)
{
	int n = 0;

	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 1);
	lua_newtable(L);
	for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
		int type = lua_type(L, -2);

		if (type != LUA_TNUMBER && type != LUA_TSTRING)
			return luaL_error(L, "a key that is a %s (expected a "
					  "number or a string)",
					  lua_typename(L, type));
		lua_pushvalue(L, -2);
		lua_rawseti(L, 2, ++n);
		sink_key(L, 2, n);
	}
	lua_pushinteger(L, 0);
	lua_pushcclosure(L, next_pair, 3);
	return 1;
}

/*
 * Run tostring() without addresses of tables, which Lua's own shows and which differ from run
 * to run.
 */
static int plain_tostring(lua_State *L)
{
	luaL_checkany(L, 1);
	switch (lua_type(L, 1)) {
	case LUA_TNUMBER:
	case LUA_TSTRING:
		lua_settop(L, 1);
		lua_tostring(L, 1);
		break;
	case LUA_TBOOLEAN:
		lua_pushstring(L, lua_toboolean(L, 1) ? "true" : "false");
		break;
	default:
		lua_pushstring(L, luaL_typename(L, 1));
	}
	return 1;
}

/* -- the globals ---------------------------------------------------------- */

static const char *const base_names[] = {
	"assert", "error", "ipairs", "select", "tonumber", "type", NULL
};
static const char *const math_names[] = {
	"abs", "ceil", "floor", "fmod", "huge", "max", "min", NULL
};
static const char *const string_names[] = {
	"byte", "char", "len", "lower", "sub", "upper", NULL
};
static const struct {
	const char *name;
	lua_CFunction f;
} replacements[] = {
    {"glob", call_glob},
    {"number", call_number},
    {"pairs", ordered_pairs},
    {"tostring", plain_tostring},
};

/* Open a library, and leave a table with its allowed functions on the stack. */
static void open_part(lua_State *L, lua_CFunction open, const char *name,
		      const char *const *allowed)
{
	int top = lua_gettop(L);

	lua_newtable(L);
	lua_pushcfunction(L, open);
	lua_pushstring(L, name);
	lua_call(L, 1, 1);
	for (; *allowed; allowed++) {
		lua_getfield(L, -1, *allowed);
		lua_setfield(L, top + 1, *allowed);
	}
	lua_settop(L, top + 1);
}

/* Refuse to assign to a protected table.  Upvalue 1 is its name, "" for the globals. */
static int refuse_assignment(lua_State *L)
{
	const char *library = lua_tostring(L, lua_upvalueindex(1));
	const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) :
							   "?";

	if (*library)
		return luaL_error(L, "assignment to %s.%s (expected none: %s is "
				  "read-only)", library, name, library);
	if (lua_type(L, 3) == LUA_TFUNCTION)
		return luaL_error(L, "global function %s (expected local, or in the "
				  "table that the script returns: return { %s = "
				  "function (x) ... end })", name, name);
	return luaL_error(L, "global variable %s (expected local)", name);
}

/*
 * Hide the table on top behind an empty proxy that refuses assignments.  @library is its name,
 * "" for the globals.
 */
static void protect_table(lua_State *L, const char *library)
{
	lua_newtable(L);
	lua_newtable(L);
	lua_pushvalue(L, -3);
	lua_setfield(L, -2, "__index");
	lua_pushstring(L, library);
	lua_pushcclosure(L, refuse_assignment, 1);
	lua_setfield(L, -2, "__newindex");
	lua_setmetatable(L, -2);
	lua_remove(L, -2);
}

/* Open nothing that reads files, the clock or random numbers, or loads code. */
void sandbox_open_builtins(lua_State *L)
{
	int globals, string;

	open_part(L, luaopen_base, "", base_names);
	globals = lua_gettop(L);
	for (size_t i = 0; i < sizeof(replacements) / sizeof(replacements[0]); i++) {
		lua_pushcfunction(L, replacements[i].f);
		lua_setfield(L, globals, replacements[i].name);
	}
	open_part(L, luaopen_math, "math", math_names);
	protect_table(L, "math");
	lua_setfield(L, globals, "math");
	open_part(L, luaopen_string, "string", string_names);
	protect_table(L, "string");
	/* ("text"):lower() finds the allowed functions of string and no others. */
	string = lua_gettop(L);
	lua_pushstring(L, "");
	lua_newtable(L);
	lua_pushvalue(L, string);
	lua_setfield(L, -2, "__index");
	lua_setmetatable(L, -2);
	lua_pop(L, 1);
	lua_setfield(L, globals, "string");
	protect_table(L, "");
	compat_set_globals(L);
}
