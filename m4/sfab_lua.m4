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
  AS_IF([test "x$sfab_lua_summary" != xno], [
    AC_MSG_CHECKING([whether liblua has symbol versions])
    sfab_lua_so=`set -- $LUA_LIBS; $CC -print-file-name="lib${1#-l}.so"`
    AS_IF([nm -D --with-symbol-versions "$sfab_lua_so" 2>/dev/null | grep 'lua_newstate@' >/dev/null],
      [AC_MSG_RESULT([yes])],
      [AC_MSG_RESULT([no])
       sfab_lua_summary="$sfab_lua_summary, without symbol versions"
       AC_MSG_WARN([liblua has no symbol versions: in slurmctld it must be the same liblua that job_submit/lua uses, or --without-lua])])])
  AM_CONDITIONAL([HAVE_LUA], [test "x$sfab_lua_summary" != xno])
])
