#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# units.t - systemd units are valid, and give away little
test_description='systemd units'
. "$(dirname "$0")/../lib/setup.sh"

systemd-analyze security --help 2>&1 | grep -q offline || {
	skip_all='systemd-analyze security --offline is missing'
	test_done
}

for unit in "$SFAB_SRCDIR"/etc/systemd/*.service; do
	name=$(basename "$unit")
	test_expect_success "$name: exposure below 4" '
		systemd-analyze security --no-pager --offline=true \
			--threshold=39 "$unit" >table 2>&1 ||
			{ cat table; false; }'
	test_expect_success "$name: no line that systemd does not know" '
		sed "s|^ExecStart=.*|ExecStart=/bin/true|" "$unit" >"$name" &&
		systemd-analyze verify --man=no "./$name" 2>err &&
		! grep -F "$name:" err'
done
test_expect_success 'collect may use the adapter and write the snapshot' '
	unit=$SFAB_SRCDIR/etc/systemd/sfabric-collect.service &&
	grep "^DeviceAllow=char-infiniband_mad rw$" "$unit" &&
	grep "^RuntimeDirectory=sfabric$" "$unit"'

test_done
