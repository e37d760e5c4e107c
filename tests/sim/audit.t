#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# audit.t - Wolf as the real OpenSM routes it: the audit finds the IO collision,
# none where IO hosts are packed or routes are spread, and the engine that fell
# back because of one dead cable
test_description='sfabric audit on tables of the real OpenSM'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
sim_or_skip

SFABRIC_CONF=$PWD/none.conf
export SFABRIC_CONF

import () {
	"$sfabric" import out/opensm-subnet.lst out/opensm-lfts.dump \
		--io "wf[0617-0640]" --io-capacity 2.2916666666666667 \
		--engine "$(cat engine)" --output $1.snap
}

# tables NAME FABRIC OPTION...: NAME.snap is FABRIC as OpenSM routes it
tables () {
	name=$1 fabric=$2
	shift 2
	"$sfabric" synth $fabric --output net &&
	sim_route net out "$@" >engine && import $name
}

# audit STATUS SNAP OPTION...
audit () {
	status=$1 snap=$2
	shift 2
	test_expect_code $status "$sfabric" audit --snapshot $snap.snap "$@"
}

test_expect_success 'ftree: one uplink of each leaf, a block of 64 gets 16-28 GB/s' '
	tables wolf wolf -R ftree &&
	audit 3 wolf --block 64 --json >json &&
	"$field" data.io.0.fewest data.io.0.most data.io.0.uplinks <json >uplinks &&
	echo "1 1 18" >expected && test_cmp expected uplinks &&
	"$field" data.io.0.gbs <json >gbs &&
	awk "\$1 < 16 || \$1 > 28 { exit 1 }" gbs &&
	audit 3 wolf >text && grep "^critical *io-uplinks:io/io-write" text'

# LANL saw it in such a picture
test_expect_success 'the picture: 24 of 648 spine ports, those of one spine' '
	"$sfabric" plot --snapshot wolf.snap --from compute --to io >plot &&
	grep "^24 of 648 ports used, max 599," plot &&
	grep -E "^wolf-S018  9{24}\\.{12}$" plot &&
	test 17 = $(grep -cE "^wolf-S0..  \\.{36}$" plot) &&
	"$sfabric" plot --snapshot wolf.snap | grep "^640 of 648 ports used,"'

# the remedy is proven by moving the hosts as it says and routing anew
test_expect_success 'what the remedy promises, OpenSM keeps' '
	audit 3 wolf --json >json &&
	"$field" data.findings.0.effect.then <json >promised &&
	/usr/bin/python3 -c "
import json, re
moves = json.load(open(\"json\"))[\"data\"][\"findings\"][0][\"moves\"]
swap = {m[\"host\"]: m[\"place\"] for m in moves}
swap.update({m[\"place\"]: m[\"host\"] for m in moves})
text = re.sub(r\"wf[0-9]{4}\", lambda m: swap.get(m[0], m[0]), open(\"net\").read())
open(\"moved.net\", \"w\").write(text)" &&
	sim_route moved.net out -R ftree >engine && import repaired &&
	test_expect_code 0 "$sfabric" audit --snapshot repaired.snap --json >json &&
	"$field" data.io.0.gbs <json >kept &&
	paste -d" " promised kept &&
	paste -d" " promised kept |
	awk "{ exit !(\$2 > 0.95 * \$1 && \$1 > 50) }"'

test_expect_success 'packed on two leaves: fine' '
	tables packed wolf-packed -R ftree && audit 0 packed'

test_expect_success 'the same places, routes spread: fine' '
	tables shifted wolf -R updn --port-shifting && audit 0 shifted'

test_expect_success 'one dead uplink: another engine, the leaf with a cable less' '
	"$sfabric" synth wolf --output net &&
	first=$(sed -n "/^Switch.*wolf-L001/,/^\$/{/S-.*wolf-S001/p}" net |
		head -n 1) && test -n "$first" &&
	port=${first%%]*} && port=${port#[} &&
	leaf=$(sed -n "s/^Switch.*\"\(S-[0-9a-f]*\)\".*wolf-L001.*/\1/p" net) &&
	sim_start net &&
	sim_console "Unlink \"$leaf\"[$port]" &&
	sim_opensm out -R ftree,updn >engine &&
	sim_stop &&
	import dead &&
	audit 3 dead --engine ftree >text &&
	grep "^critical *engine:fabric" text &&
	grep "routed by updn, but ftree was requested" text &&
	audit 3 dead --engine ftree,updn >text &&
	grep "^note *engine:fabric" text &&
	grep "routed by updn, a later engine of ftree,updn" text &&
	grep "^warning *link-down:wolf-L001" text'

test_expect_success 'a torus is not told to route by updn' '
	"$SFAB_SRCDIR/tests/lib/shapes.py" torus:dims=4x4x4 >net &&
	sim_route net torus -R dor >engine &&
	"$sfabric" import torus/opensm-subnet.lst torus/opensm-lfts.dump \
		--engine "$(cat engine)" --output torus.snap &&
	test_expect_code 3 "$sfabric" audit --snapshot torus.snap >text &&
	cat text &&
	grep "spine-hot" text &&
	tr -s " \n" " " <text | grep "whatif --engine NAME.*if all-to-all is lower" &&
	! grep updn text'

test_done
