#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# routes.t - fabrics without a subnet manager: the examples of their man page
test_description='descriptions of static routes'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

# example N: the N-th of sfabric-routes(5)
example () {
	awk -v n=$1 '/^```/ { inside = !inside; blocks += inside; next }
		inside && blocks == n + 1' "$SFAB_SRCDIR/doc/sfabric-routes.5.scd"
}

# maxmin NODES: GB/s of these nodes' exchange, the job alone
maxmin () {
	"$sfabric" predict --snapshot ring.snap --nodes "$1" \
		--traffic neighbor=1 --json | "$field" data.predicted.0.maxmin_gbs
}

test_expect_success 'the ring imports without a warning about routes' '
	example 1 >ring && "$sfabric" import ring --output ring.snap 2>err &&
	! grep "no route" err &&
	"$sfabric" show fabric --snapshot ring.snap -P \
		-o engine,switches,hosts,unreachable,adaptive >out &&
	grep "^static|8|4|0|no$" out'

test_expect_success 'a ring has no port classes' '
	"$sfabric" show classes -h --snapshot ring.snap >out 2>err &&
	test_must_be_empty out &&
	grep "no port classes: leaves agree in 0 %" err'

test_expect_success 'a packet of the bonded host is forwarded once on average' '
	golden routes-ring.txt "$sfabric" route a b --snapshot ring.snap \
		-o source,destination,switch,port,to,kind,share,capacity_gbs'

test_expect_success 'pairs: direct, through one host, both ways round' '
	for pair in b,c c,d b,d a,b a,c a,d a,b,c,d; do
		echo "$pair $(maxmin $pair)" || return 1
	done >rates &&
	golden routes-rates.txt cat rates'

test_expect_success 'two switches: one cable between them is the limit' '
	example 2 >two && gzip two &&
	"$sfabric" import two.gz --output ring.snap 2>err &&
	golden routes-two.txt "$sfabric" load --snapshot ring.snap \
		--from "n[1-2]" --to "n[3-4]" --kind isl'

test_expect_success 'what is wrong has file and line' '
	example 1 | sed "s/^link d:1/link d:3/" >bad &&
	refuse 1 "sfabric: bad:9: bad port" "$sfabric" import bad \
		--output bad.snap && ! test -e bad.snap'

test_done
