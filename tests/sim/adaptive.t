#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# adaptive.t - groups of adaptive routing read from the wire, against ibdiagnet2.far;
# and switches that lie, say nothing, or say it differently the next time
test_description='sfabric collect where switches adapt'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
sim_or_skip sim_collect_missing
switches=$SFAB_BUILDDIR/tests/sim/libadaptive.so
nm -D "$switches" | grep -q __asan_init && {
	skip_all='a sanitizer build does not load into sfabric'
	test_done
}

unset SIM_FAR SIM_LIE SIM_M_KEY SIM_TRAITS

collect () {
	timeout -k 5 300 env LD_PRELOAD="$switches $sim_umad" "$sfabric" collect \
		--timeout 300 --output now "$@" 2>err
	code=$?
	cat err >&2
	return $code
}

# fabric NETLIST OPTION...: of Quantum (device 54000); its tables are out/
fabric () {
	sim_stop
	sed -i "/^devid=/s/0xbd36/0xd2f0/" "$1"
	rm -rf now out && mkdir now && sim_start "$1" && shift && sim_sm_start out "$@"
}

# adaptive PERCENT: of the LIDs of hosts, as PERCENT.far; 0: no LID at all
adaptive () {
	python3 "$SFAB_SRCDIR/tests/lib/far_tables.py" out/opensm-subnet.lst \
		out/opensm-lfts.dump $((100 - $1)) 1 >$1.far &&
	{ test $1 -gt 0 || sed -i 's/Free .*/Static 0/' $1.far; } &&
	"$sfabric" import out/opensm-subnet.lst $1.far --output $1.snap
}

# same A B: in all but time, source, subnet manager and engine
same () {
	for snapshot in "$@"; do
		"$SFAB_SRCDIR/tests/lib/sections.py" $snapshot >$snapshot.sections || return 1
	done
	test_cmp $1.sections $2.sections
}

# both TITLE PERCENT...
both () {
	title=$1
	shift
	for percent in "$@"; do
		test_expect_success "$title, $percent % adaptive: the wire and the file" '
			adaptive $percent &&
			SIM_FAR=$percent.far collect >said && cat said &&
			same $percent.snap now/fabric.snap &&
			{ test $percent = 0 || grep -c "even shares are assumed" err; }'
	done
}

test_expect_success 'a fabric of 54 switches' '
	"$sfabric" synth wolf --output net && fabric net -R ftree'
both Wolf 0 50 100

# MADs of a sweep; time-outs of a busy machine can only add some
least () {
	for sweep in 1 2 3; do
		collect --json >answer && "$field" data.mads <answer || return 1
	done >several && sort -n several | head -n 1
}

# Without groups each switch is only asked whether it adapts, and does not know.
test_expect_success 'groups cost at most half as many MADs more' '
	{ least && "$field" data.switches <answer && SIM_FAR=50.far least; } >mads &&
	xargs <mads && xargs <mads | awk "{ was = \$1 - \$2; print \$3 / was }
		\$3 <= was || \$3 > 1.5 * was { exit 1 }"'

test_expect_success 'three levels' '
	"$sfabric" synth tree:hosts=90,radix=8,levels=3,fill=first,speed=HDR --output net &&
	fabric net -R updn'
both 'three levels' 50 100

# Each switch has its table twice, as if other packets went by the second.
test_expect_success 'a dragonfly+ with private tables' '
	"$SFAB_SRCDIR/tests/lib/shapes.py" dragonfly-plus:pods=3,leaves=6,spines=6 >net &&
	fabric net -R updn && adaptive 100 &&
	awk "function again() { printf \"%s\", table; table = \"\"; on = 0 }
		/^Switch/ { again() } /^LFT/ { on = 1 }
		{ print; if (on) table = table \$0 \"\n\" } END { again() }" \
		100.far >private.far &&
	test $(grep -c ^LFT private.far) -eq $((2 * $(grep -c ^Switch private.far))) &&
	"$sfabric" import out/opensm-subnet.lst private.far --output private.snap &&
	SIM_FAR=private.far collect && same private.snap now/fabric.snap &&
	grep " clearly, for example [^ ]* has private tables (pLFT): port 1, serv" err &&
	"$sfabric" show fabric --snapshot now/fabric.snap | grep "^adaptive *unknown"'
both dragonfly+ 50 100

test_expect_success 'a small fabric, two LIDs a port' '
	"$sfabric" synth tree:hosts=8,radix=8 --output net && fabric net -R updn -l 1'
both 'two LIDs a port' 0 50 100
test_expect_success 'groups of several sub-groups, the first of them empty or not' '
	sed "s/^\([0-9]*\) 0 0 \(.*\)/\1 0 0\n\1 1 0 \2\n\1 2 0 1/" 100.far >subs.far &&
	"$sfabric" import out/opensm-subnet.lst subs.far --output subs.snap &&
	same 100.snap subs.snap &&
	SIM_FAR=subs.far collect && same subs.snap now/fabric.snap'
test_expect_success 'HBF and SHIELD are named' '
	SIM_FAR=100.far SIM_TRAITS=1 collect --json >answer && same 100.snap now/fabric.snap &&
	grep "(Adaptive in sfabric.conf); HBF on 6, SHIELD on 6 of 6 switches$" err &&
	test "$("$field" data.hbf data.shield data.pfrn <answer | xargs)" = "6 6 0"'
test_expect_success 'a switch whose groups begin with port 1' '
	SIM_FAR=100.far SIM_LIE=from-1 collect && same 100.snap now/fabric.snap'
test_expect_success 'none says how: as by the file, unknown' '
	collect && grep "nothing says among which" err && ! grep "did not tell" err &&
	"$sfabric" show fabric --snapshot now/fabric.snap | grep "^adaptive *unknown"'
test_expect_success 'a switch says nothing that others say' '
	awk "/^Switch/ { n++ } n > 1" 100.far >less.far &&
	SIM_FAR=less.far collect && grep "nothing says among which" err'

test_expect_success 'switches that want an M_Key' '
	(umask 77 && echo 0x00c0ffee12345678 >key) && echo 0x1 >public && chmod 644 public &&
	(umask 77 && echo 0x12345678123456789 >long) &&
	export SIM_FAR=100.far SIM_M_KEY=c0ffee12345678 &&
	collect && grep "; 4 of 6 switches did not tell" err &&
	collect --m-key key && same 100.snap now/fabric.snap &&
	test_expect_code 1 collect --m-key public &&
	grep "^sfabric: public: group or others may use it (expected mode 0600)$" err &&
	test_expect_code 1 collect --m-key long && grep "^sfabric: long: no M_Key" err &&
	test_expect_code 1 collect --m-key none && grep "^sfabric: none: No such file" err'
unset SIM_FAR SIM_M_KEY

# lies WHAT SAID: the first switch
lies () {
	test_expect_success "a switch that lies: $1" "
		SIM_FAR=100.far SIM_LIE=$1 collect --json >answer &&
		grep '^sfabric: .*the plugin only observes .*; 1 of 6 switches did not tell' err &&
		grep ' clearly, for example [^ ]* $2' err && test \$(grep -c ^sfabric err) -eq 1 &&
		test \"\$(\"$field\" data.adaptive_missed data.tables_missed <answer)\" = '1 0' &&
		\"$sfabric\" show fabric --snapshot now/fabric.snap | grep '^adaptive *unknown'"
}
lies range 'sends LID 0x[0-9a-f]* by group 10[0-9] (expected 0-[0-9]*)$'
lies top 'has 2048 groups, the highest of which is 2048$'
lies mute 'does not answer whether it adapts$'
lies lost 'does not answer for its table$'
lies half 'sends LIDs by group 1, which has no ports$'
lies private 'has private tables (pLFT): port 1, service level 1$'
lies shifted 'has port 9 in group [0-9]* (expected 1-8)$'
lies levels 'adapts for some service levels only (0x000f)$'
lies tables 'has several tables of groups (LID 0x[0-9a-f]*)$'
lies twice 'sends LID 0x[0-9a-f]* always by port [0-9]*, and always by [0-9]*$'

# Instead of its table's block: whether it adapts, private tables, four blocks.
test_expect_success 'a switch that does not know the question costs one' '
	SIM_FAR=0.far least >with && SIM_FAR=0.far SIM_LIE=refused least >without &&
	cat with without && test $(($(cat with) - 1 - 1 - 4)) -eq $(($(cat without) - 1 - 1))'

# From 0 to 100 %, then one LID of one switch.  Static tables stay as they are.  collect
# says so after the file is there, and not when it is to end.
test_expect_success 'what a switch says changes between two sweeps' '
	cp 0.far moving.far && adaptive 100 && adaptive 0 &&
	tac 100.far | sed "0,/Free .*/s//Static 0/" | tac >one.far && ! cmp 100.far one.far &&
	"$sfabric" import out/opensm-subnet.lst one.far --output one.snap &&
	{ SIM_FAR=moving.far LD_PRELOAD="$switches $sim_umad" exec \
		timeout --preserve-status 180 "$sfabric" collect --output now --interval 1 2>err & } &&
	pid=$! && sim_until 30 same 0.snap now/fabric.snap >log 2>&1 &&
	cp 100.far next.far && mv next.far moving.far &&
	sim_until 30 same 100.snap now/fabric.snap >log 2>&1 &&
	cp one.far next.far && mv next.far moving.far &&
	sim_until 60 same one.snap now/fabric.snap >log 2>&1 &&
	sim_until 30 grep "even shares are assumed" err
	good=$?
	kill $pid; wait $pid && test $good = 0'
sim_stop

test_done
