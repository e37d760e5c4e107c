#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# split.t - where switches share packets over groups of ports, predictions and what
# whatif makes agree to 1e-6 with max-min and lockstep shares worked out from the files
test_description='split routes of predict and whatif against a solver of their own'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
sim_or_skip

SFABRIC_CONF=$PWD/none.conf
export SFABRIC_CONF
io=$(seq -f 'wf%04g' -s, 617 640)
gbs=2.2916666666666667

test_expect_success 'OpenSM makes the tables' '
	"$sfabric" synth wolf --output net &&
	sim_route net out -R ftree >engine'

# adaptive PERCENT: PERCENT.far and PERCENT.snap
adaptive () {
	python3 "$SFAB_SRCDIR/tests/lib/far_tables.py" out/opensm-subnet.lst \
		out/opensm-lfts.dump $1 1 >$1.far &&
	"$sfabric" import out/opensm-subnet.lst $1.far --io "$io" --io-capacity $gbs \
		--engine ftree --output $1.snap
}

# close FILE: "A B" per line are equal to 1e-6
close () {
	cat "$1" &&
	awk '{ d = $1 - $2; if (d < 0) d = -d; if (!($1 > 0) || d > 1e-6 * $2) exit 1 }
		END { exit NR == 0 }' "$1"
}

# same SUBNET_LST FAR SNAPSHOT HOST,... CLASS
same () {
	python3 "$SFAB_SRCDIR/tests/sim/split_maxmin.py" "$1" $2 "$io" $gbs "$4" $5 \
		>expected &&
	"$sfabric" predict --snapshot $3 --nodes "$4" --traffic $5=1 --json >answer &&
	python3 -c 'import json
p = json.load(open("answer"))["data"]["predicted"][0]
theirs = open("expected").read().split()
print(p["maxmin_gbs"], theirs[0])
print(p["lockstep_gbs"], theirs[1])' >both &&
	close both
}

first64=$(seq -f 'wf%04g' -s, 1 64)
all_over=$(seq -f 'wf%04g' -s, 5 29 616)
for percent in 0 50 100; do
	test_expect_success "$percent % of the LIDs stay static" "adaptive $percent"
	for class in io-write io-read; do
		test_expect_success "$percent % static, contiguous: $class" "
			same out/opensm-subnet.lst $percent.far $percent.snap $first64 $class"
		test_expect_success "$percent % static, all over: $class" "
			same out/opensm-subnet.lst $percent.far $percent.snap $all_over $class"
	done
	test_expect_success "$percent % static, routed again by whatif" "
		\"\$sfabric\" whatif --snapshot $percent.snap --engine ftree \
			--output again.snap >log &&
		same out/opensm-subnet.lst $percent.far again.snap $first64 io-write &&
		same out/opensm-subnet.lst $percent.far again.snap $all_over io-write"
done

# OpenSM routes what is left, and each switch adapts among all shortest ways
test_expect_success 'a spine is down in whatif, and in a fabric without it' '
	gone=$(awk -F\" "/wolf-S001/ && /^Switch/ { print \$2 }" net) && test -n "$gone" &&
	awk -v gone="\"$gone\"" "/^(Switch|Ca)/ { skip = index(\$0, gone) }
		!skip && !index(\$0, gone)" net >less &&
	sim_route less left -R ftree >log &&
	python3 "$SFAB_SRCDIR/tests/lib/far_tables.py" left/opensm-subnet.lst \
		left/opensm-lfts.dump 0 1 >left.far &&
	"$sfabric" whatif --snapshot 0.snap --down wolf-S001 --output down.snap >log &&
	for class in io-write io-read; do
		same left/opensm-subnet.lst left.far down.snap $first64 $class &&
		same left/opensm-subnet.lst left.far down.snap $all_over $class || return 1
	done'

test_expect_success 'the three differ, so the groups matter' '
	for percent in 0 50 100; do
		"$sfabric" predict --snapshot $percent.snap --nodes "wf[0001-0064]" \
			--traffic io-write=1 --json |
			python3 -c "import json, sys
print(json.load(sys.stdin)[\"data\"][\"predicted\"][0][\"maxmin_gbs\"])" || return 1
	done | sort -u >all && cat all && test $(wc -l <all) -eq 3'

test_done
