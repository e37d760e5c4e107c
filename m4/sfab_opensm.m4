# SPDX-License-Identifier: GPL-2.0-or-later
# SFAB_OPENSM - headers of the OpenSM that the event plugin is for
#
# --with-opensm=auto|yes|no|DIR, DIR the folder that has opensm/ and complib/.
# Sets OPENSM_CPPFLAGS and the conditional HAVE_OPENSM.  OpenSM loads a plugin
# only if it was built with the headers of exactly its own version.
AC_DEFUN([SFAB_OPENSM], [
  AC_ARG_WITH([opensm],
    AS_HELP_STRING([--with-opensm=DIR],
      [headers of OpenSM, for its event plugin (default: auto)]),
    [], [with_opensm=auto])
  sfab_opensm_summary="no (--without-opensm)"
  have_opensm=no
  AS_IF([test "x$with_opensm" != xno], [
    AS_CASE([$with_opensm],
      [auto|yes], [sfab_opensm_dir=/usr/include/infiniband],
      [sfab_opensm_dir="$with_opensm"])
    sfab_save_CPPFLAGS="$CPPFLAGS"
    sfab_save_LIBS="$LIBS"
    OPENSM_CPPFLAGS="-isystem $sfab_opensm_dir -DOSM_VENDOR_INTF_OPENIB"
    CPPFLAGS="$CPPFLAGS $OPENSM_CPPFLAGS"
    AC_CHECK_HEADER([opensm/osm_event_plugin.h], [have_opensm=yes], [],
      [#include <stdint.h>])
    AS_IF([test $have_opensm = yes],
      [AC_CHECK_LIB([opensm], [osm_log], [], [have_opensm=no], [-losmcomp])])
    CPPFLAGS="$sfab_save_CPPFLAGS"
    LIBS="$sfab_save_LIBS"
    AS_IF([test $have_opensm = yes], [
      sfab_opensm_summary=`sed -n 's/^#define OSM_VERSION "\(.*\)"/\1/p' "$sfab_opensm_dir/opensm/osm_version.h"`
    ], [test "x$with_opensm" = xauto], [
      sfab_opensm_summary="no (Debian: libopensm-dev)"
    ], [AC_MSG_ERROR([no usable OpenSM headers and library in $sfab_opensm_dir (Debian: libopensm-dev)])])
  ])
  AC_SUBST([OPENSM_CPPFLAGS])
  AM_CONDITIONAL([HAVE_OPENSM], [test $have_opensm = yes])
])
