#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# schema.t - what --json prints is what doc/schema says, to the last field
test_description='JSON schemas'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"
. "$SFAB_SRCDIR/tests/cli/every.sh"

python=/usr/bin/python3
if ! $python -c 'import jsonschema' 2>/dev/null; then
	skip_all='python3-jsonschema is missing'
	test_done
fi

valid=$SFAB_SRCDIR/tests/lib/valid.py

# valid COMMAND WORD...: its --json is as the schema says
valid () {
	"$sfabric" "$@" --json >answer.json &&
	$python "$valid" "$SFAB_SRCDIR/doc/schema/$1.json" answer.json
}

test_expect_success 'import' '
	import_small small.snap --io "n[0021-0024]" --json >answer.json &&
	$python "$valid" "$SFAB_SRCDIR/doc/schema/import.json" answer.json &&
	SFABRIC_SNAPSHOT=$PWD/small.snap && export SFABRIC_SNAPSHOT'

for thing in fabric switches hosts links io classes packing config; do
	test_expect_success "show $thing" 'valid show $thing'
done

test_expect_success 'show jobs' '
	echo "11 n[0001-0004] mpi=0.5" >jobs && valid show jobs --jobs jobs'

test_expect_success 'two planes, nothing known of IO, engine or time' '
	"$sfabric" import --plane a files/* --plane b files/* \
		--output plain.snap &&
	for thing in fabric hosts io; do
		valid show $thing --snapshot plain.snap || return 1
	done'

test_expect_success 'show counters' '
	"$SFAB_SRCDIR/tests/lib/counters.py" some.snap 0x0002c90200400000:1:xmit=1e9 \
		0x0002c90200400000:2:flags=7 &&
	valid show counters --counters some.snap'

test_expect_success 'top' '
	valid top --jobs jobs && valid top --jobs jobs --counters some.snap &&
	valid top --measured --counters some.snap'

test_expect_success 'report' '
	"$SFAB_SRCDIR/tests/lib/decisions.py" >decisions &&
	valid report decisions && valid report /dev/null &&
	printf "%s\n" "11 n[0001-0004] mpi=0.5 alice" "12 n[0003-0006] mpi=1" >two &&
	valid report --links --jobs two'

test_expect_success 'route, load' '
	valid route n0001 n0021 && valid load --from compute --to io'

test_expect_success 'audit' '
	test_expect_code 3 "$sfabric" audit --json >answer.json &&
	$python "$valid" "$SFAB_SRCDIR/doc/schema/audit.json" answer.json &&
	valid audit --snapshot plain.snap --engine ftree'

test_expect_success 'topology' '
	valid topology generate && "$sfabric" topology generate >conf &&
	valid topology diff conf && echo "SwitchName=a Nodes=n[0001-0023],x" >conf &&
	test_expect_code 3 "$sfabric" topology diff conf --json >answer.json &&
	$python "$valid" "$SFAB_SRCDIR/doc/schema/topology.json" answer.json'

test_expect_success 'plot' '
	valid plot --from compute --to io &&
	printf "%s\n" "11 n[0001-0004] mpi=0.5 alice" "12 n[0003-0006] mpi=1" >two &&
	valid plot --jobs two && valid plot --jobs two --by job &&
	valid plot --jobs two --job 12'

test_expect_success 'place, predict' '
	valid place -N 6 --traffic io-read=0.2+mpi+io-write &&
	valid place -N 1 --traffic neighbor &&
	valid place -N 19 --traffic alltoall=1 && valid place -N 8-19 --traffic alltoall=1 &&
	valid predict --nodes n0003 --traffic mpi &&
	valid order --nodes "n[0001-0003,0005-0007]" &&
	test_expect_code 3 "$sfabric" order --nodes "n[0001-0003],unknown" --json \
		>answer.json &&
	$python "$valid" "$SFAB_SRCDIR/doc/schema/order.json" answer.json'

test_expect_success LUA 'policy' '
	for example in "$SFAB_SRCDIR"/lua/examples/*.lua; do
		valid policy test --policy "$example" -N 4 -J wrf ||
			return 1
	done'

test_expect_success 'explain' '
	echo "{\"event\":\"start\",\"job\":3,\"running\":1,\"n\":2," \
		"\"nodes\":\"n[0001-0002]\",\"reason\":\"placed\"," \
		"\"fingerprint\":\"0x677cd16cb9d906ee\",\"traffic\":\"mpi=1\"," \
		"\"score\":{\"total\":0,\"terms\":{}}}" >log &&
	valid explain 3 --log log && sed "s/\"fing[^,]*,//" log >none &&
	valid explain 3 --log none'

test_expect_success 'replay' '
	valid replay --jobs 50 --load-factor 1 --seeds 1-2 &&
	valid replay --jobs 50 --load-factor 1 --mix 1:off'

test_expect_success 'synth' '
	valid synth --list && valid synth wolf --output wolf.net'

test_expect_success 'check' '
	SLURM_CONF=none test_expect_code 3 "$sfabric" check --json \
		>answer.json &&
	$python "$valid" "$SFAB_SRCDIR/doc/schema/check.json" answer.json'

# answer COMMAND WORD...: as the schema says, whatever was found
answer () {
	case $1 in
	metrics | web)	# no JSON
		"$sfabric" "$@" >answer 2>err
		return ;;
	esac
	"$sfabric" "$@" --json >answer.json 2>err
	test $? = 0 -o $? = 3 &&
	$python "$valid" "$SFAB_SRCDIR/doc/schema/$1.json" answer.json || {
		echo "$*"
		cat err
		return 1
	}
}

# 36 leaves, 18 spines, 24 IO hosts that all tables send to one spine
test_expect_success "a fabric of Wolf's size: every command" '
	"$SFAB_BUILDDIR/tests/slurm/make_snapshot" wolf.snap 36 18 17 24 &&
	SFABRIC_SNAPSHOT=$PWD/wolf.snap && every_hosts=n1,n18 &&
	every_files $("$sfabric" show switches -hP -o guid | head -n 3) &&
	every answer'

test_expect_success 'hosts with several ports and LIDs, SHARP: every command' '
	recorded=$SFAB_SRCDIR/tests/data/two-leaves-lmc1 &&
	"$sfabric" import "$recorded/opensm-subnet.lst" "$recorded/opensm.fdbs" \
		--io io1 --output odd.snap &&
	SFABRIC_SNAPSHOT=$PWD/odd.snap && every_hosts=n1,n2 &&
	every_files $("$sfabric" show switches -hP -o guid) &&
	answer_of_few () {
		test $1 = replay || answer "$@"		# it has but three nodes
	} && every answer_of_few &&
	SFABRIC_SNAPSHOT=$PWD/small.snap'

test_expect_success 'an answer with a field too many or too few is found' '
	"$sfabric" load --json --top 1 >good.json &&
	sed "s/\"dlids\"/\"lids\"/" good.json >bad.json &&
	schema=$SFAB_SRCDIR/doc/schema/load.json &&
	$python "$valid" $schema good.json && ! $python "$valid" $schema bad.json'

test_done
