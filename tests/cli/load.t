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

test_expect_success 'the first ones are the largest, unless another order is given' '
	"$sfabric" load --from compute --to io --sort -load_gbs --top 3 >expected &&
	"$sfabric" load --from compute --to io --top 3 >actual &&
	test_cmp expected actual && ! grep " 0.00 " actual &&
	"$sfabric" load -hP --from compute --to io --sort switch --top 1 >actual &&
	"$sfabric" load -hP --from compute --to io --sort switch | head -n 1 >expected &&
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

# Slurm's answer, as tests/slurm/preview.t has it from the daemon, is the same
test_expect_success 'the nodes of a job' '
	printf "7 n[0001-0004] mpi\n8 n0009\n" >jobs &&
	"$sfabric" load --from "n[0001-0004]" --to io >expected &&
	"$sfabric" load --from job:7 --to io --jobs jobs >actual &&
	test_cmp expected actual &&
	"$sfabric" rotate -w "n[0001-0004]" >expected &&
	"$sfabric" rotate -w job:7 --jobs jobs >actual &&
	test_cmp expected actual &&
	"$sfabric" plot --from "n[0001-0004]" --to n0009 |
		sed "s/^n\[.*n0009:/sets:/" >expected &&
	"$sfabric" plot --from job:7 --to job:8 --jobs jobs |
		sed "s/^job.*job:8:/sets:/" >actual &&
	test_cmp expected actual'

test_expect_success 'jobs that are none' '
	refuse 1 "job:9'"'"': job 9 does not run" \
		"$sfabric" load --from job:9 --jobs jobs &&
	refuse 1 "job x does not run" "$sfabric" load --to job:x --jobs jobs &&
	refuse 1 "is not a job id" "$sfabric" load --to "job:-h" &&
	refuse 1 "is not a job id" "$sfabric" load --to job: &&
	refuse 1 "none" "$sfabric" load --to job:7 --jobs none &&
	refuse 2 "own sources" "$sfabric" plot --from io --jobs jobs'

test_expect_success 'sets and options that are wrong' '
	refuse 1 "n9999: no such host" "$sfabric" load --to n9999 &&
	refuse 1 "n[1" "$sfabric" load --to "n[1" &&
	import_small no-io.snap &&
	refuse 1 "no host" "$sfabric" load --to io --snapshot no-io.snap &&
	refuse 2 "kind" "$sfabric" load --kind all &&
	refuse 2 "top" "$sfabric" load --top 0'

test_done
