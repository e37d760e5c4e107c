#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# lua.t - sfabric.lua means the same with every Lua that is installed
#
# lua/ and its unit test are compiled once more with each of 5.1 to 5.4.
#
# And two Luas do not meet in one process: Slurm's job_submit/lua opens its own
# before our plugin comes with another.
test_description='the policy with each Lua'
. "$(dirname "$0")/../lib/setup.sh"

fixtures=$SFAB_BUILDDIR/tests/unit/libunit.a
archives="$fixtures
$SFAB_BUILDDIR/io/libio.a $SFAB_BUILDDIR/core/libcore.a"

if ! pkg-config --exists check; then
	skip_all='Check is not installed'
	test_done
fi
test -f "$fixtures" || {
	echo "Bail out! no $fixtures (expected it to be built with the unit tests)"
	exit 1
}
if nm "$SFAB_BUILDDIR/io/libio.a" | grep -q __asan_init; then
	skip_all='a sanitizer build has other flags'
	test_done
fi

# build VERSION: the unit test with that Lua
build () {
	${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Wshadow \
		-Wno-unused-parameter -Werror \
		-iquote "$SFAB_SRCDIR" \
		$(pkg-config --cflags "lua$1" check) -o "policy-$1" \
		"$SFAB_SRCDIR/tests/unit/lua/test_script.c" \
		"$SFAB_SRCDIR"/lua/builtins.c "$SFAB_SRCDIR"/lua/script_hosts.c \
		"$SFAB_SRCDIR"/lua/script_job.c "$SFAB_SRCDIR"/lua/sandbox.c \
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

for version in 5.1 5.2 5.3 5.4; do
	name=RUN$(echo $version | tr -d .)
	command -v "lua$version" >/dev/null && test_set_prereq "$name"
	test_expect_success "$name" "job_submit_sfabric.lua with $version" "
		lua$version \"\$SFAB_SRCDIR/tests/lua/job_submit.lua\" \
			\"\$SFAB_SRCDIR/lua/job_submit_sfabric.lua\""
done

command -v luacheck >/dev/null && test_set_prereq LUACHECK
test_expect_success LUACHECK 'the Lua that we ship is clean' '
	luacheck -q --std min --globals glob number --read-globals slurm -- \
		"$SFAB_SRCDIR"/lua/*.lua "$SFAB_SRCDIR"/lua/examples/*.lua'

# plugin VERSION: our side as the Slurm plugin is linked
plugin () {
	${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -fPIC -shared \
		-fvisibility=hidden -Wno-unused-parameter \
		-iquote "$SFAB_SRCDIR" $(pkg-config --cflags "lua$1") -o "clash-$1.so" \
		"$SFAB_SRCDIR/tests/lua/clash_plugin.c" \
		"$SFAB_SRCDIR"/lua/builtins.c "$SFAB_SRCDIR"/lua/script_hosts.c \
		"$SFAB_SRCDIR"/lua/script_job.c "$SFAB_SRCDIR"/lua/sandbox.c \
		"$SFAB_SRCDIR"/lua/script.c "$SFAB_SRCDIR"/lua/value.c \
		$archives -Wl,--exclude-libs,ALL $(pkg-config --libs "lua$1")
}

test_expect_success 'the host that opens two Luas compiles' '
	${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -o clash \
		"$SFAB_SRCDIR/tests/lua/clash.c" -ldl -pthread'

for theirs in 5.1 5.4; do
	for ours in 5.1 5.2 5.3 5.4; do
		have=LUA$(echo "$theirs,LUA$ours" | tr -d .)
		test_expect_success "$have" \
			"$ours beside Slurm's $theirs" "
			plugin $ours &&
			./clash liblua$theirs.so.0 ./clash-$ours.so 'Lua $theirs'"
	done
done

test_done
