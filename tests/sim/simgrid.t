#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# simgrid.t - the max-min rate of every flow equals SimGrid's to 1e-6
test_description='our prediction against SimGrid'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
sim_or_skip

export_flows=$SFAB_BUILDDIR/tests/sim/export_flows
oracle=$SFAB_BUILDDIR/tests/sim/simgrid_oracle
if ! test -x "$oracle"; then
	skip_all='built without SimGrid (Debian: libsimgrid-dev)'
	test_done
fi

# route NAME FABRIC OPTION...: tables in the folder NAME
route () {
	name=$1
	"$sfabric" synth "$2" --output net &&
	shift 2 &&
	sim_route net "$name" "$@"
}

test_expect_success 'OpenSM makes the tables' '
	route ftree wolf -R ftree &&
	route moved wolf-moved -R ftree &&
	route scatter wolf -R updn --scatter-ports 12345 &&
	route updn tree:hosts=160,radix=16,taper=3,io=8 -R updn'

io='wf[0617-0640]'
first64='wf[0001-0064]'
eight_leaves=$(for leaf in 0 1 2 3 4 5 6 7; do
	printf ',wf[%04d-%04d]' $((leaf * 17 + 1)) $((leaf * 17 + 8))
done)
# 64 of 616 hosts, all over the machine; 97 and 616 have no common divisor
all_over=$(for i in $(seq 64); do printf ',wf%04d' $((i * 97 % 616 + 1)); done)

# same NAME TABLES IO HOSTS TRAFFIC
same () {
	tables=$2 io_hosts=$3 hosts=$4 traffic=$5
	test_expect_success "$1: $traffic" '
		"$export_flows" "$io_hosts" 2.2916666666666667 "$hosts" "$traffic" \
			$tables/opensm-subnet.lst $tables/opensm-lfts.dump >flows &&
		"$oracle" <flows'
}

same 'ftree, contiguous' ftree "$io" "$first64" io-write
same 'ftree, five leaves without IO hosts' \
	ftree "$io" 'wf[0490-0553]' io-write
same 'ftree, 8 hosts on each of 8 leaves' \
	ftree "$io" "${eight_leaves#,}" io-write
same 'ftree, all over' ftree "$io" "${all_over#,}" io-write
same 'IO hosts moved, all over' moved "$io" "${all_over#,}" io-write
same 'updn with scattered ports, all over' \
	scatter "$io" "${all_over#,}" io-write
same 'ftree, contiguous' ftree "$io" "$first64" io-read
same 'tapered tree, whole machine' \
	updn 'n[0153-0160]' 'n[0001-0152]' mpi
same 'tapered tree, whole machine' \
	updn 'n[0153-0160]' 'n[0001-0152]' neighbor

test_done
