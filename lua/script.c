/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * script.c - a checked and compiled sfabric.lua; see script.h
 *
 * The source is compiled once.  Each question then runs the bytecode in a fresh interpreter, so
 * that a script keeps nothing from one job to the next: the answer depends on the question
 * alone, can be remembered (place/request/script_cache.h), and is the same in a preview.
 */

#include "lua/script_private.h"

#include <stdlib.h>
#include <string.h>

#include "core/resize.h"
#include "lua/value.h"

#define SOURCE "=?"		/* sandbox.c replaces it with the name */

static const char *const known_keys[] = { "host", "io_sets", "job", NULL };

const char *sfab_script_language(void)
{
	return LUA_VERSION;
}

/* -- text -> code --------------------------------------------------------- */

/* What is left for Lua's reader, which gets all of it at once. */
struct script_text {
	const char *text;
	size_t size;
};

static const char *read_chunk(lua_State *L, void *data, size_t *size)
{
	struct script_text *text = data;

	*size = text->size;
	text->size = 0;
	return text->text;
}

/* Append a part of the code.  1 ends the dump: no memory. */
static int write_code(lua_State *L, const void *part, size_t size, void *data)
{
	struct sfab_script *s = data;

	if (sfab_resize(&s->code, s->size + size, 1) < 0)
		return 1;
	memcpy(s->code + s->size, part, size);
	s->size += size;
	return 0;
}

struct script_source {
	struct sfab_script *script;
	struct script_text text;
};

static int compile_script(lua_State *L)
{
	struct script_source *source = lua_touserdata(L, 1);

	if (compat_load(L, read_chunk, &source->text, SOURCE, "t"))
		return lua_error(L);
	if (compat_dump(L, write_code, source->script))
		return luaL_error(L, "out of memory");
	return 0;
}

/* Run the script once: it must return a table with known keys of the right types. */
static int try_out(lua_State *L)
{
	static const int type[] = { LUA_TFUNCTION, LUA_TTABLE, LUA_TFUNCTION };

	script_push(L, lua_touserdata(L, 1));
	value_is_table(L, "the script's table", known_keys);
	for (int i = 0; known_keys[i]; i++) {
		if (value_push_field(L, known_keys[i]) && lua_type(L, -1) != type[i])
			return luaL_error(L, "%s is a %s (expected a %s)",
					  known_keys[i], luaL_typename(L, -1),
					  lua_typename(L, type[i]));
		lua_settop(L, 2);
	}
	return 0;
}

int script_run(const struct sfab_script *s, const struct sandbox_limits *limits,
	       lua_CFunction f, void *data, struct sfab_err *err)
{
	struct sandbox sb;
	int rc;

	if (sandbox_open(&sb, limits, s->name, err) < 0)
		return -1;
	rc = sandbox_run(&sb, f, data, err);
	sandbox_close(&sb);
	return rc;
}

struct sfab_script *sfab_script_parse(const char *text, size_t size,
				      const char *name, struct sfab_err *err)
{
	struct sfab_script *s;
	struct script_source source = {.text = {text, size}};

	if (size > SFAB_SCRIPT_SIZE_MAX) {
		sfab_fail(err, SFAB_ELIMIT, "%s: %zu bytes (expected at "
			  "most %u)", name, size, SFAB_SCRIPT_SIZE_MAX);
		return NULL;
	}
	/* Lua does not verify bytecode: it could crash slurmctld. */
	if (size && *text == '\033') {
		sfab_fail(err, SFAB_EFORMAT, "%s:1: compiled Lua (expected "
			  "Lua source)", name);
		return NULL;
	}
	s = calloc(1, sizeof(*s));
	if (s)
		s->name = strdup(name);
	if (!s || !s->name) {
		sfab_script_destroy(s);
		sfab_fail(err, SFAB_ENOMEM, "%s: out of memory", name);
		return NULL;
	}
	source.script = s;
	if (script_run(s, &sandbox_all_hosts, compile_script, &source, err) == 0 &&
	    script_run(s, &sandbox_one_job, try_out, s, err) == 0)
		return s;
	sfab_script_destroy(s);
	return NULL;
}

/* Limit the size here, whatever the caller trusts. */
struct sfab_script *sfab_script_load(const char *path,
				     const struct sfab_trust *trust,
				     struct sfab_err *err)
{
	struct sfab_trust small = trust ? *trust : (struct sfab_trust){ 0 };
	struct sfab_script *s;
	uint8_t *text;
	size_t size;

	small.max_size = SFAB_SCRIPT_SIZE_MAX;
	if (sfab_file_read(path, &small, &text, &size, err) < 0)
		return NULL;
	s = sfab_script_parse((const char *) text, size, path, err);
	free(text);
	return s;
}

void sfab_script_destroy(struct sfab_script *s)
{
	if (!s)
		return;
	free(s->name);
	free(s->code);
	free(s);
}

/* Compare name and compiled code. */
int sfab_script_is_same(const struct sfab_script *a, const struct sfab_script *b)
{
	return strcmp(a->name, b->name) == 0 && a->size == b->size &&
	       memcmp(a->code, b->code, a->size) == 0;
}

/* -- code -> its table ---------------------------------------------------- */

/* Run the code in each new sandbox, since nothing is kept between questions. */
void script_push(lua_State *L, const struct sfab_script *s)
{
	struct script_text code = {s->code, s->size};

	if (compat_load(L, read_chunk, &code, SOURCE, "b"))
		lua_error(L);
	lua_call(L, 0, 1);
	if (lua_type(L, -1) != LUA_TTABLE)
		luaL_error(L, "the script returns a %s (expected a table with "
			   "host, job or io_sets)", luaL_typename(L, -1));
}

int script_push_function(lua_State *L, const char *name)
{
	lua_Debug what;

	if (!value_push_field(L, name))
		return 0;
	lua_pushvalue(L, -1);
	lua_getinfo(L, ">S", &what);
	sandbox_of(L)->line = what.linedefined;
	return 1;
}
