# SPDX-License-Identifier: GPL-2.0-or-later
# SFAB_SLURM - find the configured Slurm source and the stock plugin
#
# Sets SLURM_SOURCE, SLURM_PLUGINDIR, SLURM_VERSION and the conditional
# HAVE_SLURM.  A plugin that was asked for and cannot be built is an error.
AC_DEFUN([SFAB_SLURM], [
  sfab_slurm_summary="not built (--with-slurm-source)"
  AS_IF([test "x$with_slurm_source" != xno], [
    SLURM_SOURCE="$with_slurm_source"
    AS_IF([test -f "$SLURM_SOURCE/slurm/slurm_version.h"], [],
      [AC_MSG_ERROR([$SLURM_SOURCE/slurm/slurm_version.h is missing: --with-slurm-source needs a configured source tree])])
    SLURM_SOURCE=`cd "$SLURM_SOURCE" && pwd`
    SLURM_PLUGINDIR="$with_slurm_plugindir"
    AS_IF([test "x$SLURM_PLUGINDIR" = x], [
      for d in /usr/lib/*/slurm-wlm /usr/lib64/slurm /usr/lib/slurm /opt/slurm/lib/slurm; do
        AS_IF([test -f "$d/select_cons_tres.so"], [SLURM_PLUGINDIR="$d"; break])
      done])
    AS_IF([test -f "$SLURM_PLUGINDIR/select_cons_tres.so"], [],
      [AC_MSG_ERROR([select_cons_tres.so not found in "$SLURM_PLUGINDIR": give --with-slurm-plugindir])])
    SLURM_VERSION=`sed -n 's/^#define SLURM_VERSION_NUMBER //p' "$SLURM_SOURCE/slurm/slurm_version.h"`
    sfab_slurm_summary="$SLURM_VERSION from $SLURM_SOURCE over $SLURM_PLUGINDIR"
  ])
  AC_SUBST([SLURM_SOURCE])
  AC_SUBST([SLURM_PLUGINDIR])
  AM_CONDITIONAL([HAVE_SLURM], [test "x$with_slurm_source" != xno])
])
