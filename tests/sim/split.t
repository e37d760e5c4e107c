#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# split.t - where switches share packets over groups of ports, predictions agree to 1e-6
# with max-min and lockstep shares that are worked out from the files
test_description='predictions with split routes against a solver of their own'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
skip_all=$(sim_missing) && test_done
sim_guard

sfabric=$SFAB_BUILDDIR/tools/sfabric
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
		--output $1.snap
}

# close FILE: "A B" per line are equal to 1e-6
close () {
	cat "$1" &&
	awk '{ d = $1 - $2; if (d < 0) d = -d; if (!($1 > 0) || d > 1e-6 * $2) exit 1 }
		END { exit NR == 0 }' "$1"
}

# same PERCENT HOST,... CLASS
same () {
	python3 "$SFAB_SRCDIR/tests/lib/split_maxmin.py" out/opensm-subnet.lst $1.far \
		"$io" $gbs "$2" $3 >expected &&
	"$sfabric" predict --snapshot $1.snap --nodes "$2" --traffic $3=1 --json >answer &&
	python3 -c 'import json
p = json.load(open("answer"))["data"]["predicted"][0]
theirs = open("expected").read().split()
print(p["maxmin_gbs"], theirs[0])
print(p["lockstep_gbs"], theirs[1])' >both &&
	close both
}

for percent in 0 50 100; do
	test_expect_success "$percent % of the LIDs stay static" "adaptive $percent"
	for class in io-write io-read; do
		test_expect_success "$percent % static, contiguous: $class" "
			same $percent $(seq -f 'wf%04g' -s, 1 64) $class"
		test_expect_success "$percent % static, all over: $class" "
			same $percent $(seq -f 'wf%04g' -s, 5 29 616) $class"
	done
done

test_expect_success 'the three differ, so the groups matter' '
	for percent in 0 50 100; do
		"$sfabric" predict --snapshot $percent.snap --nodes "wf[0001-0064]" \
			--traffic io-write=1 --json |
			python3 -c "import json, sys
print(json.load(sys.stdin)[\"data\"][\"predicted\"][0][\"maxmin_gbs\"])" || return 1
	done | sort -u >all && cat all && test $(wc -l <all) -eq 3'

test_done
