#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# load.t - what links carry between sets of hosts
test_description='sfabric load'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

test_expect_success 'a snapshot' '
	import_small small.snap --io "n[0021-0024]" --io-capacity 2.5 &&
	SFABRIC_SNAPSHOT=$PWD/small.snap && export SFABRIC_SNAPSHOT'

test_expect_success 'compute to IO: table, JSON' '
	golden load.txt "$sfabric" load --from compute --to io --kind isl &&
	golden load.json "$sfabric" load --from compute --to io --kind isl \
		--sort -load_gbs --top 3 --json'

# sum FIELD LOAD-OPTIONS: of that field over the table
sum () {
	sum_field=$1
	shift
	"$sfabric" load -P -h -o "$sum_field" "$@" |
	awk '{ sum += $1 } END { printf "%.6f\n", sum }'
}

# 20 compute hosts to 4 IO hosts: each pair enters and leaves once
test_expect_success 'every pair begins and ends once' '
	for kind in inject eject; do
		sum routes --kind $kind --from compute --to io || return 1
	done >actual &&
	printf "80.000000\n80.000000\n" >expected &&
	test_cmp expected actual'

# each of 20 sources sends 4 GB/s (4xQDR)
test_expect_success 'sources send all they can' '
	sum load_gbs --kind inject --from compute --to io >actual &&
	echo 80.000000 >expected &&
	test_cmp expected actual'

test_expect_success 'sets: roles, the IO set by name, hostlists' '
	for to in io "n[0021-0024]" "n0021,n0022,n0023,n0024,n0024"; do
		"$sfabric" load --from compute --to "$to" >out-$(echo $to |
			tr -dc a-z0-9) || return 1
	done &&
	test_cmp out-io out-n00210024 &&
	test_cmp out-io out-n0021n0022n0023n0024n0024 &&
	"$sfabric" load --json | grep "\"pairs\": 552"'

test_expect_success 'sets and options that are wrong' '
	refuse 1 "n9999: no such host" "$sfabric" load --to n9999 &&
	refuse 1 "n[1" "$sfabric" load --to "n[1" &&
	import_small no-io.snap &&
	refuse 1 "no host" "$sfabric" load --to io --snapshot no-io.snap &&
	refuse 2 "kind" "$sfabric" load --kind all &&
	refuse 2 "top" "$sfabric" load --top 0'

test_done
