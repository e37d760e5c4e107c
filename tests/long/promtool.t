#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# promtool.t - what `sfabric metrics` prints and the alerts in etc, by Prometheus'
# own tool (make check-long; Debian: prometheus, a hundred megabytes)
test_description='metrics and alerts, by promtool'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"
command -v promtool >/dev/null || {
	skip_all='promtool is missing (Debian: prometheus)'
	test_done
}

rules=$SFAB_SRCDIR/etc/prometheus/sfabric.rules.yml
import_small small.snap --io 'n[0021-0024]'
SFABRIC_SNAPSHOT=$PWD/small.snap
export SFABRIC_SNAPSHOT
port=$("$sfabric" show links -P -h -o guid,port | head -n 1 | tr '|' :)

test_expect_success 'metrics with counters: nothing to remark' '
	"$SFAB_SRCDIR/tests/lib/counters.py" some.snap \
		$port:xmit=1e9:wait=0.25:discards=3:errors=2 &&
	"$sfabric" metrics --counters some.snap >text &&
	grep sfabric_port_wait_share text && promtool check metrics <text'
test_expect_success 'metrics without counters' '
	"$sfabric" metrics >text && promtool check metrics <text'
test_expect_success 'the alerts are rules' '
	promtool check rules "$rules"'
test_expect_success 'each fires when it should' '
	cp "$rules" "$SFAB_SRCDIR/tests/data/alerts/alerts.yml" . &&
	promtool test rules alerts.yml'

test_done
