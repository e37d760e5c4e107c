# SPDX-License-Identifier: GPL-2.0-or-later
# libpolicy: the site's sfabric.lua; slurmctld's hook and the command use it
lua_link = lua/libpolicy.a $(io_link) $(LUA_LIBS)
noinst_LIBRARIES += lua/libpolicy.a
lua_libpolicy_a_CFLAGS = $(AM_CFLAGS) $(LUA_CFLAGS)
lua_sources = \
	lua/builtins.c \
	lua/compat.h \
	lua/sandbox.c \
	lua/sandbox.h \
	lua/script.c \
	lua/script.h \
	lua/script_hosts.c \
	lua/script_job.c \
	lua/script_private.h \
	lua/value.c \
	lua/value.h
if HAVE_LUA
lua_libpolicy_a_SOURCES = $(lua_sources)
EXTRA_DIST += lua/script_none.c
else
lua_libpolicy_a_SOURCES = lua/script_none.c lua/script.h
EXTRA_DIST += $(lua_sources)
endif

dist_pkgdata_DATA = lua/job_submit_sfabric.lua
luaexampledir = $(docdir)/examples
dist_luaexample_DATA = \
	lua/examples/ai-rails.lua \
	lua/examples/lustre-lnet.lua \
	lua/examples/sensitivity.lua \
	lua/examples/two-planes.lua
