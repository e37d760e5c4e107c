# SPDX-License-Identifier: GPL-2.0-or-later
# SFAB_TSAN - flags for the one test that looks for data races
#
# Sets TSAN_FLAGS, empty where the compiler has no thread sanitizer, where its
# programs do not run (some kernels' address layout) or in a sanitizer build.
AC_DEFUN([SFAB_TSAN], [
  AC_CACHE_CHECK([for a thread sanitizer that runs], [sfab_cv_tsan], [
    sfab_save_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS -fsanitize=thread"
    AC_RUN_IFELSE([AC_LANG_PROGRAM([], [])],
      [sfab_cv_tsan=yes], [sfab_cv_tsan=no], [sfab_cv_tsan=no])
    CFLAGS=$sfab_save_CFLAGS])
  AS_IF([test "x$sfab_cv_tsan" = xyes && test "x$enable_sanitizers" != xyes],
    [TSAN_FLAGS=-fsanitize=thread])
  AC_SUBST([TSAN_FLAGS])
])
