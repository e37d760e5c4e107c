# SPDX-License-Identifier: GPL-2.0-or-later
# SFAB_LUA - find the Lua that runs sfabric.lua
#
# Sets LUA_CFLAGS, LUA_LIBS and the conditional HAVE_LUA.  5.4 first, then
# older ones; --with-lua=VERSION takes that one, --without-lua none.
AC_DEFUN([SFAB_LUA], [
  sfab_lua_summary=no
  AS_CASE([$with_lua], [no], [sfab_luas=], [yes], [sfab_luas="5.4 5.3 5.2 5.1"],
    [sfab_luas=$with_lua])
  for v in $sfab_luas; do
    for name in lua$v lua-$v; do
      AS_IF([test "x$sfab_lua_summary" = xno],
        [PKG_CHECK_EXISTS([$name], [
          PKG_CHECK_MODULES([LUA], [$name])
          sfab_lua_summary="Lua $v"])])
    done
  done
  AS_IF([test "x$with_lua" != xno && test "x$sfab_lua_summary" = xno],
    [AC_MSG_ERROR([Lua $sfab_luas not found (Debian: liblua5.4-dev); --without-lua builds without sfabric.lua])])
  AM_CONDITIONAL([HAVE_LUA], [test "x$sfab_lua_summary" != xno])
])
