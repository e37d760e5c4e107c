#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# lua.t - sfabric.lua means the same with every Lua that is installed
#
# lua/ and its unit test are compiled once more with each of 5.1 to 5.4.
test_description='the policy with each Lua'
. "$(dirname "$0")/lib/setup.sh"

archives="$SFAB_BUILDDIR/tests/unit/.libs/libmade.a
$SFAB_BUILDDIR/io/.libs/libio.a $SFAB_BUILDDIR/core/.libs/libcore.a"

if ! pkg-config --exists check ||
   ! test -f "$SFAB_BUILDDIR/tests/unit/.libs/libmade.a"; then
	skip_all='Check is not installed'
	test_done
fi
if nm "$SFAB_BUILDDIR/io/.libs/libio.a" | grep -q __asan_init; then
	skip_all='a sanitizer build has other flags'
	test_done
fi

# build VERSION: the unit test with that Lua
build () {
	${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Wshadow \
		-Wno-unused-parameter -Werror \
		$(pkg-config --cflags "lua$1" check) -o "policy-$1" \
		"$SFAB_SRCDIR/tests/unit/test_policy.c" \
		"$SFAB_SRCDIR"/lua/builtins.c "$SFAB_SRCDIR"/lua/hosts.c \
		"$SFAB_SRCDIR"/lua/job.c "$SFAB_SRCDIR"/lua/sandbox.c \
		"$SFAB_SRCDIR"/lua/script.c "$SFAB_SRCDIR"/lua/value.c \
		$archives $(pkg-config --libs "lua$1" check) -lm -pthread
}

for version in 5.1 5.2 5.3 5.4; do
	name=$(echo LUA$version | tr -d .)
	pkg-config --exists "lua$version" && test_set_prereq "$name"
	test_expect_success "$name" "compiles with $version" '
		build '$version
	test_expect_success "$name" "decides the same with $version" "
		./policy-$version >out || { grep ^not out; false; }"
done

test_done
