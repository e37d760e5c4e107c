# SPDX-License-Identifier: GPL-2.0-or-later
# setup.sh - what every sharness test (*.t) sources first
#
# make check sets SFAB_SRCDIR and SFAB_BUILDDIR.  Run by hand from the build
# directory a test finds them itself.  Trash directories and results go below
# tests/run of the build directory; "make clean" removes them.
if test -z "${SFAB_SRCDIR-}"; then
	SFAB_SRCDIR=$(cd "$(dirname "$0")" && pwd)
	while ! test -f "$SFAB_SRCDIR/configure.ac"; do
		SFAB_SRCDIR=$(dirname "$SFAB_SRCDIR")
	done
fi
: "${SFAB_BUILDDIR:=$(pwd)}"
SHARNESS_TEST_DIRECTORY=$SFAB_BUILDDIR/tests/run
export SFAB_SRCDIR SFAB_BUILDDIR SHARNESS_TEST_DIRECTORY
mkdir -p "$SHARNESS_TEST_DIRECTORY"

sharness=${SHARNESS:-/usr/share/sharness/sharness.sh}
if ! test -r "$sharness"; then
	echo "1..0 # SKIP $sharness is missing (Debian: sharness)"
	exit 0
fi
# a folder for each run: a test may run twice at once
run_folder=$SHARNESS_TEST_DIRECTORY/$$
set -- --root="$run_folder" "$@"
# a cluster that is kept needs the test's files too
test -z "${SFAB_TEST_KEEP-}" || set -- --debug "$@"
. "$sharness"
# what commands say goes to the log, not into the TAP that the driver reads
exec 3>&2 4>&2
PATH=$SFAB_BUILDDIR/tools:$PATH
sfabric=$SFAB_BUILDDIR/tools/sfabric
field=$SFAB_SRCDIR/tests/lib/field.py
# LUA: commands and the plugin run sfabric.lua
grep -qs '^LUA_LIBS = .' "$SFAB_BUILDDIR/Makefile" && test_set_prereq LUA

# at_exit COMMAND...: run this too when the test ends, however it ends
exit_commands=:
at_exit () {
	exit_commands="$*; $exit_commands"
}

# soon COMMAND...: it succeeds within half a minute
soon () {
	tries=600
	until "$@"; do
		tries=$((tries - 1))
		test $tries -gt 0 || return 1
		sleep 0.05
	done
}

leave_folder () {
	cd / && rmdir "$run_folder" 2>/dev/null
}

# A test whose reader was ended with it must end what it started all the same.
exiting=
trap 'code=$?; trap "" PIPE; exiting=yes; eval "$exit_commands"; leave_folder
	(exit $code); die' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 141' PIPE
trap 'exit 143' TERM
