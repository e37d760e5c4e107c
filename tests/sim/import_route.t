#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# import_route.t - from cables to routes in one command: the same as routing them
# with OpenSM on ibsim by hand and reading its dump files
test_description='sfabric import --route with the real OpenSM'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"
sim_or_skip
command -v ibnetdiscover >/dev/null || {
	skip_all='ibnetdiscover is missing (Debian: infiniband-diags)'
	test_done
}
TMPDIR=$PWD/private
export TMPDIR
mkdir private

# engine SNAP: what routed it
engine () {
	"$sfabric" show fabric --snapshot $1 -hP -o engine
}

# fingerprint SNAP: of cables, LIDs and tables
fingerprint () {
	"$sfabric" show fabric --snapshot $1 -hP -o fingerprint
}

# cables and, by hand, tables
test_expect_success 'what ibnetdiscover sees of Wolf, routed by hand' '
	"$sfabric" synth wolf --output net &&
	sim_start net && sim_opensm out -R ftree >by-hand &&
	sim_run ibnetdiscover >cables && sim_stop &&
	"$sfabric" import cables out/opensm-lfts.dump --io wf0640 \
		--output by-hand.snap'

test_expect_success 'alone it is no dead end: the command that routes it' '
	refuse 1 "no tables in this file" \
		"$sfabric" import cables --output fabric.snap &&
	sed -n "s/^.*: sfabric import/import/p" refuse.err >command &&
	echo "import --route ftree,updn cables --output fabric.snap" >expected &&
	test_cmp expected command && ! test -e fabric.snap &&
	"$sfabric" $(cat command) && test ftree = "$(engine fabric.snap)"'

test_expect_success 'the same tables and LIDs as by hand' '
	"$sfabric" import --route ftree cables --output ftree.snap --io wf0640 \
		2>messages &&
	test "$(cat by-hand)" = "$(engine ftree.snap)" &&
	test "$(fingerprint by-hand.snap)" = "$(fingerprint ftree.snap)" &&
	"$sfabric" import --route updn cables --output updn.snap --io wf0640 &&
	test updn = "$(engine updn.snap)" &&
	test "$(fingerprint by-hand.snap)" != "$(fingerprint updn.snap)"'

# ibsim is told by its standard input to print the tables
test_expect_success 'without a standard input' '
	"$sfabric" import --route updn cables --output closed.snap --io wf0640 <&- &&
	test "$(fingerprint updn.snap)" = "$(fingerprint closed.snap)"'

# newer adapters have one GUID for node and port; ibsim knows none of these
test_expect_success 'ports that have the GUID of their node' '
	sed -E "s/^\[1\]\([0-9a-f]+([0-9a-f])\)/[1](SAME)/
		s/\"H-([0-9a-f]+)\"\[1\]\([0-9a-f]+\)/\"H-\1\"[1](\1)/" cables |
	awk "/^Ca/ { split(\$3, part, \"[-\\\"]\"); guid = part[3] }
		{ sub(/\\(SAME\\)/, \"(\" guid \")\"); print }" >same.cables &&
	! cmp -s cables same.cables &&
	"$sfabric" import --route updn same.cables --output same.snap &&
	"$sfabric" show hosts --snapshot same.snap -hP -o host,lid >actual &&
	"$sfabric" show hosts --snapshot updn.snap -hP -o host,lid >expected &&
	! grep "|\$" actual && test_cmp expected actual &&
	"$sfabric" whatif --snapshot same.snap --engine ftree \
		--output then.snap >table &&
	"$sfabric" show hosts --snapshot then.snap -hP -o host,lid >actual &&
	test_cmp expected actual'

# without a cable of its own to each spine a leaf is no part of a fat tree
test_expect_success 'the engine that was really used is recorded and warned of' '
	sim_start net && sim_console "Unlink \"S-0002c90200400000\"[19]" &&
	sim_opensm odd -R updn && sim_run ibnetdiscover >odd.cables && sim_stop &&
	"$sfabric" import --route ftree,updn odd.cables --output odd.snap \
		2>messages &&
	test "$(engine odd.snap)" = updn &&
	grep "warning: routed by updn, the second engine of ftree,updn: those before it gave up" messages'

test_expect_success 'IO hosts that no cable has are reported before OpenSM runs' '
	refuse 1 "none of these hosts is in the fabric" env PATH=/none \
		"$sfabric" import --route updn cables --io "wolf[1-4]" \
		--output none.snap &&
	! test -e none.snap &&
	"$sfabric" import --route updn cables --io "wf0640,wf9999" \
		--output some.snap --json >json 2>messages &&
	test 1 = $(grep -c "1 of 2 hosts are not in the fabric" messages) &&
	test 1 = $(grep -c "1 of 2 hosts are not in the fabric" json) &&
	test $(sort messages | uniq -d | wc -l) = 0'

test_expect_success 'no engine of the list can: OpenSM fell back' '
	"$sfabric" import --route ftree odd.cables --output odd.snap \
		2>messages &&
	test "$(engine odd.snap)" = minhop &&
	test 1 = $(grep -c "warning: routed by minhop, but ftree was requested" \
		messages) &&
	grep "warning: OpenSM on the simulated fabric: .*: ERR AB" messages &&
	grep "sfabric audit names missing cables" messages &&
	! grep "log says" messages'

test_expect_success 'engines that OpenSM does not know, odd command lines' '
	refuse 1 "cannot find or setup routing engine" "$sfabric" import \
		--route quark cables --output none.snap &&
	! grep base-option refuse.err &&
	refuse 2 "expected routing engines" "$sfabric" import --route "a b" cables \
		--output none.snap &&
	refuse 2 "not with --route" "$sfabric" import --route updn \
		--engine ftree cables --output none.snap &&
	refuse 1 "ibsim" env PATH=/none "$sfabric" import --route updn cables \
		--output none.snap &&
	! test -e none.snap &&
	test -z "$(ls -A private)"'

# a second for the clock of the command is a thousand
test_expect_success 'ibsim hangs before OpenSM begins: ibsim is named' '
	mkdir slow && printf "#!/bin/sh\nexec sleep 100\n" >slow/ibsim && chmod +x slow/ibsim &&
	refuse 1 "ibsim: not ready after 660 seconds" env PATH="$PWD/slow:$PATH" \
		LD_PRELOAD=$SFAB_BUILDDIR/tests/sim/fast_clock.so \
		"$sfabric" import --route updn cables --output none.snap &&
	test -z "$(ls -A private)"'

test_expect_success 'two planes' '
	"$sfabric" import --route updn --plane a cables --plane b cables \
		--output two.snap &&
	"$sfabric" show fabric --snapshot two.snap -hP -o fabric,engine >actual &&
	printf "a|updn\nb|updn\n" >expected && test_cmp expected actual'

test_done
