#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# quickstart.t - the parts of quickstart that decide something
test_description='quickstart counts, lists and derives what it should'
. "$(dirname "$0")/lib/setup.sh"
parts=$SFAB_SRCDIR/etc/quickstart

# results NAME RESULT...: a result file as automake writes it
results () {
	mkdir -p results
	name=$1
	shift
	printf ':test-result: %s point\n' "$@" >"results/$name.trs"
	echo ':global-test-result: PASS' >>"results/$name.trs"
}

test_expect_success 'results of all files are summed' '
	results a PASS PASS SKIP &&
	results b PASS XFAIL &&
	"$parts/count" results >line &&
	echo "4 passed, 0 failed, 1 skipped" >expect &&
	test_cmp expect line'

test_expect_success 'a failure of any kind fails' '
	results c PASS FAIL XPASS ERROR &&
	test_must_fail "$parts/count" results >line &&
	echo "5 passed, 3 failed, 1 skipped" >expect &&
	test_cmp expect line'

test_expect_success 'no test at all is a failure' '
	mkdir empty &&
	test_must_fail "$parts/count" empty >line &&
	echo "0 passed, 0 failed, 0 skipped" >expect &&
	test_cmp expect line'

test_expect_success 'only skipped tests are a failure' '
	rm -r results &&
	results d SKIP SKIP &&
	test_must_fail "$parts/count" results'

# a_test NAME: what it does is read from stdin
a_test () {
	{ echo "#!/bin/sh"; cat; } >"$1" && chmod +x "$1"
}
limit=$SFAB_SRCDIR/tests/limit

test_expect_success 'a test that hangs is ended, may clean up, and is named' '
	a_test hangs <<-END &&
	trap "echo cleaned; exit 143" TERM
	sleep 1000
	END
	test_expect_code 124 env SFAB_TEST_LIMIT=1 "$limit" ./hangs >said 2>err &&
	printf "%s\n" cleaned "Bail out! ./hangs had not ended after 1 s" >expect &&
	test_cmp expect said'

test_expect_success 'what a test leaves behind keeps nobody waiting' '
	a_test leaves <<-END &&
	sleep 1000 &
	exit 7
	END
	{ "$limit" ./leaves; echo $? >code; } | timeout 60 cat &&
	test "$(cat code)" -eq 7'

test_expect_success 'source packages come from where the binaries come' '
	mkdir -p etc/sources.list.d &&
	cat >etc/sources.list <<-END &&
	deb [arch=amd64] http://mirror.example/debian bookworm main
	# deb http://mirror.example/off bookworm main
	deb-src http://mirror.example/debian bookworm main
	END
	echo "deb http://mirror.example/more trixie main" \
		>etc/sources.list.d/more.list &&
	cat >etc/sources.list.d/site.sources <<-END &&
	Types: deb
	URIs: http://mirror.example/site
	Suites: bookworm
	Signed-By: /keys/site.gpg

	Types: deb deb-src
	Enabled: no
	URIs: http://mirror.example/off
	END
	"$parts/apt-sources" etc to &&
	cat >list <<-END &&
	deb-src [arch=amd64] http://mirror.example/debian bookworm main
	deb-src http://mirror.example/more trixie main
	END
	test_cmp list to/machine.list &&
	sed "s/^Types:.*/Types: deb-src/" etc/sources.list.d/site.sources \
		>expect &&
	test_cmp expect to/site.sources'

test_expect_success 'each package has a class and a reason, once' '
	grep -v "^#" "$parts/packages.list" | grep . >list &&
	! grep -Evn "^(need|want|deb|root|tree) [a-z0-9.+-]+ +[^ ].*" list &&
	grep -v "^deb" list | awk "{ print \$2 }" | sort | uniq -d >twice &&
	test_must_be_empty twice'

test_expect_success 'an unknown Slurm is said' '
	test_must_fail "$parts/debian-root" 1.0 "$PWD/other" 2>err &&
	grep "found 1.0, expected 22.05 or 24.11" err &&
	! test -e other'

# A tree that is built as Slurm is, in a second.  It counts how often.
fake=$(mktemp -d "${TMPDIR:-/tmp}/sfabric-fake.XXXXXX")
at_exit "rm -rf '$fake'"
SFAB_SLURM_CACHE=$fake/cache
export SFAB_SLURM_CACHE
fake_tree () {
	mkdir -p "$fake/slurm-99.1.2/src" "$fake/slurm-99.1.2/slurm" &&
	printf '  Major:\t99\n  Version:\t99.1.2\n' >"$fake/slurm-99.1.2/META" &&
	cat >"$fake/slurm-99.1.2/configure" <<-\END &&
	#!/bin/sh
	for option; do
		case $option in
		--prefix=*) prefix=${option#*=} ;;
		--with-oops) echo "configure: error: no oops here" >&2; exit 1 ;;
		esac
	done
	echo "$*" >slurm/slurm_version.h
	printf 'all:\ninstall:\n\tmkdir -p %s/sbin; cp slurmctld.c %s/sbin\n' \
		"$prefix" "$prefix" >src/Makefile
	END
	chmod +x "$fake/slurm-99.1.2/configure" &&
	echo "int a;" >"$fake/slurm-99.1.2/src/slurmctld.c"
}
tree () {
	"$parts/slurm-tree" "$@" >out 2>err && prefix=$(tail -n 1 out)
}

test_expect_success 'a tree of Slurm is built outside of it, and only once' '
	fake_tree && tree "$fake/slurm-99.1.2" &&
	test "$prefix" = "$fake/cache/slurm-99.1.2" &&
	grep "building Slurm 99.1.2 in $prefix, once: about [0-9]* minutes" err &&
	test -f "$prefix/sbin/slurmctld.c" &&
	grep -- "--prefix=$prefix .*--enable-multiple-slurmd" \
		"$prefix/source/slurm/slurm_version.h" &&
	test ! -e "$fake/slurm-99.1.2/slurm/slurm_version.h" &&
	tree "$fake/slurm-99.1.2" && test_must_be_empty err'

test_expect_success 'another source or other options build it again' '
	echo "int b;" >"$fake/slurm-99.1.2/src/slurmctld.c" &&
	tree "$fake/slurm-99.1.2" && grep "is built:" err &&
	grep b "$prefix/sbin/slurmctld.c" &&
	SFAB_SLURM_CONFIGURE=--with-munge=/opt tree "$fake/slurm-99.1.2" &&
	grep "is built:" err'

test_expect_success 'a tarball will do' '
	tar -C "$fake" -czf "$fake/slurm.tar.gz" slurm-99.1.2 &&
	tree "$fake/slurm.tar.gz" && grep "is built:" err &&
	test "$prefix" = "$fake/cache/slurm-99.1.2" &&
	tree "$fake/slurm.tar.gz" && test_must_be_empty err'

test_expect_success 'a build that fails says why in a line, and is tried again' '
	for turn in 1 2; do
		SFAB_SLURM_CONFIGURE=--with-oops \
			test_must_fail tree "$fake/slurm.tar.gz" &&
		tail -n 1 err >said &&
		echo "quickstart: Slurm 99.1.2 was not built: configure: error:" \
			"no oops here (all of it: $fake/cache/slurm-99.1.2.log)" \
			>expect && test_cmp expect said || return 1
	done'

test_expect_success 'what is no tree of Slurm is said' '
	mkdir "$fake/none" && test_must_fail tree "$fake/none" &&
	grep "none is not the source of Slurm (found no META" err &&
	test_must_fail tree "$fake/nothing" &&
	grep "nothing: no such file or folder" err &&
	test_expect_code 2 "$SFAB_SRCDIR/quickstart" test --slurm-tree &&
	test_expect_code 2 "$SFAB_SRCDIR/quickstart" case --slurm-tree x'

test_expect_success 'published cases are listed, an unknown one is refused' '
	"$SFAB_SRCDIR/quickstart" case >list && grep "^wolf - LANL Wolf: " list &&
	test_expect_code 2 "$SFAB_SRCDIR/quickstart" case nothing 2>err &&
	grep "there is no case nothing" err'

test_expect_success 'a case empties no folder of others' '
	mkdir mine && touch mine/precious &&
	test_must_fail "$SFAB_SRCDIR/etc/cases/run" "$SFAB_BUILDDIR" wolf mine &&
	test -e mine/precious'

test_expect_success 'an unknown word is a usage error' '
	for words in nonsense "test nonsense" "test all --slurm" "all"; do
		test_expect_code 2 "$SFAB_SRCDIR/quickstart" $words 2>err &&
		grep "^usage: ./quickstart" err || return 1
	done'

# step NAME COMMAND...: in a shell of its own, with its times here
step () {
	logs=$PWD sh -c '. "$1/lib.sh"; shift; step "$@"' sh "$parts" "$@"
}

test_expect_success 'each part leaves its time' '
	step first true && test_must_fail step second false && step third true &&
	awk "{ print \$1, \$3 }" times >got &&
	printf "first s\nthird s\n" >expect && test_cmp expect got'

listed () {
	MAKEFLAGS= MAKELEVEL= make -s -C "$SFAB_BUILDDIR" "$1"
}

test_expect_success 'the quick tests leave out what they say' '
	listed print-not-quick >left_out &&
	grep -x tests/cases/wolf.t left_out && grep -x tests/slurm/matrix.t left_out &&
	test "$(grep -e tests/unit -e tests/fuzz -e tests/cli -e place_live left_out)" = \
		tests/cli/replay_policy.t &&
	test "$(listed print-quick-parts)" = "rules unit cli fabrics slurm"'

test_expect_success 'tests of a part run side by side' '
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -C "$SFAB_BUILDDIR" -n -j2 \
		check-quick-rules quick_rules=tests/shape.t >said 2>&1 &&
	grep "tests/shape\.log" said && ! grep "jobserver unavailable" said'

test_expect_success 'CI runs all tests' '
	grep "quickstart\" test all " "$SFAB_SRCDIR/.ci/run"'

test_done
