#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# dlids.t - destinations per switch port equal what ibdmchk counts
test_description='sfabric load against ibdmchk'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
sim_or_skip

# ibdmchk writes to a fixed folder: it gets a mount namespace of its own
if ! command -v ibdmchk >/dev/null; then
	skip_all='ibdmchk is missing (Debian: ibutils)'
	test_done
fi
for own_mounts in 'unshare -m' 'unshare -rm'; do
	$own_mounts mount -t tmpfs none /var/cache 2>/dev/null && break
	own_mounts=
done
if test -z "$own_mounts"; then
	skip_all='a mount namespace for ibdmchk is not permitted here'
	test_done
fi

# ibdmchk_counts OUT: "GUID PORT DLIDS" of all ports between switches.  It
# names switches by their system GUID, three above the node GUID in our
# netlists, leaves out switches that nothing crosses, and crashes after
# everything is written.
ibdmchk_counts () {
	$own_mounts sh -c '
		mount -t tmpfs none /var/cache && mkdir /var/cache/ibutils &&
		ibdmchk -s "$0/opensm-subnet.lst" -f "$0/opensm.fdbs" \
			-m "$0/opensm.mcfdbs" >"$0/ibdmchk.out" 2>&1
		cat /var/cache/ibutils/ibdmchk.sw_out_port_num_dlids' "$1" |
	sed -n 's|^ *\([0-9]*\) S\([0-9a-f]*\)/U1/P\([0-9]*\)$|0x\2 \3 \1|p' |
	sed 's/^\(0x[0-9a-f]*\)3 /\10 /; s/^\(0x[0-9a-f]*\)b /\18 /' |
	sort
}

our_counts () {
	"$sfabric" load --snapshot "$1" --kind isl -P -h -o guid,port,dlids |
	tr '|' ' ' | sort
}

# same FABRIC PORTS PAIRS ENGINE
same () {
	fabric=$1 ports=$2 pairs=$3 engine=$4
	test_expect_success "$fabric, $engine: $ports ports as ibdmchk" '
		"$sfabric" synth $fabric --output net &&
		sim_route net out -R $engine >used &&
		test "$(cat used)" = $engine &&
		ibdmchk_counts out | grep -v " 0\$" >theirs &&
		"$sfabric" import out/opensm-subnet.lst out/opensm.fdbs \
			--output snap &&
		our_counts snap >all &&
		test $(wc -l <all) = $ports &&
		grep -v " 0\$" all >ours &&
		test_cmp theirs ours'
	test_expect_success "$fabric, $engine: $pairs pairs as ibdmchk" '
		grep "Scanned:$pairs CA to CA paths" out/ibdmchk.out &&
		"$sfabric" load --snapshot snap --json >answer &&
		test "$("$field" data.pairs <answer)" = $pairs'
}

same wolf 1296 408960 ftree
same wolf 1296 408960 updn
same mustang 6912 2558400 ftree
same ft1600 6480 2558400 minhop

test_done
